//! What may happen at a table: a pure function from (table, order) to events, and from events to the
//! table after them. No clock, no chance, no I/O.

mod card;
mod decide;
mod leaving;
mod moves;
mod turn;

use rookery_core::{Game, Play, Seat};
use std::collections::VecDeque;
use std::sync::Arc;

use crate::clock::Clock;
use crate::model::{AutoMoveReason, BoardChannel, Event, Occupant, Offer, Proof, Status, Terms, UserId};
use crate::plans::Plans;
use crate::rated::{self, RatingChange};
use crate::teams::{Team, Teams};
use crate::{SourceId, TableId, ports::Entry, ports::Job, time};

pub(crate) use decide::ended;
pub use decide::{Decision, decide, open, study};

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
    frozen_ms: Option<i64>,
    sequence: u64,
    at_ms: i64,
    sources: VecDeque<SourceId>,
    acted: Vec<(u8, i64)>,
    /// Whose turn it is, and since which entry.
    turn: turn::Turn,
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

    fn opened(id: TableId, terms: Terms, host: UserId, chairs: Vec<Occupant>) -> Table {
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
            frozen_ms: None,
            sequence: 0,
            at_ms: 0,
            sources: VecDeque::new(),
            acted: Vec::new(),
            turn: turn::Turn::default(),
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
        self.paused || self.frozen_ms.is_some()
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
    /// Since when it stands still because we are not in its server, in milliseconds since 1970.
    pub fn frozen_ms(&self) -> Option<i64> {
        self.frozen_ms
    }
    /// Where the finished game is played again.
    pub fn rematch(&self) -> Option<TableId> {
        self.rematch
    }
    /// Number of the latest entry.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }
    /// When something last happened, in milliseconds since 1970.
    pub fn at_ms(&self) -> i64 {
        self.at_ms
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

    /// When a person last did something in the game, in milliseconds since 1970.
    pub fn acted_ms(&self, who: UserId) -> Option<i64> {
        // For a team the person who acted is named.
        let alone = |seat: &Seat| self.is_holder_of(*seat, who) && self.team(*seat).is_none();
        let theirs = |seat: &u8| Seat::new((*seat).into()).filter(alone).is_some();
        let acted_ms = self.acted.iter().filter(|(seat, _)| theirs(seat)).map(|(_, at_ms)| *at_ms).max();
        acted_ms.max(self.voted_ms(who))
    }

    /// Whether a person, for a seat of their own, was the last to do something in the game.
    pub fn acted_last(&self, who: UserId) -> bool {
        let last = self.acted.last().and_then(|(seat, _)| Seat::new((*seat).into()));
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

    /// Takes an entry in.
    ///
    /// # Errors
    /// What cannot be: the journal is broken, and the table is not to be used any more.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        self.apply_decided(entry, None)
    }

    /// The same; `played` is the position after the entry's move, if deciding has played it.
    pub(crate) fn apply_decided(
        &mut self,
        entry: &Entry,
        played: Option<Box<dyn Play>>,
    ) -> Result<(), String> {
        if entry.sequence != self.sequence + 1 {
            return Err(format!("follows entry {}", self.sequence));
        }
        if let Some(clock) = &mut self.clock {
            time::run(clock, entry);
        }
        match &entry.event {
            Event::Opened { .. } => return Err("the table is open already".into()),
            Event::BoardChannelSet { board_channel } => self.board_channel = Some(*board_channel),
            Event::BoardChannelCleared => self.board_channel = None,
            Event::Frozen => self.frozen_ms = Some(entry.at_ms),
            Event::Thawed => self.frozen_ms = None,
            Event::Seated { seat, occupant } => self.sit_down(*seat, *occupant)?,
            Event::Rematched { table } => self.rematch = Some(*table),
            Event::Vacated { seat } => self.stand_up(*seat)?,
            Event::Started { line } => self.begin(line)?,
            Event::Moved { text, why, .. } => self.advance(text, *why, played)?,
            Event::Planned { seat, branches } => self.plans.set(self.seat(*seat)?, branches.clone()),
            Event::Hinted { .. } => self.hinted = Some(self.ply()),
            Event::Resigned { seat } | Event::TimedOut { seat } => self.retire(*seat)?,
            Event::Offered { seat, offer } => {
                let (by, number) = (self.seat(*seat)?, entry.sequence);
                self.offer = Some(PendingOffer { by, offer: *offer, number, agreed: Vec::new() });
            }
            Event::Agreed { seat } => {
                let seat = self.seat(*seat)?;
                self.offer.as_mut().ok_or("no offer stands")?.agreed.push(seat);
            }
            Event::Declined { .. } => self.declined.extend(self.offer.take().map(|it| (it.by, it.offer))),
            Event::Undone { ply, casual, .. } => {
                self.take_back(*ply)?;
                self.casual |= casual;
            }
            Event::Proven { proof } => {
                (self.proof, self.plays_on) = (Some(proof.clone()), false);
                self.accepted.clear();
            }
            Event::Accepted { seat } => {
                let seat = self.seat(*seat)?;
                self.accepted.push(seat);
            }
            Event::PlayedOn { .. } => self.plays_on = true,
            Event::Paused { .. } => self.stand_still(true),
            Event::Resumed { .. } | Event::PauseOver => self.stand_still(false),
            Event::Ended { ending } => {
                self.offer = None;
                self.status = Status::Over(ending.clone());
            }
            Event::Rated { changes, .. } => self.changes = Some(changes.clone()),
            Event::Enlisted { .. }
            | Event::Departed { .. }
            | Event::Proposed { .. }
            | Event::Voted { .. }
            | Event::Elected { .. } => self.teams.apply(&entry.event, entry.at_ms)?,
            Event::Forgotten { .. }
            | Event::Lost { .. }
            | Event::Rested { .. }
            | Event::Warned { .. }
            | Event::TimeUp { .. }
            | Event::TimeGiven { .. } => {}
        }
        self.shown |= self.play.is_some() && self.has_place();
        self.tell_clock(entry);
        let votes = self.team_to_move().is_some_and(Team::votes).then(|| self.ply());
        self.teams.hold(entry, votes, self.stands_still());
        self.note(entry);
        Ok(())
    }

    /// What an entry does to the clock, once it has done the rest.
    fn tell_clock(&mut self, entry: &Entry) {
        if matches!(entry.event, Event::Started { .. }) {
            self.clock = self.terms.clock.map(|terms| Clock::new(terms, self.chairs.len(), entry.at_ms));
        }
        let is_person = |seat: &Seat| self.occupant(*seat).and_then(Occupant::person).is_some();
        let mover = self.to_move().filter(is_person);
        if let Some(clock) = &mut self.clock {
            time::apply(clock, &self.chairs, &entry.event);
            clock.set_mover(mover);
        }
    }

    fn note(&mut self, entry: &Entry) {
        self.note_turn(entry);
        self.sequence = entry.sequence;
        self.at_ms = entry.at_ms;
        if let Some(seat) = acting(&entry.event) {
            self.acted.retain(|(other, _)| *other != seat);
            self.acted.push((seat, entry.at_ms));
        }
        self.sources.extend(entry.source);
        while self.sources.len() > SOURCES_KEPT {
            self.sources.pop_front();
        }
    }

    /// The messages and interactions by which the latest orders came, oldest first.
    pub fn sources(&self) -> impl Iterator<Item = SourceId> {
        self.sources.iter().copied()
    }

    /// The latest message or interaction before `limit` by which an order came, as far as they are remembered.
    pub fn last_source_before(&self, limit: SourceId) -> Option<SourceId> {
        self.sources().filter(|source| *source < limit).max()
    }

    fn chair(&mut self, seat: u8) -> Result<&mut Occupant, String> {
        self.chairs.get_mut(usize::from(seat)).ok_or_else(|| format!("there is no seat {seat}"))
    }

    fn seat(&self, seat: u8) -> Result<Seat, String> {
        let known = Seat::new(seat.into()).filter(|seat| seat.index() < self.chairs.len());
        known.ok_or_else(|| format!("there is no seat {seat}"))
    }

    fn sit_down(&mut self, seat: u8, occupant: Occupant) -> Result<(), String> {
        let (at, before) = (self.seat(seat)?, *self.chair(seat)?);
        self.away.retain(|(seat, _)| *seat != at);
        if let (Occupant::Human { person }, Occupant::Ai { .. }) = (before, occupant) {
            self.away.push((at, person));
            // Moves of the program change nobody's rating.
            self.casual = true;
        }
        *self.chair(seat)? = occupant;
        // A game that the program keeps from counting is not announced as one that counts.
        self.casual |= self.is_program(at) && !rated::can_count(&self.chairs);
        if let Occupant::Human { person } = occupant {
            self.teams.sit_down(&self.terms, seat, person);
        }
        Ok(())
    }

    fn stand_up(&mut self, seat: u8) -> Result<(), String> {
        let before = std::mem::replace(self.chair(seat)?, Occupant::Open);
        self.teams.stand_up(&self.terms, seat, before.person());
        Ok(())
    }

    fn stand_still(&mut self, paused: bool) {
        self.paused = paused;
        self.offer = None;
    }

    /// The game as it was after `ply` turns, without players who have resigned since.
    fn take_back(&mut self, ply: usize) -> Result<(), String> {
        let now = self.play.as_ref().filter(|now| ply < now.ply());
        let mut earlier = now.ok_or("there are no such turns to take back")?.at_ply(ply);
        if earlier.seats() > 2 {
            for seat in &self.resigned {
                if !earlier.is_retired(*seat) {
                    earlier.retire(*seat);
                }
            }
        }
        self.play = Some(earlier.into());
        self.offer = None;
        self.declined.clear();
        self.proof = self.proof.take().filter(|proof| proof.ply <= ply);
        self.plans.clear();
        self.teams.take_back(ply);
        self.hinted = None;
        self.auto_moves.retain(|(turn, _)| *turn <= ply);
        Ok(())
    }
}

/// The seat that acted, in a game that has begun.
fn acting(event: &Event) -> Option<u8> {
    match event {
        Event::Moved { seat, .. } | Event::Offered { seat, .. } | Event::Declined { seat } => Some(*seat),
        _ => None,
    }
}
