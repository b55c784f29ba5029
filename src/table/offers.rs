//! Offers: made by somebody at the table, answered by somebody else, dead after the next move.

use crate::kit::{Claim, Play, Seat};

use super::state::{Table, ended};
use super::words::{Cause, Event, Occupant, Offer, Person, Refused};

/// Makes an offer. The program alone answers at once: yes to an exact count, yes to the points of the
/// moment if it leads, no to a draw.
pub(super) fn make(table: &Table, who: Person, offer: Offer) -> Result<Vec<Event>, Refused> {
    table.running()?;
    let by = table.seat_of(who).ok_or(Refused::NotSeated)?;
    if table.offer().is_some() {
        return Err(Refused::OfferStands);
    }
    if stops_by_points(table) && offer == Offer::Count && table.to_move() != Some(by) {
        let whose = table.to_move().unwrap_or(by).index() as u8;
        return Err(Refused::NotYourTurn { whose });
    }
    let agreed = settle(table, offer)?;
    let made = Event::Offered { seat: by.index() as u8, offer };
    let alone = others(table, by).all(|occupant| matches!(occupant, Occupant::Ai { .. }));
    let answer = match offer {
        _ if !alone => return Ok(vec![made]),
        Offer::Count if !stops_by_points(table) || loses(&agreed, by) => agreed,
        Offer::Count | Offer::Draw => {
            let program = others_seats(table, by).next().unwrap_or(by);
            Event::Declined { seat: program.index() as u8 }
        }
    };
    Ok(vec![made, answer])
}

/// Whether an end gives a seat nothing.
fn loses(end: &Event, seat: Seat) -> bool {
    matches!(end, Event::Ended { ending } if !ending.winners.contains(&(seat.index() as u8)))
}

/// Answers the offer that stands.
pub(super) fn answer(table: &Table, who: Person, yes: bool) -> Result<Vec<Event>, Refused> {
    table.running()?;
    let seat = table.seat_of(who).ok_or(Refused::NotSeated)?;
    let standing = table.offer().ok_or(Refused::NoOffer)?;
    let both_hands = others(table, standing.by).all(|o| o.person() == Some(who));
    if standing.by == seat && !both_hands {
        return Err(Refused::OfferStands);
    }
    if yes {
        Ok(vec![settle(table, standing.offer)?])
    } else {
        Ok(vec![Event::Declined { seat: seat.index() as u8 }])
    }
}

/// The end that an offer leads to when everybody agrees. An offer that could not be carried out is
/// refused when it is made.
fn settle(table: &Table, offer: Offer) -> Result<Event, Refused> {
    match offer {
        Offer::Draw if table.chairs().len() != 2 => Err(Refused::NoSuchOffer),
        Offer::Draw => {
            draws(table).then(|| ended(Seat::all(2).collect(), Cause::Agreed)).ok_or(Refused::NoSuchOffer)
        }
        Offer::Count => match table.count()? {
            Claim::None if stops_by_points(table) => by_points(table.running()?),
            Claim::None => Err(Refused::NoSuchOffer),
            Claim::Shared { .. } => Err(Refused::StillShared),
            Claim::Separated { outcome: None, .. } => Err(Refused::NotProven),
            Claim::Separated { outcome: Some(outcome), margin_halves, .. } => {
                Ok(ended(outcome.winners, Cause::Counted { margin_halves }))
            }
        },
    }
}

/// The end by the points of the moment: more wins, equal shares.
fn by_points(play: &dyn Play) -> Result<Event, Refused> {
    let scores = play.scores().ok_or(Refused::NoSuchOffer)?;
    let best = scores.iter().map(|score| score.points).max().unwrap_or_default();
    let winners = Seat::all(scores.len()).filter(|seat| scores[seat.index()].points == best);
    Ok(ended(winners.collect(), Cause::Counted { margin_halves: None }))
}

fn stops_by_points(table: &Table) -> bool {
    table.game().is_some_and(|game| game.about().stops_by_points)
}

/// Whether the game can be shared at all.
fn draws(table: &Table) -> bool {
    table.game().is_some_and(|game| game.about().has_draws)
}

fn others_seats(table: &Table, but: Seat) -> impl Iterator<Item = Seat> {
    Seat::all(table.chairs().len()).filter(move |seat| *seat != but)
}

fn others(table: &Table, but: Seat) -> impl Iterator<Item = Occupant> + '_ {
    others_seats(table, but).filter_map(|seat| table.occupant(seat))
}
