//! The tables as the journal has them, for people who know everything and for the invariants.

use futures_util::TryStreamExt;
use rookery_store::Sqlite;
use rookery_table::ports::{Card, Entry, Filter, Journal, Stage, walk_pages};
use rookery_table::{Table, TableId};

use crate::store_thread::wait;
use crate::world::World;

/// Returns the cards of all tables that match a filter, by name.
pub(crate) fn cards(store: &Sqlite, filter: &Filter) -> Vec<Card> {
    let cards = walk_pages(|page| store.scan(filter, page));
    wait(cards.try_collect()).expect("the journal can be read")
}

/// Returns the entries of a table.
pub(crate) fn entries(store: &Sqlite, table: TableId) -> Vec<Entry> {
    wait(store.load(table)).expect("the journal can be read")
}

/// Returns a table as its entries make it.
pub(crate) fn table(store: &Sqlite, id: TableId) -> Option<Table> {
    // A record that cannot be replayed is found by the check of the whole file.
    Table::replay(id, &entries(store, id)).ok().flatten()
}

/// Returns the tables where a game is in progress.
pub(crate) fn running(world: &World) -> Vec<Table> {
    let store = world.store();
    let all = cards(&store, &Filter { unfinished: true, ..Filter::default() });
    let running = all.iter().filter(|card| card.stage == Stage::Running);
    running.filter_map(|card| table(&store, card.id)).collect()
}
