//! Who may ping a role by opening a table for its team.

use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_table::quota::Quotas;
use serde_json::{Value, json};

use super::quotas::plan;
use crate::duel::slash_play;
use crate::duel::{challenge, open};
use crate::test_bot::TestBot;

/// The bot and Ada may mention every role here; Ben may not.
#[tokio::test(flavor = "multi_thread")]
async fn role_ping_needs_the_hosts_own_permission() {
    const MENTION_EVERYONE: u64 = 1 << 17;
    // Ben pings the role more often than the quotas allow.
    let bot = TestBot::of(plan(Quotas::NONE)).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    bot.playground.set_role_overwrite(games, bot.playground.bot_role().unwrap(), MENTION_EVERYONE, 0);
    let [queens, rooks] = ["Queens", "Rooks"].map(|name| bot.playground.new_role(name, &[&ben]).unwrap());
    bot.playground.set_role_mentionable(queens, false);
    let against =
        |role: Id| json!({"game": "amazons", "size": "6x6", "team": format!("<@&{role}> vs <@&{queens}>")});
    let opens = async |who: &Person, terms: Value| {
        let told = slash_play(who, games, &terms).unwrap().message().await.unwrap().content().to_owned();
        let table = told.split("**").nth(1).unwrap().to_owned();
        let announced = challenge(&bot.cleo(), games, &table).await;
        assert!(announced.content().contains(&format!("<@&{queens}>")), "named: {}", announced.content());
        (told, announced.json["mention_roles"].clone())
    };
    let (told, pinged) = opens(&ben, against(rooks)).await;
    assert!(
        told.contains(&format!("I won't ping <@&{queens}>")) && !told.contains(&format!("<@&{rooks}>")),
        "{told}"
    );
    assert_eq!(pinged, json!([]));
    let (told, pinged) = opens(&ada, against(rooks)).await;
    assert!(!told.contains("won't ping"), "{told}");
    assert_eq!(pinged, json!([queens]));

    // In a rematch the permission of the person who starts it counts, not that of the first game's host.
    let table = told.split("**").nth(1).unwrap().to_owned();
    let announced = challenge(&ben, games, &table).await;
    bot.press(&ben, &announced, "Join").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "the board", |it| it.button("Move").is_some()).await.unwrap();
    bot.resign(&ada, &board).await;
    let result = ben.wait_for(thread, "the result", |it| it.button("Rematch").is_some()).await.unwrap();
    let again = bot.press(&ben, &result, "Rematch").await;
    assert!(again.content().contains(&format!("I won't ping <@&{queens}>")), "{}", again.content());

    // The same holds for the ping of a turn, and for a typed phrase in place of the command.
    let board = async |who: &Person, told: &str| {
        let table = told.split("**").nth(1).unwrap().to_owned();
        let thread = who.wait_for_thread(games, &table).await.unwrap();
        who.wait_for(thread, "the board", |it| it.button("Move").is_some()).await.unwrap()
    };
    let alone = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "team": format!("<@&{queens}>")});
    let told = slash_play(&ben, games, &alone).unwrap().message().await.unwrap().content().to_owned();
    assert_eq!(board(&ben, &told).await.json["mention_roles"], json!([]), "{told}");
    let said = ben.say(games, &format!("<@{BOT_ID}> play amazons 6x6 random me team:<@&{queens}>")).unwrap();
    let told = bot.answer_to(&ben, &said).await;
    assert!(told.content().contains("won't ping"), "{}", told.content());
    let told = slash_play(&ada, games, &alone).unwrap().message().await.unwrap().content().to_owned();
    assert_eq!(board(&ada, &told).await.json["mention_roles"], json!([queens]), "{told}");

    // @everyone and @here never ping, no matter who opens the game.
    for everybody in ["@everyone", "@here"] {
        let terms =
            json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "team": everybody});
        let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap().content().to_owned();
        let board = board(&ada, &told).await;
        assert!(board.json["mention_everyone"] == false && board.pinged().is_empty(), "{}", board.content());
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn role_ping_that_is_impossible_names_the_setting() {
    const MENTION_EVERYONE: u64 = 1 << 17;
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let queens = bot.playground.new_role("Queens", &[&bot.ben()]).unwrap();
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "team": format!("<@&{queens}>")});
    let told =
        async || slash_play(&ada, games, &terms).unwrap().message().await.unwrap().content().to_owned();
    assert!(!told().await.contains("can't ping"));
    bot.playground.set_role_mentionable(queens, false);
    let silent = told().await;
    assert!(silent.contains(&format!("can't ping <@&{queens}>")), "{silent}");
    let table = silent.split("**").nth(1).unwrap().to_owned();
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    assert_eq!(board.json["mention_roles"], json!([]), "as on Discord");
    // A team that nobody has joined yet counts too; a team with a role that everybody may mention does not.
    let [rooks, loud] = ["Rooks", "Loud"].map(|name| bot.playground.new_role(name, &[&ada]).unwrap());
    bot.playground.set_role_mentionable(rooks, false);
    let reserved_seats =
        json!({"game": "amazons", "size": "6x6", "team": format!("<@&{loud}> vs <@&{rooks}>")});
    open(&ada, games, &reserved_seats).await;
    let check = async || {
        let told = ada.slash(games, "config check", &json!({})).unwrap();
        told.message().await.unwrap().content().to_owned()
    };
    let told_all = check().await;
    assert!(told_all.contains("All permissions are fine"), "{told_all}");
    let named = [queens, rooks, loud].map(|role| told_all.contains(&format!("<@&{role}>")));
    assert_eq!(named, [true, true, false], "{told_all}");
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.playground.grant_everyone(guild, MENTION_EVERYONE);
    assert!(!told().await.contains("can't ping"));
    assert!(!check().await.contains("<@&"));
    bot.stop().await;
}
