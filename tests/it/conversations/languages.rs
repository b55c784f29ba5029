//! Private answers use the person's language; a table uses the server's.

use rookery_i18n::Languages;
use rookery_i18n::testing::pseudo_language;
use rookery_table::GuildId;
use serde_json::{Value, json};

use crate::duel::slash_play;
use crate::duel::{Duel, Way, challenge, open};
use crate::test_bot::{TestBot, TestSetup};

/// Whether a text is in the pseudo-language, which accents every letter.
fn is_marked(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (marked, plain): (Vec<char>, Vec<char>) = letters.partition(|c| !c.is_ascii());
    marked.len() > 2 * plain.len()
}

/// Returns the unaccented words of three or more letters that are not in `given`. In the pseudo-language each
/// of them is a text outside the sentence files.
fn plain_words(told: &str, given: &str) -> Vec<String> {
    let words = told.split(|c: char| !c.is_alphanumeric());
    let plain = words.filter(|word| word.len() > 2 && word.chars().all(|c| c.is_ascii_alphabetic()));
    plain.filter(|word| !given.contains(word)).map(str::to_owned).collect()
}

async fn bot() -> TestBot {
    TestBot::of(TestSetup {
        languages: Languages::built_in().with_language(pseudo_language("fi")),
        ..TestSetup::default()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn language_of_the_person_is_used_in_answers_and_the_servers_at_tables() {
    let bot = bot().await;
    let mut duel = Duel::begin(&bot).await;
    duel.ben.set_locale("fi");
    for (who, marked) in [(&duel.ada, false), (&duel.ben, true)] {
        let help = who.slash(duel.thread, "help", &json!({})).unwrap().message().await.unwrap();
        assert_eq!(is_marked(help.content()), marked, "{}", help.content());
        let board = who.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
        assert_eq!(is_marked(board.files()[0]["description"].as_str().unwrap()), marked, "the alt text too");
    }
    duel.turn(&bot, Way::Reply).await;
    assert!(!is_marked(duel.board.content()), "{}", duel.board.content());
    let early = bot.press(&duel.ada, &duel.board, "Move").await;
    assert!(!is_marked(early.content()), "{}", early.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn language_of_the_server_is_used_at_its_tables() {
    let bot = bot().await;
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry
        .preferences_cache()
        .change_server(GuildId(guild.0), |it| it.language = Some("fi".into()))
        .await
        .unwrap();
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy"});
    let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    assert!(!is_marked(told.content()), "her client is English: {}", told.content());
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    assert!(is_marked(&bot.playground.channel_name(thread).unwrap().replace(&table, "")));
    let board = ada.wait_for(thread, "the first board", |it| !it.files().is_empty()).await.unwrap();
    assert!(is_marked(board.content()) && board.buttons().iter().all(|label| is_marked(label)));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn language_of_the_person_is_used_in_rules_and_moves_stay() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    ada.set_locale("fi");
    for game in rookery_games::all() {
        let key = game.info().key;
        let told = ada.slash(games, "rules", &json!({"game": key})).unwrap().message().await.unwrap();
        let text = told.json["embeds"][0]["description"].as_str().unwrap();
        let prose: String = text.split('`').step_by(2).collect();
        assert!(is_marked(&prose) && text.contains('`'), "{key}: {text}");
    }
    bot.stop().await;
}

/// The playground refuses what exceeds Discord's limits.
#[tokio::test(flavor = "multi_thread")]
async fn language_with_longer_sentences_still_fits_every_panel() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    ada.set_locale("fi");
    for (command, pages) in
        [("settings", ["set:hours", "set:look"]), ("config panel", ["cfg:games", "cfg:places"])]
    {
        let mut panel = ada.slash(games, command, &json!({})).unwrap().message().await.unwrap();
        for page in pages {
            assert!(is_marked(panel.content()), "{}", panel.content());
            assert!(panel.buttons().iter().all(|label| is_marked(label)), "{:?}", panel.buttons());
            panel = bot.changed(&ada, &panel, &ada.click(&panel, page).unwrap()).await;
        }
    }
    let check = ada.slash(games, "config check", &json!({})).unwrap().message().await.unwrap();
    assert!(is_marked(check.content()), "{}", check.content());
    bot.stop().await;
}

/// Invalid records and positions, each with a different error.
const INVALID_IMPORTS: &[&str] = &[
    "```",
    "good morning",
    "11111111/11111111/11111111/11111111/11111111/11111111/11111111/11111111 a1|h1 1 move 0,0 any:1",
    "[Game \"gomoku\"]\n[Start \"x\"]\n\n*",
    "[Start \"x\"]\n\n*",
    "[Game amazons]",
    "[Ga.me \"amazons\"]",
    "[Game \"amazons\"]\n[Start \"4/4/4/Q2q w\"]\n\n1-0 a1-a2",
    "[Game \"amazons\"]\n[Start \"4/4/4/Q2q w\"]\n\n1. a1-a9/a1 *",
    "[Game \"amazons\"]\n[Start \"4/4/4/Q2q w\"]\n\n1. d1-a1/a2 *",
    "[Game \"amazons\"]\n[Start \"4/4/4/Q2q w\"]\n\n1. a1-a2 *",
    "[Game \"amazons\"]\n[Start \"4/4/4/Q2q w\"]\n\nseat1-resigns *",
    "[Game \"amazons\"]\n[Start \"4/4/4/Q2q w\"]\n\nseat9-resigns *",
    "{\"format\": nope}",
    "{\"format\": \"rookery-record-1\"}",
    "{\"format\": \"gpn\", \"game\": \"amazons\", \"start\": \"x\", \"seats\": 2, \"turns\": []}",
    "{\"header\": {\"game\": {\"name\": \"Penguins (Hey! That's My Fish!)\"}, \"players\": []}, \"moves\": []}",
    "amazons 4/4/4/Q2x w",
    "amazons 4/4/5/Q2q w",
    "amazons 4/4/4/Q2q w - - 0 1 pie:ahead x",
    "penguins 111/111/111 a1|a2 1 move 0,0 any:1",
    "paper_penguins 11111111/1111 a1|a2 1 move 0,0 any:1",
    "amazon_penguins 111/111/111 a1|a2|b3 1 move 0,0 any:1",
    "amazon_penguins 111/111/111 a1|a2 1 slide 0,0 any:1",
    "penguin_soccer c3NE,-,a1U|-,h7S,- - 5",
    "penguin_soccer c3NE,-|-,h7S,- - 1",
    "amoeba B,B,B,B/2,L,2/7/A,A,A,A 1",
    "amoeba B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,A,A,A,A/2,K,2/A,A,A,A 3",
];

#[tokio::test(flavor = "multi_thread")]
async fn language_of_the_person_is_used_in_import_errors() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    ada.set_locale("fi");
    let is_said = |told: &str, given: &str| {
        // The names of a record's parts and formats are the same in every language.
        let given = format!("{given} Game Start format game rookery record");
        assert!(is_marked(told), "{given}: {told}");
        assert_eq!(plain_words(told, &given), Vec::<String>::new(), "{told}");
    };
    for text in INVALID_IMPORTS {
        let told = ada.slash(games, "import", &json!({"text": text})).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral() && told.files().is_empty(), "{text}: {}", told.content());
        is_said(told.content(), text);
    }
    for (game, option, given) in [
        ("penguins", "layout", "12345678"),
        ("paper_penguins", "layout", "123/12/123"),
        ("paper_penguins", "layout", "11111111/1111x111/11111111"),
        ("amazons", "white", "a1 a1"),
        ("amazons", "white", "what"),
    ] {
        let terms = json!({"game": game, option: given, "ai": "easy"});
        let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
        is_said(told.content(), &format!("{given} {option}"));
    }
    bot.stop().await;
}

/// Collects all visible texts of a message: content, buttons, selects and choices, embeds, picture
/// descriptions. Mentions, timestamps and addresses are the same in every language.
fn read_out(part: &Value) -> String {
    const READ: [&str; 6] = ["content", "label", "placeholder", "description", "title", "text"];
    const OTHERS: [&str; 5] = ["author", "mentions", "member", "user", "interaction_metadata"];
    let own = |(key, value): (&String, &Value)| match value {
        Value::String(text) if READ.contains(&key.as_str()) => text.clone(),
        Value::Array(_) | Value::Object(_) if !OTHERS.contains(&key.as_str()) => read_out(value),
        _ => String::new(),
    };
    let all: Vec<_> = match part {
        Value::Object(fields) => fields.iter().map(own).collect(),
        Value::Array(parts) => parts.iter().map(read_out).collect(),
        _ => Vec::new(),
    };
    let text = all.join("\n");
    let bare = text.split('<').map(|part| part.split_once('>').map_or(part, |(_, rest)| rest));
    let bare = bare.collect::<String>();
    bare.split_whitespace().filter(|word| !word.contains("https://")).collect::<Vec<_>>().join(" ")
}

/// Returns commands with options, for the thread of a running game.
fn asked() -> Vec<(&'static str, Value)> {
    let amazons = || json!({"game": "amazons"});
    let plain = ["board", "if", "clock", "vacation", "games", "help", "privacy", "profile", "tv", "watch"];
    let more = ["unwatch", "back", "resume", "hint", "replay", "verify", "analyse", "settings"];
    let last = ["count", "draw", "undo", "pause", "leave", "resign", "abort"];
    let with = vec![
        ("move", json!({"move": "zz"})),
        ("move", json!({"move": "a1-a1/a1"})),
        ("if", json!({"plan": "if a1"})),
        ("profile", amazons()),
        ("leaderboard", amazons()),
        ("tutorial", amazons()),
        ("replay", json!({"as": "text"})),
        ("export", json!({"as": "text"})),
        ("settings", json!({"zone": "Nowhere"})),
        ("play", json!({"game": "amazons", "size": "99x99"})),
        ("play", json!({"game": "amazons", "clock": "zz"})),
        ("play", json!({"game": "amazons", "players": 4})),
        ("play", json!({})),
        ("play", json!({"game": "penguins"})),
        ("play", json!({"game": "penguins", "clock": "daily", "ai": "easy", "where": "here"})),
    ];
    let bare = |name: &'static str| (name, json!({}));
    let before = plain.into_iter().chain(more).map(bare).collect::<Vec<_>>();
    [before, with, last.map(bare).to_vec()].concat()
}

/// Every text of every command comes from the sentence files.
#[tokio::test(flavor = "multi_thread")]
async fn language_of_the_person_is_used_by_every_command() {
    let bot = bot().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    duel.ada.set_locale("fi");
    let mut wrong = Vec::new();
    for (command, options) in asked() {
        let told = duel.ada.slash(duel.thread, command, &options).unwrap().message().await.unwrap();
        // The bot's English name is one of the languages to choose, and some settings take text as it is.
        let given = format!("{options} {} English UTC", duel.table);
        let read = read_out(&told.json);
        let plain = plain_words(&read, &given);
        wrong.extend((!plain.is_empty()).then(|| format!("/{command} {options}: {plain:?} in {read}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    bot.stop().await;
}

/// A language chosen in the settings panel applies from then on, including to the panel itself.
#[tokio::test(flavor = "multi_thread")]
async fn language_that_a_person_picks_stays_until_changed() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    let help = async || ada.slash(games, "help", &json!({})).unwrap().message().await.unwrap();
    let panel = ada.slash(games, "settings", &json!({})).unwrap().message().await.unwrap();
    assert!(!is_marked(panel.content()), "{}", panel.content());
    let panel = bot.changed(&ada, &panel, &ada.choose(&panel, "set:language", &["fi"]).unwrap()).await;
    assert!(is_marked(panel.content()), "{}", panel.content());
    assert!(is_marked(help().await.content()));
    let said = ada.say(games, &format!("<@{}> help", rookery_playground::BOT_ID)).unwrap();
    let answer = bot.answer_to(&ada, &said).await;
    assert!(is_marked(answer.content()), "typed words too: {}", answer.content());
    let panel = bot.changed(&ada, &panel, &ada.choose(&panel, "set:language", &["-"]).unwrap()).await;
    assert!(!is_marked(panel.content()) && !is_marked(help().await.content()), "{}", panel.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn language_that_a_server_picks_is_used_at_its_tables() {
    let bot = bot().await;
    let (ada, games) = (bot.ada(), bot.games());
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let panel = bot.changed(&ada, &panel, &ada.choose(&panel, "cfg:language", &["fi"]).unwrap()).await;
    assert!(!is_marked(panel.content()), "her own client is English: {}", panel.content());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
    let asked = challenge(&ada, games, &table).await;
    assert!(is_marked(asked.content()), "{}", asked.content());
    assert!(asked.buttons().iter().all(|label| is_marked(label)), "{:?}", asked.buttons());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn language_is_offered_only_with_another_one() {
    for (bot, is_offered) in [(bot().await, true), (TestBot::start().await, false)] {
        for (command, select) in [("settings", "set:language"), ("config panel", "cfg:language")] {
            let panel = bot.ada().slash(bot.games(), command, &json!({})).unwrap().message().await.unwrap();
            assert_eq!(panel.json.to_string().contains(select), is_offered, "{command}: {}", panel.json);
        }
        bot.stop().await;
    }
}

/// Discord shows a command under its name in the client's language.
#[tokio::test(flavor = "multi_thread")]
async fn commands_are_named_and_described_in_every_language() {
    let bot = bot().await;
    let sent = bot.playground.requests();
    let commands = sent.iter().rev().find(|it| it.method == "PUT" && it.route.ends_with("/commands"));
    let commands = commands.expect("commands are registered").body.as_array().unwrap();
    assert!(commands.len() > 30, "{}", commands.len());
    for command in commands {
        let name = command["name_localizations"]["fi"].as_str().unwrap_or_default();
        assert!(is_marked(name), "{command}");
        let described = command["description"].as_str().is_some_and(|text| !text.is_empty());
        let description = command["description_localizations"]["fi"].as_str().unwrap_or_default();
        assert!(!described || is_marked(description), "{command}");
    }
    bot.stop().await;
}
