//! A new home for a game whose thread or channel is gone: where one of its players asks for the board.

use crate::table::{By, Home, Order, Person, Status, Table};

use super::asked::{Asked, missing};
use super::desk::Desk;

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

async fn is_homeless(desk: &Desk, table: &Table, here: u64) -> bool {
    match table.home() {
        None => true,
        Some(home) if home.channel == here => false,
        Some(home) => matches!(desk.api.is_there(home.channel).await, Ok(false)),
    }
}
