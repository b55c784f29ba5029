//! Draws consecutive scenes on one canvas: only the differences to the previous scene are drawn.
//!
//! Each scene becomes a list of tiles with positions. Tiles that both lists have in the same order stay; the areas that
//! all other tiles touch are restored to the empty board, and the tiles that touch those areas are laid again within
//! them.

use std::sync::Arc;

use super::canvas::Canvas;
use super::paint::{Area, Place};
use super::painter::{Painter, SceneContext, Size};
use super::tile::Tile;
use rookery_core::scene::{Item, Scene, Shape};

/// A canvas that shows one scene after another. All have the size, theme and ground of the first.
pub(super) struct FrameDrawer<'a> {
    painter: &'a Painter,
    canvas: Canvas,
    place: Place,
    laid: Vec<PlacedTile>,
    /// The canvas with only the first element of the first scene while all scenes begin with it; after that, the empty
    /// canvas.
    ground: Canvas,
    has_ground: bool,
}

/// A tile on the canvas.
struct PlacedTile {
    tile: Arc<Tile>,
    /// The position of its origin in pixels.
    x: i32,
    y: i32,
    /// The shape that it was made from, if it is not a stamp: the next scene may reuse the tile.
    shape: Option<Shape>,
}

impl<'a> FrameDrawer<'a> {
    /// A drawer without a scene yet, `width_px` pixels wide.
    pub(super) fn new(painter: &'a Painter, first: &Scene, width_px: u32) -> FrameDrawer<'a> {
        let size = Size::of(first, width_px);
        let place = size.place(first);
        let ground = SceneContext::new(painter, first.theme, place).begin(first, size);
        let has_ground = !first.items.is_empty();
        FrameDrawer { painter, canvas: ground.clone(), place, laid: Vec::new(), ground, has_ground }
    }

    /// The canvas with the current scene.
    pub(super) fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Shows a scene. Returns the areas that were drawn, which do not overlap; `before` becomes the previous canvas on
    /// the rows of these areas.
    pub(super) fn show(&mut self, scene: Scene, before: &mut Vec<u8>) -> Vec<Area> {
        let laid = self.tiles_of(scene);
        let changed_areas = changed_areas(&self.laid, &laid, self.canvas.area());
        let begins_alike = self.laid.first().is_none_or(|old| laid.first().is_some_and(|new| new.is(old)));
        if self.has_ground && !begins_alike {
            self.has_ground = false;
            self.ground.empty();
        }
        self.laid = laid;
        self.canvas.keep_rows(&changed_areas, before);
        changed_areas.iter().for_each(|area| self.canvas.restore(*area, &self.ground));
        for laid in self.laid.iter().skip(usize::from(self.has_ground)) {
            self.canvas.lay_within(&laid.tile, laid.x, laid.y, &changed_areas);
        }
        changed_areas
    }

    /// The tiles of a scene, reusing those of shapes that were there before.
    fn tiles_of(&self, scene: Scene) -> Vec<PlacedTile> {
        let context = SceneContext::new(self.painter, scene.theme, self.place);
        let known = |shape: &Shape| self.laid.iter().find(|laid| laid.shape.as_ref() == Some(shape));
        let tiles_of = |item| match item {
            Item::Stamp(stamp, at) => {
                let (tile, x, y) = context.stamp(&stamp, at);
                PlacedTile { tile, x, y, shape: None }
            }
            Item::Shape(shape) => {
                let tile = match known(&shape) {
                    Some(laid) => Arc::clone(&laid.tile),
                    None => Arc::new(context.shape(&shape, self.canvas.area())),
                };
                PlacedTile { tile, x: 0, y: 0, shape: Some(shape) }
            }
        };
        scene.items.into_iter().map(tiles_of).collect()
    }
}

impl PlacedTile {
    fn is(&self, other: &PlacedTile) -> bool {
        Arc::ptr_eq(&self.tile, &other.tile) && (self.x, self.y) == (other.x, other.y)
    }
}

/// The area of the tiles that the two lists do not have in the same order.
fn changed_areas(before: &[PlacedTile], now: &[PlacedTile], canvas: Area) -> Vec<Area> {
    let mut holes = DirtyGrid::new(canvas);
    let mut rest = before;
    for laid in now {
        match rest.iter().position(|old| old.is(laid)) {
            Some(at) => {
                rest[..at].iter().for_each(|old| holes.tear(old));
                rest = &rest[at + 1..];
            }
            None => holes.tear(laid),
        }
    }
    rest.iter().for_each(|old| holes.tear(old));
    holes.areas()
}

/// The size of a grid cell in pixels.
const GRID_PX: i32 = 16;

/// The grid cells that must be redrawn: a slanted line touches few of them, its bounding box many.
struct DirtyGrid {
    canvas: Area,
    columns: usize,
    changed_areas: Vec<bool>,
}

impl DirtyGrid {
    fn new(canvas: Area) -> DirtyGrid {
        let [columns, rows] =
            [canvas.right, canvas.bottom].map(|side| (side as usize).div_ceil(GRID_PX as usize));
        DirtyGrid { canvas, columns, changed_areas: vec![false; columns * rows] }
    }

    fn tear(&mut self, laid: &PlacedTile) {
        let Some(seen) = laid.tile.area(laid.x, laid.y).intersection(self.canvas) else { return };
        let (left, top) = (laid.x + laid.tile.left, laid.y + laid.tile.top);
        let rows = laid.tile.rows((seen.top - top) as usize..(seen.bottom - top) as usize);
        for (y, runs) in (seen.top..).zip(rows) {
            let (Some(first), Some(last)) = (runs.first(), runs.last()) else { continue };
            let start = (left + i32::from(first.x)).max(seen.left);
            let end = (left + i32::from(last.x + last.len)).min(seen.right);
            if start < end {
                let row = &mut self.changed_areas[(y / GRID_PX) as usize * self.columns..][..self.columns];
                row[(start / GRID_PX) as usize..=((end - 1) / GRID_PX) as usize].fill(true);
            }
        }
    }

    /// The marked cells as rectangles: adjacent cells of a row, and adjacent rows of equal extent, are merged.
    fn areas(&self) -> Vec<Area> {
        let mut areas: Vec<Area> = Vec::new();
        for (row, meshes) in self.changed_areas.chunks_exact(self.columns).enumerate() {
            let top = row as i32 * GRID_PX;
            let mut column = 0;
            for run in meshes.chunk_by(|a, b| a == b) {
                let [left, right] = [column, column + run.len()].map(|c| c as i32 * GRID_PX);
                column += run.len();
                if !run[0] {
                    continue;
                }
                let fits = |a: &&mut Area| (a.left, a.right, a.bottom) == (left, right, top);
                match areas.iter_mut().rev().find(fits) {
                    Some(above) => above.bottom = top + GRID_PX,
                    None => areas.push(Area { left, top, right, bottom: top + GRID_PX }),
                }
            }
        }
        areas.into_iter().filter_map(|area| area.intersection(self.canvas)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::{Rgb, Stamp, Theme, ink, pt, tint};

    static THEME: Theme = Theme {
        name: "t",
        family: "film",
        sides: &[],
        colours: &[("ground", Rgb(10, 20, 30)), ("dot", Rgb(250, 200, 0)), ("ring", Rgb(0, 100, 200))],
    };

    fn dot() -> Stamp {
        Stamp::new("film/dot", (9.0, 9.0), || vec![Shape::circle(pt(0.0, 0.0), 9.0).fill(ink("dot"))])
    }

    fn veil() -> Stamp {
        let art = || vec![Shape::rect(pt(-20.0, -20.0), 40.0, 40.0, 0.0).fill(tint("ring", 0.5))];
        Stamp::new("film/veil", (20.0, 20.0), art)
    }

    fn scene(items: &[(&Stamp, f32, f32)], line: Option<f32>) -> Scene {
        let mut scene = Scene::new(200.0, 160.0, &THEME, "ground");
        items.iter().for_each(|(stamp, x, y)| scene.stamp((*stamp).clone(), pt(*x, *y)));
        let stroke = |y| Shape::line(pt(5.0, y), pt(190.0, y + 40.0)).stroke(ink("ring"), 4.0);
        line.into_iter().for_each(|y| scene.shape(stroke(y)));
        scene
    }

    /// The colours of a canvas: two palettes may number them differently.
    fn seen(canvas: &Canvas) -> Vec<Rgb> {
        canvas.lines().iter().map(|index| canvas.colours()[usize::from(*index)]).collect()
    }

    #[test]
    fn incremental_frames_equal_full_redraws() {
        let (dot, veil) = (&dot(), &veil());
        let scenes = [
            scene(&[(dot, 50.0, 50.0), (veil, 60.0, 60.0)], None),
            // The same two in the other order: now the dot is on top.
            scene(&[(veil, 60.0, 60.0), (dot, 50.0, 50.0)], Some(30.0)),
            scene(&[(dot, 120.0, 40.0), (veil, 60.0, 60.0), (dot, 50.0, 50.0)], Some(30.0)),
            scene(&[(dot, 120.0, 40.0)], Some(90.0)),
            scene(&[], None),
            scene(&[(veil, 60.0, 60.0)], None),
        ];
        let painter = Painter::new();
        let mut film = FrameDrawer::new(&painter, &scenes[0], 200);
        for (n, scene) in scenes.into_iter().enumerate() {
            let mut alone = FrameDrawer::new(&painter, &scene, 200);
            let _ = alone.show(scene.clone(), &mut Vec::new());
            let _ = film.show(scene, &mut Vec::new());
            let (film, alone) = (seen(film.canvas()), seen(alone.canvas()));
            let worst = film.iter().zip(&alone).map(|(a, b)| a.0.abs_diff(b.0).max(a.2.abs_diff(b.2))).max();
            assert!(worst < Some(24), "scene {n}: {worst:?}");
        }
    }

    #[test]
    fn only_where_something_differs_is_drawn() {
        let painter = Painter::new();
        let first = scene(&[(&dot(), 40.0, 56.0), (&dot(), 104.0, 56.0)], None);
        let mut film = FrameDrawer::new(&painter, &first, 200);
        let mut before = Vec::new();
        assert!(!film.show(first.clone(), &mut before).is_empty());
        assert_eq!(film.show(first, &mut before), [], "the same again");
        // A dot of 18 in the middle of a cell of 16 touches nine cells; half of it is at the edge.
        let next = scene(&[(&dot(), 40.0, 56.0), (&dot(), 200.0, 120.0)], None);
        let areas = film.show(next, &mut before);
        let (was, is): (Vec<_>, Vec<_>) = areas.into_iter().partition(|area| area.left < 150);
        let bounds = |areas: Vec<Area>| areas.into_iter().reduce(Area::union);
        assert_eq!(bounds(was), Some(Area { left: 80, top: 32, right: 128, bottom: 80 }));
        assert_eq!(bounds(is), Some(Area { left: 176, top: 96, right: 200, bottom: 144 }));
    }

    #[test]
    fn a_slanted_line_leaves_most_of_its_bounds_alone() {
        let painter = Painter::new();
        let mut film = FrameDrawer::new(&painter, &scene(&[], None), 200);
        let areas = film.show(scene(&[], Some(60.0)), &mut Vec::new());
        let drawn: u32 = areas.iter().map(|area| area.width() * area.height()).sum();
        assert!(drawn < 192 * 48 * 2 / 3, "{areas:?}");
        let overlap = |(n, a): (usize, &Area)| areas[n + 1..].iter().any(|b| a.intersection(*b).is_some());
        assert!(!areas.iter().enumerate().any(overlap), "{areas:?}");
    }
}
