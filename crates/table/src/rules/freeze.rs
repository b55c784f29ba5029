//! Freezing: games stop while the bot is not in their server, and continue when it is back.

use crate::model::{Actor, EndCause, Event, Order, OrderError};
use crate::state::Table;
use jiff::{SignedDuration, Timestamp};

/// The longest freeze; then the game ends without a result.
const MAX_FROZEN: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Refuses orders of people and of the bot's player while the game is frozen.
pub(crate) fn check(table: &Table, order: &Order) -> Result<(), OrderError> {
    let ours = matches!(
        order,
        Order::Freeze
            | Order::Thaw
            | Order::EndFrozen
            | Order::SetBoardChannel(_)
            | Order::LeaveBoardChannel { .. }
            | Order::Rate(_)
            | Order::RemovePerson { .. }
    );
    if table.frozen_since().is_none() || ours { Ok(()) } else { Err(OrderError::Frozen) }
}

/// Decides the system's orders to freeze, thaw and end a game.
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
