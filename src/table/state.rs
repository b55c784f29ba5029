//! What may happen at a table: a pure function from (table, order) to events, and from events to the
//! table after them. No clock, no chance, no I/O.

use std::collections::VecDeque;

use crate::games;
use crate::kit::player::Level;
use crate::kit::{Claim, Game, Outcome, Play, Seat};

use super::clock::Clock;
use super::plans::{self, Plans};
use super::rated::{self, Change};
use super::words::{
    By, Cause, Ending, Event, Home, Occupant, Offer, Order, Person, Proof, Refused, Status, Terms, Why,
};
use super::{TableId, ports::Card, ports::Entry, ports::Job, ports::Stage};
use super::{follow, freeze, hints, offers, seats, settle, time};

/// How many orders a table remembers, to know one that comes twice.
const SOURCES_KEPT: usize = 64;

/// Positions that the exact count may look at when somebody offers to stop.
pub const COUNT_BUDGET_NODES: u64 = 2_000_000;

/// One game being played: the sum of its events.
#[derive(Clone)]
pub struct Table {
    id: TableId,
    terms: Terms,
    host: Person,
    chairs: Vec<Occupant>,
    status: Status,
    home: Option<Home>,
    play: Option<Box<dyn Play>>,
    offer: Option<Standing>,
    resigned: Vec<Seat>,
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
    changes: Option<Vec<Change>>,
    clock: Option<Clock>,
    plans: Plans,
    /// The turns that the table took by itself, by their numbers from 1.
    whys: Vec<(usize, Why)>,
    /// Seats in which the program stands in, and for whom.
    away: Vec<(Seat, Person)>,
    rematch: Option<TableId>,
    /// Since when its server is out of reach.
    frozen_ms: Option<i64>,
    sequence: u64,
    at_ms: i64,
    sources: VecDeque<u64>,
}

/// An offer that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
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

    fn opened(id: TableId, terms: Terms, host: Person, chairs: Vec<Occupant>) -> Table {
        Table {
            id,
            terms,
            host,
            chairs,
            status: Status::Waiting,
            home: None,
            play: None,
            offer: None,
            resigned: Vec::new(),
            paused: false,
            casual: false,
            hinted: None,
            proof: None,
            accepted: Vec::new(),
            plays_on: false,
            changes: None,
            clock: None,
            plans: Plans::default(),
            whys: Vec::new(),
            away: Vec::new(),
            rematch: None,
            frozen_ms: None,
            sequence: 0,
            at_ms: 0,
            sources: VecDeque::new(),
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
    pub fn host(&self) -> Person {
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
    pub fn home(&self) -> Option<Home> {
        self.home
    }
    /// The game, once it has begun.
    pub fn play(&self) -> Option<&dyn Play> {
        self.play.as_deref()
    }
    /// The offer that waits for an answer.
    pub fn offer(&self) -> Option<&Standing> {
        self.offer.as_ref()
    }
    /// Who has given up, in the order of giving up.
    pub fn resigned(&self) -> &[Seat] {
        &self.resigned
    }
    /// Whether it counts for ratings, as things stand.
    pub fn is_rated(&self) -> bool {
        self.terms.rated && !self.casual
    }
    /// Whether whoever is to move has had a hint for this turn.
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
    pub fn changes(&self) -> Option<&[Change]> {
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
    /// Why the table took the turn of this number, from 1, by itself; `None` if it did not.
    pub fn why(&self, turn: usize) -> Option<Why> {
        self.whys.iter().find(|(number, _)| *number == turn).map(|(_, why)| *why)
    }
    /// Seats in which the program stands in for somebody, and for whom.
    pub fn away(&self) -> &[(Seat, Person)] {
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
        games::named(&self.terms.game)
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

    /// The seat of a person; the one that is to move if they hold several.
    pub fn seat_of(&self, person: Person) -> Option<Seat> {
        let holds = |seat: &Seat| self.chairs[seat.index()].person() == Some(person);
        self.to_move().filter(holds).or_else(|| Seat::all(self.chairs.len()).find(holds))
    }

    /// The turn that the program owes, if it is to move.
    pub fn job(&self) -> Option<Job> {
        let Occupant::Ai { level } = self.occupant(self.to_move().filter(|_| !self.stands_still())?)? else {
            return None;
        };
        let ply = self.ply();
        // Every turn draws from its own stream, so that a move does not depend on those before it.
        let seed = crate::kit::seed::mix(self.terms.seed ^ (ply as u64 + 1));
        Some(Job { table: self.id, ply, level, seed })
    }

    /// How lists show it.
    pub fn card(&self) -> Card {
        let stage = match self.status {
            Status::Waiting => Stage::Waiting,
            Status::Running => Stage::Running,
            Status::Over(_) => Stage::Over,
        };
        let invited = |occupant: &Occupant| match occupant {
            Occupant::Invited { person } => Some(*person),
            _ => None,
        };
        let left = |seat| self.away.iter().find(|(from, _)| *from == seat).map(|(_, person)| *person);
        let seats = Seat::all(self.chairs.len()).zip(&self.chairs);
        let people: Vec<_> = seats.map(|(seat, c)| c.person().or(invited(c)).or(left(seat))).collect();
        let mover = self.to_move().and_then(|seat| self.occupant(seat)).and_then(Occupant::person);
        let winners = match &self.status {
            Status::Over(ending) => ending.winners.clone(),
            _ => Vec::new(),
        };
        Card {
            id: self.id,
            game: self.terms.game.clone(),
            stage,
            ply: self.ply(),
            guild: self.terms.guild,
            home: self.home,
            waits_for: mover.or_else(|| self.chairs.iter().find_map(invited)),
            people,
            winners,
            at_ms: self.at_ms,
            frozen_ms: self.frozen_ms,
            next_ms: self.next_ms(),
            timed: self.clock.as_ref().is_some_and(|clock| clock.mover().is_some()),
        }
    }

    /// Takes an entry in. The error says what cannot be, and means that the journal is broken.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        if entry.sequence != self.sequence + 1 {
            return Err(format!("follows entry {}", self.sequence));
        }
        if let Some(clock) = &mut self.clock {
            time::run(clock, entry);
        }
        match &entry.event {
            Event::Opened { .. } => return Err("the table is open already".into()),
            Event::Housed { home } => self.home = Some(*home),
            Event::Unhoused => self.home = None,
            Event::Frozen => self.frozen_ms = Some(entry.at_ms),
            Event::Thawed => (self.frozen_ms, self.paused) = (None, false),
            Event::Seated { seat, occupant } => self.sit_down(*seat, *occupant)?,
            Event::Rematched { table } => self.rematch = Some(*table),
            Event::Vacated { seat } => *self.chair(*seat)? = Occupant::Open,
            Event::Started { line } => self.begin(line)?,
            Event::Moved { text, why, .. } => self.advance(text, *why)?,
            Event::Planned { seat, branches } => self.plans.set(self.seat(*seat)?, branches.clone()),
            Event::Hinted { .. } => self.hinted = Some(self.ply()),
            Event::Resigned { seat } | Event::TimedOut { seat } => self.retire(*seat)?,
            Event::Offered { seat, offer } => {
                let (by, number) = (self.seat(*seat)?, entry.sequence);
                self.offer = Some(Standing { by, offer: *offer, number, agreed: Vec::new() });
            }
            Event::Agreed { seat } => {
                let seat = self.seat(*seat)?;
                self.offer.as_mut().ok_or("no offer stands")?.agreed.push(seat);
            }
            Event::Declined { .. } => self.offer = None,
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
            Event::Lost { .. }
            | Event::Rested { .. }
            | Event::Warned { .. }
            | Event::TimeUp { .. }
            | Event::TimeGiven { .. } => {}
        }
        self.tell_clock(entry);
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
        self.sequence = entry.sequence;
        self.at_ms = entry.at_ms;
        self.sources.extend(entry.source);
        while self.sources.len() > SOURCES_KEPT {
            self.sources.pop_front();
        }
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
        }
        *self.chair(seat)? = occupant;
        Ok(())
    }

    fn stand_still(&mut self, paused: bool) {
        self.paused = paused;
        self.offer = None;
    }

    /// The game as it was after so many turns, without those who have given up since.
    fn take_back(&mut self, ply: usize) -> Result<(), String> {
        let now = self.play.as_ref().filter(|now| ply < now.ply());
        let mut earlier = now.ok_or("there are no such turns to take back")?.at_ply(ply);
        let retired: Vec<Seat> = earlier.retired().into_iter().map(|(_, seat)| seat).collect();
        let gone = self.resigned.iter().filter(|seat| !retired.contains(seat));
        if earlier.seats() > 2 {
            gone.for_each(|seat| earlier.retire(*seat));
        }
        self.play = Some(earlier);
        self.offer = None;
        self.proof = self.proof.take().filter(|proof| proof.ply <= ply);
        self.plans.clear();
        self.hinted = None;
        self.whys.retain(|(turn, _)| *turn <= ply);
        Ok(())
    }

    fn begin(&mut self, line: &str) -> Result<(), String> {
        let game = self.game().ok_or_else(|| format!("no game called {}", self.terms.game))?;
        self.play = Some(game.resume(line).map_err(|e| e.to_string())?);
        self.status = Status::Running;
        Ok(())
    }

    fn retire(&mut self, seat: u8) -> Result<(), String> {
        let seat = self.seat(seat)?;
        self.resigned.push(seat);
        self.offer = None;
        self.plans.set(seat, Vec::new());
        if let Some(play) = self.play.as_mut().filter(|play| play.seats() > 2) {
            play.retire(seat);
        }
        Ok(())
    }

    fn advance(&mut self, text: &str, why: Option<Why>) -> Result<(), String> {
        let play = self.play.as_mut().ok_or("a move before the start")?;
        let text = play.play(text).map_err(|e| format!("{text}: {e}"))?;
        self.whys.extend(why.map(|why| (play.ply(), why)));
        self.plans.advance(&text);
        self.offer = None;
        Ok(())
    }
}

/// The events that open a table: it starts at once if nobody need be waited for.
pub fn open(id: TableId, terms: Terms, host: Person, chairs: Vec<Occupant>) -> Result<Vec<Event>, Refused> {
    let game = games::named(&terms.game).ok_or_else(|| Refused::NoSuchGame(terms.game.clone()))?;
    let first = terms.begin(game, chairs.len())?;
    let table = Table::opened(id, terms.clone(), host, chairs.clone());
    let mut events = vec![Event::Opened { terms, host, chairs }];
    if table.is_full() {
        events.push(Event::Started { line: first.start_line() });
    }
    Ok(events)
}

/// The events of a game that was played elsewhere: whoever brought it holds every seat, and it is over.
pub fn study(terms: Terms, host: Person, play: &dyn Play, winners: &[Seat]) -> Vec<Event> {
    let chairs = vec![Occupant::Human { person: host }; play.seats()];
    let mut events = vec![Event::Opened { terms, host, chairs }, Event::Started { line: play.start_line() }];
    let (moves, movers, retired) = (play.record(), play.movers(), play.retired());
    let index = |seat: &Seat| seat.index() as u8;
    for ply in 0..=moves.len() {
        let gone = retired.iter().filter(|(after, _)| *after == ply);
        events.extend(gone.map(|(_, seat)| Event::Resigned { seat: index(seat) }));
        let turn = moves.get(ply).zip(movers.get(ply));
        let moved = |(text, mover): (&String, &Seat)| Event::Moved {
            seat: index(mover),
            text: text.clone(),
            why: None,
        };
        events.extend(turn.map(moved));
    }
    events.push(ended(winners.to_vec(), Cause::Imported));
    events
}

/// What an order leads to at a moment, in milliseconds since 1970. Nothing has happened yet when this
/// returns.
pub fn decide(
    table: &Table,
    by: By,
    order: &Order,
    source: Option<u64>,
    now_ms: i64,
) -> Result<Vec<Event>, Refused> {
    if source.is_some_and(|source| table.sources.contains(&source)) {
        return Err(Refused::Repeated);
    }
    let afterwards =
        matches!(order, Order::House(_) | Order::Unhouse | Order::Rate(_) | Order::Rematch { .. });
    if matches!(table.status, Status::Over(_)) && !afterwards {
        return Err(Refused::Over);
    }
    freeze::may(table, order)?;
    match order {
        Order::Join => table.join(person(by)?),
        Order::Leave => table.leave(person(by)?),
        Order::Decline => table.decline(person(by)?),
        Order::Move { text, ply } => table.take_turn(by, text, *ply, now_ms),
        Order::Fill(level) => table.fill(person(by)?, *level),
        Order::Plan(text) => plans::plan(table, person(by)?, text),
        Order::Unplan(which) => plans::drop_plan(table, person(by)?, *which),
        Order::Hint => hints::ask(table, person(by)?),
        Order::Resign => table.resign(person(by)?),
        Order::Offer(offer) => offers::make(table, person(by)?, *offer),
        Order::Answer { yes, to } => offers::answer(table, person(by)?, *yes, *to),
        Order::Resume => table.resume(person(by)?),
        Order::StandIn { level } => seats::stand_in(table, person(by)?, *level),
        Order::ComeBack => seats::come_back(table, person(by)?),
        Order::Rematch { table: next, instead_of } => seats::rematch(table, *next, *instead_of),
        Order::Freeze | Order::Thaw | Order::LetGo => freeze::decide(table, by, order, now_ms),
        Order::Unhouse => Ok(table.home.map(|_| Event::Unhoused).into_iter().collect()),
        Order::Settled(proof) => settle::proven(table, by, proof),
        Order::Accept { yes } => settle::accept(table, person(by)?, *yes),
        Order::House(home) => Ok(table.move_in(*home)),
        Order::Expire => table.expire(),
        Order::Rate(known) => rated::enter(table, by, known),
        Order::Tick => table.tick(now_ms),
        Order::Claim => table.claim(person(by)?, now_ms),
        Order::GiveTime => table.give_time(person(by)?),
        Order::SeatProgram { level } => table.seat_program(person(by)?, *level, now_ms),
        Order::Rest { person, rest } => table.let_rest(*person, *rest),
    }
}

fn person(by: By) -> Result<Person, Refused> {
    match by {
        By::Person(person) => Ok(person),
        By::Ai | By::House => Err(Refused::NotSeated),
    }
}

impl Table {
    fn is_full(&self) -> bool {
        self.chairs.iter().all(|chair| matches!(chair, Occupant::Human { .. } | Occupant::Ai { .. }))
    }

    fn must_wait(&self) -> Result<(), Refused> {
        if self.status == Status::Waiting { Ok(()) } else { Err(Refused::BegunAlready) }
    }

    /// The game of a table that is being played.
    pub(super) fn running(&self) -> Result<&dyn Play, Refused> {
        match (&self.status, &self.play) {
            (Status::Running, Some(play)) => Ok(play.as_ref()),
            (Status::Over(_), _) => Err(Refused::Over),
            _ => Err(Refused::NotBegun),
        }
    }

    fn join(&self, who: Person) -> Result<Vec<Event>, Refused> {
        self.must_wait()?;
        if self.seat_of(who).is_some() {
            return Err(Refused::SeatedAlready);
        }
        let kept = self.chairs.iter().position(|c| *c == Occupant::Invited { person: who });
        let free = || self.chairs.iter().position(|c| *c == Occupant::Open);
        let seat = kept.or_else(free).ok_or(Refused::Full)? as u8;
        let occupant = Occupant::Human { person: who };
        self.with_start(vec![Event::Seated { seat, occupant }])
    }

    /// The free seats go to the program; those that are kept for somebody stay so.
    fn fill(&self, who: Person, level: Level) -> Result<Vec<Event>, Refused> {
        self.must_wait()?;
        if who != self.host {
            return Err(Refused::NotHost);
        }
        let free = self.chairs.iter().enumerate().filter(|(_, chair)| **chair == Occupant::Open);
        let seated = |seat: usize| Event::Seated { seat: seat as u8, occupant: Occupant::Ai { level } };
        let events: Vec<_> = free.map(|(seat, _)| seated(seat)).collect();
        if events.is_empty() { Err(Refused::Full) } else { self.with_start(events) }
    }

    /// Adds the start to the events if they fill the table.
    fn with_start(&self, mut events: Vec<Event>) -> Result<Vec<Event>, Refused> {
        let mut after = self.clone();
        for event in &events {
            if let Event::Seated { seat, occupant } = event {
                after.chairs[usize::from(*seat)] = *occupant;
            }
        }
        if after.is_full() {
            let game = self.game().ok_or_else(|| Refused::NoSuchGame(self.terms.game.clone()))?;
            let line = self.terms.begin(game, self.chairs.len())?.start_line();
            events.push(Event::Started { line });
        }
        Ok(events)
    }

    fn leave(&self, who: Person) -> Result<Vec<Event>, Refused> {
        self.must_wait()?;
        if who == self.host {
            return Ok(vec![ended(Vec::new(), Cause::Closed)]);
        }
        let seat = self.seat_of(who).ok_or(Refused::NotSeated)?;
        Ok(vec![Event::Vacated { seat: seat.index() as u8 }])
    }

    fn decline(&self, who: Person) -> Result<Vec<Event>, Refused> {
        self.must_wait()?;
        let asked = self.chairs.contains(&Occupant::Invited { person: who });
        if asked { Ok(vec![ended(Vec::new(), Cause::Refused)]) } else { Err(Refused::NotSeated) }
    }

    fn expire(&self) -> Result<Vec<Event>, Refused> {
        self.must_wait()?;
        Ok(vec![ended(Vec::new(), Cause::Expired)])
    }

    fn move_in(&self, home: Home) -> Vec<Event> {
        if self.home == Some(home) { Vec::new() } else { vec![Event::Housed { home }] }
    }

    fn take_turn(&self, by: By, text: &str, ply: Option<usize>, now_ms: i64) -> Result<Vec<Event>, Refused> {
        let play = self.running()?;
        if let Some(meant) = ply.filter(|ply| *ply != play.ply()) {
            return Err(Refused::Stale { meant, now: play.ply() });
        }
        let turn = play.turn();
        self.may_move(by, turn)?;
        self.has_time(now_ms)?;
        let mut after = play.clone_play();
        let text = after.play(text).map_err(Refused::Move)?;
        // Whoever moves in a game that stands still takes it up again.
        let seat = turn.index() as u8;
        let mut events: Vec<_> = self.paused.then_some(Event::Resumed { seat }).into_iter().collect();
        events.push(Event::Moved { seat, text: text.clone(), why: None });
        events.extend(follow::turns(self, &text, after.as_mut()));
        events.extend(after.outcome().map(by_the_rules));
        Ok(events)
    }

    fn may_move(&self, by: By, turn: Seat) -> Result<(), Refused> {
        let occupant = self.occupant(turn);
        let fits = match by {
            By::Person(who) => occupant.and_then(Occupant::person) == Some(who),
            By::Ai => matches!(occupant, Some(Occupant::Ai { .. })),
            By::House => false,
        };
        match by {
            _ if fits => Ok(()),
            By::Person(who) if self.seat_of(who).is_none() => Err(Refused::NotSeated),
            _ => Err(Refused::NotYourTurn { whose: turn.index() as u8 }),
        }
    }

    fn resume(&self, who: Person) -> Result<Vec<Event>, Refused> {
        self.running()?;
        let seat = self.seat_of(who).ok_or(Refused::NotSeated)?.index() as u8;
        if self.paused { Ok(vec![Event::Resumed { seat }]) } else { Err(Refused::NotPaused) }
    }

    fn resign(&self, who: Person) -> Result<Vec<Event>, Refused> {
        let seat = self.seat_of(who).ok_or(Refused::NotSeated)?;
        if self.resigned.contains(&seat) {
            return Err(Refused::ResignedAlready);
        }
        self.without(seat, Event::Resigned { seat: seat.index() as u8 }, Cause::Resigned)
    }

    /// What comes of somebody's leaving the game, as the first event says: the end, where one alone is
    /// left, or where the rules say so.
    pub(super) fn without(&self, seat: Seat, left: Event, cause: Cause) -> Result<Vec<Event>, Refused> {
        let play = self.running()?;
        let others = || Seat::all(self.chairs.len()).filter(|s| *s != seat && !self.resigned.contains(s));
        let mut events = vec![left];
        if others().count() == 1 {
            events.push(ended(others().collect(), cause));
        } else {
            let mut after = play.clone_play();
            after.retire(seat);
            events.extend(after.outcome().map(by_the_rules));
        }
        Ok(events)
    }

    /// What is left to each side now, looked up exactly within [`COUNT_BUDGET_NODES`].
    pub(super) fn count(&self) -> Result<Claim, Refused> {
        Ok(self.running()?.claim(COUNT_BUDGET_NODES))
    }
}

/// The event that ends a table.
pub(super) fn ended(winners: Vec<Seat>, cause: Cause) -> Event {
    let winners = winners.into_iter().map(|seat| seat.index() as u8).collect();
    Event::Ended { ending: Ending { winners, cause } }
}

fn by_the_rules(outcome: Outcome) -> Event {
    ended(outcome.winners, Cause::Rules { reason: outcome.reason })
}
