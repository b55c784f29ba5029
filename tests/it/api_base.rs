//! With another server configured, nothing may reach Discord: not when that server is down, not when it returns
//! Discord's own gateway, and not when its rate limits are stricter than expected.

use crate::duel::slash_play;
use jiff::Timestamp;
use rookery_table::millis;
use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use rookery::discord::{self, Bot, RunError, Settings};
use rookery::drawing::Drawing;
use rookery::shutdown;
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};
use rookery_i18n::Languages;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{Options, Playground};
use rookery_table::TableId;
use rookery_table::ports::{Answer, Clock, Job, Thinker, unanswered};
use rookery_table::registry::TableRegistry;
use rookery_table::testing::MemoryJournal;
use rookery_table::thinking_limits::BudgetOwner;
use serde_json::json;
use tokio::net::TcpListener;

/// A clock and player that are not used in these tests.
struct UnusedPorts;

impl Clock for UnusedPorts {
    fn now(&self) -> Timestamp {
        millis::timestamp(0)
    }
}

impl Thinker for UnusedPorts {
    fn think(&self, _: Job, _: BudgetOwner, _: Box<dyn Play>) -> Answer<String> {
        unanswered()
    }
    fn analyse(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest) -> Answer<SearchResult<String>> {
        unanswered()
    }
    fn best_lines(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest, _: usize) -> Answer<Analysis> {
        unanswered()
    }
    fn drop_table(&self, _: TableId) {}
}

fn bot(settings: Settings) -> Bot {
    let registry = TableRegistry::new(
        Arc::new(MemoryJournal::default()),
        Arc::new(UnusedPorts),
        Arc::new(UnusedPorts),
        7,
    );
    Bot {
        registry,
        drawing: Drawing::default(),
        settings,
        languages: Languages::built_in(),
        backups: None,
        discord_side: Default::default(),
    }
}

#[tokio::test]
async fn api_base_that_is_down_ends_the_bot_with_a_clear_error() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", taken.local_addr().unwrap());
    drop(taken);
    let (_switch, stop) = shutdown::channel();
    let ended = discord::run(bot(Settings::default()), "token", Some(&base), stop).await;
    let why = ended.unwrap_err().to_string();
    assert!(why.contains(&base) && why.contains("api_base"), "{why}");
}

#[tokio::test]
async fn api_base_that_names_discords_gateway_is_not_followed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let limit = json!({"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1});
    let gateway = json!({"url": "wss://gateway.discord.gg", "shards": 1, "session_start_limit": limit});
    let answer = || async { Json(gateway) };
    let app = Router::new().route("/api/v10/gateway/bot", get(answer));
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let (_switch, stop) = shutdown::channel();
    let ended = discord::run(bot(Settings::default()), "token", Some(&base), stop).await;
    assert!(matches!(ended, Err(RunError::WrongGateway { .. })), "{ended:?}");
    server.abort();
}

#[tokio::test]
async fn intent_that_is_not_granted_is_left_out() {
    let playground = Playground::start(Options::default()).await.unwrap();
    let (switch, stop) = shutdown::channel();
    let (token, base) = (playground.token().to_owned(), playground.api_base());
    let wishful = bot(Settings { message_content: true, width_px: 350, ..Settings::default() });
    let running = tokio::spawn(async move { discord::run(wishful, &token, Some(&base), stop).await });
    playground.wait_for_bot().await.unwrap();
    let (ada, games) = (playground.user("Ada"), playground.channel("games"));
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy"});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let how = |it: &VisibleMessage| it.content().contains("or press Move");
    let welcome = ada.wait_for(thread, "how to move", how).await.unwrap();
    assert!(welcome.content().contains("Reply to the board with a move"), "{}", welcome.content());
    switch.advance();
    running.await.unwrap().unwrap();
    playground.stop().await;
}
