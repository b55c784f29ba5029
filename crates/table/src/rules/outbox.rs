//! Derives from events what must be posted on Discord.

use jiff::SignedDuration;
use rookery_core::Seat;

use crate::clock::{Clock, TimeOff, TimeSpan};
pub use crate::model::outbox_item::{Note, OutboxItem};
use crate::model::{EndCause, Ending, Event, Occupant, UserId};
use crate::rated;
use crate::{Status, Table, posted_boards};

/// Shorter outages are not announced.
const MIN_ANNOUNCED_OUTAGE: SignedDuration = SignedDuration::from_mins(10);

/// Returns the items to post after some events. `before` is the table before them, if there was one, `table` the table
/// after them.
pub fn items_after(before: Option<&Table>, table: &Table, events: &[Event]) -> Vec<OutboxItem> {
    let dead = closed_offer(before, table).into_iter().chain(closed_proof(before, table));
    let dead = dead.chain(ended_pause(before, table));
    let items_of = events.iter().flat_map(|event| items_of(before, table, events, event));
    let mut all: Vec<OutboxItem> = dead.chain(tally(before, table)).chain(items_of).collect();
    // An announcement that is posted now is up to date.
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

/// Posts come first: Discord refuses edits in an archived thread, and a post unarchives it. Updating the announcement
/// comes last, because it may take long.
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

/// Returns the items that follow from one of these events.
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
        // The vote's state is posted once, after all events.
        Event::Enlisted { .. }
        | Event::Departed { .. }
        | Event::Proposed { .. }
        | Event::Voted { .. }
        | Event::Elected { .. } => Vec::new(),
        // Plans are private.
        Event::Planned { .. } | Event::Rated { .. } | Event::Forgotten { .. } => Vec::new(),
    }
}

/// Items about seats, the channel, the start and the end of a table.
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

/// Items about turns, undos, pauses and players who leave.
fn of_game(table: &Table, events: &[Event], event: &Event) -> Vec<OutboxItem> {
    let with_board = |item| [item].into_iter().chain(board_if_running(table)).collect();
    match event {
        Event::Moved { .. } => after_move(table),
        Event::Undone { seat, from, .. } => after_undo(table, *seat, *from),
        Event::Hinted { seat } => vec![OutboxItem::Note { note: Note::Hinted, seat: *seat }],
        Event::Paused { seat } => vec![OutboxItem::Note { note: Note::Paused, seat: *seat }],
        // The board of the move shows that the game is resumed.
        Event::Resumed { .. } if events.iter().any(|e| matches!(e, Event::Moved { .. })) => Vec::new(),
        Event::Resumed { seat } => with_board(OutboxItem::Note { note: Note::Resumed, seat: *seat }),
        Event::PauseOver => with_board(OutboxItem::PauseOver),
        // A game of three or four continues: the board shows whose turn it is.
        Event::Resigned { seat } if table.to_move().is_some() => {
            with_board(OutboxItem::Note { note: Note::GaveUp, seat: *seat })
        }
        Event::TimedOut { seat } if table.to_move().is_some() => {
            with_board(OutboxItem::Note { note: Note::OutOfTime, seat: *seat })
        }
        _ => Vec::new(),
    }
}

/// Items about offers and proven results.
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

/// Items about clocks and time off.
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

/// Returns the message that an invited person declined and the seat is free again.
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

/// Returns what could not be posted before there was a channel: the board, and the result if the game has ended. In a
/// second channel only what awaits an answer is posted again, because it may have been posted in vain to the lost one.
/// Before the first channel all of it is still in the outbox.
fn on_board_channel_set(before: Option<&Table>, table: &Table) -> Vec<OutboxItem> {
    let over = table.play().is_some() && matches!(table.status(), Status::Over(_));
    let was_shown = before.is_some_and(Table::was_shown);
    let casual = casual(table).filter(|_| !was_shown);
    let pending_items = if was_shown { pending_items(table) } else { Vec::new() };
    let shown = casual.into_iter().chain(board_if_running(table)).chain(pending_items);
    shown.chain(over.then_some(OutboxItem::Result)).collect()
}

/// Returns the items that await an answer and that no board shows: a pause, an offer, a proven result, a time-out.
fn pending_items(table: &Table) -> Vec<OutboxItem> {
    let Some(mover) = table.to_move() else { return Vec::new() };
    let ply = table.ply();
    // The seat is not used: every player may resume.
    let paused = table.is_paused().then_some(OutboxItem::Note { note: Note::Paused, seat: Seat::FIRST });
    let offered = table.offer().map(|it| OutboxItem::Offered { offer: it.offer, seat: it.by, ply });
    let proven = table.proof_stands().then_some(OutboxItem::Proven);
    let is_up = !table.is_suspended() && table.clock().is_some_and(Clock::is_flagged);
    let up = is_up.then_some(OutboxItem::TimeUp { seat: mover, ply });
    [paused, offered, proven, up].into_iter().flatten().collect()
}

/// Returns the message that a game is casual although it was opened as rated.
fn casual(table: &Table) -> Option<OutboxItem> {
    let program = table.playing_seats().find(|seat| table.is_program(*seat))?;
    let was_to = table.terms().rated && table.play().is_some() && !rated::can_count(table.chairs());
    was_to.then_some(OutboxItem::Note { note: Note::Casual, seat: program })
}

fn board_if_running(table: &Table) -> Option<OutboxItem> {
    let begun = table.play().is_some();
    begun.then(|| OutboxItem::Board { ply: table.ply() })
}

/// Returns the board of this turn, and the removal of the buttons of the one before. Without a channel nothing can be
/// posted yet: the board follows once there is a thread.
fn after_move(table: &Table) -> Vec<OutboxItem> {
    let ply = table.ply();
    if !posted_boards::is_posted(table, ply) {
        return Vec::new();
    }
    if !table.has_place() {
        // If the channel is gone, the player to move is notified in another way.
        return table.was_shown().then_some(OutboxItem::Board { ply }).into_iter().collect();
    }
    let strip = posted_boards::posted_before(table, ply).map(|ply| OutboxItem::Strip { ply });
    std::iter::once(OutboxItem::Board { ply }).chain(strip).collect()
}

/// Returns the removal of an offer that is no longer open.
fn closed_offer(before: Option<&Table>, table: &Table) -> Option<OutboxItem> {
    let before = before?;
    let number = |table: &Table| table.offer().map(|offer| offer.number);
    let died = before.offer().is_some() && number(before) != number(table);
    let made = before.offer().map(|offer| (offer.offer, offer.by));
    (died && table.has_place()).then(|| OutboxItem::Unoffer { ply: before.ply(), made })
}

/// Returns the edit of the post about a pause that has ended, for any reason.
fn ended_pause(before: Option<&Table>, table: &Table) -> Option<OutboxItem> {
    let stands = |table: &Table| table.is_paused() && *table.status() == Status::Running;
    let over = before.is_some_and(stands) && !stands(table);
    (over && table.has_place()).then_some(OutboxItem::Unpaused)
}

/// Returns the edit of the question about a proven result that was answered or is obsolete.
fn closed_proof(before: Option<&Table>, table: &Table) -> Option<OutboxItem> {
    let died = before.is_some_and(Table::proof_stands) && !table.proof_stands();
    (died && table.has_place()).then_some(OutboxItem::Reproven)
}

/// Returns the post of a vote that has changed or is over. A vote that its first proposal settled is shown by the board
/// only.
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

/// Returns the posts about the new occupant of a seat, with the board if it is their turn, so that they are notified.
/// `counted` says whether the game was rated before.
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

/// Returns who took back, the board after the undo, and the removal of the buttons under the undone one.
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

/// Returns the seat whose move was taken back: among several seats of one player, the one to move again.
fn taken_back(table: &Table, seat: Seat) -> Seat {
    let holder = |seat: Seat| table.occupant(seat).and_then(Occupant::person);
    let asked = holder(seat);
    let theirs = |mover: &Seat| asked.is_some() && holder(*mover) == asked;
    table.to_move().filter(theirs).unwrap_or(seat)
}

/// Returns the note about lost time, if it was long: boards then show a wrong deadline.
fn given_back(table: &Table, spans: &[TimeSpan]) -> Option<OutboxItem> {
    let lost: SignedDuration = spans.iter().map(|span| span.until.duration_since(span.from)).sum();
    let timed = table.clock().is_some_and(|clock| clock.deadline().is_some());
    (timed && lost >= MIN_ANNOUNCED_OUTAGE).then_some(OutboxItem::GivenBack { lost })
}

/// Returns the announcement of days off that begin, or end earlier than planned.
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
    if table.has_second_game() {
        outbox_items.push(OutboxItem::Second);
    }
    let begun = table.play().is_some() && matches!(table.status(), Status::Over(_));
    // If the channel is gone, the players learn the result in another way.
    if begun && (table.has_place() || table.was_shown()) {
        outbox_items.push(OutboxItem::Result);
    }
    if begun && table.has_place() {
        outbox_items.push(OutboxItem::Strip { ply: table.ply() });
    }
    outbox_items
}
