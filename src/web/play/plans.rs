//! A person's planned replies.

use rookery_table::{UserId, plans as planned};
use serde::Serialize;

use super::super::discord_side::{OpenedTable, PageOrder};
use super::order_query::query_of;

/// A plan of the person.
#[derive(Serialize)]
pub(super) struct PlanView {
    /// The plan: `if d7-g7/g4 then a4-a6/c6`.
    text: String,
    /// The order that deletes it.
    delete: String,
}

/// Returns a person's plans.
pub(super) fn plans(opened: &OpenedTable, who: UserId) -> Vec<PlanView> {
    let table = &*opened.table;
    let Some(seat) = table.seat_of(who) else { return Vec::new() };
    let view = |branch: &planned::Branch| PlanView {
        text: planned::written(table, seat, branch),
        delete: query_of(&PageOrder::Unplan(planned::mark(branch))),
    };
    table.plans().of(seat).iter().map(view).collect()
}
