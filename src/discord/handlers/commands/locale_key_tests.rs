//! Tests that the code and the English locale files have the same sentence keys.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rookery_core::lesson::{Shortfall, Task, Verdict};
use rookery_core::player::Level;
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_core::{Game, Reason};
use rookery_i18n::Localizer;
use rookery_table::rating::RatingPool;
use strum::VariantArray;

use crate::discord::wire::help_id::HelpTopic;

/// Returns the keys in the English locale files.
fn written() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales/en");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.filter(|path| path.extension().is_some_and(|ext| ext == "ftl"));
    let texts: Vec<String> = texts.map(|path| fs::read_to_string(path).unwrap()).collect();
    let keys = texts
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.split_once(" =").map(|(key, _)| key));
    keys.filter(|key| key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)))
        .map(str::to_owned)
        .collect()
}

/// Returns the code that looks sentences up by their keys.
fn sentence_code() -> String {
    code_of(&["crates/i18n/src", "src/discord", "src/web"])
}

/// Returns all code except for the playground's, which has its own texts.
fn code() -> String {
    code_of(&[
        "crates/core/src",
        "crates/games/src",
        "crates/i18n/src",
        "crates/render/src",
        "crates/search/src",
        "crates/store/src",
        "crates/table/src",
        "src/discord",
        "src/cli",
        "src/config",
        "src/observability",
        "src/web",
    ])
}

fn code_of(folders: &[&str]) -> String {
    fn gather(folder: &Path, all: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                gather(&path, all);
            } else if path.extension().is_some_and(|ext| ext == "rs")
                && !path.ends_with("i18n/src/tests.rs")
                && !path.ends_with("commands/locale_key_tests.rs")
            {
                all.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut all = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    folders.iter().for_each(|folder| gather(&root.join(folder), &mut all));
    all
}

/// Returns the texts between each occurrence of `before` and the next quotation mark.
fn after<'a>(code: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    code.split(before).skip(1).filter_map(|rest| rest.split('"').next())
}

/// Returns the keys that the code derives from data.
fn derived(code: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut add = |key: String| {
        keys.insert(key);
    };
    for about in rookery_games::all().iter().map(|game| game.info()) {
        add(format!("game-{}", about.key));
        add(format!("game-{}-short", about.key));
        add(format!("blocker-{}", about.key));
        add(format!("legend-{}", about.key));
        add(format!("goal-{}", about.key));
        add(format!("lead-{}", about.key));
        about.sides.iter().for_each(|side| add(format!("side-{side}")));
        about.options.iter().for_each(|option| add(format!("option-{}", option.key)));
        about.rules.iter().for_each(|rule| add(format!("rule-{rule}")));
    }
    for game in rookery_games::all() {
        game_keys(*game).into_iter().for_each(&mut add);
    }
    Level::ALL.iter().for_each(|level| add(format!("level-{}", level.key())));
    Level::ALL.iter().for_each(|level| add(format!("button-level-{}", level.key())));
    let reasons = ["no-moves", "points", "tiles", "goal", "kernel", "repetition", "stuck"];
    assert!(reasons.iter().all(|key| Reason::named(key).is_some()));
    let causes = [
        "resigned",
        "on-time",
        "abandoned",
        "counted",
        "proven",
        "agreed",
        "aborted",
        "closed",
        "refused",
        "expired",
        "imported",
    ];
    reasons
        .iter()
        .chain(&causes)
        .flat_map(|key| [format!("result-{key}"), format!("why-{key}")])
        .for_each(&mut add);
    after(code, "Requirement::of(\"").for_each(|key| add(format!("need-{key}")));
    keys_of_single_commands().into_iter().for_each(&mut add);
    for command in super::ALL {
        add(format!("command-{}", command.name()));
        add(format!("name-command-{}", command.name()));
        let options = command.options(Localizer::english());
        options.iter().for_each(|option| add(format!("name-option-{}", option["name"].as_str().unwrap())));
    }
    // The options that a panel offers are named as well.
    let options = <super::OpenTable as super::CommandOptions>::register(Localizer::english());
    options.iter().for_each(|option| add(format!("name-option-{}", option["name"].as_str().unwrap())));
    ["me", "them", "random", "pie"].iter().for_each(|key| add(format!("choice-{key}")));
    ["thread", "here", "dm"].iter().for_each(|key| add(format!("where-{key}")));
    ["one", "two"].iter().for_each(|key| add(format!("choice-set-{key}")));
    ["auto", "ask", "off"].iter().for_each(|key| add(format!("choice-settle-{key}")));
    ["server", "everywhere"].iter().for_each(|key| add(format!("choice-{key}")));
    for theme in rookery_games::all().iter().flat_map(|game| game.themes()) {
        add(format!("theme-{}", theme.name));
        theme.sides.iter().for_each(|(_, side)| add(format!("side-{side}")));
    }
    (0..7).for_each(|day| add(format!("day-{day}")));
    let clocks = ["none", "live", "fast", "daily", "weekly", "golem"];
    clocks.iter().for_each(|key| add(format!("config-clock-{key}")));
    SETTINGS.iter().for_each(|what| add(format!("setting-{what}")));
    HelpTopic::VARIANTS.iter().for_each(|topic| [topic.label(), topic.page()].into_iter().for_each(&mut add));
    RatingPool::ALL.iter().for_each(|pool| add(format!("pool-{}", pool.key())));
    placing_keys().for_each(&mut add);
    piece_kinds().into_iter().for_each(|kind| add(format!("piece-{kind}")));
    facts().into_iter().for_each(|key| add(format!("fact-{key}")));
    // A penguin off the field has no cell.
    facts().into_iter().filter(|key| *key != "soccer-off").for_each(|key| add(format!("cell-{key}")));
    keys
}

/// Returns the keys of the commands that are registered by themselves: that of operators, which has no other name, and the
/// one that opens the Activity.
fn keys_of_single_commands() -> [String; 3] {
    let (owner, launch) = (super::owner::COMMAND.name(), super::entry_point::NAME);
    [format!("command-{owner}"), format!("command-{launch}"), format!("name-command-{launch}")]
}

/// Returns the keys of a game's lesson, and of the pieces with which its positions are set up.
fn game_keys(game: &dyn Game) -> Vec<String> {
    let play = game.start(&Setup::new(game.info().fewest())).unwrap();
    let pieces = play.editor_pieces().into_iter().map(|piece| format!("editor-piece-{}", piece.name));
    game.lesson().iter().flat_map(|task| task_keys(game, task)).chain(pieces).collect()
}

/// Returns the keys of a lesson's task: what it asks for, the answers, and the offered texts that are no moves to
/// cells.
fn task_keys(game: &dyn Game, task: &Task) -> Vec<String> {
    let play = game.resume(task.line).unwrap();
    let key = format!("lesson-{}-{}", game.info().key, task.key);
    let mut keys = vec![key.clone(), format!("{key}-done")];
    keys.extend(task.wrong.iter().map(|class| format!("{key}-{}", class.key)));
    let falls_short = |text: &String| {
        let verdict = task.judge(play.as_ref(), text);
        matches!(verdict, Verdict::NotSolved(ref short) if !matches!(short, Shortfall::Class(_)))
    };
    keys.extend(play.moves().iter().any(falls_short).then(|| format!("{key}-short")));
    let cells = |text: &&str| text.split(['-', '>']).all(|name| play.board().named(name).is_some());
    if task.key != Task::NOTATION && !task.offered.iter().all(cells) {
        keys.extend((0..task.offered.len()).map(|index| format!("{key}-offer-{index}")));
    }
    keys
}

/// All settings on panels, and the pages of panels.
const SETTINGS: [&str; 32] = [
    "browsers",
    "theme",
    "language",
    "patterns",
    "text",
    "large",
    "side",
    "confirm",
    "pings",
    "quiet",
    "weekly",
    "vacation",
    "zone",
    "look",
    "hours",
    "channels",
    "lobby",
    "threads",
    "clock",
    "strongest",
    "ai-games",
    "ai-shows",
    "rated",
    "motion",
    "pages",
    "places",
    "games",
    "reports",
    "safety",
    "check",
    "welcome",
    "welcome-page",
];

/// Returns the keys of what games with a placing phase say.
fn placing_keys() -> impl Iterator<Item = String> {
    let placing = rookery_games::all().iter().map(|game| game.info()).filter(|info| info.has_layout);
    placing.flat_map(|info| ["placing", "placed"].map(|when| format!("{when}-{}", info.key)))
}

/// Returns the kinds of pieces that have names in the positions of the lessons.
fn piece_kinds() -> BTreeSet<&'static str> {
    let tasks =
        rookery_games::all().iter().flat_map(|game| game.lesson().iter().map(move |task| (game, task)));
    let plays = tasks.map(|(game, task)| game.resume(task.line).unwrap());
    plays
        .flat_map(|play| play.board().cells().filter_map(|cell| play.piece_kind(cell)).collect::<Vec<_>>())
        .collect()
}

/// Returns the keys of the facts that occur in random games of all kinds.
fn facts() -> BTreeSet<&'static str> {
    let mut keys = BTreeSet::new();
    for (seats, game) in
        rookery_games::all().iter().flat_map(|g| g.info().seats.iter().copied().map(move |seats| (seats, *g)))
    {
        // Some numbers between the least and the most are not allowed: three cannot play soccer.
        let Ok(mut play) = game.start(&Setup::new(seats).seeded(7)) else { continue };
        let mut rng = SeededRng::new(7);
        for _ in 0..400 {
            keys.extend(play.facts().iter().map(|fact| fact.key));
            let moves = play.moves();
            if moves.is_empty() {
                break;
            }
            play.play(&moves[rng.below(moves.len() as u64) as usize]).unwrap();
        }
    }
    keys
}

#[test]
fn no_sentence_is_missing() {
    let (written, sentence_code) = (written(), sentence_code());
    let said = [".say(\"", ".word(\""].into_iter().flat_map(|call| after(&sentence_code, call));
    let missing: Vec<_> =
        said.map(str::to_owned).chain(derived(&code())).filter(|key| !written.contains(key)).collect();
    assert!(missing.is_empty(), "without a sentence: {missing:?}");
}

#[test]
fn no_sentence_is_left_over() {
    let code = code();
    let derived = derived(&code);
    let unused =
        written().into_iter().filter(|key| !code.contains(&format!("\"{key}\"")) && !derived.contains(key));
    let unused: Vec<_> = unused.collect();
    assert!(unused.is_empty(), "nobody says {unused:?}");
}
