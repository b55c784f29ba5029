//! The dependency rule. Cargo enforces it between crates; these tests check what Cargo does not see: which crates may
//! depend on each other at all, which ones are pure, and the access check before tables.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::source_code::{code, first_word, is_for_tests, root, rust_files};

/// For each crate of the workspace, the other crates that it may use.
const CRATES: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("search", &["core"]),
    ("games", &["core", "search"]),
    ("render", &["core"]),
    ("transforms", &[]),
    ("reading", &["core", "games", "render", "transforms"]),
    ("tasks", &[]),
    ("table", &["core", "games", "search", "tasks"]),
    ("i18n", &["core", "games", "table"]),
    ("store", &["core", "table"]),
    ("lab", &["core", "games", "i18n", "render", "search"]),
    ("playground", &[]),
    ("simulation", &["core", "i18n", "playground", "render", "store", "table", "tasks"]),
];

/// For each folder of the program, the other folders that it may use.
const FOLDERS: &[(&str, &[&str])] = &[
    ("http_server", &[]),
    ("drawing", &[]),
    ("cli", &["config"]),
    ("config", &[]),
    ("observability", &["config", "http_server"]),
    ("web", &["drawing", "http_server"]),
    ("discord", &["drawing", "web"]),
    // It checks the address to which a sign-in leads back.
    ("doctor", &["config", "discord", "web"]),
];

/// The pure folders: no async, no Discord, no clock, no files, no sockets.
const PURE: &[&str] = &[
    "crates/core/src",
    "crates/games/src",
    "crates/render/src",
    "crates/transforms/src",
    "crates/reading/src",
    "crates/table/src/integrity",
    "crates/table/src/model",
    "crates/table/src/ratings",
    "crates/table/src/rules",
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

fn src() -> PathBuf {
    root().join("src")
}

/// Returns the folders that a piece of code names as `crate::FOLDER`.
fn used(code: &str) -> BTreeSet<String> {
    let named = code.match_indices("crate::").map(|(at, found)| first_word(&code[at + found.len()..]));
    named.filter(|name| FOLDERS.iter().any(|(folder, _)| folder == name)).collect()
}

/// Returns the crates of the workspace in the `[dependencies]` of a manifest.
fn dependencies(manifest: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(manifest).unwrap_or_else(|e| panic!("{}: {e}", manifest.display()));
    let section = text.split("\n[").find(|part| part.starts_with("dependencies]")).unwrap_or_default();
    let names = section.lines().filter_map(|line| line.strip_prefix("rookery-"));
    names.map(|rest| rest.split(['.', ' ', '=']).next().unwrap_or_default().to_owned()).collect()
}

fn folders_of(path: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn crates_depend_on_what_the_map_allows() {
    let on_map: BTreeSet<String> = CRATES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(folders_of(&root().join("crates")), on_map);
    for (name, may_use) in CRATES {
        let uses = dependencies(&root().join("crates").join(name).join("Cargo.toml"));
        let may_use: BTreeSet<String> = may_use.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(uses, may_use, "crates/{name}");
    }
}

#[test]
fn folders_of_the_program_use_what_the_map_allows() {
    let on_map: BTreeSet<String> = FOLDERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(folders_of(&src()), on_map);
    let mut wrong = Vec::new();
    for (folder, may_use) in FOLDERS {
        for path in rust_files(&src().join(folder)) {
            let others = used(&code(&path)).into_iter().filter(|other| other != folder);
            let not_allowed = others.filter(|other| !may_use.contains(&other.as_str()));
            wrong.extend(not_allowed.map(|other| format!("{} uses crate::{other}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "dependencies that the map does not have:\n{}", wrong.join("\n"));
}

#[test]
fn pure_folders_touch_nothing_outside() {
    let mut wrong = Vec::new();
    for folder in PURE {
        for path in rust_files(&root().join(folder)) {
            let code = code(&path);
            let met = IMPURE.iter().filter(|word| code.contains(**word));
            wrong.extend(met.map(|word| format!("{} touches {word}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The calls that reach a table without the access check, each with the files of `src/discord` that may use it and the
/// reason why it shows nobody what they may not see. Everything else, above all tables that a person names, presses or
/// answers, goes through `Context::open_table`, `Context::try_open` or `Context::order`.
const WITHOUT_ACCESS_CHECK: &[(&str, &[(&str, &str)])] = &[
    (
        "registry.table(",
        &[
            ("policy/table_access.rs", "the access check itself"),
            ("policy/orders.rs", "why an order failed that was let through, and the person's own tables"),
            ("policy/table_lookup/question.rs", "names the game of tables that were found for the person"),
            ("jobs/outbox/", "posts where the table is"),
            ("actions/user_install.rs", "posts where the table is"),
            ("actions/relocation.rs", "a game whose channel is lost, for its players"),
            ("jobs/quiet_hours.rs", "to the players of the table"),
            ("jobs/digest.rs", "to its players, and followers by may_notify"),
            ("state/context/channel_access.rs", "asks who reads a channel"),
            ("jobs/tv/", "may_list, for everybody who reads there"),
            ("jobs/deferred_pings", "to the players of the table"),
            ("handlers/events/missed_messages.rs", "looks for messages, which are checked then"),
            ("state/edited_messages.rs", "whether a message was carried out"),
            ("handlers/settings/vacation.rs", "the person's own tables"),
            ("actions/play_on.rs", "the person's own games from positions"),
            ("actions/study.rs", "the person's own studies"),
            ("actions/board_link.rs", "a table that the person has just opened, joined or been shown"),
            ("handlers/commands/verify.rs", "a record that was let through"),
            ("policy/teams.rs", "roles of the teams of a server"),
            ("policy/bans.rs", "the banned person's own tables"),
        ],
    ),
    (
        "registry.order(",
        &[
            ("policy/orders.rs", "after the check"),
            ("actions/relocation.rs", "orders of the system"),
            ("jobs/outbox/", "orders of the system"),
            ("policy/teams.rs", "orders of the system"),
            ("policy/bans.rs", "takes the banned person's own seat away"),
        ],
    ),
    (
        "registry.list(",
        &[
            ("policy/table_access.rs", "cards for the access check"),
            ("policy/table_lookup.rs", "the person's own, and those of the channel where they ask"),
            ("policy/orders.rs", "the person's own tables"),
            ("jobs/tv/", "may_list, for everybody who reads there"),
            ("jobs/quiet_hours.rs", "the person's own tables"),
            ("actions/study.rs", "the person's own studies"),
            ("actions/announcement.rs", "in which channel of a server the latest game was opened"),
        ],
    ),
    (
        "registry.latest(",
        &[
            ("policy/table_lookup", "the person's own, and those of the channel where they ask"),
            ("jobs/lobby.rs", "may_list, for everybody who reads there"),
            ("jobs/digest.rs", "to its players, and followers by may_notify"),
            ("state/edited_messages.rs", "the person's own tables"),
            ("handlers/commands/block.rs", "tables that the person shares with another"),
            ("handlers/commands/games.rs", "filtered by may_list, or the person's own"),
        ],
    ),
    (
        "registry.scan(",
        &[
            ("handlers/events/missed_messages.rs", "which channels to read"),
            ("jobs/quiet_hours.rs", "the person's own tables"),
            ("policy/teams.rs", "roles of the teams of a server"),
            ("policy/bans.rs", "the banned person's own tables"),
            ("actions/relocation.rs", "whether games are played in a deleted channel"),
            ("policy/server_rules.rs", "counts games"),
            ("policy/opening.rs", "counts games"),
            ("handlers/settings/vacation.rs", "the person's own tables"),
            ("actions/play_on.rs", "the person's own games from positions"),
            ("handlers/commands/profile.rs", "counts wins and losses"),
        ],
    ),
    (
        "registry.chain(",
        &[
            ("handlers/commands/verify.rs", "after the check"),
            ("handlers/commands/export.rs", "after the check"),
        ],
    ),
    ("journal.chain(", &[]),
    (
        "journal.list(",
        &[
            ("jobs/deferred_pings/recall.rs", "to the players of the table"),
            ("handlers/commands/privacy.rs", "the person's own games"),
        ],
    ),
    ("journal.scan(", &[("handlers/commands/privacy.rs", "the person's own data")]),
    ("registry.share(", &[("actions/sharing.rs", "for players alone, after the check")]),
    ("registry.open_rematch(", &[("actions/rematch.rs", "after the check")]),
    (
        ".table_of_thread(",
        &[
            ("handlers/messages.rs", "the writer reads the table's thread"),
            ("handlers/messages/banned.rs", "the writer reads the table's thread"),
            ("handlers/messages/help.rs", "the table found is opened by the access check"),
            ("handlers/commands/rules.rs", "which game the thread is about, for somebody who reads there"),
        ],
    ),
    (
        ".look_again(",
        &[
            ("actions/resign_confirmation.rs", "a table that was let through"),
            ("handlers/components.rs", "a table that was let through"),
            ("handlers/commands/plan.rs", "a table that was let through"),
        ],
    ),
];

#[test]
fn access_check_is_left_out_by_known_files_alone() {
    let discord = src().join("discord");
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for path in rust_files(&discord) {
        let code = code(&path).split_whitespace().collect::<String>();
        let code = code.replace("registry()", "registry").replace("journal()", "journal");
        let name = path.strip_prefix(&discord).unwrap().to_string_lossy().into_owned();
        for (call, allowed) in WITHOUT_ACCESS_CHECK.iter().filter(|(call, _)| code.contains(call)) {
            match allowed.iter().find(|(known, _)| name.starts_with(known)) {
                Some((known, _)) => drop(used.insert((*call, *known))),
                None => {
                    wrong.push(format!("{name}: {call}…) needs the access check, or a reason in this list"))
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed =
        WITHOUT_ACCESS_CHECK.iter().flat_map(|(call, files)| files.iter().map(|(file, _)| (*call, *file)));
    let unused: Vec<_> = listed.filter(|entry| !used.contains(entry)).collect();
    assert!(unused.is_empty(), "nothing needs these exceptions: {unused:?}");
}

/// Files that may spawn a task or a thread: `crates/tasks`, which names, supervises and measures; the thread
/// pool of `crates/search`, which counts the panics of its players; the supervised outbox, which retries a
/// table whose worker panicked; the shards of the gateway, whose sessions are measured; the playground, which uses no other crate and hands its tasks to the program;
/// programs of `crates/lab` that run at the command line; and the simulation, whose hosts end with their tasks.
const SPAWNS: &[&str] = &[
    "crates/tasks/src/",
    "crates/playground/src/task_runner.rs",
    "crates/search/src/pool.rs",
    "crates/lab/src/play_match/player.rs",
    "crates/lab/src/ugi/session.rs",
    "crates/simulation/src/",
    "src/discord/gateway/shards.rs",
    "src/discord/jobs/outbox/table_lanes.rs",
];

#[test]
fn supervision_spawns_every_task() {
    let mut wrong = Vec::new();
    for path in rust_files(&src()).into_iter().chain(rust_files(&root().join("crates"))) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let code = code(&path);
        let spawns = [
            "tokio::spawn(",
            "task::spawn",
            "spawn_blocking(",
            "runtime.spawn(",
            "thread::spawn(",
            "thread::Builder",
            "JoinSet",
        ];
        let met = spawns.iter().filter(|call| code.contains(**call));
        if !SPAWNS.iter().any(|known| name.starts_with(known)) {
            wrong.extend(met.map(|call| format!("{name}: {call}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The code that the simulation runs. A random choice among branches that are ready could not be replayed.
const SIMULATED: &[&str] = &[
    "crates/playground/src",
    "crates/simulation/src",
    "crates/table/src",
    "crates/tasks/src",
    "src/discord",
];

#[test]
fn simulated_code_chooses_branches_in_a_fixed_order() {
    let mut wrong = Vec::new();
    for path in SIMULATED.iter().flat_map(|folder| rust_files(&root().join(folder))) {
        let code = code(&path).split_whitespace().collect::<String>();
        let random = code.matches("select!{").count() - code.matches("select!{biased;").count();
        if random > 0 && !path.ends_with("page/socket.rs") {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "`select!` without `biased`:\n{}", wrong.join("\n"));
}

#[test]
fn games_do_not_know_each_other() {
    let games = root().join("crates/games/src");
    let folders =
        fs::read_dir(&games).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let shared = ["art", "floe", "record"];
    let names: Vec<String> = folders
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| !shared.contains(&name.as_str()))
        .collect();
    for name in &names {
        for path in rust_files(&games.join(name)) {
            let code = code(&path);
            for other in names.iter().filter(|other| *other != name) {
                let knows = code.contains(&format!("crate::{other}::"));
                assert!(
                    !knows,
                    "{} uses crate::{other}: what games share has a folder of its own",
                    path.display()
                );
            }
        }
    }
}

/// The folders of `src/discord` in order: each may use only those before it. What two folders share is in an earlier
/// one.
const DISCORD: &[&str] = &["wire", "state", "view", "policy", "actions", "handlers", "jobs", "gateway"];

/// The modules of `crate::discord` that a piece of code names, also in groups such as `crate::discord::{a::B, c}`.
fn discord_modules(code: &str) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for (at, found) in code.match_indices("crate::discord::") {
        let rest = &code[at + found.len()..];
        match rest.strip_prefix('{') {
            Some(group) => named.extend(heads_of_group(group)),
            None => drop(named.insert(first_word(rest))),
        }
    }
    named
}

/// Returns the first word of each path in a group of imports, up to the brace that closes the group.
fn heads_of_group(group: &str) -> Vec<String> {
    let (mut depth, mut heads, mut is_head) = (1, Vec::new(), true);
    for (at, sign) in group.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' => is_head = depth == 1,
            sign if is_head && depth == 1 && sign.is_alphabetic() => {
                heads.push(first_word(&group[at..]));
                is_head = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    heads
}

#[test]
fn imports_of_a_group_are_found() {
    let code = "use crate::discord::{Settings, jobs::{tv, outbox::Outbox}, view::board};\ncrate::discord::policy::teams::x()";
    let found: Vec<_> = discord_modules(code).into_iter().collect();
    assert_eq!(found, ["Settings", "jobs", "policy", "view"]);
}

#[test]
fn discord_folders_use_those_before_them() {
    let discord = src().join("discord");
    assert_eq!(folders_of(&discord), DISCORD.iter().map(|name| (*name).to_owned()).collect());
    let mut against = Vec::new();
    for (at, folder) in DISCORD.iter().enumerate() {
        for path in rust_files(&discord.join(folder)) {
            let named = discord_modules(&code(&path));
            let later = DISCORD[at + 1..].iter().filter(|later| named.contains(**later));
            against.extend(later.map(|later| format!("{} uses {later}", path.display())));
        }
    }
    assert!(against.is_empty(), "against the order of folders:\n{}", against.join("\n"));
}

/// Fields and parameters that hold a Discord id use its type; only codecs use numbers.
#[test]
fn ids_are_types_outside_of_codecs() {
    const NAMES: [&str; 8] = ["guild", "guilds", "channel", "channels", "thread", "message", "role", "roles"];
    let folders = ["src/discord", "src/web", "crates/table/src", "crates/store/src", "crates/i18n/src"];
    let mut raw = Vec::new();
    for path in folders.into_iter().flat_map(|folder| rust_files(&root().join(folder))) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let declares = |name: &&str| {
                ["u64", "Option<u64>", "Vec<u64>", "&[u64]"].iter().any(|number| {
                    let declaration = format!("{name}: {number}");
                    line.match_indices(&declaration).any(|(at, _)| {
                        !line[..at].ends_with(|sign: char| sign.is_alphanumeric() || sign == '_')
                    })
                })
            };
            if NAMES.iter().any(declares) {
                raw.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(raw.is_empty(), "ids without a type: {raw:#?}");
}

/// Seats are `Seat`; only its own serialization knows that records keep an index.
#[test]
fn seats_are_types_outside_of_codecs() {
    let folders = ["src", "crates/table/src", "crates/store/src", "crates/i18n/src"];
    let types = ["u8", "Option<u8>", "Vec<u8>", "&[u8]"];
    let names = ["seat", "seats", "winners", "gone", "to_move", "whose"];
    let raw_forms: Vec<_> =
        names.iter().flat_map(|name| types.map(|number| format!(" {name}: {number}"))).collect();
    let mut raw = Vec::new();
    for path in folders.into_iter().flat_map(|folder| rust_files(&root().join(folder))) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            if line.contains(".index() as u8") || raw_forms.iter().any(|form| line.contains(form)) {
                raw.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(raw.is_empty(), "seats without a type: {raw:#?}");
}

/// Timestamps and durations use the types of jiff and the standard library; only codecs use numbers of milliseconds.
#[test]
fn times_are_types_outside_of_codecs() {
    let folders = ["src", "crates/table/src", "crates/store/src", "crates/i18n/src"];
    let numbers = ["i64", "u64", "Option<i64>", "Option<u64>"].map(|number| format!("_ms: {number}"));
    let mut raw = Vec::new();
    let files = folders.into_iter().flat_map(|folder| rust_files(&root().join(folder)));
    // The database's columns are numbers.
    for path in files.filter(|path| !path.ends_with("sqlite/pruning.rs")) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let is_function = line.contains("_ms(") && line.contains("fn ") && line.contains("64");
            if is_function && !line.contains("f64") || numbers.iter().any(|found| line.contains(found)) {
                raw.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(raw.is_empty(), "times without a type: {raw:#?}");
}

/// No entry point builds the input of another one: a shared request type carries what several of them do.
#[test]
fn command_input_is_built_by_the_payload_alone() {
    let builders: Vec<String> = rust_files(&root().join("src/discord"))
        .into_iter()
        .filter(|path| !is_for_tests(path) && code(path).contains("= CommandInput {"))
        .map(|path| path.display().to_string())
        .collect();
    let [payload] = &builders[..] else { panic!("they build a command's input: {builders:?}") };
    assert!(payload.ends_with("src/discord/wire/payload.rs"), "{payload}");
}

/// A command gets typed input: only the declarations of its options know the wire format.
#[test]
fn command_options_are_read_by_their_declarations_alone() {
    let readers =
        ["value", "text", "number", "yes", "person", "file", "table", "bots", "subcommand", "without"];
    let calls = readers.map(|reader| format!(".options.{reader}("));
    let knows = |text: &str| {
        let text: String = text.split_whitespace().collect();
        let by_name = calls.iter().any(|call| text.contains(call));
        by_name || ["GivenOptions", "OptionValue"].iter().any(|word| text.contains(word))
    };
    let files = rust_files(&root().join("src/discord")).into_iter();
    let readers: BTreeSet<String> = files
        .filter(|path| !is_for_tests(path) && knows(&code(path)))
        .map(|path| path.strip_prefix(root().join("src/discord")).unwrap().display().to_string())
        .collect();
    let declared = [
        // The trait of all commands passes the options on to the declaration.
        "handlers/commands/command.rs",
        "handlers/commands/common_options.rs",
        "handlers/commands/open_table.rs",
        "handlers/commands/option_types.rs",
        "handlers/commands/options.rs",
        "handlers/commands/play_input.rs",
        // What was typed or stored as text is converted and checked as Discord does it.
        "handlers/commands/typed_value.rs",
        // A phrase is checked against the options of `/play`.
        "handlers/play_phrase.rs",
        "wire/interaction.rs",
        "wire/payload.rs",
    ];
    assert_eq!(readers, declared.map(str::to_owned).into());
}

/// Tests wait for a condition, never for a fixed time: that would fail on a slow machine and waste time on a fast one.
#[test]
fn tests_sleep_in_one_place_alone() {
    let sleepers: BTreeSet<String> = rust_files(&root().join("tests"))
        .into_iter()
        .filter(|path| fs::read_to_string(path).unwrap().contains(concat!("sleep", "(")))
        .map(|path| path.strip_prefix(root().join("tests")).unwrap().display().to_string())
        .collect();
    // The second file lists a process's connections repeatedly, in a thread of its own.
    assert_eq!(sleepers, ["it/eventually.rs", "it/outside_connections.rs"].map(str::to_owned).into());
}
