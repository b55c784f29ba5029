//! The boards that were found in a picture, and what was read of them.

use std::sync::Arc;

use super::cache::LookKey;
use crate::align::Place;
use crate::content::FigureGame;
use crate::mean::Mean;
use crate::projection::Projection;
use crate::{ReadError, Reading};

/// By how much more than games do a picture may differ from a board's mean, or relatively, so that its cells are read before others
/// are looked for.
const GOOD: f32 = 450.0;
const RELATIVELY_GOOD: f32 = 0.6;
const RELATIVELY_LIKELY: f32 = 1.2;
/// The same for boards of games whose pieces cover more than their cell, in whole drawings: to read their figures takes longest. Those
/// that are there differ by at most 800, in `read_spoiled 97000 100`.
const MAX_OF_FIGURES: f32 = 1_500.0;

/// A board that may be in the picture.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) key: LookKey,
    pub(super) mean: Arc<Mean>,
    pub(super) place: Place,
}

impl Candidate {
    /// How much more the picture differs from the board's mean than games do.
    pub(super) fn excess(&self) -> f32 {
        self.place.misfit - self.mean.spread
    }

    /// The same against that of a picture that doesn't show the board. Boards with little contrast differ little from anything.
    pub(super) fn relative_excess(&self) -> f32 {
        self.excess() / (self.mean.contrast - self.mean.spread).max(self.mean.contrast / 4.0)
    }

    /// Whether its cells are read before others are looked for.
    pub(super) fn is_good(&self) -> bool {
        self.excess() < GOOD || self.relative_excess() < RELATIVELY_GOOD
    }

    /// The same for a board whose whole drawing seems to be there: its edges say more than its cells, and most cells may have changed.
    pub(super) fn is_likely_in_outline(&self) -> bool {
        let is_likely = self.is_good() || self.relative_excess() < RELATIVELY_LIKELY;
        is_likely && !(self.has_figures() && self.excess() > MAX_OF_FIGURES)
    }

    /// Whether its pieces cover more than their cell, and are read one by one.
    pub(super) fn has_figures(&self) -> bool {
        FigureGame::named(self.key.game()).is_some()
    }

    /// Whether the corners of the board are less than half a pixel of its mean from where they are by a projection.
    pub(super) fn is_at(&self, projection: &Projection) -> bool {
        self.is_near(projection, self.place.projection.scale() / 2.0)
    }

    /// The same for less than some pixels of the picture.
    pub(super) fn is_near(&self, projection: &Projection, most: f32) -> bool {
        let (width, height) = self.mean.size();
        self.place.projection.is_near(projection, (width as f32, height as f32), most)
    }
}

/// The boards of a picture that were found, and what was read.
pub(super) struct Attempts {
    /// The boards that weren't read.
    pub(super) left: Vec<Candidate>,
    pub(super) tried: Vec<LookKey>,
    /// The boards that may be there in other light: those that differ more from their drawings than what is there, but not by much;
    /// and those whose drawings seem to be there in a picture that isn't drawn, which weren't read.
    pub(super) similar: Vec<Candidate>,
    /// What differs least from its drawing, and by how much.
    pub(super) best: Option<(f32, Reading)>,
    /// By how much a board may at most differ from its mean and be there instead of one that was read; `None` if none is sure.
    pub(super) settled: Option<f32>,
    /// Boards that differ more from their drawings aren't there.
    pub(super) most: Misfits,
}

/// How much a board differs from its drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfits {
    /// Within the cells, without the worst tenth of them.
    pub(super) cells: f32,
    /// Just outside the cells.
    pub(super) edge: f32,
}

impl Attempts {
    /// Nothing is read yet.
    pub(super) fn new(left: Vec<Candidate>, most: Misfits) -> Attempts {
        Attempts { left, tried: Vec::new(), similar: Vec::new(), best: None, settled: None, most }
    }

    /// The likeliest boards first.
    pub(super) fn sort(&mut self) {
        self.left.sort_by(|a, b| a.excess().total_cmp(&b.excess()));
    }

    pub(super) fn best(self) -> Result<Reading, ReadError> {
        self.best.map(|(_, reading)| reading).ok_or(ReadError::NoBoard)
    }
}
