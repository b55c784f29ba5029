//! Where boards may be in a photograph: it is made as if it had been taken from straight ahead, for the boards whose cells are
//! arranged alike, and each board is looked for there by its light and shade.

use std::ops::RangeInclusive;

use super::cache::ReaderCache;
use super::drawing::{MAX_LATTICES, SHRUNK};
use super::tilt::Tilted;
use crate::align::Place;
use crate::lattice::{EdgeRange, Lattice, edges};
use crate::mean::Mean;
use crate::plane::Pyramid;
use crate::projection::Projection;
use crate::search::{Light, Search};

/// The widths of boards against the longer side of a photograph.
const PHOTOGRAPHED: RangeInclusive<f32> = 0.25..=1.0;
/// The edges of a photograph that count: those of pale cells, and letters no more than those.
const EDGES: EdgeRange = EdgeRange { least: 3.0, most: 20.0 };

/// A photograph from straight ahead, once for each arrangement of cells.
pub(super) struct Views<'a> {
    all: Vec<View<'a>>,
    /// The longer side of the photograph in pixels.
    longest: f32,
    /// By how much the photograph was shrunk to look for periods, and to look for boards.
    by_fine: f32,
    by: f32,
}

/// A photograph as if it had been taken from straight ahead, for boards of one arrangement.
struct View<'a> {
    /// The lattice in drawings of one of these boards.
    drawn: Lattice,
    lattices: Vec<Lattice>,
    search: Search<'a>,
    /// From its pixels to those of the photograph.
    back: Projection,
}

impl<'a> Views<'a> {
    /// The views for some kinds of boards.
    pub(super) fn new<'b>(
        picture: &Pyramid,
        means: impl Iterator<Item = &'b Mean> + Clone,
        cache: &'a ReaderCache,
    ) -> Views<'a> {
        let brightness = &picture.full().planes[0];
        let (fine, by_fine) = brightness.shrunk(SHRUNK);
        let (coarse, by) = brightness.shrunk(SHRUNK / 2);
        let edges = edges(&fine, EDGES);
        let tilted = Tilted::new(&edges, &cache.fine);
        let mut all: Vec<View<'a>> = Vec::new();
        for drawn in means.clone().map(|mean| mean.geometry.lattice) {
            if all.iter().any(|view| view.drawn.is_parallel_to(&drawn)) {
                continue;
            }
            let alike = means.clone().filter(|mean| mean.geometry.lattice.is_parallel_to(&drawn));
            // The pitches against the longer side, since boards are as wide as they may be.
            let pitches = alike.map(|mean| mean.geometry.lattice.pitch / mean.size().0 as f32);
            let (least, most) =
                pitches.fold((f32::MAX, 0.0_f32), |(least, most), pitch| (least.min(pitch), most.max(pitch)));
            let range = (least * PHOTOGRAPHED.start(), most * PHOTOGRAPHED.end());
            let (tilt, lattices) = tilted.best(drawn.arrangement, drawn.angle, range, MAX_LATTICES);
            let search = Search::new(&tilt.straightened(&coarse), &cache.coarse, Light::Photographed);
            let back = tilt.projection((coarse.width, coarse.height));
            all.push(View { drawn, lattices, search, back });
        }
        let longest = picture.full().width().max(picture.full().height()) as f32;
        Views { all, longest, by_fine, by }
    }

    /// The likeliest places of a kind of board in the photograph.
    pub(super) fn places(&self, mean: &Mean) -> Vec<Place> {
        let own = mean.geometry.lattice;
        let Some(view) = self.all.iter().find(|view| view.drawn.is_parallel_to(&own)) else {
            return Vec::new();
        };
        let sizes =
            view.lattices.iter().map(|it| (it.pitch / self.by_fine / own.pitch, it.angle - own.angle));
        let is_as_large =
            |(scale, _): &(f32, f32)| PHOTOGRAPHED.contains(&(scale * mean.size().0 as f32 / self.longest));
        let places = sizes.filter(is_as_large).flat_map(|(scale, angle)| {
            let places = view.search.best(mean, scale * self.by, angle, MAX_LATTICES).into_iter();
            places.map(|place| {
                let projection = view.back.after(&place.projection.matrix()).enlarged(1.0 / self.by);
                Place { projection, ..place }
            })
        });
        places.collect()
    }
}
