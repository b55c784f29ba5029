//! Access changes with what Discord lets people read: lost roles, invitations to channels that the invited person
//! cannot see, an unreachable Discord. And the requests that the access checks cost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rookery_core::player::{Limits, SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::{Answer, Job, PageRequest, Thinker, answered};
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{Actor, Order, TableId};
use serde_json::json;

use super::entrances::no_table;
use super::stage::VIEW;
use crate::duel::{Duel, Way, open};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

/// Longer than the bot caches a member's roles.
pub(super) const A_WHILE: Duration = Duration::from_secs(16);

/// Creates a channel that only these people's role can read; returns the channel and the role.
pub(super) fn club(bot: &TestBot, people: &[&Person]) -> (Id, Id) {
    let playground = &bot.playground;
    let role = playground.new_role("Club", people).unwrap();
    let closed = playground.new_channel("club").unwrap();
    playground.set_role_overwrite(closed, playground.bot_role().unwrap(), VIEW, 0);
    playground.set_role_overwrite(closed, role, VIEW, 0);
    playground.set_role_overwrite(closed, playground.guild("Rookery").unwrap(), 0, VIEW);
    (closed, role)
}

/// Opens Ben's game against the bot in the channel itself, and waits until its first board is posted.
pub(super) async fn game(bot: &TestBot, channel: Id) -> String {
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&bot.ben(), channel, &terms).await;
    bot.wait_until_idle().await;
    table
}

pub(super) async fn writes(bot: &TestBot, who: &Person, text: &str) -> String {
    let said = who.say(who.dm(), text).unwrap();
    bot.answer_to(who, &said).await.content().to_owned()
}

pub(super) async fn asks(who: &Person, command: &str, table: &str) -> VisibleMessage {
    who.slash(who.dm(), command, &json!({"table": table})).unwrap().message().await.unwrap()
}

pub(super) fn is_no_table(answer: &VisibleMessage, table: &str) -> bool {
    answer.content().contains(&format!("There's no game {table}")) && answer.files().is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn access_ends_with_the_role_that_gave_it_and_comes_back_with_it() {
    let bot = TestBot::start().await;
    bot.advance_to_minute(8 * 60).await;
    bot.advance_to_minute(8 * 60 + 1).await;
    let (ben, cleo) = (bot.ben(), bot.cleo());
    let (closed, role) = club(&bot, &[&ben, &cleo]);
    let table = game(&bot, closed).await;
    let viewer = asks(&cleo, "replay", &table).await;
    assert_eq!(viewer.files().len(), 1, "{}", viewer.content());
    assert!(asks(&cleo, "watch", &table).await.content().contains("You're watching"));

    bot.playground.take_role(&cleo, role);
    bot.advance(A_WHILE).await;
    let turned = bot.press_private(&cleo, &viewer, "Flip board").await;
    assert!(is_no_table(&turned, &table), "an old copy shows nothing more: {}", turned.content());
    assert!(is_no_table(&asks(&cleo, "board", &table).await, &table));
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    writes(&bot, &ben, &format!("{table} {text}")).await;
    bot.advance_to_minute(9 * 60).await;
    let sentinel = writes(&bot, &cleo, "help").await;
    assert!(!sentinel.is_empty());
    let who = rookery_table::UserId(cleo.id.0);
    let follows = || async {
        bot.registry.journal().follows().watched_by(who, PageRequest::default()).await.unwrap().rows
    };
    eventually("the follow has ended", async || follows().await.is_empty()).await;
    assert!(!cleo.messages(cleo.dm()).iter().any(|it| it.content().contains("Games you watch")));

    bot.playground.give_role(&cleo, role);
    bot.advance(A_WHILE).await;
    assert_eq!(asks(&cleo, "board", &table).await.files().len(), 1);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invited_person_who_cannot_read_the_channel_is_told_so() {
    let bot = TestBot::start().await;
    let (ben, cleo) = (bot.ben(), bot.cleo());
    let (closed, role) = club(&bot, &[&ben]);
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": cleo.id});
    let table = open(&ben, closed, &terms).await;
    bot.wait_until_idle().await;
    let refused = writes(&bot, &cleo, &format!("{table} yes")).await;
    assert!(refused.contains("you can't see") && refused.contains(&table), "{refused}");
    let invited = |table: &rookery_table::Table| {
        table
            .chairs()
            .contains(&rookery_table::Occupant::Invited { person: rookery_table::UserId(cleo.id.0) })
    };
    assert!(invited(&*bot.table(&table).await), "the seat is still kept for her");

    bot.playground.give_role(&cleo, role);
    bot.advance(A_WHILE).await;
    let joined = writes(&bot, &cleo, &format!("{table} yes")).await;
    assert!(joined.contains("You've joined"), "{joined}");

    let other = open(&ben, closed, &terms).await;
    bot.wait_until_idle().await;
    bot.playground.leave(bot.playground.guild("Rookery").unwrap(), &cleo);
    bot.advance(A_WHILE).await;
    let refused = writes(&bot, &cleo, &format!("{other} yes")).await;
    assert!(refused.contains("aren't on its server"), "{refused}");
    let declined = writes(&bot, &cleo, &format!("{other} no")).await;
    assert!(declined.contains("declined"), "{declined}");
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_by_an_invitation_ends_with_the_game() {
    let bot = TestBot::start().await;
    let (ben, cleo) = (bot.ben(), bot.cleo());
    let (closed, _) = club(&bot, &[&ben]);
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": cleo.id});
    let table = open(&ben, closed, &terms).await;
    bot.wait_until_idle().await;
    let invited = asks(&cleo, "board", &table).await;
    assert!(invited.content().contains(&table) && !is_no_table(&invited, &table), "{}", invited.content());
    asks(&ben, "leave", &table).await;
    assert!(matches!(bot.table(&table).await.status(), rookery_table::Status::Over(_)));
    assert!(is_no_table(&asks(&cleo, "board", &table).await, &table));
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_rematch_takes_membership() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    bot.playground.leave(bot.playground.guild("Rookery").unwrap(), &duel.ben);
    bot.advance(A_WHILE).await;
    asks(&duel.ada, "abort", &duel.table).await;
    let result = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ada.wait_for(duel.thread, "the result", result).await.unwrap();
    bot.press(&duel.ada, &result, "Rematch").await;
    let next = bot.table(&duel.table).await.rematch().expect("it waits for Ben").to_string();
    let refused = writes(&bot, &duel.ben, &format!("{next} yes")).await;
    assert!(refused.contains("aren't on its server"), "{refused}");
    assert_eq!(bot.table(&next).await.seat_of(rookery_table::UserId(duel.ben.id.0)), None);
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_rematch_takes_sight_of_the_channel() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    asks(&duel.ada, "abort", &duel.table).await;
    let result = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ben.wait_for(duel.thread, "the result", result).await.unwrap();
    bot.playground.deny(bot.games(), &duel.ben, VIEW);
    bot.advance(A_WHILE).await;
    let button = result.button("Rematch").unwrap();
    assert!(duel.ben.click(&result, button).is_err(), "Discord takes no press from him");
    bot.press(&duel.ada, &result, "Rematch").await;
    let next = bot.table(&duel.table).await.rematch().expect("it waits for Ben").to_string();
    let refused = writes(&bot, &duel.ben, &format!("{next} yes")).await;
    assert!(refused.contains("you can't see") && refused.contains(&next), "{refused}");
    assert_eq!(bot.table(&next).await.seat_of(rookery_table::UserId(duel.ben.id.0)), None);
    bot.stop_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_look_up_locks_nobody_out_of_their_own_game() {
    let bot = TestBot::start().await;
    let (ben, cleo) = (bot.ben(), bot.cleo());
    let table = game(&bot, bot.games()).await;
    bot.playground.faults().fail_members(Some(503));
    let absent = no_table(&table);
    for command in ["board", "export"] {
        let (unknown, none) = (asks(&cleo, command, &table).await, asks(&cleo, command, &absent).await);
        assert!(unknown.files().is_empty());
        assert_eq!(
            unknown.content().replace(&table, &absent),
            none.content(),
            "nobody learns that it exists"
        );
    }
    let unknown = writes(&bot, &cleo, &format!("{table} board")).await;
    let none = writes(&bot, &cleo, &format!("{absent} board")).await;
    assert_eq!(unknown.replace(&table, &absent), none);
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    let played = writes(&bot, &ben, &format!("{table} {text}")).await;
    assert!(played.contains(&text), "{played}");
    bot.playground.faults().fail_members(None);
    assert_eq!(asks(&cleo, "board", &table).await.files().len(), 1);
    bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_in_a_private_thread_is_seen_by_its_people_and_moderators() {
    const MANAGE_THREADS: u64 = 1 << 34;
    let bot = TestBot::start().await;
    let (ben, cleo, dan) = (bot.ben(), bot.cleo(), bot.playground.user("Dan"));
    let thread = bot.playground.new_private_thread(bot.games(), "secret", &[&ben]).unwrap();
    let table = game(&bot, thread).await;
    for who in [&cleo, &dan] {
        assert!(is_no_table(&asks(who, "board", &table).await, &table), "{}", who.name);
    }
    let moderators = bot.playground.new_role("Moderators", &[&dan]).unwrap();
    bot.playground.set_role_overwrite(bot.games(), moderators, MANAGE_THREADS, 0);
    bot.advance(A_WHILE).await;
    assert_eq!(asks(&dan, "board", &table).await.files().len(), 1);
    assert!(is_no_table(&asks(&cleo, "board", &table).await, &table));
    assert_eq!(asks(&ben, "board", &table).await.files().len(), 1);
    bot.stop_after(&[404]).await;
}

/// A thinker that plays the first move, and records whose budget it uses.
#[derive(Default)]
struct RecordingThinker {
    moves: Mutex<Vec<u64>>,
    studies: Mutex<Vec<u64>>,
}

impl Thinker for RecordingThinker {
    fn think(&self, _: Job, owner: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        self.moves.lock().unwrap().push(owner.id);
        answered(play.moves().into_iter().next())
    }
    fn analyse(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>> {
        self.studies.lock().unwrap().push(owner.id);
        let limits = Limits { nodes: Some(50), ..Limits::default() };
        answered(play.think(&SearchRequest { limits, ..ask }))
    }
    fn best_lines(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis> {
        self.studies.lock().unwrap().push(owner.id);
        let limits = Limits { nodes: Some(50), ..Limits::default() };
        answered(play.analyse(&SearchRequest { limits, ..ask }, most))
    }
    fn drop_table(&self, _: TableId) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_games_and_analyses_are_charged_to_who_asks() {
    let thinker = Arc::new(RecordingThinker::default());
    let bot = TestBot::of(TestSetup { thinker: thinker.clone(), ..TestSetup::default() }).await;
    let (ben, cleo, games) = (bot.ben(), bot.cleo(), bot.games());
    let server = bot.playground.guild("Rookery").unwrap();
    let table = game(&bot, games).await;
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    writes(&bot, &ben, &format!("{table} {text}")).await;
    assert_eq!(*thinker.moves.lock().unwrap(), [server.0], "a game of the server's");
    let who = rookery_table::UserId(ben.id.0);
    bot.registry.order(table.parse().unwrap(), Actor::Person(who), Order::Resign, None).await.unwrap();
    asks(&cleo, "analyse", &table).await;
    let studies = thinker.studies.lock().unwrap().clone();
    assert!(!studies.is_empty() && studies.iter().all(|id| *id == cleo.id.0), "{studies:?}");

    let game = rookery_games::named("amazons").unwrap();
    let mut play = game.start(&rookery_core::rules::Setup::new(2).with("size", "6x6")).unwrap();
    let brought = json!({"text": format!("amazons {}", play.line()), "ai": "random"});
    let opened = cleo.slash(games, "import", &brought).unwrap().message().await.unwrap();
    let table = opened.content().split("**").nth(1).unwrap().to_owned();
    let text = play.moves().remove(0);
    play.play(&text).unwrap();
    writes(&bot, &cleo, &format!("{table} {text}")).await;
    // Under load a job may be offered twice; only the owner of the budget matters.
    let moves = thinker.moves.lock().unwrap().clone();
    assert_eq!(moves[0], server.0);
    assert!(
        moves.len() > 1 && moves[1..].iter().all(|id| *id == cleo.id.0),
        "a position that Cleo brought: {moves:?}"
    );
    bot.stop().await;
}

/// Counts the requests of the bot after the first `before`, by method and route.
fn requests_since(bot: &TestBot, before: usize) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for request in &bot.playground.requests()[before..] {
        *kinds.entry(format!("{} {}", request.method, request.route)).or_default() += 1;
    }
    kinds
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_of_a_player_makes_no_look_up() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    for way in [Way::Mention, Way::Reply, Way::Direct, Way::Command, Way::Panel] {
        bot.wait_until_idle().await;
        let before = bot.playground.requests().len();
        duel.turn(&bot, way).await;
        bot.wait_until_idle().await;
        let made = requests_since(&bot, before);
        eprintln!("requests of a move by {way:?}: {made:?}");
        let looked_up: Vec<_> = made.iter().filter(|(kind, _)| kind.starts_with("GET ")).collect();
        // For a move from elsewhere the bot checks that the table's own channel still exists.
        let (channel, once) = ("GET /channels/{channel}".to_owned(), 1);
        let expected = if matches!(way, Way::Direct) { vec![(&channel, &once)] } else { Vec::new() };
        assert_eq!(looked_up, expected, "by {way:?}");
    }
    bot.stop().await;
}
