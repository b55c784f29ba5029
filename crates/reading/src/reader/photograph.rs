//! Photographs of screens: the board is looked for whatever the light is, and then made as it was drawn.

use std::sync::Arc;

use rayon::prelude::*;
use rookery_core::Seat;
use rookery_core::scene::Style;

use super::Reader;
use super::found::{Attempts, Found};
use super::kept::LookKey;
use super::photographed::{Photographed, likeliest};
use super::views::Views;
use crate::Reading;
use crate::align::{Alignment, Freedom, Place, aligned};
use crate::kind::BOARDS;
use crate::light::{Correction, Exposure, Known};
use crate::mean::Mean;
use crate::plane::Pyramid;
use crate::projection::Projection;

/// The longer side of the smallest photograph that is read, in pixels.
const SMALLEST: usize = 500;
/// The most places of a kind of board that are looked at, the most places of all boards that are made exact, and the most boards
/// that are read.
const MOST_PLACES: usize = 3;
const MOST_EXACT: usize = 30;
const MOST_READ: usize = 4;
/// Boards that differ more from their means aren't read: reading takes long. Those that are there differ by up to about 550, and
/// relatively by 0.1 to 0.45.
const MOST_EXCESS: f32 = 750.0;
const MOST_RELATIVE_EXCESS: f32 = 0.5;
/// The most styles and patterns in which a board is read.
const MOST_STYLES: usize = 3;
/// A board in a photograph that differs this much just outside its cells isn't there.
const MOST_EDGE_MISFIT: f32 = 450.0;

impl Reader {
    /// Reads a photograph of a screen.
    pub(super) fn read_photograph(&self, picture: &Pyramid) -> Option<Reading> {
        if picture.full().width().max(picture.full().height()) < SMALLEST {
            return None;
        }
        let found = self.search_photograph(picture).into_par_iter();
        let near = likeliest(found.filter_map(|found| self.near(found, picture)).collect());
        let near = near.into_par_iter().take(MOST_EXACT);
        let exact: Vec<Photographed> = near.flat_map_iter(|near| self.exact(near, picture)).collect();
        let mut found = likeliest(exact);
        found.retain(|Photographed { found, .. }| {
            found.excess() < MOST_EXCESS && found.relative_excess() < MOST_RELATIVE_EXCESS
        });
        found.into_par_iter().take(MOST_READ).find_map_first(|board| self.read_board(board, picture))
    }

    /// Reads a board in a photograph.
    fn read_board(&self, board: Photographed, picture: &Pyramid) -> Option<Reading> {
        let board = self.lit_by_cells(&board, picture).unwrap_or(board);
        let (mut rectified, mut found) = board.rectified(picture);
        // What was read says more about the light.
        if let Some((look, verdict)) = self.verdict(&found, &rectified) {
            let drawing = look.drawn(verdict.play.as_ref(), &self.kept.painter);
            found.place.projection = found.mean.geometry.over(&look.geometry, &verdict.projection);
            let again =
                Correction::between(&rectified, &verdict.projection, &drawing, None, Known::Drawing, 2);
            if let Some((correction, _)) = again {
                let whole = Projection::similar(1.0, 0.0, 0.0, 0.0);
                let size = (rectified.full().width(), rectified.full().height());
                let exposure = Exposure::default().then(correction);
                rectified = Pyramid::new(exposure.rectified(&rectified, &whole, size));
            }
        }
        let mut left = self.in_other_styles(&found, &rectified);
        left.push(found);
        let mut attempts = Attempts::new(left, MOST_EDGE_MISFIT);
        self.read_likeliest(&mut attempts, MOST_STYLES, &rectified);
        attempts.best().ok()
    }

    /// The place of a board nearer to where it is, in the theme of its game that fits best.
    fn near(&self, found: Found, picture: &Pyramid) -> Option<Photographed> {
        let how = Alignment { freedom: Freedom::Similar, blur: 3, step: 2, most: 14 };
        let place =
            aligned(found.place.projection, picture, &found.mean.colours, Some(&found.mean.weights), how);
        self.in_themes(found.key, place, picture, 4).into_iter().next()
    }

    /// The exact place of a board, in the themes of its game.
    fn exact(&self, near: Photographed, picture: &Pyramid) -> Vec<Photographed> {
        let nearer = Alignment { freedom: Freedom::Projective, blur: 3, step: 2, most: 20 };
        let exact = Alignment { freedom: Freedom::Projective, blur: 1, step: 1, most: 40 };
        let Found { key, mean, mut place } = near.found;
        for how in [nearer, exact] {
            place = aligned(place.projection, picture, &mean.colours, Some(&mean.weights), how);
        }
        self.in_themes(key, place, picture, 2)
    }

    /// A place in the themes of its game, those first that fit best. Every `step` pixels are compared.
    fn in_themes(&self, key: LookKey, place: Place, picture: &Pyramid, step: usize) -> Vec<Photographed> {
        let themes = rookery_games::named(key.game()).into_iter().flat_map(|game| game.themes());
        let all = themes.filter_map(|theme| {
            let key = LookKey { theme: theme.name, ..key };
            let mean = self.kept.mean(key)?;
            let weights = Some(&mean.weights);
            let (correction, misfit) =
                Correction::between(picture, &place.projection, &mean.colours, weights, Known::Guess, step)?;
            let exposure = Exposure::default().then(correction);
            Some(Photographed { found: Found { key, mean, place: Place { misfit, ..place } }, exposure })
        });
        likeliest(all.collect())
    }

    /// The likeliest places of each kind of board in a photograph. Themes that have light where another one has light are not looked
    /// for on their own.
    fn search_photograph(&self, picture: &Pyramid) -> Vec<Found> {
        let kinds = (0..BOARDS.len()).filter_map(|board| Some((board, self.kept.kind(board)?)));
        let keys = kinds.flat_map(|(board, kind)| {
            let of_side = move |side: Seat| {
                let key = move |theme| LookKey { board, theme, style: Style::Full, patterns: false, side };
                self.kept.distinct_in_brightness(board).iter().copied().map(key)
            };
            kind.sides().iter().copied().flat_map(of_side)
        });
        let keys: Vec<LookKey> = keys.collect();
        let means = keys.into_par_iter().filter_map(|key| Some((key, self.kept.mean(key)?)));
        let means: Vec<(LookKey, Arc<Mean>)> = means.collect();
        let views = Views::new(picture, means.iter().map(|(_, mean)| mean.as_ref()), &self.kept);
        let boards = means.par_chunk_by(|a, b| a.0.board == b.0.board);
        let likeliest = boards.flat_map_iter(|same_board| {
            let places = same_board.iter().flat_map(|(key, mean)| {
                let found = |place| Found { key: *key, mean: mean.clone(), place };
                views.places(mean).into_iter().map(found)
            });
            let mut places: Vec<Found> = places.collect();
            places.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
            places.into_iter().take(MOST_PLACES)
        });
        likeliest.collect()
    }
}
