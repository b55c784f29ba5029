//! A board in a photograph, and what the light changed.

use rookery_core::Cell;

use super::cache::LookKey;
use super::candidate::Candidate;
use super::photograph::LIT_WELL;
use super::{Reader, STYLES};
use crate::align::{Alignment, Freedom, Place};
use crate::compare::{Patch, patch};
use crate::light::{Correction, Exposure, Known, Pair, within};
use crate::mean::Mean;
use crate::plane::Pyramid;
use crate::projection::Projection;
use crate::small_cells::leave_nearest;

/// A board is made as it was drawn this many times as large as its mean.
const RECTIFIED: usize = 3;
/// How much the part of a cell's difference counts that is the same everywhere in it: more and more, since the light is known
/// better and better; or all of it from the start, as cells of some themes differ in little else.
const COMMON_COUNTS: [&[f32]; 2] = [&[0.1, 0.3, 1.0, 1.0], &[1.0, 1.0, 1.0]];
/// How many drawings of a cell are compared again, in better light.
const MAX_NEAREST: usize = 6;
/// The most themes of a board at one place.
const MAX_THEMES: usize = 4;

/// A board in a photograph, and what the light changed.
pub(super) struct PhotographCandidate {
    pub(super) found: Candidate,
    pub(super) exposure: Exposure,
    pub(super) other: Option<OtherPlace>,
}

/// Where a board may be as well. If most tiles are gone, it has little in common with its mean, which leads away from the place that
/// the edges say; and these may be those of something else.
#[derive(Clone, Copy, Debug)]
pub(super) enum OtherPlace {
    /// Where its drawing was found before it was aligned with its mean.
    Drawn(Projection),
    /// Aligned with its mean, which it isn't yet.
    Aligned,
}

impl PhotographCandidate {
    /// The board as it was drawn, and its place there.
    pub(super) fn rectified(&self, picture: &Pyramid) -> (Pyramid, Candidate) {
        let Candidate { key, mean, place } = self.found.clone();
        let smaller = 1.0 / RECTIFIED as f32;
        let from = place.projection.after(&[smaller, 0.0, 0.0, 0.0, smaller, 0.0, 0.0, 0.0, 1.0]);
        let (width, height) = mean.size();
        let size = (width * RECTIFIED, height * RECTIFIED);
        let rectified = Pyramid::new(self.exposure.rectified(picture, &from, size));
        let projection = Projection::similar(RECTIFIED as f32, 0.0, 0.0, 0.0);
        let misfit = mean.misfit(&rectified, &projection, 1);
        (rectified, Candidate { key, mean, place: Place { projection, misfit } })
    }

    /// Whether another board is of the same kind and at about the same place.
    pub(super) fn is_near(&self, other: &PhotographCandidate) -> bool {
        let most = self.found.mean.geometry.half * self.found.place.projection.scale();
        (self.found.key.board, self.found.key.side) == (other.found.key.board, other.found.key.side)
            && self.found.is_near(&other.found.place.projection, most)
    }
}

/// The likeliest boards first, and only some themes of those of one kind at about the same place.
pub(super) fn likeliest(mut found: Vec<PhotographCandidate>) -> Vec<PhotographCandidate> {
    found.sort_by(|a, b| a.found.relative_excess().total_cmp(&b.found.relative_excess()));
    let mut distinct: Vec<PhotographCandidate> = Vec::new();
    for one in found {
        let near: Vec<&PhotographCandidate> = distinct.iter().filter(|other| other.is_near(&one)).collect();
        if near.len() < MAX_THEMES && near.iter().all(|other| other.found.key.theme != one.found.key.theme) {
            distinct.push(one);
        }
    }
    distinct
}

impl Reader {
    /// A board in the style and with the light in which the drawings of its cells fit best. `None` for games whose pieces cover more
    /// than their cell, and if the light changed more than it does.
    pub(super) fn lit_by_cells(
        &self,
        board: &PhotographCandidate,
        picture: &Pyramid,
    ) -> Option<PhotographCandidate> {
        if board.found.has_figures() {
            return None;
        }
        let best = self.lit_by_cells_at(&board.found.place.projection, board, picture);
        let is_lit_well = best.as_ref().is_some_and(|best| best.found.place.misfit < LIT_WELL);
        let other = board.other.filter(|_| !is_lit_well).map(|other| match other {
            OtherPlace::Drawn(place) => place,
            OtherPlace::Aligned => aligned(&board.found, picture).projection,
        });
        let other = other.and_then(|place| self.lit_by_cells_at(&place, board, picture));
        best.into_iter().chain(other).min_by(|a, b| a.found.place.misfit.total_cmp(&b.found.place.misfit))
    }

    fn lit_by_cells_at(
        &self,
        projection: &Projection,
        board: &PhotographCandidate,
        picture: &Pyramid,
    ) -> Option<PhotographCandidate> {
        let all = STYLES.into_iter().filter_map(|style| {
            let key = LookKey { style, ..board.found.key };
            let mean = self.cache.mean(key)?;
            let projection = mean.geometry.over(&board.found.mean.geometry, projection);
            let cells = seen(&mean, &board.exposure, picture, &projection);
            let all = COMMON_COUNTS.into_iter().filter_map(|counts| light(&mean, &cells, counts));
            let (correction, misfit) = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((correction, Candidate { key, mean, place: Place { projection, misfit } }))
        });
        let (correction, found) = all.min_by(|a, b| a.1.place.misfit.total_cmp(&b.1.place.misfit))?;
        Some(PhotographCandidate { found, exposure: board.exposure.then(correction), other: board.other })
    }
}

/// The place of a board, aligned with its mean.
pub(super) fn aligned(found: &Candidate, picture: &Pyramid) -> Place {
    let nearer = Alignment { freedom: Freedom::Projective, blur: 3, step: 2, most: 20 };
    let exact = Alignment { freedom: Freedom::Projective, blur: 1, step: 2, most: 40 };
    let nearer = found.mean.aligned(found.place.projection, picture, nearer);
    found.mean.aligned(nearer.projection, picture, exact)
}

/// Pixels of a cell in a photograph.
struct SeenCell {
    cell: Cell,
    /// Every few, and their places in the photograph, from -1 to 1.
    pixels: Vec<([f32; 3], (f32, f32))>,
}

/// The cells of a board at a place, as far as it is known what the light changed.
fn seen(mean: &Mean, exposure: &Exposure, picture: &Pyramid, projection: &Projection) -> Vec<SeenCell> {
    let pixel_at = picture.sampler(projection.scale());
    let pixel = |(x, y): (f32, f32)| {
        let (u, v) = projection.at(x, y);
        let at = within(picture, u, v);
        (exposure.corrected(pixel_at(u, v), at), at)
    };
    let cells = mean.geometry.board.cells().zip(&mean.geometry.centres);
    let seen = cells.map(|(cell, at)| SeenCell { cell, pixels: mean.cells.pixels(*at).map(pixel).collect() });
    seen.collect()
}

/// The light by which each cell differs least from the drawing that it is most like, and by how much.
fn light(mean: &Mean, cells: &[SeenCell], counts: &[f32]) -> Option<(Correction, f32)> {
    let mut best: Option<(Correction, f32)> = None;
    let mut likely: Vec<Vec<&Patch>> =
        cells.iter().map(|seen| mean.cells.of_shade(&mean.geometry, seen.cell)).collect();
    for counts in counts.iter().copied() {
        let mut pairs = Vec::new();
        for (SeenCell { pixels, .. }, likely) in cells.iter().zip(&mut likely) {
            let corrected = patch(pixels.iter().map(|(seen, at)| match &best {
                Some((correction, _)) => correction.corrected(*seen, *at),
                None => *seen,
            }));
            leave_nearest(likely, &corrected, counts, MAX_NEAREST);
            let Some(nearest) = likely.first() else { continue };
            pairs.extend(pixels.iter().enumerate().map(|(n, (seen, at))| {
                let drawn = nearest.each_ref().map(|plane| plane[n]);
                Pair { seen: *seen, drawn, at: *at, weight: 1.0 }
            }));
        }
        let known = if counts < 1.0 { Known::Guess } else { Known::Drawing };
        best = Some(Correction::of(&pairs, known)?);
    }
    best
}
