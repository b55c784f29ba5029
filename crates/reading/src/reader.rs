//! The steps from a picture to a position.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use image::RgbImage;
use rayon::prelude::*;
use rookery_core::scene::{DrawOptions, Style};
use rookery_core::{Cell, Play, Seat};
use rookery_transforms::shrunk_rgb;

use crate::align::{Alignment, Freedom, Place};
use crate::compare::{as_far_as_shown, faint_preference, telling_pixels, whole_preference};
use crate::content::{Content, FigureGame, content_of, likely_contents, with_content};
use crate::decide::{Decision, decide};
use crate::figures;
use crate::kind::BOARDS;
use crate::look::Look;
use crate::palette::{Fit, Palette, SampledPixels};
use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;
use crate::verdict::Verdict;
use crate::{FileReading, MIN_SIDE, ReadError, Reading, sheet, unpack};
use cache::{LookKey, ReaderCache};
use candidate::{Attempts, Candidate, Misfits};
use drawing::{SearchRegion, Sizes, best, likely};
use outlines::Outlines;

mod cache;
mod candidate;
mod drawing;
mod larger;
mod outlines;
mod photograph;
mod photograph_candidate;
mod tilt;
mod views;

/// A picture that is larger is shrunk, so that its planes take at most 80 MiB.
const LARGEST: u32 = 2_200;
/// The styles whose boards are looked for. A plain board is read as a full one whose points and last move are missing.
const STYLES: [Style; 2] = [Style::Full, Style::Large];
/// A board with unclear cells is given up for another one only if that one differs from its mean by at most this much more.
const RIVAL: f32 = 50.0;
/// The most boards whose cells are read.
const MAX_READ: usize = 3;
/// Boards that differ more from their drawings were not drawn here, or are somewhere else.
const MAX_MISFITS_DRAWN: Misfits = Misfits { cells: 120.0, edge: 320.0 };
/// A board whose cells differ less from their drawing is there, and what is around it may differ more: a page shows letters and numbers
/// in the browser's own font. Where they are white on black, they differ by up to 580, and by 930 if strokes are two pixels wider.
const SAME_CELLS: f32 = 10.0;
const MAX_EDGE_OF_SAME: f32 = 1_500.0;
/// A board that differs less from its drawing than this may be there in other light.
const SIMILAR: f32 = 500.0;
/// A board whose cells, in small, differ more from what may be drawn there isn't read. Those that are there differ by up to 610, which
/// is more than in the end, as their place isn't exact yet: in `read_spoiled wide 96000 40` of four games, photographs among them.
const MAX_ROUGH_MISFIT: f32 = 950.0;
/// How the place of such a board is made exact.
const PROJECTIVE: Alignment = Alignment { freedom: Freedom::Projective, blur: 1, step: 2, most: 12 };
/// A board that differs less just outside its cells is certain if its cells are.
const CERTAIN_EDGE: f32 = 220.0;
/// What a difference just outside the cells counts against one in the cells. Each unclear cell adds one.
const EDGE_COUNTS: f32 = 0.1;
/// The share of their width by which the outer cells of a certain board may be cut off.
const MAX_CUT_OFF_SHARE: f32 = 0.6;
/// The most pairs of cells for which is tried whether something else on one of them permits something else on the other.
const MAX_PAIRS_TRIED: usize = 60;
/// The least preference for one orientation over the other.
const ORIENTED: f32 = 0.3;
/// A board is without letters and numbers if at most this share of them is in the picture.
const MAX_LETTERS: f32 = 0.1;

/// Whether a board is read once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retry {
    No,
    /// Its pieces look more as they are drawn with patterns.
    WithPatterns,
}

/// Reads pictures. Cheap to clone; clones share what they keep.
#[derive(Clone, Default)]
pub struct Reader {
    cache: Arc<ReaderCache>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

impl Reader {
    /// A reader that keeps nothing yet.
    #[must_use]
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Reads the picture in a file, with [`unpack()`] and [`Reader::read`].
    ///
    /// # Errors
    /// [`ReadError`]. A JPEG that was cut off is read if enough of it is left.
    pub fn read_file(&self, bytes: &[u8]) -> Result<FileReading, ReadError> {
        let file = unpack(bytes)?;
        let reading = self.read(&file.image).map_err(|why| match why {
            ReadError::NoBoard | ReadError::Unclear if !file.is_whole => ReadError::Broken,
            why => why,
        })?;
        Ok(FileReading { reading, frames: file.frames })
    }

    /// Reads a picture, on all processors: most drawings in a tenth of a second on two, nearly all in one. The first in a theme,
    /// photographs, and pictures that are refused take up to some seconds.
    ///
    /// # Errors
    /// [`ReadError::TooSmall`], [`ReadError::NoBoard`] and [`ReadError::Unclear`].
    pub fn read(&self, image: &RgbImage) -> Result<Reading, ReadError> {
        let mut reading = self.read_as_it_looks(image)?;
        if let Some(turned) = &mut reading.turned {
            self.split_unclear_cells(turned);
        }
        self.split_unclear_cells(&mut reading);
        Ok(reading)
    }

    /// Splits the unclear cells of a reading into those that may hold something else by themselves, and those that may only together
    /// with another one.
    fn split_unclear_cells(&self, reading: &mut Reading) {
        (reading.unclear, reading.dependent) =
            self.open_and_dependent(reading.play.as_ref(), &reading.unclear);
    }

    /// Those of some cells that may hold something else, and those that only may with something else on one of these.
    fn open_and_dependent(&self, play: &dyn Play, cells: &[Cell]) -> (Vec<Cell>, Vec<Cell>) {
        let is_open = |play: &dyn Play, cell| self.choices(play, cell).len() > 1;
        let opens = |cell: Cell, other: Cell| {
            let others = self.choices(play, other);
            let mut positions = others.iter().filter_map(|content| with_content(play, other, content));
            positions.any(|after| is_open(after.as_ref(), cell))
        };
        let (open, settled): (Vec<Cell>, Vec<Cell>) = cells.iter().partition(|cell| is_open(play, **cell));
        // Of very many, all are taken for such ones: to try everything takes too long.
        let is_much = open.len() * settled.len() > MAX_PAIRS_TRIED;
        let depends = |cell: &Cell| is_much || open.iter().any(|other| opens(*cell, *other));
        let dependent = settled.into_iter().filter(depends).collect();
        (open, dependent)
    }

    fn read_as_it_looks(&self, image: &RgbImage) -> Result<Reading, ReadError> {
        if image.width().min(image.height()) < MIN_SIDE {
            return Err(ReadError::TooSmall);
        }
        let image = &*shrunk(image).ok_or(ReadError::NoBoard)?;
        let palettes = self.cache.palettes();
        let pixels = SampledPixels::of(image);
        let (picture, likely) =
            rayon::join(|| Pyramid::new(Colours::of(image)), || likely(&palettes, &pixels));
        let is_drawn = pixels.are_drawn() || Self::is_small(&picture);
        let outlines = Outlines::new(&picture);
        let mut attempts = self.read_outlined(&outlines, &likely, &picture, is_drawn);
        if attempts.settled.is_some() {
            return attempts.best();
        }
        if let Some(reading) = sheet::read(image) {
            return reading;
        }
        let mut similar = std::mem::take(&mut attempts.similar);
        let mut why = ReadError::NoBoard;
        // A board that isn't where the edges of a drawing are takes long to find, and even longer not to find.
        if !is_drawn {
            match self.read_photograph(std::mem::take(&mut similar), &outlines, &picture) {
                Ok(reading) => return Ok(reading),
                Err(error) => why = error,
            }
        }
        let attempts = self.read_drawing(likely, &picture);
        if attempts.best.is_some() {
            return attempts.best();
        }
        similar.extend(attempts.similar);
        let read = if is_drawn {
            self.read_photograph(similar, &outlines, &picture)
        } else {
            self.read_similar(similar, &picture)
        };
        read.map_err(|error| why.or(error))
    }

    /// Looks for boards in the colours of some themes, wherever they are in a picture, and reads those that fit best.
    fn read_drawing(&self, likely: Vec<(&Palette, Fit)>, picture: &Pyramid) -> Attempts {
        let mut attempts = Attempts::new(Vec::new(), MAX_MISFITS_DRAWN);
        let mut regions: Vec<(&Palette, SearchRegion<'_>)> = Vec::with_capacity(likely.len());
        for sizes in Sizes::ALL {
            for (n, (palette, fit)) in likely.iter().enumerate() {
                if regions.len() == n {
                    regions.push((palette, SearchRegion::of(picture, *fit, &self.cache)));
                }
                self.search_region(&regions[n].1, palette, sizes, picture, &mut attempts);
                if attempts.settled.is_some() {
                    self.read_likeliest(&mut attempts, MAX_READ, picture);
                    return attempts;
                }
            }
        }
        attempts.sort();
        if let Some(first) = attempts.left.first() {
            attempts.left.extend(self.in_other_styles(first, picture));
        }
        self.read_likeliest(&mut attempts, MAX_READ, picture);
        attempts
    }

    /// Looks for boards of some sizes in a region of a picture, and reads those that fit well.
    fn search_region(
        &self,
        region: &SearchRegion<'_>,
        palette: &Palette,
        sizes: Sizes,
        picture: &Pyramid,
        attempts: &mut Attempts,
    ) {
        let by_style = STYLES.into_par_iter().map(|style| self.search(region, palette, style, sizes));
        let by_style = by_style.map(|found| best(found, picture));
        attempts.left.extend(by_style.collect::<Vec<_>>().into_iter().flatten());
        // A board may be likely in both styles. One that hardly fits may be there if most of it has changed since the start; to
        // read it takes less time than to look for boards in other colours.
        for _ in STYLES {
            attempts.sort();
            if attempts.left.first().is_some_and(|found| found.is_good() || sizes == Sizes::Others) {
                self.read_likeliest(attempts, 1, picture);
            }
        }
    }

    /// Reads the board whose whole drawing is in a picture, if one is there for sure. In a picture that isn't drawn,
    /// boards aren't read before their light is known.
    fn read_outlined(
        &self,
        outlines: &Outlines<'_>,
        likely: &[(&Palette, Fit)],
        picture: &Pyramid,
        is_drawn: bool,
    ) -> Attempts {
        let mut attempts = Attempts::new(Vec::new(), MAX_MISFITS_DRAWN);
        for (palette, _) in likely {
            attempts.left.extend(self.search_outlined(outlines, palette, picture));
            attempts.left.retain(Candidate::is_likely_in_outline);
            if !is_drawn {
                attempts.similar.append(&mut attempts.left);
                continue;
            }
            self.read_likeliest(&mut attempts, MAX_READ, picture);
            if attempts.settled.is_some() {
                break;
            }
        }
        attempts
    }

    /// Reads some of the likeliest boards, until no other one can be there.
    fn read_likeliest(&self, attempts: &mut Attempts, most: usize, picture: &Pyramid) {
        attempts.sort();
        let mut left: VecDeque<Candidate> = std::mem::take(&mut attempts.left).into();
        let mut count = 0;
        while count < most
            && let Some(found) = left.pop_front()
            && attempts.settled.is_none_or(|most| found.excess() < most)
        {
            if attempts.tried.contains(&found.key) {
                continue;
            }
            attempts.tried.push(found.key);
            count += 1;
            if self.attempt(&found, attempts, picture) == Retry::WithPatterns {
                let key = LookKey { patterns: true, ..found.key };
                self.attempt(&Candidate { key, ..found }, attempts, picture);
            }
        }
        attempts.left = left.into();
    }

    /// Reads a board, and adds to `attempts` what was read. Says whether its pieces seem to have patterns that were not expected.
    fn attempt(&self, found: &Candidate, attempts: &mut Attempts, picture: &Pyramid) -> Retry {
        let Some((look, verdict)) = self.verdict(found, picture) else { return Retry::No };
        let edge = self.edge_misfit(found.key, &look, &verdict, picture);
        let retry = || match !found.key.patterns && self.has_patterns(&look, &verdict) {
            true => Retry::WithPatterns,
            false => Retry::No,
        };
        let most_edge = if verdict.misfit < SAME_CELLS { MAX_EDGE_OF_SAME } else { attempts.most.edge };
        if verdict.misfit > attempts.most.cells || edge > most_edge {
            if verdict.misfit < SIMILAR {
                attempts.similar.extend(self.where_read(found, &verdict));
            }
            return if verdict.misfit < SIMILAR && edge <= most_edge { retry() } else { Retry::No };
        }
        if edge >= CERTAIN_EDGE && self.is_part_of_larger(found.key, &look, &verdict.projection, picture) {
            return Retry::No;
        }
        // A photograph may be blurred, but then most of its cells are clear, unless the pieces have patterns. What isn't a position of
        // the game may be one in another theme.
        let is_blurred = verdict.misfit > MAX_MISFITS_DRAWN.cells && !verdict.is_mostly_clear();
        if is_blurred || verdict.is_mended && edge >= CERTAIN_EDGE {
            return retry();
        }
        let retry = retry();
        let is_same = verdict.misfit < SAME_CELLS && verdict.unclear.is_empty();
        let is_certain = verdict.is_certain() && (edge < CERTAIN_EDGE || is_same);
        let slack = if is_certain { MAX_CUT_OFF_SHARE } else { 0.2 };
        if !look.geometry.is_inside(&verdict.projection, picture.size(), slack) {
            return Retry::No;
        }
        if is_certain {
            attempts.settled = Some(f32::MIN);
        } else if verdict.is_settled() && edge < CERTAIN_EDGE {
            attempts.settled.get_or_insert(found.excess() + RIVAL);
        }
        let misfit = verdict.misfit + edge * EDGE_COUNTS + verdict.unclear.len() as f32;
        if is_certain || attempts.best.as_ref().is_none_or(|(least, _)| misfit < *least) {
            attempts.best = Some((misfit, verdict.reading(found.key.theme)));
        }
        retry
    }

    /// Whether a board is there for sure and none of its cells is unclear.
    fn is_wholly_clear(&self, key: LookKey, look: &Look, verdict: &Verdict, picture: &Pyramid) -> bool {
        (verdict.is_certain() || verdict.is_settled() && verdict.unclear.is_empty())
            && look.geometry.is_inside(&verdict.projection, picture.size(), MAX_CUT_OFF_SHARE)
            && self.edge_misfit(key, look, verdict, picture) < CERTAIN_EDGE
    }

    /// A board where it was read. The place is that of its own look: seen by the other side, the same cells are numbered from the
    /// other end.
    fn where_read(&self, found: &Candidate, verdict: &Verdict) -> Option<Candidate> {
        let own = self.cache.look(found.key)?;
        let projection = found.mean.geometry.over(&own.geometry, &verdict.projection);
        Some(Candidate { place: Place { projection, ..found.place }, ..found.clone() })
    }

    /// Whether unclear pieces look more as they are drawn with patterns.
    fn has_patterns(&self, look: &Look, verdict: &Verdict) -> bool {
        let drawn = |patterns| {
            let options = DrawOptions { patterns, ..look.options.clone() };
            look.drawn_with(&options, verdict.play.as_ref(), &self.cache.painter).blurred(1)
        };
        !verdict.unclear.is_empty() && whole_preference(&verdict.flat, &drawn(false), &drawn(true)) < 0.0
    }

    /// How much the picture differs from the drawing of what was read, just outside the cells, in the style where it does least.
    /// A smaller board within a larger one differs there.
    fn edge_misfit(&self, key: LookKey, look: &Look, verdict: &Verdict, picture: &Pyramid) -> f32 {
        let misfit = |look: &Look, flat: &Colours, projection: Projection| {
            let drawn = look.drawn(verdict.play.as_ref(), &self.cache.painter).blurred(1);
            look.edge_misfit(flat, &drawn, |x, y| picture.shows(projection.at(x, y)))
        };
        let least = misfit(look, &verdict.flat, verdict.projection);
        if least < CERTAIN_EDGE || key.style != Style::Full {
            return least;
        }
        let plain = self.cache.look(LookKey { style: Style::Plain, side: look.options.side, ..key });
        plain.map_or(least, |plain| {
            let projection = plain.geometry.over(&look.geometry, &verdict.projection);
            least.min(misfit(&plain, &plain.flattened(picture, &projection).blurred(1), projection))
        })
    }

    fn verdict(&self, found: &Candidate, picture: &Pyramid) -> Option<(Arc<Look>, Verdict)> {
        match FigureGame::named(found.key.game()) {
            Some(game) => self.read_figures(game, found, picture),
            None => self.decide(found, picture),
        }
    }

    /// What a cell of a position may hold: what it holds first, then what else the game permits there; in Penguin Soccer and
    /// Amoeba only what that may be mistaken for, the likeliest first. Nothing if pictures of the game aren't read.
    #[must_use]
    pub fn choices(&self, play: &dyn Play, cell: Cell) -> Vec<Content> {
        if let Some(likely) = likely_contents(play, cell) {
            return likely;
        }
        let known = BOARDS.iter().position(|board| board.game == play.info().key);
        let Some(kind) = known.and_then(|board| self.cache.kind(board)) else { return Vec::new() };
        let read = content_of(play, cell);
        let others = kind.all_contents().into_iter().filter(|content| *content != read);
        let possible: Vec<Content> =
            others.filter(|content| with_content(play, cell, content).is_some()).collect();
        std::iter::once(read).chain(possible).collect()
    }

    /// Reads a board whose pieces cover more than their cell.
    fn read_figures(
        &self,
        game: FigureGame,
        found: &Candidate,
        picture: &Pyramid,
    ) -> Option<(Arc<Look>, Verdict)> {
        let sides = Seat::all(BOARDS[found.key.board].most_players()).map(|side| {
            let key = LookKey { side, ..found.key };
            Some((self.cache.look(key)?, self.cache.sprites(key)))
        });
        let sides = sides.collect::<Option<Vec<figures::Side>>>()?;
        let look = self.cache.look(found.key)?;
        let place = look.geometry.over(&found.mean.geometry, &found.place.projection);
        let (side, verdict) = figures::read(game, &sides, picture, place, &self.cache.painter)?;
        Some((sides[side].0.clone(), verdict))
    }

    /// Whether most cells look like what may be there; otherwise the board needn't be read, which takes long.
    fn is_likely(found: &Candidate, picture: &Pyramid) -> bool {
        let Candidate { mean, place, .. } = found;
        let is_there = |place: &Projection| mean.cells_misfit(picture, place) < MAX_ROUGH_MISFIT;
        // The place may be inexact, as the board's mean has no perspective. It is only tried here: begun at the exact one, reading
        // leaves more cells unclear.
        is_there(&place.projection)
            || is_there(&mean.aligned(place.projection, picture, PROJECTIVE).projection)
    }

    /// Reads the board as each side sees it, if the cells have the same places. `None` if neither explains its letters and numbers
    /// better than the other: then another board is there. If these are beyond the picture, the verdict has both ends.
    fn decide(&self, found: &Candidate, picture: &Pyramid) -> Option<(Arc<Look>, Verdict)> {
        let painter = &self.cache.painter;
        if !Self::is_likely(found, picture) {
            return None;
        }
        let kind = self.cache.kind(found.key.board)?;
        let look = self.cache.look(found.key)?;
        let place = look.geometry.over(&found.mean.geometry, &found.place.projection);
        let decision = decide(kind, &look, picture, place, painter)?;
        let other = if kind.sides().len() > 1 { None } else { decision.turned() };
        let decision = decision.with_shown_turn(&look, picture, painter);
        let with_points =
            |decision: Decision, look: &Look| decision.with_shown_points(look, picture, painter);
        let read = |look: Arc<Look>, decision: Decision| {
            let verdict = Verdict::from(with_points(decision, &look));
            (look, verdict)
        };
        // The same cells are read, from the other end.
        let Some(other) = other else { return Some(read(look, decision)) };
        let turned = self.cache.look(LookKey { side: Seat::SECOND, ..found.key })?;
        let other = other.with_shown_turn(&turned, picture, painter);
        let drawn = |decision: &Decision, look: &Look| {
            let play = decision.alike_from_both_ends();
            look.drawn(play.as_ref(), painter).blurred(1)
        };
        let (here, there) = rayon::join(|| drawn(&decision, &look), || drawn(&other, &turned));
        let all = telling_pixels(&here, &there);
        let there = as_far_as_shown(there, &here, picture, &decision.place.projection);
        // Both differ in their letters and numbers alone.
        match faint_preference(&decision.flat, &here, &there) {
            ORIENTED.. => Some(read(look, decision)),
            preference if preference <= -ORIENTED => Some(read(turned, other)),
            _ => {
                let is_without_letters = telling_pixels(&here, &there) as f32 <= all as f32 * MAX_LETTERS;
                is_without_letters.then(|| {
                    let decision = with_points(decision, &look);
                    let other = with_points(other, &turned);
                    (look, decision.or_turned(other))
                })
            }
        }
    }
}

/// A picture, in the size of the largest one if it is larger. `None` if the resizer refuses it, which it doesn't with pictures of
/// this kind.
fn shrunk(image: &RgbImage) -> Option<Cow<'_, RgbImage>> {
    let from = [image.width(), image.height()];
    let by = LARGEST as f32 / from[0].max(from[1]) as f32;
    if by >= 1.0 {
        return Some(Cow::Borrowed(image));
    }
    let to = from.map(|side| ((side as f32 * by) as u32).max(1));
    RgbImage::from_raw(to[0], to[1], shrunk_rgb(image.as_raw(), from, to)?).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_seen_from_the_second_seat_is_compared_with_its_own_drawing() {
        let reader = Reader::new();
        let theme = "night";
        let key = |side| LookKey { board: soccer(), theme, style: Style::Full, patterns: false, side };
        let [look, other] =
            [Seat::FIRST, Seat::SECOND].map(|side| reader.cache.look(key(side)).expect("a look"));
        let kind = reader.cache.kind(soccer()).expect("a kind of board");
        let picture = Pyramid::new(other.drawn(kind.starts()[0].as_ref(), &reader.cache.painter));
        let mean = reader.cache.mean(key(Seat::FIRST)).expect("a mean");
        let projection = mean.geometry.over(&look.geometry, &Projection::similar(1.0, 0.0, 0.0, 0.0));
        let place = Place { projection, misfit: mean.misfit(&picture, &projection, 1) };
        let found = Candidate { key: key(Seat::FIRST), mean, place };
        let (own, verdict) = reader.verdict(&found, &picture).expect("the board is there");
        assert_eq!(own.options.side, Seat::SECOND);
        let misfit = |look: &Look| reader.edge_misfit(found.key, look, &verdict, &picture);
        assert!(misfit(&own) < misfit(&look) / 4.0, "{} {}", misfit(&own), misfit(&look));
    }

    fn soccer() -> usize {
        BOARDS.iter().position(|board| board.game == "penguin_soccer").expect("the game")
    }
}
