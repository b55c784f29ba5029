//! Pages to print as PDF (ISO 32000-1): one page of vector shapes. Text is drawn as outlines, so that every printer shows
//! the same letters.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use rookery_core::printed_page::{PaperSize, PrintedPage};
use rookery_core::scene::{Item, Paint, Point, Rgb, Scene, Shape, Stroke, Theme};
use tiny_skia::{Path, PathSegment};

use super::outline;
use super::paint::MISSING;

/// Points of a PDF per millimetre.
const POINTS_PER_MM: f32 = 72.0 / 25.4;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);

/// Writes a page as a PDF file.
#[must_use]
pub fn pdf(page: &PrintedPage, paper: PaperSize) -> Vec<u8> {
    let (width, height) = paper.millimetres();
    let (width, height) = (width * POINTS_PER_MM, height * POINTS_PER_MM);
    let mut drawing = Drawing { content: Content::new(), opacities: Vec::new() };
    drawing.page(page, paper, height);
    let Drawing { content, opacities } = drawing;
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let mut written = pdf.page(PAGE);
    written.media_box(Rect::new(0.0, 0.0, width, height)).parent(PAGES).contents(CONTENT);
    let mut resources = written.resources();
    let mut states = resources.ext_g_states();
    for percent in &opacities {
        let share = f32::from(*percent) / 100.0;
        let mut state = states
            .insert(Name(state_name(*percent).as_bytes()))
            .start::<pdf_writer::writers::ExtGraphicsState>();
        state.non_stroking_alpha(share).stroking_alpha(share);
    }
    states.finish();
    resources.finish();
    written.finish();
    let packed = packed(content.finish().as_slice());
    pdf.stream(CONTENT, &packed).filter(Filter::FlateDecode);
    pdf.document_info(INFO).title(TextStr(&page.title));
    pdf.finish()
}

/// Compresses a stream as zlib.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_else(|error| unreachable!("a vector takes everything: {error}"))
}

/// Names the graphics state of an opacity in percent.
fn state_name(percent: u8) -> String {
    format!("opacity{percent}")
}

/// The operators of a page, and the opacities in percent that they use.
struct Drawing {
    content: Content,
    opacities: Vec<u8>,
}

impl Drawing {
    fn page(&mut self, page: &PrintedPage, paper: PaperSize, paper_height: f32) {
        let ground = &page.ground;
        let (scale, Point { x, y }) = paper.fit(ground.width, ground.height);
        let [scale, x, y] = [scale, x, y].map(|millimetres| millimetres * POINTS_PER_MM);
        self.content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
        // A PDF's y grows upwards.
        self.content.save_state().transform([scale, 0.0, 0.0, -scale, x, paper_height - y]);
        self.scene(ground);
        for layer in &page.layers {
            self.within(layer.scale, layer.at, |drawing| drawing.scene(&layer.scene));
        }
        self.content.restore_state();
    }

    /// Draws something larger by `scale`, with its origin at a point.
    fn within(&mut self, scale: f32, at: Point, draw: impl FnOnce(&mut Drawing)) {
        self.content.save_state().transform([scale, 0.0, 0.0, scale, at.x, at.y]);
        draw(self);
        self.content.restore_state();
    }

    fn scene(&mut self, scene: &Scene) {
        let sheet = Shape::rect(Point { x: 0.0, y: 0.0 }, scene.width, scene.height, 0.0);
        self.shape(&sheet.fill(Paint { ink: scene.ground, share: 1.0 }), scene.theme);
        for item in &scene.items {
            match item {
                Item::Shape(shape) => self.shape(shape, scene.theme),
                Item::Stamp(stamp, at) => self.within(1.0, *at, |drawing| {
                    (stamp.art)().iter().for_each(|shape| drawing.shape(shape, scene.theme));
                }),
            }
        }
    }

    fn shape(&mut self, shape: &Shape, theme: &Theme) {
        let Some(path) = outline::path(&shape.outline) else { return };
        if let Some(fill) = shape.fill {
            self.set_opacity(fill.share);
            let [r, g, b] = colour(fill, theme);
            self.content.set_fill_rgb(r, g, b);
            self.path(&path);
            self.content.fill_nonzero();
        }
        if let Some(Stroke { paint, width, dash }) = &shape.stroke {
            self.set_opacity(paint.share);
            let [r, g, b] = colour(*paint, theme);
            let dash = dash.map(|(on, off)| [on, off]);
            self.content.set_stroke_rgb(r, g, b).set_line_width(*width);
            self.content.set_dash_pattern(dash.into_iter().flatten(), 0.0);
            self.path(&path);
            self.content.stroke();
        }
    }

    fn path(&mut self, path: &Path) {
        let mut here = tiny_skia::Point::zero();
        for segment in path.segments() {
            match segment {
                PathSegment::MoveTo(to) => drop(self.content.move_to(to.x, to.y)),
                PathSegment::LineTo(to) => drop(self.content.line_to(to.x, to.y)),
                PathSegment::QuadTo(middle, to) => {
                    // PDF has no quadratic curves; this is the cubic one with the same course.
                    let third = |end: f32, middle: f32| end + (middle - end) * 2.0 / 3.0;
                    let (ax, ay) = (third(here.x, middle.x), third(here.y, middle.y));
                    let (bx, by) = (third(to.x, middle.x), third(to.y, middle.y));
                    self.content.cubic_to(ax, ay, bx, by, to.x, to.y);
                }
                PathSegment::CubicTo(a, b, to) => drop(self.content.cubic_to(a.x, a.y, b.x, b.y, to.x, to.y)),
                PathSegment::Close => drop(self.content.close_path()),
            }
            here = match segment {
                PathSegment::MoveTo(to)
                | PathSegment::LineTo(to)
                | PathSegment::QuadTo(_, to)
                | PathSegment::CubicTo(_, _, to) => to,
                PathSegment::Close => here,
            };
        }
    }

    fn set_opacity(&mut self, share: f32) {
        let percent = (share.clamp(0.0, 1.0) * 100.0).round() as u8;
        if !self.opacities.contains(&percent) {
            self.opacities.push(percent);
        }
        self.content.set_parameters(Name(state_name(percent).as_bytes()));
    }
}

fn colour(paint: Paint, theme: &Theme) -> [f32; 3] {
    let Rgb(r, g, b) = theme.colour(paint.ink).unwrap_or(MISSING);
    [r, g, b].map(|part| f32::from(part) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::printed_page::Layer;
    use rookery_core::scene::{Weight, ink, pt, tint};
    use std::io::Read;

    static THEME: Theme = Theme {
        name: "t",
        family: "pdf",
        sides: &[],
        colours: &[("white", Rgb(255, 255, 255)), ("red", Rgb(255, 0, 0)), ("ink", Rgb(0, 51, 102))],
    };

    fn page() -> PrintedPage {
        let mut ground = Scene::new(1_050.0, 1_485.0, &THEME, "white");
        ground.shape(Shape::text("Title", pt(500.0, 100.0), 40.0, Weight::Bold).fill(ink("ink")));
        let mut scene = Scene::new(100.0, 100.0, &THEME, "red");
        scene.shape(Shape::circle(pt(50.0, 50.0), 20.0).fill(tint("red", 0.5)));
        scene.shape(Shape::line(pt(0.0, 0.0), pt(10.0, 0.0)).dashed(ink("ink"), 2.0, 4.0, 3.0));
        let layer = Layer { scene, at: pt(10.0, 20.0), scale: 2.0 };
        PrintedPage { title: "A tïtle (1)".to_owned(), ground, layers: vec![layer] }
    }

    /// The uncompressed stream of a file with one stream.
    fn content(file: &[u8]) -> String {
        let find = |what: &[u8]| file.windows(what.len()).position(|part| part == what).expect("a stream");
        let (from, to) = (find(b"stream\n") + 7, find(b"\nendstream"));
        let mut text = String::new();
        flate2::read::ZlibDecoder::new(&file[from..to]).read_to_string(&mut text).expect("zlib");
        text
    }

    #[test]
    fn a_page_has_the_size_of_its_paper() {
        // In points: an inch has 72.
        for (paper, width, height) in [(PaperSize::A4, 595.276, 841.890), (PaperSize::Letter, 612.0, 792.0)] {
            let file = pdf(&page(), paper);
            let plain = String::from_utf8_lossy(&file);
            assert!(plain.starts_with("%PDF-1.7") && plain.trim_end().ends_with("%%EOF"));
            let (_, size) = plain.split_once("/MediaBox [0 0 ").expect("a size");
            let size: Vec<f32> =
                size.split([' ', ']']).take(2).map(|part| part.parse().expect("a number")).collect();
            assert!((size[0] - width).abs() < 0.01 && (size[1] - height).abs() < 0.01, "{paper:?}: {size:?}");
        }
    }

    #[test]
    fn shapes_are_drawn_in_their_layers_colours_and_opacities() {
        let text = content(&pdf(&page(), PaperSize::A4));
        // The sheet first, then the title, then the layer at its place.
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what:?} in {text}"));
        assert!(at("1 1 1 rg") < at("0 0.2 0.4 rg") && at("0 0.2 0.4 rg") < at("2 0 0 2 10 20 cm"), "{text}");
        let layer = at("2 0 0 2 10 20 cm");
        assert!(
            layer < at("/opacity100 gs\n1 0 0 rg") && at("1 0 0 rg") < at("/opacity50 gs\n1 0 0 rg"),
            "{text}"
        );
        assert!(at("[4 3] 0 d") < at("0 0 m\n10 0 l\nS"));
        assert_eq!(text.matches('q').count(), text.matches('Q').count());
    }
}
