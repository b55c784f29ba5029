//! What an order leads to: a pure function from a table and an order to events.
use jiff::Timestamp;
use rookery_core::player::Level;
use rookery_core::{EndgameCount, Outcome, Play, Seat};

use crate::model::{
    Actor, BoardChannel, EndCause, Event, Occupant, Order, OrderError, Status, Terms, UserId,
};
use crate::state::{COUNT_BUDGET_NODES, Table};
use crate::{
    SourceId, TableId, auto_moves, deletion, freeze, hints, offers, plans, rated, seats, settle, teams,
};

/// Returns the events that open a table. The game starts at once if all seats are taken.
///
/// # Errors
/// If there is no such game, or it cannot start under these terms.
pub fn open(
    id: TableId,
    terms: Terms,
    host: UserId,
    chairs: Vec<Occupant>,
) -> Result<Vec<Event>, OrderError> {
    let game = rookery_games::named(&terms.game).ok_or_else(|| OrderError::NoSuchGame(terms.game.clone()))?;
    let first = terms.begin(game, chairs.len())?;
    let table = Table::opened(id, terms.clone(), host, chairs.clone());
    let mut events = vec![Event::Opened { terms, host, chairs }];
    if is_full(table.chairs()) {
        events.push(Event::Started { line: first.start_line() });
    }
    Ok(events)
}

/// Returns the events of an imported game: the host holds every seat, and the game is over.
pub fn study(terms: Terms, host: UserId, play: &dyn Play, winners: &[Seat]) -> Vec<Event> {
    rookery_tasks::assert_off_async_threads("an imported game");
    let chairs = vec![Occupant::Human { person: host }; play.seats()];
    let mut events = vec![Event::Opened { terms, host, chairs }, Event::Started { line: play.start_line() }];
    let (moves, movers, retired) = (play.record(), play.movers(), play.retired());
    for ply in 0..=moves.len() {
        let gone = retired.iter().filter(|(after, _)| *after == ply);
        events.extend(gone.map(|(_, seat)| Event::Resigned { seat: *seat }));
        let turn = moves.get(ply).zip(movers.get(ply));
        let moved =
            |(text, mover): (&String, &Seat)| Event::Moved { seat: *mover, text: text.clone(), why: None };
        events.extend(turn.map(moved));
    }
    events.push(Event::ended(winners.to_vec(), EndCause::Imported));
    events
}

/// The result of an order.
pub struct Decision {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The positions after the first moves among the events, as far as deciding has played them, so that applying the
    /// events need not play those moves again.
    pub(crate) positions: Vec<Box<dyn Play>>,
}

impl From<Vec<Event>> for Decision {
    fn from(events: Vec<Event>) -> Decision {
        Decision { events, positions: Vec::new() }
    }
}

/// Decides what an order leads to at a moment. The table itself does not change.
///
/// # Errors
/// The reason why the order is refused.
pub fn decide(
    table: &Table,
    by: Actor,
    order: &Order,
    source: Option<SourceId>,
    now: Timestamp,
) -> Result<Decision, OrderError> {
    if source.is_some_and(|source| table.sources().any(|known| known == source)) {
        return Err(OrderError::Repeated);
    }
    let afterwards = matches!(
        order,
        Order::SetBoardChannel(_) | Order::LeaveBoardChannel { .. } | Order::Rate(_) | Order::Rematch { .. }
    );
    if matches!(table.status(), Status::Over(_)) && !afterwards {
        return Err(OrderError::Over);
    }
    freeze::check(table, order)?;
    if let Actor::Person(who) = by {
        table.check_captain(who, order)?;
    }
    let events = match order {
        Order::Join => table.join(person(by)?),
        Order::Lead { seat } => table.lead(person(by)?, *seat),
        Order::Leave => table.leave(person(by)?),
        Order::Decline => table.decline(person(by)?),
        Order::Move { text, ply } => return table.take_turn(by, text, *ply, now),
        Order::Vote { number, proposal } => teams::vote(table, person(by)?, (*number, *proposal), now),
        Order::AddMember { person, captain } => teams::add_member(table, by, *person, *captain),
        Order::RemoveMember { person, captain } => teams::remove_member(table, by, *person, *captain),
        Order::Fill(level) => table.fill(person(by)?, *level),
        Order::Plan(text) => plans::plan(table, person(by)?, text),
        Order::Unplan(which) => plans::drop_plan(table, person(by)?, which.as_ref()),
        Order::Hint => hints::ask(table, person(by)?),
        Order::Resign => table.resign(person(by)?),
        Order::Offer(offer) => offers::make(table, person(by)?, *offer),
        Order::Answer { yes, to } => offers::answer(table, person(by)?, *yes, *to),
        Order::Resume => table.resume(person(by)?),
        Order::Substitute { level } => seats::substitute(table, person(by)?, *level),
        Order::ComeBack => seats::come_back(table, person(by)?),
        Order::Rematch { table: next, instead_of } => seats::rematch(table, *next, *instead_of),
        Order::Freeze | Order::Thaw | Order::EndFrozen => freeze::decide(table, by, order, now),
        Order::LeaveBoardChannel { lost, next } => Ok(table.leave_board_channel(*lost, *next)),
        Order::Settled(proof) => settle::proven(table, by, proof),
        Order::Accept { yes } => settle::accept(table, person(by)?, *yes),
        Order::SetBoardChannel(board_channel) => Ok(table.set_board_channel(*board_channel)),
        Order::Expire => table.expire(),
        Order::Rate(known) => rated::enter(table, by, known),
        Order::Tick => table.tick(now),
        Order::RemovePerson { person, leave_policy } => {
            deletion::remove_person(table, by, *person, *leave_policy)
        }
        Order::Claim => table.claim(person(by)?, now),
        Order::GiveTime => table.give_time(person(by)?),
        Order::SeatProgram { level } => table.seat_program(person(by)?, *level, now),
        Order::SetTimeOff { person, rest } => table.set_time_off(*person, *rest),
    };
    events.map(Decision::from)
}

fn person(by: Actor) -> Result<UserId, OrderError> {
    match by {
        Actor::Person(person) => Ok(person),
        Actor::Ai | Actor::System => Err(OrderError::NotSeated),
    }
}

fn is_full(chairs: &[Occupant]) -> bool {
    chairs.iter().all(|chair| matches!(chair, Occupant::Human { .. } | Occupant::Ai { .. }))
}

impl Table {
    fn must_wait(&self) -> Result<(), OrderError> {
        if *self.status() == Status::Waiting { Ok(()) } else { Err(OrderError::BegunAlready) }
    }

    /// Returns the game of a running table.
    pub(crate) fn running(&self) -> Result<&dyn Play, OrderError> {
        match (self.status(), self.play()) {
            (Status::Running, Some(play)) => Ok(play),
            (Status::Over(_), _) => Err(OrderError::Over),
            _ => Err(OrderError::NotBegun),
        }
    }

    fn join(&self, who: UserId) -> Result<Vec<Event>, OrderError> {
        // A person who pressed twice is seated already, even if the first press started the game.
        if self.seat_of(who).is_some() {
            return Err(OrderError::SeatedAlready);
        }
        self.must_wait()?;
        let kept = self.seat_with(Occupant::Invited { person: who });
        let free =
            |seat: &Seat| self.occupant(*seat) == Some(Occupant::Open) && self.reserved_seat(*seat).is_none();
        let free = || Seat::all(self.chairs().len()).find(free);
        let seat = kept.or_else(free).ok_or_else(|| self.full())?;
        let occupant = Occupant::Human { person: who };
        self.with_start(vec![Event::Seated { seat, occupant }])
    }

    /// Makes a person the captain of a team; Discord's side has checked that they belong to it.
    fn lead(&self, who: UserId, seat: Seat) -> Result<Vec<Event>, OrderError> {
        // A person who pressed twice is seated already, even if the first press started the game.
        if self.seat_of(who).is_some() {
            return Err(OrderError::SeatedAlready);
        }
        self.must_wait()?;
        let kept = self.reserved_seat(seat);
        let occupant = Occupant::Human { person: who };
        kept.ok_or(OrderError::Full)?;
        self.with_start(vec![Event::Seated { seat, occupant }])
    }

    /// The first seat with this occupant.
    fn seat_with(&self, occupant: Occupant) -> Option<Seat> {
        Seat::all(self.chairs().len()).find(|seat| self.occupant(*seat) == Some(occupant))
    }

    /// Returns why nobody else can take a seat: the free ones may be reserved for teams.
    fn full(&self) -> OrderError {
        if self.reserved_seats().next().is_some() { OrderError::KeptForTeam } else { OrderError::Full }
    }

    /// Gives the free seats to the bot; reserved seats stay reserved.
    fn fill(&self, who: UserId, level: Level) -> Result<Vec<Event>, OrderError> {
        self.must_wait()?;
        if who != self.host() {
            return Err(OrderError::NotHost);
        }
        let free = Seat::all(self.chairs().len()).filter(|seat| self.occupant(*seat) == Some(Occupant::Open));
        let seated = |seat| Event::Seated { seat, occupant: Occupant::Ai { level } };
        let events: Vec<_> = free.map(seated).collect();
        if events.is_empty() { Err(OrderError::Full) } else { self.with_start(events) }
    }

    /// Adds the start to the events if they take the last seat.
    fn with_start(&self, mut events: Vec<Event>) -> Result<Vec<Event>, OrderError> {
        let mut chairs = self.chairs().to_vec();
        for event in &events {
            if let Event::Seated { seat, occupant } = event {
                chairs[seat.index()] = *occupant;
            }
        }
        if is_full(&chairs) {
            let game = self.game().ok_or_else(|| OrderError::NoSuchGame(self.terms().game.clone()))?;
            let line = self.terms().begin(game, self.chairs().len())?.start_line();
            events.push(Event::Started { line });
        }
        Ok(events)
    }

    fn leave(&self, who: UserId) -> Result<Vec<Event>, OrderError> {
        self.must_wait()?;
        if who == self.host() {
            return Ok(vec![Event::ended(Vec::new(), EndCause::Closed)]);
        }
        // The captain keeps the seat.
        if let Some(captain) = teams::captain_of(self, who) {
            return teams::without(self, captain, who);
        }
        match self.seat_of(who) {
            Some(seat) => Ok(vec![Event::Vacated { seat }]),
            // An invited person declines by leaving.
            None => self.decline(who),
        }
    }

    fn decline(&self, who: UserId) -> Result<Vec<Event>, OrderError> {
        self.must_wait()?;
        if self.seat_of(who).is_some() {
            return Err(OrderError::SeatedAlready);
        }
        self.turned_down(who).ok_or(OrderError::NotSeated)
    }

    /// Returns what follows when a person declines; `None` if they are not invited. A game of two, or a team, does not
    /// start without them; with more players the seat becomes free.
    pub(crate) fn turned_down(&self, who: UserId) -> Option<Vec<Event>> {
        let seat = self.seat_with(Occupant::Invited { person: who })?;
        let leads = self.sides().iter().any(|team| team.captain == who);
        let goes_on = self.playing_seats().count() > 2 && !leads;
        let vacated = Event::Vacated { seat };
        Some(vec![if goes_on { vacated } else { Event::ended(Vec::new(), EndCause::Refused) }])
    }

    fn expire(&self) -> Result<Vec<Event>, OrderError> {
        self.must_wait()?;
        Ok(vec![Event::ended(Vec::new(), EndCause::Expired)])
    }

    fn set_board_channel(&self, board_channel: BoardChannel) -> Vec<Event> {
        if self.board_channel() == Some(board_channel) {
            Vec::new()
        } else {
            vec![Event::BoardChannelSet { board_channel }]
        }
    }

    fn leave_board_channel(&self, lost: BoardChannel, next: Option<BoardChannel>) -> Vec<Event> {
        if self.board_channel() != Some(lost) || next == Some(lost) {
            return Vec::new();
        }
        let cleared_or_set =
            next.map_or(Event::BoardChannelCleared, |board_channel| Event::BoardChannelSet { board_channel });
        vec![cleared_or_set]
    }

    fn take_turn(
        &self,
        by: Actor,
        text: &str,
        ply: Option<usize>,
        now: Timestamp,
    ) -> Result<Decision, OrderError> {
        let play = self.running()?;
        if let Some(meant) = ply.filter(|ply| *ply != play.ply()) {
            return Err(OrderError::Stale { meant, now: play.ply() });
        }
        let turn = play.turn();
        self.may_move(by, turn)?;
        self.has_time(now)?;
        let mut after = play.clone_play();
        let text = after.play(text).map_err(OrderError::Move)?;
        if let (Actor::Person(who), Some(_)) = (by, self.team(turn)) {
            return teams::play(self, turn, who, text, now).map(Decision::from);
        }
        let Decision { events, positions } = self.turn_taken(turn, text, after);
        Ok(Decision { events: self.resume_event(turn).into_iter().chain(events).collect(), positions })
    }

    /// Returns the event that resumes a paused game, because a move does.
    pub(crate) fn resume_event(&self, by: Seat) -> Option<Event> {
        self.is_paused().then_some(Event::Resumed { seat: by })
    }

    /// Returns a turn of the player to move, and everything that follows by itself.
    pub(crate) fn turn(&self, text: &str) -> Result<Vec<Event>, OrderError> {
        let play = self.running()?;
        let mut after = play.clone_play();
        let text = after.play(text).map_err(OrderError::Move)?;
        Ok(self.turn_taken(play.turn(), text, after).events)
    }

    /// Returns what follows from a move by `by`; `after` is a copy of the position on which it was played.
    fn turn_taken(&self, by: Seat, text: String, after: Box<dyn Play>) -> Decision {
        let auto_turns = auto_moves::auto_turns(self, &text, after.as_ref());
        let last = auto_turns.last().map_or(after.as_ref(), |(_, last)| last.as_ref());
        let ended = last
            .outcome()
            .map(|outcome| by_the_rules(last, outcome))
            .or_else(|| self.end_of_exhibition(last));
        let moved = Event::Moved { seat: by, text, why: None };
        let (mut events, positions): (Vec<_>, Vec<_>) =
            [(moved, after)].into_iter().chain(auto_turns).unzip();
        events.extend(ended);
        Decision { events, positions }
    }

    fn may_move(&self, by: Actor, turn: Seat) -> Result<(), OrderError> {
        let fits = match by {
            Actor::Person(who) => self.plays_for(turn, who),
            Actor::Ai => self.is_program(turn),
            Actor::System => false,
        };
        match by {
            _ if fits => Ok(()),
            Actor::Person(who) => {
                // The turn does not matter to a person without a seat or who has resigned.
                let out = self.playing_seat_of(who).err();
                Err(out.unwrap_or(OrderError::NotYourTurn { whose: turn }))
            }
            _ => Err(OrderError::NotYourTurn { whose: turn }),
        }
    }

    fn resume(&self, who: UserId) -> Result<Vec<Event>, OrderError> {
        self.running()?;
        let seat = self.playing_seat_of(who)?;
        if self.is_paused() { Ok(vec![Event::Resumed { seat }]) } else { Err(OrderError::NotPaused) }
    }

    fn resign(&self, who: UserId) -> Result<Vec<Event>, OrderError> {
        let seat = self.playing_seat_of(who)?;
        self.without(seat, Event::Resigned { seat }, EndCause::Resigned)
    }

    /// Returns what follows when a player leaves the game, beginning with the event `left`: the end, if one player is
    /// left or the rules say so.
    pub(crate) fn without(&self, seat: Seat, left: Event, cause: EndCause) -> Result<Vec<Event>, OrderError> {
        let play = self.running()?;
        let others = || self.playing_seats().filter(|other| *other != seat);
        let mut events = vec![left];
        if others().count() == 1 {
            events.push(Event::ended(others().collect(), cause));
        } else {
            let mut after = play.clone_play();
            after.retire(seat);
            events.extend(after.outcome().map(|outcome| by_the_rules(after.as_ref(), outcome)));
        }
        Ok(events)
    }

    /// Counts exactly what each side has left now, within [`COUNT_BUDGET_NODES`].
    pub(crate) fn count(&self) -> Result<EndgameCount, OrderError> {
        Ok(self.running()?.count_endgame(COUNT_BUDGET_NODES))
    }
}

/// Returns the end at a final position. What the winner of a game for the last move has left is counted here, once: the
/// journal keeps it.
fn by_the_rules(end: &dyn Play, outcome: Outcome) -> Event {
    let moves_left = end.moves_left(COUNT_BUDGET_NODES);
    Event::ended(outcome.winners, EndCause::Rules { reason: outcome.reason, moves_left })
}
