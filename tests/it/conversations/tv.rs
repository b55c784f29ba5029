//! The television: one message in a channel with the best game going on, and what becomes of it.

use std::time::Duration;

use rookery_playground::id::Id;
use rookery_playground::people::person::Person;
use rookery_playground::people::visible_message::VisibleMessage;
use serde_json::{Value, json};

use crate::duel::{Duel, Way, open};
use crate::test_bot::{House, Plan};

/// More than the time between two changes.
const A_WHILE: Duration = Duration::from_secs(10);

async fn house() -> (House, Id) {
    let mut plan = Plan::default();
    plan.settings.tv_interval = Duration::from_millis(50);
    let house = House::of(plan).await;
    let general = house.playground.channel("general");
    (house, general)
}

async fn tv(who: &Person, channel: Id, options: &Value) -> String {
    let told = who.slash(channel, "tv", options).unwrap().message().await.unwrap();
    assert!(told.is_ephemeral());
    told.content().to_owned()
}

async fn on_screen(who: &Person, channel: Id, what: &str) -> VisibleMessage {
    let is_it = |it: &VisibleMessage| it.content().contains('📺') && it.content().contains(what);
    let picture = who.wait_for(channel, &format!("{what} on the television"), is_it).await.unwrap();
    assert!(picture.pinged().is_empty(), "nobody is called to the television");
    picture
}

/// The same message, once it says something else.
async fn becomes(house: &House, who: &Person, message: &VisibleMessage, text: &str) -> VisibleMessage {
    let changed = || who.look_again(message).filter(|it| it.content().contains(text));
    house.playground.wait(&format!("the television to show {text}"), changed).await.unwrap()
}

/// The television where it stood before, put up again with nothing on.
async fn again(who: &Person, channel: Id, before: &VisibleMessage) -> VisibleMessage {
    let is_new = |it: &VisibleMessage| it.id > before.id && it.content().contains("Nothing is on");
    who.wait_for(channel, "the television put up again", is_new).await.unwrap()
}

/// A turn, and the time until a television may change again.
async fn a_turn(house: &House, duel: &mut Duel) {
    duel.turn(house, Way::Mention).await;
    house.playground.clock().advance(A_WHILE);
}

/// How many televisions stand in the channel.
fn screens(who: &Person, channel: Id) -> usize {
    who.messages(channel).iter().filter(|it| it.content().contains('📺')).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_television_follows_a_game_in_one_message_to_its_result() {
    let (mut house, general) = house().await;
    let (owner, ben) = (house.ada(), house.ben());
    assert!(tv(&owner, general, &json!({})).await.contains("best game"));
    let nothing = on_screen(&ben, general, "Nothing is on").await;
    assert!(nothing.content().contains("/play"));
    let mut duel = Duel::begin(&house).await;
    house.playground.clock().advance(A_WHILE);
    let first = becomes(&house, &ben, &nothing, &duel.table).await;
    assert!(first.files().len() == 1 && first.content().contains(&format!("/{}", duel.thread)));
    a_turn(&house, &mut duel).await;
    let now = becomes(&house, &ben, &nothing, &duel.play.record().pop().unwrap()).await;

    // Whoever looks from there is answered alone, and the game goes on with the same message elsewhere.
    let looked = house.press(&house.cleo(), &now, "Board").await;
    assert!(looked.is_ephemeral(), "{}", looked.content());
    house.restart_after(A_WHILE).await;
    a_turn(&house, &mut duel).await;
    becomes(&house, &ben, &nothing, &duel.play.record().pop().unwrap()).await;

    house.resign(&duel.mover(), &duel.board).await;
    house.playground.clock().advance(A_WHILE);
    let over = becomes(&house, &ben, &nothing, "Just over").await;
    assert!(over.content().contains(&duel.table));
    house.playground.clock().advance(Duration::from_secs(120));
    becomes(&house, &ben, &nothing, "Nothing is on").await;
    assert_eq!(screens(&ben, general), 1);
    assert!(tv(&owner, general, &json!({"where": "off"})).await.contains("no board"));
    assert_eq!(screens(&ben, general), 0);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_or_deleted_message_is_posted_anew_and_nobody_else_puts_one_up() {
    let (house, general) = house().await;
    let (owner, ben) = (house.ada(), house.ben());
    tv(&owner, general, &json!({})).await;
    let mut duel = Duel::begin(&house).await;
    house.playground.clock().advance(A_WHILE);
    let first = on_screen(&ben, general, &duel.table).await;
    // Messages older than an hour are hardly editable: then there is a new one, and the old one goes.
    house.playground.clock().advance(Duration::from_secs(3_600));
    a_turn(&house, &mut duel).await;
    let second = on_screen(&ben, general, &duel.play.record().pop().unwrap()).await;
    assert_ne!(first.id, second.id);
    let gone = || ben.look_again(&first).is_none().then_some(());
    house.playground.wait("the old picture to go", gone).await.unwrap();
    house.playground.delete_message(general, second.id);
    a_turn(&house, &mut duel).await;
    on_screen(&ben, general, &duel.play.record().pop().unwrap()).await;
    assert_eq!(screens(&ben, general), 1);
    house.close_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_television_waits_for_leave_and_goes_with_its_channel() {
    const SEND_MESSAGES: u64 = 1 << 11;
    let (house, general) = house().await;
    let (owner, ben) = (house.ada(), house.ben());
    let refused = house.cleo().slash(general, "tv", &json!({})).err();
    assert!(refused.is_some(), "only for those who manage the server");
    tv(&owner, general, &json!({})).await;
    on_screen(&ben, general, "Nothing is on").await;
    let channel = house.playground.new_channel("screen").unwrap();
    tv(&owner, channel, &json!({"where": "here"})).await;
    on_screen(&ben, channel, "Nothing is on").await;
    assert_eq!(screens(&ben, general), 0, "one television a server");

    house.playground.deny_bot(channel, SEND_MESSAGES);
    let lacking = tv(&owner, channel, &json!({})).await;
    assert!(lacking.contains("I lack"), "{lacking}");
    house.playground.deny_bot(channel, 0);
    house.playground.delete_channel(channel);
    let duel = Duel::begin(&house).await;
    house.playground.clock().advance(A_WHILE);
    let gone = || async { house.registry.journal().note("tv").await.unwrap() == Some("[]".to_owned()) };
    while !gone().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!duel.table.is_empty());
    house.close_after(&[403, 404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_played_behind_a_door_is_shown_to_those_alone_who_have_the_key() {
    let (house, general) = house().await;
    let (ada, ben, cleo) = (house.ada(), house.ben(), house.cleo());
    house.playground.keep_private(house.games(), &[&ada, &ben]);
    tv(&ada, general, &json!({})).await;
    let screen = on_screen(&cleo, general, "Nothing is on").await;
    let duel = Duel::begin(&house).await;
    house.playground.clock().advance(A_WHILE);

    // In a channel for the same people it is on.
    let lounge = house.playground.new_channel("lounge").unwrap();
    house.playground.keep_private(lounge, &[&ben, &ada]);
    tv(&ada, lounge, &json!({})).await;
    on_screen(&ben, lounge, &duel.table).await;
    tv(&ada, general, &json!({})).await;
    let screen = again(&cleo, general, &screen).await;
    house.playground.clock().advance(A_WHILE);

    // The door is opened for everybody, and shut again.
    house.playground.keep_private(house.games(), &[]);
    let shown = becomes(&house, &cleo, &screen, &duel.table).await;
    house.playground.clock().advance(A_WHILE);
    house.playground.keep_private(house.games(), &[&ada, &ben]);
    becomes(&house, &cleo, &shown, "Nothing is on").await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_direct_message_is_never_on_the_television() {
    let (house, general) = house().await;
    let (ada, ben) = (house.ada(), house.ben());
    tv(&ada, general, &json!({})).await;
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy", "where": "dm"});
    let private = open(&ben, general, &terms).await;
    let shown = Duel::begin(&house).await;
    house.playground.clock().advance(A_WHILE);
    let screen = on_screen(&ada, general, &shown.table).await;
    assert!(!screen.content().contains(&private));
    house.close().await;
}
