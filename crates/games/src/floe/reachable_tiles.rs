//! The most tiles that pieces can still take in a region that only one seat can enter: exact, or bounds.
//!
//! Tiles are lost only by becoming unreachable, so the search minimises the *loss*. It tries loss 0, then the next
//! possible loss, and so on: depth-first with a growing allowance (Korf's iterative deepening, *Artificial
//! Intelligence* 27, 1985). Every failed iteration proves a lower bound on the loss and hence an upper bound on the
//! gain. The proven loss of each position is cached.

use std::collections::HashMap;

use super::Move;
use rookery_core::{CellSet, Lines};

/// How a piece takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeRule {
    /// It moves to a cell and takes it; the cell that it left is gone.
    Walk,
    /// It moves to a cell and takes another from there; the cell that it left is free again.
    Spear,
}

/// A region with the pieces of one owner in it.
#[derive(Clone, Debug)]
pub(crate) struct Region<'a> {
    /// The lines of the board.
    pub lines: &'a Lines,
    /// Cells with a tile and without a piece.
    pub free: CellSet,
    /// The cells with a piece.
    pub pieces: CellSet,
    /// Which tiles a move takes.
    pub way: TakeRule,
    /// The value of each cell, by index.
    pub worth: &'a [u32],
}

/// The possible gain from the free cells (when walking), or from these and the cells under the pieces (when spearing
/// and standing).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReachableTiles {
    /// A lower bound: moves that take this much were found.
    pub least: u32,
    /// An upper bound; equal to `least` if the search finished.
    pub most: u32,
}

/// Searches a region with at most `nodes_left` positions, which is decremented. Also returns moves that take the lower
/// bound.
pub(crate) fn count_reachable(region: &Region<'_>, nodes_left: &mut u64) -> (ReachableTiles, Vec<Move>) {
    let mut search = Search { region, failed: HashMap::new(), nodes_left, way: Vec::new() };
    let all = match region.way {
        TakeRule::Walk => search.worth(region.free),
        TakeRule::Spear => search.worth(region.free | region.pieces),
    };
    let (loss, start) = search.reduce(region.free, region.pieces);
    let (greedy_loss, way) = search.greedy_loss(start);
    let sure = loss + greedy_loss;
    let mut proven = loss;
    while proven < sure {
        match search.smallest_loss(start, proven - loss) {
            Some(found) if loss + found == proven => {
                search.way.reverse();
                return (ReachableTiles { least: all - proven, most: all - proven }, search.way);
            }
            Some(more) => proven = loss + more,
            None => break,
        }
    }
    (ReachableTiles { least: all - sure, most: all - proven }, way)
}

/// Free cells that can still be reached, and pieces that can still move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SearchState {
    free: CellSet,
    pieces: CellSet,
}

struct Next {
    m: Move,
    loss: u32,
    /// Free neighbours of the taken cell: those with few are tried first, before they are cut off.
    open: usize,
    spread: SearchState,
}

struct Search<'a, 'b> {
    region: &'b Region<'a>,
    /// For positions that failed: a lower bound of the loss from there on.
    failed: HashMap<SearchState, u32>,
    nodes_left: &'b mut u64,
    /// The moves of the successful search, last one first.
    way: Vec<Move>,
}

/// Maximum number of cached positions: about 20 MB.
const MAX_REMEMBERED: usize = 1 << 18;

impl Search<'_, '_> {
    fn worth(&self, cells: CellSet) -> u32 {
        cells.iter().map(|cell| self.region.worth[cell.index()]).sum()
    }

    /// The smallest loss from here on if it is at most `allowed`, otherwise a proven lower bound; `None` if the node
    /// budget is exhausted.
    fn smallest_loss(&mut self, spread: SearchState, allowed: u32) -> Option<u32> {
        if spread.free.is_empty() {
            return Some(0);
        }
        if let Some(loss) = self.failed.get(&spread).filter(|loss| **loss > allowed) {
            return Some(*loss);
        }
        *self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut smallest = u32::MAX;
        for next in self.nexts(spread) {
            let loss = if next.loss > allowed {
                next.loss
            } else {
                next.loss + self.smallest_loss(next.spread, allowed - next.loss)?
            };
            if loss <= allowed {
                self.way.push(next.m);
                return Some(loss);
            }
            smallest = smallest.min(loss);
        }
        if self.failed.len() < MAX_REMEMBERED {
            self.failed.insert(spread, smallest);
        }
        Some(smallest)
    }

    /// The loss of one greedy playout, and its moves.
    fn greedy_loss(&mut self, mut spread: SearchState) -> (u32, Vec<Move>) {
        let (mut loss, mut way) = (0, Vec::new());
        while let Some(next) = self.nexts(spread).into_iter().next() {
            loss += next.loss;
            way.push(next.m);
            spread = next.spread;
        }
        (loss, way)
    }

    /// The child positions, most promising first.
    fn nexts(&self, spread: SearchState) -> Vec<Next> {
        let lines = self.region.lines;
        let mut nexts = Vec::new();
        for from in spread.pieces {
            for to in lines.reach(from, !spread.free) {
                let pieces = spread.pieces.without(from).with(to);
                match self.region.way {
                    TakeRule::Walk => nexts.push(self.next(spread.free, pieces, Move::go(from, to))),
                    TakeRule::Spear => {
                        let free = spread.free.with(from).without(to);
                        let spear = |at| Move { spear: Some(at), ..Move::go(from, to) };
                        nexts.extend(
                            lines.reach(to, !free).iter().map(|at| self.next(free, pieces, spear(at))),
                        );
                    }
                }
            }
        }
        nexts.sort_by_key(|next| (next.loss, next.open));
        nexts
    }

    fn next(&self, free: CellSet, pieces: CellSet, m: Move) -> Next {
        let taken = m.spear.unwrap_or(m.to);
        let free = free.without(taken);
        let (loss, spread) = self.reduce(free, pieces);
        Next { m, loss, open: (self.region.lines.neighbours(taken) & free).len(), spread }
    }

    /// Removes cells that are no longer reachable, whose worth is lost, and pieces that can no longer move. If pieces
    /// leave free cells behind, pieces that block each other do so only temporarily.
    fn reduce(&self, free: CellSet, pieces: CellSet) -> (u32, SearchState) {
        let lines = self.region.lines;
        let movable: CellSet =
            pieces.iter().filter(|cell| lines.neighbours(*cell).intersects(free)).collect();
        let (reached, pieces) = match self.region.way {
            TakeRule::Walk => (lines.region(lines.neighbours_of_all(movable), free), movable),
            TakeRule::Spear => {
                let all = lines.region(movable, free | pieces);
                (all & free, all & pieces)
            }
        };
        (self.worth(free & !reached), SearchState { free: reached, pieces })
    }
}
