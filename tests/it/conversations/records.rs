//! Records of games: they are unchanged, and randomness was committed to before anybody joined.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use image::{Rgb, RgbImage};
use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Scene};
use rookery_games::record::Record;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_store::Sqlite;
use rookery_table::GuildId;
use rookery_table::commitment;
use serde_json::json;

use crate::duel::{Duel, Way, challenge, open};
use crate::test_bot::{TestBot, TestSetup};

#[tokio::test(flavor = "multi_thread")]
async fn verify_accepts_a_record_and_catches_a_changed_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let journal = Arc::new(Sqlite::open(&path).await.unwrap());
    let bot = TestBot::of(TestSetup { journal, ..TestSetup::default() }).await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Mention).await;
    bot.wait_until_idle().await;
    let verify = || async {
        let asked = bot.cleo().slash(duel.thread, "verify", &json!({"table": duel.table})).unwrap();
        asked.message().await.unwrap()
    };
    let told = verify().await;
    assert!(told.is_ephemeral() && told.content().contains("everything checks out"), "{}", told.content());
    assert!(told.content().contains("The one move played is legal"), "{}", told.content());

    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    let file = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let entry: i64 = sqlx::query_scalar("SELECT max(sequence) FROM events").fetch_one(&file).await.unwrap();
    sqlx::raw_sql("UPDATE events SET at_ms = at_ms - 1 WHERE event LIKE '%moved%'")
        .execute(&file)
        .await
        .unwrap();
    let told = verify().await;
    assert!(told.content().contains("something is wrong"), "{}", told.content());
    assert!(
        told.content().contains(&format!("entry {entry} doesn't match its checksum")),
        "{}",
        told.content()
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn verify_shows_the_commitment_before_and_the_seed_after_the_game() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "penguins", "first": "random"})).await;
    let asked = challenge(&ben, games, &table).await;
    let terms = bot.table(&table).await.terms().clone();
    let pledged = terms.commitment.unwrap();
    let digest = &pledged.digest[..16];
    assert!(asked.content().contains("The board was shuffled before anyone joined."), "{}", asked.content());
    for detail in [digest, &terms.seed.to_string(), &pledged.salt] {
        assert!(!asked.content().contains(detail), "{detail} is for /verify");
    }
    let verify = json!({"table": table});
    let told = ben.slash(games, "verify", &verify).unwrap().message().await.unwrap();
    assert!(told.content().contains(digest) && !told.content().contains(&pledged.salt), "{}", told.content());
    bot.press(&ben, &asked, "Join").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    let told = ada.slash(thread, "verify", &json!({})).unwrap().message().await.unwrap();
    assert!(told.content().contains(digest) && !told.content().contains(&pledged.salt), "{}", told.content());

    bot.resign(&ada, &board).await;
    let over = || ben.refetch(&asked).filter(|it| it.content().contains("resigned"));
    let over = bot.playground.wait("the result in the channel", over).await.unwrap();
    assert!(
        !over.content().contains(&pledged.salt) && !over.content().contains(digest),
        "{}",
        over.content()
    );
    let told = ben.slash(thread, "verify", &json!({})).unwrap().message().await.unwrap();
    assert!(
        ["and the game used it", digest, &pledged.salt].iter().all(|part| told.content().contains(part)),
        "{}",
        told.content()
    );
    assert_eq!(commitment::digest(terms.seed, &pledged.salt), pledged.digest);

    let open = open(&ada, games, &json!({"game": "penguins", "seed": 77})).await;
    let asked = challenge(&ben, games, &open).await;
    assert!(asked.content().contains("seed 77"), "who chooses a seed does so openly: {}", asked.content());
    bot.stop().await;
}

/// Downloads the single file of a message.
async fn file(message: &VisibleMessage) -> String {
    let url = message.files()[0]["url"].as_str().unwrap();
    reqwest::get(url).await.unwrap().text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn export_can_be_imported_viewed_and_played_on() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    for _ in 0..3 {
        duel.turn(&bot, Way::Mention).await;
    }
    let (cleo, games) = (bot.cleo(), bot.games());
    let export = async |form: &str| {
        let asked = cleo.slash(games, "export", &json!({"table": duel.table, "as": form})).unwrap();
        asked.message().await.unwrap()
    };
    let unfinished = export("abstractplay").await;
    assert!(
        unfinished.content().contains("only for finished games with a result"),
        "{}",
        unfinished.content()
    );
    for form in ["text", "json"] {
        let told = export(form).await;
        assert!(told.is_ephemeral() && told.content().contains("3 moves"), "{}", told.content());
        let record = Record::read_any(&file(&told).await, None).unwrap();
        assert_eq!(record.replay().unwrap().record(), duel.play.record());
        assert_eq!(record.header("Seat1"), Some(format!("discord:{}", duel.ada.id).as_str()));
        assert!(record.header("Salt").is_none(), "a secret until the end");
    }

    let text = file(&export("text").await).await;
    let shown = cleo.slash(games, "import", &json!({"text": text})).unwrap().message().await.unwrap();
    assert!(shown.is_ephemeral() && shown.files().len() == 1, "{}", shown.content());
    assert!(shown.content().contains("· Imported game."), "{}", shown.content());

    let position = format!("amazons {}", duel.play.line());
    let shown = cleo.slash(games, "import", &json!({"text": position})).unwrap().message().await.unwrap();
    assert!(shown.content().contains("· Start · no moves yet · Imported game."), "{}", shown.content());
    assert_eq!(shown.buttons().len(), 5, "nothing to step to: {:?}", shown.buttons());
    let lines = bot.press_private(&cleo, &shown, "Best moves").await;
    assert!(lines.content().contains("\nBest moves for "), "{}", lines.content());
    assert!(lines.content().contains("\n1. `") && lines.content().contains("\n2. `"), "{}", lines.content());
    let alt = shown.files()[0]["description"].as_str().unwrap();
    assert!(alt.contains("to move") && !alt.contains("is over"), "{alt}");
    let terms = json!({"text": position, "ai": "random"});
    let told = cleo.slash(games, "import", &terms).unwrap().message().await.unwrap();
    let table = told.content().split("**").nth(1).unwrap_or_else(|| panic!("{}", told.content())).to_owned();
    let thread = cleo.wait_for_thread(games, &table).await.unwrap();
    let board = cleo.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    assert_eq!(board.pinged(), ["Cleo"], "whoever asks is to move");
    assert_eq!(bot.table(&table).await.play().unwrap().line(), duel.play.line());

    let both = json!({"text": position, "ai": "random", "opponent": duel.ada.id});
    let told = cleo.slash(games, "import", &both).unwrap().message().await.unwrap();
    assert!(told.content().contains("Choose either"), "{}", told.content());
    let terms = json!({"text": position, "opponent": duel.ada.id});
    let told = cleo.slash(games, "import", &terms).unwrap().message().await.unwrap();
    let table = told.content().split("**").nth(1).unwrap_or_else(|| panic!("{}", told.content())).to_owned();
    let challenge = crate::duel::challenge(&duel.ada, games, &table).await;
    assert!(challenge.content().contains("custom start"), "{}", challenge.content());

    for (text, reason) in
        [("good morning", "isn't a record, moves or a position"), ("amazons 3q", "can't read that")]
    {
        let told = cleo.slash(games, "import", &json!({"text": text})).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral() && told.content().contains(reason), "{}", told.content());
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn import_of_files_is_limited_to_five_games() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let import = async |options: serde_json::Value| {
        cleo.slash(games, "import", &options).unwrap().message().await.unwrap()
    };
    let record = "[Game \"amazons\"]\n[Start \"1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1\"]\n\n1. b1-b2/b1\n*\n";
    let file = cleo.upload("game.txt", record.as_bytes());
    let shown = import(json!({"file": file})).await;
    assert!(shown.is_ephemeral() && shown.files().len() == 1, "{}", shown.content());
    let noise = cleo.upload("noise.txt", &[0xff, 0xfe, 0x00]);
    let told = import(json!({"file": noise})).await;
    assert!(told.content().contains("can't read that file"), "{}", told.content());
    let long = cleo.upload("long.txt", &vec![b'x'; 300 * 1024]);
    let told = import(json!({"file": long})).await;
    assert!(told.content().contains("can't read that file"), "{}", told.content());

    for _ in 0..5 {
        let told = import(json!({"file": file, "ai": "random"})).await;
        assert!(told.content().contains("**"), "{}", told.content());
    }
    let told = import(json!({"file": file, "ai": "random"})).await;
    assert!(told.content().contains("5 open games"), "{}", told.content());
    let from_there = bot.press(&cleo, &shown, "Play Rookery from here").await;
    assert!(from_there.content().contains("5 open games"), "{}", from_there.content());
    // The server's restrictions also apply to games that start from a position.
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry
        .preferences_cache()
        .change_server(GuildId(guild.0), |it| it.ai.strongest = Some("easy".into()))
        .await
        .unwrap();
    let told = bot.ada().slash(games, "import", &json!({"file": file, "ai": "expert"})).unwrap();
    let told = told.message().await.unwrap();
    assert!(told.content().contains("easy"), "{}", told.content());
    bot.stop().await;
}

/// A picture is read and shown; what is unclear in it is asked; and nothing is opened from it at once.
#[tokio::test(flavor = "multi_thread")]
async fn picture_of_a_board_is_imported() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let play = rookery_games::named("amazons").unwrap().resume("5Q/2q3/*5/6/3Q2/**4 w - - 0 7").unwrap();
    let look = DrawOptions { theme: "slate".to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
    let picture = rookery_render::render(&play.scene(&look), 640);
    let send = async |name: &str, bytes: &[u8], ai: bool| {
        let file = cleo.upload(name, bytes);
        let options = if ai { json!({"file": file, "ai": "easy"}) } else { json!({"file": file}) };
        cleo.slash(games, "import", &options).unwrap().message().await.unwrap()
    };
    let png = rookery_render::png(&picture);
    let shown = send("board.PNG", &png, false).await;
    assert!(shown.is_ephemeral() && shown.files().len() == 1, "{}", shown.content());
    assert!(shown.content().contains("amazons 5Q/2q3/*5/6/3Q2/**4 "), "{}", shown.content());
    let told = send("board.png", &png, true).await;
    assert!(told.content().contains("`amazons 5Q/2q3/*5/6/3Q2/**4 "), "{}", told.content());
    assert!(
        told.content().contains("I can't tell whose turn it is, so I chose White."),
        "{}",
        told.content()
    );
    assert_eq!(told.files().len(), 1, "the board to check");

    let mut painted = picture.to_image();
    let stripes =
        RgbImage::from_fn(
            70,
            70,
            |x, _| if x / 7 % 2 == 0 { Rgb([0, 160, 60]) } else { Rgb([230, 60, 230]) },
        );
    image::imageops::overlay(&mut painted, &stripes, 27 + 3 * 97 + 13, 27 + 4 * 97 + 13);
    let mut bytes = std::io::Cursor::new(Vec::new());
    painted.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let asked = send("painted.png", bytes.get_ref(), false).await;
    assert!(asked.content().contains("What is on d2?"), "{}", asked.content());
    assert_eq!(asked.files().len(), 1, "the board with the square marked");
    let choices: Vec<_> = asked.selects()[0]["options"].as_array().unwrap().iter().collect();
    let labels = || choices.iter().map(|choice| choice["label"].as_str().unwrap()).collect::<BTreeSet<_>>();
    assert_eq!(labels(), BTreeSet::from(["Nothing", "Arrow", "White amazon", "Black amazon"]));
    assert_eq!(choices[0]["description"], "As I read it");
    let shown = bot.choose(&cleo, &asked, "q").await;
    assert!(shown.is_ephemeral() && shown.files().len() == 1, "{}", shown.content());
    assert!(shown.content().contains("amazons 5Q/2q3/*5/6/3q2/**4 "), "{}", shown.content());

    let told =
        send("none.png", &rookery_render::png(&rookery_render::render(&empty_scene(), 400)), false).await;
    assert!(told.content().contains("don't see a board"), "{}", told.content());
    let told = send("noise.jpg", &[0xff, 0xd8, 0xff, 0x00], false).await;
    assert!(told.content().contains("can't open that file as a picture"), "{}", told.content());
    bot.stop().await;
}

/// A picture that was cut off is named as that, and an animation is read as its last frame.
#[tokio::test(flavor = "multi_thread")]
async fn picture_in_a_broken_or_animated_file_is_named() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let send = async |name: &str, bytes: &[u8]| {
        let options = json!({"file": cleo.upload(name, bytes)});
        cleo.slash(games, "import", &options).unwrap().message().await.unwrap()
    };
    let png = include_bytes!("../../../docs/boards/amazons.png");
    let told = send("board.png", &png[..png.len() / 2]).await;
    assert!(told.content().contains("damaged, or a part of it is missing"), "{}", told.content());

    let board = image::load_from_memory(png).unwrap().into_rgba8();
    let mut gif = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new_with_speed(&mut gif, 30);
    for frame in [image::RgbaImage::new(board.width(), board.height()), board] {
        encoder.encode_frame(image::Frame::new(frame)).unwrap();
    }
    drop(encoder);
    let shown = send("replay.gif", &gif).await;
    let start = "It's an animation of 2 frames. I read the last one.";
    assert!(shown.content().starts_with(start), "{}", shown.content());
    assert!(shown.content().contains("Is this your board?"), "{}", shown.content());
    bot.stop().await;
}

/// A square of Penguin Soccer on which nothing was read may hold any penguin, upright or lying.
#[tokio::test(flavor = "multi_thread")]
async fn picture_questions_offer_lying_penguins() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let game = rookery_games::named("penguin_soccer").unwrap();
    let play = game.resume("c3NE,g2U,a1U|b6U,h7S,e8U a1 1").unwrap();
    let mut painted =
        rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 640).to_image();
    let patch = RgbImage::from_pixel(30, 30, Rgb([230, 60, 230]));
    image::imageops::overlay(&mut painted, &patch, 240, 385);
    let mut bytes = std::io::Cursor::new(Vec::new());
    painted.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let options = json!({"file": cleo.upload("board.png", bytes.get_ref())});
    let asked = cleo.slash(games, "import", &options).unwrap().message().await.unwrap();
    let labels = |message: &VisibleMessage| -> Vec<String> {
        let options = message.selects()[0]["options"].as_array().unwrap().clone();
        options.iter().map(|option| option["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(labels(&asked).len(), 2 + 6 + 2, "nothing, the ball, upright, lying: {:?}", labels(&asked));
    assert!(labels(&asked)[8].ends_with(", lying"), "{:?}", labels(&asked));
    let ways = bot.choose(&cleo, &asked, "lying2").await;
    assert_eq!(labels(&ways).len(), 3 * 8);
    let again = bot.press_private(&cleo, &ways, "Back").await;
    assert_eq!((again.content(), labels(&again)), (asked.content(), labels(&asked)));
    let ways = bot.choose(&cleo, &again, "lying2").await;
    let shown = bot.choose(&cleo, &ways, "M2:4").await;
    assert!(shown.content().contains("Is this your board?"), "{}", shown.content());
    assert!(shown.content().contains("h7S,b4E a1 1`"), "{}", shown.content());
    bot.stop().await;
}

/// A point of Amoeba that can only be empty isn't asked about, though its picture is unclear.
#[tokio::test(flavor = "multi_thread")]
async fn picture_raises_no_question_with_one_answer() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let mut picture = image::load_from_memory(include_bytes!(
        "../../../crates/reading/tests/data/kernel_without_level.png"
    ))
    .unwrap();
    let stripes =
        RgbImage::from_fn(
            20,
            20,
            |x, _| if x / 4 % 2 == 0 { Rgb([0, 160, 60]) } else { Rgb([230, 60, 230]) },
        );
    let stripes = image::DynamicImage::from(stripes).to_rgba8();
    image::imageops::overlay(&mut picture, &stripes, 120, 218);
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let options = json!({"file": cleo.upload("board.png", bytes.get_ref())});
    let asked = cleo.slash(games, "import", &options).unwrap().message().await.unwrap();
    assert!(asked.content().contains("What is on e1?"), "the Kernel's level: {}", asked.content());
    assert!(!asked.content().contains("unclear after"), "b2 can only be empty: {}", asked.content());
    assert!(asked.content().contains("from the bottom up"), "{}", asked.content());
    let custom_id = asked.selects()[0]["custom_id"].as_str().unwrap();
    assert_eq!(custom_id, "pic:.e1~b2", "b2 is unclear; the last move says whose turn it is");
    let read = asked.selects()[0]["options"][0]["value"].as_str().unwrap().to_owned();
    let shown = bot.choose(&cleo, &asked, &read).await;
    assert!(shown.content().contains("Is this your board?"), "{}", shown.content());
    bot.stop().await;
}

/// A picture of amazons with two cells painted over.
fn picture_with_unclear_cells() -> Vec<u8> {
    let play = rookery_games::named("amazons").unwrap().resume("5Q/2q3/*5/6/3Q2/**4 w - - 0 7").unwrap();
    let look = DrawOptions { theme: "slate".to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
    let mut painted = rookery_render::render(&play.scene(&look), 640).to_image();
    let colour = |x: u32| if (x / 7).is_multiple_of(2) { Rgb([0, 160, 60]) } else { Rgb([230, 60, 230]) };
    let stripes = RgbImage::from_fn(70, 70, |x, _| colour(x));
    for (column, row) in [(3, 4), (1, 2)] {
        image::imageops::overlay(&mut painted, &stripes, 27 + column * 97 + 13, 27 + row * 97 + 13);
    }
    let mut bytes = std::io::Cursor::new(Vec::new());
    painted.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A person who chose wrongly goes back, one cell after another, also after the last one.
#[tokio::test(flavor = "multi_thread")]
async fn picture_questions_lead_back() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let options = json!({"file": cleo.upload("board.png", &picture_with_unclear_cells())});
    let first = cleo.slash(games, "import", &options).unwrap().message().await.unwrap();
    assert!(first.content().contains("One more cell is unclear."), "{}", first.content());
    assert!(first.button("Back").is_none(), "nothing is answered yet");
    let asked = first.selects()[0]["placeholder"].as_str().unwrap().to_owned();
    let choices = first.selects()[0]["options"].clone();

    let second = bot.choose(&cleo, &first, "q").await;
    assert_ne!(second.selects()[0]["placeholder"], asked.as_str());
    assert!(second.content().contains("with your answers"), "{}", second.content());
    let again = bot.press_private(&cleo, &second, "Back").await;
    assert_eq!((again.content(), &again.selects()[0]["options"]), (first.content(), &choices));

    let second = bot.choose(&cleo, &again, "*").await;
    let shown = bot.choose(&cleo, &second, "q").await;
    assert!(
        shown.content().contains("Is this your board?") && shown.files().len() == 1,
        "{}",
        shown.content()
    );
    let again = bot.press_private(&cleo, &shown, "Back to the question").await;
    assert_eq!(again.content(), second.content());
    assert_eq!(again.files().len(), 1, "the question's board alone");
    let again = bot.press_private(&cleo, &again, "Back").await;
    assert_eq!(again.content(), first.content());
    let second = bot.choose(&cleo, &again, "-").await;
    let shown = bot.choose(&cleo, &second, "-").await;
    assert!(shown.content().contains("amazons 5Q/2q3/*5/6/6/**4 "), "{}", shown.content());
    bot.stop().await;
}

/// The menu says which of several pictures it reads, which formats it reads, and that a message has nothing to import.
#[tokio::test(flavor = "multi_thread")]
async fn import_menu_says_what_it_does_with_a_message() {
    let bot = TestBot::start().await;
    let (ben, cleo, games) = (bot.ben(), bot.cleo(), bot.games());
    let import = async |text: &str, files: &[(&str, &[u8])]| {
        let message = ben.say_with_files(games, text, files).unwrap();
        cleo.on_message(&message, "Read this board").unwrap().message().await.unwrap()
    };
    let png = include_bytes!("../../../docs/boards/amazons.png");
    let one = import("my game", &[("board.png", png)]).await;
    assert!(one.content().contains("Is this your board?"), "{}", one.content());
    assert!(!one.content().contains("pictures in that message"), "{}", one.content());
    let asked = import("a1-a2 what do you think?", &[("board.png", png)]).await;
    assert!(asked.content().contains("Is this your board?"), "no record of Amoeba: {}", asked.content());
    let moves = import("1. a1-a2 2. g1-g2", &[]).await;
    assert!(moves.content().contains("Amoeba · Move 2 of 2"), "{}", moves.content());
    let two = import("", &[("first.png", png), ("second.png", b"no picture")]).await;
    assert!(two.content().starts_with("There are 2 pictures in that message."), "{}", two.content());
    assert!(two.content().contains("Is this your board?"), "{}", two.content());
    for name in ["photo.HEIC", "board.bmp"] {
        let told = import("", &[(name, b"in another format")]).await;
        assert!(told.content().contains("Send a PNG, JPEG, WebP or GIF"), "{name}: {}", told.content());
    }
    for (text, files) in [("well played", &[][..]), ("", &[("page.pdf", &b"%PDF-"[..])])] {
        let told = import(text, files).await;
        assert!(told.content().contains("nothing to import in that message"), "{}", told.content());
    }
    let broken = import("amazons 6/6/6/6/6/7 w - - 0 1", &[]).await;
    assert!(!broken.content().contains("nothing to import"), "a fault is named: {}", broken.content());
    bot.stop().await;
}

fn empty_scene() -> Scene {
    Scene::new(1_050.0, 1_050.0, rookery_games::named("amazons").unwrap().themes()[0], "frame")
}

#[tokio::test(flavor = "multi_thread")]
async fn import_for_viewing_is_limited_to_thirty_a_day() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let import = async || {
        let text = json!({"text": "amazons 1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1"});
        cleo.slash(games, "import", &text).unwrap().message().await.unwrap()
    };
    for number in 1..=30 {
        let shown = import().await;
        assert_eq!(shown.files().len(), 1, "{number}: {}", shown.content());
    }
    let enough = import().await;
    assert!(enough.files().is_empty() && enough.content().contains("30 games"), "{}", enough.content());
    assert!(
        enough.content().contains("tomorrow") && enough.content().contains("`ai`"),
        "{}",
        enough.content()
    );
    bot.advance(Duration::from_secs(24 * 3_600)).await;
    assert_eq!(import().await.files().len(), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn page_to_print_shows_a_game_or_the_position_of_a_table() {
    let bot = TestBot::start().await;
    let (cleo, games) = (bot.cleo(), bot.games());
    let told = cleo.slash(games, "paper", &json!({})).unwrap().message().await.unwrap();
    assert!(told.files().is_empty() && told.content().contains("choose it as `game`"), "{}", told.content());
    let mut duel = Duel::begin(&bot).await;
    let page = async |options: serde_json::Value| {
        let told = cleo.slash(games, "paper", &options).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral() && told.content().contains("page to print"), "{}", told.content());
        let name = told.files()[0]["filename"].as_str().unwrap().to_owned();
        let bytes =
            reqwest::get(told.files()[0]["url"].as_str().unwrap()).await.unwrap().bytes().await.unwrap();
        (name, bytes)
    };
    let (name, pdf) = page(json!({"game": "amoeba"})).await;
    assert!(name == "amoeba.pdf" && pdf.starts_with(b"%PDF-"), "{name}");
    let letter = page(json!({"game": "amoeba", "size": "letter", "as": "svg"})).await.1;
    assert!(String::from_utf8_lossy(&letter).contains("width=\"215.9mm\""));
    let drawn = async || page(json!({"table": duel.table, "as": "svg"})).await;
    let (name, before) = drawn().await;
    assert_eq!(name, format!("{}.svg", duel.table));
    let table = duel.table.clone();
    duel.turn(&bot, Way::Mention).await;
    let after = page(json!({"table": table, "as": "svg"})).await.1;
    assert_ne!(before, after, "the position after the move");
    let wrong = cleo.slash(games, "paper", &json!({"table": "ZZZZ"})).unwrap().message().await.unwrap();
    assert!(wrong.files().is_empty() && wrong.content().contains("ZZZZ"), "{}", wrong.content());
}
