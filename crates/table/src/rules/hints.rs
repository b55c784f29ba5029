//! Hints: the program's advice to the player to move, shown to everybody who watches. Never in a rated game.

use rookery_core::{Cell, EndgameCount, Play, Seat};

use crate::model::{Event, OrderError, Status, UserId};
use crate::state::Table;

/// Has a hint noted, once a turn however often it is asked for.
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

/// Whether the program may say anything to anybody about how a game stands.
///
/// # Errors
/// [`OrderError::NoHelp`] while a game goes on that counts for ratings.
pub fn may_help(table: &Table) -> Result<(), OrderError> {
    let counts = table.is_rated() && *table.status() != Status::Waiting;
    let over = matches!(table.status(), Status::Over(_));
    if counts && !over { Err(OrderError::NoHelp) } else { Ok(()) }
}

/// Positions that may be looked at to see whose a region is.
const TERRITORY_BUDGET_NODES: u64 = 100_000;

/// Whose each cell is that only one side can still use, at a position of a table's game; `None` while
/// regions are shared, and in games that have nothing of the kind.
///
/// # Errors
/// As [`may_help`].
pub fn territory(table: &Table, play: &dyn Play) -> Result<Option<Vec<(Cell, Seat)>>, OrderError> {
    may_help(table)?;
    rookery_tasks::computes_here("territory");
    let EndgameCount::Separated { domains, .. } = play.count_endgame(TERRITORY_BUDGET_NODES) else {
        return Ok(None);
    };
    let owned = |domain: &rookery_core::OwnedRegion| {
        let owner = domain.owner;
        domain.cells.iter().map(move |cell| (cell, owner)).collect::<Vec<_>>()
    };
    Ok(Some(domains.iter().flat_map(owned).collect()))
}

/// Whether somebody could have a hint now.
pub fn fits(table: &Table, who: UserId) -> bool {
    may_help(table).is_ok() && table.to_move().is_some_and(|turn| table.seat_of(who) == Some(turn))
}
