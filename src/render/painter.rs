//! The painter: scenes to pictures, with the art kept as tiles.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::canvas::Canvas;
use super::paint::{Area, MISSING, Place, paint};
use super::picture::Picture;
use super::tile::Tile;
use crate::kit::scene::{Item, Point, Scene, Shape, Stamp, Theme};

/// Art is kept at this many places between two pixels, across and down: an eighth of a pixel off at most.
const PHASES: i32 = 4;

/// Draws scenes. Cheap to clone; the clones share what was rasterised before, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Painter {
    atlases: Arc<Mutex<HashMap<AtlasKey, Arc<Atlas>>>>,
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
    /// A painter that has drawn nothing yet.
    #[must_use]
    pub fn new() -> Painter {
        Painter::default()
    }

    /// Draws a scene `width_px` pixels wide (at least 1); the height follows.
    #[must_use]
    pub fn picture(&self, scene: &Scene, width_px: u32) -> Picture {
        let mut canvas = blank(scene, width_px);
        let place = Place { scale: canvas.width() as f32 / scene.width, x: 0.0, y: 0.0 };
        self.draw(&mut canvas, scene, place);
        canvas.finish()
    }

    /// Draws a scene on a canvas, over what is there.
    pub(super) fn draw(&self, canvas: &mut Canvas, scene: &Scene, place: Place) {
        let atlas = self.atlas(scene.theme, place.scale);
        for item in &scene.items {
            draw_with(&atlas, canvas, item, scene.theme, place);
        }
    }

    /// Draws one thing on a canvas, over what is there.
    pub(super) fn draw_item(&self, canvas: &mut Canvas, item: &Item, theme: &Theme, place: Place) {
        draw_with(&self.atlas(theme, place.scale), canvas, item, theme, place);
    }

    fn atlas(&self, theme: &Theme, scale: f32) -> Arc<Atlas> {
        let mut atlases = self.atlases.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(atlases.entry((theme.family, theme.name, scale.to_bits())).or_default())
    }
}

fn draw_with(atlas: &Atlas, canvas: &mut Canvas, item: &Item, theme: &Theme, place: Place) {
    match item {
        Item::Stamp(stamp, at) => {
            let spot = Spot::of(*at, place);
            canvas.lay(&atlas.tile(stamp, theme, place.scale, spot), spot.x, spot.y);
        }
        Item::Shape(shape) => loose(canvas, shape, theme, place),
    }
}

/// A canvas for a scene, `width_px` pixels wide, with nothing but the ground on it.
pub(super) fn blank(scene: &Scene, width_px: u32) -> Canvas {
    let width_px = width_px.max(1);
    let height_px = (scene.height * width_px as f32 / scene.width).round().max(1.0);
    let ground = scene.theme.colour(scene.ground).unwrap_or(MISSING);
    Canvas::new(width_px, height_px as u32, ground)
}

/// A place for a tile: a whole pixel and a phase on top.
#[derive(Clone, Copy)]
struct Spot {
    x: i32,
    y: i32,
    phase: (i32, i32),
}

impl Spot {
    fn of(at: Point, place: Place) -> Spot {
        let [x, y] = [at.x * place.scale + place.x, at.y * place.scale + place.y]
            .map(|v| (v * PHASES as f32).round() as i32);
        Spot {
            x: x.div_euclid(PHASES),
            y: y.div_euclid(PHASES),
            phase: (x.rem_euclid(PHASES), y.rem_euclid(PHASES)),
        }
    }
}

impl Atlas {
    fn tile(&self, stamp: &Stamp, theme: &Theme, scale: f32, spot: Spot) -> Arc<Tile> {
        let index = (spot.phase.1 * PHASES + spot.phase.0) as usize;
        let known = self.tiles.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(tile) = known.get(&stamp.name).and_then(|phases| phases[index].clone()) {
            return tile;
        }
        drop(known);
        let tile = Arc::new(rasterise(stamp, theme, scale, spot.phase));
        let mut known = self.tiles.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(stamp.name.clone()).or_default()[index] = Some(Arc::clone(&tile));
        tile
    }
}

fn rasterise(stamp: &Stamp, theme: &Theme, scale: f32, phase: (i32, i32)) -> Tile {
    let [x, y] = [phase.0, phase.1].map(|v| v as f32 / PHASES as f32);
    let reach = |half: f32| (half * scale).ceil() as i32 + 2;
    let (w, h) = (reach(stamp.half.0), reach(stamp.half.1));
    let clip = Area { left: -w, top: -h, right: w, bottom: h };
    paint(&(stamp.art)(), theme, Place { scale, x, y }, clip)
        .map_or_else(Tile::empty, |layer| Tile::new(&layer))
}

fn loose(canvas: &mut Canvas, shape: &Shape, theme: &Theme, place: Place) {
    if let Some(layer) = paint(std::slice::from_ref(shape), theme, place, canvas.area()) {
        canvas.lay(&Tile::new(&layer), 0, 0);
    }
}
