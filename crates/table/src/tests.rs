//! Tests of a table from its opening to its end, and of a registry over a journal that fails.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::Timestamp;

use super::decide::{self, decide};
use super::ports::*;
use super::thinking_limits::BudgetOwner;
use super::*;
use crate::testing::{HookedJournal, JournalHooks, MemoryJournal};
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::{Analysis, Play, Seat};

mod decisions;
mod fair_play;
mod freeze;
mod hints;
mod late_failures;
mod lists;
mod load;
mod offers;
mod outage;
mod plans;
mod ratings;
mod reads;
mod retention;
mod seats;
mod settle;
mod sides;
mod teams;
mod timer_lookahead;

const ADA: UserId = UserId(1);
const THREAD: BoardChannel = BoardChannel { channel: ChannelId(9), thread: true };
const BEN: UserId = UserId(2);
const EVE: UserId = UserId(3);
/// Without a clock, any moment does.
const NOW: Timestamp = Timestamp::constant(0, 1_000_000);

fn terms() -> Terms {
    let options = [("size".to_owned(), "6x6".to_owned())].into();
    Terms {
        game: "amazons".into(),
        options,
        seed: 5,
        guild: Some(GuildId(1)),
        channel: ChannelId(2),
        thread: true,
        rated: false,
        ..Terms::default()
    }
}

fn human(person: UserId) -> Occupant {
    Occupant::Human { person }
}

/// A table after some orders, all accepted.
struct Story {
    table: Table,
    entries: Vec<Entry>,
}

impl Story {
    fn open(chairs: Vec<Occupant>) -> Story {
        Story::of(terms(), chairs)
    }

    fn of(terms: Terms, chairs: Vec<Occupant>) -> Story {
        let id = "K7Q2".parse().unwrap();
        let events = decide::open(id, terms, ADA, chairs).unwrap();
        let entries = actor::number(events, 0, millis::timestamp(1), None);
        Story { table: Table::replay(id, &entries).unwrap().unwrap(), entries }
    }

    fn two() -> Story {
        Story::open(vec![human(ADA), human(BEN)])
    }

    fn ask(&self, who: UserId, order: Order) -> Result<Vec<Event>, OrderError> {
        decide(&self.table, Actor::Person(who), &order, None, NOW).map(|decision| decision.events)
    }

    fn does(self, who: UserId, order: Order) -> Story {
        self.ordered(Actor::Person(who), order)
    }

    fn ordered(mut self, by: Actor, order: Order) -> Story {
        let events = decide(&self.table, by, &order, None, NOW).unwrap().events;
        for entry in actor::number(events, self.table.sequence(), NOW, None) {
            self.table.apply(&entry).unwrap();
            self.entries.push(entry);
        }
        self
    }

    fn plays(self, who: UserId, text: &str) -> Story {
        self.does(who, Order::Move { text: text.into(), ply: None })
    }

    fn plays_any(self, who: UserId) -> Story {
        let text = self.table.play().unwrap().moves().remove(0);
        self.plays(who, &text)
    }

    /// Returns what an order would post on Discord.
    fn would_say(&self, by: Actor, order: Order) -> Vec<String> {
        let events = decide(&self.table, by, &order, None, NOW).unwrap().events;
        let mut after = self.table.clone();
        for entry in actor::number(events.clone(), self.table.sequence(), millis::timestamp(1), None) {
            after.apply(&entry).unwrap();
        }
        outbox::items_after(Some(&self.table), &after, &events).iter().map(OutboxItem::key).collect()
    }

    /// Returns the story with boards posted in a thread.
    fn in_thread(self) -> Story {
        self.does(ADA, Order::SetBoardChannel(THREAD))
    }

    /// The channel of [`Story::in_thread`] is gone.
    fn loses_thread(self) -> Story {
        self.ordered(Actor::System, Order::LeaveBoardChannel { lost: THREAD, next: None })
    }

    fn outbox_items(&self) -> Vec<String> {
        let events: Vec<Event> = self.entries.iter().map(|entry| entry.event.clone()).collect();
        outbox::items_after(None, &self.table, &events).iter().map(OutboxItem::key).collect()
    }
}

fn r#move(text: &str, ply: Option<usize>) -> Order {
    Order::Move { text: text.into(), ply }
}

#[test]
fn a_full_table_starts_at_once_and_asks_for_a_thread() {
    let story = Story::two();
    assert_eq!(story.table.status(), &Status::Running);
    assert_eq!(story.outbox_items(), ["announce", "thread"]);
}

#[test]
fn an_open_seat_waits_for_somebody_and_a_kept_one_for_the_one_it_is_kept_for() {
    let open = Story::open(vec![human(ADA), Occupant::Open]);
    assert_eq!(open.ask(ADA, Order::Join), Err(OrderError::SeatedAlready));
    assert_eq!(open.ask(ADA, r#move("a2-a3/a2", None)), Err(OrderError::NotBegun));
    let begun = open.does(EVE, Order::Join);
    assert_eq!(begun.table.status(), &Status::Running);
    assert_eq!(begun.ask(EVE, Order::Join), Err(OrderError::SeatedAlready), "pressed twice");
    assert_eq!(begun.ask(BEN, Order::Join), Err(OrderError::BegunAlready));

    let kept = Story::open(vec![human(ADA), Occupant::Invited { person: BEN }]);
    assert_eq!(kept.ask(EVE, Order::Join), Err(OrderError::Full));
    assert_eq!(kept.ask(EVE, Order::Decline), Err(OrderError::NotSeated));
    let refused = kept.does(BEN, Order::Decline);
    assert_eq!(refused.table.status(), &Status::Over(Ending { winners: vec![], cause: EndCause::Refused }));
    assert_eq!(refused.ask(BEN, Order::Join), Err(OrderError::Over));
}

#[test]
fn of_four_one_who_says_no_leaves_a_free_seat_and_the_others_wait() {
    let dan = UserId(4);
    let penguins = || Terms { game: "penguins".into(), options: [].into(), ..terms() };
    let chairs = |fourth| vec![human(ADA), human(BEN), human(EVE), fourth];
    for order in [Order::Decline, Order::Leave] {
        let story = Story::of(penguins(), chairs(Occupant::Invited { person: dan }));
        assert_eq!(story.would_say(Actor::Person(dan), order.clone()), ["turned-down", "reannounce"]);
        assert_eq!(story.ask(BEN, Order::Decline), Err(OrderError::SeatedAlready));
        let story = story.does(dan, order);
        assert_eq!(story.table.status(), &Status::Waiting);
        assert_eq!(story.table.chairs(), chairs(Occupant::Open));
        assert_eq!(story.does(dan, Order::Join).table.status(), &Status::Running, "minds can change");
    }
    let left = Story::of(penguins(), chairs(Occupant::Open)).would_say(Actor::Person(BEN), Order::Leave);
    assert_eq!(left, ["reannounce"], "whoever sat there turned nothing down");
}

#[test]
fn invited_person_declines_by_leaving() {
    let refused = Story::open(vec![human(ADA), Occupant::Invited { person: BEN }]).does(BEN, Order::Leave);
    assert_eq!(refused.table.status(), &Status::Over(Ending { winners: vec![], cause: EndCause::Refused }));
}

#[test]
fn only_the_mover_moves_and_only_once_per_turn() {
    let story = Story::two();
    assert_eq!(story.ask(BEN, r#move("a2-a3/a2", None)), Err(OrderError::NotYourTurn { whose: Seat::FIRST }));
    assert_eq!(story.ask(EVE, r#move("a2-a3/a2", None)), Err(OrderError::NotSeated));
    let story = story.plays(ADA, "A2 a3 a2");
    assert_eq!(
        story.entries.last().unwrap().event,
        Event::Moved { seat: Seat::FIRST, text: "a2-a3/a2".into(), why: None }
    );
    assert_eq!(story.ask(BEN, r#move("a5-a4/a5", Some(0))), Err(OrderError::Stale { meant: 0, now: 1 }));
    assert!(story.ask(BEN, r#move("a5-a4/a5", Some(1))).is_ok());
}

#[test]
fn an_order_that_comes_twice_is_carried_out_once() {
    let mut story = Story::two();
    let order = r#move("a2-a3/a2", None);
    let events = decide(&story.table, Actor::Person(ADA), &order, Some(SourceId(77)), NOW).unwrap().events;
    for entry in actor::number(events, story.table.sequence(), NOW, Some(SourceId(77))) {
        story.table.apply(&entry).unwrap();
    }
    let repeated = decide(&story.table, Actor::Person(ADA), &order, Some(SourceId(77)), NOW).err();
    assert_eq!(repeated, Some(OrderError::Repeated));
}

#[test]
fn resigning_gives_the_game_to_the_other() {
    let story = Story::two().does(ADA, Order::Resign);
    assert_eq!(
        story.table.status(),
        &Status::Over(Ending { winners: vec![Seat::SECOND], cause: EndCause::Resigned })
    );
    assert_eq!(story.ask(BEN, r#move("a5-a4/a5", None)), Err(OrderError::Over));
}

#[test]
fn nothing_is_counted_while_regions_are_shared() {
    let story = Story::two();
    assert_eq!(story.ask(ADA, Order::Offer(Offer::Count)), Err(OrderError::StillShared));
    assert_eq!(story.ask(ADA, Order::Offer(Offer::Draw)), Err(OrderError::NoSuchOffer));
    assert_eq!(story.ask(ADA, Order::Answer { yes: true, to: None }), Err(OrderError::NoOffer));
}

#[test]
fn the_journal_alone_makes_the_same_table_again() {
    let story = Story::two().plays(ADA, "a2-a3/a2").plays(BEN, "a5-b5/a5");
    let again = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert_eq!(again.play().unwrap().line(), story.table.play().unwrap().line());
    assert_eq!(again.card(), story.table.card());
}

#[test]
fn ids_are_read_leniently_and_never_hold_signs_that_look_alike() {
    assert_eq!(" #k7q2 ".parse::<TableId>().unwrap().as_str(), "K7Q2");
    for wrong in ["", "K7Q", "K7Q2345", "K7O2", "K7l2", "K7Ü2"] {
        assert!(wrong.parse::<TableId>().is_err(), "{wrong}");
    }
    let mut rng = rookery_core::seed::SeededRng::new(1);
    for length in [4, 5, 6] {
        let id = TableId::draw(&mut rng, length);
        assert_eq!(id.as_str().len(), length);
        assert_eq!(id.as_str().parse::<TableId>().unwrap(), id);
    }
}

fn amoeba(chairs: Vec<Occupant>) -> Story {
    Story::of(Terms { game: "amoeba".into(), options: [].into(), ..terms() }, chairs)
}

/// The rules of Amoeba: only the player to move may offer to end; more controlled stacks win, equal numbers are a draw.
/// At the start each side controls eleven.
#[test]
fn amoeba_may_be_stopped_by_the_player_on_turn() {
    let story = amoeba(vec![human(ADA), human(BEN)]);
    let count = Order::Offer(Offer::Count);
    assert_eq!(story.ask(BEN, count.clone()), Err(OrderError::NotYourTurn { whose: Seat::FIRST }));
    let ended = story.does(ADA, count.clone()).does(BEN, Order::Answer { yes: true, to: None });
    let cause = EndCause::Counted { margin_halves: None };
    assert_eq!(
        ended.table.status(),
        &Status::Over(Ending { winners: vec![Seat::FIRST, Seat::SECOND], cause })
    );

    let alone = amoeba(vec![human(ADA), Occupant::Ai { level: Level::Easy }]);
    assert!(matches!(
        alone.ask(ADA, count).unwrap()[..],
        [Event::Offered { .. }, Event::Declined { seat: Seat::SECOND }]
    ));
}

#[test]
fn the_host_is_told_when_a_challenge_comes_to_nothing() {
    let kept = Story::open(vec![human(ADA), Occupant::Invited { person: BEN }]).does(BEN, Order::Decline);
    assert_eq!(kept.outbox_items(), ["announce", "lapsed"]);
}

/// A journal that fails on request.
type FailingJournal = HookedJournal<MemoryJournal, DiskFailures>;

/// The failures that a test switches on.
#[derive(Default)]
struct DiskFailures {
    /// No write succeeds.
    broken: AtomicBool,
    /// Preferences of people cannot be read.
    unreadable: AtomicBool,
    /// No table can be loaded.
    closed: AtomicBool,
}

#[async_trait]
impl JournalHooks for DiskFailures {
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), StoreError> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(StoreError::Backend("the disk is full".into()));
        }
        journal.append(batch).await
    }

    fn before_read_person(&self) -> Result<(), StoreError> {
        let unreadable = self.unreadable.load(Ordering::SeqCst);
        if unreadable { Err(StoreError::Backend("the disk cannot be read".into())) } else { Ok(()) }
    }

    fn loads(&self) -> Result<(), StoreError> {
        let closed = self.closed.load(Ordering::SeqCst);
        if closed { Err(StoreError::Backend("the disk cannot be read".into())) } else { Ok(()) }
    }
}

#[derive(Default)]
struct ManualClock(AtomicI64);

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        millis::timestamp(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

/// Plays the first legal move, unless a test makes it sleep.
#[derive(Default)]
struct FirstMoveThinker {
    asleep: AtomicBool,
    asked: Mutex<Vec<Job>>,
    /// The tables whose jobs were cancelled, in order.
    dropped: Mutex<Vec<TableId>>,
}

impl Thinker for FirstMoveThinker {
    fn think(&self, job: Job, _: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        self.asked.lock().unwrap().push(job);
        if self.asleep.load(Ordering::SeqCst) {
            unanswered()
        } else {
            answered(play.moves().into_iter().next())
        }
    }
    fn analyse(
        &self,
        _: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>> {
        answered(play.think(&ask))
    }
    fn best_lines(
        &self,
        _: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis> {
        answered(play.analyse(&ask, most))
    }
    fn drop_table(&self, table: TableId) {
        self.dropped.lock().unwrap().push(table);
    }
}

struct TestRegistry {
    journal: Arc<FailingJournal>,
    thinker: Arc<FirstMoveThinker>,
    registry: Arc<registry::TableRegistry>,
}

impl TestRegistry {
    fn build() -> TestRegistry {
        TestRegistry::over(Arc::new(FailingJournal::default()))
    }

    fn over(journal: Arc<FailingJournal>) -> TestRegistry {
        let thinker = Arc::new(FirstMoveThinker::default());
        let registry = registry::TableRegistry::new(
            journal.clone(),
            Arc::new(ManualClock::default()),
            thinker.clone(),
            1,
        );
        TestRegistry { journal, thinker, registry }
    }

    async fn open_against_ai(&self) -> TableId {
        let chairs = vec![human(ADA), Occupant::Ai { level: Level::Easy }];
        self.registry.open(terms(), ADA, chairs, Some(SourceId(1))).await.unwrap().table.id()
    }

    async fn plays(
        &self,
        id: TableId,
        text: &str,
        source: SourceId,
    ) -> Result<requests::OrderOutcome, TableError> {
        self.registry.order(id, Actor::Person(ADA), r#move(text, None), Some(source)).await
    }

    /// Waits until a table has taken `ply` turns.
    async fn at_ply(&self, id: TableId, ply: usize) -> Arc<Table> {
        loop {
            let table = self.registry.table(id).await.unwrap();
            if table.ply() == ply {
                return table;
            }
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn the_program_answers_by_an_ordinary_order() {
    let fixture = TestRegistry::build();
    let id = fixture.open_against_ai().await;
    fixture.plays(id, "a2-a3/a2", SourceId(2)).await.unwrap();
    let table = fixture.at_ply(id, 2).await;
    assert_eq!(table.to_move().unwrap().index(), 0);
    assert_eq!(fixture.journal.jobs(PageRequest::default()).await.unwrap().rows, []);
}

#[tokio::test]
async fn a_move_that_could_not_be_written_has_not_been_made() {
    let fixture = TestRegistry::build();
    let id = fixture.open_against_ai().await;
    fixture.journal.hooks.broken.store(true, Ordering::SeqCst);
    let denied = fixture.plays(id, "a2-a3/a2", SourceId(2)).await.err().unwrap();
    assert!(matches!(&denied, TableError::Store(why) if why.contains("full")), "{denied:?}");
    assert_eq!(fixture.registry.table(id).await.unwrap().ply(), 0);
    fixture.journal.hooks.broken.store(false, Ordering::SeqCst);
    fixture.plays(id, "a2-a3/a2", SourceId(2)).await.unwrap();
}

#[tokio::test]
async fn after_a_restart_the_program_takes_up_the_turn_it_owes() {
    let before = TestRegistry::build();
    before.thinker.asleep.store(true, Ordering::SeqCst);
    let id = before.open_against_ai().await;
    before.plays(id, "a2-a3/a2", SourceId(2)).await.unwrap();

    let after = TestRegistry::over(before.journal.clone());
    assert_eq!(after.registry.resume().await.unwrap(), 1);
    assert_eq!(after.at_ply(id, 2).await.play().unwrap().record()[0], "a2-a3/a2");
    let repeated = after.plays(id, "a2-a3/a2", SourceId(2)).await.err().unwrap();
    assert!(matches!(repeated, TableError::Refused(OrderError::Repeated)), "{repeated:?}");
}

#[tokio::test]
async fn a_turn_that_cannot_be_read_after_a_restart_is_taken_up_once_it_can() {
    let before = TestRegistry::build();
    before.thinker.asleep.store(true, Ordering::SeqCst);
    let id = before.open_against_ai().await;
    before.plays(id, "a2-a3/a2", SourceId(2)).await.unwrap();

    let after = TestRegistry::over(before.journal.clone());
    after.journal.hooks.closed.store(true, Ordering::SeqCst);
    assert_eq!(after.registry.resume().await.unwrap(), 1);
    after.registry.tick().await;
    assert_eq!(*after.thinker.asked.lock().unwrap(), []);
    after.journal.hooks.closed.store(false, Ordering::SeqCst);
    after.registry.tick().await;
    assert_eq!(after.thinker.asked.lock().unwrap().len(), 1);
    assert_eq!(after.at_ply(id, 2).await.to_move().unwrap().index(), 0);
}

#[tokio::test]
async fn two_registries_over_one_journal_never_lose_a_move() {
    let one = TestRegistry::build();
    one.thinker.asleep.store(true, Ordering::SeqCst);
    let id = one.open_against_ai().await;
    let two = TestRegistry::over(one.journal.clone());
    two.thinker.asleep.store(true, Ordering::SeqCst);
    assert_eq!(two.registry.table(id).await.unwrap().ply(), 0);
    one.plays(id, "a2-a3/a2", SourceId(2)).await.unwrap();
    // The second registry still has Ada to move; the journal refuses the write.
    let denied = two.plays(id, "a2-a4/a2", SourceId(3)).await.err().unwrap();
    assert!(matches!(denied, TableError::Refused(OrderError::NotYourTurn { .. })), "{denied:?}");
    assert_eq!(two.registry.table(id).await.unwrap().ply(), 1);
}

#[tokio::test]
async fn a_table_that_is_not_there_is_said_to_be_so() {
    let fixture = TestRegistry::build();
    let denied = fixture.registry.table("ZZZZ".parse().unwrap()).await.err().unwrap();
    assert!(matches!(denied, TableError::NoTable(_)));
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(fixture.registry.loaded_tables(), 0, "and costs nothing any more");
}
