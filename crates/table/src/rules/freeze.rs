//! Games whose server we were taken out of: they stand still, and go on when we are back.

use crate::model::{Actor, EndCause, Event, Order, OrderError};
use crate::state::Table;

/// How long a game stands still before it is over without a result: thirty days.
const MAX_FROZEN_MS: i64 = 30 * 24 * 3_600 * 1_000;

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
    if table.frozen_ms().is_none() || ours { Ok(()) } else { Err(OrderError::Frozen) }
}

/// What the house has to say about it.
pub(crate) fn decide(table: &Table, by: Actor, order: &Order, now_ms: i64) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    if by != Actor::System {
        return Err(OrderError::NotSeated);
    }
    let event = match (order, table.frozen_ms()) {
        (Order::Freeze, None) => Some(Event::Frozen),
        (Order::Thaw, Some(_)) => Some(Event::Thawed),
        (Order::EndFrozen, Some(since_ms)) if now_ms - since_ms >= MAX_FROZEN_MS => {
            Some(Event::ended(Vec::new(), EndCause::Abandoned))
        }
        _ => None,
    };
    Ok(event.into_iter().collect())
}
