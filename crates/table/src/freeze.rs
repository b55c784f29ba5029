//! Games whose server we were taken out of: they stand still, and go on when we are back.

use super::state::{Table, ended};
use super::words::{By, Cause, Event, Order, Refused};

/// How long a game stands still before it is over without a result: thirty days.
const FROZEN_MOST_MS: i64 = 30 * 24 * 3_600 * 1_000;

/// Refuses what people, and the program, would do meanwhile.
pub(super) fn may(table: &Table, order: &Order) -> Result<(), Refused> {
    let ours = matches!(
        order,
        Order::Freeze
            | Order::Thaw
            | Order::LetGo
            | Order::House(_)
            | Order::Unhouse
            | Order::Rate(_)
            | Order::Part { .. }
    );
    if table.frozen_ms().is_none() || ours { Ok(()) } else { Err(Refused::Frozen) }
}

/// What the house has to say about it.
pub(super) fn decide(table: &Table, by: By, order: &Order, now_ms: i64) -> Result<Vec<Event>, Refused> {
    table.running()?;
    if by != By::House {
        return Err(Refused::NotSeated);
    }
    let event = match (order, table.frozen_ms()) {
        (Order::Freeze, None) => Some(Event::Frozen),
        (Order::Thaw, Some(_)) => Some(Event::Thawed),
        (Order::LetGo, Some(since_ms)) if now_ms - since_ms >= FROZEN_MOST_MS => {
            Some(ended(Vec::new(), Cause::Abandoned))
        }
        _ => None,
    };
    Ok(event.into_iter().collect())
}
