//! The commands, settings and files that README.md and the guides in docs/ name exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use clap::Parser;
use rookery::cli::Cli;
use rookery::config::KEYS;
use rookery::discord::handlers::commands;
use rookery_games::record::Record;

/// The README and the guides, with the folder of each.
const PAGES: [(&str, &str); 5] = [
    ("", include_str!("../../README.md")),
    ("docs", include_str!("../../docs/play.md")),
    ("docs", include_str!("../../docs/server.md")),
    ("docs", include_str!("../../docs/operate.md")),
    ("docs", include_str!("../../docs/engine.md")),
];

/// Placeholders for the reader's own values, with an example of each.
const PLACEHOLDERS: &[(&str, &str)] =
    &[("GAME", "amazons"), ("DEPTH", "1"), ("LINE", "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1")];

/// Returns all code spans, and every line of the code blocks.
fn code() -> Vec<String> {
    PAGES.iter().flat_map(|(_, page)| code_of(page)).collect()
}

fn code_of(page: &str) -> Vec<String> {
    let (mut found, mut in_block) = (Vec::new(), false);
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            found.push(line.trim().to_owned());
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    assert!(!in_block, "a block of code has no end");
    found
}

/// Returns the arguments of every command line shown.
fn command_lines() -> Vec<Vec<String>> {
    let starts = ["rookery ", "cargo run --release -- "];
    let lines = code()
        .into_iter()
        .filter_map(|line| starts.iter().find_map(|start| Some(line.strip_prefix(start)?.to_owned())));
    lines.map(|line| line.split_whitespace().map(with_placeholders).collect()).collect()
}

fn with_placeholders(word: &str) -> String {
    let found = PLACEHOLDERS.iter().find(|(name, _)| *name == word);
    found.map_or_else(|| word.trim_matches('\'').to_owned(), |(_, example)| (*example).to_owned())
}

#[test]
fn readme_command_lines_parse() {
    let lines = command_lines();
    assert!(lines.len() >= 3, "only {lines:?}");
    for words in lines {
        let read = Cli::try_parse_from(std::iter::once("rookery".to_owned()).chain(words.clone()));
        assert!(read.is_ok(), "{words:?}: {}", read.unwrap_err());
    }
}

#[test]
fn readme_quick_command_lines_work() {
    let quick = ["show", "perft", "config"];
    let folder = tempfile::tempdir().unwrap();
    for words in command_lines().into_iter().filter(|words| quick.contains(&words[0].as_str())) {
        let run = Command::new(env!("CARGO_BIN_EXE_rookery"))
            .args(&words)
            .env_clear()
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(run.status.success(), "{words:?}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(!run.stdout.is_empty(), "{words:?} prints nothing");
    }
}

#[test]
fn readme_record_can_be_replayed() {
    let engine_guide = PAGES[4].1;
    let shown =
        engine_guide.split("```text\n[Game").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let record = Record::read(&format!("[Game{shown}")).unwrap();
    assert_eq!(record.replay().unwrap().ply(), record.turns.len());
}

#[test]
fn play_guide_shows_every_command_of_the_bot_and_no_other() {
    let known: BTreeSet<_> = commands::ALL.iter().map(|command| command.name().to_owned()).collect();
    let rows = PAGES[1].1.lines().filter_map(|line| line.strip_prefix("| `/")?.split_once('`'));
    let shown: BTreeSet<_> = rows.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(shown, known);
}

#[test]
fn readme_settings_exist() {
    let known: BTreeSet<_> = KEYS.iter().map(|key| format!("{}.{}", key.section, key.name)).collect();
    let sections: BTreeSet<_> = known.iter().filter_map(|key| key.split('.').next()).collect();
    let mut settings = 0;
    for code in code() {
        let key = code.split(" = ").next().unwrap_or_default();
        let is_setting = key.split_once('.').is_some_and(|(section, name)| {
            sections.contains(section) && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        });
        if is_setting {
            assert!(known.contains(key), "there is no setting {key}");
            settings += 1;
        }
        let in_environment = code.split(['=', ' ']).next().and_then(|name| name.strip_prefix("ROOKERY_"));
        if let Some((section, name)) = in_environment.and_then(|name| name.split_once("__"))
            && !section.starts_with('<')
        {
            let key = format!("{section}.{name}").to_lowercase();
            assert!(known.contains(&key), "there is no setting {key}");
        }
    }
    assert!(settings >= 2, "README names its settings");
}

#[test]
fn readme_links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut own = 0;
    for (folder, page) in PAGES {
        let targets = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.contains("://") && !target.is_empty()) {
            assert!(root.join(folder).join(target).exists(), "a page in /{folder} links to {target}");
            own += 1;
        }
    }
    assert!(own >= 10, "README shows boards and links to the guides");
}
