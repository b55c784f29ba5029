//! Ratings of players at a table, before their first game and after.

use super::rated::Account;
use super::rating::{Rating, RatingPool};
use super::*;
use crate::ports::PageRequest;
use crate::testing::{HookedJournal, JournalHooks};
use std::sync::atomic::AtomicUsize;

#[tokio::test]
async fn newcomers_stand_where_newcomers_do_and_levels_where_they_were_measured() {
    let fixture = TestRegistry::build();
    let id = fixture.open_against_ai().await;
    let table = fixture.registry.table(id).await.unwrap();
    let easy = Account::Program(Level::Easy);
    let ada = fixture.registry.rating(Account::Person(ADA), &table, RatingPool::Program).await.unwrap();
    assert_eq!(ada, Rating::default());
    let bot = fixture.registry.rating(easy, &table, RatingPool::Program).await.unwrap();
    assert_eq!(bot, level_ratings::initial_rating(easy, "amazons"));
    assert_ne!(bot, ada, "a level is not a newcomer");
}

#[tokio::test]
async fn who_has_played_is_rated_by_that() {
    let fixture = TestRegistry::build();
    let terms = Terms { rated: true, ..terms() };
    let chairs = vec![human(ADA), human(BEN)];
    let id = fixture.registry.open(terms, ADA, chairs, Some(SourceId(1))).await.unwrap().table.id();
    for who in [ADA, BEN] {
        let moves = fixture.registry.table(id).await.unwrap().play().unwrap().moves();
        fixture.registry.order(id, Actor::Person(who), r#move(&moves[0], None), None).await.unwrap();
    }
    fixture.registry.order(id, Actor::Person(BEN), Order::Resign, None).await.unwrap();
    fixture.registry.rate(id).await.unwrap();
    let table = fixture.registry.table(id).await.unwrap();
    let ada = fixture.registry.rating(Account::Person(ADA), &table, RatingPool::Two).await.unwrap();
    // Two newcomers, one win: 1662 in Glickman's system (Glicko-2, 2013).
    assert_eq!(ada.mean().round(), 1662.0);
}

#[test]
fn a_rated_game_of_three_that_the_program_fills_up_is_a_casual_one_and_says_so() {
    let rated = |chairs| {
        Story::of(Terms { rated: true, game: "penguins".into(), options: [].into(), ..terms() }, chairs)
    };
    let open = rated(vec![human(ADA), Occupant::Open, Occupant::Open]).does(BEN, Order::Join);
    assert!(open.table.is_rated());
    let story = open.does(ADA, Order::Fill(Level::Easy));
    assert_eq!((story.table.status(), story.table.is_rated()), (&Status::Running, false));
    let board_channel = |channel| Order::SetBoardChannel(BoardChannel { channel, thread: true });
    assert_eq!(story.would_say(Actor::System, board_channel(ChannelId(9))), ["note", "board-0"]);
    assert!(crate::hints::may_help(&story.table).is_ok());
    let story = story.ordered(Actor::System, board_channel(ChannelId(9)));
    assert_eq!(
        story.would_say(Actor::System, board_channel(ChannelId(10))),
        ["board-0"],
        "once, whatever its next place"
    );
    let story = story.loses_thread();
    assert_eq!(story.would_say(Actor::System, board_channel(ChannelId(10))), ["board-0"]);
    let two = Story::of(Terms { rated: true, ..terms() }, vec![human(ADA), Occupant::Open]);
    let two = two.does(ADA, Order::Fill(Level::Easy));
    assert!(two.table.is_rated(), "one of two may be the program");
    assert_eq!(
        two.would_say(
            Actor::System,
            Order::SetBoardChannel(BoardChannel { channel: ChannelId(9), thread: true })
        ),
        ["board-0"]
    );
}

/// Holds back the first two writes of ratings until both are there, so that both start from the same ratings.
struct TwoAtOnce {
    barrier: tokio::sync::Barrier,
    ratings: AtomicUsize,
    refused: AtomicUsize,
}

#[async_trait::async_trait]
impl JournalHooks for TwoAtOnce {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        if !batch.known_ratings.is_empty() && self.ratings.fetch_add(1, Ordering::SeqCst) < 2 {
            self.barrier.wait().await;
        }
        let written = journal.append(batch).await;
        if matches!(written, Err(StoreError::OldRating(_))) {
            self.refused.fetch_add(1, Ordering::SeqCst);
        }
        written
    }
}

#[tokio::test]
async fn results_of_a_person_that_two_processes_enter_at_once_follow_each_other() {
    let hooks = TwoAtOnce {
        barrier: tokio::sync::Barrier::new(2),
        ratings: AtomicUsize::new(0),
        refused: AtomicUsize::new(0),
    };
    let journal = Arc::new(HookedJournal { inner: MemoryJournal::default(), hooks });
    let process = |seed| {
        let clock = Arc::new(ManualClock(AtomicI64::new(1_000)));
        registry::TableRegistry::new(journal.clone(), clock, Arc::new(FirstMoveThinker::default()), seed)
    };
    let processes = [process(1), process(2)];
    let mut tables = Vec::new();
    for (registry, opponent) in processes.iter().zip([BEN, UserId(BEN.0 + 1)]) {
        let terms = Terms { rated: true, ..terms() };
        let chairs = vec![human(ADA), human(opponent)];
        let source = Some(SourceId(opponent.0));
        let id = registry.open(terms, ADA, chairs, source).await.unwrap().table.id();
        for who in [ADA, opponent] {
            let moves = registry.table(id).await.unwrap().play().unwrap().moves();
            registry.order(id, Actor::Person(who), r#move(&moves[0], None), None).await.unwrap();
        }
        registry.order(id, Actor::Person(opponent), Order::Resign, None).await.unwrap();
        tables.push(id);
    }
    let (one, two) = tokio::join!(processes[0].rate(tables[0]), processes[1].rate(tables[1]));
    one.unwrap();
    two.unwrap();
    assert_eq!(journal.hooks.refused.load(Ordering::SeqCst), 1, "one of the two started from an old rating");
    let history = journal.ratings().history(Account::Person(ADA), PageRequest::default()).await.unwrap().rows;
    assert_eq!(history.len(), 2);
    let later = processes[0].table(history[1].table).await.unwrap();
    let change = later.changes().unwrap().iter().find(|change| change.who == Account::Person(ADA)).unwrap();
    assert_eq!(change.before.mean_milli, history[0].rating.mean_milli, "the second starts from the first");
    assert!(history[1].rating.mean_milli > history[0].rating.mean_milli, "she has won both");
}
