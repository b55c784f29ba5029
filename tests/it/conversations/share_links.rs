//! Share links: who creates them, where they are shown, and who withdraws them.

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::share::ShareToken;
use serde_json::{Value, json};

use crate::duel::{Duel, open};
use crate::test_bot::{TestBot, TestSetup};

const WEB: &str = "https://games.example";
const MANAGE_GUILD: u64 = 1 << 5;

/// Starts a bot whose games can be watched in a browser.
async fn with_web() -> TestBot {
    let mut plan = TestSetup::default();
    plan.settings.web = Some(WEB.to_owned());
    TestBot::of(plan).await
}

async fn shares(who: &Person, channel: Id, options: Value) -> VisibleMessage {
    who.slash(channel, "share", &options).unwrap().message().await.unwrap()
}

/// Returns the token of the link in a text, if there is one.
fn token(text: &str) -> Option<ShareToken> {
    let rest = text.split_once(&format!("{WEB}/g/"))?.1;
    ShareToken::read(rest.split(['>', ')', '\n', ' ']).next()?)
}

/// Whether a token gives access to a game now.
async fn shows(bot: &TestBot, token: &ShareToken) -> bool {
    bot.registry.shared(token).await.unwrap().is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn share_link_is_shown_again_replaced_and_withdrawn() {
    let bot = with_web().await;
    let duel = Duel::begin(&bot).await;
    let (ada, ben) = (&duel.ada, &duel.ben);
    let first = shares(ada, duel.thread, json!({})).await;
    assert!(first.is_ephemeral(), "for the player alone");
    let link = token(first.content()).unwrap_or_else(|| panic!("no link: {}", first.content()));
    assert!(
        !first.content().contains(&format!("/{}", duel.table)),
        "not the table's name: {}",
        first.content()
    );
    assert!(shows(&bot, &link).await);

    // The other player gets the same link from the button under More.
    let more = bot.press(ben, &duel.board, "More").await;
    let same = bot.press_private(ben, &more, "Share link").await;
    assert_eq!(token(same.content()), Some(link.clone()), "{}", same.content());
    let new = bot.press_private(ben, &same, "New link").await;
    let newer = token(new.content()).unwrap();
    assert!(newer != link && !shows(&bot, &link).await && shows(&bot, &newer).await);

    let stopped = shares(ada, duel.thread, json!({"link": "off"})).await;
    assert!(stopped.content().contains("no longer works"), "{}", stopped.content());
    assert!(!shows(&bot, &newer).await);
    let none = bot.press_private(ben, &new, "Stop sharing").await;
    assert!(none.content().contains("isn't shared"), "{}", none.content());
    let again = token(shares(ada, duel.thread, json!({})).await.content()).unwrap();
    assert!(again != newer && shows(&bot, &again).await, "a new token");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn share_link_is_made_by_players_and_withdrawn_by_managers() {
    let bot = with_web().await;
    let duel = Duel::begin(&bot).await;
    let (cleo, dora) = (bot.cleo(), bot.playground.new_user("Dora"));
    let own = shares(&duel.ben, duel.thread, json!({})).await;
    let link = token(own.content()).unwrap();
    for (options, words) in [
        (json!({}), "Only this game's players can share it"),
        (json!({"link": "new"}), "Only this game's players can share it"),
        (json!({"link": "off"}), "server's managers can stop sharing"),
    ] {
        let told = shares(&cleo, duel.thread, options.clone()).await;
        assert!(
            told.content().contains(words) && token(told.content()).is_none(),
            "{options}: {}",
            told.content()
        );
    }
    assert!(shows(&bot, &link).await, "nobody else has changed it");

    let guild = bot.playground.guild("Rookery").unwrap();
    bot.playground.set_role_overwrite(bot.games(), guild, MANAGE_GUILD, 0);
    let told = shares(&dora, duel.thread, json!({})).await;
    assert!(token(told.content()).is_none(), "managers see no link either: {}", told.content());
    let told = shares(&dora, duel.thread, json!({"link": "off"})).await;
    assert!(told.content().contains("Sharing stopped"), "{}", told.content());
    assert!(!shows(&bot, &link).await);
    bot.stop().await;
}

/// A button may still be visible to a former player; its answer reveals no more than one about an unknown
/// name.
#[tokio::test(flavor = "multi_thread")]
async fn share_link_is_hidden_from_former_players() {
    let bot = with_web().await;
    let (ben, games) = (bot.ben(), bot.games());
    let terms = json!({"game": "penguins", "ai_seats": "2 3", "players": 3});
    let table = open(&ben, games, &terms).await;
    let thread = ben.wait_for_thread(games, &table).await.unwrap();
    let own = shares(&ben, thread, json!({})).await;
    let link = token(own.content()).unwrap();
    let left = ben.slash(thread, "leave", &json!({})).unwrap().message().await.unwrap();
    assert!(bot.table(&table).await.seat_of(rookery_table::UserId(ben.id.0)).is_none(), "{}", left.content());
    for label in ["New link", "Stop sharing"] {
        let own = shares(&ben, thread, json!({"table": table})).await;
        assert!(token(own.content()).is_none(), "{label}: {}", own.content());
    }
    let told = bot.press_private(&ben, &own, "New link").await;
    assert!(token(told.content()).is_none() && told.content().contains(&table), "{}", told.content());
    assert!(shows(&bot, &link).await, "it is not theirs to withdraw any more");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn share_link_is_announced_only_where_pages_are_on() {
    let bot = with_web().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let announced = async || {
        let table = open(&ada, games, &terms).await;
        let begun =
            |it: &VisibleMessage| !it.is_ephemeral() && it.content().contains(&format!("{table}\nWhite: <@"));
        let announced = ada.wait_for(games, "the announcement", begun).await.unwrap();
        (table, announced.content().to_owned())
    };
    let (_, off) = announced().await;
    assert!(!off.contains("http"), "{off}");
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let panel = bot.press_private(&ada, &panel, "Games and time").await;
    assert!(!panel.content().contains("http"), "{}", panel.content());
    let panel = bot.press_private(&ada, &panel, "Public game pages: off").await;
    let list = format!("{WEB}/s/");
    assert!(panel.content().contains(&list), "the list of games is linked: {}", panel.content());
    let (table, on) = announced().await;
    let link = token(&on).unwrap_or_else(|| panic!("no link: {on}"));
    assert!(shows(&bot, &link).await && !on.contains(&format!("/{table}")), "{on}");

    // A player may unlist their game, and share it by a link of their own.
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let own = shares(&ada, thread, json!({"table": table})).await;
    assert_ne!(token(own.content()), Some(link.clone()));
    assert!(own.content().contains("The server's page of games lists it too"), "{}", own.content());
    let stopped = shares(&ada, thread, json!({"link": "off", "table": table})).await;
    assert!(stopped.content().contains("Sharing stopped") && !shows(&bot, &link).await);

    let (_, other) = announced().await;
    let other = token(&other).unwrap();
    let panel = bot.press_private(&ada, &panel, "Public game pages: on").await;
    assert!(!panel.content().contains("http"), "{}", panel.content());
    assert!(!shows(&bot, &other).await, "switched off, its links stop working");
    let (_, off) = announced().await;
    assert!(!off.contains("http"), "{off}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn share_link_of_a_finished_game_is_made_from_its_board() {
    let bot = with_web().await;
    let duel = Duel::begin(&bot).await;
    bot.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    duel.ben.wait_for(duel.thread, "the result", over).await.unwrap();
    let board = async |who: &Person| {
        who.slash(duel.thread, "board", &json!({"table": duel.table})).unwrap().message().await.unwrap()
    };
    assert!(board(&bot.cleo()).await.button("Share link").is_none(), "for its players alone");
    let shared = bot.press_private(&duel.ben, &board(&duel.ben).await, "Share link").await;
    assert!(shows(&bot, &token(shared.content()).unwrap()).await, "{}", shared.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn share_link_is_not_offered_without_web_pages() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let told = shares(&duel.ada, duel.thread, json!({})).await;
    assert!(told.content().contains("has no web pages"), "{}", told.content());
    let more = bot.press(&duel.ada, &duel.board, "More").await;
    assert!(more.button("Share link").is_none(), "{:?}", more.buttons());
    let panel = duel.ada.slash(bot.games(), "config panel", &json!({})).unwrap().message().await.unwrap();
    let panel = bot.press_private(&duel.ada, &panel, "Games and time").await;
    assert!(!panel.content().contains("Public game pages"), "{}", panel.content());
    bot.stop().await;
}
