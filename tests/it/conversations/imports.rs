//! Imported games of another site whose rules end them differently, and what is said of an import that isn't used whole.

use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_core::{Play, Seat};
use serde_json::{Value, json};

use crate::test_bot::TestBot;

/// Finds a game of Amoeba in which the mover gives away their own Kernel, and that move, which ends the game
/// by this program's rules.
fn losing_kernel_move() -> (Box<dyn Play>, String) {
    let game = rookery_games::named("amoeba").unwrap();
    for seed in 0..500 {
        let mut rng = SeededRng::new(seed);
        let mut play = game.start(&Setup::new(2)).unwrap();
        while play.outcome().is_none() && play.ply() < 80 {
            let moves = play.moves();
            let loses = |text: &&String| {
                let mut next = play.clone_play();
                next.play(text).is_ok()
                    && next.outcome().is_some_and(|end| end.winners == [play.turn().other()])
            };
            if let Some(text) = moves.iter().find(loses) {
                return (play.clone_play(), text.clone());
            }
            play.play(rng.pick(&moves).unwrap()).unwrap();
        }
    }
    panic!("no such move in 500 games")
}

/// Formats the game as the other site stores it: it continues for a move, and `winner` has won.
fn record(play: &dyn Play, last: &str, winner: Seat) -> String {
    let played: Vec<Value> =
        play.record().into_iter().chain([last.to_owned(), "a1-a2".to_owned()]).map(Value::from).collect();
    let rounds: Vec<_> = played.chunks(2).map(<[Value]>::to_vec).collect();
    let player = |seat: Seat| json!({"name": seat.number(), "result": i64::from(seat == winner)});
    let players: Vec<_> = Seat::all(2)
        .map(player)
        .map(|mut it| {
            it["name"] = json!(it["name"].to_string());
            it
        })
        .collect();
    json!({"header": {"game": {"name": "Amoeba"}, "players": players}, "moves": rounds}).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn import_says_that_moves_are_left_out_and_that_the_result_is_another() {
    let bot = TestBot::start().await;
    let (ada, (play, last)) = (bot.ada(), losing_kernel_move());
    let mover = play.turn();
    for (winner, is_other) in [(mover.other(), false), (mover, true)] {
        let file = ada.upload("game.json", record(play.as_ref(), &last, winner).as_bytes());
        let told = ada.slash(bot.games(), "import", &json!({"file": file})).unwrap();
        let told = told.message().await.unwrap();
        let told = told.content();
        assert!(told.contains("The last move is left out"), "{told}");
        assert_eq!(told.contains("this game would have a different result"), is_other, "{told}");
    }
    bot.stop().await;
}

/// Of a text and a file, the text is read; the person hears that the file isn't.
#[tokio::test(flavor = "multi_thread")]
async fn import_with_a_text_says_that_the_file_is_not_read() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    let text = "amazons 6/2q3/6/6/3Q2/6 w - - 0 1";
    for name in ["game.txt", "board.png"] {
        let file = ada.upload(name, b"amazons 6/2q3/6/6/6/3Q2 w - - 0 1");
        let options = json!({"text": text, "file": file});
        let told = ada.slash(bot.games(), "import", &options).unwrap().message().await.unwrap();
        assert!(told.content().contains("I didn't read the file"), "{name}: {}", told.content());
        assert_eq!(told.files().len(), 1, "{name}: the board of the text");
    }
    let told = ada.slash(bot.games(), "import", &json!({"text": text})).unwrap().message().await.unwrap();
    assert!(!told.content().contains("the file"), "{}", told.content());
    bot.stop().await;
}

/// A field that records don't have isn't missing.
#[tokio::test(flavor = "multi_thread")]
async fn import_names_a_field_of_json_that_no_record_has() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    let said = async |text: &str| {
        let told = ada.slash(bot.games(), "import", &json!({"text": text})).unwrap().message().await.unwrap();
        told.content().to_owned()
    };
    let unknown = said(r#"{"format": "rookery-record-1", "colour": 1}"#).await;
    assert!(unknown.contains("don't have a field `colour`"), "{unknown}");
    assert!(!unknown.contains("missing"), "{unknown}");
    let missing = said(r#"{"format": "rookery-record-1"}"#).await;
    assert!(missing.contains("`game` is missing"), "{missing}");
    bot.stop().await;
}
