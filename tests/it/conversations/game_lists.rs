//! `/games` lists the games that each person looks for, with links to the boards.

use std::time::Duration;

use rookery_core::rules::Setup;
use rookery_playground::testing::person::Person;
use rookery_table::Terms;
use rookery_table::{ChannelId, GuildId};
use serde_json::{Value, json};

use crate::duel::{Duel, Way, challenge, open};
use crate::test_bot::TestBot;

async fn list(bot: &TestBot, who: &Person, options: Value) -> String {
    let told = who.slash(bot.games(), "games", &options).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral());
    told.content().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_filters_by_stage_person_and_game() {
    let bot = TestBot::start().await;
    let (mut running, over) = (Duel::begin(&bot).await, Duel::begin(&bot).await);
    let (cleo, games) = (bot.cleo(), bot.games());
    let waiting = open(&cleo, games, &json!({"game": "penguins"})).await;
    let asked = challenge(&cleo, games, &waiting).await;
    let fresh = list(&bot, &running.ben, json!({})).await;
    assert!(fresh.contains("no moves yet"), "{fresh}");
    running.turn(&bot, Way::Mention).await;
    bot.resign(&over.ada, &over.board).await;
    bot.wait_until_idle().await;
    let names = |list: &str| {
        [&running.table, &over.table, &waiting].map(|table| list.contains(&format!("[{table}]")))
    };
    let (ada, ben) = (&running.ada, &running.ben);
    for (who, options, wanted) in [
        (ada, json!({}), [true, false, false]),
        (&cleo, json!({"which": "mine"}), [false, false, true]),
        (ada, json!({"which": "turn"}), [false, false, false]),
        (ben, json!({"which": "turn"}), [true, false, false]),
        (ada, json!({"which": "open"}), [false, false, true]),
        (&cleo, json!({"which": "here"}), [true, false, false]),
        (&cleo, json!({"which": "finished"}), [false, true, false]),
        (&cleo, json!({"person": ben.id}), [true, false, false]),
        (&cleo, json!({"which": "finished", "person": ben.id}), [false, true, false]),
        (&cleo, json!({"which": "here", "game": "penguins"}), [false, false, false]),
        (ada, json!({"which": "open", "game": "penguins"}), [false, false, true]),
    ] {
        let list = list(&bot, who, options.clone()).await;
        assert_eq!(names(&list), wanted, "{options}: {list}");
    }
    let board = list(&bot, &cleo, json!({"which": "here"})).await;
    assert!(board.contains(&format!("/{}/{})", running.thread, running.board.id)), "{board}");
    let finished = list(&bot, &cleo, json!({"which": "finished"})).await;
    assert!(finished.contains(&format!("· {} (Black) won by resignation", ben.mention())), "{finished}");
    let open = list(&bot, &cleo, json!({"which": "open"})).await;
    assert!(open.contains(&format!("/{games}/{})", asked.id)), "{open}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_names_the_bot_where_it_plays() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy"})).await;
    let mine = list(&bot, &ada, json!({"which": "mine"})).await;
    let line = mine.lines().find(|line| line.contains(&table)).unwrap();
    assert!(line.contains(&format!("{} – Rookery (easy)", ada.mention())), "{line}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_leaves_out_channels_that_the_reader_cannot_see() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let secret = bot.playground.new_channel("secret").unwrap();
    bot.playground.restrict_channel_to(secret, &[&ada, &ben]);
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy"});
    let hidden = open(&ben, secret, &terms).await;
    let shown = open(&ben, bot.games(), &terms).await;
    bot.wait_until_idle().await;
    for options in [json!({"which": "here"}), json!({"person": ben.id})] {
        let list = list(&bot, &cleo, options).await;
        assert!(list.contains(&shown) && !list.contains(&hidden), "{list}");
    }
    assert!(list(&bot, &ben, json!({})).await.contains(&hidden), "his own");
    let there = ada.slash(secret, "games", &json!({"which": "here"})).unwrap().message().await.unwrap();
    assert!(there.content().contains(&hidden) && there.content().contains(&shown), "{}", there.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_shows_running_games_beside_a_hundred_newer_ones() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
    bot.wait_until_idle().await;
    bot.playground.clock().advance(Duration::from_secs(60));
    let (game, who) = (rookery_games::named("amoeba").unwrap(), rookery_table::UserId(ada.id.0));
    let play = game.start(&Setup::new(2)).unwrap();
    let terms = Terms { game: "amoeba".into(), channel: ChannelId(games.0), ..Terms::default() };
    for _ in 0..110 {
        bot.registry.import(terms.clone(), who, play.as_ref(), Vec::new()).await.unwrap();
    }
    let mine = list(&bot, &ada, json!({"which": "mine"})).await;
    assert!(mine.contains(&table), "{mine}");
    let closed = ada.slash(games, "leave", &json!({})).unwrap().message().await.unwrap();
    assert!(closed.content().contains(&table), "{}", closed.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_does_not_call_a_personal_challenge_open() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let asked = open(&ada, games, &json!({"game": "amazons", "opponent": ben.id})).await;
    let both = open(&ada, games, &json!({"game": "penguins", "players": 3, "opponent": ben.id})).await;
    let line = async |who: &Person, which: &str, table: &str| {
        let list = list(&bot, who, json!({"which": which})).await;
        list.lines().find(|line| line.contains(table)).map(str::to_owned)
    };
    assert_eq!(line(&cleo, "open", &asked).await, None);
    assert_eq!(line(&ada, "open", &asked).await, None, "her own");
    assert!(line(&ben, "open", &asked).await.unwrap().ends_with("**waiting for your answer**"));
    assert!(line(&ada, "mine", &asked).await.unwrap().ends_with("waiting for an answer"));
    assert!(line(&cleo, "open", &both).await.unwrap().ends_with("waiting for players, 1 seat free"));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_says_whose_turn_it_is() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let ends = async |state: &str| {
        let here = list(&bot, &bot.cleo(), json!({"which": "here"})).await;
        assert!(here.ends_with(state), "{here}");
    };
    ends(&format!("no moves yet, {} to move", duel.ada.mention())).await;
    duel.turn(&bot, Way::Reply).await;
    ends(&format!("after 1 move, {} to move", duel.ben.mention())).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_has_pages() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let (game, who) = (rookery_games::named("amoeba").unwrap(), rookery_table::UserId(ada.id.0));
    let play = game.start(&Setup::new(2)).unwrap();
    let guild = Some(bot.playground.guild("Rookery").unwrap().0);
    let terms = Terms {
        game: "amoeba".into(),
        guild: guild.map(GuildId),
        channel: ChannelId(games.0),
        ..Terms::default()
    };
    let mut wanted = Vec::new();
    for _ in 0..60 {
        let kept = bot.registry.import(terms.clone(), who, play.as_ref(), Vec::new()).await.unwrap();
        wanted.push(kept.table.id().to_string());
    }
    let options = json!({"which": "finished", "game": "amoeba"});
    let mut page = ada.slash(games, "games", &options).unwrap().message().await.unwrap();
    assert!(page.button("◀ Back").is_none(), "the first");
    let (mut found, mut count) = (Vec::new(), 1);
    loop {
        let title = page.content().lines().next().unwrap();
        assert!(title.contains(&format!("**Finished games** · page {count} of ")), "{title}");
        let names = page.content().lines().skip(1).map(|line| line.split("**").nth(1).unwrap().to_owned());
        found.extend(names);
        if page.button("Next ▶").is_none() {
            break;
        }
        page = bot.press_private(&ada, &page, "Next ▶").await;
        count += 1;
    }
    assert!(count > 1);
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted, "each once");
    let before = bot.press_private(&ada, &page, "◀ Back").await;
    assert!(before.content().contains(&format!("page {} of {count}", count - 1)), "{}", before.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_list_that_is_empty_says_what_is_missing() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    let cleo = bot.cleo();
    for (who, options, words) in [
        (&duel.ada, json!({"which": "turn"}), "No game is waiting for a move"),
        (&duel.ada, json!({"which": "open"}), "Nobody here is looking for players"),
        (&duel.ada, json!({"which": "finished"}), "No finished games yet"),
        (&cleo, json!({"which": "mine"}), "No games running"),
        (&cleo, json!({"which": "here", "game": "penguins"}), "No games here right now"),
    ] {
        let list = list(&bot, who, options.clone()).await;
        assert!(list.contains(words), "{options}: {list}");
    }
    bot.stop().await;
}
