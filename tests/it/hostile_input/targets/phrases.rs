//! What people write in messages: commands, `play …`, plans and names of tables.

use std::sync::OnceLock;

use jiff::Timestamp;
use rookery::discord::handlers::{messages, play_phrase};
use rookery_core::rules::Setup;
use rookery_i18n::Localizer;
use rookery_table::ports::Entry;
use rookery_table::{ChannelId, Event, Occupant, Table, TableId, Terms, UserId, plans};

use super::{Target, assert_answer, text};

pub(super) const TARGET: Target = Target { name: "phrases", check, seeds, words };

const ADA: UserId = UserId(11);
const BEN: UserId = UserId(12);
const BOT: UserId = UserId(13);

fn check(bytes: &[u8]) {
    let text = text(bytes);
    let words = Localizer::english();
    messages::is_command(&text);
    let lower = text.trim_start();
    let phrase = lower.strip_prefix("play").unwrap_or(lower).trim();
    if let Some(sentence) = play_phrase::error(words, phrase, BOT) {
        assert_answer(&sentence, &text);
    }
    if let Ok(id) = text.parse::<TableId>() {
        assert_eq!(id.as_str().parse(), Ok(id));
    }
    if let Some(condition) = plans::condition(&text) {
        assert!(condition.len() <= text.len(), "{text:?}");
    }
    match plans::read(table(), BEN, &text) {
        Ok((seat, branches)) => {
            assert!(branches.len() <= plans::MAX_BRANCHES);
            for branch in branches {
                let written = plans::written(table(), seat, &branch);
                assert_eq!(plans::read(table(), BEN, &written), Ok((seat, vec![branch])), "{text:?}");
            }
        }
        Err(refused) => assert_answer(&words.order_error(&refused, Some(table())), &text),
    }
}

/// A game on a small board in which Ada is to move.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let setup = Setup::new(2).with("size", "6x6");
        let line =
            rookery_games::named("amazons").and_then(|game| game.start(&setup).ok()).expect("a game").line();
        let terms = Terms {
            game: "amazons".to_owned(),
            options: setup.options,
            channel: ChannelId(1),
            ..Terms::default()
        };
        let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
        let events = [Event::Opened { terms, host: ADA, chairs }, Event::Started { line }];
        let entry = |(event, sequence)| Entry { sequence, at: Timestamp::UNIX_EPOCH, source: None, event };
        let entries: Vec<_> = events.into_iter().zip(1..).map(entry).collect();
        let table = Table::replay("K7Q2".parse().expect("a name"), &entries);
        table.expect("a sound journal").expect("a table")
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let phrases = [
        "board",
        "what does d7 see?",
        "moves d4",
        "row 4",
        "column d",
        "leave hard",
        "resing",
        "undo please",
        "i resign!",
        "play amazons",
        "play amazons 8x8 hard",
        "play penguins with <@12> and <@14> 3p",
        "play soccer bots:3 rated",
        "play amoeba team:\"everyone vote 6h\" clock:3d",
        "play the game of the amazons against you",
        "play paper pen-guins",
        "play amazons layout:1.1/1../1..",
        "if b1-b3/b5 then a3-b4/c4",
        "if b1-b2/b1 then a3-b3/c3; if b1-b3/b5 then a3-b4/c4",
        "if a1, then b2, and c3: if d4",
        "#K7Q2",
        "`d1-d7/g7`",
        "I move f3 to f2!",
        "",
    ];
    phrases.map(|phrase| phrase.as_bytes().to_vec()).to_vec()
}

fn words() -> Vec<String> {
    let games = "amazons penguins amazon-penguins paper-penguins soccer amoeba";
    let words = "play if then and ; with against vs bot bots: 2 ai: ai-seats: level: easy hard expert random size: 6x6 10x10 \
        players: 3p 4p rated casual team: \"everyone vote 6h\" clock: 3d 5m+10s per move layout: . open anyone match-me \
        <@12> <@!13> <@&5> first: me them pie thread here dm what does see row column moves leave undo b1-b3/b5 a3-b4/c4 \u{2019} \
        \u{130} \u{df} \u{202e} ` * _";
    games.split(' ').chain(words.split_whitespace()).map(str::to_owned).collect()
}
