//! Hints: the bot's advice to the player to move, visible to everybody; never in a rated game.

use rookery_core::{Play, Reach};

use crate::model::{Event, OrderError, Status, UserId};
use crate::state::Table;

/// Records a hint, once per turn however often it is requested.
pub(crate) fn ask(table: &Table, who: UserId) -> Result<Vec<Event>, OrderError> {
    may_help(table)?;
    let turn = table.running()?.turn();
    match table.seat_of(who) {
        None => Err(OrderError::NotSeated),
        Some(seat) if seat != turn => Err(OrderError::NotYourTurn { whose: turn }),
        Some(_) if table.is_hinted() => Ok(Vec::new()),
        Some(seat) => Ok(vec![Event::Hinted { seat }]),
    }
}

/// Checks whether the bot may comment on the state of a game.
///
/// # Errors
/// [`OrderError::NoHelp`] while a rated game is in progress.
pub fn may_help(table: &Table) -> Result<(), OrderError> {
    let counts = table.is_rated() && *table.status() != Status::Waiting;
    let over = matches!(table.status(), Status::Over(_));
    if counts && !over { Err(OrderError::NoHelp) } else { Ok(()) }
}

/// Returns who can still reach which free cells at a position of a table's game; `None` in games without territory.
///
/// # Errors
/// Those of [`may_help`].
pub fn territory(table: &Table, play: &dyn Play) -> Result<Option<Reach>, OrderError> {
    may_help(table)?;
    rookery_tasks::assert_off_async_threads("territory");
    Ok(play.reach())
}

/// Whether a person can get a hint now.
pub fn is_available(table: &Table, who: UserId) -> bool {
    may_help(table).is_ok() && table.to_move().is_some_and(|turn| table.seat_of(who) == Some(turn))
}
