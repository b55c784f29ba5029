//! The path of a typed move, from the gateway event to the post.

use std::fs;
use std::sync::atomic::Ordering;

use rookery_core::parse_counter;
use rookery_playground::BOT_ID;

use crate::duel::{Duel, Way};
use crate::source_code::{code, root};
use crate::test_bot::{TestBot, TestSetup};

/// The person's text is parsed once; the table gets the move in the notation of the record.
#[tokio::test(flavor = "multi_thread")]
async fn typed_move_is_read_once() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    for as_reply in [false, true] {
        let text = duel.any_move();
        // A spelling that no other test uses, so that only this message is counted.
        let typed = text.replace('-', "   -   ").replace('/', "   /   ");
        let mover = duel.mover();
        match as_reply {
            true => mover.reply(&duel.board, &typed).unwrap(),
            false => mover.say(duel.thread, &format!("<@{BOT_ID}> {typed}")).unwrap(),
        };
        duel.see(&text).await;
        assert_eq!(parse_counter::parses(&typed), 1, "{typed:?}");
    }
    bot.stop().await;
}

/// From the message to its board the table's actor gets one request: the order. Everything else reads the published
/// table.
#[tokio::test(flavor = "multi_thread")]
async fn typed_move_asks_the_actor_once() {
    let mut plan = TestSetup::default();
    plan.options.allow_message_content = true;
    plan.settings.message_content = true;
    let bot = TestBot::of(plan).await;
    let mut duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    let requests = || bot.registry.order_counts().requests.load(Ordering::SeqCst);
    for way in [None, Some(Way::Reply), Some(Way::Mention), Some(Way::Direct)] {
        let before = requests();
        match way {
            Some(way) => duel.turn(&bot, way).await,
            None => {
                let text = duel.any_move();
                duel.mover().say(duel.thread, &text).unwrap();
                duel.see(&text).await;
            }
        }
        bot.wait_until_idle().await;
        assert_eq!(requests() - before, 1, "{way:?}");
    }
    bot.stop().await;
}

/// The most functions between the gateway event and the REST call.
const MAX_FUNCTIONS: usize = 25;

/// A row of the list in `ARCHITECTURE.md`.
struct Row {
    is_function: bool,
    /// The function with its type, or the item handed over to another task.
    name: String,
    file: String,
}

fn listed() -> Vec<Row> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let walk = page.split("**A typed move.**").nth(1).unwrap().split("\n**").next().unwrap();
    let rows = walk.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let plain = |cell: &str| cell.trim().trim_matches('`').to_owned();
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        Row { is_function: !plain(cells[1]).is_empty(), name: plain(cells[2]), file: plain(cells[3]) }
    })
    .collect()
}

/// Returns the text of a function, up to its closing brace.
fn body(code: &str, function: &str) -> String {
    let begins = |line: &&str| ["(", "<"].iter().any(|end| line.contains(&format!("fn {function}{end}")));
    let lines: Vec<&str> = code.lines().collect();
    let found: Vec<usize> = (0..lines.len()).filter(|at| begins(&lines[*at])).collect();
    assert_eq!(found.len(), 1, "functions called {function}");
    let indent = lines[found[0]].len() - lines[found[0]].trim_start().len();
    let end = format!("{}}}", " ".repeat(indent));
    let rest = &lines[found[0] + 1..];
    let length = rest.iter().position(|line| line.trim_end() == end).expect("a closing brace");
    rest[..length].join("\n")
}

/// Whether a text contains a word that starts there, and not within another word.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
    })
}

#[test]
fn main_path_is_listed_and_each_function_is_called_by_an_earlier_one() {
    let rows = listed();
    let functions = rows.iter().filter(|row| row.is_function).count();
    assert!((10..=MAX_FUNCTIONS).contains(&functions), "{functions} functions");
    let (mut bodies, mut handed): (Vec<String>, Option<&str>) = (Vec::new(), None);
    for row in &rows {
        let is_earlier = |word: &str| bodies.iter().any(|body| has_word(body, word));
        if !row.is_function {
            assert!(is_earlier(&row.name), "nothing before hands {} over", row.name);
            handed = Some(&row.name);
            continue;
        }
        let (of, function) = row.name.rsplit_once("::").unwrap_or(("", &row.name));
        let code = code(&root().join(&row.file));
        assert!(code.contains(of), "{} has no {of}", row.file);
        let body = body(&code, function);
        match handed.take() {
            Some(handed) => assert!(has_word(&body, handed), "{} does not take {handed}", row.name),
            None if bodies.is_empty() => {}
            None => assert!(is_earlier(&format!("{function}(")), "nothing before calls {}", row.name),
        }
        bodies.push(body);
    }
}
