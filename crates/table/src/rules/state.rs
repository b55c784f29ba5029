//! What may happen at a table: a pure function from (table, order) to events, and from events to the
//! table after them. No clock, no chance, no I/O.

mod apply;
mod leaving;
mod moves;
pub(crate) mod plans;
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

/// How many orders a table remembers, to know one that comes twice.
const SOURCES_KEPT: usize = 64;

/// Positions that the exact count may look at when somebody offers to stop: a second or two, for which the table
/// waits.
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
    /// Whether it has had a place since the game began.
    shown: bool,
    /// Copies of the table share it.
    play: Option<Arc<dyn Play>>,
    offer: Option<PendingOffer>,
    /// What was turned down in this turn, and whose offer it was.
    declined: Vec<(Seat, Offer)>,
    resigned: Vec<Seat>,
    /// Those of them who did so before the game began here.
    gone: Vec<Seat>,
    /// Whether it stands still by agreement.
    paused: bool,
    /// Whether something has made a game that was to be rated a casual one.
    casual: bool,
    /// The turn, counted from 0, for which the latest hint was had.
    hinted: Option<usize>,
    proof: Option<Proof>,
    /// Who has accepted the proven end so far.
    accepted: Vec<Seat>,
    /// Whether somebody plays on although the end is proven.
    plays_on: bool,
    /// What its result did to the ratings, once entered.
    changes: Option<Vec<RatingChange>>,
    clock: Option<Clock>,
    plans: Plans,
    teams: Teams,
    /// The turns that the table took by itself, by their numbers from 1.
    auto_moves: Vec<(usize, AutoMoveReason)>,
    /// Seats in which the program stands in, and for whom.
    away: Vec<(Seat, UserId)>,
    rematch: Option<TableId>,
    /// Since when its server is out of reach.
    frozen_since: Option<Timestamp>,
    sequence: u64,
    at: Timestamp,
    sources: VecDeque<SourceId>,
    acted: Vec<(Seat, Timestamp)>,
    /// Whose turn it is, and since which entry.
    turn: turn::Turn,
    /// The request that last took turns back, and the number of turns that stood after it.
    last_undo: Option<(SourceId, usize)>,
}

/// An offer that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingOffer {
    /// Who offers.
    pub by: Seat,
    /// What.
    pub offer: Offer,
    /// The number of the entry that made it: an answer to another one does not count.
    pub number: u64,
    /// Who has agreed so far.
    pub agreed: Vec<Seat>,
}

/// A journal that makes no sense to this version: a fault, never a person's doing.
#[derive(Debug, thiserror::Error)]
#[error("table {table}, entry {sequence}: {why}")]
pub struct BrokenJournal {
    /// The table.
    pub table: TableId,
    /// The entry.
    pub sequence: u64,
    /// Why it cannot be.
    pub why: String,
}

impl Table {
    /// The table that these entries tell of; `None` if there are none.
    ///
    /// # Errors
    /// The first entry that cannot be.
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
        let (teams, gone) = (Teams::of(&terms), leaving::gone_before(&terms));
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

    /// The table's name.
    pub fn id(&self) -> TableId {
        self.id
    }
    /// What it was opened for.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
    /// Who opened it.
    pub fn host(&self) -> UserId {
        self.host
    }
    /// Its chairs in turn order.
    pub fn chairs(&self) -> &[Occupant] {
        &self.chairs
    }
    /// Where it stands.
    pub fn status(&self) -> &Status {
        &self.status
    }
    /// Where boards are posted, once known.
    pub fn board_channel(&self) -> Option<BoardChannel> {
        self.board_channel
    }
    /// Whether it is one message in a place that we are no member of.
    pub fn is_user_install(&self) -> bool {
        self.terms.user_install && self.board_channel.is_none()
    }
    /// Whether there is a place where it is shown: boards are posted there, or its message changes there.
    pub fn has_place(&self) -> bool {
        self.terms.user_install || self.board_channel.is_some()
    }
    /// Whether the game, since it began, has had a place where it was shown, though that may be gone.
    pub fn was_shown(&self) -> bool {
        self.shown
    }
    /// The game, once it has begun.
    pub fn play(&self) -> Option<&dyn Play> {
        self.play.as_deref()
    }
    /// The offer that waits for an answer.
    pub fn offer(&self) -> Option<&PendingOffer> {
        self.offer.as_ref()
    }
    /// Whether it counts for ratings, as things stand.
    pub fn is_rated(&self) -> bool {
        self.terms.rated && !self.casual && !self.terms.has_teams()
    }
    /// Whether the player to move has had a hint for this turn.
    pub fn is_hinted(&self) -> bool {
        self.hinted == Some(self.ply())
    }
    /// Whether nobody's time runs: by agreement, or because its server is out of reach.
    pub fn stands_still(&self) -> bool {
        self.paused || self.frozen_since.is_some()
    }
    /// Whether it stands still by agreement.
    pub fn is_paused(&self) -> bool {
        self.paused
    }
    /// The proven end, once there is one.
    pub fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }
    /// Who has accepted it so far.
    pub fn accepted(&self) -> &[Seat] {
        &self.accepted
    }
    /// Whether somebody plays on nevertheless.
    pub fn plays_on(&self) -> bool {
        self.plays_on
    }
    /// What its result did to the ratings, in seat order, once entered.
    pub fn changes(&self) -> Option<&[RatingChange]> {
        self.changes.as_deref()
    }
    /// Its clock, once the game has begun.
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }
    /// What is decided beforehand.
    pub fn plans(&self) -> &Plans {
        &self.plans
    }
    /// What is known of its teams beside the terms.
    pub(crate) fn teams(&self) -> &Teams {
        &self.teams
    }
    /// Why the table took the turn of this number, from 1, by itself; `None` if it did not.
    pub fn auto_move_reason(&self, turn: usize) -> Option<AutoMoveReason> {
        self.auto_moves.iter().find(|(number, _)| *number == turn).map(|(_, why)| *why)
    }
    /// Seats in which the program stands in for somebody, and for whom.
    pub fn away(&self) -> &[(Seat, UserId)] {
        &self.away
    }
    /// Since when it stands still because we are not in its server.
    pub fn frozen_since(&self) -> Option<Timestamp> {
        self.frozen_since
    }
    /// Where the finished game is played again.
    pub fn rematch(&self) -> Option<TableId> {
        self.rematch
    }
    /// Number of the latest entry.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }
    /// When something last happened.
    pub fn at(&self) -> Timestamp {
        self.at
    }
    /// Turns taken.
    pub fn ply(&self) -> usize {
        self.play.as_ref().map_or(0, |play| play.ply())
    }
    /// The kind of game. `None` only if a journal names a game that this version does not have.
    pub fn game(&self) -> Option<&'static dyn Game> {
        rookery_games::named(&self.terms.game)
    }

    /// The seat that is to move, while the game is on.
    pub fn to_move(&self) -> Option<Seat> {
        let play = self.play.as_ref()?;
        (self.status == Status::Running).then(|| play.turn())
    }

    /// Who holds a seat.
    pub fn occupant(&self, seat: Seat) -> Option<Occupant> {
        self.chairs.get(seat.index()).copied()
    }

    /// The seat that a person plays, alone or in a team; the one that is to move if they play several, or else one
    /// that they have not given up.
    pub fn seat_of(&self, person: UserId) -> Option<Seat> {
        let holds = |seat: &Seat| self.plays_for(*seat, person);
        let any = || Seat::all(self.chairs.len()).find(holds);
        self.to_move().filter(holds).or_else(|| self.playing_seats().find(holds)).or_else(any)
    }

    /// When a person last did something in the game.
    pub fn acted_at(&self, who: UserId) -> Option<Timestamp> {
        // For a team the person who acted is named.
        let alone = |seat: &Seat| self.is_holder_of(*seat, who) && self.team(*seat).is_none();
        let acted_at = self.acted.iter().filter(|(seat, _)| alone(seat)).map(|(_, at)| *at).max();
        acted_at.max(self.voted_at(who))
    }

    /// Whether a person, for a seat of their own, was the last to do something in the game.
    pub fn acted_last(&self, who: UserId) -> bool {
        let last = self.acted.last().map(|(seat, _)| *seat);
        last.is_some_and(|seat| self.is_holder_of(seat, who) && self.team(seat).is_none())
    }

    /// The turn that the program owes, if it is to move.
    pub fn job(&self) -> Option<Job> {
        let Occupant::Ai { level } = self.occupant(self.to_move().filter(|_| !self.stands_still())?)? else {
            return None;
        };
        let ply = self.ply();
        // Every turn draws from its own stream, so that a move does not depend on those before it.
        let seed = rookery_core::seed::mix(self.terms.draw_seed() ^ (ply as u64 + 1));
        Some(Job { table: self.id, ply, level, seed })
    }

    /// Whether a turn, counted from 1, was taken back after a message. Ids of Discord rise with time.
    pub fn was_undone_since(&self, turn: usize, message: SourceId) -> bool {
        self.last_undo.is_some_and(|(source, ply)| turn > ply && message < source)
    }

    /// Whether an offer of a seat was turned down in this turn.
    pub(crate) fn is_declined(&self, by: Seat, offer: Offer) -> bool {
        self.declined.contains(&(by, offer))
    }

    /// Whether it was brought along, only to be looked at.
    pub fn is_imported(&self) -> bool {
        matches!(&self.status, Status::Over(ending) if ending.cause == EndCause::Imported)
    }

    /// The messages and interactions by which the latest orders came, oldest first.
    pub fn sources(&self) -> impl Iterator<Item = SourceId> {
        self.sources.iter().copied()
    }

    /// The latest message or interaction before `limit` by which an order came, as far as they are remembered.
    pub fn last_source_before(&self, limit: SourceId) -> Option<SourceId> {
        self.sources().filter(|source| *source < limit).max()
    }
}
