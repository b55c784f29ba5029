//! What follows from events for those who watch Discord.

use rookery_core::Seat;

use super::super::clock::{Clock, MINUTE_MS, Rest, Span};
use super::super::rated;
use super::super::words::{Cause, Ending, Event, Occupant, Person};
use super::super::{Status, Table, shown};
use super::{Note, Say};

/// Lost time that is worth a message.
const LOSS_TOLD_MS: i64 = 10 * MINUTE_MS;

/// What must be said after some events. `before` is the table before them, if there was one, `table` the
/// table after them.
pub fn after(before: Option<&Table>, table: &Table, events: &[Event]) -> Vec<Say> {
    let dead = dead_offer(before, table).into_iter().chain(dead_proof(before, table));
    let dead = dead.chain(dead_pause(before, table));
    let told = events.iter().flat_map(|event| told(before, table, events, event));
    let mut all: Vec<Say> = dead.chain(tally(before, table)).chain(told).collect();
    // An announcement that is posted now need not be corrected now.
    if all.contains(&Say::Announce) {
        all.retain(|say| *say != Say::Reannounce);
    }
    all.sort_by_key(place);
    let mut once = Vec::new();
    for say in all {
        if !once.contains(&say) {
            once.push(say);
        }
    }
    once
}

/// What is posted comes first: Discord refuses changes of messages in a thread that sleeps, and a post wakes it. To
/// bring the announcement up to date may take long, so that nothing is to wait for it.
fn place(say: &Say) -> u8 {
    match say {
        Say::Strip { .. } | Say::Unoffer { .. } | Say::Reproven | Say::Unpaused | Say::Tally { .. } => 1,
        Say::Reannounce => 2,
        _ => 0,
    }
}

/// What follows from one of these events.
fn told(before: Option<&Table>, table: &Table, events: &[Event], event: &Event) -> Vec<Say> {
    match event {
        Event::Opened { .. }
        | Event::Seated { .. }
        | Event::Vacated { .. }
        | Event::Started { .. }
        | Event::Housed { .. }
        | Event::Unhoused
        | Event::Frozen
        | Event::Thawed
        | Event::Rematched { .. }
        | Event::Ended { .. } => of_table(before, table, event),
        Event::Moved { .. }
        | Event::Undone { .. }
        | Event::Hinted { .. }
        | Event::Paused { .. }
        | Event::Resumed { .. }
        | Event::PauseOver
        | Event::Resigned { .. }
        | Event::TimedOut { .. } => of_game(table, events, event),
        Event::Offered { .. }
        | Event::Agreed { .. }
        | Event::Declined { .. }
        | Event::Proven { .. }
        | Event::Accepted { .. }
        | Event::PlayedOn { .. } => of_offers(table, event).into_iter().collect(),
        Event::Warned { .. }
        | Event::TimeUp { .. }
        | Event::TimeGiven { .. }
        | Event::Lost { .. }
        | Event::Rested { .. } => of_time(before, table, event).into_iter().collect(),
        // How a vote stands is told whatever changed it.
        Event::Enlisted { .. }
        | Event::Departed { .. }
        | Event::Proposed { .. }
        | Event::Voted { .. }
        | Event::Elected { .. } => Vec::new(),
        // What somebody plans is nobody else's business.
        Event::Planned { .. } | Event::Rated { .. } | Event::Forgotten { .. } => Vec::new(),
    }
}

/// Of a table's seats, its place, its beginning and its end.
fn of_table(before: Option<&Table>, table: &Table, event: &Event) -> Vec<Say> {
    match event {
        Event::Opened { .. } => vec![Say::Announce],
        Event::Seated { seat, occupant } if begun_before(before) => {
            let counted = before.is_some_and(Table::is_rated);
            changed_seat(table, counted, *seat, *occupant)
        }
        Event::Seated { .. } => vec![Say::Reannounce],
        Event::Vacated { seat } => [Say::Reannounce].into_iter().chain(turned_down(before, *seat)).collect(),
        Event::Started { .. } => on_start(table),
        Event::Housed { .. } => on_housed(before, table),
        Event::Thawed if table.home().is_none() => vec![Say::MakeThread],
        Event::Thawed => board_if_running(table).into_iter().chain(standing(table)).collect(),
        Event::Ended { .. } => on_end(table),
        _ => Vec::new(),
    }
}

/// Of turns taken and taken back, and of games that stand still.
fn of_game(table: &Table, events: &[Event], event: &Event) -> Vec<Say> {
    let with_board = |say| [say].into_iter().chain(board_if_running(table)).collect();
    match event {
        Event::Moved { .. } => after_move(table),
        Event::Undone { seat, from, .. } => after_undo(table, *seat, *from),
        Event::Hinted { seat } => vec![Say::Note { note: Note::Hinted, seat: *seat }],
        Event::Paused { seat } => vec![Say::Note { note: Note::Paused, seat: *seat }],
        // A move that takes the game up again has a board of its own.
        Event::Resumed { .. } if events.iter().any(|e| matches!(e, Event::Moved { .. })) => Vec::new(),
        Event::Resumed { seat } => with_board(Say::Note { note: Note::Resumed, seat: *seat }),
        Event::PauseOver => with_board(Say::PauseOver),
        // A game of three or four goes on without them: the board says whose turn it is.
        Event::Resigned { seat } if table.to_move().is_some() => {
            with_board(Say::Note { note: Note::GaveUp, seat: *seat })
        }
        Event::TimedOut { seat } if table.to_move().is_some() => {
            with_board(Say::Note { note: Note::OutOfTime, seat: *seat })
        }
        _ => Vec::new(),
    }
}

/// Of offers and proven ends.
fn of_offers(table: &Table, event: &Event) -> Option<Say> {
    match event {
        Event::Offered { seat, offer } => Some(Say::Offered { offer: *offer, seat: *seat, ply: table.ply() }),
        Event::Declined { seat } => Some(Say::Declined { seat: *seat }),
        Event::Proven { .. } => Some(Say::Proven),
        Event::PlayedOn { seat } => Some(Say::Note { note: Note::PlaysOn, seat: *seat }),
        _ => None,
    }
}

/// Of clocks.
fn of_time(before: Option<&Table>, table: &Table, event: &Event) -> Option<Say> {
    let ply = table.ply();
    match event {
        Event::Warned { seat, warning } => Some(Say::Warned { seat: *seat, warning: *warning, ply }),
        Event::TimeUp { seat } => Some(Say::TimeUp { seat: *seat, ply }),
        Event::TimeGiven { by, seat, more_ms } => {
            Some(Say::TimeGiven { by: *by, seat: *seat, more_ms: *more_ms })
        }
        Event::Lost { spans } => given_back(table, spans),
        Event::Rested { person, rest } => away(before, table, *person, rest),
        _ => None,
    }
}

/// That whoever was asked for a seat has said no, and the others wait for somebody else.
fn turned_down(before: Option<&Table>, seat: u8) -> Option<Say> {
    match before?.occupant(Seat::new(seat.into())?)? {
        Occupant::Invited { person } => Some(Say::TurnedDown { person }),
        _ => None,
    }
}

fn on_start(table: &Table) -> Vec<Say> {
    let shown = || casual(table).into_iter().chain(board_if_running(table));
    let next = if table.has_place() { shown().collect() } else { vec![Say::MakeThread] };
    [vec![Say::Reannounce], next].concat()
}

/// What there was no place for until now: the board, and the result if the game has ended meanwhile. What was
/// said in its first place is not said again in the next, but for what waits for somebody: it may be what found that
/// place gone. Before its first place all of that is still to be said.
fn on_housed(before: Option<&Table>, table: &Table) -> Vec<Say> {
    let over = table.play().is_some() && matches!(table.status(), Status::Over(_));
    let was_shown = before.is_some_and(Table::was_shown);
    let casual = casual(table).filter(|_| !was_shown);
    let standing = if was_shown { standing(table) } else { Vec::new() };
    let shown = casual.into_iter().chain(board_if_running(table)).chain(standing);
    shown.chain(over.then_some(Say::Result)).collect()
}

/// What waits for somebody, and no board tells: a pause, an offer, a proven end, a time that is up.
fn standing(table: &Table) -> Vec<Say> {
    let Some(mover) = table.to_move() else { return Vec::new() };
    let (ply, index) = (table.ply(), |seat: Seat| seat.index() as u8);
    // The seat does not matter: whoever likes takes it up again.
    let paused = table.is_paused().then_some(Say::Note { note: Note::Paused, seat: 0 });
    let offered = table.offer().map(|it| Say::Offered { offer: it.offer, seat: index(it.by), ply });
    let proven = table.proof_stands().then_some(Say::Proven);
    let is_up = !table.stands_still() && table.clock().is_some_and(Clock::is_marked_up);
    let up = is_up.then_some(Say::TimeUp { seat: index(mover), ply });
    [paused, offered, proven, up].into_iter().flatten().collect()
}

/// That a game does not count for ratings, where people sat down to one that was to.
fn casual(table: &Table) -> Option<Say> {
    let program = table.playing_seats().find(|seat| table.is_program(*seat))?;
    let was_to = table.terms().rated && table.play().is_some() && !rated::can_count(table.chairs());
    was_to.then_some(Say::Note { note: Note::Casual, seat: program.index() as u8 })
}

fn board_if_running(table: &Table) -> Option<Say> {
    let begun = table.play().is_some();
    begun.then(|| Say::Board { ply: table.ply() })
}

/// The board of this turn, then the buttons off the one before. Without a home there is nowhere to
/// post yet: the board follows when the thread is there.
fn after_move(table: &Table) -> Vec<Say> {
    let ply = table.ply();
    if !shown::is_shown(table, ply) {
        return Vec::new();
    }
    if !table.has_place() {
        // Where its place is gone, whoever is to move is told so in another way.
        return table.was_shown().then_some(Say::Board { ply }).into_iter().collect();
    }
    let strip = shown::shown_before(table, ply).map(|ply| Say::Strip { ply });
    std::iter::once(Say::Board { ply }).chain(strip).collect()
}

/// An offer that stood before and does not any more.
fn dead_offer(before: Option<&Table>, table: &Table) -> Option<Say> {
    let before = before?;
    let number = |table: &Table| table.offer().map(|offer| offer.number);
    let died = before.offer().is_some() && number(before) != number(table);
    let made = before.offer().map(|offer| (offer.offer, offer.by.index() as u8));
    (died && table.has_place()).then(|| Say::Unoffer { ply: before.ply(), made })
}

/// A pause that is over, however it ended.
fn dead_pause(before: Option<&Table>, table: &Table) -> Option<Say> {
    let stands = |table: &Table| table.is_paused() && *table.status() == Status::Running;
    let over = before.is_some_and(stands) && !stands(table);
    (over && table.has_place()).then_some(Say::Unpaused)
}

/// The question whether to accept a proven end, once it is answered or overtaken.
fn dead_proof(before: Option<&Table>, table: &Table) -> Option<Say> {
    let died = before.is_some_and(Table::proof_stands) && !table.proof_stands();
    (died && table.has_place()).then_some(Say::Reproven)
}

/// A vote in which something has changed, or that is over. One that was settled by its first proposal is
/// told of by the board.
fn tally(before: Option<&Table>, table: &Table) -> Option<Say> {
    let held = |table: &Table| table.ballot().filter(|ballot| ballot.votes() > 0).cloned();
    let (was, is) = (before.and_then(held), held(table));
    let changed = was != is && table.has_place();
    let ballot = is.or(was).filter(|_| changed)?;
    Some(Say::Tally { number: ballot.number, ply: ballot.ply })
}

fn begun_before(before: Option<&Table>) -> bool {
    before.is_some_and(|before| before.play().is_some())
}

/// Whoever sits there from now on, and the board if it is their turn, so that they hear of it. `counted`
/// says whether the game counted for ratings before.
fn changed_seat(table: &Table, counted: bool, seat: u8, occupant: Occupant) -> Vec<Say> {
    let note = match occupant.person() {
        Some(_) => Note::Back,
        None if counted && !table.is_rated() => Note::StandsInCasual,
        None => Note::StandsIn,
    };
    let moves = table.to_move().is_some_and(|mover| mover.index() == usize::from(seat));
    let board = board_if_running(table).filter(|_| moves && table.has_place());
    [Say::Reannounce, Say::Note { note, seat }].into_iter().chain(board).collect()
}

/// Who took back, the board from there on; no buttons under the one that is no more.
fn after_undo(table: &Table, seat: u8, from: usize) -> Vec<Say> {
    if !table.has_place() {
        return Vec::new();
    }
    let seat = taken_back(table, seat);
    vec![Say::Strip { ply: from }, Say::Note { note: Note::Undone, seat }, Say::Board { ply: table.ply() }]
}

/// The seat whose move somebody took back: of several that they hold the one that is to move again.
fn taken_back(table: &Table, seat: u8) -> u8 {
    let holder = |seat: Seat| table.occupant(seat).and_then(Occupant::person);
    let asked = Seat::new(seat.into()).and_then(holder);
    let theirs = |mover: &Seat| asked.is_some() && holder(*mover) == asked;
    table.to_move().filter(theirs).map_or(seat, |mover| mover.index() as u8)
}

/// Boards with a moment on them are put right where it has moved by much.
fn given_back(table: &Table, spans: &[Span]) -> Option<Say> {
    let lost_ms: i64 = spans.iter().map(|span| span.until_ms - span.from_ms).sum();
    let timed = table.clock().is_some_and(|clock| clock.deadline_ms().is_some());
    (timed && lost_ms >= LOSS_TOLD_MS).then_some(Say::GivenBack { lost_ms })
}

/// Days off are announced when they begin and when they end sooner than they were to.
fn away(before: Option<&Table>, table: &Table, person: Person, rest: &Rest) -> Option<Say> {
    let (now_ms, seat) = (table.at_ms(), table.seat_of(person)?);
    let goes_on = |away: &Span| away.until_ms > now_ms;
    let old = before.and_then(Table::clock).and_then(|clock| clock.rest(seat).away).filter(goes_on);
    let new = rest.away.filter(goes_on);
    let until_ms = new.map_or(now_ms, |away| away.until_ms);
    (old != new).then_some(Say::Away { person, until_ms })
}

fn on_end(table: &Table) -> Vec<Say> {
    let mut says = vec![Say::Reannounce];
    let lapsed = |ending: &Ending| ending.cause == Cause::Refused;
    if matches!(table.status(), Status::Over(ending) if lapsed(ending)) {
        says.push(Say::Lapsed);
    }
    if rated::is_due(table) {
        says.push(Say::Rate);
    }
    if table.has_second() {
        says.push(Say::Second);
    }
    let begun = table.play().is_some() && matches!(table.status(), Status::Over(_));
    // Where its place is gone, the players are told of the result in another way.
    if begun && (table.has_place() || table.was_shown()) {
        says.push(Say::Result);
    }
    if begun && table.has_place() {
        says.push(Say::Strip { ply: table.ply() });
    }
    says
}
