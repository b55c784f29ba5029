//! Quotas: the limits per person and per server, and the answers when they are reached.

use std::time::Duration;

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::quota::Quotas;
use rookery_table::{Actor, Order};
use serde_json::{Value, json};

use crate::duel::{Duel, Way, challenge, open};
use crate::duel::{slash, slash_play};
use crate::test_bot::{TestBot, TestSetup};

/// The terms of a game in which Ada holds both seats.
fn alone(ada: &Person) -> Value {
    json!({"game": "amazons", "size": "6x6", "opponent": ada.id})
}

pub(super) fn plan(quotas: Quotas) -> TestSetup {
    let mut plan = TestSetup::default();
    plan.settings.quotas = quotas;
    plan
}

/// Returns the private answer to a command.
pub(super) async fn answer_text(who: &Person, channel: Id, command: &str, options: &Value) -> String {
    let told = slash(who, channel, command, options).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral(), "{}", told.content());
    told.content().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn quota_of_tables_holds_after_a_restart_and_never_loses_a_game() {
    let mut bot = TestBot::of(plan(Quotas { tables_per_person: 2, ..Quotas::default() })).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let set = json!({"game": "amazons", "size": "6x6", "opponent": ada.id, "set": "two"});
    let first = open(&ada, games, &set).await;
    let second = open(&ada, games, &alone(&ada)).await;
    let refused = answer_text(&ada, games, "play", &alone(&ada)).await;
    assert!(refused.contains("2 unfinished games") && refused.contains("`/games`"), "{refused}");
    bot.restart().await;
    let refused = answer_text(&ada, games, "play", &alone(&ada)).await;
    assert!(refused.contains("2 unfinished games"), "what the store holds counts: {refused}");
    // The second game of a set does not count against a quota, because the bot opens it.
    let resigns = Actor::Person(rookery_table::UserId(ada.id.0));
    bot.registry.order(first.parse().unwrap(), resigns, Order::Resign, None).await.unwrap();
    bot.wait_until_idle().await;
    let next = bot.table(&first).await.rematch().unwrap();
    assert!(bot.table(next.as_str()).await.to_move().is_some(), "game 2 of the set goes on");
    let refused = answer_text(&ada, games, "play", &alone(&ada)).await;
    assert!(refused.contains("2 unfinished games"), "{refused}");
    open(&ben, games, &alone(&ben)).await;
    bot.registry.order(second.parse().unwrap(), resigns, Order::Resign, None).await.unwrap();
    open(&ada, games, &alone(&ada)).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quota_of_tables_is_not_passed_by_many_at_the_same_moment() {
    let bot = TestBot::of(plan(Quotas { tables_per_person: 3, ..Quotas::default() })).await;
    let (ada, games) = (bot.ada(), bot.games());
    let asked: Vec<_> = (0..12).map(|_| slash_play(&ada, games, &alone(&ada)).unwrap()).collect();
    let mut opened = 0;
    for asked in asked {
        let told = asked.message().await.unwrap();
        let refused = told.content().contains("3 unfinished games");
        assert!(refused || told.content().contains("It has begun"), "{}", told.content());
        opened += usize::from(!refused);
    }
    assert!((1..=3).contains(&opened), "{opened} of at most 3");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quota_of_a_server_leaves_other_servers_alone() {
    let bot = TestBot::of(plan(Quotas { tables_per_server: 2, ..Quotas::default() })).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    for who in [&ada, &ben] {
        open(who, games, &alone(who)).await;
    }
    let refused = answer_text(&bot.cleo(), games, "play", &json!({"game": "amoeba", "ai": "easy"})).await;
    assert!(refused.contains("This server already has 2 unfinished games"), "{refused}");
    open(&bot.cleo(), bot.playground.channel("table"), &json!({"game": "amoeba"})).await;
    open(&bot.cleo(), games, &json!({"game": "amoeba", "ai": "easy", "where": "dm"})).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quota_lets_a_rematch_through_when_others_took_the_place() {
    let bot = TestBot::of(plan(Quotas { tables_per_person: 1, ..Quotas::default() })).await;
    let duel = Duel::begin(&bot).await;
    bot.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    open(&duel.ada, bot.games(), &alone(&duel.ada)).await;
    let again = bot.press(&duel.ada, &result, "Rematch").await;
    assert!(again.content().contains("Your rematch is"), "{}", again.content());
    bot.stop().await;
}

/// Counts the pings of a person in a channel.
fn pings(who: &Person, channel: Id) -> usize {
    who.messages(channel).iter().filter(|it| it.pinged().contains(&who.name.as_str())).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_to_one_person_are_few_and_what_to_do_is_said() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "opponent": ben.id});
    for _ in 0..3 {
        open(&ada, games, &terms).await;
    }
    for _ in 0..22 {
        let refused = answer_text(&ada, games, "play", &terms).await;
        let says = refused.contains(&ben.mention())
            && refused.contains("<t:")
            && refused.contains("anyone can join");
        assert!(says, "{refused}");
    }
    bot.wait_until_idle().await;
    assert_eq!(pings(&ben, games), 3, "25 challenges in a moment");
    open(&ada, games, &json!({"game": "amazons", "opponent": bot.cleo().id})).await;
    open(&ben, games, &json!({"game": "amazons", "opponent": ada.id})).await;
    open(&ada, games, &terms).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_at_the_same_moment_are_no_way_past_the_limit() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "opponent": ben.id});
    let asked: Vec<_> = (0..25).map(|_| slash_play(&ada, games, &terms).unwrap()).collect();
    for asked in asked {
        asked.message().await.unwrap();
    }
    bot.wait_until_idle().await;
    assert_eq!(pings(&ben, games), 3);
    bot.stop().await;
}

/// Ada challenges Ben; returns the table and the message with the buttons.
async fn challenged(bot: &TestBot) -> (String, VisibleMessage) {
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": bot.ben().id});
    let table = open(&bot.ada(), bot.games(), &terms).await;
    let asked = challenge(&bot.ben(), bot.games(), &table).await;
    (table, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_that_were_turned_down_wait_longer_each_time() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "opponent": ben.id});
    for minutes in [10_u64, 20] {
        let (_, asked) = challenged(&bot).await;
        bot.press(&ben, &asked, "Decline").await;
        bot.advance(Duration::from_secs(60 * minutes - 1)).await;
        let refused = answer_text(&ada, games, "play", &terms).await;
        let when = format!("<t:{}:R>", bot.now().as_second() + 1);
        assert!(refused.contains(&when), "{refused} lacks {when}");
        bot.advance(Duration::from_secs(1)).await;
    }
    let (_, asked) = challenged(&bot).await;
    bot.press(&ben, &asked, "Accept").await;
    challenged(&bot).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_that_nobody_answered_wait_until_the_other_challenges_back() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "opponent": ben.id});
    challenged(&bot).await;
    let day = Duration::from_secs(24 * 3_600);
    bot.advance(day + Duration::from_secs(1)).await;
    assert_eq!(bot.registry.expire_challenges(day).await.unwrap(), 1);
    let refused = answer_text(&ada, games, "play", &terms).await;
    assert!(refused.contains("again <t:"), "{refused}");
    open(&ben, games, &json!({"game": "amoeba", "opponent": ada.id})).await;
    open(&ada, games, &terms).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_that_were_turned_down_wait_after_a_restart_until_the_person_is_deleted() {
    let mut bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "opponent": ben.id});
    let (_, asked) = challenged(&bot).await;
    bot.press(&ben, &asked, "Decline").await;
    bot.restart().await;
    let refused = answer_text(&ada, games, "play", &terms).await;
    assert!(refused.contains("again <t:"), "{refused}");
    let name = format!("challenge/{}/{}", ada.id, ben.id);
    assert!(bot.registry.journal().note(&name).await.unwrap().is_some());
    let panel = ben.slash(games, "privacy", &json!({})).unwrap().message().await.unwrap();
    let sure = bot.press_private(&ben, &panel, "Delete my data").await;
    bot.press_private(&ben, &sure, "Delete").await;
    assert_eq!(bot.registry.journal().note(&name).await.unwrap(), None);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_that_were_turned_down_leave_no_note_once_one_is_accepted() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let (_, asked) = challenged(&bot).await;
    bot.press(&ben, &asked, "Decline").await;
    bot.advance(Duration::from_secs(600)).await;
    let (_, asked) = challenged(&bot).await;
    bot.press(&ben, &asked, "Accept").await;
    let name = format!("challenge/{}/{}", ada.id, ben.id);
    assert_eq!(bot.registry.journal().note(&name).await.unwrap(), None);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_that_a_team_turned_down_wait_for_each_of_its_members() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let dan = bot.playground.new_user("Dan");
    let teams = |first: &Person, second: &Person| {
        let team = format!("{} {} vs {} {}", ada.mention(), dan.mention(), first.mention(), second.mention());
        json!({"game": "amazons", "size": "6x6", "team": team})
    };
    let table = open(&ada, games, &teams(&ben, &cleo)).await;
    let asked = challenge(&ben, games, &table).await;
    bot.press(&ben, &asked, "Decline").await;
    for again in [teams(&ben, &cleo), teams(&cleo, &ben), json!({"game": "amazons", "opponent": cleo.id})] {
        let refused = answer_text(&ada, games, "play", &again).await;
        assert!(refused.contains("again <t:"), "{refused}");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_to_one_role_are_few() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let [queens, rooks] = ["Queens", "Rooks"].map(|name| bot.playground.new_role(name, &[&ben]).unwrap());
    let terms =
        |role: Id| json!({"game": "amazons", "size": "6x6", "team": format!("everyone vs <@&{role}>")});
    for _ in 0..3 {
        open(&ada, games, &terms(queens)).await;
    }
    let refused = answer_text(&ada, games, "play", &terms(queens)).await;
    assert!(refused.contains(&format!("<@&{queens}> again <t:")), "{refused}");
    open(&ada, games, &terms(rooks)).await;
    open(&ben, games, &terms(queens)).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quota_of_tables_in_an_hour_counts_those_that_are_over() {
    let bot = TestBot::of(plan(Quotas { tables_per_hour: 2, ..Quotas::default() })).await;
    let (ada, games) = (bot.ada(), bot.games());
    let resigns = Actor::Person(rookery_table::UserId(ada.id.0));
    for _ in 0..2 {
        let table = open(&ada, games, &alone(&ada)).await;
        bot.registry.order(table.parse().unwrap(), resigns, Order::Resign, None).await.unwrap();
    }
    let refused = answer_text(&ada, games, "play", &alone(&ada)).await;
    assert!(refused.contains("2 new games an hour") && refused.contains("<t:"), "{refused}");
    bot.advance(Duration::from_secs(1_800)).await;
    open(&ada, games, &alone(&ada)).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gifs_are_few_for_one_person_and_others_have_theirs() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    for _ in 0..2 {
        duel.turn(&bot, Way::Mention).await;
    }
    let gif = json!({"as": "gif"});
    for _ in 0..3 {
        let shown = duel.ada.slash(duel.thread, "replay", &gif).unwrap().message().await.unwrap();
        assert_eq!(shown.files().len(), 1, "{}", shown.content());
    }
    let refused = answer_text(&duel.ada, duel.thread, "replay", &gif).await;
    assert!(refused.contains("3 GIFs") && refused.contains("<t:"), "{refused}");
    let images = answer_text(&duel.ada, duel.thread, "replay", &json!({"as": "images"})).await;
    assert!(images.contains("3 GIFs"), "{images}");
    let steps = duel.ada.slash(duel.thread, "replay", &json!({})).unwrap().message().await.unwrap();
    assert_eq!(steps.files().len(), 1, "stepping is free: {}", steps.content());
    let pressed = bot.press(&duel.ada, &steps, "Animate").await;
    assert!(pressed.content().contains("3 GIFs"), "the button is no way round: {}", pressed.content());
    let theirs = duel.ben.slash(duel.thread, "replay", &gif).unwrap().message().await.unwrap();
    assert_eq!(theirs.files().len(), 1, "{}", theirs.content());
    bot.advance(Duration::from_secs(20)).await;
    let shown = duel.ada.slash(duel.thread, "replay", &gif).unwrap().message().await.unwrap();
    assert_eq!(shown.files().len(), 1, "{}", shown.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quota_of_each_kind_of_work_is_told_by_its_name() {
    let quotas = Quotas {
        exports_per_hour: 1,
        imports_per_hour: 1,
        hints_per_hour: 1,
        analyses_per_hour: 1,
        ..Quotas::default()
    };
    let bot = TestBot::of(plan(quotas)).await;
    let mut duel = Duel::begin(&bot).await;
    let text = json!({"text": "game: amazons"});
    for (command, options, name) in
        [("export", json!({}), "one export"), ("import", text, "one import"), ("hint", json!({}), "one hint")]
    {
        duel.ada.slash(duel.thread, command, &options).unwrap().message().await.unwrap();
        let refused = answer_text(&duel.ada, duel.thread, command, &options).await;
        assert!(refused.contains(name) && refused.contains("<t:"), "{command}: {refused}");
    }
    for _ in 0..2 {
        duel.turn(&bot, Way::Mention).await;
    }
    bot.resign(&duel.mover(), &duel.board).await;
    bot.wait_until_idle().await;
    let other = open(&duel.ada, bot.games(), &alone(&duel.ada)).await;
    let play = Actor::Person(rookery_table::UserId(duel.ada.id.0));
    let text = bot.table(&other).await.play().unwrap().moves().remove(0);
    for order in [Order::Move { text, ply: None }, Order::Resign] {
        bot.registry.order(other.parse().unwrap(), play, order, None).await.unwrap();
    }
    for _ in 0..2 {
        let shown = answer_text(&duel.ada, duel.thread, "analyse", &json!({"table": duel.table})).await;
        assert!(!shown.contains("an hour"), "one that is remembered costs nothing: {shown}");
    }
    let refused = answer_text(&duel.ada, duel.thread, "analyse", &json!({"table": other})).await;
    assert!(refused.contains("one analysis an hour"), "{refused}");
    bot.stop().await;
}
