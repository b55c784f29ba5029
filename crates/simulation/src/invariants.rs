//! Checks the invariants, each in one function.

mod clocks;

use std::collections::BTreeMap;

use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::Answer;
use rookery_store::Sqlite;
use rookery_table::ports::{Card, Filter, Journal, Stage};
use rookery_table::{Event, OutboxItem, SourceId, Table, TableId};

use crate::store_thread::wait;
use crate::tables;
use crate::violation::{Invariant, Violation};
use crate::world::{World, lock};

/// The most tasks of a name that may run at the end, when nothing is due.
const MAX_IDLE_TASKS: u64 = 40;

/// Checks everything that can be seen at the end of a simulation.
pub(crate) fn check(world: &World) {
    let store = world.store();
    let cards = tables::cards(&store, &Filter::default());
    for card in &cards {
        orders_are_carried_out_once(world, &store, card.id);
        last_board_is_posted(world, &store, card);
        clocks::flags_fell_after_their_time(world, &store, card.id);
    }
    nothing_is_posted_twice(world);
    acknowledged_moves_are_written(world, &store, &cards);
    interactions_are_answered(world);
    no_task_panics(world);
    work_is_bounded(world);
    records_are_sound(world);
}

fn violate(world: &World, invariant: Invariant, what: String) {
    world.violate(Violation { invariant, what });
}

/// Returns the number of entries of all tables.
pub(crate) fn count_entries(world: &World) -> u64 {
    let store = world.store();
    let cards = tables::cards(&store, &Filter::default());
    cards.iter().map(|card| tables::entries(&store, card.id).len() as u64).sum()
}

/// Whether the outbox is empty.
pub(crate) fn nothing_is_due(world: &World) -> bool {
    wait(world.store().due(0, 1)).is_ok_and(|due| due.is_empty())
}

/// Reports what is still due long after the faults have ended.
pub(crate) fn unsettled(world: &World) {
    let due = wait(world.store().due(0, 3)).unwrap_or_default();
    let what = match due.is_empty() {
        true => "no process is connected".to_owned(),
        false => format!("still due: {due:?}"),
    };
    violate(world, Invariant::OutboxIsEmptied, what);
}

/// Whether no running table waits for a person's last move or for the bot, and every board is posted.
pub(crate) fn last_moves_are_posted(world: &World) -> bool {
    lock(&world.last_moves).is_some() && nothing_is_due(world) && waiting_tables(world).is_empty()
}

/// Reports the tables that did not play on.
pub(crate) fn stuck_tables(world: &World) {
    for (table, why) in waiting_tables(world) {
        violate(world, Invariant::TablePlaysOn, format!("{table} {why}"));
    }
    if !nothing_is_due(world) {
        unsettled(world);
    }
}

/// Returns the running tables that wait for something else than a person's next move, and why.
fn waiting_tables(world: &World) -> Vec<(TableId, String)> {
    let expected = lock(&world.last_moves).clone();
    let mut waiting = Vec::new();
    for table in tables::running(world) {
        if table.job().is_some() && !table.is_suspended() {
            waiting.push((table.id(), format!("waits for the bot after {} turns", table.ply())));
        } else if expected
            .as_ref()
            .and_then(|all| all.get(&table.id()))
            .is_some_and(|ply| table.ply() <= *ply)
        {
            waiting
                .push((table.id(), format!("stays after {} turns, although a move was made", table.ply())));
        }
    }
    waiting
}

/// The entries of a message or interaction are those of one decision.
fn orders_are_carried_out_once(world: &World, store: &Sqlite, table: TableId) {
    let mut decided: BTreeMap<SourceId, (u64, jiff::Timestamp)> = BTreeMap::new();
    for entry in tables::entries(store, table) {
        let Some(source) = entry.source else { continue };
        let (last, at) = decided.entry(source).or_insert((entry.sequence, entry.at));
        if entry.sequence > *last + 1 || entry.at != *at {
            let what = format!("{table} carried out {} at entries {last} and {}", source.0, entry.sequence);
            violate(world, Invariant::OrderIsCarriedOutOnce, what);
        }
        *last = entry.sequence;
    }
}

/// The board of the present position of a running game is posted, if its channel is there.
fn last_board_is_posted(world: &World, store: &Sqlite, card: &Card) {
    let Some(table) = tables::table(store, card.id).filter(|_| card.stage == Stage::Running) else { return };
    let Some(place) = table.board_channel() else { return };
    let discord = world.discord();
    let is_there = discord.channel_name(Id(place.channel.0)).is_some();
    let Some(ply) = last_board(&table).filter(|_| is_there) else { return };
    let posted = wait(store.posted(card.id, &OutboxItem::Board { ply }));
    if !matches!(posted, Ok(Some(_))) {
        let what = format!("the board of {} after {ply} turns: {posted:?}", card.id);
        violate(world, Invariant::LastBoardIsPosted, what);
    }
}

fn last_board(table: &Table) -> Option<usize> {
    (0..=table.ply()).rev().find(|ply| rookery_table::posted_boards::is_posted(table, *ply))
}

/// No two messages of a channel have the same nonce, which names the outbox row.
fn nothing_is_posted_twice(world: &World) {
    let discord = world.discord();
    let games = discord.channel("games");
    let ada = discord.user("Ada");
    for channel in discord.threads(games).into_iter().chain([games, ada.dm()]) {
        let mut seen = BTreeMap::new();
        for message in ada.messages(channel).iter().filter(|it| it.author() == Some(BOT_ID)) {
            let Some(nonce) = message.json["nonce"].as_str() else { continue };
            let (id, text) = (message.id, message.content().to_owned());
            if let Some((first, said)) = seen.insert(nonce.to_owned(), (id, text.clone())) {
                let what = format!("{channel} has {nonce} twice: {first} {said:?} and {id} {text:?}");
                violate(world, Invariant::NothingIsPostedTwice, what);
            }
        }
    }
}

/// A command whose answer says that the move was played has its move in the journal.
fn acknowledged_moves_are_written(world: &World, store: &Sqlite, cards: &[Card]) {
    let mut moves: BTreeMap<u64, usize> = BTreeMap::new();
    for card in cards {
        for entry in tables::entries(store, card.id) {
            // What the table plays by itself afterwards has the same source.
            let is_own = matches!(entry.event, Event::Moved { why: None, .. } | Event::Proposed { .. });
            if let Some(source) = entry.source.filter(|_| is_own) {
                *moves.entry(source.0).or_default() += 1;
            }
        }
    }
    for asked in lock(&world.asked).iter().filter(|asked| asked.what.starts_with("uses /move")) {
        let (_, message) = asked.interaction.state();
        let is_told = message.is_some_and(|it| it.content().contains("You played"));
        let count = moves.get(&asked.interaction.id.0).copied().unwrap_or(0);
        if is_told && count != 1 {
            let what = format!("{} ({}) is written {count} times", asked.what, asked.interaction.id);
            violate(world, Invariant::AcknowledgedMoveIsWrittenOnce, what);
        }
    }
}

/// Interactions without faults are answered; Discord tells people of the others that they failed.
fn interactions_are_answered(world: &World) {
    for asked in lock(&world.asked).iter().filter(|asked| asked.in_calm) {
        let (answer, _) = asked.interaction.state();
        if matches!(answer, Answer::None | Answer::Failed) {
            let what = format!("{} at {} got {answer:?}", asked.what, asked.at_ms);
            violate(world, Invariant::InteractionIsAnswered, what);
        }
    }
}

fn no_task_panics(world: &World) {
    for tasks in lock(&world.tasks).iter() {
        for status in tasks.status().iter().filter(|status| status.panics > 0) {
            let what = format!("{} panicked {} times", status.name, status.panics);
            violate(world, Invariant::NoTaskPanics, what);
        }
    }
}

fn work_is_bounded(world: &World) {
    let Some(tasks) = lock(&world.tasks).last().cloned() else { return };
    for status in tasks.status() {
        let running = status.begun.saturating_sub(status.ended);
        if running > MAX_IDLE_TASKS {
            violate(world, Invariant::WorkIsBounded, format!("{running} tasks run as {}", status.name));
        }
    }
}

/// `rookery check` finds no fault in the file.
fn records_are_sound(world: &World) {
    world.close_store();
    match wait(rookery_store::check(&world.path(), &|_, _| ())) {
        Ok(report) => {
            for fault in report.faults {
                violate(world, Invariant::RecordIsSound, format!("{}: {}", fault.part, fault.why));
            }
        }
        Err(error) => violate(world, Invariant::RecordIsSound, error.to_string()),
    }
}
