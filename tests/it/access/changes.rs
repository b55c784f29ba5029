//! What somebody may see and do changes with what Discord lets them read: roles that are lost, people who are
//! invited to where they cannot look, Discord out of reach. And what all that costs in requests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rookery_core::Play;
use rookery_core::player::{Limits, SearchRequest, SearchResult};

use rookery_playground::id::Id;
use rookery_playground::people::person::Person;
use rookery_playground::people::visible_message::VisibleMessage;
use rookery_table::ports::{Answer, Job, Thinker};
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{Actor, Order, TableId};
use serde_json::json;

use super::entrances::no_table;
use super::stage::VIEW;
use crate::duel::{Duel, Way, open};
use crate::test_bot::{House, Plan};

/// Longer than a member's roles are remembered.
const A_WHILE: Duration = Duration::from_secs(16);

/// A channel that only these people's role reads, and the role.
fn club(house: &House, people: &[&Person]) -> (Id, Id) {
    let playground = &house.playground;
    let role = playground.new_role("Club", people).unwrap();
    let closed = playground.new_channel("club").unwrap();
    playground.rule_role(closed, playground.bot_role().unwrap(), VIEW, 0);
    playground.rule_role(closed, role, VIEW, 0);
    playground.rule_role(closed, playground.guild("Rookery").unwrap(), 0, VIEW);
    (closed, role)
}

/// Ben's game against the bot in a channel itself, its first board posted.
async fn game(house: &House, channel: Id) -> String {
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me", "where": "here"});
    let table = open(&house.ben(), channel, &terms).await;
    house.quiet().await;
    table
}

async fn writes(house: &House, who: &Person, text: &str) -> String {
    let said = who.say(who.dm(), text).unwrap();
    house.answer_to(who, &said).await.content().to_owned()
}

async fn asks(who: &Person, command: &str, table: &str) -> VisibleMessage {
    who.slash(who.dm(), command, &json!({"table": table})).unwrap().message().await.unwrap()
}

fn is_no_table(answer: &VisibleMessage, table: &str) -> bool {
    answer.content().contains(&format!("There is no table {table}")) && answer.files().is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn access_ends_with_the_role_that_gave_it_and_comes_back_with_it() {
    let house = House::open().await;
    house.until(8 * 60).await;
    house.until(8 * 60 + 1).await;
    let (ben, cleo) = (house.ben(), house.cleo());
    let (closed, role) = club(&house, &[&ben, &cleo]);
    let table = game(&house, closed).await;
    let viewer = asks(&cleo, "replay", &table).await;
    assert_eq!(viewer.files().len(), 1, "{}", viewer.content());
    assert!(asks(&cleo, "watch", &table).await.content().contains("You watch table"));

    house.playground.take_role(&cleo, role);
    house.pass(A_WHILE).await;
    let turned = house.press_private(&cleo, &viewer, "Turn round").await;
    assert!(is_no_table(&turned, &table), "an old copy shows nothing more: {}", turned.content());
    assert!(is_no_table(&asks(&cleo, "board", &table).await, &table));
    let text = house.table(&table).await.play().unwrap().moves().remove(0);
    writes(&house, &ben, &format!("{table} {text}")).await;
    house.until(9 * 60).await;
    let sentinel = writes(&house, &cleo, "help").await;
    assert!(!sentinel.is_empty());
    let who = rookery_table::Person(cleo.id.0);
    let follows = || async { house.registry.journal().follows().watched_by(who).await.unwrap() };
    for _ in 0..500 {
        if follows().await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(follows().await.is_empty(), "the follow has ended");
    assert!(!cleo.messages(cleo.dm()).iter().any(|it| it.content().contains("Games that you watch")));

    house.playground.give_role(&cleo, role);
    house.pass(A_WHILE).await;
    assert_eq!(asks(&cleo, "board", &table).await.files().len(), 1);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invited_person_who_cannot_read_the_channel_is_told_so() {
    let house = House::open().await;
    let (ben, cleo) = (house.ben(), house.cleo());
    let (closed, role) = club(&house, &[&ben]);
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": cleo.id});
    let table = open(&ben, closed, &terms).await;
    house.quiet().await;
    let refused = writes(&house, &cleo, &format!("{table} yes")).await;
    assert!(refused.contains("you can't see") && refused.contains(&table), "{refused}");
    let invited = |table: &rookery_table::Table| {
        table
            .chairs()
            .contains(&rookery_table::Occupant::Invited { person: rookery_table::Person(cleo.id.0) })
    };
    assert!(invited(&*house.table(&table).await), "the seat is still kept for her");

    house.playground.give_role(&cleo, role);
    house.pass(A_WHILE).await;
    let joined = writes(&house, &cleo, &format!("{table} yes")).await;
    assert!(joined.contains("You sit"), "{joined}");

    let other = open(&ben, closed, &terms).await;
    house.quiet().await;
    house.playground.leave(house.playground.guild("Rookery").unwrap(), &cleo);
    house.pass(A_WHILE).await;
    let refused = writes(&house, &cleo, &format!("{other} yes")).await;
    assert!(refused.contains("not on"), "{refused}");
    let declined = writes(&house, &cleo, &format!("{other} no")).await;
    assert!(declined.contains("turned down"), "{declined}");
    house.close_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_by_an_invitation_ends_with_the_game() {
    let house = House::open().await;
    let (ben, cleo) = (house.ben(), house.cleo());
    let (closed, _) = club(&house, &[&ben]);
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": cleo.id});
    let table = open(&ben, closed, &terms).await;
    house.quiet().await;
    let invited = asks(&cleo, "board", &table).await;
    assert!(invited.content().contains(&table) && !is_no_table(&invited, &table), "{}", invited.content());
    asks(&ben, "leave", &table).await;
    assert!(matches!(house.table(&table).await.status(), rookery_table::Status::Over(_)));
    assert!(is_no_table(&asks(&cleo, "board", &table).await, &table));
    house.close_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn access_to_a_rematch_takes_membership() {
    let house = House::open().await;
    let duel = Duel::begin(&house).await;
    house.playground.leave(house.playground.guild("Rookery").unwrap(), &duel.ben);
    house.pass(A_WHILE).await;
    asks(&duel.ada, "abort", &duel.table).await;
    let result = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ada.wait_for(duel.thread, "the result", result).await.unwrap();
    house.press(&duel.ada, &result, "Rematch").await;
    let next = house.table(&duel.table).await.rematch().expect("it waits for Ben").to_string();
    let refused = writes(&house, &duel.ben, &format!("{next} yes")).await;
    assert!(refused.contains("not on"), "{refused}");
    assert_eq!(house.table(&next).await.seat_of(rookery_table::Person(duel.ben.id.0)), None);
    house.close_after(&[404]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_look_up_locks_nobody_out_of_their_own_game() {
    let house = House::open().await;
    let (ben, cleo) = (house.ben(), house.cleo());
    let table = game(&house, house.games()).await;
    house.playground.faults().fail_members(Some(503));
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
    let unknown = writes(&house, &cleo, &format!("{table} board")).await;
    let none = writes(&house, &cleo, &format!("{absent} board")).await;
    assert_eq!(unknown.replace(&table, &absent), none);
    let text = house.table(&table).await.play().unwrap().moves().remove(0);
    let played = writes(&house, &ben, &format!("{table} {text}")).await;
    assert!(played.contains(&text), "{played}");
    house.playground.faults().fail_members(None);
    assert_eq!(asks(&cleo, "board", &table).await.files().len(), 1);
    house.close_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_in_a_private_thread_is_seen_by_its_people_and_moderators() {
    const MANAGE_THREADS: u64 = 1 << 34;
    let house = House::open().await;
    let (ben, cleo, dan) = (house.ben(), house.cleo(), house.playground.user("Dan"));
    let thread = house.playground.new_private_thread(house.games(), "secret", &[&ben]).unwrap();
    let table = game(&house, thread).await;
    for who in [&cleo, &dan] {
        assert!(is_no_table(&asks(who, "board", &table).await, &table), "{}", who.name);
    }
    let moderators = house.playground.new_role("Moderators", &[&dan]).unwrap();
    house.playground.rule_role(house.games(), moderators, MANAGE_THREADS, 0);
    house.pass(A_WHILE).await;
    assert_eq!(asks(&dan, "board", &table).await.files().len(), 1);
    assert!(is_no_table(&asks(&cleo, "board", &table).await, &table));
    assert_eq!(asks(&ben, "board", &table).await.files().len(), 1);
    house.close_after(&[404]).await;
}

/// Plays the first move, and notes for whom it thinks.
#[derive(Default)]
struct Noting {
    moves: Mutex<Vec<u64>>,
    studies: Mutex<Vec<u64>>,
}

impl Thinker for Noting {
    fn think(&self, _: Job, owner: BudgetOwner, play: Box<dyn Play>, answer: Answer<String>) {
        self.moves.lock().unwrap().push(owner.id);
        answer(play.moves().into_iter().next());
    }
    fn analyse(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        answer: Answer<SearchResult<String>>,
    ) {
        self.studies.lock().unwrap().push(owner.id);
        let limits = Limits { nodes: Some(50), ..Limits::default() };
        answer(play.think(&SearchRequest { limits, ..ask }));
    }
    fn drop_table(&self, _: TableId) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_games_and_analyses_are_charged_to_who_asks() {
    let thinker = Arc::new(Noting::default());
    let house = House::of(Plan { thinker: thinker.clone(), ..Plan::default() }).await;
    let (ben, cleo, games) = (house.ben(), house.cleo(), house.games());
    let server = house.playground.guild("Rookery").unwrap();
    let table = game(&house, games).await;
    let text = house.table(&table).await.play().unwrap().moves().remove(0);
    writes(&house, &ben, &format!("{table} {text}")).await;
    assert_eq!(*thinker.moves.lock().unwrap(), [server.0], "a game of the server's");
    let who = rookery_table::Person(ben.id.0);
    house.registry.order(table.parse().unwrap(), Actor::Person(who), Order::Resign, None).await.unwrap();
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
    writes(&house, &cleo, &format!("{table} {text}")).await;
    // Under load a job may be offered twice; whom it is charged to is what counts.
    let moves = thinker.moves.lock().unwrap().clone();
    assert_eq!(moves[0], server.0);
    assert!(
        moves.len() > 1 && moves[1..].iter().all(|id| *id == cleo.id.0),
        "a position that Cleo brought: {moves:?}"
    );
    house.close().await;
}

/// The requests of the bot since some moment, by method and route.
fn requests_since(house: &House, before: usize) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for request in &house.playground.requests()[before..] {
        *kinds.entry(format!("{} {}", request.method, request.route)).or_default() += 1;
    }
    kinds
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_of_a_player_makes_no_look_up() {
    let house = House::open().await;
    let mut duel = Duel::begin(&house).await;
    for way in [Way::Mention, Way::Reply, Way::Direct, Way::Command, Way::Panel] {
        house.quiet().await;
        let before = house.playground.requests().len();
        duel.turn(&house, way).await;
        house.quiet().await;
        let made = requests_since(&house, before);
        eprintln!("requests of a move by {way:?}: {made:?}");
        let looked_up: Vec<_> = made.iter().filter(|(kind, _)| kind.starts_with("GET ")).collect();
        // From elsewhere it is looked whether the table's own channel is still there for the board.
        let (channel, once) = ("GET /channels/{channel}".to_owned(), 1);
        let expected = if matches!(way, Way::Direct) { vec![(&channel, &once)] } else { Vec::new() };
        assert_eq!(looked_up, expected, "by {way:?}");
    }
    house.close().await;
}
