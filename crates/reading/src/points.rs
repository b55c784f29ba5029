//! The points of the players, and the tiles that they took, as far as a picture shows these numbers beside the board.

use rayon::prelude::*;
use rookery_core::scene::{Item, Scene};
use rookery_core::{Play, PositionEdit, Seat};
use rookery_render::Painter;

use crate::compare::{telling_pixels, unexplained_share, whole_preference};
use crate::content::{Content, contents};
use crate::kind::owner;
use crate::look::Look;
use crate::palette::Area;
use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;

/// The most points of a tile or a cell.
const MOST_OF_TILE: u16 = 3;
/// The least preference for a number over another one, and the largest share of what tells them apart that isn't as drawn. Digits of
/// small boards differ in few pixels.
const LEAST_PREFERENCE: f32 = 0.25;
const MOST_UNEXPLAINED: f32 = 0.45;
/// The largest number that may be shown, at least: without others there is nothing to compare the first one with.
const LEAST_LAST: u16 = 9;

/// What is counted for each player.
#[derive(Clone, Copy, Debug)]
enum Counted {
    Points,
    Tiles,
}

/// A number beside the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeatNumber {
    seat: Seat,
    counted: Counted,
    pub(crate) count: u16,
}

impl SeatNumber {
    pub(crate) fn with_count(self, count: u16) -> SeatNumber {
        SeatNumber { count, ..self }
    }

    /// How many the same player has in a position; `None` in games without points.
    pub(crate) fn of(&self, play: &dyn Play) -> Option<u16> {
        let score = *play.scores()?.get(self.seat.index())?;
        let count = match self.counted {
            Counted::Points => score.points,
            Counted::Tiles => score.tiles?,
        };
        count.try_into().ok()
    }

    fn edit(self) -> PositionEdit {
        let SeatNumber { seat, counted, count } = self;
        match counted {
            Counted::Points => PositionEdit::Points { seat, points: count },
            Counted::Tiles => PositionEdit::Tiles { seat, tiles: count },
        }
    }
}

/// The position with these numbers, without its last move.
pub(crate) fn with_numbers(play: &dyn Play, numbers: &[SeatNumber]) -> Option<Box<dyn Play>> {
    numbers.iter().try_fold(play.clone_play(), |play, number| play.edited(&number.edit()).ok())
}

/// The numbers of all players that a picture shows; `None` if it doesn't show all of them, or the game has none.
/// `flat` is the picture in the size of the look's drawings, blurred by one pixel, and the projection leads from the drawings to
/// the picture.
pub(crate) fn shown_numbers(
    play: &dyn Play,
    look: &Look,
    (picture, flat, projection): (&Pyramid, &Colours, &Projection),
    painter: &Painter,
) -> Option<Vec<SeatNumber>> {
    let has_tiles = play.scores()?.first()?.tiles.is_some();
    // Tiles that are gone, and those below pieces, which may count already.
    let is_taken = |content: &Content| content.is_empty() || owner(play, content).is_some();
    let taken = contents(play).iter().filter(|content| is_taken(content)).count() as u16;
    let points = (Counted::Points, MOST_OF_TILE * taken);
    let counted = std::iter::once(points).chain(has_tiles.then_some((Counted::Tiles, taken)));
    let counted: Vec<(Counted, u16)> = counted.collect();
    let all: Vec<(Seat, (Counted, u16))> = Seat::all(play.seats())
        .flat_map(|seat| counted.iter().map(move |counted| (seat, *counted)))
        .collect();
    let numbers = all.into_par_iter().map(|(seat, (counted, most))| {
        let with = |count: u16| play.edited(&SeatNumber { seat, counted, count }.edit()).ok();
        let permitted: Vec<u16> = (0..=most.max(LEAST_LAST)).filter(|count| with(*count).is_some()).collect();
        let scene = |count: u16| Some(with(count)?.scene(&look.options));
        let count = match permitted[..] {
            // Before the first move nobody has any.
            [only] => only,
            _ => {
                let (first, last) = (scene(*permitted.first()?)?, scene(*permitted.last()?)?);
                let area = differing(&first, &last, look.geometry.unit, look.size)?;
                let drawn =
                    |count: u16| Some(Colours::drawn_part(&look.picture(&scene(count)?, painter), area));
                let drawings = permitted.par_iter().filter_map(|count| Some((*count, drawn(*count)?)));
                shown_number(&drawings.collect::<Vec<_>>(), area, (picture, flat, projection))?
            }
        };
        Some(SeatNumber { seat, counted, count })
    });
    numbers.collect()
}

/// The number of some that a picture shows, by the drawings of an area.
fn shown_number(
    all: &[(u16, Colours)],
    area: Area,
    (picture, flat, projection): (&Pyramid, &Colours, &Projection),
) -> Option<u16> {
    let Area { left, top, width, height } = area;
    let corners = [(left, top), (left + width, top), (left, top + height), (left + width, top + height)];
    if !corners.into_iter().all(|(x, y)| picture.shows(projection.at(x as f32, y as f32))) {
        return None;
    }
    let seen = flat.cut(area);
    let (best, drawing) = all.iter().min_by(|a, b| misfit(&seen, &a.1).total_cmp(&misfit(&seen, &b.1)))?;
    let is_clear = |other: &Colours| {
        telling_pixels(drawing, other) > 0
            && whole_preference(&seen, drawing, other) >= LEAST_PREFERENCE
            && unexplained_share(&seen, drawing, other) <= MOST_UNEXPLAINED
    };
    all.iter().all(|(number, other)| number == best || is_clear(other)).then_some(*best)
}

/// Where a scene has other art than another one, in pixels of drawings that are `unit` times as large and at most as large as `size`;
/// `None` if it has none.
fn differing(one: &Scene, other: &Scene, unit: f32, size: (usize, usize)) -> Option<Area> {
    let (half, at) = one.items.iter().zip(&other.items).find_map(|items| match items {
        (Item::Stamp(a, _), Item::Stamp(b, at)) if a.name != b.name => Some((b.half, *at)),
        _ => None,
    })?;
    let range = |at: f32, half: f32, size: usize| {
        let first = ((at - half) * unit).max(0.0) as usize;
        (first, (((at + half) * unit) as usize).min(size).saturating_sub(first))
    };
    let ((left, width), (top, height)) = (range(at.x, half.0, size.0), range(at.y, half.1, size.1));
    (width > 0 && height > 0).then_some(Area { left, top, width, height })
}

/// The sum of the squared differences of two pictures.
fn misfit(a: &Colours, b: &Colours) -> f32 {
    let planes = a.planes.iter().zip(&b.planes);
    let values = planes.flat_map(|(a, b)| a.values.iter().zip(&b.values));
    values.map(|(a, b)| (a - b).powi(2)).sum()
}
