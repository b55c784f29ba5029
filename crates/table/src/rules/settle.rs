//! Settlement by proof: nothing is shared any more and the exact count says who wins. Never by opinion.
//!
//! The search is no part of deciding: the registry has it done beside the game and brings the proof as an
//! order, which counts only if the game still stands where it was proven.

use rookery_core::{CellSet, EndgameCount, OwnedRegion, Play, Score, Seat, Settlement};

use crate::model::{
    Actor, EndCause, Event, Occupant, OrderError, Proof, ProvenRegion, SettlementPolicy, Status, UserId,
};
use crate::state::Table;

impl Table {
    /// What becomes of a proven end here: as the terms say; unless they do, people ask each other in a
    /// game between them that counts for ratings, and otherwise the program plays it out.
    pub fn settlement_policy(&self) -> SettlementPolicy {
        let program = Seat::all(self.chairs().len()).any(|seat| self.is_program(seat));
        let usual = if self.is_rated() && !program {
            SettlementPolicy::SearchRequest
        } else {
            SettlementPolicy::Auto
        };
        self.terms().settle.unwrap_or(usual)
    }

    /// Whether a proof would be announced: each is announced once.
    pub(crate) fn wants_proof(&self) -> bool {
        self.running().is_ok() && self.settlement_policy() != SettlementPolicy::Off && self.proof().is_none()
    }

    /// Whether nothing is shared any more, so that a proof is worth looking for: cheap, no position is
    /// looked at.
    pub(crate) fn owes_proof(&self) -> bool {
        let separated = |play: &dyn Play| matches!(play.count_endgame(0), EndgameCount::Separated { .. });
        self.wants_proof() && self.play().is_some_and(separated)
    }

    /// The game as it was when its end was proven.
    pub fn proven_play(&self) -> Option<(Box<dyn Play>, &Proof)> {
        let proof = self.proof()?;
        Some((self.play()?.at_ply(proof.ply), proof))
    }

    /// Whether this is the last position of a table that is over: nobody is to move any more, whatever the
    /// rules say of the position.
    pub fn ends_with(&self, play: &dyn Play) -> bool {
        matches!(self.status(), Status::Over(_)) && play.ply() == self.ply()
    }

    /// Everybody's points as they count: those of the moment while the game goes on, the proven ones where
    /// it ended by proof. `None` without points, and where the end was counted and nobody played it out.
    pub fn scores(&self) -> Option<Vec<Score>> {
        let cause = match self.status() {
            Status::Over(ending) => Some(&ending.cause),
            Status::Waiting | Status::Running => None,
        };
        match cause {
            Some(EndCause::Proven { .. }) => {
                let (mut end, proof) = self.proven_play()?;
                proof.moves.iter().try_for_each(|text| end.play(text).map(drop)).ok()?;
                end.scores()
            }
            // Ahead by so much when all that is left is taken, which the points of the moment do not tell.
            Some(EndCause::Counted { margin_halves: Some(_) }) => None,
            _ => self.play()?.scores(),
        }
    }

    /// Whether the proof waits for answers: nobody has moved since, nobody has said that they play on.
    pub fn proof_stands(&self) -> bool {
        let here = self.proof().is_some_and(|proof| proof.ply == self.ply());
        here && !self.plays_on() && self.running().is_ok()
    }
}

impl Proof {
    /// A settlement in words that a journal keeps.
    pub(crate) fn of(play: &dyn Play, settlement: Settlement) -> Proof {
        let region = |domain: &OwnedRegion| ProvenRegion {
            cells: domain.cells.iter().map(|cell| play.board().name(cell).to_owned()).collect(),
            owner: domain.owner,
            least: domain.least,
            most: domain.most,
        };
        Proof {
            ply: play.ply(),
            regions: settlement.domains.iter().map(region).collect(),
            left: settlement.left,
            moves: settlement.moves,
            winners: settlement.outcome.winners,
            margin_halves: settlement.margin_halves,
        }
    }

    fn end(&self) -> Event {
        Event::ended(self.winners.clone(), EndCause::Proven { margin_halves: self.margin_halves })
    }
}

impl ProvenRegion {
    /// Its cells on the board of a game.
    pub fn cells(&self, play: &dyn Play) -> CellSet {
        let named = self.cells.iter().filter_map(|name| play.board().named(name));
        named.fold(CellSet::EMPTY, CellSet::with)
    }
}

/// A proof was found: it is announced, or ends the game.
pub(crate) fn proven(table: &Table, by: Actor, proof: &Proof) -> Result<Vec<Event>, OrderError> {
    let play = table.running()?;
    if by != Actor::System {
        return Err(OrderError::NotSeated);
    }
    if proof.ply != play.ply() {
        return Err(OrderError::Stale { meant: proof.ply, now: play.ply() });
    }
    if !table.wants_proof() || !is_reproducible(play, proof) {
        return Err(OrderError::NoOffer);
    }
    let mut events = vec![Event::Proven { proof: proof.clone() }];
    if table.settlement_policy() == SettlementPolicy::Auto {
        events.push(proof.end());
    }
    Ok(events)
}

/// Whether the moves of a proof end the game as it says.
fn is_reproducible(play: &dyn Play, proof: &Proof) -> bool {
    let mut end = play.clone_play();
    let legal = proof.moves.iter().all(|text| end.play(text).is_ok());
    let winners = end.outcome().map(|outcome| outcome.winners).unwrap_or_default();
    legal && winners == proof.winners
}

/// A player accepts the proven end, or plays on. Those who gain nothing by it must accept it: the losers, or
/// everybody if
/// it is a draw.
pub(crate) fn accept(table: &Table, who: UserId, yes: bool) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    let seat = table.playing_seat_of(who)?;
    let proof = table.proof().filter(|_| table.proof_stands()).ok_or(OrderError::NoOffer)?;
    if !yes {
        return Ok(vec![Event::PlayedOn { seat }]);
    }
    let heard = |seat: &Seat| table.occupant(*seat).and_then(Occupant::person) == Some(who);
    let waits = must_accept(table, proof).iter().any(|seat| !table.accepted().contains(seat) && !heard(seat));
    Ok(if waits { vec![Event::Accepted { seat }] } else { vec![proof.end()] })
}

/// The seats of people whose leave the end needs.
pub fn must_accept(table: &Table, proof: &Proof) -> Vec<Seat> {
    let shared = proof.winners.len() > 1;
    let is_person = |seat: &Seat| table.occupant(*seat).and_then(Occupant::person).is_some();
    let people = table.playing_seats().filter(is_person);
    people.filter(|seat| shared || !proof.winners.contains(seat)).collect()
}
