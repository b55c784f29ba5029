//! Pictures of boards that are imported to play on from them, and what the questions about a picture say.

use image::{Rgb, RgbImage};
use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_core::scene::{DrawOptions, Style};
use rookery_playground::Answer;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::Filter;
use rookery_table::{Occupant, Table};
use serde_json::{Map, Value, json};

use crate::test_bot::TestBot;

const PLAY_ON: &str = "Yes, start the game";

/// A picture of amazons; each cell with a black amazon, or where one could be, may be painted over.
pub(super) fn picture(unclear: &[(i64, i64)]) -> Vec<u8> {
    png(&painted(unclear))
}

/// The same without the letters and numbers, and what else is around the squares.
fn picture_without_letters() -> Vec<u8> {
    png(&image::imageops::crop_imm(&painted(&[]), 27, 27, 6 * 97, 6 * 97).to_image())
}

fn painted(unclear: &[(i64, i64)]) -> RgbImage {
    let play = rookery_games::named("amazons").unwrap().resume("5Q/2q3/*5/6/3Q2/**4 w - - 0 7").unwrap();
    let look = DrawOptions { theme: "slate".to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
    let mut painted = rookery_render::render(&play.scene(&look), 640).to_image();
    let colour = |x: u32| if (x / 7).is_multiple_of(2) { Rgb([0, 160, 60]) } else { Rgb([230, 60, 230]) };
    let stripes = RgbImage::from_fn(70, 70, |x, _| colour(x));
    for (column, row) in unclear {
        image::imageops::overlay(&mut painted, &stripes, 27 + column * 97 + 13, 27 + row * 97 + 13);
    }
    painted
}

fn png(image: &RgbImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

async fn import(bot: &TestBot, who: &Person, options: &Value) -> VisibleMessage {
    who.slash(bot.games(), "import", options).unwrap().message().await.unwrap()
}

/// Returns the table that a message says was opened.
async fn opened(bot: &TestBot, told: &VisibleMessage) -> std::sync::Arc<Table> {
    let id = told.content().split("**").nth(1).unwrap_or_else(|| panic!("{}", told.content())).to_owned();
    bot.table(&id).await
}

/// The level that was named with a clear picture is kept until the person has looked at the board.
#[tokio::test(flavor = "multi_thread")]
async fn picture_with_a_level_is_played_on() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let file = cleo.upload("board.png", &picture(&[]));
    let shown = import(&bot, &cleo, &json!({"file": file, "ai": "random"})).await;
    assert!(shown.content().contains("Is this your board?"), "{}", shown.content());
    assert!(shown.button(PLAY_ON).is_some(), "{:?}", shown.buttons());
    let told = bot.press_private(&cleo, &shown, PLAY_ON).await;
    let table = opened(&bot, &told).await;
    let level = Level::Random;
    assert_eq!(table.occupant(Seat::SECOND), Some(Occupant::Ai { level }), "White is to move");
    assert!(table.play().unwrap().at_ply(0).line().starts_with("5Q/2q3/*5/6/3Q2/**4 w"));

    let only_seen = import(&bot, &cleo, &json!({"file": file})).await;
    assert!(only_seen.button(PLAY_ON).is_none(), "nobody was named");
    bot.stop().await;
}

/// The opponent who was named is kept through the questions, and on the way back through them.
#[tokio::test(flavor = "multi_thread")]
async fn picture_with_an_opponent_is_played_on_after_its_questions() {
    let bot = TestBot::start().await;
    let (cleo, ben) = (bot.cleo(), bot.ben());
    let file = cleo.upload("board.png", &picture(&[(3, 4), (1, 2)]));
    let first = import(&bot, &cleo, &json!({"file": file, "opponent": ben.id})).await;
    let second = bot.choose(&cleo, &first, "*").await;
    let first = bot.press_private(&cleo, &second, "Back").await;
    let second = bot.choose(&cleo, &first, "*").await;
    let shown = bot.choose(&cleo, &second, "Q").await;
    assert!(shown.button(PLAY_ON).is_some() && shown.button("Back to the question").is_some());
    let second = bot.press_private(&cleo, &shown, "Back to the question").await;
    let shown = bot.choose(&cleo, &second, "q").await;
    let told = bot.press_private(&cleo, &shown, PLAY_ON).await;
    let table = opened(&bot, &told).await;
    let person = rookery_table::UserId(ben.id.0);
    assert_eq!(table.occupant(Seat::SECOND), Some(Occupant::Invited { person }));
    bot.stop().await;
}

/// An answer that says what was read already changes nothing, so there is no other position to name.
#[tokio::test(flavor = "multi_thread")]
async fn picture_question_names_the_position_before_the_answers_only_if_it_is_another() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let file = cleo.upload("board.png", &picture(&[(3, 4), (1, 2)]));
    let first = import(&bot, &cleo, &json!({"file": file})).await;
    let read = first.selects()[0]["options"][0]["value"].as_str().unwrap().to_owned();
    let same = bot.choose(&cleo, &first, &read).await;
    assert!(!same.content().contains("Before your answers"), "{}", same.content());
    let again = bot.press_private(&cleo, &same, "Back").await;
    assert_eq!(again.content(), first.content());
    let other = bot.choose(&cleo, &again, if read == "q" { "Q" } else { "q" }).await;
    assert!(other.content().contains("Before your answers"), "{}", other.content());
    let again = bot.press_private(&cleo, &other, "Back").await;
    assert_eq!(again.content(), first.content());
    bot.stop().await;
}

/// Nothing tells from which end the squares alone are seen, so that is asked.
#[tokio::test(flavor = "multi_thread")]
async fn picture_without_letters_is_asked_from_which_end_it_is_seen() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let file = cleo.upload("board.png", &picture_without_letters());
    for (answer, line) in [
        ("a1 is where you marked it", "5Q/2q3/*5/6/3Q2/**4 "),
        ("a1 is at the opposite end", "4**/2Q3/6/5*/3q2/Q5 "),
    ] {
        let asked = import(&bot, &cleo, &json!({"file": file, "ai": "random"})).await;
        assert!(asked.content().contains("at the opposite end?"), "{}", asked.content());
        let shown = bot.press_private(&cleo, &asked, answer).await;
        assert!(shown.content().contains(&format!("`amazons {line}")), "{answer}: {}", shown.content());
        assert!(shown.button(PLAY_ON).is_some(), "the level that was named is kept");
    }
    bot.stop().await;
}

/// The squares don't say whose turn it is, so a button does.
#[tokio::test(flavor = "multi_thread")]
async fn picture_has_a_button_for_whose_turn_it_is() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let file = cleo.upload("board.png", &picture(&[(3, 4)]));
    let asked = import(&bot, &cleo, &json!({"file": file, "ai": "random"})).await;
    let read = bot.choose(&cleo, &asked, "q").await;
    assert!(read.content().contains("I can't tell whose turn it is"), "{}", read.content());
    let turned = bot.press_private(&cleo, &read, "Change to Black's turn").await;
    assert!(turned.content().contains("`amazons 5Q/2q3/*5/6/3q2/**4 b "), "{}", turned.content());
    assert!(!turned.content().contains("I can't tell whose turn it is"), "{}", turned.content());
    assert!(
        turned.button("Change to White's turn").is_some() && turned.button("Back to the question").is_some()
    );
    let told = bot.press_private(&cleo, &turned, PLAY_ON).await;
    let table = opened(&bot, &told).await;
    assert_eq!(table.occupant(Seat::FIRST), Some(Occupant::Ai { level: Level::Random }), "Black is to move");
    bot.stop().await;
}

/// A press of the button for whose turn it is, or of the way back to the question, stores no position a second time.
#[tokio::test(flavor = "multi_thread")]
async fn picture_that_is_corrected_again_and_again_is_stored_once_for_each_position() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let file = cleo.upload("board.png", &picture(&[(3, 4)]));
    let stored = async || {
        let person = Some(rookery_table::UserId(cleo.id.0));
        let filter = Filter { person, imported: true, ..Filter::default() };
        bot.registry.list(&filter, 100).await.unwrap().len()
    };
    let asked = import(&bot, &cleo, &json!({"file": file})).await;
    let mut shown = bot.choose(&cleo, &asked, "q").await;
    assert_eq!(stored().await, 1);
    for turn in 0..6 {
        let side = ["Black", "White"][turn % 2];
        shown = bot.press_private(&cleo, &shown, &format!("Change to {side}'s turn")).await;
        assert_eq!(stored().await, 2, "White's turn and Black's");
    }
    let asked = bot.press_private(&cleo, &shown, "Back to the question").await;
    bot.choose(&cleo, &asked, "q").await;
    assert_eq!(stored().await, 2);
    bot.stop().await;
}

/// The refusal of a picture says what is wrong with it and what to send instead.
#[tokio::test(flavor = "multi_thread")]
async fn picture_that_is_not_read_is_refused_with_the_reason() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let whole = picture(&[]);
    let blurred = image::imageops::blur(&painted(&[]), 16.0);
    let mut large = vec![0; (8 << 20) + 1];
    large[..8].copy_from_slice(&whole[..8]);
    for (name, bytes, reason) in [
        ("nothing", png(&RgbImage::new(300, 300)), "I don't see a board of mine"),
        ("blurred", png(&blurred), "There seems to be a board in that picture"),
        ("text", b"no picture".to_vec(), "I can't open that file as a picture"),
        ("half", whole[..whole.len() / 2].to_vec(), "damaged, or a part of it is missing"),
        ("small", png(&RgbImage::new(100, 300)), "at least 150 pixels a side"),
        ("wide", png(&RgbImage::new(6_001, 10)), "too large"),
        ("large", large, "too large"),
    ] {
        let file = cleo.upload("board.png", &bytes);
        let told = import(&bot, &cleo, &json!({"file": file})).await.content().to_owned();
        assert!(told.contains(reason), "{name}: {told}");
        if let Some(example) = told.split('`').rfind(|part| part.starts_with("amazons ")) {
            let shown = import(&bot, &cleo, &json!({"text": example})).await;
            assert!(shown.button("Best moves").is_some(), "{example}: {}", shown.content());
        }
    }
    bot.stop().await;
}

/// The form has the points and tiles of both players; what is typed is checked as in the editor.
#[tokio::test(flavor = "multi_thread")]
async fn picture_has_a_button_for_the_points() {
    const POINTS: &str = "Set points";
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let amazons = cleo.upload("board.png", &picture(&[]));
    let read = import(&bot, &cleo, &json!({"file": amazons})).await;
    assert!(read.button(POINTS).is_none(), "a game without points: {:?}", read.buttons());

    let setup = rookery_core::rules::Setup::new(2).seeded(5);
    let mut play = rookery_games::named("penguins").unwrap().start(&setup).unwrap();
    for turn in 0..12 {
        let moves = play.moves();
        play.play(&moves[turn * 7 % moves.len()]).unwrap();
    }
    let look = DrawOptions { style: Style::Plain, ..DrawOptions::from_seat(Seat::FIRST) };
    let drawn = png(&rookery_render::render(&play.scene(&look), 900).to_image());
    let file = cleo.upload("board.png", &drawn);
    let read = import(&bot, &cleo, &json!({"file": file, "ai": "random"})).await;
    assert!(read.content().contains("I can't read the points, so they may be wrong: press"));
    let id = read.button(POINTS).unwrap_or_else(|| panic!("{:?}", read.buttons())).to_owned();
    let typed = async |shown: &VisibleMessage, numbers: [&str; 4]| {
        let asked = cleo.click(shown, &id).unwrap();
        let Answer::Modal(form) = asked.answer().await.unwrap() else { panic!("no form") };
        let fields = form["components"].as_array().unwrap();
        let labels: Vec<&Value> = fields.iter().map(|field| &field["components"][0]["label"]).collect();
        assert_eq!(labels[1..], ["Points of Blue", "Tiles of Orange", "Tiles of Blue"], "{form}");
        let names = ["text", "text2", "text3", "text4"].into_iter();
        let values: Map<String, Value> =
            names.zip(numbers).map(|(name, number)| (name.to_owned(), number.into())).collect();
        let sent = cleo.submit_modal(&id, &Value::Object(values)).unwrap();
        bot.changed(&cleo, shown, &sent).await
    };
    let wrong = typed(&read, ["12", "`x", "3", "4"]).await;
    let why =
        "Points of Blue: `'x` isn't a whole number from 0 to 9999. Press **Set points** and correct it.";
    assert!(wrong.content().starts_with(why), "{}", wrong.content());
    let large = typed(&wrong, ["10000", "5", "3", "4"]).await;
    assert!(large.content().contains(": `10000` isn't a whole number"), "{}", large.content());
    let many = typed(&large, ["12", "5", "3", "61"]).await;
    assert!(
        many.content().contains("Tiles of Blue: `61` isn't a whole number from 0 to 60."),
        "{}",
        many.content()
    );
    let set = typed(&many, [" 12 ", "5", "3", "4"]).await;
    assert!(!set.content().contains("the points"), "{}", set.content());
    let turned = set.buttons().into_iter().find(|label| label.starts_with("Change to ")).unwrap();
    let set = bot.press_private(&cleo, &set, turned).await;
    let told = bot.press_private(&cleo, &set, PLAY_ON).await;
    let table = opened(&bot, &told).await;
    let scores = table.scores().unwrap();
    let numbers: Vec<_> = scores.iter().map(|score| (score.points, score.tiles)).collect();
    assert_eq!(numbers, [(12, Some(3)), (5, Some(4))], "also after the change of the turn");

    // Once the game is over, the points that a board shows include the tiles below the penguins.
    while play.outcome().is_none() {
        let first = play.moves().remove(0);
        play.play(&first).unwrap();
    }
    let drawn = png(&rookery_render::render(&play.scene(&look), 900).to_image());
    let file = cleo.upload("board.png", &drawn);
    let read = import(&bot, &cleo, &json!({"file": file})).await;
    assert!(read.content().contains("`penguins "), "{}", read.content());
    assert!(read.button(POINTS).is_none(), "{:?}", read.buttons());
    bot.stop().await;
}

/// The last move that a picture shows says whose turn it is.
#[tokio::test(flavor = "multi_thread")]
async fn picture_with_a_last_move_says_whose_turn_it_is() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let mut play = rookery_games::named("amazons").unwrap().resume("5Q/2q3/*5/6/3Q2/**4 w - - 0 7").unwrap();
    play.play("d2-d4/d3").unwrap();
    let drawn = rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 640).to_image();
    let file = cleo.upload("board.png", &png(&drawn));
    let read = import(&bot, &cleo, &json!({"file": file})).await;
    assert!(read.content().contains("`amazons 5Q/2q3/*2Q2/3*2/6/**4 b "), "{}", read.content());
    assert!(!read.content().contains("whose turn"), "{}", read.content());
    bot.stop().await;
}

/// On a board for four there are three other players whose turn it could be, beside the button that starts the game.
#[tokio::test(flavor = "multi_thread")]
async fn picture_of_a_board_for_four_has_a_button_for_each_other_player() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let setup = rookery_core::rules::Setup::new(4).seeded(5);
    let mut play = rookery_games::named("penguins").unwrap().start(&setup).unwrap();
    for turn in 0..12 {
        let moves = play.moves();
        play.play(&moves[turn * 7 % moves.len()]).unwrap();
    }
    let taken = play.line().split(' ').nth(4).expect("the points").to_owned();
    assert!(taken.contains(":1"), "some have moved: {taken}");
    let looks =
        [Style::Full, Style::Plain].map(|style| DrawOptions { style, ..DrawOptions::from_seat(Seat::FIRST) });
    let files = looks.map(|look| {
        cleo.upload("board.png", &png(&rookery_render::render(&play.scene(&look), 900).to_image()))
    });
    let [file, plain] = files;
    let read = import(&bot, &cleo, &json!({"file": plain})).await;
    assert!(read.content().contains("I can't read the points"), "{}", read.content());
    let read = import(&bot, &cleo, &json!({"file": file, "ai": "random"})).await;
    assert!(!read.content().contains("the points"), "{}", read.content());
    assert!(read.content().contains(&format!(" move {taken} one:")), "{}", read.content());
    let turns = read.buttons().into_iter().filter(|label| label.starts_with("Change to ")).count();
    assert_eq!(turns, 3, "{:?}", read.buttons());
    assert!(read.button(PLAY_ON).is_some());
    bot.stop().await;
}
