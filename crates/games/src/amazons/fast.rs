//! The board that the player searches: cells in shiftable words, moves from ray tables.
//!
//! It has no pie rule, error reasons or text; `rules` defines what is legal, and a test compares the two.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::bits::Bits;
use super::rules::{AmazonsPosition, Move, Side};
use rookery_core::board::Shape;
use rookery_core::seed::mix;
use rookery_core::square::COMPASS;
use rookery_core::{Board, Cell, CellSet};

/// A move: from, to, arrow as cells of the fast board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FastMove {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) arrow: u8,
}

/// The tables of a board: which cell is where, and the rays.
#[derive(Clone, Debug)]
pub(super) struct Grid<B> {
    /// The index difference between rows: one more than the width of the board.
    pub(super) stride: u32,
    board: &'static Board,
    /// The rays of each cell in eight directions; along the first four the indices rise. 256 entries, so that an index
    /// by `u8` needs no bounds check.
    rays: Box<[[B; 8]; 256]>,
}

/// The position of the amazons, and the cells that are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FastPosition<B> {
    /// White's and Black's amazons.
    pub(super) amazons: [B; 2],
    pub(super) free: B,
    /// The side to move: 0 for White, 1 for Black.
    pub(super) mover: usize,
    pub(super) key: u64,
}

/// The grid of a board that fits into 128 bits, created once and kept, since there are few.
pub(super) fn grid_of(board: &'static Board) -> Option<&'static Grid<u128>> {
    static MADE: LazyLock<Mutex<HashMap<Shape, &'static Grid<u128>>>> = LazyLock::new(Mutex::default);
    if !fits(board, 128) {
        return None;
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    Some(made.entry(board.shape()).or_insert_with(|| Box::leak(Box::new(Grid::new(board)))))
}

/// Whether a square board fits into `bits` bits, with its unused cells and one spare bit.
pub(super) fn fits(board: &Board, bits: u32) -> bool {
    let top = board.cells().next_back().map_or((0, 0), |cell| board.place(cell));
    (u32::from(top.0) + 2) * (u32::from(top.1) + 1) < bits
}

impl<B: Bits> Grid<B> {
    pub(super) fn new(board: &'static Board) -> Grid<B> {
        let top = board.cells().next_back().map_or((0, 0), |cell| board.place(cell));
        let mut grid = Grid { stride: u32::from(top.0) + 2, board, rays: Box::new([[B::NONE; 8]; 256]) };
        for cell in board.cells() {
            for (dir, ray) in rising_first().enumerate() {
                let line = board.lines().walk(cell, ray);
                let ray = line.fold(B::NONE, |ray, cell| ray | B::of(grid.fast(cell)));
                let from = usize::from(grid.fast(cell));
                grid.rays[from][dir] = ray;
            }
        }
        grid
    }

    /// The number of rows of the board.
    pub(super) fn rows(&self) -> u32 {
        self.board.cells().next_back().map_or(0, |cell| u32::from(self.board.place(cell).1) + 1)
    }

    /// The fast board's index of a cell.
    pub(super) fn fast(&self, cell: Cell) -> u8 {
        let (col, row) = self.board.place(cell);
        row * self.stride as u8 + col
    }

    /// The `rookery_core` cell of a fast index.
    pub(super) fn cell(&self, fast: u8) -> Cell {
        let (row, col) = (fast / self.stride as u8, fast % self.stride as u8);
        self.board.at(col, row).expect("only cells of the board are ever set")
    }

    pub(super) fn bits(&self, set: CellSet) -> B {
        set.iter().fold(B::NONE, |bits, cell| bits | B::of(self.fast(cell)))
    }

    pub(super) fn set(&self, bits: B) -> CellSet {
        bits.cells().map(|fast| self.cell(fast)).collect()
    }

    pub(super) fn position(&self, position: &AmazonsPosition) -> FastPosition<B> {
        let amazons = Side::BOTH.map(|side| self.bits(position.amazons(side)));
        let free = self.bits(position.free());
        let mover = position.to_move().index();
        FastPosition { amazons, free, mover, key: fresh_key(amazons, free, mover) }
    }

    pub(super) fn to_move(&self, shot: FastMove) -> Move {
        let [from, to, arrow] = [shot.from, shot.to, shot.arrow].map(|fast| self.cell(fast));
        Move::Go { from, to, arrow }
    }

    /// The cells that a queen on `from` can reach over free cells.
    #[inline]
    pub(super) fn reach(&self, from: u8, free: B) -> B {
        let rays = &self.rays[from as usize];
        let taken = !free;
        // Sentinels that stop every otherwise unobstructed ray: no ray continues from them.
        let (above, below) = (B::of((B::BITS - 1) as u8), B::of(0));
        let rise = |dir: usize| rays[dir] ^ self.rays[((rays[dir] & taken) | above).lowest() as usize][dir];
        let fall = |dir: usize| rays[dir] ^ self.rays[((rays[dir] & taken) | below).highest() as usize][dir];
        let rising = rise(0) | rise(1) | rise(2) | rise(3);
        (rising | fall(4) | fall(5) | fall(6) | fall(7)) & free
    }

    /// The number of legal moves of the side to move: for each amazon the arrows from all its goals at once.
    #[inline]
    pub(super) fn count(&self, at: &FastPosition<B>) -> u64 {
        let arrows = |from| self.count_reach(self.reach(from, at.free), at.free | B::of(from));
        at.amazons[at.mover].cells().map(arrows).sum()
    }

    /// The total number of cells that queens on these cells see over free cells: in each direction all of them advance
    /// together, one cell at a time, until the last one is blocked.
    #[inline]
    fn count_reach(&self, queens: B, free: B) -> u64 {
        let mut seen = 0;
        for way in [1, self.stride - 1, self.stride, self.stride + 1] {
            let (mut rising, mut falling) = ((queens << way) & free, (queens >> way) & free);
            while !rising.is_empty() {
                seen += rising.count() as u64;
                rising = (rising << way) & free;
            }
            while !falling.is_empty() {
                seen += falling.count() as u64;
                falling = (falling >> way) & free;
            }
        }
        seen
    }

    /// The number of sequences of `depth` legal moves; the last move is counted, not made.
    pub(super) fn sequences(&self, at: &FastPosition<B>, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count(at),
            _ => {
                let mut sum = 0;
                self.for_each_move(at, |shot| sum += self.sequences(&at.after(shot), depth - 1));
                sum
            }
        }
    }

    /// Whether a move of the side to move is legal. Its three cells must be on the board.
    #[inline]
    pub(super) fn is_legal(&self, at: &FastPosition<B>, shot: FastMove) -> bool {
        let [from, to, arrow] = [shot.from, shot.to, shot.arrow].map(B::of);
        !(at.amazons[at.mover] & from).is_empty()
            && !(self.reach(shot.from, at.free) & to).is_empty()
            && !(self.reach(shot.to, at.free | from) & arrow).is_empty()
    }

    /// Calls `found` with every legal move of the side to move, always in the same order.
    #[inline]
    pub(super) fn for_each_move(&self, at: &FastPosition<B>, mut found: impl FnMut(FastMove)) {
        for from in at.amazons[at.mover].cells() {
            let open = at.free | B::of(from);
            for to in self.reach(from, at.free).cells() {
                for arrow in self.reach(to, open).cells() {
                    found(FastMove { from, to, arrow });
                }
            }
        }
    }
}

impl<B: Bits> FastPosition<B> {
    /// The position after a move.
    #[inline]
    pub(super) fn after(&self, shot: FastMove) -> FastPosition<B> {
        let (from, to) = (B::of(shot.from), B::of(shot.to));
        let mut amazons = self.amazons;
        amazons[self.mover] = amazons[self.mover] ^ from ^ to;
        let free = (self.free | from) & !(to | B::of(shot.arrow));
        let keys = &*KEYS;
        let [left, came] = [shot.from, shot.to].map(|cell| keys.amazon[self.mover][cell as usize]);
        let key = self.key ^ left ^ came ^ keys.arrow[shot.arrow as usize] ^ keys.black;
        FastPosition { amazons, free, mover: 1 - self.mover, key }
    }
}

/// The eight directions of `rookery_core` square boards, those with rising indices first.
fn rising_first() -> impl Iterator<Item = usize> {
    let rises = |dir: &usize| matches!(COMPASS[*dir], (_, east, north) if (north, east) > (0, 0));
    (0..8).filter(rises).chain((0..8).filter(move |dir| !rises(dir)))
}

/// Cells that are neither free nor under an amazon count as arrows, including the edges: within one search that is the
/// same for every position.
fn fresh_key<B: Bits>(amazons: [B; 2], free: B, mover: usize) -> u64 {
    let keys = &*KEYS;
    let sum = |set: B, keys: &[u64; 256]| set.cells().fold(0, |sum, cell| sum ^ keys[cell as usize]);
    let gone = !(free | amazons[0] | amazons[1]);
    let turn = if mover == 1 { keys.black } else { 0 };
    sum(amazons[0], &keys.amazon[0]) ^ sum(amazons[1], &keys.amazon[1]) ^ sum(gone, &keys.arrow) ^ turn
}

struct Keys {
    amazon: [[u64; 256]; 2],
    arrow: [u64; 256],
    black: u64,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let list = |kind: u64| std::array::from_fn(|i| mix(kind << 16 | i as u64));
    Keys { amazon: [list(1), list(2)], arrow: list(3), black: mix(4 << 16) }
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amazons::Amazons;
    use crate::amazons::bits::Wide;
    use rookery_core::rules::Setup;
    use rookery_core::{GameRules, Position};

    /// Plays random games by the rules; in each position both boards list the same moves and agree on the positions
    /// after them.
    fn keeps_to_the_rules<B: Bits>(size: &str, games: u64) {
        for game in 0..games {
            let mut position = Amazons::start(&Setup::new(2).with("size", size)).unwrap();
            let grid = Grid::<B>::new(position.board());
            let mut chance = rookery_core::seed::SeededRng::new(game);
            loop {
                let at = grid.position(&position);
                let (mut listed, mut fast) = (Vec::new(), Vec::new());
                position.moves(&mut listed);
                grid.for_each_move(&at, |shot| fast.push(shot));
                let mut named: Vec<Move> = fast.iter().map(|shot| grid.to_move(*shot)).collect();
                named.sort();
                listed.sort();
                assert_eq!(named, listed);
                assert_eq!(grid.count(&at), listed.len() as u64);
                for shot in shots_like(&fast, &mut chance) {
                    assert_eq!(grid.is_legal(&at, shot), fast.contains(&shot), "{shot:?}");
                }
                let Some(shot) = chance.pick(&fast) else { break };
                position.play_unchecked(grid.to_move(*shot));
                assert_eq!(at.after(*shot), grid.position(&position), "key and all");
            }
        }
    }

    /// Moves combined from parts of legal ones; few of them are legal.
    fn shots_like(legal: &[FastMove], chance: &mut rookery_core::seed::SeededRng) -> Vec<FastMove> {
        let mut any = || chance.pick(legal).copied();
        let mut mixed = || Some(FastMove { from: any()?.from, to: any()?.to, arrow: any()?.arrow });
        (0..50).map_while(|_| mixed()).chain(legal.iter().take(5).copied()).collect()
    }

    #[test]
    fn both_boards_have_the_same_moves() {
        for size in ["10x10", "4x5", "12x9", "6x12"] {
            keeps_to_the_rules::<u128>(size, 4);
        }
        for size in ["12x12", "10x12", "11x11", "5x4"] {
            keeps_to_the_rules::<Wide>(size, 4);
        }
    }

    #[test]
    fn boards_up_to_ten_by_ten_fit_into_128_bits_and_all_into_256() {
        assert!(fits(Board::square(10, 10), 128) && fits(Board::square(12, 9), 128));
        assert!(!fits(Board::square(11, 11), 128) && fits(Board::square(12, 12), 256));
    }
}
