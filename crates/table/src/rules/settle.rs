//! Settlement by proof: no region is shared any more, and the exact count determines the winner. An estimate never
//! settles a game.
//!
//! Deciding does not search: the registry has the search done in parallel and sends the proof as an order, which counts
//! only if the position is still the proven one.

use rookery_core::{CellSet, EndgameCount, OwnedRegion, Play, Score, Seat, Settlement};

use crate::model::{
    Actor, EndCause, Event, Occupant, OrderError, Proof, ProvenRegion, SettlementPolicy, Status, UserId,
};
use crate::state::Table;

impl Table {
    /// Returns what happens to a proven result here. Without a choice in the terms, players of a rated game between
    /// people are asked, and otherwise the bot plays the game out.
    pub fn settlement_policy(&self) -> SettlementPolicy {
        let program = Seat::all(self.chairs().len()).any(|seat| self.is_program(seat));
        let usual = if self.is_rated() && !program { SettlementPolicy::Ask } else { SettlementPolicy::Auto };
        self.terms().settle.unwrap_or(usual)
    }

    /// Whether a proof would be announced; a table announces one at most.
    pub(crate) fn wants_proof(&self) -> bool {
        self.running().is_ok() && self.settlement_policy() != SettlementPolicy::Off && self.proof().is_none()
    }

    /// Whether no region is shared any more, so that a proof is worth searching for. Cheap: it searches no position.
    pub(crate) fn owes_proof(&self) -> bool {
        let separated = |play: &dyn Play| matches!(play.count_endgame(0), EndgameCount::Separated { .. });
        self.wants_proof() && self.play().is_some_and(separated)
    }

    /// Returns the game at the proven position, with the proof.
    pub fn proven_play(&self) -> Option<(Box<dyn Play>, &Proof)> {
        let proof = self.proof()?;
        Some((self.play()?.at_ply(proof.ply), proof))
    }

    /// Whether this is the last position of a finished table, where nobody is to move even if the rules would allow it.
    pub fn ends_with(&self, play: &dyn Play) -> bool {
        let is_last = |last: &dyn Play| play.ply() == last.ply() && play.line() == last.line();
        matches!(self.status(), Status::Over(_)) && self.play().is_some_and(is_last)
    }

    /// Returns all final scores: the current points of a running game, or the proven ones after a proof. `None` in
    /// games without points, and after a count that was not played out.
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
            // The margin assumes that all remaining points are taken, which the current points don't include.
            Some(EndCause::Counted { margin_halves: Some(_) }) => None,
            _ => self.play()?.scores(),
        }
    }

    /// Whether the proof awaits answers: nobody has moved since or declined it.
    pub fn proof_stands(&self) -> bool {
        let here = self.proof().is_some_and(|proof| proof.ply == self.ply());
        here && !self.plays_on() && self.running().is_ok()
    }
}

impl Proof {
    /// Converts a settlement to the form that a journal stores.
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

    /// Returns the moves that end the game, with their numbers in the record.
    pub fn numbered_moves(&self) -> String {
        let numbers = self.ply + 1..;
        let moves: Vec<_> = numbers.zip(&self.moves).map(|(n, text)| format!("{n}. {text}")).collect();
        moves.join(" ")
    }

    fn end(&self) -> Event {
        Event::ended(self.winners.clone(), EndCause::Proven { margin_halves: self.margin_halves })
    }
}

impl ProvenRegion {
    /// Returns its cells on the board of a game.
    pub fn cells(&self, play: &dyn Play) -> CellSet {
        let named = self.cells.iter().filter_map(|name| play.board().named(name));
        named.fold(CellSet::EMPTY, CellSet::with)
    }
}

/// Announces a proof, or ends the game with it.
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

/// Whether the moves of a proof lead to the result that it claims.
fn is_reproducible(play: &dyn Play, proof: &Proof) -> bool {
    let mut end = play.clone_play();
    let legal = proof.moves.iter().all(|text| end.play(text).is_ok());
    let winners = end.outcome().map(|outcome| outcome.winners).unwrap_or_default();
    legal && winners == proof.winners
}

/// Accepts the proven result, or plays on. Players who gain nothing must accept: the losers, or everybody in a draw.
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

/// Returns the seats of people who must accept the result.
pub fn must_accept(table: &Table, proof: &Proof) -> Vec<Seat> {
    let shared = proof.winners.len() > 1;
    let is_person = |seat: &Seat| table.occupant(*seat).and_then(Occupant::person).is_some();
    let people = table.playing_seats().filter(is_person);
    people.filter(|seat| shared || !proof.winners.contains(seat)).collect()
}
