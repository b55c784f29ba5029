//! Offers: made by a player, answered by all other players, obsolete after the next move.

use rookery_core::{EndgameCount, Play, Seat};

use crate::model::{AutoMoveReason, EndCause, Event, Occupant, Offer, OrderError, UserId};
use crate::state::{PendingOffer, Table};

/// Makes an offer. It takes effect at once if it needs no consent; if only the bot could consent, the bot answers at
/// once.
pub(crate) fn make(table: &Table, who: UserId, offer: Offer) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if offer == Offer::Abort && table.is_exhibition() && table.host() == who {
        return Ok(vec![Event::ended(Vec::new(), EndCause::Aborted)]);
    }
    let by = table.playing_seat_of(who)?;
    if let Some(standing) = table.offer() {
        return counter_offer(table, who, offer, standing);
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

/// Makes an offer while another one is pending. The same offer counts as agreement, except for two players who both
/// want to take back, because they mean different moves.
fn counter_offer(
    table: &Table,
    who: UserId,
    offer: Offer,
    standing: &PendingOffer,
) -> Result<Vec<Event>, OrderError> {
    match awaited_people(table, standing).contains(&who) {
        true if offer == standing.offer && offer != Offer::Undo => answer(table, who, true, None),
        true => Err(OrderError::OfferAsks),
        false => Err(OrderError::OfferStands),
    }
}

/// Answers the pending offer; `to` is the number of the offer, if the answer gives one.
pub(crate) fn answer(
    table: &Table,
    who: UserId,
    yes: bool,
    to: Option<u64>,
) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    // A player whose seat the bot holds is asked too, and needn't return to answer.
    let away = || table.substituted_seat_of(who).filter(|seat| table.still_plays(*seat));
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
    if !yes {
        return Ok(vec![Event::Declined { seat }]);
    }
    let waits = awaited_people(table, standing).into_iter().any(|person| person != who);
    Ok(vec![if waits { Event::Agreed { seat } } else { settle(table, standing.by, standing.offer)? }])
}

/// Returns the people who must agree to an offer: all players except its author. The bot does not agree for a player
/// for whom it substitutes.
pub fn asked(table: &Table, by: Seat) -> Vec<UserId> {
    let own = person_of(table, by);
    let mut people = Vec::new();
    for seat in table.playing_seats().filter(|seat| *seat != by) {
        let person = person_of(table, seat);
        people.extend(person.filter(|person| Some(*person) != own && !people.contains(person)));
    }
    people
}

/// Returns the person who holds a seat, or for whom the bot substitutes there.
pub fn person_of(table: &Table, seat: Seat) -> Option<UserId> {
    let left = table.substitutions().iter().find(|(from, _)| *from == seat).map(|(_, person)| *person);
    // A player whose data was deleted does not come back.
    let left = left.filter(|person| !person.is_pseudonym());
    table.occupant(seat).and_then(Occupant::person).or(left)
}

/// Returns the people who must still agree.
pub(crate) fn awaited_people(table: &Table, standing: &PendingOffer) -> Vec<UserId> {
    let agreed = |seat: &Seat| person_of(table, *seat);
    let agreed: Vec<_> = standing.agreed.iter().filter_map(agreed).collect();
    asked(table, standing.by).into_iter().filter(|person| !agreed.contains(person)).collect()
}

/// Refuses an offer that is impossible in this game or at this moment.
fn may_offer(table: &Table, by: Seat, offer: Offer) -> Result<(), OrderError> {
    match offer {
        // Repeating a declined offer in the same turn would only ping the others again.
        offer if table.is_declined(by, offer) => Err(OrderError::OfferDeclined),
        Offer::Count if can_end_by_points(table) && table.to_move() != Some(by) => {
            let whose = table.to_move().unwrap_or(by);
            Err(OrderError::NotYourTurn { whose })
        }
        // Otherwise the losing side could make the game casual.
        Offer::Undo if table.is_rated() => Err(OrderError::Rated),
        Offer::Pause if table.is_paused() => Err(OrderError::PausedAlready),
        _ => Ok(()),
    }
}

/// Whether an offer should be shown to a person: the game supports it, and it is not refused before counting.
pub fn is_available(table: &Table, who: UserId, offer: Offer) -> bool {
    let seat = table.playing_seat_of(who).ok();
    let Some(by) = seat.filter(|seat| table.is_holder_of(*seat, who)) else { return false };
    let known = match offer {
        Offer::Count => can_end_by_points(table) || counts(table),
        Offer::Draw | Offer::Undo => settle(table, by, offer).is_ok(),
        Offer::Pause | Offer::Abort => true,
    };
    known && may_offer(table, by, offer).is_ok()
}

/// Whether regions are separated, so that a count can succeed. Searches no position.
fn counts(table: &Table) -> bool {
    table.play().is_some_and(|play| matches!(play.count_endgame(0), EndgameCount::Separated { .. }))
}

/// Whether an offer takes effect without consent: aborting a game that has hardly begun, and undo and pause if no other
/// person plays.
fn is_free(table: &Table, who: UserId, offer: Offer) -> bool {
    match offer {
        Offer::Abort => has_unmoved_player(table),
        Offer::Undo | Offer::Pause => {
            table.playing_seats().all(|seat| person_of(table, seat).is_none_or(|person| person == who))
        }
        Offer::Count | Offer::Draw => false,
    }
}

/// Whether an offer can end the game at once, because no other person has to agree: the bot answers by itself, or
/// nobody is asked.
pub fn ends_without_consent(table: &Table, who: UserId, offer: Offer) -> bool {
    let ends = matches!(offer, Offer::Count | Offer::Draw | Offer::Abort);
    let asks_nobody = |by: Seat| asked(table, by).is_empty() || is_free(table, who, offer);
    ends && table.playing_seat_of(who).is_ok_and(asks_nobody)
}

/// Whether one of the remaining players has not moved yet.
fn has_unmoved_player(table: &Table) -> bool {
    let movers = table.play().map(Play::movers).unwrap_or_default();
    table.playing_seats().any(|seat| !movers.contains(&seat))
}

/// Returns the bot's answer: yes to an exact count, to an end by points that it wins, to aborting a casual game, to
/// undo and pause; no to a draw.
fn program_answers(table: &Table, (by, program): (Seat, Seat), offer: Offer, agreed: Event) -> Event {
    let yes = match offer {
        Offer::Count => !can_end_by_points(table) || loses(&agreed, by),
        Offer::Draw => false,
        Offer::Abort => !table.is_rated(),
        Offer::Undo | Offer::Pause => true,
    };
    if yes { agreed } else { Event::Declined { seat: program } }
}

/// Whether a seat is not among the winners of an end.
fn loses(end: &Event, seat: Seat) -> bool {
    matches!(end, Event::Ended { ending } if !ending.winners.contains(&seat))
}

/// Returns what follows when everybody agrees. An offer that could not be carried out is refused when it is made.
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
        EndgameCount::None if can_end_by_points(table) => by_points(table.running()?),
        EndgameCount::None => Err(OrderError::NoSuchOffer),
        EndgameCount::Shared { .. } => Err(OrderError::StillShared),
        claim @ EndgameCount::Separated { outcome: None, .. } => Err(not_proven(table, &claim)),
        EndgameCount::Separated { outcome: Some(outcome), margin_halves, .. } => {
            Ok(Event::ended(outcome.winners, EndCause::Counted { margin_halves }))
        }
    }
}

/// Goes back to the last turn of the player, with any of their seats.
fn undo(table: &Table, by: Seat) -> Result<Event, OrderError> {
    let (play, own) = (table.running()?, table.occupant(by).and_then(Occupant::person));
    let is_own = |seat: &Seat| table.occupant(*seat).and_then(Occupant::person) == own;
    // Moves that the table played by itself were not their decision.
    let movers = play.movers();
    let chosen = |ply: &usize| {
        is_own(&movers[*ply]) && table.auto_move_reason(ply + 1) != Some(AutoMoveReason::Forced)
    };
    let ply = (0..movers.len()).rev().find(chosen).ok_or(OrderError::NothingToUndo)?;
    Ok(Event::Undone { seat: by, from: play.ply(), ply, casual: false })
}

/// Returns the error of an unproven count, with the proven bounds.
fn not_proven(table: &Table, claim: &EndgameCount) -> OrderError {
    let left = |seat| claim.left(seat).unwrap_or_default();
    OrderError::NotProven { left: Seat::all(table.chairs().len()).map(left).collect() }
}

/// Ends the game by the current points: most points win, equal points share the victory.
fn by_points(play: &dyn Play) -> Result<Event, OrderError> {
    let scores = play.scores().ok_or(OrderError::NoSuchOffer)?;
    let best = scores.iter().map(|score| score.points).max().unwrap_or_default();
    let winners = Seat::all(scores.len()).filter(|seat| scores[seat.index()].points == best);
    Ok(Event::ended(winners.collect(), EndCause::Counted { margin_halves: None }))
}

fn can_end_by_points(table: &Table) -> bool {
    table.game().is_some_and(|game| game.info().can_end_by_points)
}

/// Whether the game can end in a draw.
fn draws(table: &Table) -> bool {
    table.game().is_some_and(|game| game.info().has_draws)
}
