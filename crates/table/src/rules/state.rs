//! A table's state: replaying entries gives the table after them. Pure: no clock, no unseeded randomness, no I/O.

mod apply;
mod moves;
pub(crate) mod plans;
mod resignations;
mod retired_seats;
pub mod team_vote;
pub(crate) mod teams;
mod turn;

use jiff::Timestamp;
use rookery_core::{Game, Play, Seat};
use std::collections::VecDeque;
use std::sync::Arc;

use crate::clock::Clock;
use crate::model::records::{Entry, Job};
use crate::model::team::Team;
use crate::model::{
    AutoMoveReason, BoardChannel, EndCause, Event, Occupant, Offer, Proof, Status, Terms, UserId,
};
use crate::model::{RatingChange, SourceId, TableId};
use plans::Plans;
use teams::Teams;

/// The number of orders that a table remembers, to recognise repeated ones.
const SOURCES_KEPT: usize = 64;

/// The most positions of an exact count for an offer: a second or two, for which the table waits.
pub const COUNT_BUDGET_NODES: u64 = 300_000;

/// One game being played: the sum of its events.
#[derive(Clone)]
pub struct Table {
    id: TableId,
    terms: Terms,
    host: UserId,
    chairs: Vec<Occupant>,
    status: Status,
    board_channel: Option<BoardChannel>,
    /// Whether it has had a channel since the game started.
    shown: bool,
    /// Shared with copies of the table.
    play: Option<Arc<dyn Play>>,
    offer: Option<PendingOffer>,
    /// The offers declined in this turn, with the seats that made them.
    declined: Vec<(Seat, Offer)>,
    resigned: Vec<Seat>,
    /// Those of them that resigned before the game started here.
    gone: Vec<Seat>,
    /// Whether it is paused by agreement.
    paused: bool,
    /// Whether something has made a rated game casual.
    casual: bool,
    /// The ply of the latest hint.
    hinted: Option<usize>,
    proof: Option<Proof>,
    /// The seats that have accepted the proven result.
    accepted: Vec<Seat>,
    /// Whether a player has declined the proven result.
    plays_on: bool,
    /// The rating changes, once entered.
    changes: Option<Vec<RatingChange>>,
    clock: Option<Clock>,
    plans: Plans,
    teams: Teams,
    /// The turns that the table took by itself, by their number from 1.
    auto_moves: Vec<(usize, AutoMoveReason)>,
    /// The seats in which the bot substitutes, each with the person.
    away: Vec<(Seat, UserId)>,
    rematch: Option<TableId>,
    /// Since when its server is out of reach.
    frozen_since: Option<Timestamp>,
    sequence: u64,
    at: Timestamp,
    sources: VecDeque<SourceId>,
    acted: Vec<(Seat, Timestamp)>,
    /// The current turn, and the entry with which it began.
    turn: turn::Turn,
    /// The request of the last undo, and the number of turns left after it.
    last_undo: Option<(SourceId, usize)>,
}

/// An offer that awaits an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingOffer {
    /// The seat that offers.
    pub by: Seat,
    /// What the other players are asked.
    pub offer: Offer,
    /// The number of the entry that made it: answers to other offers do not count.
    pub number: u64,
    /// The seats that have agreed.
    pub agreed: Vec<Seat>,
}

/// A journal that this version cannot apply: a fault, never a person's mistake.
#[derive(Debug, thiserror::Error)]
#[error("table {table}, entry {sequence}: {why}")]
pub struct BrokenJournal {
    /// The table whose journal it is.
    pub table: TableId,
    /// The number of the entry that cannot be applied.
    pub sequence: u64,
    /// The reason, for the log.
    pub why: String,
}

impl Table {
    /// Replays entries to a table; `None` if there are none.
    ///
    /// # Errors
    /// The first entry that cannot be applied.
    pub fn replay(id: TableId, entries: &[Entry]) -> Result<Option<Table>, BrokenJournal> {
        let Some((first, rest)) = entries.split_first() else { return Ok(None) };
        let broken = |sequence, why: String| BrokenJournal { table: id, sequence, why };
        let Event::Opened { terms, host, chairs } = &first.event else {
            return Err(broken(first.sequence, "the first entry opens no table".into()));
        };
        let mut table = Table::opened(id, terms.clone(), *host, chairs.clone());
        table.note(first);
        for entry in rest {
            table.apply(entry).map_err(|why| broken(entry.sequence, why))?;
        }
        Ok(Some(table))
    }

    pub(crate) fn opened(id: TableId, terms: Terms, host: UserId, chairs: Vec<Occupant>) -> Table {
        let (teams, gone) = (Teams::of(&terms), retired_seats::gone_before(&terms));
        Table {
            id,
            terms,
            host,
            chairs,
            status: Status::Waiting,
            board_channel: None,
            shown: false,
            play: None,
            offer: None,
            declined: Vec::new(),
            resigned: gone.clone(),
            gone,
            paused: false,
            casual: false,
            hinted: None,
            proof: None,
            accepted: Vec::new(),
            plays_on: false,
            changes: None,
            clock: None,
            plans: Plans::default(),
            teams,
            auto_moves: Vec::new(),
            away: Vec::new(),
            rematch: None,
            frozen_since: None,
            sequence: 0,
            at: Timestamp::UNIX_EPOCH,
            sources: VecDeque::new(),
            acted: Vec::new(),
            turn: turn::Turn::default(),
            last_undo: None,
        }
    }

    /// Returns the table's name, such as `K7Q2`.
    pub fn id(&self) -> TableId {
        self.id
    }
    /// Returns the terms it was opened with.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
    /// Returns the person who opened it.
    pub fn host(&self) -> UserId {
        self.host
    }
    /// Returns its chairs in turn order.
    pub fn chairs(&self) -> &[Occupant] {
        &self.chairs
    }
    /// Returns whether it waits, runs or is over.
    pub fn status(&self) -> &Status {
        &self.status
    }
    /// Returns the channel for boards, once known.
    pub fn board_channel(&self) -> Option<BoardChannel> {
        self.board_channel
    }
    /// Whether it is a single message in a channel that the bot is not a member of.
    pub fn is_user_install(&self) -> bool {
        self.terms.user_install && self.board_channel.is_none()
    }
    /// Whether there is a place that shows it: boards are posted there, or its message is edited there.
    pub fn has_place(&self) -> bool {
        self.terms.user_install || self.board_channel.is_some()
    }
    /// Whether the game ever had a place that showed it; the place may be gone.
    pub fn was_shown(&self) -> bool {
        self.shown
    }
    /// Returns the game, once it has started.
    pub fn play(&self) -> Option<&dyn Play> {
        self.play.as_deref()
    }
    /// Returns the offer that awaits an answer.
    pub fn offer(&self) -> Option<&PendingOffer> {
        self.offer.as_ref()
    }
    /// Whether it is rated at the moment.
    pub fn is_rated(&self) -> bool {
        self.terms.rated && !self.casual && !self.terms.has_teams()
    }
    /// Whether the player to move has had a hint in this turn.
    pub fn is_hinted(&self) -> bool {
        self.hinted == Some(self.ply())
    }
    /// Whether no clock runs because the game is paused or frozen.
    pub fn is_suspended(&self) -> bool {
        self.paused || self.frozen_since.is_some()
    }
    /// Whether it is paused by agreement.
    pub fn is_paused(&self) -> bool {
        self.paused
    }
    /// Returns the proof of the result, once there is one.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }
    /// Returns the seats that have accepted it.
    pub fn accepted(&self) -> &[Seat] {
        &self.accepted
    }
    /// Whether a player has declined it and plays on.
    pub fn plays_on(&self) -> bool {
        self.plays_on
    }
    /// Returns the rating changes in seat order, once entered.
    pub fn changes(&self) -> Option<&[RatingChange]> {
        self.changes.as_deref()
    }
    /// Returns its clock, once the game has started.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }
    /// Returns the planned moves of all seats.
    pub fn plans(&self) -> &Plans {
        &self.plans
    }
    /// Returns what is known of its teams beyond the terms.
    pub(crate) fn teams(&self) -> &Teams {
        &self.teams
    }
    /// Returns why the table took the turn of this number, from 1, by itself; `None` if it did not.
    pub fn auto_move_reason(&self, turn: usize) -> Option<AutoMoveReason> {
        self.auto_moves.iter().find(|(number, _)| *number == turn).map(|(_, why)| *why)
    }
    /// Returns the seats in which the bot substitutes, each with the person.
    pub fn substitutions(&self) -> &[(Seat, UserId)] {
        &self.away
    }
    /// Returns since when it is frozen because the bot is not in its server.
    pub fn frozen_since(&self) -> Option<Timestamp> {
        self.frozen_since
    }
    /// Returns the table of the rematch.
    pub fn rematch(&self) -> Option<TableId> {
        self.rematch
    }
    /// Returns the number of the latest entry.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }
    /// Returns the time of the latest entry.
    pub fn at(&self) -> Timestamp {
        self.at
    }
    /// Returns the number of turns taken.
    pub fn ply(&self) -> usize {
        self.play.as_ref().map_or(0, |play| play.ply())
    }
    /// Returns the kind of game; `None` only if a journal names a game that this version does not have.
    pub fn game(&self) -> Option<&'static dyn Game> {
        rookery_games::named(&self.terms.game)
    }

    /// Returns the seat to move, while the game is running.
    pub fn to_move(&self) -> Option<Seat> {
        let play = self.play.as_ref()?;
        (self.status == Status::Running).then(|| play.turn())
    }

    /// Returns the occupant of a seat.
    pub fn occupant(&self, seat: Seat) -> Option<Occupant> {
        self.chairs.get(seat.index()).copied()
    }

    /// Returns the seat that a person plays, alone or in a team; among several the one to move, or else one that has
    /// not resigned.
    pub fn seat_of(&self, person: UserId) -> Option<Seat> {
        let holds = |seat: &Seat| self.plays_for(*seat, person);
        let any = || Seat::all(self.chairs.len()).find(holds);
        self.to_move().filter(holds).or_else(|| self.playing_seats().find(holds)).or_else(any)
    }

    /// Returns when a person last acted in the game.
    pub fn acted_at(&self, who: UserId) -> Option<Timestamp> {
        // For a team, events name the person who acted.
        let alone = |seat: &Seat| self.is_holder_of(*seat, who) && self.team(*seat).is_none();
        let acted_at = self.acted.iter().filter(|(seat, _)| alone(seat)).map(|(_, at)| *at).max();
        acted_at.max(self.voted_at(who))
    }

    /// Whether a person, for a seat of their own, was the last to act in the game.
    pub fn acted_last(&self, who: UserId) -> bool {
        let last = self.acted.last().map(|(seat, _)| *seat);
        last.is_some_and(|seat| self.is_holder_of(seat, who) && self.team(seat).is_none())
    }

    /// Returns the turn that the bot owes, if it is to move.
    pub fn job(&self) -> Option<Job> {
        let Occupant::Ai { level } = self.occupant(self.to_move().filter(|_| !self.is_suspended())?)? else {
            return None;
        };
        let ply = self.ply();
        // Every turn has its own random stream, so that a move does not depend on those before it.
        let seed = rookery_core::seed::mix(self.terms.draw_seed() ^ (ply as u64 + 1));
        Some(Job { table: self.id, ply, level, seed })
    }

    /// Whether a turn, counted from 1, was taken back after a message. Discord's ids increase with time.
    pub fn was_undone_since(&self, turn: usize, message: SourceId) -> bool {
        self.last_undo.is_some_and(|(source, ply)| turn > ply && message < source)
    }

    /// Whether an offer of a seat was declined in this turn.
    pub(crate) fn is_declined(&self, by: Seat, offer: Offer) -> bool {
        self.declined.contains(&(by, offer))
    }

    /// Returns the offers of a seat that were declined in this turn.
    pub fn declined_offers(&self, by: Seat) -> impl Iterator<Item = Offer> {
        self.declined.iter().filter(move |(seat, _)| *seat == by).map(|(_, offer)| *offer)
    }

    /// Whether it was imported for viewing only.
    pub fn is_imported(&self) -> bool {
        matches!(&self.status, Status::Over(ending) if ending.cause == EndCause::Imported)
    }

    /// Returns the messages and interactions of the latest orders, oldest first.
    pub fn sources(&self) -> impl Iterator<Item = SourceId> {
        self.sources.iter().copied()
    }

    /// Returns the latest message or interaction of an order before `limit`, among those remembered.
    pub fn last_source_before(&self, limit: SourceId) -> Option<SourceId> {
        self.sources().filter(|source| *source < limit).max()
    }
}
