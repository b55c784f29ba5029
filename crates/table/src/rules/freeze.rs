//! Games whose server we were taken out of: they stand still, and go on when we are back.

use crate::model::{Actor, EndCause, Event, Order, OrderError};
use crate::state::Table;
use jiff::{SignedDuration, Timestamp};

/// How long a game stands still before it is over without a result: thirty days.
const MAX_FROZEN: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Refuses what people, and the program, would do meanwhile.
pub(crate) fn check(table: &Table, order: &Order) -> Result<(), OrderError> {
    let ours = matches!(
        order,
        Order::Freeze
            | Order::Thaw
            | Order::EndFrozen
            | Order::SetBoardChannel(_)
            | Order::ClearBoardChannel
            | Order::Rate(_)
            | Order::RemovePerson { .. }
    );
    if table.frozen_since().is_none() || ours { Ok(()) } else { Err(OrderError::Frozen) }
}

/// What the house has to say about it.
pub(crate) fn decide(
    table: &Table,
    by: Actor,
    order: &Order,
    now: Timestamp,
) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if by != Actor::System {
        return Err(OrderError::NotSeated);
    }
    let event = match (order, table.frozen_since()) {
        (Order::Freeze, None) => Some(Event::Frozen),
        (Order::Thaw, Some(_)) => Some(Event::Thawed),
        (Order::EndFrozen, Some(since)) if now.duration_since(since) >= MAX_FROZEN => {
            Some(Event::ended(Vec::new(), EndCause::Abandoned))
        }
        _ => None,
    };
    Ok(event.into_iter().collect())
}
