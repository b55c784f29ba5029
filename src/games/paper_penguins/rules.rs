//! The rules of Paper Pen-guins (`rules.md` section 4).

use crate::kit::floe::claim::{Terms, ranking};
use crate::kit::floe::harvest::Way;
use crate::kit::floe::{Floe, Move, Phase, refuse};
use crate::kit::{Cell, CellSet, Outcome, Position, Refusal, Score, Seat};

/// Whether a move ends with a shot.
pub(super) const SPEARS: bool = false;

/// How the game counts.
pub(super) const TERMS: Terms = Terms { way: Way::Walk, standing_counts: false, tiles_decide: false };

/// A position of Paper Pen-guins.
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
            Phase::Place => self.arrive(seat, m.to),
            Phase::Move | Phase::Over => {
                let Some(from) = m.from else { return };
                self.0.lift(seat, from);
                self.0.melt(from);
                self.arrive(seat, m.to);
            }
        }
        self.0.pass_on(able);
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

    /// Whether numbers are still being laid: bare cells are not crossed out then.
    pub(super) fn is_laying(&self) -> bool {
        self.0.phase() == Phase::Lay
    }

    /// What a seat has. What its pieces stand on is in it already.
    fn score(&self, seat: Seat) -> Score {
        Score { points: self.0.taken(seat).points.into(), tiles: None }
    }

    /// Puts a piece on a cell and scores it at once.
    fn arrive(&mut self, seat: Seat, cell: Cell) {
        self.0.credit(seat, self.0.fish(cell), 0);
        self.0.put(seat, cell);
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
