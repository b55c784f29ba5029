//! Everybody is answered in their own language; a table speaks the server's.

use rookery::words::{Languages, pseudo};
use serde_json::json;

use crate::duel::{Duel, Way};
use crate::house::{House, Plan};

/// Whether a text is in the language for trying, which marks every letter.
fn is_marked(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (marked, plain): (Vec<char>, Vec<char>) = letters.partition(|c| !c.is_ascii());
    marked.len() > 2 * plain.len()
}

async fn house() -> House {
    House::of(Plan { languages: Languages::built_in().and(pseudo::words("fi")), ..Plan::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_is_answered_in_their_language_and_the_table_keeps_the_servers() {
    let house = house().await;
    let mut duel = Duel::begin(&house).await;
    duel.ben.speak("fi");
    for (who, marked) in [(&duel.ada, false), (&duel.ben, true)] {
        let help = who.slash(duel.thread, "help", &json!({})).unwrap().message().await.unwrap();
        assert_eq!(is_marked(help.content()), marked, "{}", help.content());
        let board = who.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
        assert_eq!(is_marked(board.files()[0]["description"].as_str().unwrap()), marked, "the alt text too");
    }
    duel.turn(&house, Way::Reply).await;
    assert!(!is_marked(duel.board.content()), "{}", duel.board.content());
    let early = house.press(&duel.ada, &duel.board, "Move").await;
    assert!(!is_marked(early.content()), "{}", early.content());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_servers_language_is_read_by_everybody_at_its_tables() {
    let house = house().await;
    let guild = house.playground.guild("Rookery").unwrap();
    house.hall.drawer().change_server(guild.0, |it| it.language = Some("fi".into())).await.unwrap();
    let (ada, games) = (house.ada(), house.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy"});
    let told = ada.slash(games, "play", &terms).unwrap().message().await.unwrap();
    assert!(!is_marked(told.content()), "her client is English: {}", told.content());
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    assert!(is_marked(&house.playground.channel_name(thread).unwrap().replace(&table, "")));
    let board = ada.wait_for(thread, "the first board", |it| !it.files().is_empty()).await.unwrap();
    assert!(is_marked(board.content()) && board.buttons().iter().all(|label| is_marked(label)));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_are_in_the_language_of_who_asks_and_moves_are_moves() {
    let house = house().await;
    let (ada, games) = (house.ada(), house.games());
    ada.speak("fi");
    for game in rookery::games::ALL {
        let key = game.about().key;
        let told = ada.slash(games, "rules", &json!({"game": key})).unwrap().message().await.unwrap();
        let text = told.json["embeds"][0]["description"].as_str().unwrap();
        let prose: String = text.split('`').step_by(2).collect();
        assert!(is_marked(&prose) && text.contains('`'), "{key}: {text}");
    }
    house.close().await;
}

/// The playground refuses what breaks Discord's limits.
#[tokio::test(flavor = "multi_thread")]
async fn panels_fit_and_are_marked_when_sentences_grow_by_half() {
    let house = house().await;
    let (ada, games) = (house.ada(), house.games());
    ada.speak("fi");
    for (command, pages) in
        [("settings", ["set:hours", "set:look"]), ("config panel", ["cfg:games", "cfg:places"])]
    {
        let mut panel = ada.slash(games, command, &json!({})).unwrap().message().await.unwrap();
        for page in pages {
            assert!(is_marked(panel.content()), "{}", panel.content());
            assert!(panel.buttons().iter().all(|label| is_marked(label)), "{:?}", panel.buttons());
            panel = house.changed(&ada, &panel, &ada.click(&panel, page).unwrap()).await;
        }
    }
    let check = ada.slash(games, "config check", &json!({})).unwrap().message().await.unwrap();
    assert!(is_marked(check.content()), "{}", check.content());
    house.close().await;
}
