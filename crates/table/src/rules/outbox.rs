//! Derives from events what must be posted on Discord.

use jiff::SignedDuration;
use rookery_core::Seat;

use crate::clock::{Clock, TimeOff, TimeSpan};
pub use crate::model::outbox_item::{Note, OutboxItem};
use crate::model::{EndCause, Ending, Event, Occupant, UserId};
use crate::rated;
use crate::{Status, Table, posted_boards};

/// Lost time that is worth a message.
const MIN_ANNOUNCED_OUTAGE: SignedDuration = SignedDuration::from_mins(10);

/// What must be said after some events. `before` is the table before them, if there was one, `table` the
/// table after them.
pub fn items_after(before: Option<&Table>, table: &Table, events: &[Event]) -> Vec<OutboxItem> {
    let dead = dead_offer(before, table).into_iter().chain(dead_proof(before, table));
    let dead = dead.chain(dead_pause(before, table));
    let items_of = events.iter().flat_map(|event| items_of(before, table, events, event));
    let mut all: Vec<OutboxItem> = dead.chain(tally(before, table)).chain(items_of).collect();
    // An announcement that is posted now need not be corrected now.
    if all.contains(&OutboxItem::Announce) {
        all.retain(|item| *item != OutboxItem::Reannounce);
    }
    all.sort_by_key(post_order);
    let mut once = Vec::new();
    for item in all {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

/// What is posted comes first: Discord refuses changes of messages in a thread that sleeps, and a post wakes it. To
/// bring the announcement up to date may take long, so that nothing is to wait for it.
fn post_order(item: &OutboxItem) -> u8 {
    match item {
        OutboxItem::Strip { .. }
        | OutboxItem::Unoffer { .. }
        | OutboxItem::Reproven
        | OutboxItem::Unpaused
        | OutboxItem::Tally { .. } => 1,
        OutboxItem::Reannounce => 2,
        _ => 0,
    }
}

/// What follows from one of these events.
fn items_of(before: Option<&Table>, table: &Table, events: &[Event], event: &Event) -> Vec<OutboxItem> {
    match event {
        Event::Opened { .. }
        | Event::Seated { .. }
        | Event::Vacated { .. }
        | Event::Started { .. }
        | Event::BoardChannelSet { .. }
        | Event::BoardChannelCleared
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
        // The state of a vote is shown after every change.
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
fn of_table(before: Option<&Table>, table: &Table, event: &Event) -> Vec<OutboxItem> {
    match event {
        Event::Opened { .. } => vec![OutboxItem::Announce],
        Event::Seated { seat, occupant } if begun_before(before) => {
            let counted = before.is_some_and(Table::is_rated);
            changed_seat(table, counted, *seat, *occupant)
        }
        Event::Seated { .. } => vec![OutboxItem::Reannounce],
        Event::Vacated { seat } => {
            [OutboxItem::Reannounce].into_iter().chain(turned_down(before, *seat)).collect()
        }
        Event::Started { .. } => on_start(table),
        Event::BoardChannelSet { .. } => on_board_channel_set(before, table),
        Event::Thawed if table.board_channel().is_none() => vec![OutboxItem::MakeThread],
        Event::Thawed => board_if_running(table).into_iter().chain(pending_items(table)).collect(),
        Event::Ended { .. } => on_end(table),
        _ => Vec::new(),
    }
}

/// Of turns taken and taken back, and of games that stand still.
fn of_game(table: &Table, events: &[Event], event: &Event) -> Vec<OutboxItem> {
    let with_board = |item| [item].into_iter().chain(board_if_running(table)).collect();
    match event {
        Event::Moved { .. } => after_move(table),
        Event::Undone { seat, from, .. } => after_undo(table, *seat, *from),
        Event::Hinted { seat } => vec![OutboxItem::Note { note: Note::Hinted, seat: *seat }],
        Event::Paused { seat } => vec![OutboxItem::Note { note: Note::Paused, seat: *seat }],
        // A move that takes the game up again has a board of its own.
        Event::Resumed { .. } if events.iter().any(|e| matches!(e, Event::Moved { .. })) => Vec::new(),
        Event::Resumed { seat } => with_board(OutboxItem::Note { note: Note::Resumed, seat: *seat }),
        Event::PauseOver => with_board(OutboxItem::PauseOver),
        // A game of three or four goes on without them: the board says whose turn it is.
        Event::Resigned { seat } if table.to_move().is_some() => {
            with_board(OutboxItem::Note { note: Note::GaveUp, seat: *seat })
        }
        Event::TimedOut { seat } if table.to_move().is_some() => {
            with_board(OutboxItem::Note { note: Note::OutOfTime, seat: *seat })
        }
        _ => Vec::new(),
    }
}

/// Of offers and proven ends.
fn of_offers(table: &Table, event: &Event) -> Option<OutboxItem> {
    match event {
        Event::Offered { seat, offer } => {
            Some(OutboxItem::Offered { offer: *offer, seat: *seat, ply: table.ply() })
        }
        Event::Declined { seat } => Some(OutboxItem::Declined { seat: *seat }),
        Event::Proven { .. } => Some(OutboxItem::Proven),
        Event::PlayedOn { seat } => Some(OutboxItem::Note { note: Note::PlaysOn, seat: *seat }),
        _ => None,
    }
}

/// Of clocks.
fn of_time(before: Option<&Table>, table: &Table, event: &Event) -> Option<OutboxItem> {
    let ply = table.ply();
    match event {
        Event::Warned { seat, warning } => Some(OutboxItem::Warned { seat: *seat, warning: *warning, ply }),
        Event::TimeUp { seat } => Some(OutboxItem::TimeUp { seat: *seat, ply }),
        Event::TimeGiven { by, seat, more } => {
            Some(OutboxItem::TimeGiven { by: *by, seat: *seat, more: *more })
        }
        Event::Lost { spans } => given_back(table, spans),
        Event::Rested { person, rest } => away(before, table, *person, rest),
        _ => None,
    }
}

/// The news that an invited person declined and the seat is open again.
fn turned_down(before: Option<&Table>, seat: Seat) -> Option<OutboxItem> {
    match before?.occupant(seat)? {
        Occupant::Invited { person } => Some(OutboxItem::TurnedDown { person }),
        _ => None,
    }
}

fn on_start(table: &Table) -> Vec<OutboxItem> {
    let shown = || casual(table).into_iter().chain(board_if_running(table));
    let next = if table.has_place() { shown().collect() } else { vec![OutboxItem::MakeThread] };
    [vec![OutboxItem::Reannounce], next].concat()
}

/// What there was no place for until now: the board, and the result if the game has ended meanwhile. What was
/// said in its first place is not said again in the next, but for what waits for somebody: it may be what found that
/// place gone. Before its first place all of that is still to be said.
fn on_board_channel_set(before: Option<&Table>, table: &Table) -> Vec<OutboxItem> {
    let over = table.play().is_some() && matches!(table.status(), Status::Over(_));
    let was_shown = before.is_some_and(Table::was_shown);
    let casual = casual(table).filter(|_| !was_shown);
    let pending_items = if was_shown { pending_items(table) } else { Vec::new() };
    let shown = casual.into_iter().chain(board_if_running(table)).chain(pending_items);
    shown.chain(over.then_some(OutboxItem::Result)).collect()
}

/// What waits for somebody, and no board tells: a pause, an offer, a proven end, a time that is up.
fn pending_items(table: &Table) -> Vec<OutboxItem> {
    let Some(mover) = table.to_move() else { return Vec::new() };
    let ply = table.ply();
    // The seat doesn't matter: every player may resume.
    let paused = table.is_paused().then_some(OutboxItem::Note { note: Note::Paused, seat: Seat::FIRST });
    let offered = table.offer().map(|it| OutboxItem::Offered { offer: it.offer, seat: it.by, ply });
    let proven = table.proof_stands().then_some(OutboxItem::Proven);
    let is_up = !table.stands_still() && table.clock().is_some_and(Clock::is_flagged);
    let up = is_up.then_some(OutboxItem::TimeUp { seat: mover, ply });
    [paused, offered, proven, up].into_iter().flatten().collect()
}

/// That a game does not count for ratings, where people sat down to one that was to.
fn casual(table: &Table) -> Option<OutboxItem> {
    let program = table.playing_seats().find(|seat| table.is_program(*seat))?;
    let was_to = table.terms().rated && table.play().is_some() && !rated::can_count(table.chairs());
    was_to.then_some(OutboxItem::Note { note: Note::Casual, seat: program })
}

fn board_if_running(table: &Table) -> Option<OutboxItem> {
    let begun = table.play().is_some();
    begun.then(|| OutboxItem::Board { ply: table.ply() })
}

/// The board of this turn, then the buttons off the one before. Without a home there is nowhere to
/// post yet: the board follows when the thread is there.
fn after_move(table: &Table) -> Vec<OutboxItem> {
    let ply = table.ply();
    if !posted_boards::is_posted(table, ply) {
        return Vec::new();
    }
    if !table.has_place() {
        // If its channel is gone, the player to move is notified in another way.
        return table.was_shown().then_some(OutboxItem::Board { ply }).into_iter().collect();
    }
    let strip = posted_boards::posted_before(table, ply).map(|ply| OutboxItem::Strip { ply });
    std::iter::once(OutboxItem::Board { ply }).chain(strip).collect()
}

/// An offer that stood before and does not any more.
fn dead_offer(before: Option<&Table>, table: &Table) -> Option<OutboxItem> {
    let before = before?;
    let number = |table: &Table| table.offer().map(|offer| offer.number);
    let died = before.offer().is_some() && number(before) != number(table);
    let made = before.offer().map(|offer| (offer.offer, offer.by));
    (died && table.has_place()).then(|| OutboxItem::Unoffer { ply: before.ply(), made })
}

/// A pause that is over, however it ended.
fn dead_pause(before: Option<&Table>, table: &Table) -> Option<OutboxItem> {
    let stands = |table: &Table| table.is_paused() && *table.status() == Status::Running;
    let over = before.is_some_and(stands) && !stands(table);
    (over && table.has_place()).then_some(OutboxItem::Unpaused)
}

/// The question whether to accept a proven end, once it is answered or overtaken.
fn dead_proof(before: Option<&Table>, table: &Table) -> Option<OutboxItem> {
    let died = before.is_some_and(Table::proof_stands) && !table.proof_stands();
    (died && table.has_place()).then_some(OutboxItem::Reproven)
}

/// A vote in which something has changed, or that is over. One that was settled by its first proposal is
/// told of by the board.
fn tally(before: Option<&Table>, table: &Table) -> Option<OutboxItem> {
    let held = |table: &Table| table.team_vote().filter(|team_vote| team_vote.votes() > 0).cloned();
    let (was, is) = (before.and_then(held), held(table));
    let changed = was != is && table.has_place();
    let team_vote = is.or(was).filter(|_| changed)?;
    Some(OutboxItem::Tally { number: team_vote.number, ply: team_vote.ply })
}

fn begun_before(before: Option<&Table>) -> bool {
    before.is_some_and(|before| before.play().is_some())
}

/// The new occupant of a seat, and the board if it is their turn, so that they are notified. `counted` says
/// whether the
/// game counted for ratings before.
fn changed_seat(table: &Table, counted: bool, seat: Seat, occupant: Occupant) -> Vec<OutboxItem> {
    let note = match occupant.person() {
        Some(_) => Note::Back,
        None if counted && !table.is_rated() => Note::SubstitutedCasual,
        None => Note::Substituted,
    };
    let moves = table.to_move().is_some_and(|mover| mover == seat);
    let board = board_if_running(table).filter(|_| moves && table.has_place());
    [OutboxItem::Reannounce, OutboxItem::Note { note, seat }].into_iter().chain(board).collect()
}

/// Who took back, the board from there on; no buttons under the one that is no more.
fn after_undo(table: &Table, seat: Seat, from: usize) -> Vec<OutboxItem> {
    if !table.has_place() {
        return Vec::new();
    }
    let seat = taken_back(table, seat);
    vec![
        OutboxItem::Strip { ply: from },
        OutboxItem::Note { note: Note::Undone, seat },
        OutboxItem::Board { ply: table.ply() },
    ]
}

/// The seat whose move somebody took back: of several that they hold the one that is to move again.
fn taken_back(table: &Table, seat: Seat) -> Seat {
    let holder = |seat: Seat| table.occupant(seat).and_then(Occupant::person);
    let asked = holder(seat);
    let theirs = |mover: &Seat| asked.is_some() && holder(*mover) == asked;
    table.to_move().filter(theirs).unwrap_or(seat)
}

/// Boards with a moment on them are put right where it has moved by much.
fn given_back(table: &Table, spans: &[TimeSpan]) -> Option<OutboxItem> {
    let lost: SignedDuration = spans.iter().map(|span| span.until.duration_since(span.from)).sum();
    let timed = table.clock().is_some_and(|clock| clock.deadline().is_some());
    (timed && lost >= MIN_ANNOUNCED_OUTAGE).then_some(OutboxItem::GivenBack { lost })
}

/// Days off are announced when they begin and when they end sooner than they were to.
fn away(before: Option<&Table>, table: &Table, person: UserId, rest: &TimeOff) -> Option<OutboxItem> {
    let (now, seat) = (table.at(), table.seat_of(person)?);
    let goes_on = |away: &TimeSpan| away.until > now;
    let old = before.and_then(Table::clock).and_then(|clock| clock.rest(seat).away).filter(goes_on);
    let new = rest.away.filter(goes_on);
    let until = new.map_or(now, |away| away.until);
    (old != new).then_some(OutboxItem::Away { person, until })
}

fn on_end(table: &Table) -> Vec<OutboxItem> {
    let mut outbox_items = vec![OutboxItem::Reannounce];
    let lapsed = |ending: &Ending| ending.cause == EndCause::Refused;
    if matches!(table.status(), Status::Over(ending) if lapsed(ending)) {
        outbox_items.push(OutboxItem::Lapsed);
    }
    if rated::is_due(table) {
        outbox_items.push(OutboxItem::Rate);
    }
    if table.has_second() {
        outbox_items.push(OutboxItem::Second);
    }
    let begun = table.play().is_some() && matches!(table.status(), Status::Over(_));
    // Where its place is gone, the players are told of the result in another way.
    if begun && (table.has_place() || table.was_shown()) {
        outbox_items.push(OutboxItem::Result);
    }
    if begun && table.has_place() {
        outbox_items.push(OutboxItem::Strip { ply: table.ply() });
    }
    outbox_items
}
