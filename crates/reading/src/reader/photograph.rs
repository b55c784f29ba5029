//! Photographs of screens: the board is looked for whatever the light is, and then made as it was drawn.

use std::sync::Arc;

use rayon::prelude::*;
use rookery_core::Seat;
use rookery_core::scene::Style;

use super::Reader;
use super::cache::LookKey;
use super::candidate::{Attempts, Candidate, Misfits};
use super::outlines::Outlines;
use super::photograph_candidate::{OtherPlace, PhotographCandidate, aligned, likeliest};
use super::views::Views;
use crate::align::{Alignment, Freedom, Place};
use crate::kind::BOARDS;
use crate::light::{Correction, Exposure, Known, Pair};
use crate::mean::{Levels, Mean, Resemblance};
use crate::plane::Pyramid;
use crate::projection::Projection;
use crate::search::Light;
use crate::{ReadError, Reading};

/// The longer side of the smallest photograph that is read, in pixels.
const SMALLEST: usize = 500;
/// The most places of each kind of board that are kept.
const MAX_PLACES: usize = 3;
/// The most candidates that are compared of those found by their cells.
const MAX_BY_CELLS: usize = 30;
/// The most candidates that are compared of those found by edges.
const MAX_BY_EDGES: usize = 20;
/// The most candidates that are read in the themes that explain their means best.
const MAX_READ: usize = 4;
/// How many boards of a kind are ranked before those of other kinds.
const RANKED_TOGETHER: usize = 2;
/// The sizes of groups of candidates: the light of a group is found before that of the next one.
const LIT_AT_ONCE: [usize; 4] = [2, 4, 4, 8];
/// A board that differs less from its drawing in the light that was found is read before the next group is lit, and no other place
/// of it is tried. Those that are there differ by 30 to 190.
pub(super) const LIT_WELL: f32 = 100.0;
/// It is also read at once if it differs by less than this share of what the next one differs by,
const LIT_BETTER: f32 = 0.7;
/// and by at most this much, as boards in other light do.
const MAX_LIT: f32 = 350.0;
/// A board that differs more than this in the best light isn't read: 214 that were there differed by up to 770, and a third of 236 that
/// weren't by more than 900 (`wide only=Screen` 97000 24, 102000 40 and 105000 40).
const MAX_TO_READ: f32 = 900.0;
/// The most places at which all themes are tried in the end.
const MAX_IN_ALL_THEMES: usize = 3;
/// A board that differs more from its drawing there isn't read: one that is empty but for a few tiles is like any plain place.
const MAX_MISFIT_IN_OTHER_THEME: f32 = 400.0;
/// The most boards that are read there.
const MAX_READ_IN_OTHER_THEMES: usize = 2;
/// If a board that wasn't read correlates more, the picture is said to show an unclear one. Blurred and painted boards correlated by
/// 0.83 or more, and what was taken for a board in a picture without one by at most 0.4; chequered boards of other programs weren't
/// compared.
const CLEAR_RESEMBLANCE: f32 = 0.75;
/// The styles of boards that are looked for by their edges, and the styles of the drawings: they have different things around
/// the cells.
const EDGE_STYLES: [(Style, &[Style]); 2] =
    [(Style::Full, &[Style::Full, Style::Plain]), (Style::Large, &[Style::Large])];
/// The least resemblance of a theme's board to a place against that of the theme that resembles it most.
const MIN_ALIKE: f32 = 0.5;
/// The most styles and patterns in which a board is read.
const MAX_STYLES: usize = 3;
/// How much boards in photographs, which are blurred, differ from their drawings at most.
const MAX_MISFITS_PHOTOGRAPHED: Misfits = Misfits { cells: 250.0, edge: 450.0 };

/// By what boards were found in a photograph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FoundBy {
    /// Its drawing, as in pictures that are drawn.
    Drawing,
    /// The edges of its drawing, or of all cells.
    Edges,
    /// Its cells, wherever they are.
    Cells,
}

impl FoundBy {
    /// Boards that differ more from their means, relatively, aren't read: reading takes long. Those that are there differ by 0.1 to
    /// 0.45 where they are aligned with it. What they differ by in shades depends on the theme: where black is where white was, it is most.
    fn most_relative_excess(self) -> f32 {
        match self {
            FoundBy::Drawing | FoundBy::Edges => 1.5,
            FoundBy::Cells => 0.5,
        }
    }

    /// A board that correlates less with the brightness at its place isn't there, even if its colours can be made alike. Those that
    /// are there correlate by 0.4 or more, unless most of their tiles are gone; less within the cells.
    fn least_resemblance(self) -> f32 {
        match self {
            FoundBy::Drawing | FoundBy::Edges => 0.2,
            FoundBy::Cells => 0.35,
        }
    }
}

impl Reader {
    /// Reads a photograph of a screen. First `similar`; then boards by the edges of a drawing or of its cells; then by their cells alone.
    pub(super) fn read_photograph(
        &self,
        similar: Vec<Candidate>,
        outlines: &Outlines<'_>,
        picture: &Pyramid,
    ) -> Result<Reading, ReadError> {
        if Self::is_small(picture) {
            return Err(ReadError::NoBoard);
        }
        let why = match self.read_similar(similar, picture) {
            Ok(reading) => return Ok(reading),
            Err(error) => error,
        };
        let means = self.means_by_brightness();
        let by_edges = self.search_edges(&means, outlines);
        let read = self.read_likely(by_edges, picture, FoundBy::Edges);
        let read = read.or_else(|error| {
            let found = self.search_photograph(&means, picture).into_par_iter();
            let near = likeliest(found.filter_map(|found| self.near(found, picture)).collect());
            let near: Vec<Candidate> = near.into_iter().map(|near| near.found).take(MAX_BY_CELLS).collect();
            self.read_likely(near, picture, FoundBy::Cells).map_err(|other| error.or(other))
        });
        read.map_err(|error| why.or(error))
    }

    /// Whether a picture is too small for a photograph that is read.
    pub(super) fn is_small(picture: &Pyramid) -> bool {
        picture.full().width().max(picture.full().height()) < SMALLEST
    }

    /// Reads boards that were found as in a drawing, but may be there in other light, as if the picture were a photograph.
    pub(super) fn read_similar(
        &self,
        similar: Vec<Candidate>,
        picture: &Pyramid,
    ) -> Result<Reading, ReadError> {
        self.read_likely(similar, picture, FoundBy::Drawing)
    }

    /// Reads the likeliest of some boards.
    fn read_likely(
        &self,
        found: Vec<Candidate>,
        picture: &Pyramid,
        by: FoundBy,
    ) -> Result<Reading, ReadError> {
        let likely = self.likely(found, picture, by);
        let resembles = likely.iter().map(|(resemblance, _)| resemblance.whole).fold(0.0, f32::max);
        let read = self.read_best(likely.into_iter().map(|(_, board)| board), picture, by);
        read.ok_or(if resembles > CLEAR_RESEMBLANCE { ReadError::Unclear } else { ReadError::NoBoard })
    }

    /// Those boards that may be there, at their exact places and in the themes of their games, the likeliest first.
    fn likely(
        &self,
        found: Vec<Candidate>,
        picture: &Pyramid,
        by: FoundBy,
    ) -> Vec<(Resemblance, PhotographCandidate)> {
        let exact = found.into_par_iter().flat_map_iter(|found| {
            let other = match by {
                FoundBy::Drawing => Some(OtherPlace::Drawn(found.place.projection)),
                FoundBy::Edges => Some(OtherPlace::Aligned),
                FoundBy::Cells => None,
            };
            self.exact(found, picture, by)
                .into_iter()
                .map(move |board| PhotographCandidate { other, ..board })
        });
        let mut found = likeliest(exact.collect());
        found.retain(|board| board.found.relative_excess() < by.most_relative_excess());
        let resembling = found.into_par_iter().map(|board| {
            let resemblance = board.found.mean.resemblance_at(picture, &board.found.place.projection, 2);
            (resemblance, board)
        });
        let mut found: Vec<(Resemblance, PhotographCandidate)> = resembling.collect();
        found.retain(|(resemblance, _)| resemblance.most() > by.least_resemblance());
        let rank = |(resemblance, board): &(Resemblance, PhotographCandidate)| {
            board.found.relative_excess() - resemblance.within
        };
        kinds_in_turn(found, RANKED_TOGETHER, |(_, board)| board.found.key.board, rank)
    }

    /// Reads those of some boards whose cells fit best.
    fn read_best(
        &self,
        mut boards: impl Iterator<Item = PhotographCandidate>,
        picture: &Pyramid,
        by: FoundBy,
    ) -> Option<Reading> {
        let (mut lit, mut refused) = (Vec::new(), Vec::new());
        for count in LIT_AT_ONCE {
            let some: Vec<PhotographCandidate> = boards.by_ref().take(count).collect();
            lit.par_extend(some.into_par_iter().map(|board| self.lit(board, picture)));
            lit.sort_by(|a, b| a.0.total_cmp(&b.0));
            while refused.len() < MAX_READ && is_lit_well(&lit) {
                let (_, board) = lit.remove(0);
                if let Some(reading) = self.read_board(&board, picture) {
                    return Some(reading);
                }
                refused.push(board);
            }
        }
        // One after the other: each is read on all processors, and mostly the first one is there.
        let likely = lit.iter().filter(|(misfit, _)| *misfit < MAX_TO_READ).count();
        let most = likely.min(MAX_READ - refused.len());
        let unread: Vec<PhotographCandidate> = lit.into_iter().map(|(_, board)| board).collect();
        let read = unread.iter().take(most).find_map(|board| self.read_board(board, picture));
        if read.is_some() || by == FoundBy::Drawing {
            // In drawings found in other light, the theme is mostly right.
            return read;
        }
        refused.extend(unread);
        self.read_in_other_themes(&refused, picture)
    }

    /// Reads those of some boards whose cells fit best in other themes of their games: if most tiles are gone, another theme may
    /// explain the mean of games better than the right one.
    fn read_in_other_themes(&self, tried: &[PhotographCandidate], picture: &Pyramid) -> Option<Reading> {
        let mut places: Vec<&PhotographCandidate> = Vec::new();
        for board in tried.iter().filter(|board| !board.found.has_figures()) {
            if places.len() < MAX_IN_ALL_THEMES && places.iter().all(|other| !other.is_near(board)) {
                places.push(board);
            }
        }
        let is_tried = |board: &PhotographCandidate| {
            tried.iter().any(|other| other.found.key.theme == board.found.key.theme && other.is_near(board))
        };
        let others = places.into_par_iter().flat_map_iter(|board| {
            let all = self.in_themes((board.found.key, board.found.place), picture, 3, None).into_iter();
            let others = all.filter(|board| !is_tried(board));
            others.map(|other| PhotographCandidate { other: board.other, ..other })
        });
        let lit = others.map(|board| self.lit(board, picture));
        let mut lit: Vec<(f32, PhotographCandidate)> =
            lit.filter(|(misfit, _)| *misfit < MAX_MISFIT_IN_OTHER_THEME).collect();
        lit.sort_by(|a, b| a.0.total_cmp(&b.0));
        lit.truncate(MAX_READ_IN_OTHER_THEMES);
        lit.iter().find_map(|(_, board)| self.read_board(board, picture))
    }

    /// A board in the light in which its cells fit best, and how much it differs from its drawing: the cells say more about theme and
    /// light than the mean of games does.
    fn lit(&self, board: PhotographCandidate, picture: &Pyramid) -> (f32, PhotographCandidate) {
        match self.lit_by_cells(&board, picture) {
            Some(lit) => (lit.found.place.misfit, lit),
            None => (board.found.excess(), board),
        }
    }

    /// Reads a board in a photograph. `None` if it isn't there, or is a part of a larger one.
    fn read_board(&self, board: &PhotographCandidate, picture: &Pyramid) -> Option<Reading> {
        if board.is_part_of_larger(picture) {
            return None;
        }
        let (rectified, found) = board.rectified(picture);
        let found = if found.has_figures() { self.in_likelier_style(found, &rectified) } else { found };
        let Some((look, verdict)) = self.verdict(&found, &rectified) else {
            return self.read_in_styles(self.in_other_styles(&found, &rectified), &rectified);
        };
        if self.is_wholly_clear(found.key, &look, &verdict, &rectified) {
            return Some(verdict.reading(found.key.theme));
        }
        let found = self.where_read(&found, &verdict)?;
        // What was read says more about the light.
        let drawing = look.drawn(verdict.play.as_ref(), &self.cache.painter);
        let again = Correction::between(&rectified, &verdict.projection, &drawing, 2);
        let rectified = match again {
            Some((correction, _)) => {
                let whole = Projection::similar(1.0, 0.0, 0.0, 0.0);
                let size = (rectified.full().width(), rectified.full().height());
                let exposure = Exposure::default().then(correction);
                Pyramid::new(exposure.rectified(&rectified, &whole, size))
            }
            None => rectified,
        };
        let mut all = self.in_other_styles(&found, &rectified);
        all.push(found);
        self.read_in_styles(all, &rectified)
    }

    /// Reads the likeliest of a board's styles that is there.
    fn read_in_styles(&self, styles: Vec<Candidate>, rectified: &Pyramid) -> Option<Reading> {
        let mut attempts = Attempts::new(styles, MAX_MISFITS_PHOTOGRAPHED);
        self.read_likeliest(&mut attempts, MAX_STYLES, rectified);
        attempts.best().ok()
    }

    /// A board in the style whose mean is more like it: where cells don't say the light, they don't say the style either.
    fn in_likelier_style(&self, found: Candidate, picture: &Pyramid) -> Candidate {
        let others = self.in_other_styles(&found, picture).into_iter();
        others.fold(found, |best, other| if other.excess() < best.excess() { other } else { best })
    }

    /// The place of a board nearer to where it is, in the theme of its game that fits best.
    fn near(&self, found: Candidate, picture: &Pyramid) -> Option<PhotographCandidate> {
        let how = Alignment { freedom: Freedom::Similar, blur: 3, step: 2, most: 14 };
        let place = found.mean.aligned(found.place.projection, picture, how);
        self.in_themes((found.key, place), picture, 4, Some(MIN_ALIKE)).into_iter().next()
    }

    /// The exact place of a board, in the themes of its game. The edges of a drawing say it already: by its mean, a chequered board
    /// would be moved to where the whole drawing is light and all around it dark.
    fn exact(&self, near: Candidate, picture: &Pyramid, by: FoundBy) -> Vec<PhotographCandidate> {
        let place = match by {
            FoundBy::Edges => near.place,
            FoundBy::Drawing | FoundBy::Cells => aligned(&near, picture),
        };
        self.in_themes((near.key, place), picture, 3, Some(MIN_ALIKE))
    }

    /// A board's place in the themes of its game whose resemblance is at least this share of the best theme's, those first that fit
    /// best. Every `step` pixels are compared.
    fn in_themes(
        &self,
        (key, place): (LookKey, Place),
        picture: &Pyramid,
        step: usize,
        least_alike: Option<f32>,
    ) -> Vec<PhotographCandidate> {
        let themes = rookery_games::named(key.game()).into_iter().flat_map(|game| game.themes());
        let means = themes.filter_map(|theme| {
            let key = LookKey { theme: theme.name, ..key };
            Some((key, self.cache.mean(key)?))
        });
        let means: Vec<(LookKey, Arc<Mean>)> = means.collect();
        let Some((_, first)) = means.first() else { return Vec::new() };
        let seen = first.seen_at(picture, &place.projection, step);
        let levels = Levels::of(seen.iter().map(|it| it.pixel[0]));
        let resemblances: Vec<f32> = means.iter().map(|(_, mean)| mean.resemblance_to(&seen)).collect();
        let most = resemblances.iter().copied().fold(0.0, f32::max);
        // A theme that has light where the photograph has shade may be explained by hardly any light.
        let alike = means
            .into_iter()
            .zip(resemblances)
            .filter(|(_, it)| least_alike.is_none_or(|least| *it >= most * least));
        let all = alike.filter_map(|((key, mean), _)| {
            let of_levels = levels.and_then(|levels| Correction::of_levels(levels, mean.levels));
            let first = of_levels.map(|levels| Exposure::default().then(levels));
            let lit = [Some(Exposure::default()), first].into_iter().flatten().filter_map(|exposure| {
                let pairs: Vec<Pair> = seen.iter().map(|seen| mean.pair(seen, &exposure)).collect();
                let (correction, misfit) = Correction::of(&pairs, Known::Guess)?;
                Some((exposure.then(correction), misfit))
            });
            let (exposure, misfit) = lit.min_by(|a, b| a.1.total_cmp(&b.1))?;
            let found = Candidate { key, mean, place: Place { misfit, ..place } };
            Some(PhotographCandidate { found, exposure, other: None })
        });
        likeliest(all.collect())
    }

    /// How the kinds of boards look in a photograph. Themes that have light where another one has light are left out.
    fn means_by_brightness(&self) -> Vec<(LookKey, Arc<Mean>)> {
        let kinds = (0..BOARDS.len()).filter_map(|board| Some((board, self.cache.kind(board)?)));
        let keys = kinds.flat_map(|(board, kind)| {
            let of_side = move |side: Seat| {
                let key = move |theme| LookKey { board, theme, style: Style::Full, patterns: false, side };
                self.cache.distinct_in_brightness(board).iter().copied().map(key)
            };
            kind.sides().iter().copied().flat_map(of_side)
        });
        let keys: Vec<LookKey> = keys.collect();
        keys.into_par_iter().filter_map(|key| Some((key, self.cache.mean(key)?))).collect()
    }

    /// The likeliest places of each kind of board in a photograph.
    fn search_photograph(&self, means: &[(LookKey, Arc<Mean>)], picture: &Pyramid) -> Vec<Candidate> {
        let views = Views::new(picture, means.iter().map(|(_, mean)| mean.as_ref()), &self.cache);
        likeliest_of_each(means, |key, mean| {
            let places = views.places(mean).into_iter();
            places.map(|place| Candidate { key: *key, mean: mean.clone(), place }).collect()
        })
    }

    /// The likeliest places of each kind of board in a photograph that shows the edges of its drawing or cells.
    fn search_edges(&self, means: &[(LookKey, Arc<Mean>)], outlines: &Outlines<'_>) -> Vec<Candidate> {
        let found = likeliest_of_each(means, |key, _| {
            let in_style = |(style, drawn)| {
                self.outlined(outlines, LookKey { style, ..*key }, drawn, Light::Photographed)
            };
            EDGE_STYLES.into_iter().flat_map(in_style).collect()
        });
        let mut found = kinds_in_turn(found, 1, |found| found.key.board, |found| found.place.misfit);
        found.truncate(MAX_BY_EDGES);
        found
    }
}

/// Whether the first of some boards is lit so well that it is read before the others are lit.
fn is_lit_well(lit: &[(f32, PhotographCandidate)]) -> bool {
    let Some((misfit, _)) = lit.first() else { return false };
    let next = lit.get(1).map_or(f32::MAX, |(misfit, _)| *misfit);
    *misfit < LIT_WELL || *misfit < MAX_LIT && *misfit < LIT_BETTER * next
}

/// Boards in the order of a rank, the lowest first, but some of each kind before others: ranks of different kinds hardly compare, as
/// chequered boards correlate with anything that is lighter than what is around it.
fn kinds_in_turn<T>(
    mut all: Vec<T>,
    of_each: usize,
    kind: impl Fn(&T) -> usize,
    rank: impl Fn(&T) -> f32,
) -> Vec<T> {
    all.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    let mut counts = [0; BOARDS.len()];
    let round = |one: &T| {
        counts[kind(one)] += 1;
        (counts[kind(one)] - 1) / of_each
    };
    let rounds: Vec<usize> = all.iter().map(round).collect();
    let mut ordered: Vec<(usize, T)> = rounds.into_iter().zip(all).collect();
    ordered.sort_by_key(|(round, _)| *round);
    ordered.into_iter().map(|(_, one)| one).collect()
}

/// The likeliest places of each kind of board.
fn likeliest_of_each(
    means: &[(LookKey, Arc<Mean>)],
    places: impl Fn(&LookKey, &Arc<Mean>) -> Vec<Candidate> + Sync,
) -> Vec<Candidate> {
    let boards = means.par_chunk_by(|a, b| a.0.board == b.0.board);
    let likeliest = boards.flat_map_iter(|same_board| {
        let mut found: Vec<Candidate> = same_board.iter().flat_map(|(key, mean)| places(key, mean)).collect();
        found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
        found.into_iter().take(MAX_PLACES)
    });
    likeliest.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_each_kind_come_before_more_of_one() {
        let all = vec![(0, 0.1), (0, 0.2), (0, 0.3), (0, 0.4), (1, 0.9), (2, 0.5), (2, 0.6), (2, 0.7)];
        let order = kinds_in_turn(all, 2, |(kind, _)| *kind, |(_, rank)| *rank);
        let ranks: Vec<f32> = order.into_iter().map(|(_, rank)| rank).collect();
        assert_eq!(ranks, [0.1, 0.2, 0.5, 0.6, 0.9, 0.3, 0.4, 0.7]);
    }
}
