//! The boards of a picture that shows colours as they were drawn.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rayon::prelude::*;
use rookery_core::scene::Style;

use super::cache::{LookKey, ReaderCache};
use super::candidate::Candidate;
use super::outlines::Outlines;
use super::{Reader, STYLES};
use crate::align::{Aligner, Alignment, Freedom, Place};
use crate::kind::BOARDS;
use crate::lattice::{PITCHES, Repetition};
use crate::mean::Mean;
use crate::palette::{Fit, Palette, SampledPixels};
use crate::plane::Pyramid;
use crate::search::{Light, Search};

/// The longest side of a picture in which the period of cells is looked for.
pub(super) const SHRUNK: usize = 400;
/// The most themes that are tried, and the least rank of one against the best.
const MAX_THEMES: usize = 6;
const MIN_RANK: f32 = 0.55;
/// The widths of boards that are tried, against that of the part of the picture that has their colours.
const WIDTHS: RangeInclusive<f32> = 0.45..=1.45;
/// The share of a picture's width that has the colours of a board that may be the whole picture.
const MOSTLY: f32 = 0.8;
/// The most periods and places that are tried, and the least score of a period against the best.
pub(super) const MAX_LATTICES: usize = 3;
const MAX_PLACES: usize = 10;
const MAX_EXACT: usize = 4;
const MIN_SCORE: f32 = 0.4;
/// The most places of whole drawings that are made exact.
const MAX_OUTLINED: usize = 3;
/// The share of half a cell's width that may be cut off, and the same while places are rough.
const MAX_CUT_OFF: f32 = 0.3;
const MAX_CUT_OFF_ROUGHLY: f32 = 0.7;
/// How a place is made exact.
const EXACT: Alignment = Alignment { freedom: Freedom::Affine, blur: 0, step: 2, most: 40 };

/// The sizes of boards that are looked for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sizes {
    /// That whose cells the picture repeats best: nearly always the right one.
    Likeliest,
    Others,
}

impl Sizes {
    pub(super) const ALL: [Sizes; 2] = [Sizes::Likeliest, Sizes::Others];
}

/// The part of a picture that has the colours of a theme, made ready to look for boards in it.
pub(super) struct SearchRegion<'a> {
    fit: Fit,
    /// The width of the whole picture.
    whole: f32,
    repetition: Repetition,
    search: Search<'a>,
    /// By how much the region was shrunk to look for periods, and to look for boards.
    by_fine: f32,
    by: f32,
}

impl<'a> SearchRegion<'a> {
    pub(super) fn of(picture: &Pyramid, fit: Fit, cache: &'a ReaderCache) -> SearchRegion<'a> {
        let whole = &picture.full().planes[0];
        let cut = whole.cut(fit.area);
        let periods = || {
            let (fine, by) = cut.shrunk(SHRUNK);
            (Repetition::of(&fine, &cache.fine), by)
        };
        let boards = || {
            let (coarse, by) = cut.shrunk(SHRUNK / 2);
            (Search::new(&coarse, &cache.coarse, Light::Drawn), by)
        };
        let ((repetition, by_fine), (search, by)) = rayon::join(periods, boards);
        SearchRegion { fit, whole: whole.width as f32, repetition, search, by_fine, by }
    }
}

impl Reader {
    /// The places of a theme's boards of some sizes in a part of a picture, as they are in one style.
    pub(super) fn search(
        &self,
        region: &SearchRegion<'_>,
        palette: &Palette,
        style: Style,
        sizes: Sizes,
    ) -> Vec<Candidate> {
        let SearchRegion { fit, whole, repetition, search, by_fine, by } = region;
        let keys = self.keys(palette, style).into_par_iter();
        let means: Vec<(LookKey, Arc<Mean>)> =
            keys.filter_map(|key| Some((key, self.cache.mean(key)?))).collect();
        // The cells of all boards of a game are arranged alike, so their lattices are looked for once.
        let Some(drawn) = means.first().map(|(_, mean)| mean.geometry.lattice) else { return Vec::new() };
        let mut lattices = repetition.lattices(drawn.arrangement, drawn.angle, PITCHES, MAX_LATTICES);
        let best = lattices.first().map_or(0.0, |best| best.score);
        lattices.retain(|it| it.score > best * MIN_SCORE);
        let places = means.into_par_iter().flat_map_iter(|(key, mean)| {
            let own = mean.geometry.lattice;
            let repeated = lattices.iter().map(|it| (it.pitch / by_fine / own.pitch, it.angle - own.angle));
            // A board with pale cells hardly repeats, but where it is nearly upright its colours say its size as well.
            let upright = (fit.width / mean.size().0 as f32, 0.0);
            // The board may also be the whole picture.
            let whole = (fit.width > whole * MOSTLY).then(|| (whole / mean.size().0 as f32, 0.0));
            // The colours say about how large the board is.
            let is_as_large =
                |(scale, _): &(f32, f32)| WIDTHS.contains(&(scale * mean.size().0 as f32 / fit.width));
            let all = repeated.filter(is_as_large).chain([upright]).chain(whole);
            let wanted: Vec<(f32, f32)> = match sizes {
                Sizes::Likeliest => all.take(1).collect(),
                Sizes::Others => all.skip(1).collect(),
            };
            let mut all = Vec::new();
            for (scale, angle) in wanted {
                for place in search.best(&mean, scale * by, angle, MAX_LATTICES) {
                    let (left, top) = (fit.area.left as f32, fit.area.top as f32);
                    let projection = place.projection.enlarged(1.0 / by).moved(left, top);
                    all.push(Candidate { key, mean: mean.clone(), place: Place { projection, ..place } });
                }
            }
            all
        });
        places.collect()
    }

    /// The places of a theme's boards in whole drawings.
    pub(super) fn search_outlined(
        &self,
        outlines: &Outlines<'_>,
        palette: &Palette,
        picture: &Pyramid,
    ) -> Vec<Candidate> {
        let styles: [(Style, &[Style]); 2] =
            [(Style::Full, &[Style::Full, Style::Plain]), (Style::Large, &[Style::Large])];
        let keys = styles
            .into_iter()
            .flat_map(|(style, drawn)| self.keys(palette, style).into_iter().map(move |key| (key, drawn)));
        let keys: Vec<(LookKey, &'static [Style])> = keys.collect();
        let keys = keys.into_par_iter();
        let found = keys.flat_map_iter(|(key, styles)| self.outlined(outlines, key, styles, Light::Drawn));
        let mut found: Vec<Candidate> = found.collect();
        found.sort_by(|a, b| a.excess().total_cmp(&b.excess()));
        found.truncate(MAX_OUTLINED);
        aligned_again(found, picture, &[EXACT])
    }

    /// The places of a board in whole drawings in some styles.
    pub(super) fn outlined(
        &self,
        outlines: &Outlines<'_>,
        key: LookKey,
        styles: &'static [Style],
        light: Light,
    ) -> Vec<Candidate> {
        let drawings = self.cache.drawings(key, styles);
        let fits = outlines.fits(&drawings, light);
        if fits.is_empty() {
            // The mean, which takes long to draw, isn't needed.
            return Vec::new();
        }
        let Some(mean) = self.cache.mean(key) else { return Vec::new() };
        let places = fits.iter().filter_map(|fit| outlines.place(fit, &mean, light));
        places.map(|place| Candidate { key, mean: mean.clone(), place }).collect()
    }

    /// The kinds of boards that a theme is for.
    fn keys(&self, palette: &Palette, style: Style) -> Vec<LookKey> {
        let game = palette.game.info().key;
        let boards = (0..BOARDS.len()).filter(|board| BOARDS[*board].game == game);
        let keys = boards.filter_map(|board| {
            let kind = self.cache.kind(board)?;
            let theme = palette.theme.name;
            let sides = kind.sides().iter();
            Some(sides.map(move |side| LookKey { board, theme, style, patterns: false, side: *side }))
        });
        keys.flatten().collect()
    }

    /// The same board at the same place in the other styles.
    pub(super) fn in_other_styles(&self, found: &Candidate, picture: &Pyramid) -> Vec<Candidate> {
        let others = STYLES.into_iter().filter(|style| *style != found.key.style);
        let in_style = |style| {
            let key = LookKey { style, ..found.key };
            let mean = self.cache.mean(key)?;
            let projection = mean.geometry.over(&found.mean.geometry, &found.place.projection);
            let place = Place { projection, misfit: mean.misfit(picture, &projection, 1) };
            Some(Candidate { key, mean, place })
        };
        others.filter_map(in_style).collect()
    }
}

/// The themes that explain a part of the picture best, the best first.
pub(super) fn likely<'a>(palettes: &'a [Palette], pixels: &SampledPixels) -> Vec<(&'a Palette, Fit)> {
    let fits = palettes.par_iter().filter_map(|palette| Some((palette, palette.fit(pixels)?)));
    let mut fits: Vec<_> = fits.collect();
    fits.sort_by(|a, b| b.1.rank.total_cmp(&a.1.rank));
    let best = fits.first().map_or(0.0, |(_, fit)| fit.rank);
    fits.retain(|(_, fit)| fit.rank > best * MIN_RANK);
    fits.truncate(MAX_THEMES);
    fits
}

/// The boards that fit best once their places are exact.
pub(super) fn best(mut found: Vec<Candidate>, picture: &Pyramid) -> Vec<Candidate> {
    found.retain(|found| {
        found.mean.geometry.is_inside(&found.place.projection, picture.size(), MAX_CUT_OFF_ROUGHLY)
    });
    found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
    found.truncate(MAX_PLACES);
    let near = Alignment { freedom: Freedom::Similar, blur: 1, step: 2, most: 14 };
    aligned_again(found, picture, &[near, EXACT])
}

/// The boards whose places are made exact in some steps, those first that fit best.
fn aligned_again(mut found: Vec<Candidate>, picture: &Pyramid, steps: &[Alignment]) -> Vec<Candidate> {
    for how in steps.iter().copied() {
        // Several places of one board share what does not depend on the place.
        let means: HashMap<LookKey, Arc<Mean>> =
            found.iter().map(|found| (found.key, found.mean.clone())).collect();
        let aligners: HashMap<LookKey, Aligner> =
            means.into_par_iter().map(|(key, mean)| (key, mean.aligner(how))).collect();
        found.par_iter_mut().for_each(|Candidate { key, mean, place }| {
            *place = aligners[key].aligned(place.projection, picture);
            place.misfit = mean.misfit(picture, &place.projection, how.step);
        });
        // A board whose outer cells are cut off may fit as well.
        found.retain(|found| {
            found.mean.geometry.is_inside(&found.place.projection, picture.size(), MAX_CUT_OFF)
        });
        found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
        found = distinct(found, MAX_EXACT);
    }
    found
}

/// The first of each group of boards that are at the same place: some of all, and at least one of each kind of board. A board looks
/// like a part of a larger one.
fn distinct(found: Vec<Candidate>, most: usize) -> Vec<Candidate> {
    let mut first: Vec<Candidate> = Vec::new();
    for found in found {
        let is_same = |other: &Candidate| other.key == found.key && found.is_at(&other.place.projection);
        let is_first_of_kind = !first.iter().any(|other| other.key.board == found.key.board);
        if is_first_of_kind || first.len() < most && !first.iter().any(is_same) {
            first.push(found);
        }
    }
    first
}
