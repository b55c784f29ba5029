//! Offers: made by somebody at the table, answered by somebody else, dead after the next move.

use crate::kit::{Claim, Seat};

use super::state::{Table, ended};
use super::words::{Cause, Event, Occupant, Offer, Person, Refused};

/// Makes an offer. Against the program alone a count is taken at once: its answer would be yes,
/// because the count is exact.
pub(super) fn make(table: &Table, who: Person, offer: Offer) -> Result<Vec<Event>, Refused> {
    table.running()?;
    let by = table.seat_of(who).ok_or(Refused::NotSeated)?;
    if table.offer().is_some() {
        return Err(Refused::OfferStands);
    }
    let agreed = settle(table, offer)?;
    let made = Event::Offered { seat: by.index() as u8, offer };
    let alone = others(table, by).all(|occupant| matches!(occupant, Occupant::Ai { .. }));
    match offer {
        Offer::Count if alone => Ok(vec![made, agreed]),
        Offer::Draw if alone => {
            let program = others_seats(table, by).next().unwrap_or(by);
            Ok(vec![made, Event::Declined { seat: program.index() as u8 }])
        }
        _ => Ok(vec![made]),
    }
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
            Claim::None => Err(Refused::NoSuchOffer),
            Claim::Shared { .. } => Err(Refused::StillShared),
            Claim::Separated { outcome: None, .. } => Err(Refused::NotProven),
            Claim::Separated { outcome: Some(outcome), margin_halves, .. } => {
                Ok(ended(outcome.winners, Cause::Counted { margin_halves }))
            }
        },
    }
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
