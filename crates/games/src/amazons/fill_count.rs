//! Counts how many moves in a row a side can make in its own territory.
//!
//! Every move fills exactly one free cell, so the number of free cells that the amazons can reach is an upper bound;
//! the answer is smaller if cells must be cut off (a "defective" territory). The search tests the bound and reduces it
//! by one after each refutation. A state is a connected part of the board with the amazons in it: parts that become
//! separated are solved one by one, and all proven results are cached.

use std::collections::HashMap;

use rookery_core::player::Halt;
use rookery_core::{Cell, CellSet, Lines};

/// Cached parts that are kept between budgets: some 30 MB.
const MAX_REMEMBERED: usize = 300_000;

/// A connected part of the board: one side's amazons and free cells, nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Part {
    amazons: CellSet,
    free: CellSet,
}

/// Proven bounds of a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: u32,
    pub(super) most: u32,
}

/// A move of an amazon in its own territory: from, to, arrow.
pub(super) type Fill = [Cell; 3];

/// A move in a part, and the parts that remain after it.
struct Next {
    fill: Fill,
    parts: Vec<Part>,
}

/// The budget is exhausted.
#[derive(Clone, Copy, Debug)]
struct BudgetExhausted;

/// A search with its cache, for any number of territories on one board.
#[derive(Clone)]
pub(super) struct FillCounter<'a> {
    lines: &'a Lines,
    cache: HashMap<Part, Bounds>,
    nodes_left: u64,
    halt: Halt,
}

impl<'a> FillCounter<'a> {
    /// A search with this budget of states.
    pub(super) fn new(lines: &'a Lines, budget_nodes: u64) -> Self {
        FillCounter { lines, cache: HashMap::new(), nodes_left: budget_nodes, halt: Halt::default() }
    }

    /// Ends every count early once this halt is called, as if its budget were exhausted.
    pub(super) fn set_halt(&mut self, halt: Halt) {
        self.halt = halt;
    }

    /// The number of cached parts; at most the number of searched ones.
    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.cache.len()
    }

    /// Sets a new budget. Proven results are kept, up to a limit.
    pub(super) fn refill(&mut self, budget_nodes: u64) {
        self.nodes_left = budget_nodes;
        if self.cache.len() > MAX_REMEMBERED {
            self.cache.clear();
        }
    }

    /// The remaining budget of states.
    pub(super) fn left(&self) -> u64 {
        self.nodes_left
    }

    /// The number of moves that these amazons can make on these free cells; exact if the budget suffices.
    pub(super) fn count(&mut self, amazons: CellSet, free: CellSet) -> Bounds {
        let parts = self.parts(amazons, free);
        parts.into_iter().fold(Bounds { least: 0, most: 0 }, |sum, part| {
            let bounds = self.solve(part);
            Bounds { least: sum.least + bounds.least, most: sum.most + bounds.most }
        })
    }

    /// Moves that fill at least as many of these cells as the last count proved.
    pub(super) fn way(&self, amazons: CellSet, free: CellSet) -> Vec<Fill> {
        let mut way = Vec::new();
        let mut parts = self.parts(amazons, free);
        while let Some(part) = parts.pop() {
            match self.proven_move(part) {
                Some(next) => {
                    way.push(next.fill);
                    parts.extend(next.parts);
                }
                // The bound came from the greedy attempt, before anything was known about the region: results refuted
                // since then would change its choices.
                None => way.extend(FillCounter::new(self.lines, 0).greedy(part)),
            }
        }
        way
    }

    /// The first of these moves.
    pub(super) fn first_fill(&self, amazons: CellSet, free: CellSet) -> Option<Fill> {
        let part = self.parts(amazons, free).pop()?;
        let proven = self.proven_move(part).map(|next| next.fill);
        proven.or_else(|| FillCounter::new(self.lines, 0).greedy(part).into_iter().next())
    }

    /// A move after which the known bounds of the remaining parts confirm the known bound of this part.
    fn proven_move(&self, part: Part) -> Option<Next> {
        let wanted = self.known(part).least;
        let enough = |next: &Next| self.sum(&next.parts, |known| known.least) + 1 >= wanted;
        self.moves(part, wanted).into_iter().find(enough)
    }

    fn sum(&self, parts: &[Part], bound: impl Fn(Bounds) -> u32) -> u32 {
        parts.iter().map(|part| bound(self.known(*part))).sum()
    }

    fn solve(&mut self, part: Part) -> Bounds {
        let quick = self.greedy(part).len() as u32;
        self.raise(part, quick);
        loop {
            let known = self.known(part);
            if known.least == known.most || self.reaches(part, known.most).is_err() {
                return self.known(part);
            }
        }
    }

    /// Whether `wanted` moves can be made in a part. Caches the answer.
    fn reaches(&mut self, part: Part, wanted: u32) -> Result<bool, BudgetExhausted> {
        let known = self.known(part);
        if wanted <= known.least || wanted > known.most {
            return Ok(wanted <= known.least);
        }
        if self.halt.called() {
            self.nodes_left = 0;
        }
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(BudgetExhausted)?;
        for next in self.moves(part, wanted) {
            if self.all_reach(next.parts, wanted - 1)? {
                self.raise(part, wanted);
                return Ok(true);
            }
        }
        self.lower(part, wanted - 1);
        Ok(false)
    }

    /// Whether these parts together allow `wanted` moves.
    fn all_reach(&mut self, parts: Vec<Part>, wanted: u32) -> Result<bool, BudgetExhausted> {
        let Some(mut slack) = self.sum(&parts, |known| known.most).checked_sub(wanted) else {
            return Ok(false);
        };
        for part in parts {
            let bound = self.known(part).most;
            while !self.reaches(part, self.known(part).most)? {
                if bound - self.known(part).most > slack {
                    return Ok(false);
                }
            }
            slack -= bound - self.known(part).most;
        }
        Ok(true)
    }

    /// The remaining parts after each move that leaves enough cells for `wanted` moves, this one included: smallest
    /// loss first, then the narrowest corner.
    fn moves(&self, part: Part, wanted: u32) -> Vec<Next> {
        let mut found = Vec::new();
        for_each_move(self.lines, part, |fill, amazons, free| {
            let parts = self.parts(amazons, free);
            let room = self.sum(&parts, |known| known.most);
            if room + 1 >= wanted {
                let open = (self.lines.neighbours(fill[2]) & (free | amazons)).len();
                found.push(((u32::MAX - room, open), Next { fill, parts }));
            }
        });
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, next)| next).collect()
    }

    /// The moves of a greedy playout.
    fn greedy(&self, part: Part) -> Vec<Fill> {
        let (mut way, mut parts) = (Vec::new(), vec![part]);
        while let Some(part) = parts.pop() {
            if let Some(next) = self.moves(part, 0).into_iter().next() {
                way.push(next.fill);
                parts.extend(next.parts);
            }
        }
        way
    }

    /// The connected parts that contain an amazon and a free cell.
    fn parts(&self, amazons: CellSet, free: CellSet) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut left = amazons;
        while let Some(cell) = left.lowest() {
            let region = self.lines.region(CellSet::of(cell), amazons | free);
            left &= !region;
            if region.intersects(free) {
                parts.push(Part { amazons: region & amazons, free: region & free });
            }
        }
        parts
    }

    fn known(&self, part: Part) -> Bounds {
        self.cache.get(&part).copied().unwrap_or(Bounds { least: 1, most: part.free.len() as u32 })
    }

    fn raise(&mut self, part: Part, least: u32) {
        let bounds = self.known(part);
        self.cache.insert(part, Bounds { least: least.max(bounds.least), ..bounds });
    }

    fn lower(&mut self, part: Part, most: u32) {
        let bounds = self.known(part);
        self.cache.insert(part, Bounds { most: most.min(bounds.most), ..bounds });
    }
}

/// Calls `found` with each move in a part, and the amazons and free cells after it.
fn for_each_move(lines: &Lines, part: Part, mut found: impl FnMut(Fill, CellSet, CellSet)) {
    for from in part.amazons {
        // Everything outside the part is an obstacle to it.
        let obstacles = !(part.free.with(from));
        for to in lines.reach(from, obstacles) {
            for arrow in lines.reach(to, obstacles) {
                let amazons = part.amazons.without(from).with(to);
                found([from, to, arrow], amazons, part.free.with(from).without(to).without(arrow));
            }
        }
    }
}
