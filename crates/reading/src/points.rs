//! The points of the players, and the tiles that they took, as far as a picture shows these numbers beside the board.

use rayon::prelude::*;
use rookery_core::scene::{Item, Point, Scene, Style};
use rookery_core::{Play, PositionEdit, Seat};
use rookery_render::Painter;

use crate::compare::{telling, unexplained_share, whole_preference};
use crate::content::{Content, contents};
use crate::kind::owner;
use crate::look::Look;
use crate::palette::Area;
use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;

/// The most points of a tile or a cell.
const MAX_OF_TILE: u16 = 3;
/// The least preference for a number over another one, and the largest share of what tells them apart that isn't as drawn. Digits of
/// small boards differ in few pixels, so these are less than what a cell needs. In `read_spoiled 60000 334` of the three games with
/// points nothing was read wrongly.
const MIN_PREFERENCE: f32 = 0.25;
const MAX_UNEXPLAINED: f32 = 0.45;
/// At least the numbers up to this are compared, so that a picture without numbers fits none of them.
const MIN_COMPARED: u16 = 9;

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
    if look.options.style != Style::Full {
        return None;
    }
    // Tiles that are gone, and those below pieces, which may count already.
    let is_taken = |content: &Content| content.is_empty() || owner(play, content).is_some();
    let taken = contents(play).iter().filter(|content| is_taken(content)).count() as u16;
    let points = (Counted::Points, MAX_OF_TILE * taken);
    let counted = std::iter::once(points).chain(has_tiles.then_some((Counted::Tiles, taken)));
    let counted: Vec<(Counted, u16)> = counted.collect();
    let all: Vec<(Seat, (Counted, u16))> = Seat::all(play.seats())
        .flat_map(|seat| counted.iter().map(move |counted| (seat, *counted)))
        .collect();
    let numbers = all.into_par_iter().map(|(seat, (counted, most))| {
        let scene = |count: u16| {
            let edited = play.edited(&SeatNumber { seat, counted, count }.edit()).ok()?;
            Some(edited.scene(&look.options))
        };
        let stamp = differing(&scene(0)?, &scene(MIN_COMPARED)?)?;
        let area = stamp.area(look.geometry.unit, look.size)?;
        let drawn = |count: u16| {
            let mut scene = scene(count)?;
            scene.items.retain(|item| stamp.touches(item));
            Some((count, Colours::drawn_part(&look.picture(&scene, painter), area)))
        };
        let drawings = (0..=most.max(MIN_COMPARED)).into_par_iter().filter_map(drawn);
        let numbers = Numbers::new(drawings.collect(), area)?;
        if !numbers.are_shown(picture, projection) {
            return None;
        }
        let seen = flat.cut(area);
        let (count, drawing) = numbers.clearest(&seen)?;
        // A longer number begins alike.
        let longer = (0..=9).filter_map(|digit| drawn(count.checked_mul(10)?.checked_add(digit)?));
        let mut longer = longer.filter(|(longer, _)| *longer != count);
        let is_whole = longer.all(|(_, longer)| is_clear(&seen, drawing, &longer));
        is_whole.then_some(SeatNumber { seat, counted, count })
    });
    numbers.collect()
}

/// A box in board units around art that differs between two scenes.
struct Stamped {
    at: Point,
    half: (f32, f32),
}

/// Where a scene has other art than another one; `None` if it has none.
fn differing(one: &Scene, other: &Scene) -> Option<Stamped> {
    one.items.iter().zip(&other.items).find_map(|items| match items {
        (Item::Stamp(a, _), Item::Stamp(b, at)) if a.name != b.name => {
            Some(Stamped { at: *at, half: b.half })
        }
        _ => None,
    })
}

impl Stamped {
    /// The box in pixels of a drawing of this size, `unit` times as large; `None` if it is outside.
    fn area(&self, unit: f32, size: (usize, usize)) -> Option<Area> {
        let range = |at: f32, half: f32, size: usize| {
            let first = ((at - half) * unit).max(0.0) as usize;
            (first, (((at + half) * unit) as usize).min(size).saturating_sub(first))
        };
        let (left, width) = range(self.at.x, self.half.0, size.0);
        let (top, height) = range(self.at.y, self.half.1, size.1);
        (width > 0 && height > 0).then_some(Area { left, top, width, height })
    }

    /// Whether an item may paint within the box.
    fn touches(&self, item: &Item) -> bool {
        let Item::Stamp(stamp, at) = item else { return true };
        (at.x - self.at.x).abs() <= stamp.half.0 + self.half.0
            && (at.y - self.at.y).abs() <= stamp.half.1 + self.half.1
    }
}

/// The drawings of an area with some numbers.
struct Numbers {
    drawings: Vec<(u16, Colours)>,
    /// The part of the picture in which they differ.
    digits: Area,
}

impl Numbers {
    /// `None` if the drawings don't differ.
    fn new(drawings: Vec<(u16, Colours)>, area: Area) -> Option<Numbers> {
        let (_, first) = drawings.first()?;
        let (mut columns, mut rows) = (vec![false; area.width], vec![false; area.height]);
        for (_, other) in &drawings {
            for n in telling(first, other) {
                (columns[n % area.width], rows[n / area.width]) = (true, true);
            }
        }
        let range = |differ: &[bool], from: usize| {
            let first = differ.iter().position(|differs| *differs)?;
            Some((from + first, differ.iter().rposition(|differs| *differs)? + 1 - first))
        };
        let ((left, width), (top, height)) = (range(&columns, area.left)?, range(&rows, area.top)?);
        Some(Numbers { drawings, digits: Area { left, top, width, height } })
    }

    /// Whether all digits are in a picture.
    fn are_shown(&self, picture: &Pyramid, projection: &Projection) -> bool {
        let Area { left, top, width, height } = self.digits;
        let corners = [(left, top), (left + width, top), (left, top + height), (left + width, top + height)];
        corners.into_iter().all(|(x, y)| picture.shows(projection.at(x as f32, y as f32)))
    }

    /// The number whose drawing fits what is seen in the area, if it is clear against each other one.
    fn clearest(&self, seen: &Colours) -> Option<(u16, &Colours)> {
        let misfits = self.drawings.iter().map(|(number, drawing)| (misfit(seen, drawing), number, drawing));
        let (_, best, drawing) = misfits.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let mut others = self.drawings.iter().filter(|(number, _)| number != best);
        others.all(|(_, other)| is_clear(seen, drawing, other)).then_some((*best, drawing))
    }
}

/// Whether a picture is clearly like a drawing and not like another one.
fn is_clear(seen: &Colours, drawing: &Colours, other: &Colours) -> bool {
    telling(drawing, other).next().is_some()
        && whole_preference(seen, drawing, other) >= MIN_PREFERENCE
        && unexplained_share(seen, drawing, other) <= MAX_UNEXPLAINED
}

/// The sum of the squared differences of two pictures.
fn misfit(a: &Colours, b: &Colours) -> f32 {
    let planes = a.planes.iter().zip(&b.planes);
    let values = planes.flat_map(|(a, b)| a.values.iter().zip(&b.values));
    values.map(|(a, b)| (a - b).powi(2)).sum()
}
