//! A position for the search: no history and no pie rule; small enough to be copied for every move.

use super::rules::{AmoebaPosition, DIRS, POINTS, Side, Stack, TOP_KEY, goal_of, ray_of, stack_key};
use rookery_core::Cell;

/// A move without the pie rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FastMove {
    /// The point of the stack.
    pub(super) from: Cell,
    /// The direction; the distance is the height of the stack.
    pub(super) dir: u8,
    /// Whether it drops a piece on every point.
    pub(super) split: bool,
}

/// Stacks and side to move.
#[derive(Clone, Debug)]
pub(super) struct FastPosition {
    stacks: [Stack; POINTS],
    /// The point of each side's Kernel.
    kernels: [Cell; 2],
    pub(super) to_move: Side,
    /// Equal to the hash that repetitions are counted by.
    pub(super) hash: u64,
}

impl FastPosition {
    /// Converts a position. `None` if a Kernel is missing, which position lines allow.
    pub(super) fn of(position: &AmoebaPosition) -> Option<FastPosition> {
        let mut stacks = [Stack::EMPTY; POINTS];
        position.stacks().for_each(|(cell, stack)| stacks[cell.index()] = stack);
        let kernel = |side| Some(position.stacks().find(|(_, stack)| stack.has_kernel(side))?.0);
        let kernels = [kernel(Side::Bottom)?, kernel(Side::Top)?];
        Some(FastPosition { stacks, kernels, to_move: position.to_move(), hash: position.repetition_hash() })
    }

    pub(super) fn stack(&self, cell: Cell) -> Stack {
        self.stacks[cell.index()]
    }

    /// The points with stacks that a side controls.
    pub(super) fn own(&self, side: Side) -> impl Iterator<Item = (Cell, Stack)> + '_ {
        let all = self.stacks.iter().enumerate().filter(move |(_, stack)| stack.owner() == Some(side));
        all.map(|(i, stack)| (Cell(i as u8), *stack))
    }

    /// Every move of the side to move.
    pub(super) fn fast_moves(&self) -> impl Iterator<Item = FastMove> + '_ {
        self.own(self.to_move).flat_map(|(from, stack)| {
            let dirs = (0..DIRS).filter(move |dir| goal_of(stack.height(), from, *dir).is_some());
            dirs.flat_map(move |dir| {
                let splits = [false, true].into_iter().take(1 + usize::from(stack.height() > 1));
                splits.map(move |split| FastMove { from, dir: dir as u8, split })
            })
        })
    }

    /// Whether a move of the side to move is legal.
    pub(super) fn is_legal(&self, FastMove { from, dir, split }: FastMove) -> bool {
        let stack = self.stack(from);
        stack.owner() == Some(self.to_move)
            && goal_of(stack.height(), from, dir.into()).is_some()
            && (!split || stack.height() > 1)
    }

    /// The number of directions in which a stack can move.
    pub(super) fn ways(&self, from: Cell, stack: Stack) -> i32 {
        (0..DIRS).filter(|dir| goal_of(stack.height(), from, *dir).is_some()).count() as i32
    }

    /// The position after a legal move.
    pub(super) fn after(&self, hop: FastMove) -> FastPosition {
        let mut next = self.clone();
        next.play(hop);
        next
    }

    pub(super) fn play(&mut self, hop: FastMove) {
        let stack = self.stack(hop.from);
        let way = ray_of(hop.from, hop.dir.into());
        self.put(hop.from, Stack::EMPTY);
        if hop.split {
            for (cell, piece) in way.iter().zip(stack.pieces()) {
                self.drop_on(*cell, Stack::of(piece));
            }
        } else if let Some(to) = way.get(stack.height() - 1) {
            self.drop_on(*to, stack);
        }
        self.hash ^= TOP_KEY;
        self.to_move = self.to_move.other();
    }

    fn drop_on(&mut self, cell: Cell, top: Stack) {
        for side in Side::BOTH.into_iter().filter(|side| top.has_kernel(*side)) {
            self.kernels[side.index()] = cell;
        }
        self.put(cell, self.stack(cell).under(top));
    }

    fn put(&mut self, cell: Cell, stack: Stack) {
        let place = &mut self.stacks[cell.index()];
        self.hash ^= stack_key(cell, *place) ^ stack_key(cell, stack);
        *place = stack;
    }

    /// The winner if the last move captured a Kernel: the mover's success counts first.
    pub(super) fn taker(&self) -> Option<Side> {
        let keeps = |side: Side| self.stack(self.kernel(side)).owner() == Some(side);
        let mover = self.to_move.other();
        if !keeps(mover.other()) {
            return Some(mover);
        }
        (!keeps(mover)).then_some(mover.other())
    }

    pub(super) fn kernel(&self, side: Side) -> Cell {
        self.kernels[side.index()]
    }

    pub(super) fn can_move(&self) -> bool {
        self.own(self.to_move).any(|(from, stack)| self.ways(from, stack) > 0)
    }

    /// The number of a side's moves that would take the other's Kernel: stacks exactly as high as they are far away,
    /// and those that can drop a piece of that side on it while they split.
    pub(super) fn attackers(&self, side: Side) -> i32 {
        let kernel = self.kernel(side.other());
        let mut found = 0;
        for dir in 0..DIRS {
            for (i, cell) in ray_of(kernel, dir).iter().enumerate() {
                let (stack, far) = (self.stack(*cell), i + 1);
                if stack.owner() == Some(side) && stack.height() >= far {
                    found += hits(stack, *cell, (dir + DIRS / 2) % DIRS, far, side);
                }
            }
        }
        found
    }
}

/// The number of moves with which a stack takes a Kernel that is `far` points away in a direction: as a whole if it is
/// exactly that high, and by splitting if the piece that it drops there is of its own side.
fn hits(stack: Stack, from: Cell, dir: usize, far: usize, side: Side) -> i32 {
    let high = stack.height();
    let splits = high > 1 && stack.piece(far - 1).side == side && goal_of(high, from, dir).is_some();
    i32::from(high == far) + i32::from(splits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amoeba::Amoeba;
    use crate::amoeba::rules::Move;
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;
    use rookery_core::{GameRules, Position, Reason};

    /// Converts the move to a move of the rules.
    fn named(at: &FastPosition, hop: FastMove) -> Move {
        let to = ray_of(hop.from, hop.dir.into())[at.stack(hop.from).height() - 1];
        Move::Go { from: hop.from, to, split: hop.split }
    }

    #[test]
    fn the_quick_board_agrees_with_the_rules_in_random_games() {
        let (mut taken, mut attacked) = (0, 0);
        for seed in 0..80 {
            let mut rng = SeededRng::new(seed);
            let mut position = Amoeba::start(&Setup::new(2)).unwrap();
            for _ in 0..120 {
                let at = FastPosition::of(&position).unwrap();
                assert_eq!(at.hash, position.repetition_hash());
                let fast_moves: Vec<FastMove> = at.fast_moves().collect();
                let mut wins = 0;
                for hop in fast_moves.iter().filter(|_| position.outcome().is_none()) {
                    let mut after = position.clone();
                    after.play_unchecked(named(&at, *hop));
                    let next = at.after(*hop);
                    assert_eq!(next.hash, after.repetition_hash());
                    let taker = after.outcome().filter(|end| end.reason == Reason::Kernel);
                    let taker = taker.map(|end| end.winners[0]);
                    assert_eq!(next.taker().map(|side| after.seat(side)), taker);
                    wins += i32::from(taker == Some(position.turn()));
                    taken += usize::from(taker.is_some());
                }
                if position.outcome().is_some() {
                    break;
                }
                assert_eq!(fast_moves.len() as u64, position.count());
                assert!(at.can_move());
                let (from, dirs) = ((0..POINTS as u8).map(Cell), 0..DIRS as u8);
                let any = from.flat_map(|from| dirs.clone().map(move |dir| (from, dir)));
                let any =
                    any.flat_map(|(from, dir)| [false, true].map(|split| FastMove { from, dir, split }));
                assert!(any.filter(|hop| at.is_legal(*hop)).eq(fast_moves.iter().copied()));
                assert_eq!(at.attackers(at.to_move), wins, "{position:?}");
                attacked += usize::from(wins > 0);
                let quiet = rng.pick(&fast_moves).copied().unwrap();
                position.play_unchecked(named(&at, quiet));
            }
        }
        assert!(taken > 100 && attacked > 100, "{taken} {attacked}");
    }
}
