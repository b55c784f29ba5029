//! Photographs of screens: the board is looked for whatever the light is, and then made as it was drawn.

use std::ops::RangeInclusive;

use rookery_core::scene::Style;

use super::Reader;
use super::drawing::{MOST_LATTICES, SHRUNK, shrunk};
use super::found::{Attempts, Found};
use super::kept::LookKey;
use crate::Reading;
use crate::align::{Alignment, Freedom, Place, aligned};
use crate::kind::BOARDS;
use crate::lattice::{Arrangement, Lattice, Repetition};
use crate::light::Correction;
use crate::plane::Pyramid;
use crate::projection::Projection;
use crate::search::{Light, Search};

/// The longer side of the smallest photograph that is read, in pixels.
const SMALLEST: usize = 500;
/// The most boards that are read of a photograph's board that was made as it was drawn.
const MOST_READ: usize = 3;
/// A board in a photograph that differs this much just outside its cells isn't there.
const MOST_EDGE_MISFIT: f32 = 450.0;
/// The widths of boards against the longer side of a photograph.
const PHOTOGRAPHED: RangeInclusive<f32> = 0.25..=1.0;
/// The most places of a kind of board that are made exact, and the most boards that are made as they were drawn, this many times
/// as large as means.
const MOST_PLACES: usize = 2;
const MOST_RECTIFIED: usize = 3;
const RECTIFIED: usize = 4;

impl Reader {
    /// Reads a photograph of a screen.
    pub(super) fn read_photograph(&self, picture: &Pyramid) -> Option<Reading> {
        if picture.full().width().max(picture.full().height()) < SMALLEST {
            return None;
        }
        let places = self.search_photograph(picture).into_iter();
        let mut found: Vec<Photographed> = places.flat_map(|found| self.exact(found, picture)).collect();
        found.sort_by(|a, b| a.found.excess().total_cmp(&b.found.excess()));
        for photographed in found.into_iter().take(MOST_RECTIFIED) {
            let (mut rectified, found) = photographed.rectified(picture);
            // What was read says more about the light.
            if let Some((look, verdict)) = self.verdict(&found, &rectified) {
                let drawing = look.drawn(verdict.play.as_ref(), &self.kept.painter);
                let again = Correction::between(&rectified, &verdict.projection, &drawing, None);
                if let Some((correction, _)) = again {
                    let whole = Projection::similar(1.0, 0.0, 0.0, 0.0);
                    let size = (rectified.full().width(), rectified.full().height());
                    rectified = Pyramid::new(correction.rectified(&rectified, &whole, size));
                }
            }
            let mut left = self.in_other_styles(&found, &rectified);
            left.push(found);
            let mut attempts = Attempts::new(left, MOST_EDGE_MISFIT);
            self.read_likeliest(&mut attempts, MOST_READ, &rectified);
            if let Ok(reading) = attempts.best() {
                return Some(reading);
            }
        }
        None
    }

    /// The exact place of a board, in the themes of its game, the likeliest first.
    fn exact(&self, found: Found, picture: &Pyramid) -> Vec<Photographed> {
        let near = Alignment { freedom: Freedom::Similar, blur: 3, step: 2, most: 14 };
        let nearer = Alignment { freedom: Freedom::Projective, blur: 3, step: 2, most: 20 };
        let exact = Alignment { freedom: Freedom::Projective, blur: 1, step: 1, most: 40 };
        let mut all = vec![Photographed { found, correction: Correction::NONE }];
        for hows in [&[near][..], &[nearer, exact]] {
            let Some(Photographed { found: Found { key, mean, mut place }, .. }) = all.into_iter().next()
            else {
                return Vec::new();
            };
            for how in hows {
                place = aligned(place.projection, picture, &mean.colours, Some(&mean.weights), *how);
            }
            all = self.in_themes(key, place, picture);
        }
        all
    }

    /// A place in the themes of its game, those first that fit best.
    fn in_themes(&self, key: LookKey, place: Place, picture: &Pyramid) -> Vec<Photographed> {
        let themes = rookery_games::named(key.game()).into_iter().flat_map(|game| game.themes());
        let all = themes.filter_map(|theme| {
            let key = LookKey { theme: theme.name, ..key };
            let mean = self.kept.mean(key)?;
            let light = Correction::between(picture, &place.projection, &mean.colours, Some(&mean.weights));
            let (correction, misfit) = light?;
            Some(Photographed { found: Found { key, mean, place: Place { misfit, ..place } }, correction })
        });
        let mut all: Vec<Photographed> = all.collect();
        all.sort_by(|a, b| a.found.excess().total_cmp(&b.found.excess()));
        all
    }

    /// The places of boards in a photograph: each is looked for in the usual theme of its game, since others have light where
    /// that has light.
    fn search_photograph(&self, picture: &Pyramid) -> Vec<Found> {
        let (fine, by_fine) = shrunk(&picture.full().planes[0], SHRUNK);
        let (coarse, by) = shrunk(&picture.full().planes[0], SHRUNK / 2);
        let repetition = Repetition::of(&fine, &self.kept.fine);
        let search = Search::new(&coarse, &self.kept.coarse, Light::Photographed);
        // Many boards have the same arrangement.
        let mut known: Vec<(Arrangement, f32, Vec<Lattice>)> = Vec::new();
        let longest = picture.full().width().max(picture.full().height()) as f32;
        let mut all = Vec::new();
        for board in 0..BOARDS.len() {
            let Some(kind) = self.kept.kind(board) else { continue };
            let mut places: Vec<Found> = Vec::new();
            for side in kind.sides().iter().copied() {
                let theme = kind.game.themes()[0].name;
                let key = LookKey { board, theme, style: Style::Full, patterns: false, side };
                let Some(mean) = self.kept.mean(key) else { continue };
                let own = mean.geometry.lattice;
                let is_alike =
                    |it: &&(Arrangement, f32, Vec<Lattice>)| (it.0, it.1) == (own.arrangement, own.angle);
                let lattices = known.iter().find(is_alike).map(|it| it.2.clone()).unwrap_or_else(|| {
                    let found = repetition.lattices(own.arrangement, own.angle, MOST_LATTICES);
                    known.push((own.arrangement, own.angle, found.clone()));
                    found
                });
                for lattice in lattices {
                    let (scale, angle) = (lattice.pitch / by_fine / own.pitch, lattice.angle - own.angle);
                    if !PHOTOGRAPHED.contains(&(scale * mean.colours.width() as f32 / longest)) {
                        continue;
                    }
                    for place in search.best(&mean, scale * by, angle, MOST_LATTICES) {
                        let projection = place.projection.enlarged(1.0 / by);
                        places.push(Found { key, mean: mean.clone(), place: Place { projection, ..place } });
                    }
                }
            }
            places.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
            places.truncate(MOST_PLACES);
            all.extend(places);
        }
        all
    }
}

/// A board in a photograph, and what the light changed.
struct Photographed {
    found: Found,
    correction: Correction,
}

impl Photographed {
    /// The board as it was drawn, and its place there.
    fn rectified(self, picture: &Pyramid) -> (Pyramid, Found) {
        let Found { key, mean, place } = self.found;
        let smaller = 1.0 / RECTIFIED as f32;
        let from = place.projection.after(&[smaller, 0.0, 0.0, 0.0, smaller, 0.0, 0.0, 0.0, 1.0]);
        let size = (mean.colours.width() * RECTIFIED, mean.colours.height() * RECTIFIED);
        let rectified = Pyramid::new(self.correction.rectified(picture, &from, size));
        let projection = Projection::similar(RECTIFIED as f32, 0.0, 0.0, 0.0);
        let misfit = mean.misfit(&rectified, &projection, 1);
        (rectified, Found { key, mean, place: Place { projection, misfit } })
    }
}
