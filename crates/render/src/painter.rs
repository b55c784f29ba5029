//! The painter: scenes to pictures, with the art cached as tiles.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::background::Backgrounds;
use super::canvas::Canvas;
use super::paint::{Area, MISSING, Place, paint};
use super::picture::Picture;
use super::tile::Tile;
use rookery_core::scene::{Item, Point, Scene, Shape, Stamp, Theme};

/// Art is cached at this many subpixel positions, horizontally and vertically: the error is at most an eighth of a
/// pixel.
const PHASES: i32 = 4;

/// The maximum bytes of cached tiles; a theme at one size takes about one million. Beyond this all are dropped. Not a
/// cache that drops single entries: an atlas grows after it was handed out, so its size is unknown when it is inserted,
/// and a cache of single tiles would be looked up for every stamp of a scene.
const MAX_BYTES: usize = 32 << 20;

/// Draws scenes. Cheap to clone; clones share their caches across threads.
#[derive(Clone, Debug, Default)]
pub struct Painter {
    caches: Arc<Caches>,
}

/// The caches of all clones.
#[derive(Debug, Default)]
struct Caches {
    atlases: Mutex<HashMap<AtlasKey, Arc<Atlas>>>,
    bytes: AtomicUsize,
    grounds: Backgrounds,
}

/// A theme (family and name) and a size (bits of the scale).
type AtlasKey = (&'static str, &'static str, u32);

/// The tiles of one theme at one size, by stamp and phase.
#[derive(Debug, Default)]
struct Atlas {
    tiles: RwLock<HashMap<String, Phases>>,
}

type Phases = [Option<Arc<Tile>>; (PHASES * PHASES) as usize];

impl Painter {
    /// A painter with empty caches.
    #[must_use]
    pub fn new() -> Painter {
        Painter::default()
    }

    /// Draws a scene `width_px` pixels wide (at least 1); the height follows from the scene.
    #[must_use]
    pub fn picture(&self, scene: &Scene, width_px: u32) -> Picture {
        let size = Size::of(scene, width_px);
        let context = SceneContext::new(self, scene.theme, size.place(scene));
        let mut canvas = context.begin(scene, size);
        let rest = scene.items.iter().skip(1);
        rest.for_each(|item| context.draw(&mut canvas, item));
        canvas.finish()
    }

    /// Approximate size of the cached tiles and empty boards in bytes.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        self.caches.bytes.load(Ordering::Relaxed) + self.caches.grounds.bytes()
    }

    /// Draws a scene on top of a canvas.
    pub(super) fn draw(&self, canvas: &mut Canvas, scene: &Scene, place: Place) {
        let context = SceneContext::new(self, scene.theme, place);
        for item in &scene.items {
            context.draw(canvas, item);
        }
    }

    /// Draws one element on top of a canvas.
    pub(super) fn draw_item(&self, canvas: &mut Canvas, item: &Item, theme: &Theme, place: Place) {
        SceneContext::new(self, theme, place).draw(canvas, item);
    }
}

impl Caches {
    fn atlas(&self, theme: &Theme, scale: f32) -> Arc<Atlas> {
        let mut atlases = self.atlases.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bytes.load(Ordering::Relaxed) > MAX_BYTES {
            // Running draws keep their atlases until they end.
            atlases.clear();
            self.bytes.store(0, Ordering::Relaxed);
        }
        Arc::clone(atlases.entry((theme.family, theme.name, scale.to_bits())).or_default())
    }
}

/// The context of drawing one scene: its theme, its placement, and the tiles for both.
pub(super) struct SceneContext<'a> {
    caches: &'a Caches,
    atlas: Arc<Atlas>,
    theme: &'a Theme,
    place: Place,
}

impl<'a> SceneContext<'a> {
    pub(super) fn new(painter: &'a Painter, theme: &'a Theme, place: Place) -> SceneContext<'a> {
        let caches = &*painter.caches;
        SceneContext { caches, atlas: caches.atlas(theme, place.scale), theme, place }
    }

    /// A canvas with only the first element of a scene.
    pub(super) fn begin(&self, scene: &Scene, size: Size) -> Canvas {
        self.caches.grounds.get(scene, size, || {
            let mut canvas = blank(scene, size);
            scene.items.first().into_iter().for_each(|item| self.draw(&mut canvas, item));
            canvas
        })
    }

    /// A stamp's tile and the pixel of its origin.
    pub(super) fn stamp(&self, stamp: &Stamp, at: Point) -> (Arc<Tile>, i32, i32) {
        let spot = SubpixelPosition::of(at, self.place);
        (self.tile(stamp, spot), spot.x, spot.y)
    }

    /// The tile of a loose shape; its origin is that of the canvas.
    pub(super) fn shape(&self, shape: &Shape, clip: Area) -> Tile {
        paint(std::slice::from_ref(shape), self.theme, self.place, clip)
            .map_or_else(Tile::empty, |layer| Tile::new(&layer))
    }

    fn draw(&self, canvas: &mut Canvas, item: &Item) {
        match item {
            Item::Stamp(stamp, at) => {
                let (tile, x, y) = self.stamp(stamp, *at);
                canvas.lay(&tile, x, y);
            }
            Item::Shape(shape) => canvas.lay(&self.shape(shape, canvas.area()), 0, 0),
        }
    }

    fn tile(&self, stamp: &Stamp, spot: SubpixelPosition) -> Arc<Tile> {
        let index = (spot.phase.1 * PHASES + spot.phase.0) as usize;
        let known = self.atlas.tiles.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(tile) = known.get(&stamp.name).and_then(|phases| phases[index].clone()) {
            return tile;
        }
        drop(known);
        let tile = Arc::new(self.rasterise(stamp, spot.phase));
        self.caches.bytes.fetch_add(tile.bytes(), Ordering::Relaxed);
        let mut known = self.atlas.tiles.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(stamp.name.clone()).or_default()[index] = Some(Arc::clone(&tile));
        tile
    }

    fn rasterise(&self, stamp: &Stamp, phase: (i32, i32)) -> Tile {
        let scale = self.place.scale;
        let [x, y] = [phase.0, phase.1].map(|v| v as f32 / PHASES as f32);
        let reach = |half: f32| (half * scale).ceil() as i32 + 2;
        let (w, h) = (reach(stamp.half.0), reach(stamp.half.1));
        let clip = Area { left: -w, top: -h, right: w, bottom: h };
        paint(&(stamp.art)(), self.theme, Place { scale, x, y }, clip)
            .map_or_else(Tile::empty, |layer| Tile::new(&layer))
    }
}

/// Width and height in pixels, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Size {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Size {
    /// The size of a scene that is `width_px` pixels wide.
    pub(super) fn of(scene: &Scene, width_px: u32) -> Size {
        let width = width_px.max(1);
        let height = (scene.height * width as f32 / scene.width).round().max(1.0);
        Size { width, height: height as u32 }
    }

    /// The placement of a scene that fills this size.
    pub(super) fn place(self, scene: &Scene) -> Place {
        Place { scale: self.width as f32 / scene.width, x: 0.0, y: 0.0 }
    }
}

/// A canvas for a scene with only the ground on it.
fn blank(scene: &Scene, size: Size) -> Canvas {
    let ground = scene.theme.colour(scene.ground).unwrap_or(MISSING);
    Canvas::new(size.width, size.height, ground)
}

/// The position of a tile: a whole pixel and a subpixel phase.
#[derive(Clone, Copy)]
struct SubpixelPosition {
    x: i32,
    y: i32,
    phase: (i32, i32),
}

impl SubpixelPosition {
    fn of(at: Point, place: Place) -> SubpixelPosition {
        let [x, y] = [at.x * place.scale + place.x, at.y * place.scale + place.y]
            .map(|v| (v * PHASES as f32).round() as i32);
        SubpixelPosition {
            x: x.div_euclid(PHASES),
            y: y.div_euclid(PHASES),
            phase: (x.rem_euclid(PHASES), y.rem_euclid(PHASES)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::{Rgb, ink, pt};

    static THEME: Theme = Theme {
        name: "t",
        family: "painter",
        sides: &[],
        colours: &[("ground", Rgb(9, 9, 9)), ("dot", Rgb(200, 180, 0))],
    };

    fn dotted(at: f32) -> Scene {
        let dot = || vec![Shape::circle(pt(0.0, 0.0), 20.0).fill(ink("dot"))];
        let mut scene = Scene::new(100.0, 60.0, &THEME, "ground");
        scene.stamp(Stamp::new("dot", (20.0, 20.0), dot), pt(at, 30.0));
        scene
    }

    #[test]
    fn a_stamp_is_drawn_once_a_phase_and_its_clones_share_it() {
        let painter = Painter::new();
        drop(painter.picture(&dotted(30.0), 100));
        let one = painter.kept_bytes();
        assert!(one > 0);
        drop(painter.clone().picture(&dotted(62.0), 100));
        assert_eq!(painter.kept_bytes(), one, "the same art, two pixels or thirty-two on");
        drop(painter.picture(&dotted(30.5), 100));
        assert!(painter.kept_bytes() > one, "half a pixel on is another tile");
    }

    #[test]
    fn a_stamp_stands_where_it_is_put_to_an_eighth_of_a_pixel() {
        for at in [30.0, 30.1, 30.3, 30.49, 30.6, 30.9] {
            let image = Painter::new().picture(&dotted(at), 100).to_image();
            let weights: Vec<(f32, f32)> =
                (image.enumerate_pixels()).map(|(x, _, p)| (x as f32 + 0.5, f32::from(p.0[0] - 9))).collect();
            let total: f32 = weights.iter().map(|(_, w)| w).sum();
            let centre = weights.iter().map(|(x, w)| x * w).sum::<f32>() / total;
            assert!((centre - at).abs() < 0.14, "{at}: {centre}");
        }
    }

    #[test]
    fn tiles_are_clipped_to_the_canvas() {
        let whole = Painter::new().picture(&dotted(50.0), 100);
        assert_eq!((whole.width(), whole.height()), (100, 60));
        let cut = Painter::new().picture(&dotted(0.0), 100);
        let half = |picture: &Picture, x: usize| picture.rows().map(|row| row[x]).collect::<Vec<u8>>();
        assert_eq!(half(&cut, 0), half(&whole, 50));
        assert_eq!(half(&cut, 99), half(&whole, 0));
    }
}
