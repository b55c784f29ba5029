//! Offers: made by somebody at the table, answered by everybody else there, dead after the next move.

use rookery_core::{EndgameCount, Play, Seat};

use crate::model::{AutoMoveReason, EndCause, Event, Occupant, Offer, OrderError, UserId};
use crate::state::{PendingOffer, Table};

/// Makes an offer. What needs nobody's leave is done at once; where nobody but the program could give
/// it, the program answers at once.
pub(crate) fn make(table: &Table, who: UserId, offer: Offer) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if offer == Offer::Abort && table.is_exhibition() && table.host() == who {
        return Ok(vec![Event::ended(Vec::new(), EndCause::Aborted)]);
    }
    let by = table.playing_seat_of(who)?;
    if let Some(standing) = table.offer() {
        return meet(table, who, offer, standing);
    }
    may_offer(table, by, offer)?;
    let agreed = settle(table, by, offer)?;
    if is_free(table, who, offer) {
        return Ok(vec![agreed]);
    }
    let made = Event::Offered { seat: by, offer };
    let program = table.playing_seats().find(|seat| table.is_program(*seat));
    let answers = program.filter(|_| asked(table, by).is_empty());
    let answer = answers.map(|program| program_answers(table, (by, program), offer, agreed));
    Ok([made].into_iter().chain(answer).collect())
}

/// Makes an offer while another one is pending. The same offer in return agrees to it; but two players who
/// both ask to
/// take back mean different moves.
fn meet(table: &Table, who: UserId, offer: Offer, standing: &PendingOffer) -> Result<Vec<Event>, OrderError> {
    match still_asked(table, standing).contains(&who) {
        true if offer == standing.offer && offer != Offer::Undo => answer(table, who, true, None),
        true => Err(OrderError::OfferAsks),
        false => Err(OrderError::OfferStands),
    }
}

/// Answers the offer that stands; `to` is its number where the answer tells.
pub(crate) fn answer(
    table: &Table,
    who: UserId,
    yes: bool,
    to: Option<u64>,
) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    // A player who is away is asked as well, and needn't come back to answer.
    let away = || table.seat_left_by(who).filter(|seat| table.still_plays(*seat));
    let seat = table.playing_seat_of(who).or_else(|refused| away().ok_or(refused))?;
    let standing = table.offer().ok_or(OrderError::NoOffer)?;
    if to.is_some_and(|to| to != standing.number) {
        return Err(OrderError::NoOffer);
    }
    let asked = asked(table, standing.by);
    let both_hands = table.playing_seats().all(|seat| table.is_holder_of(seat, who));
    if !both_hands && !asked.contains(&who) {
        return Err(OrderError::OfferStands);
    }
    let seat = seat;
    if !yes {
        return Ok(vec![Event::Declined { seat }]);
    }
    let waits = still_asked(table, standing).into_iter().any(|person| person != who);
    Ok(vec![if waits { Event::Agreed { seat } } else { settle(table, standing.by, standing.offer)? }])
}

/// The people who must agree to an offer: all who still play, except its author. The program that plays for a
/// player who
/// is away agrees to nothing.
pub fn asked(table: &Table, by: Seat) -> Vec<UserId> {
    let own = person_of(table, by);
    let mut people = Vec::new();
    for seat in table.playing_seats().filter(|seat| *seat != by) {
        let person = person_of(table, seat);
        people.extend(person.filter(|person| Some(*person) != own && !people.contains(person)));
    }
    people
}

/// Whose seat it is: who sits there, or who has left it to the program and may come back.
pub fn person_of(table: &Table, seat: Seat) -> Option<UserId> {
    let left = table.away().iter().find(|(from, _)| *from == seat).map(|(_, person)| *person);
    // A player whose data was deleted doesn't come back.
    let left = left.filter(|person| !person.is_pseudonym());
    table.occupant(seat).and_then(Occupant::person).or(left)
}

/// Those of them who have not agreed yet.
pub(crate) fn still_asked(table: &Table, standing: &PendingOffer) -> Vec<UserId> {
    let agreed = |seat: &Seat| person_of(table, *seat);
    let agreed: Vec<_> = standing.agreed.iter().filter_map(agreed).collect();
    asked(table, standing.by).into_iter().filter(|person| !agreed.contains(person)).collect()
}

/// Refuses what this game, or this moment, does not know.
fn may_offer(table: &Table, by: Seat, offer: Offer) -> Result<(), OrderError> {
    match offer {
        // Each offer calls the others, who have said what they think of it.
        offer if table.is_declined(by, offer) => Err(OrderError::OfferDeclined),
        Offer::Count if stops_by_points(table) && table.to_move() != Some(by) => {
            let whose = table.to_move().unwrap_or(by);
            Err(OrderError::NotYourTurn { whose })
        }
        // The losing side would make it a casual game.
        Offer::Undo if table.is_rated() => Err(OrderError::Rated),
        Offer::Pause if table.is_paused() => Err(OrderError::PausedAlready),
        _ => Ok(()),
    }
}

/// Whether an offer is worth showing to somebody: one that this game knows and that is not refused
/// before anything is counted.
pub fn fits(table: &Table, who: UserId, offer: Offer) -> bool {
    let seat = table.playing_seat_of(who).ok();
    let Some(by) = seat.filter(|seat| table.is_holder_of(*seat, who)) else { return false };
    let known = match offer {
        Offer::Count => stops_by_points(table) || counts(table),
        Offer::Draw | Offer::Undo => settle(table, by, offer).is_ok(),
        Offer::Pause | Offer::Abort => true,
    };
    known && may_offer(table, by, offer).is_ok()
}

/// Whether regions are separated, so that a count has something to look at. Looks at no position.
fn counts(table: &Table) -> bool {
    table.play().is_some_and(|play| matches!(play.count_endgame(0), EndgameCount::Separated { .. }))
}

/// What is done without asking: calling off a game that has hardly begun; taking back and pausing
/// where nobody else sits.
fn is_free(table: &Table, who: UserId, offer: Offer) -> bool {
    match offer {
        Offer::Abort => hardly_begun(table),
        Offer::Undo | Offer::Pause => {
            table.playing_seats().all(|seat| person_of(table, seat).is_none_or(|person| person == who))
        }
        Offer::Count | Offer::Draw => false,
    }
}

/// Whether one of the remaining players has not moved yet.
fn hardly_begun(table: &Table) -> bool {
    let movers = table.play().map(Play::movers).unwrap_or_default();
    table.playing_seats().any(|seat| !movers.contains(&seat))
}

/// The program's answer: yes to an exact count, yes to the points of the moment if it loses nothing by
/// them, no to a draw, yes to calling off what does not count.
fn program_answers(table: &Table, (by, program): (Seat, Seat), offer: Offer, agreed: Event) -> Event {
    let yes = match offer {
        Offer::Count => !stops_by_points(table) || loses(&agreed, by),
        Offer::Draw => false,
        Offer::Abort => !table.is_rated(),
        Offer::Undo | Offer::Pause => true,
    };
    if yes { agreed } else { Event::Declined { seat: program } }
}

/// Whether an end gives a seat nothing.
fn loses(end: &Event, seat: Seat) -> bool {
    matches!(end, Event::Ended { ending } if !ending.winners.contains(&seat))
}

/// What an offer leads to when everybody agrees. An offer that could not be carried out is refused
/// when it is made.
fn settle(table: &Table, by: Seat, offer: Offer) -> Result<Event, OrderError> {
    match offer {
        Offer::Draw if table.chairs().len() != 2 => Err(OrderError::NoSuchOffer),
        Offer::Draw => draws(table)
            .then(|| Event::ended(Seat::all(2).collect(), EndCause::Agreed))
            .ok_or(OrderError::NoSuchOffer),
        Offer::Count => count(table),
        Offer::Undo => undo(table, by),
        Offer::Pause => Ok(Event::Paused { seat: by }),
        Offer::Abort => Ok(Event::ended(Vec::new(), EndCause::Aborted)),
    }
}

fn count(table: &Table) -> Result<Event, OrderError> {
    match table.count()? {
        EndgameCount::None if stops_by_points(table) => by_points(table.running()?),
        EndgameCount::None => Err(OrderError::NoSuchOffer),
        EndgameCount::Shared { .. } => Err(OrderError::StillShared),
        claim @ EndgameCount::Separated { outcome: None, .. } => Err(not_proven(table, &claim)),
        EndgameCount::Separated { outcome: Some(outcome), margin_halves, .. } => {
            Ok(Event::ended(outcome.winners, EndCause::Counted { margin_halves }))
        }
    }
}

/// Back to where somebody was to move last, with any of their seats.
fn undo(table: &Table, by: Seat) -> Result<Event, OrderError> {
    let (play, own) = (table.running()?, table.occupant(by).and_then(Occupant::person));
    let is_own = |seat: &Seat| table.occupant(*seat).and_then(Occupant::person) == own;
    // What the table played by itself was no decision of theirs.
    let movers = play.movers();
    let chosen = |ply: &usize| {
        is_own(&movers[*ply]) && table.auto_move_reason(ply + 1) != Some(AutoMoveReason::Forced)
    };
    let ply = (0..movers.len()).rev().find(chosen).ok_or(OrderError::NothingToUndo)?;
    Ok(Event::Undone { seat: by, from: play.ply(), ply, casual: false })
}

/// The refusal to guess, with the bounds that are proven.
fn not_proven(table: &Table, claim: &EndgameCount) -> OrderError {
    let left = |seat| claim.left(seat).unwrap_or_default();
    OrderError::NotProven { left: Seat::all(table.chairs().len()).map(left).collect() }
}

/// The end by the points of the moment: more wins, equal shares.
fn by_points(play: &dyn Play) -> Result<Event, OrderError> {
    let scores = play.scores().ok_or(OrderError::NoSuchOffer)?;
    let best = scores.iter().map(|score| score.points).max().unwrap_or_default();
    let winners = Seat::all(scores.len()).filter(|seat| scores[seat.index()].points == best);
    Ok(Event::ended(winners.collect(), EndCause::Counted { margin_halves: None }))
}

fn stops_by_points(table: &Table) -> bool {
    table.game().is_some_and(|game| game.info().stops_by_points)
}

/// Whether the game can be shared at all.
fn draws(table: &Table) -> bool {
    table.game().is_some_and(|game| game.info().has_draws)
}
