//! What must be said on Discord after something happened, as data; the face finds the words.

use serde::{Deserialize, Serialize};

use super::clock::{MINUTE_MS, Rest, Span, Warning};
use super::rated;
use super::words::{Cause, Ending, Event, Occupant, Offer, Person};
use super::{Status, Table, shown};

/// Lost time that is worth a message.
const LOSS_TOLD_MS: i64 = 10 * MINUTE_MS;

/// One thing to be said or done on Discord for a table. Saying it twice must do no harm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum Say {
    /// Post the challenge or the announcement in the channel where the table was opened.
    Announce,
    /// Bring the announcement up to date (it is edited).
    Reannounce,
    /// Make the thread, then tell the table with [`super::Order::House`].
    MakeThread,
    /// Post the board as it is after this many turns.
    Board {
        /// Turns taken.
        ply: usize,
    },
    /// Post how a team's vote stands, or bring that up to date.
    Tally {
        /// The vote's number.
        number: u64,
        /// Turns taken then.
        ply: usize,
    },
    /// Take the buttons off the board of an earlier turn, and the call to whoever was to move then.
    Strip {
        /// Turns taken then.
        ply: usize,
    },
    /// Post that something was offered, with buttons for the answer.
    Offered {
        /// What.
        offer: Offer,
        /// Seat index of who offers.
        seat: u8,
        /// Turns taken then.
        ply: usize,
    },
    /// Take the buttons off an offer that was answered or overtaken.
    Unoffer {
        /// Turns taken when it was made.
        ply: usize,
    },
    /// Post that the offer was turned down.
    Declined {
        /// Seat index of who did.
        seat: u8,
    },
    /// Post in a line what somebody did.
    Note {
        /// What.
        note: Note,
        /// Seat index of who.
        seat: u8,
    },
    /// Post that the end is proven, with a question or with the moves played out.
    Proven,
    /// Bring that up to date: answered, or overtaken.
    Reproven,
    /// Enter the result into the ratings, with [`super::Order::Rate`].
    Rate,
    /// Open the second game of a set, then tell the table with [`super::Order::Rematch`].
    Second,
    /// Post that the game goes on by itself.
    PauseOver,
    /// Remind the mover of how little time is left.
    Warned {
        /// Seat index of the mover.
        seat: u8,
        /// How little.
        warning: Warning,
        /// Turns taken then.
        ply: usize,
    },
    /// Post that the mover's time is up, with buttons for the others.
    TimeUp {
        /// Seat index of the mover.
        seat: u8,
        /// Turns taken then.
        ply: usize,
    },
    /// Post that the mover got more time.
    TimeGiven {
        /// Seat index of who gave it.
        by: u8,
        /// Seat index of who got it.
        seat: u8,
        /// How much, in milliseconds.
        more_ms: i64,
    },
    /// Post that lost time was given back.
    GivenBack {
        /// How much, in milliseconds.
        lost_ms: i64,
    },
    /// Post that somebody takes days off, or is back from them.
    Away {
        /// Who.
        person: Person,
        /// Until when, in milliseconds since 1970; not later than now if they are back.
        until_ms: i64,
    },
    /// Post the result under the last board.
    Result,
    /// Tell the host that the challenge came to nothing, where it was made.
    Lapsed,
}

/// What is told in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Turns were taken back.
    Undone,
    /// The same, and the game does not count for ratings any more: in outboxes from when that was allowed.
    UndoneCasual,
    /// The game stands still.
    Paused,
    /// It goes on.
    Resumed,
    /// Somebody plays on although the end is proven.
    PlaysOn,
    /// The program plays on for somebody.
    StandsIn,
    /// The same, and the game does not count for ratings any more.
    StandsInCasual,
    /// Somebody took their seat back.
    Back,
    /// Whoever is to move had a hint.
    Hinted,
    /// The program took a seat in a game that was to count for ratings, and with which it cannot.
    Casual,
}

impl Say {
    /// A short key by which a posted message is found again: `board-12`, `announce`.
    pub fn key(&self) -> String {
        match self {
            Say::Announce => "announce".into(),
            Say::Reannounce => "reannounce".into(),
            Say::MakeThread => "thread".into(),
            Say::Board { ply } => format!("board-{ply}"),
            Say::Tally { number, .. } => format!("tally-{number}"),
            Say::Strip { ply } => format!("strip-{ply}"),
            Say::Offered { ply, .. } => format!("offered-{ply}"),
            Say::Unoffer { ply } => format!("unoffer-{ply}"),
            Say::Declined { .. } => "declined".into(),
            Say::Note { .. } => "note".into(),
            Say::Proven => "proven".into(),
            Say::Reproven => "reproven".into(),
            Say::Rate => "rate".into(),
            Say::Second => "second".into(),
            Say::PauseOver => "pause-over".into(),
            Say::Warned { ply, .. } => format!("warned-{ply}"),
            Say::TimeUp { ply, .. } => format!("up-{ply}"),
            Say::TimeGiven { .. } => "given".into(),
            Say::GivenBack { .. } => "given-back".into(),
            Say::Away { .. } => "away".into(),
            Say::Result => "result".into(),
            Say::Lapsed => "lapsed".into(),
        }
    }
}

/// What follows from events for those who watch Discord. `before` is the table before them, if there
/// was one, `table` the table after them.
pub fn after(before: Option<&Table>, table: &Table, events: &[Event]) -> Vec<Say> {
    let dead = dead_offer(before, table).into_iter().chain(dead_proof(before, table));
    let mut says: Vec<Say> = dead.chain(tally(before, table)).collect();
    for event in events {
        match event {
            Event::Opened { .. } => says.push(Say::Announce),
            Event::Seated { seat, occupant } if begun_before(before) => {
                let counted = before.is_some_and(Table::is_rated);
                changed_seat(table, counted, *seat, *occupant, &mut says);
            }
            Event::Seated { .. } | Event::Vacated { .. } => says.push(Say::Reannounce),
            Event::Unhoused | Event::Rematched { .. } | Event::Frozen => {}
            Event::Thawed if table.home().is_none() => says.push(Say::MakeThread),
            Event::Thawed => {
                says.extend(board_if_running(table));
                // The seat does not matter: whoever likes takes it up again.
                says.extend(table.is_paused().then_some(Say::Note { note: Note::Paused, seat: 0 }));
            }
            Event::Started { .. } => on_start(table, &mut says),
            Event::Housed { .. } => on_housed(table, &mut says),
            Event::Moved { .. } => says.extend(after_move(table)),
            Event::Offered { seat, offer } => {
                says.push(Say::Offered { offer: *offer, seat: *seat, ply: table.ply() });
            }
            // How a vote stands is told whatever changed it.
            Event::Enlisted { .. }
            | Event::Departed { .. }
            | Event::Proposed { .. }
            | Event::Voted { .. }
            | Event::Elected { .. } => {}
            // What somebody plans is nobody else's business.
            Event::Agreed { .. } | Event::Accepted { .. } | Event::Planned { .. } => {}
            Event::Proven { .. } => says.push(Say::Proven),
            Event::PlayedOn { seat } => says.push(Say::Note { note: Note::PlaysOn, seat: *seat }),
            Event::Declined { seat } => says.push(Say::Declined { seat: *seat }),
            Event::Undone { seat, from, .. } => after_undo(table, *seat, *from, &mut says),
            Event::Hinted { seat } => says.push(Say::Note { note: Note::Hinted, seat: *seat }),
            Event::Paused { seat } => says.push(Say::Note { note: Note::Paused, seat: *seat }),
            // A move that takes the game up again has a board of its own.
            Event::Resumed { .. } if events.iter().any(|e| matches!(e, Event::Moved { .. })) => {}
            Event::Resumed { seat } => {
                says.push(Say::Note { note: Note::Resumed, seat: *seat });
                says.extend(board_if_running(table));
            }
            Event::PauseOver => says.extend([Say::PauseOver].into_iter().chain(board_if_running(table))),
            // A game of three or four goes on without whoever gave up: the board says whose turn it is.
            Event::Resigned { .. } | Event::TimedOut { .. } if table.to_move().is_some() => {
                says.extend(board_if_running(table));
            }
            Event::Resigned { .. } | Event::TimedOut { .. } => {}
            Event::Warned { seat, warning } => {
                says.push(Say::Warned { seat: *seat, warning: *warning, ply: table.ply() });
            }
            Event::TimeUp { seat } => says.push(Say::TimeUp { seat: *seat, ply: table.ply() }),
            Event::TimeGiven { by, seat, more_ms } => {
                says.push(Say::TimeGiven { by: *by, seat: *seat, more_ms: *more_ms });
            }
            Event::Lost { spans } => says.extend(given_back(table, spans)),
            Event::Rested { person, rest } => says.extend(away(before, table, *person, rest)),
            Event::Ended { .. } => on_end(table, &mut says),
            Event::Rated { .. } | Event::Forgotten { .. } => {}
        }
    }
    // An announcement that is posted now need not be corrected now.
    if says.contains(&Say::Announce) {
        says.retain(|say| *say != Say::Reannounce);
    }
    // To bring an old message up to date may take long, and nothing is to wait for it.
    says.sort_by_key(|say| *say == Say::Reannounce);
    let mut once = Vec::new();
    says.retain(|say| {
        !once.contains(say) && {
            once.push(say.clone());
            true
        }
    });
    says
}

fn on_start(table: &Table, says: &mut Vec<Say>) {
    says.push(Say::Reannounce);
    match table.has_place() {
        false => says.push(Say::MakeThread),
        true => says.extend(casual(table).into_iter().chain(board_if_running(table))),
    }
}

/// What there was no place for until now: the board, and the result if the game has ended meanwhile.
fn on_housed(table: &Table, says: &mut Vec<Say>) {
    says.extend(casual(table).into_iter().chain(board_if_running(table)));
    if table.play().is_some() && matches!(table.status(), Status::Over(_)) {
        says.push(Say::Result);
    }
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
    if !table.has_place() || !shown::is_shown(table, ply) {
        return Vec::new();
    }
    let strip = shown::shown_before(table, ply).map(|ply| Say::Strip { ply });
    std::iter::once(Say::Board { ply }).chain(strip).collect()
}

/// An offer that stood before and does not any more.
fn dead_offer(before: Option<&Table>, table: &Table) -> Option<Say> {
    let before = before?;
    let number = |table: &Table| table.offer().map(|offer| offer.number);
    let died = before.offer().is_some() && number(before) != number(table);
    (died && table.has_place()).then(|| Say::Unoffer { ply: before.ply() })
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
fn changed_seat(table: &Table, counted: bool, seat: u8, occupant: Occupant, says: &mut Vec<Say>) {
    let note = match occupant.person() {
        Some(_) => Note::Back,
        None if counted && !table.is_rated() => Note::StandsInCasual,
        None => Note::StandsIn,
    };
    says.extend([Say::Reannounce, Say::Note { note, seat }]);
    if table.to_move().is_some_and(|mover| mover.index() == usize::from(seat)) {
        says.extend(board_if_running(table).filter(|_| table.has_place()));
    }
}

/// Who took back, the board from there on; no buttons under the one that is no more.
fn after_undo(table: &Table, seat: u8, from: usize, says: &mut Vec<Say>) {
    if table.has_place() {
        let note = Say::Note { note: Note::Undone, seat };
        says.extend([Say::Strip { ply: from }, note, Say::Board { ply: table.ply() }]);
    }
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

fn on_end(table: &Table, says: &mut Vec<Say>) {
    says.push(Say::Reannounce);
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
    if begun && table.has_place() {
        says.push(Say::Result);
        says.push(Say::Strip { ply: table.ply() });
    }
}
