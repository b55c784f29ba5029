//! A new home for a game whose thread or channel is gone or closed to us: where one of its players asks for the board.

use crate::table::{By, Home, Order, Person, Say, Status, Table, shown};

use super::asked::{Asked, missing};
use super::desk::Desk;

/// Rows of the outbox read at a time.
const DUE_PAGE: usize = 200;

/// Gives the game a home where it is asked for, if it has none any more; whether it did.
pub async fn here(desk: &Desk, asked: &Asked, table: &Table) -> bool {
    if !may_live(table, asked) || !is_homeless(desk, table, asked.place.channel).await {
        return false;
    }
    let home = Home { channel: asked.place.channel, thread: false };
    match desk.hall.order(table.id(), By::House, Order::House(home), None).await {
        Ok(_) => true,
        Err(denied) => {
            tracing::warn!(table = %table.id(), %denied, "a game that has lost its home finds none");
            false
        }
    }
}

/// Whether somebody may bring the game here: a player, to where all players can see it.
fn may_live(table: &Table, asked: &Asked) -> bool {
    let people: Vec<Person> = table.chairs().iter().filter_map(|chair| chair.person()).collect();
    let alone = people.iter().all(|person| *person == asked.who) && !table.terms().has_teams();
    let same_server = asked.place.guild.is_some() && asked.place.guild == table.terms().guild;
    // We were brought along to this channel, and are a member now.
    let same_channel = asked.place.ours && asked.place.channel == table.terms().channel;
    let seen = alone || same_server || same_channel;
    let running = *table.status() == Status::Running;
    asked.place.ours && running && table.concerns(asked.who) && seen && missing(asked.place).is_empty()
}

/// Whether a game has no place where its boards can be posted. One that is only on its way to its first place is not
/// homeless.
async fn is_homeless(desk: &Desk, table: &Table, here: u64) -> bool {
    match table.home() {
        None => !is_due(desk, table, |say| *say == Say::MakeThread).await,
        Some(home) if home.channel == here => false,
        Some(home) => {
            matches!(desk.api.is_there(home.channel).await, Ok(false)) || is_unseen(desk, table).await
        }
    }
}

/// Whether the board of this turn was given up, because nothing may be posted any more where it belongs: the thread
/// is locked, or somebody took leave from us.
async fn is_unseen(desk: &Desk, table: &Table) -> bool {
    let board = Say::Board { ply: table.ply() };
    let has_board = table.frozen_ms().is_none() && shown::is_shown(table, table.ply());
    // The same turn may have had a board before, and been taken back.
    let latest = desk.hall.journal().latest(table.id(), &board).await;
    has_board && matches!(latest, Ok(None | Some((_, false)))) && !is_due(desk, table, |_| true).await
}

/// Whether something like that is yet to be said at a table, as far as is known.
async fn is_due(desk: &Desk, table: &Table, like: impl Fn(&Say) -> bool) -> bool {
    let mut after = 0;
    loop {
        let Ok(page) = desk.hall.journal().due(after, DUE_PAGE).await else { return true };
        if page.iter().any(|due| due.table == table.id() && like(&due.say)) {
            return true;
        }
        match page.last() {
            Some(last) if page.len() == DUE_PAGE => after = last.id,
            _ => return false,
        }
    }
}
