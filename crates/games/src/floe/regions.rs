//! The parts of a floe that only one seat can still reach, and its gains there.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::endgame_count::Terms;
use super::reachable_tiles::{Region, TakeRule, count_reachable};
use super::{Floe, Phase};
use rookery_core::MAX_SEATS;
use rookery_core::bitboard::{Bitboard, ShiftMasks};
use rookery_core::seed::mix;

/// A floe as bit sets, and the cells that each seat can reach.
#[derive(Clone, Debug)]
pub(super) struct Ground<W> {
    pub(super) free: W,
    pub(super) tiles: W,
    pub(super) standing: W,
    /// The pieces of the active seats.
    pub(super) pieces: [W; MAX_SEATS],
    /// The free cells that each seat can reach by steps if no other seat moves.
    pub(super) reach: [W; MAX_SEATS],
}

/// The certain gains of one seat in its own regions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own<W> {
    /// The free cells that are counted.
    pub(super) cells: W,
    /// The gains beyond the tiles under its pieces, in hundredths of a fish.
    pub(super) gain: i32,
}

/// A cache of counted regions: most moves leave most regions unchanged.
#[derive(Clone, Debug)]
pub(super) struct Regions<W> {
    known: HashMap<(W, W), i32, BuildHasherDefault<Quick>>,
    worth: Vec<u32>,
    /// Whether all floes have the same fish on the same cells, so that the free cells identify a region.
    laid: bool,
}

/// Node limit of the count of one region.
const COUNT_NODES: u64 = 400;
/// Maximum number of cached regions: some 20 MB.
const MAX_KNOWN: usize = 1 << 18;

impl<W: Bitboard> Regions<W> {
    /// Creates a cache for positions that descend from this one.
    pub(super) fn new(floe: &Floe) -> Regions<W> {
        Regions { known: HashMap::default(), worth: Vec::new(), laid: floe.phase() != Phase::Lay }
    }

    /// The gains of each seat in regions that only it can reach.
    pub(super) fn own(
        &mut self,
        floe: &Floe,
        terms: Terms,
        plane: &ShiftMasks<W>,
        ground: &Ground<W>,
    ) -> [Own<W>; MAX_SEATS] {
        let mut own = [Own::default(); MAX_SEATS];
        for (seat, own) in own.iter_mut().enumerate().take(floe.seats()) {
            let others = (0..floe.seats()).filter(|other| *other != seat);
            let (passable, foes) = match terms.way {
                TakeRule::Walk => {
                    (ground.free, others.fold(W::default(), |all, other| all | ground.reach[other]))
                }
                // A piece that moves away leaves its cell free, so regions are connected under pieces too.
                TakeRule::Spear => (ground.tiles, ground.standing & !ground.pieces[seat]),
            };
            let mut left = ground.reach[seat] & !foes;
            while !left.is_empty() {
                let all = around(plane, left.lowest_bit(), passable | ground.pieces[seat]);
                let part = Part { free: all & ground.free, pieces: all & ground.pieces[seat], all };
                left = left & !part.free;
                if !(part.cells(terms.way) & foes).is_empty() || part.pieces.is_empty() {
                    continue;
                }
                own.cells = own.cells | part.free;
                own.gain += self.gain(floe, terms, part);
            }
        }
        own
    }

    fn gain(&mut self, floe: &Floe, terms: Terms, part: Part<W>) -> i32 {
        if let Some(gain) = self.known.get(&(part.free, part.pieces)) {
            return *gain;
        }
        let gain = self.count(floe, terms, part);
        if self.laid && self.known.len() < MAX_KNOWN {
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
        let (found, _) = count_reachable(&region, &mut { COUNT_NODES });
        let standing = if terms.way == TakeRule::Spear { floe.fish_on(pieces) as i32 } else { 0 };
        50 * (found.least + found.most) as i32 - 100 * standing
    }
}

/// All cells of `passable` connected with a cell, and that cell.
fn around<W: Bitboard>(plane: &ShiftMasks<W>, cell: W, passable: W) -> W {
    let (mut all, mut edge) = (cell, cell);
    while !edge.is_empty() {
        edge = plane.neighbours(edge) & passable & !all;
        all = all | edge;
    }
    all
}

/// A fast hash of cell sets: regions are looked up in every position, and no adversary chooses them.
#[derive(Clone, Copy, Debug, Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for eight in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..eight.len()].copy_from_slice(eight);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }
    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}

/// A region and the pieces in it.
#[derive(Clone, Copy, Debug)]
struct Part<W> {
    free: W,
    pieces: W,
    all: W,
}

impl<W: Bitboard> Part<W> {
    /// The cells that no other seat can reach.
    fn cells(&self, way: TakeRule) -> W {
        match way {
            TakeRule::Walk => self.free,
            TakeRule::Spear => self.all,
        }
    }
}
