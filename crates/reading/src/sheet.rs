//! Sheets of Paper Pen-guins that people print, fill in by hand, and photograph or scan.
//!
//! The main path is [`read`]: the squares in the corners say where a sheet may be (`corners`), and its title which end is up
//! (`page`); the picture is flattened and freed of shadows (`flat`); the printed lines say how large the board is (`size`), and
//! an alignment with the drawing makes the place exact. Then each cell is read: its printed number (`digits`), and how likely it
//! is that each mark is drawn on it by hand (`mark`): a closed line (`ring`) or two strokes (`cross`). As both sides have as many
//! pieces, the marks of all cells are chosen together (`joint`).

mod cells;
mod corners;
mod cross;
mod digits;
mod flat;
mod joint;
mod mark;
mod page;
mod patch;
mod position;
mod ring;
mod size;

use image::RgbImage;
use rookery_core::Cell;

use crate::align::{Alignment, Freedom, aligned};
use crate::plane::{Colours, Plane, Pyramid};
use crate::projection::Projection;
use crate::{ReadError, Reading};
use flat::{Brightness, Ink, UNITS, pixels_per_unit};
use page::{Drawing, Grid, PAGE, Title};

/// A picture shows a sheet if its title is at least this much like the printed one, and more by this than elsewhere.
const TITLED: f32 = 0.45;
const TITLE_LEAD: f32 = 0.2;
/// The middle of the title, and how far from it another sheet's title is at least, in units.
const TITLE: (f32, f32) = (300.0, 78.0);
const ELSEWHERE: f32 = 100.0;
/// Strokes of letters and lines are at most twice as wide as this, in pixels of the flat picture.
const THIN: usize = 6;
/// The width of the widest printed stroke in a cell, as a share of its side: where the strokes of a digit meet.
const THICK: f32 = 0.13;
/// Sheets with fewer pixels per unit are too small to be read.
const MIN_PIXELS: f32 = 0.35;
/// The largest share of cells that may be unclear, and how many may be on a small board. Where more are, the strokes are so faint
/// that others were not seen at all.
const MAX_UNCLEAR: (f32, usize) = (0.15, 4);

/// Reads a sheet; `None` if the picture shows none. `image` has at most some millions of pixels.
pub(crate) fn read(image: &RgbImage) -> Option<Result<Reading, ReadError>> {
    let places = corners::sheets(image);
    if places.is_empty() {
        return None;
    }
    let picture = Brightness::of(image);
    let place = titled(&places, &picture)?;
    Some(place.and_then(|place| read_at(&picture, &place).ok_or(ReadError::NoBoard)))
}

/// The place at which the picture has the title of a sheet; `None` if there is none.
///
/// # Errors
/// [`ReadError::NoBoard`] if there are several sheets.
fn titled(places: &[Projection], picture: &Brightness) -> Option<Result<Projection, ReadError>> {
    let title = Title::get()?;
    let likeness = |place: &Projection| {
        let apart = pixels_per_unit(place, TITLE) * UNITS;
        title.likeness(|x, y| picture.at(place.at(x, y), apart))
    };
    let mut found: Vec<(f32, Projection)> = places.iter().map(|place| (likeness(place), *place)).collect();
    found.retain(|(likeness, _)| *likeness >= TITLED);
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (best, place) = *found.first()?;
    // One sheet may be found several times, if there is another square near one of its corners.
    let at = |place: &Projection| place.at(TITLE.0, TITLE.1);
    let is_other = |other: &Projection| {
        let ((x, y), (u, v)) = (at(&place), at(other));
        (x - u).hypot(y - v) > ELSEWHERE * pixels_per_unit(&place, TITLE)
    };
    let is_alone = found.iter().all(|(likeness, other)| *likeness < best - TITLE_LEAD || !is_other(other));
    Some(if is_alone { Ok(place) } else { Err(ReadError::NoBoard) })
}

/// Reads the sheet at a place; `None` if it is not whole or not legible.
fn read_at(picture: &Brightness, place: &Projection) -> Option<Reading> {
    let middle = (PAGE.0 / 2.0, PAGE.1 / 2.0);
    let sharpness = pixels_per_unit(place, middle);
    if !is_inside(picture, place) || sharpness < MIN_PIXELS {
        return None;
    }
    let (width, height) = ((PAGE.0 / UNITS) as usize, (PAGE.1 / UNITS) as usize);
    let rough = Ink::of(&picture.flattened(place, width, height), sharpness, THIN);
    let grid = size::grid(&rough)?;
    let drawing = grid.drawing()?;
    let place = place.after(&exact(&grid, &drawing, &rough));
    let reach = ((THICK * grid.cell / UNITS / 2.0) as usize + 2).max(THIN);
    let ink = Ink::of(&picture.flattened(&place, width, height), sharpness, reach);
    let cells = cells::read(&grid, &drawing, &ink)?;
    let unclear: Vec<Cell> = cells.iter().filter(|cell| !cell.is_clear).map(|cell| cell.cell).collect();
    if unclear.len() > MAX_UNCLEAR.1.max((MAX_UNCLEAR.0 * cells.len() as f32) as usize) {
        return None;
    }
    let play = position::play(grid.board(), &cells)?;
    Some(Reading {
        play,
        is_turn_shown: false,
        are_points_shown: false,
        theme: drawing.theme,
        unclear,
        dependent: Vec::new(),
        turned: None,
    })
}

/// Whether the whole sheet is in the picture, but for a margin that printers leave.
fn is_inside(picture: &Brightness, place: &Projection) -> bool {
    const MARGIN: f32 = 30.0;
    let (width, height) = picture.size();
    let (right, bottom) = (PAGE.0 - MARGIN, PAGE.1 - MARGIN);
    let corners = [(MARGIN, MARGIN), (right, MARGIN), (MARGIN, bottom), (right, bottom)];
    let mut seen = corners.into_iter().map(|(x, y)| place.at(x, y));
    seen.all(|(x, y)| x >= 0.0 && y >= 0.0 && x <= width && y <= height)
}

/// A small projection from units to units, after which the print of the whole sheet is where it belongs; so far only the
/// corners are.
fn exact(grid: &Grid, drawing: &Drawing, ink: &Ink) -> [f32; 9] {
    let mut seen = Colours::zero(ink.plane.width, ink.plane.height);
    let values = seen.planes[0].values.iter_mut().zip(&ink.plane.values);
    values.for_each(|(value, ink)| *value = 255.0 * (1.0 - ink.clamp(0.0, 1.0)));
    let seen = Pyramid::new(seen);
    let weights: Plane = drawing.weights(grid);
    let mut place = Projection::similar(1.0, 0.0, 0.0, 0.0);
    for blur in [3, 1] {
        let how = Alignment { freedom: Freedom::Projective, blur, step: 3, most: 12 };
        place = aligned(place, &seen, &drawing.colours.planes[0], Some(&weights), how).projection;
    }
    let m = place.0;
    // From pixels of the flat picture to units.
    [m[0], m[1], m[2] * UNITS, m[3], m[4], m[5] * UNITS, m[6] / UNITS, m[7] / UNITS, 1.0]
}
