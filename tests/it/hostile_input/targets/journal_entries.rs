//! Journal entries as the store holds them, one a line: the milliseconds since 1970 and the number of the source, each
//! followed by a blank, then the event. Both numbers may be missing. Cards and outbox items have lines as well.

use rookery_table::decide::decide;
use rookery_table::hash_chain::ChainEntry;
use rookery_table::ports::{Card, Entry};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences};
use rookery_table::{Actor, Event, Order, OutboxItem, SourceId, Table, TableId, millis, outbox};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Target, text};

pub(super) const TARGET: Target = Target { name: "journal_entries", check, seeds, words };

fn check(bytes: &[u8]) {
    let text = text(bytes);
    let id: TableId = "K7Q2".parse().expect("a name");
    let mut entries = Vec::new();
    for (line, sequence) in text.lines().zip(1..) {
        reads_as_written::<Card>(line);
        reads_as_written::<OutboxItem>(line);
        reads_as_written::<PersonalPreferences>(line);
        reads_as_written::<ServerPreferences>(line);
        let link = stored(line, sequence);
        link.seal_after(id, None);
        match link.entry() {
            Ok(entry) => entries.push(entry),
            Err(error) => return assert!(!error.to_string().is_empty()),
        }
    }
    for entry in &entries {
        let json = serde_json::to_string(&entry.event).expect("an event is JSON");
        assert_eq!(serde_json::from_str::<Event>(&json).ok().as_ref(), Some(&entry.event), "{json}");
    }
    match Table::replay(id, &entries) {
        Ok(Some(table)) => check_table(&table, &entries),
        Ok(None) => assert!(entries.is_empty()),
        Err(broken) => assert!(!broken.why.is_empty() && broken.sequence >= 1),
    }
}

/// Checks that a value that can be read is written as JSON that reads as the same value.
fn reads_as_written<T: Serialize + DeserializeOwned + PartialEq>(json: &str) {
    let Ok(value) = serde_json::from_str::<T>(json) else { return };
    let written = serde_json::to_string(&value).expect("it's written");
    assert!(serde_json::from_str::<T>(&written).ok() == Some(value), "{json} is written as {written}");
}

fn stored(line: &str, sequence: u64) -> ChainEntry {
    let (at_ms, rest) = numbered(line);
    let (source, event) = numbered(rest);
    let (at, source) =
        (millis::timestamp(at_ms.unwrap_or_default()), source.map(i64::cast_unsigned).map(SourceId));
    ChainEntry { sequence, at, source, event: event.to_owned(), seal: None }
}

/// Splits a text into the number at its beginning, if there is one, and the rest.
fn numbered(text: &str) -> (Option<i64>, &str) {
    let parts = text.split_once(' ').and_then(|(number, rest)| Some((number.parse().ok()?, rest)));
    parts.map_or((None, text), |(number, rest)| (Some(number), rest))
}

/// Checks what every table can do, at the time of its last entry and long afterwards.
fn check_table(table: &Table, entries: &[Entry]) {
    let card = serde_json::to_string(&table.card()).expect("a card is JSON");
    reads_as_written::<Card>(&card);
    table.job();
    table.next_due();
    let events: Vec<_> = entries.iter().map(|entry| entry.event.clone()).collect();
    outbox::items_after(None, table, &events);
    for now in [table.at(), millis::timestamp(i64::MAX), millis::timestamp(i64::MIN)] {
        drop(decide(table, Actor::System, &Order::Tick, None, now));
        let text = table.play().and_then(|play| play.moves().into_iter().next()).unwrap_or_default();
        let order = Order::Move { text, ply: None };
        drop(decide(table, Actor::Person(table.host()), &order, None, now));
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let released = include_str!("../../../data/released/0.1.0/journal.sql");
    let mut seeds = Vec::new();
    let (mut table, mut lines) = ("", Vec::new());
    for line in released.lines() {
        let json = line.find("'{").and_then(|from| Some(&line[from + 1..=line.rfind("}'")?]));
        let Some(json) = json.map(|json| json.replace("''", "'")) else { continue };
        if !line.starts_with("INSERT INTO \"events\"") {
            seeds.push(json.into_bytes());
            continue;
        }
        let mut fields = line.split(['(', ',']);
        let (name, _, at_ms) =
            (fields.nth(1).unwrap_or_default(), fields.next(), fields.next().unwrap_or("0"));
        if name != table {
            seeds.push(std::mem::take(&mut lines).join("\n").into_bytes());
            table = name;
        }
        lines.push(format!("{at_ms} 1 {json}"));
    }
    seeds.push(lines.join("\n").into_bytes());
    seeds.retain(|seed| !seed.is_empty() && seed.len() <= 8_192);
    seeds.sort();
    seeds.dedup();
    // Every kind of row, without most of the many similar ones.
    let step = (seeds.len() / 200).max(1);
    seeds.into_iter().step_by(step).collect()
}

fn words() -> Vec<String> {
    let events = "opened housed unhoused frozen thawed seated vacated started moved enlisted departed proposed voted elected \
        planned hinted resigned offered agreed declined undone paused resumed proven accepted played_on pause_over lost rested \
        warned time_up time_given timed_out rematched ended forgotten rated";
    let words = "{\"event\":\" \"seat\":0 \"seat\":3 \"seat\":255 \"text\":\" \"line\":\" \"ply\":0 \"from\": \"terms\":{ \
        \"clock\":{ \"chairs\":[ \"more_ms\":9223372036854775807 \"more_ms\":-9223372036854775808 -9223372036854775808 \
        9223372036854775807 18446744073709551615 null true [] {} \"rest\": \"spans\":[ \"from_ms\": \"until_ms\": \"person\":11 \
        \"winners\":[0,3] \"cause\":\"rules\" \"captain\": \"proposal\":65535";
    events.split_whitespace().chain(words.split_whitespace()).map(str::to_owned).collect()
}
