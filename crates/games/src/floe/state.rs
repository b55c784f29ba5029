//! Positions of the penguin games: a floe and the terms of one game.
//!
//! The three games differ in three points, which are their [`Terms`]: whether a piece takes its own tile when it leaves
//! or spears another, whether the tile under a piece counts at the end or at once, and whether tiles decide ties.

use std::fmt::Debug;
use std::marker::PhantomData;

use super::endgame_count::{Terms, ranking};
use super::reachable_tiles::TakeRule;
use super::{Floe, Move, Phase, legality};
use rookery_core::{Cell, CellSet, IllegalMove, Outcome, Position, Score, Seat};

/// One of the penguin games.
pub trait FloeTerms: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The variant: what its moves take and how they score.
    const TERMS: Terms;
    /// Whether its moves end with a shot.
    const SPEARS: bool = matches!(Self::TERMS.way, TakeRule::Spear);
}

/// A position of a penguin game.
#[derive(Clone, Debug, PartialEq)]
pub struct State<K> {
    floe: Floe,
    kind: PhantomData<fn() -> K>,
}

impl<K: FloeTerms> State<K> {
    /// The position on this floe.
    pub fn new(floe: Floe) -> State<K> {
        State { floe, kind: PhantomData }
    }

    /// The board and the results so far.
    pub fn floe(&self) -> &Floe {
        &self.floe
    }

    /// The result of a seat; at the end including the tiles under its pieces, if they count.
    pub fn score(&self, seat: Seat) -> Score {
        if !K::TERMS.standing_counts {
            return Score { points: self.floe.taken(seat).points.into(), tiles: None };
        }
        if self.floe.phase() == Phase::Over {
            return self.floe.with_standing(seat);
        }
        let taken = self.floe.taken(seat);
        Score { points: taken.points.into(), tiles: Some(taken.tiles.into()) }
    }

    /// Puts a piece on a cell. The tile scores at once if standing does not count at the end.
    fn arrive(&mut self, seat: Seat, cell: Cell) {
        if !K::TERMS.standing_counts {
            self.floe.credit(seat, self.floe.fish(cell), 0);
        }
        self.floe.put(seat, cell);
    }

    /// Removes a tile from the board, and credits it if it has not scored already.
    fn take(&mut self, seat: Seat, cell: Cell) {
        if K::TERMS.standing_counts {
            self.floe.credit(seat, self.floe.fish(cell), 1);
        }
        self.floe.remove_tile(cell);
    }

    /// The position to draw after the first steps of a legal move: in games with a shot the piece stands on its goal
    /// before it shoots.
    pub(crate) fn after_steps(&self, m: Move, count: usize) -> State<K> {
        let mut after = self.clone();
        match (m.from, count) {
            (Some(from), 2) if K::SPEARS => {
                after.floe.remove_piece(self.turn(), from);
                after.arrive(self.turn(), m.to);
            }
            (Some(_), 0 | 1) | (None, 0) => {}
            _ => after.play_unchecked(m),
        }
        after
    }

    fn go(&mut self, seat: Seat, m: Move) {
        let Some(from) = m.from else { return };
        self.floe.remove_piece(seat, from);
        if let Some(tile) = if K::SPEARS { m.spear } else { m.from } {
            self.take(seat, tile);
        }
        self.arrive(seat, m.to);
    }
}

impl<K: FloeTerms> Position for State<K> {
    type Move = Move;

    fn seats(&self) -> usize {
        self.floe.seats()
    }

    fn turn(&self) -> Seat {
        self.floe.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.floe.phase() != Phase::Over {
            return None;
        }
        let pair = |score: Score| (score.points, score.tiles.unwrap_or(0));
        let totals: Vec<_> = Seat::all(self.seats()).map(|seat| pair(self.score(seat))).collect();
        ranking(&totals, K::TERMS.tiles_decide, |seat| !self.floe.is_retired(seat))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        match self.floe.phase() {
            Phase::Lay | Phase::Place => out.extend(self.floe.placement_cells().iter().map(Move::set)),
            Phase::Move => {
                for (from, to) in ways(&self.floe) {
                    if K::SPEARS {
                        let spears = spears(&self.floe, from, to).iter();
                        out.extend(spears.map(|spear| Move { spear: Some(spear), ..Move::go(from, to) }));
                    } else {
                        out.push(Move::go(from, to));
                    }
                }
            }
            Phase::Over => {}
        }
    }

    fn count(&self) -> u64 {
        match self.floe.phase() {
            Phase::Lay | Phase::Place => self.floe.placement_cells().len() as u64,
            Phase::Move if K::SPEARS => {
                ways(&self.floe).map(|(from, to)| spears(&self.floe, from, to).len() as u64).sum()
            }
            Phase::Move => {
                let own = self.floe.pieces(self.turn()).iter();
                own.map(|from| goals(&self.floe, from).len() as u64).sum()
            }
            Phase::Over => 0,
        }
    }

    fn check(&self, m: Move) -> Result<(), IllegalMove> {
        legality::check(&self.floe, m, K::SPEARS)
    }

    fn play_unchecked(&mut self, m: Move) {
        let seat = self.turn();
        match self.floe.phase() {
            Phase::Lay => return self.floe.lay_in_turn(m.to),
            Phase::Place => self.arrive(seat, m.to),
            Phase::Move | Phase::Over => self.go(seat, m),
        }
        self.floe.pass_on(able);
    }

    fn is_retired(&self, seat: Seat) -> bool {
        self.floe.is_retired(seat)
    }

    fn retire(&mut self, seat: Seat) {
        self.floe.retire(seat);
        self.floe.resume(self.floe.phase(), self.turn(), able);
    }

    fn hash(&self) -> u64 {
        self.floe.hash()
    }

    fn fresh_hash(&self) -> u64 {
        self.floe.fresh_hash()
    }

    fn scores(&self) -> Option<Vec<Score>> {
        Some(Seat::all(self.seats()).map(|seat| self.score(seat)).collect())
    }
}

/// Whether a seat has a legal move: a piece with an adjacent free cell. (In games with a shot, the shot back is then
/// always possible.)
pub(crate) fn able(floe: &Floe, seat: Seat) -> bool {
    floe.board().lines().neighbours_of_all(floe.pieces(seat)).intersects(floe.free())
}

/// The origin and goal of every move of the pieces of the seat to move.
fn ways(floe: &Floe) -> impl Iterator<Item = (Cell, Cell)> + '_ {
    let own = floe.pieces(floe.turn()).iter();
    own.flat_map(|from| goals(floe, from).iter().map(move |to| (from, to)))
}

/// The goals of the piece on a cell: straight on over free cells.
fn goals(floe: &Floe, from: Cell) -> CellSet {
    floe.board().lines().reach(from, !floe.free())
}

/// The cells that a piece can spear after a move; the cell that it left is free.
fn spears(floe: &Floe, from: Cell, to: Cell) -> CellSet {
    floe.board().lines().reach(to, !floe.free().with(from).without(to))
}
