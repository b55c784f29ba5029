//! Parts of a floe that only one seat can still reach, and what it will take there.

use std::collections::HashMap;

use super::Floe;
use super::claim::Terms;
use super::harvest::{Region, Way, harvest};
use super::race::{View, flood};
use crate::kit::plane::{Plane, Word};
use crate::kit::{CellSet, MOST_SEATS};

/// What is certain about one seat's own part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own<W> {
    /// The free cells that are counted.
    pub(super) cells: W,
    /// What will be taken of them beyond what the pieces stand on, in hundredths of a fish.
    pub(super) gain: i32,
}

/// Counts of regions, remembered: most moves leave most regions as they were.
#[derive(Clone, Debug)]
pub(super) struct Regions<W> {
    known: HashMap<(W, W), i32>,
    worth: Vec<u32>,
}

/// Positions that the count of one region may look at.
const COUNT_NODES: u64 = 400;
/// Regions remembered at most: some 20 MB.
const MOST_KNOWN: usize = 1 << 18;

impl<W: Word> Regions<W> {
    pub(super) fn new() -> Regions<W> {
        Regions { known: HashMap::new(), worth: Vec::new() }
    }

    /// What each seat will take where nobody else gets to, given what each can reach (by steps).
    pub(super) fn own(
        &mut self,
        floe: &Floe,
        terms: Terms,
        plane: &Plane<W>,
        view: &View<W>,
        reach: &[W; MOST_SEATS],
    ) -> [Own<W>; MOST_SEATS] {
        let mut own = [Own::default(); MOST_SEATS];
        for seat in 0..floe.seats() {
            let others = (0..floe.seats()).filter(|other| *other != seat);
            let (ground, foes) = match terms.way {
                Way::Walk => (view.free, others.fold(W::default(), |all, other| all | reach[other])),
                // A piece that goes away leaves its cell open, so that regions meet under pieces too.
                Way::Spear => (view.tiles, W::pack(floe.standing()) & !view.pieces[seat]),
            };
            let mut left = reach[seat] & !foes;
            while let Some(cell) = left.unpack().lowest() {
                let region = self.around(plane, view, seat, W::pack(CellSet::of(cell)), ground);
                left = left & !region.free;
                if !(region.cells(terms.way) & foes).is_none() || region.pieces.is_none() {
                    continue;
                }
                own[seat].cells = own[seat].cells | region.free;
                own[seat].gain += self.gain(floe, terms, region);
            }
        }
        own
    }

    /// The cells connected with one, through own pieces as well.
    fn around(&self, plane: &Plane<W>, view: &View<W>, seat: usize, cell: W, ground: W) -> Part<W> {
        let sea = plane.sea(ground | view.pieces[seat]);
        let all = flood(&sea, cell) | cell;
        Part { free: all & view.free, pieces: all & view.pieces[seat], all }
    }

    fn gain(&mut self, floe: &Floe, terms: Terms, part: Part<W>) -> i32 {
        if let Some(gain) = self.known.get(&(part.free, part.pieces)) {
            return *gain;
        }
        let gain = self.count(floe, terms, part);
        if self.known.len() < MOST_KNOWN {
            self.known.insert((part.free, part.pieces), gain);
        }
        gain
    }

    fn count(&mut self, floe: &Floe, terms: Terms, part: Part<W>) -> i32 {
        let cells = floe.board().cells();
        self.worth.clear();
        self.worth.extend(cells.map(|cell| u32::from(floe.fish(cell))));
        let (free, pieces) = (part.free.unpack(), part.pieces.unpack());
        let region = Region { lines: floe.board().lines(), free, pieces, way: terms.way, worth: &self.worth };
        let (found, _) = harvest(&region, &mut { COUNT_NODES });
        let standing = if terms.way == Way::Spear { floe.fish_on(pieces) as i32 } else { 0 };
        50 * (found.least + found.most) as i32 - 100 * standing
    }
}

/// A part of the floe.
#[derive(Clone, Copy, Debug)]
struct Part<W> {
    free: W,
    pieces: W,
    all: W,
}

impl<W: Word> Part<W> {
    /// The cells that nobody else may touch.
    fn cells(&self, way: Way) -> W {
        match way {
            Way::Walk => self.free,
            Way::Spear => self.all,
        }
    }
}
