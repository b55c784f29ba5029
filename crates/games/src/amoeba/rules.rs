//! Positions and moves of Amoeba.

use std::sync::LazyLock;

use rookery_core::board::Shape;
use rookery_core::seed::mix;
use rookery_core::{Board, Cell, Dir, IllegalMove, Outcome, Pie, Position, Reason, Repetitions, Score, Seat};

pub use super::stack::{PIECES, Piece, Side, Stack};

/// The number of points of the board.
pub const POINTS: usize = 37;

/// When a position occurs for this many times, the stacks are counted.
pub const REPEATS_TO_END: usize = 3;

/// One turn of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A stack moves as many points as it is high.
    Go {
        /// The point that the stack leaves.
        from: Cell,
        /// The last point, as far away as the stack is high.
        to: Cell,
        /// Whether it drops a piece on every point on the way, rather than landing as a whole.
        split: bool,
    },
    /// The second seat takes over the first move (pie rule).
    Swap,
}

/// How a game has ended, if it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    No,
    Won(Side, Reason),
    Repetition,
}

/// A position of Amoeba with its history.
#[derive(Clone, Debug, PartialEq)]
pub struct AmoebaPosition {
    stacks: [Stack; POINTS],
    to_move: Side,
    pie: Pie,
    repeats: Repetitions,
    end: End,
    hash: u64,
}

/// No line of the board is longer than seven points, so no stack moves farther than six.
const FURTHEST: usize = 6;
pub(super) const DIRS: usize = 6;

/// The last points of all paths, by height, start and direction: the most frequent lookup in this module.
struct Ways([[[Option<Cell>; DIRS]; POINTS]; FURTHEST]);

static WAYS: LazyLock<Ways> = LazyLock::new(|| {
    let goal = |height: usize, from: u8, dir| board().lines().walk(Cell(from), dir).nth(height - 1);
    let from = |height, from: usize| std::array::from_fn(|dir| goal(height, from as u8, dir));
    Ways(std::array::from_fn(|low| std::array::from_fn(|point| from(low + 1, point))))
});

impl Ways {
    #[inline]
    fn goal(&self, height: usize, from: Cell, dir: Dir) -> Option<Cell> {
        self.0.get(height.wrapping_sub(1))?[from.index()][dir]
    }
}

/// The last point of the path of a stack of this height, if it is on the board.
#[inline]
pub(super) fn goal_of(height: usize, from: Cell, dir: Dir) -> Option<Cell> {
    WAYS.goal(height, from, dir)
}

/// The points from each point in each direction, nearest first.
static RAYS: LazyLock<[[Vec<Cell>; DIRS]; POINTS]> = LazyLock::new(|| {
    let ray = |from: usize, dir| board().lines().walk(Cell(from as u8), dir).collect();
    std::array::from_fn(|from| std::array::from_fn(|dir| ray(from, dir)))
});

/// The points from a point in a direction to the edge, nearest first.
#[inline]
pub(super) fn ray_of(from: Cell, dir: Dir) -> &'static [Cell] {
    &RAYS[from.index()][dir]
}

/// The board: a hexagon of points, four along each edge.
pub fn board() -> &'static Board {
    Board::of(Shape::Hexagon { side: 4 })
}

impl AmoebaPosition {
    /// A position that occurs for the first time.
    pub fn new(stacks: [Stack; POINTS], to_move: Side) -> AmoebaPosition {
        let repeats = Repetitions::starting(0, 1);
        let mut position = AmoebaPosition { stacks, to_move, pie: Pie::Off, repeats, end: End::No, hash: 0 };
        position.hash = position.fresh_hash();
        position.end = position.compute_end();
        position.standing(1)
    }

    /// The same position with the pie rule at this stage.
    #[must_use]
    pub fn with_pie(mut self, pie: Pie) -> AmoebaPosition {
        let times = self.times();
        self.turn_pie(pie);
        self.standing(times)
    }

    /// The same position, occurring for the `times`th time (1 to 3), without earlier positions.
    #[must_use]
    pub fn standing(mut self, times: usize) -> AmoebaPosition {
        self.repeats = Repetitions::starting(self.repetition_hash(), times);
        self.end_by_repetition(times);
        self
    }

    /// The stack on a point.
    pub fn stack(&self, cell: Cell) -> Stack {
        self.stacks[cell.index()]
    }

    /// The points with a stack on them, and the stacks.
    pub fn stacks(&self) -> impl Iterator<Item = (Cell, Stack)> + '_ {
        let all = self.stacks.iter().enumerate().map(|(i, stack)| (Cell(i as u8), *stack));
        all.filter(|(_, stack)| !stack.is_empty())
    }

    /// The side that moves next.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The stage of the pie rule.
    pub fn pie(&self) -> Pie {
        self.pie
    }

    /// The number of occurrences of this position.
    pub fn times(&self) -> usize {
        self.repeats.times(self.repetition_hash())
    }

    /// The seat that plays a side.
    pub fn seat(&self, side: Side) -> Seat {
        self.pie.seat(side.index())
    }

    /// How many stacks a side controls.
    pub fn controlled(&self, side: Side) -> usize {
        self.stacks().filter(|(_, stack)| stack.owner() == Some(side)).count()
    }

    /// The last point of a stack's path in a direction, if it is on the board.
    #[inline]
    pub(super) fn goal(&self, from: Cell, dir: Dir) -> Option<Cell> {
        WAYS.goal(self.stack(from).height(), from, dir)
    }

    /// Whether the board has enough points for a stack in any direction.
    pub(super) fn can_go(&self, from: Cell) -> bool {
        (0..DIRS).any(|dir| self.goal(from, dir).is_some())
    }

    /// The side that controls the stack with a side's Kernel.
    fn kernel_controller(&self, kernel: Side) -> Option<Side> {
        let found = self.stacks().find(|(_, stack)| stack.has_kernel(kernel));
        found.and_then(|(_, stack)| stack.owner())
    }

    fn can_move(&self) -> bool {
        let own = self.stacks().filter(|(_, stack)| stack.owner() == Some(self.to_move));
        own.map(|(from, _)| from).any(|from| self.can_go(from))
    }

    /// The result, repetition aside. The mover's own success counts first.
    fn compute_end(&self) -> End {
        let mover = self.to_move.other();
        if self.kernel_controller(mover.other()) == Some(mover) {
            End::Won(mover, Reason::Kernel)
        } else if self.kernel_controller(mover) == Some(mover.other()) {
            End::Won(mover.other(), Reason::Kernel)
        } else if !self.can_move() {
            End::Won(mover, Reason::NoMoves)
        } else {
            End::No
        }
    }

    fn end_by_repetition(&mut self, times: usize) {
        if times >= REPEATS_TO_END && self.end == End::No {
            self.end = End::Repetition;
        }
    }

    /// A hash of stacks and side to move only, for counting repetitions.
    pub(super) fn repetition_hash(&self) -> u64 {
        self.hash ^ pie_key(self.pie)
    }

    /// The hashes of the positions that have occurred this many times in this game.
    pub(super) fn repeated_hashes(&self, times: usize) -> Vec<u64> {
        self.repeats.standing(times)
    }

    fn put(&mut self, cell: Cell, stack: Stack) {
        let place = &mut self.stacks[cell.index()];
        self.hash ^= stack_key(cell, *place) ^ stack_key(cell, stack);
        *place = stack;
    }

    fn go(&mut self, from: Cell, to: Cell, split: bool) {
        let stack = self.stack(from);
        self.put(from, Stack::EMPTY);
        if split {
            let Some(dir) = board().lines().direction(from, to) else { return };
            for (cell, piece) in board().lines().walk(from, dir).zip(stack.pieces()) {
                self.put(cell, self.stack(cell).under(Stack::of(piece)));
            }
        } else {
            self.put(to, self.stack(to).under(stack));
        }
        self.hash ^= TOP_KEY;
        self.to_move = self.to_move.other();
        self.turn_pie(self.pie.after_move());
        self.end = self.compute_end();
        let times = self.repeats.add(self.repetition_hash());
        self.end_by_repetition(times);
    }

    fn turn_pie(&mut self, pie: Pie) {
        self.hash ^= pie_key(self.pie) ^ pie_key(pie);
        self.pie = pie;
    }

    fn more_stacks(&self) -> Outcome {
        let [bottom, top] = Side::BOTH.map(|side| self.controlled(side));
        match bottom.cmp(&top) {
            std::cmp::Ordering::Equal => Outcome::draw(2, Reason::Repetition),
            std::cmp::Ordering::Greater => Outcome::win(self.seat(Side::Bottom), Reason::Repetition),
            std::cmp::Ordering::Less => Outcome::win(self.seat(Side::Top), Reason::Repetition),
        }
    }

    fn check_go(&self, from: Cell, to: Cell, split: bool) -> Result<(), IllegalMove> {
        for cell in [from, to] {
            if cell.index() >= POINTS {
                return Err(IllegalMove::NoSuchCell { cell: format!("#{}", cell.0) });
            }
        }
        super::legality::check_stack(self, from)?;
        super::legality::check_goal(self, from, to)?;
        if split && self.stack(from).height() < 2 {
            return Err(IllegalMove::rule("amoeba-nothing-to-split", [board().name(from)]));
        }
        Ok(())
    }
}

impl Position for AmoebaPosition {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Seat {
        self.seat(self.to_move)
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.end {
            End::No => None,
            End::Won(side, reason) => Some(Outcome::win(self.seat(side), reason)),
            End::Repetition => Some(self.more_stacks()),
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.end != End::No {
            return;
        }
        for (from, stack) in self.stacks().filter(|(_, stack)| stack.owner() == Some(self.to_move)) {
            let goals = (0..DIRS).filter_map(|dir| self.goal(from, dir));
            out.extend(goals.clone().map(|to| Move::Go { from, to, split: false }));
            if stack.height() > 1 {
                out.extend(goals.map(|to| Move::Go { from, to, split: true }));
            }
        }
        if self.pie == Pie::Open {
            out.push(Move::Swap);
        }
    }

    fn count(&self) -> u64 {
        if self.end != End::No {
            return 0;
        }
        let own = self.stacks().filter(|(_, stack)| stack.owner() == Some(self.to_move));
        let count = own.map(|(from, stack)| {
            let goals = (0..DIRS).filter(|dir| self.goal(from, *dir).is_some()).count();
            if stack.height() > 1 { 2 * goals } else { goals }
        });
        count.sum::<usize>() as u64 + u64::from(self.pie == Pie::Open)
    }

    fn check(&self, m: Move) -> Result<(), IllegalMove> {
        match m {
            _ if self.end != End::No => Err(IllegalMove::Over),
            Move::Go { from, to, split } => self.check_go(from, to, split),
            Move::Swap if self.pie == Pie::Open => Ok(()),
            Move::Swap => Err(IllegalMove::rule("amoeba-no-swap", [])),
        }
    }

    fn play_unchecked(&mut self, m: Move) {
        match m {
            Move::Go { from, to, split } => self.go(from, to, split),
            Move::Swap => self.turn_pie(Pie::Swapped),
        }
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn fresh_hash(&self) -> u64 {
        let stacks = self.stacks().fold(0, |sum, (cell, stack)| sum ^ stack_key(cell, stack));
        let turn = if self.to_move == Side::Top { TOP_KEY } else { 0 };
        stacks ^ turn ^ pie_key(self.pie)
    }

    /// The number of stacks that each seat controls.
    fn scores(&self) -> Option<Vec<Score>> {
        let score = |seat| Score { points: self.controlled(Side::BOTH[self.side(seat)]) as u32, tiles: None };
        Some(Seat::all(2).map(score).collect())
    }

    fn side(&self, seat: Seat) -> usize {
        self.pie.side(seat)
    }
}

pub(super) const TOP_KEY: u64 = mix(1);

fn pie_key(pie: Pie) -> u64 {
    mix(2 + pie as u64)
}

pub(super) fn stack_key(cell: Cell, stack: Stack) -> u64 {
    // Mixed twice, because point and tall stack together need more than 64 bits.
    if stack.is_empty() { 0 } else { mix(mix(stack.bits()) ^ (u64::from(cell.0) + 1)) }
}
