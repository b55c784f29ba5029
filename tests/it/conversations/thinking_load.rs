//! Messages about the program's load: queue positions, used-up search time; and fitting levels.

use std::sync::Arc;
use std::time::Duration;

use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};
use rookery_playground::BOT_ID;
use rookery_table::ports::{Answer, Job, Thinker, answered, unanswered};
use rookery_table::rating::Rating;
use rookery_table::thinking_limits::{BudgetOwner, QueuePosition, ThinkingLimits, ThinkingWait};
use rookery_table::{Actor, GuildId, Occupant, Order, TableId, level_ratings};
use serde_json::json;

use crate::duel::open;
use crate::duel::slash_play;
use crate::test_bot::{TestBot, TestSetup, boards};

/// A thinker that never answers, so that all turns wait.
struct BusyThinker(ThinkingWait);

impl Thinker for BusyThinker {
    fn think(&self, _: Job, _: BudgetOwner, _: Box<dyn Play>) -> Answer<String> {
        unanswered()
    }
    fn analyse(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest) -> Answer<SearchResult<String>> {
        answered(None)
    }
    fn best_lines(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest, _: usize) -> Answer<Analysis> {
        answered(None)
    }
    fn drop_table(&self, _: TableId) {}
    fn wait(&self, _: TableId, _: BudgetOwner) -> ThinkingWait {
        self.0
    }
    fn bounds(&self) -> ThinkingLimits {
        ThinkingLimits { tables: 2, hourly: Duration::from_secs(30 * 60) }
    }
}

async fn with_busy_thinker(wait: ThinkingWait) -> TestBot {
    TestBot::of(TestSetup { thinker: Arc::new(BusyThinker(wait)), ..TestSetup::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn thinking_queue_tells_the_place_and_still_takes_orders() {
    let bot =
        with_busy_thinker(ThinkingWait { line: Some(QueuePosition { tables: 2, place: 7 }), sparing: None })
            .await;
    let (ada, games) = (bot.ada(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "ai": "hard"})).await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let first = ada.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    assert!(!first.content().contains("in line"), "Ada is to move: {}", first.content());
    ada.reply(&first, "a2-a3/a2").unwrap();
    let told = |it: &rookery_playground::testing::visible_message::VisibleMessage| {
        it.content().contains("number 7 in line")
    };
    let second = ada.wait_for(thread, "the board with the place", told).await.unwrap();
    assert!(
        second.content().contains("On this server, Rookery thinks about 2 games at a time"),
        "{}",
        second.content()
    );
    assert_eq!(boards(&ada, thread).len(), 2);
    // Orders of people are still carried out while the program is overloaded.
    bot.resign(&ada, &second).await;
    ada.wait_for(thread, "the result", |it| it.content().contains("is over")).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thinking_budget_that_is_used_up_names_when_it_returns() {
    let sparing = Some(Duration::from_secs(360));
    let bot = with_busy_thinker(ThinkingWait { line: None, sparing }).await;
    let (ada, games) = (bot.ada(), bot.games());
    let until = format!("<t:{}:R>", bot.now().as_second() + 360);
    let terms = |level: &str| json!({"game": "amazons", "size": "6x6", "ai": level});
    let opened = slash_play(&ada, games, &terms("expert")).unwrap().message().await.unwrap();
    assert!(opened.content().contains(&until), "{}", opened.content());
    let quick = slash_play(&ada, games, &terms("easy")).unwrap().message().await.unwrap();
    assert!(
        !quick.content().contains("short of thinking time"),
        "easy never thinks long: {}",
        quick.content()
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thinking_limits_of_the_operator_are_shown_to_managers() {
    let bot = with_busy_thinker(ThinkingWait::default()).await;
    let (ada, games) = (bot.ada(), bot.games());
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let panel = bot.press_private(&ada, &panel, "Games and time").await;
    assert!(panel.content().contains("2 games at a time, for 30 minutes an hour"), "{}", panel.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn level_matches_the_player_within_the_servers_limit() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "match-me"});
    let level = async |table: &str| {
        let chairs = bot.table(table).await.chairs().to_vec();
        chairs.iter().find_map(|chair| match chair {
            Occupant::Ai { level } => Some(*level),
            _ => None,
        })
    };
    let newcomer = level_ratings::level_for_rating("amazons", &Rating::default(), None);
    let table = open(&ada, games, &terms).await;
    assert_eq!(level(&table).await, Some(newcomer));

    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry
        .preferences_cache()
        .change_server(GuildId(guild.0), |it| it.ai.strongest = Some("random".into()))
        .await
        .unwrap();
    let weak = open(&ada, games, &terms).await;
    assert_eq!(level(&weak).await, Some(Level::Random));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn level_ratings_are_listed_as_provisional_and_used_in_a_first_game() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let among = json!({"game": "amoeba", "among": "program"});
    let leaders = ada.slash(games, "leaderboard", &among).unwrap().message().await.unwrap();
    for level in ["random", "beginner", "easy", "medium", "hard", "expert"] {
        let line = leaders.content().lines().find(|line| line.contains(&format!("Rookery ({level})")));
        assert!(line.is_some_and(|line| line.contains("? ±") && line.contains("0 games")), "{line:?}");
    }
    let profile = ada.slash(games, "profile", &json!({"person": BOT_ID})).unwrap().message().await.unwrap();
    assert!(profile.content().contains("Amoeba: random") && profile.content().contains("? ±"));

    let guild = bot.playground.guild("Rookery").unwrap();
    bot.registry.preferences_cache().change_server(GuildId(guild.0), |it| it.rated = true).await.unwrap();
    let rated = json!({"game": "amoeba", "ai": "hard", "rated": true});
    let table: TableId = open(&ada, games, &rated).await.parse().unwrap();
    let ada_plays = Actor::Person(rookery_table::UserId(ada.id.0));
    bot.registry.order(table, ada_plays, Order::Resign, None).await.unwrap();
    bot.wait_until_idle().await;
    let changes = bot.table(table.as_str()).await.changes().unwrap().to_vec();
    let hard = rookery_table::rated::Account::Program(Level::Hard);
    let change = changes.iter().find(|change| change.who == hard).unwrap();
    assert_eq!(change.before, level_ratings::initial_rating(hard, "amoeba"));
    bot.stop().await;
}
