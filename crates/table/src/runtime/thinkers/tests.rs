use std::sync::mpsc;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::*;
use rookery_core::player::{HaltOnDrop, Limits, ProgressListener};
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;

const ADA: BudgetOwner = BudgetOwner { id: 1, waits: true };

fn job(ply: usize) -> Job {
    Job { table: "K7Q2".parse().unwrap(), ply, level: Level::Easy, seed: 1 }
}

fn play() -> Box<dyn Play> {
    rookery_games::named("amazons").unwrap().start(&Setup::new(2).with("size", "6x6")).unwrap()
}

#[test]
fn a_turn_is_answered_with_a_legal_move_and_its_place_is_free_again() {
    let thinkers = ThinkerPool::new(1, Duration::from_secs(5), ThinkingLimits::NONE).unwrap();
    let text = thinkers.think(job(0), ADA, play()).blocking_recv().unwrap().unwrap();
    assert!(play().moves().contains(&text), "{text}");
    assert_eq!(thinkers.owed(), 0);
}

/// Two hundred tables wait for one thread: all are answered, the weaker levels first.
#[tokio::test]
async fn two_hundred_tables_are_all_answered_and_weak_levels_first() {
    let thinkers = ThinkerPool::new(1, Duration::from_secs(600), ThinkingLimits::NONE).unwrap();
    let mut rng = SeededRng::new(1);
    let asked = (0..200).map(|i| {
        let level = if i % 2 == 0 { Level::Easy } else { Level::Beginner };
        let asked = Job { table: TableId::draw(&mut rng, 6), level, ..job(0) };
        let thought = thinkers.think(asked, ADA, play());
        async move { (level, thought.await.unwrap()) }
    });
    let answers: FuturesUnordered<_> = asked.collect();
    let answers: Vec<_> = answers.collect().await;
    let legal = play().moves();
    assert_eq!(answers.len(), 200);
    assert!(answers.iter().all(|(_, text)| text.as_ref().is_some_and(|text| legal.contains(text))));
    // Some answers came before all requests were made.
    let weak = answers[..100].iter().filter(|(level, _)| *level == Level::Beginner).count();
    assert!(weak >= 60, "{weak} beginners among the first hundred");
    assert_eq!(thinkers.owed(), 0);
}

#[test]
fn the_same_turn_is_not_thought_about_twice_and_can_be_called_off() {
    let thinkers = ThinkerPool::new(1, Duration::from_secs(5), ThinkingLimits::NONE).unwrap();
    let slow = Job { level: Level::Expert, ..job(0) };
    let [first, second] = [(), ()].map(|()| thinkers.think(slow, ADA, play()));
    assert_eq!(thinkers.owed(), 1);
    thinkers.drop_table(slow.table);
    assert_eq!(first.blocking_recv(), Ok(None));
    assert!(second.blocking_recv().is_err(), "it has no answer");
}

#[test]
fn a_thought_that_was_called_off_does_not_end_the_same_turn_asked_for_again() {
    let thinkers = ThinkerPool::new(1, Duration::from_secs(60), ThinkingLimits::NONE).unwrap();
    let slow = Job { level: Level::Expert, ..job(5) };
    let first = thinkers.think(slow, ADA, play());
    while thinkers.wait(slow.table, ADA).line.is_some() {
        std::thread::yield_now();
    }
    thinkers.drop_table(slow.table);
    let second = thinkers.think(slow, ADA, play());
    assert_eq!(first.blocking_recv(), Ok(None));
    assert_eq!(thinkers.owed(), 1);
    thinkers.drop_table(slow.table);
    assert_eq!(second.blocking_recv(), Ok(None), "it can be called off as well");
}

/// The search has no bound of its own that would end it.
#[test]
fn a_study_that_nobody_waits_for_any_more_makes_room_for_the_next() {
    let thinkers = ThinkerPool::new(1, Duration::from_secs(60), ThinkingLimits::NONE).unwrap();
    let (begun, begins) = mpsc::channel();
    let endless = Limits { depth: Some(1_000), ..Limits::default() };
    let progress = ProgressListener::new(move |_| begun.send(()).unwrap_or(()));
    let ask = SearchRequest { limits: endless, progress, ..SearchRequest::new(Level::Expert, 1) };
    let halt = HaltOnDrop(ask.halt.clone());
    let start = rookery_games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
    let mut first = thinkers.analyse(ADA, start, ask);
    let mut next = thinkers.analyse(ADA, play(), SearchRequest::new(Level::Easy, 1));
    begins.recv().unwrap();
    assert!(first.try_recv().is_err() && next.try_recv().is_err());
    drop(halt);
    assert!(next.blocking_recv().unwrap().is_some());
    assert!(first.try_recv().is_ok(), "it has ended before");
}

#[test]
fn only_levels_that_think_at_length_are_cut_short() {
    let second = Some(Duration::from_secs(1));
    assert_eq!(time(Level::Expert, second, false), second, "the share of the time to the deadline");
    assert_eq!(time(Level::Hard, None, false), second, "its own");
    assert_eq!(time(Level::Expert, second, true), Some(SPARING_TIME));
    assert_eq!(time(Level::Expert, Some(Duration::ZERO), true), Some(Duration::ZERO));
    assert_eq!(time(Level::Medium, second, true), None);
}

#[test]
fn idle_threads_think_along_but_not_for_a_glance() {
    let pool = SearchPool::new(PoolSize::new(3)).unwrap();
    for (sparing, many) in [(false, 2), (true, 0)] {
        let (tell, told) = mpsc::channel();
        let order = JobSpec::new(1, 1, Level::Expert, true, Duration::from_secs(60));
        let along = move |turn: &JobContext| search_request(&job(0), turn, sparing).helpers.reserve().len();
        pool.submit(order, along, move |along| tell.send(along).unwrap()).unwrap();
        assert_eq!(told.recv().unwrap(), Ok(many));
    }
}

/// The budget is used up: a move is still found, with a short search; analyses are refused; other owners are not
/// affected.
#[test]
fn who_has_used_up_their_share_still_gets_a_move_but_no_study() {
    let bounds = ThinkingLimits { hourly: Duration::from_secs(60), ..ThinkingLimits::NONE };
    let thinkers = ThinkerPool::new(1, Duration::from_secs(60), bounds).unwrap();
    thinkers.budgets.charge(ADA.id, bounds.hourly, Instant::now());
    let expert = Job { level: Level::Expert, ..job(0) };
    let text = thinkers.think(expert, ADA, play()).blocking_recv().unwrap();
    assert!(play().moves().contains(&text.unwrap()));
    let study = thinkers.analyse(ADA, play(), SearchRequest::new(Level::Easy, 1));
    assert!(study.blocking_recv().unwrap().is_none());
    assert!(thinkers.wait(expert.table, ADA).sparing.is_some());
    assert_eq!(thinkers.wait(expert.table, BudgetOwner { id: 2, ..ADA }), ThinkingWait::default());
}

#[test]
fn who_waits_is_told_their_place_among_their_own() {
    let thinkers = ThinkerPool::new(1, Duration::from_secs(600), ThinkingLimits::NONE).unwrap();
    let mut rng = SeededRng::new(3);
    let mut ask = |owner| {
        let table = TableId::draw(&mut rng, 6);
        let job = Job { table, level: Level::Expert, ..job(0) };
        drop(thinkers.think(job, owner, play()));
        table
    };
    let first = ask(ADA);
    while thinkers.wait(first, ADA).line.is_some() {
        std::thread::yield_now();
    }
    let ben = BudgetOwner { id: 2, ..ADA };
    let (second, third, other) = (ask(ADA), ask(ADA), ask(ben));
    let place = |table, owner| thinkers.wait(table, owner).line.map(|line| line.place);
    assert_eq!([place(second, ADA), place(third, ADA), place(other, ben)], [Some(1), Some(2), Some(1)]);
    assert_eq!(place(first, ADA), None, "it is being thought about");
    [first, second, third, other].into_iter().for_each(|table| thinkers.drop_table(table));
}
