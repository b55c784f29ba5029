//! The rules of Penguins (`rules.md` section 2).

use crate::kit::floe::claim::{Terms, ranking};
use crate::kit::floe::harvest::Way;
use crate::kit::floe::{Floe, Move, Phase, refuse};
use crate::kit::{Cell, CellSet, Outcome, Position, Refusal, Score, Seat};

/// Whether a move ends with a shot.
pub(super) const SPEARS: bool = false;

/// How the game counts.
pub(super) const TERMS: Terms = Terms { way: Way::Walk, standing_counts: true, tiles_decide: true };

/// A position of Penguins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State(pub(super) Floe);

impl Position for State {
    type Move = Move;

    fn seats(&self) -> usize {
        self.0.seats()
    }

    fn turn(&self) -> Seat {
        self.0.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.0.phase() != Phase::Over {
            return None;
        }
        let pair = |score: Score| (score.points, score.tiles.unwrap_or(0));
        let totals: Vec<_> = Seat::all(self.seats()).map(|seat| pair(self.score(seat))).collect();
        ranking(&totals, TERMS.tiles_decide, |seat| !self.0.is_retired(seat))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        match self.0.phase() {
            Phase::Lay | Phase::Place => out.extend(self.0.settings().iter().map(Move::set)),
            Phase::Move => {
                for from in self.0.pieces(self.turn()) {
                    out.extend(goals(&self.0, from).iter().map(|to| Move::go(from, to)));
                }
            }
            Phase::Over => {}
        }
    }

    fn count(&self) -> u64 {
        match self.0.phase() {
            Phase::Lay | Phase::Place => self.0.settings().len() as u64,
            Phase::Move => {
                let own = self.0.pieces(self.turn()).iter();
                own.map(|from| goals(&self.0, from).len() as u64).sum()
            }
            Phase::Over => 0,
        }
    }

    fn check(&self, m: Move) -> Result<(), Refusal> {
        refuse::check(&self.0, m, SPEARS)
    }

    fn play_unchecked(&mut self, m: Move) {
        let seat = self.turn();
        match self.0.phase() {
            Phase::Lay => return self.0.lay_in_turn(m.to),
            Phase::Place => self.0.put(seat, m.to),
            Phase::Move | Phase::Over => {
                let Some(from) = m.from else { return };
                let fish = self.0.fish(from);
                self.0.lift(seat, from);
                self.0.melt(from);
                self.0.credit(seat, fish, 1);
                self.0.put(seat, m.to);
            }
        }
        self.0.pass_on(able);
    }

    fn retire(&mut self, seat: Seat) {
        self.0.retire(seat);
        self.0.resume(self.0.phase(), self.turn(), able);
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn fresh_hash(&self) -> u64 {
        self.0.fresh_hash()
    }

    fn scores(&self) -> Option<Vec<Score>> {
        Some(Seat::all(self.seats()).map(|seat| self.score(seat)).collect())
    }
}

impl State {
    /// The state of the board and what everybody has.
    pub fn floe(&self) -> &Floe {
        &self.0
    }

    /// What a seat has: at the end with the tiles that it stands on.
    pub(super) fn score(&self, seat: Seat) -> Score {
        if self.0.phase() == Phase::Over {
            return self.0.with_standing(seat);
        }
        let taken = self.0.taken(seat);
        Score { points: taken.points.into(), tiles: Some(taken.tiles.into()) }
    }
}

/// Whether a seat has a legal move: some piece has a free cell beside it.
pub(super) fn able(floe: &Floe, seat: Seat) -> bool {
    floe.board().lines().near_all(floe.pieces(seat)).meets(floe.free())
}

/// Where the piece on a cell can go: straight on over free cells.
fn goals(floe: &Floe, from: Cell) -> CellSet {
    floe.board().lines().reach(from, !floe.free())
}
