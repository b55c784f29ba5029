//! Rasterises shapes: tiny-skia fills the paths of [`super::outline`].

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint as SkiaPaint, Path, Pixmap, StrokeDash, Transform,
};

use super::outline;
use rookery_core::scene::{Paint, Rgb, Shape, Stroke, Theme};

/// Maps board units to pixels: multiplies by `scale`, then adds (`x`, `y`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) scale: f32,
    pub(super) x: f32,
    pub(super) y: f32,
}

/// Whole pixels from (`left`, `top`) to (`right`, `bottom`), excluding the latter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// Painted pixels, premultiplied, and the position of their upper left corner.
pub(super) struct Layer {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) pixels: Pixmap,
}

/// Paints shapes over each other on the pixels inside `clip` that they touch.
///
/// `None` if they touch none.
pub(super) fn paint(shapes: &[Shape], theme: &Theme, place: Place, clip: Area) -> Option<Layer> {
    let fills: Vec<Fill> = shapes.iter().flat_map(|shape| fills(shape, theme, place)).collect();
    let area = fills.iter().map(Fill::area).reduce(Area::union)?.intersection(clip)?;
    let mut pixels = Pixmap::new(area.width(), area.height())?;
    let shift = Transform::from_translate(-area.left as f32, -area.top as f32);
    for fill in &fills {
        pixels.fill_path(&fill.path, &fill.paint(), FillRule::Winding, shift, None);
    }
    Some(Layer { left: area.left, top: area.top, pixels })
}

/// A path in pixels and the colour of its inside.
struct Fill {
    path: Path,
    colour: Color,
}

impl Fill {
    fn area(&self) -> Area {
        let b = self.path.bounds();
        let [left, top] = [b.left(), b.top()].map(|v| v.floor() as i32);
        let [right, bottom] = [b.right(), b.bottom()].map(|v| v.ceil() as i32);
        Area { left, top, right, bottom }
    }

    fn paint(&self) -> SkiaPaint<'static> {
        let mut paint = SkiaPaint::default();
        paint.set_color(self.colour);
        paint
    }
}

/// A shape as fills: its inside, then its edge.
fn fills(shape: &Shape, theme: &Theme, place: Place) -> Vec<Fill> {
    let to_pixels = Transform::from_row(place.scale, 0.0, 0.0, place.scale, place.x, place.y);
    let Some(path) = outline::path(&shape.outline).and_then(|path| path.transform(to_pixels)) else {
        return Vec::new();
    };
    let edge = shape.stroke.as_ref().and_then(|stroke| {
        let path = edge(&path, stroke, place.scale)?;
        Some(Fill { path, colour: colour(stroke.paint, theme) })
    });
    let inside = shape.fill.map(|paint| Fill { path, colour: colour(paint, theme) });
    inside.into_iter().chain(edge).collect()
}

fn edge(path: &Path, stroke: &Stroke, scale: f32) -> Option<Path> {
    let round = tiny_skia::Stroke {
        width: stroke.width * scale,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..tiny_skia::Stroke::default()
    };
    match stroke.dash {
        None => path.stroke(&round, 1.0),
        Some((on, off)) => {
            let dash = StrokeDash::new(vec![on * scale, off * scale], 0.0)?;
            path.dash(&dash, 1.0)?.stroke(&round, 1.0)
        }
    }
}

/// The colour of a token that the theme lacks, magenta: the conformance suite fails on it.
pub(super) const MISSING: Rgb = Rgb(255, 0, 255);

fn colour(paint: Paint, theme: &Theme) -> Color {
    let Rgb(r, g, b) = theme.colour(paint.ink).unwrap_or(MISSING);
    Color::from_rgba8(r, g, b, (paint.share.clamp(0.0, 1.0) * 255.0).round() as u8)
}

impl Area {
    pub(super) fn width(self) -> u32 {
        self.right.abs_diff(self.left)
    }

    pub(super) fn height(self) -> u32 {
        self.bottom.abs_diff(self.top)
    }

    /// The smallest area that contains both.
    pub(super) fn union(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The intersection; `None` if it is empty.
    pub(super) fn intersection(self, other: Area) -> Option<Area> {
        let area = Area {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (area.left < area.right && area.top < area.bottom).then_some(area)
    }
}
