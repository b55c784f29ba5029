//! Positions and moves of the Game of the Amazons, on any board of squares.

use std::sync::LazyLock;

use super::fast;
use rookery_core::position::perft;
use rookery_core::seed::mix;
use rookery_core::{
    Blocker, Board, Cell, CellSet, IllegalMove, MovePart, Outcome, Pie, Position, Reason, Seat,
};

/// The maximum number of amazons of a side; the minimum is one.
pub const MAX_AMAZONS: usize = 4;

/// A colour: the seat that moves first has the white amazons, unless the sides were swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The colour that moves first.
    White,
    /// The colour that moves second.
    Black,
}

impl Side {
    /// Both colours, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black: the index into `GameInfo::sides`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent of this colour.
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// One turn of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// An amazon moves and shoots.
    Go {
        /// The cell that the amazon leaves.
        from: Cell,
        /// The cell that the amazon moves to.
        to: Cell,
        /// Where its arrow lands; may be `from`.
        arrow: Cell,
    },
    /// The second seat takes over White's first move (pie rule).
    Swap,
}

/// A position: any board from 1x1 to 12x12, any number of amazons.
#[derive(Clone, PartialEq, Eq)]
pub struct AmazonsPosition {
    board: &'static Board,
    amazons: [CellSet; 2],
    arrows: CellSet,
    to_move: Side,
    pie: Pie,
    /// Moves made before this position, counted as if White had begun: even when White is to move. It affects nothing
    /// but the position line.
    plies: u16,
    hash: u64,
}

impl AmazonsPosition {
    /// A position with White's and Black's amazons and the arrows, all on different cells.
    pub fn new(
        board: &'static Board,
        amazons: [CellSet; 2],
        arrows: CellSet,
        to_move: Side,
    ) -> AmazonsPosition {
        let plies = to_move.index() as u16;
        let mut position = AmazonsPosition { board, amazons, arrows, to_move, pie: Pie::Off, plies, hash: 0 };
        position.hash = position.fresh_hash();
        position
    }

    /// The same position with the pie rule at this stage.
    #[must_use]
    pub fn with_pie(mut self, pie: Pie) -> AmazonsPosition {
        self.pie = pie;
        self.hash = self.fresh_hash();
        self
    }

    /// The same position in the move of this number (one of White's and one of Black's make one move; from 1).
    #[must_use]
    pub fn at_move(mut self, number: u16) -> AmazonsPosition {
        self.plies = number.saturating_sub(1).saturating_mul(2).saturating_add(self.to_move.index() as u16);
        self
    }

    /// The board of the position.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// The cells of the amazons of a colour.
    pub fn amazons(&self, side: Side) -> CellSet {
        self.amazons[side.index()]
    }

    /// The cells with amazons of either colour.
    pub fn all_amazons(&self) -> CellSet {
        self.amazons[0] | self.amazons[1]
    }

    /// The cells blocked by arrows.
    pub fn arrows(&self) -> CellSet {
        self.arrows
    }

    /// The cells without amazons and arrows.
    pub fn free(&self) -> CellSet {
        self.board.all() & !self.obstacles()
    }

    /// The colour that moves next.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The stage of the pie rule.
    pub fn pie(&self) -> Pie {
        self.pie
    }

    /// The current move number, as chess programs count: from 1, increased after each of Black's moves.
    pub fn move_number(&self) -> u16 {
        self.plies / 2 + 1
    }

    /// The seat that plays a colour.
    pub fn seat(&self, side: Side) -> Seat {
        self.pie.seat(side.index())
    }

    /// The colour that a seat plays.
    pub fn colour(&self, seat: Seat) -> Side {
        Side::BOTH[self.side(seat)]
    }

    /// The cells that an amazon on `from` can go to.
    pub fn goals(&self, from: Cell) -> CellSet {
        self.board.lines().reach(from, self.obstacles())
    }

    /// The cells that it can shoot at from `to`.
    pub fn targets(&self, from: Cell, to: Cell) -> CellSet {
        self.board.lines().reach(to, self.obstacles().without(from))
    }

    fn obstacles(&self) -> CellSet {
        self.all_amazons() | self.arrows
    }

    /// An amazon can move exactly if an adjacent cell is free: the shot back is then always possible.
    fn can_move(&self) -> bool {
        self.board.lines().neighbours_of_all(self.amazons(self.to_move)).intersects(self.free())
    }

    /// Checks that the side to move may move the piece on this cell.
    pub(super) fn check_piece(&self, from: Cell) -> Result<(), IllegalMove> {
        if self.amazons(self.to_move.other()).has(from) {
            return Err(IllegalMove::NotYours {
                at: self.name(from),
                whose: self.seat(self.to_move.other()),
            });
        }
        if !self.amazons(self.to_move).has(from) {
            return Err(IllegalMove::NoPiece { at: self.name(from) });
        }
        Ok(())
    }

    /// Checks that an amazon of the side to move can go from one cell to another.
    pub(super) fn check_goal(&self, from: Cell, to: Cell) -> Result<(), IllegalMove> {
        if from == to {
            return Err(IllegalMove::SameCell { at: self.name(from) });
        }
        self.check_way(MovePart::Move, from, to, self.obstacles())
    }

    fn check_shot(&self, from: Cell, to: Cell, arrow: Cell) -> Result<(), IllegalMove> {
        if arrow == to {
            // The amazon itself is there.
            return Err(self.blocked(MovePart::Shot, to, arrow, Blocker::Piece(self.turn()), to));
        }
        self.check_way(MovePart::Shot, to, arrow, self.obstacles().without(from))
    }

    fn check_way(&self, leg: MovePart, from: Cell, to: Cell, obstacles: CellSet) -> Result<(), IllegalMove> {
        let lines = self.board.lines();
        if lines.direction(from, to).is_none() {
            return Err(IllegalMove::NotALine { leg, from: self.name(from), to: self.name(to) });
        }
        match lines.obstacle(from, to, obstacles) {
            None => Ok(()),
            Some(at) => Err(self.blocked(leg, from, to, self.blocker(at), at)),
        }
    }

    fn blocker(&self, at: Cell) -> Blocker {
        let owner = Side::BOTH.into_iter().find(|side| self.amazons(*side).has(at));
        owner.map_or(Blocker::Gone, |side| Blocker::Piece(self.seat(side)))
    }

    fn blocked(&self, leg: MovePart, from: Cell, to: Cell, by: Blocker, at: Cell) -> IllegalMove {
        IllegalMove::Blocked { leg, from: self.name(from), to: self.name(to), by, at: self.name(at) }
    }

    fn check_swap(&self) -> Result<(), IllegalMove> {
        if self.pie == Pie::Open { Ok(()) } else { Err(IllegalMove::rule("amazons-no-swap", [])) }
    }

    fn check_on_board(&self, cell: Cell) -> Result<(), IllegalMove> {
        let on_board = cell.index() < self.board.len();
        if on_board { Ok(()) } else { Err(IllegalMove::NoSuchCell { cell: format!("#{}", cell.0) }) }
    }

    fn name(&self, cell: Cell) -> String {
        self.board.name(cell).to_owned()
    }

    /// Moves an amazon of the side to move, before she shoots.
    pub(super) fn step(&mut self, from: Cell, to: Cell) {
        let own = &mut self.amazons[self.to_move.index()];
        own.remove(from);
        own.insert(to);
        let amazon = &KEYS.amazon[self.to_move.index()];
        self.hash ^= amazon[from.index()] ^ amazon[to.index()];
    }

    fn go(&mut self, from: Cell, to: Cell, arrow: Cell) {
        self.step(from, to);
        self.arrows.insert(arrow);
        let keys = &*KEYS;
        self.hash ^= keys.arrow[arrow.index()] ^ keys.black;
        self.to_move = self.to_move.other();
        self.plies = self.plies.saturating_add(1);
        self.turn_pie(self.pie.after_move());
    }

    fn turn_pie(&mut self, pie: Pie) {
        self.hash ^= KEYS.pie[self.pie as usize] ^ KEYS.pie[pie as usize];
        self.pie = pie;
    }
}

impl Position for AmazonsPosition {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Seat {
        self.seat(self.to_move)
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = self.seat(self.to_move.other());
        (!self.can_move()).then(|| Outcome::win(winner, Reason::NoMoves))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        for from in self.amazons(self.to_move) {
            for to in self.goals(from) {
                out.extend(self.targets(from, to).iter().map(|arrow| Move::Go { from, to, arrow }));
            }
        }
        if self.pie == Pie::Open && self.can_move() {
            out.push(Move::Swap);
        }
    }

    fn count(&self) -> u64 {
        let lines = self.board.lines();
        let mut count = 0;
        for from in self.amazons(self.to_move) {
            let obstacles = self.obstacles().without(from);
            let goals = lines.reach(from, obstacles);
            count += goals.iter().map(|to| lines.reach(to, obstacles).len() as u64).sum::<u64>();
        }
        count + u64::from(self.pie == Pie::Open && count > 0)
    }

    /// Uses the player's board if the position fits; only this board knows the swap of the pie rule.
    fn sequences(&self, depth: u32) -> u64 {
        match fast::grid_of(self.board).filter(|_| self.pie == Pie::Off) {
            Some(grid) => grid.sequences(&grid.position(self), depth),
            None => perft(self, depth),
        }
    }

    fn check(&self, m: Move) -> Result<(), IllegalMove> {
        if !self.can_move() {
            return Err(IllegalMove::Over);
        }
        let Move::Go { from, to, arrow } = m else { return self.check_swap() };
        for cell in [from, to, arrow] {
            self.check_on_board(cell)?;
        }
        self.check_piece(from)?;
        self.check_goal(from, to)?;
        self.check_shot(from, to, arrow)
    }

    fn play_unchecked(&mut self, m: Move) {
        match m {
            Move::Go { from, to, arrow } => self.go(from, to, arrow),
            Move::Swap => self.turn_pie(Pie::Swapped),
        }
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn fresh_hash(&self) -> u64 {
        let keys = &*KEYS;
        let sum = |set: CellSet, keys: &[u64; 192]| set.iter().fold(0, |sum, cell| sum ^ keys[cell.index()]);
        let turn = if self.to_move == Side::Black { keys.black } else { 0 };
        sum(self.amazons[0], &keys.amazon[0])
            ^ sum(self.amazons[1], &keys.amazon[1])
            ^ sum(self.arrows, &keys.arrow)
            ^ turn
            ^ keys.pie[self.pie as usize]
    }

    fn side(&self, seat: Seat) -> usize {
        self.pie.side(seat)
    }
}

/// A random number for each fact about a position (A. Zobrist, 1970).
struct Keys {
    amazon: [[u64; 192]; 2],
    arrow: [u64; 192],
    black: u64,
    pie: [u64; 4],
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let list = |kind: u64| std::array::from_fn(|i| mix(kind << 8 | i as u64));
    Keys {
        amazon: [list(1), list(2)],
        arrow: list(3),
        black: mix(4 << 8),
        pie: [0, 1, 2, 3].map(|i| mix(5 << 8 | i)),
    }
});
