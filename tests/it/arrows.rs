//! The house's arrows: which module may use which. Read from the sources, so that a wrong `use`
//! fails here and not in somebody's head.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// For each room of the house, the rooms it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("tasks", &[]),
    ("http_server", &["tasks"]),
    ("kit", &[]),
    ("search", &["kit"]),
    ("games", &["kit", "search"]),
    ("render", &["kit"]),
    ("table", &["tasks", "kit", "search", "games"]),
    ("words", &["kit", "games", "table"]),
    ("ops", &["tasks", "http_server"]),
    ("store", &["kit", "table"]),
    ("drawing", &["kit", "render"]),
    ("web", &["tasks", "http_server", "kit", "games", "render", "table", "words", "drawing"]),
    ("discord", &["tasks", "kit", "games", "render", "table", "words", "ops", "drawing"]),
    ("tools", &["kit", "search", "games", "render", "words"]),
    ("playground", &["tasks"]),
];

/// What the pure rooms must not touch: no async, no Discord, no clock, no files, no sockets.
const PURE: &[&str] = &[
    "kit",
    "games",
    "render",
    "table/access.rs",
    "table/state.rs",
    "table/state",
    "table/say.rs",
    "table/offers.rs",
    "table/words.rs",
    "table/words",
    "table/seal.rs",
    "table/pledge.rs",
    "table/audit.rs",
    "table/recorded.rs",
    "table/calendar.rs",
    "table/rated.rs",
    "table/rating.rs",
    "table/preferences.rs",
    "table/quota.rs",
    "table/sets.rs",
    "table/vacation.rs",
    "table/clock",
    "table/time.rs",
];
const IMPURE: &[&str] = &[
    "tokio::",
    "serenity::",
    "SystemTime",
    "Instant",
    "std::thread",
    "std::fs",
    "std::net",
    "thread_rng",
    "std::env",
];

fn sources(under: &Path) -> Vec<PathBuf> {
    if under.is_file() {
        return vec![under.to_owned()];
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(under).unwrap_or_else(|e| panic!("{}: {e}", under.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() || path.extension().is_some_and(|ext| ext == "rs") {
            found.extend(sources(&path));
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Whether a file, or a folder it lies in, is declared behind `#[cfg(test)]`.
fn is_for_tests(path: &Path) -> bool {
    path.ancestors().take_while(|part| *part != root()).any(|part| {
        let stem = part.file_stem().unwrap().to_string_lossy();
        let beside = part.parent().unwrap();
        let declared_in = [beside.join("mod.rs"), beside.with_extension("rs"), beside.join("lib.rs")];
        let texts = declared_in.iter().filter_map(|file| fs::read_to_string(file).ok());
        texts.into_iter().any(|text| {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let declares = |line: &str| line.ends_with(&format!("mod {stem};"));
            lines.windows(2).any(|pair| pair[0] == "#[cfg(test)]" && declares(pair[1]))
        })
    })
}

/// A file's code without its comments and without its tests: those may look further.
fn code(path: &Path) -> String {
    if is_for_tests(path) {
        return String::new();
    }
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The rooms that a piece of code names as `crate::ROOM`, also within `use crate::{a::…, b::…}`.
fn used(code: &str) -> BTreeSet<String> {
    let rooms: Vec<&str> = ARROWS.iter().map(|(room, _)| *room).collect();
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let word =
            |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        let named = match rest.strip_prefix('{') {
            None => vec![word(rest)],
            Some(list) => list
                .split_once("};")
                .map_or(list, |(list, _)| list)
                .split(',')
                .map(|t| word(t.trim()))
                .collect(),
        };
        found.extend(named.into_iter().filter(|name| rooms.contains(&name.as_str())));
    }
    found
}

#[test]
fn arrows_point_one_way() {
    let mut wrong = Vec::new();
    for (room, may_use) in ARROWS {
        for path in sources(&root().join(room)) {
            for other in used(&code(&path)) {
                if other != *room && !may_use.contains(&other.as_str()) {
                    wrong.push(format!("{} uses crate::{other}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that the map does not have:\n{}", wrong.join("\n"));
}

#[test]
fn every_room_is_on_the_map() {
    let on_map: BTreeSet<_> = ARROWS.iter().map(|(room, _)| (*room).to_owned()).collect();
    let folders =
        fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let there: BTreeSet<_> =
        folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(there, on_map);
}

#[test]
fn pure_rooms_touch_nothing_outside() {
    let mut wrong = Vec::new();
    for room in PURE {
        for path in sources(&root().join(room)) {
            let code = code(&path);
            let met = IMPURE.iter().filter(|word| code.contains(**word));
            wrong.extend(met.map(|word| format!("{} touches {word}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What of the face may read tables past the gate (`discord/access.rs`), and why nobody is shown anything by that:
/// jobs that nobody asked for, and what looks through somebody's own tables. Everything else, above all what a person
/// names, presses or answers, goes through the gate.
const PAST_THE_GATE: &[&str] = &[
    "discord/access.rs",
    // Why an order came to nothing that the gate has let through.
    "discord/desk.rs",
    // Messages of tables: what they say is said where the table is.
    "discord/outbox/",
    "discord/brought.rs",
    "discord/late.rs",
    "discord/digest.rs",
    "discord/sight.rs",
    "discord/tv/",
    // The asker's own tables, and roles of those of a server.
    "discord/settings/vacation.rs",
    "discord/commands/import.rs",
    "discord/teams.rs",
    // Of a record that the gate has let through.
    "discord/commands/verify.rs",
    // The games of somebody who is banned, which they may finish.
    "discord/bans.rs",
    // Jobs: pings that wait, messages from while the bot was away, games that lost their place.
    "discord/deferred_pings.rs",
    "discord/missed_messages.rs",
    "discord/rehouse.rs",
];
/// What of the face may give orders past the gate: the gate's own way, and the house's own orders.
const ORDERS_PAST_THE_GATE: &[&str] =
    &["discord/desk.rs", "discord/rehouse.rs", "discord/teams.rs", "discord/bans.rs", "discord/outbox/"];

#[test]
fn tables_are_read_and_ordered_past_the_gate_by_known_jobs_alone() {
    let mut wrong = Vec::new();
    let mut met = BTreeSet::new();
    for (call, allowed) in [("hall.see(", PAST_THE_GATE), ("hall.order(", ORDERS_PAST_THE_GATE)] {
        for path in sources(&root().join("discord")) {
            let code = code(&path).split_whitespace().collect::<String>();
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            let known = allowed.iter().find(|known| name.starts_with(**known));
            match (code.contains(call), known) {
                (true, None) => {
                    wrong.push(format!("{name}: {call}…) goes past Desk::open_table or Desk::order"))
                }
                (true, Some(known)) => drop(met.insert((call, *known))),
                (false, _) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        met.len(),
        PAST_THE_GATE.len() + ORDERS_PAST_THE_GATE.len(),
        "an exception that nothing needs: {met:?}"
    );
}

#[test]
fn games_do_not_know_each_other() {
    let games = root().join("games");
    let rooms = fs::read_dir(&games).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let names: Vec<String> =
        rooms.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    for name in &names {
        for path in sources(&games.join(name)) {
            let code = code(&path);
            for other in names.iter().filter(|other| *other != name) {
                let knows = code.contains(&format!("games::{other}::"));
                assert!(!knows, "{} knows games::{other}: what they share belongs in kit", path.display());
            }
        }
    }
}
