//! `/rookery`: what the administrators of the operators' server may do, and nobody else.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use rookery::discord::{Backup, BackupMaker};
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::ports::{Answer, Filter, Job, PageRequest, Thinker, answered};
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{Status, TableId};
use serde_json::json;
use tokio::sync::oneshot;

use super::quotas::answer_text;
use crate::duel::{Duel, Way, has_move_at, open, slash_play};
use crate::eventually::eventually;
use crate::test_bot::{TestBot, TestSetup};

/// The server of the operators. Ada owns it, and Ben is a member.
const SERVER: &str = "Rookery";
const HOUR: Duration = Duration::from_secs(3_600);
/// The permission bit ADMINISTRATOR.
const ADMINISTRATOR: u64 = 1 << 3;
const REFUSAL: &str = "Only administrators of the server that runs this bot";
const PAUSED: &str = "All games are paused for maintenance";

async fn start() -> TestBot {
    TestBot::of(TestSetup { owner_server: Some(SERVER), ..TestSetup::default() }).await
}

/// Returns the answer to Ada's `/rookery`.
async fn ordered(bot: &TestBot, what: &str) -> String {
    answer_text(&bot.ada(), bot.games(), &format!("rookery {what}"), &json!({})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_command_exists_only_in_their_server_and_only_for_administrators() {
    let mut bot = start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let (_, elsewhere) = bot.playground.new_guild("Elsewhere", "hall", &[&ada]);
    assert!(ada.slash(elsewhere, "rookery status", &json!({})).is_err(), "another server");
    assert!(ada.slash(ada.dm(), "rookery status", &json!({})).is_err(), "a direct message");
    assert!(ben.slash(games, "rookery status", &json!({})).is_err(), "Discord shows it to administrators");
    assert!(ordered(&bot, "status").await.contains("Unfinished games: 0"));

    // The server's own settings may show it to everybody.
    bot.playground.show_to_all("rookery");
    for what in ["status", "drain", "pause", "backup", "announce"] {
        let options = if what == "announce" { json!({"text": "x"}) } else { json!({}) };
        let told = answer_text(&ben, games, &format!("rookery {what}"), &options).await;
        assert!(told.contains(REFUSAL), "{what}: {told}");
    }
    assert!(!bot.registry.is_draining() && bot.registry.paused_since().is_none());
    let guild = bot.playground.guild(SERVER).unwrap();
    bot.playground.set_role_overwrite(games, guild, ADMINISTRATOR, 0);
    assert!(!answer_text(&ben, games, "rookery status", &json!({})).await.contains(REFUSAL));

    // After a change of the setting the command leaves the server.
    bot.restart_with(|settings| settings.owner_server = None).await;
    let is_gone = async || ada.slash(games, "rookery status", &json!({})).is_err();
    eventually("the command is gone", is_gone).await;
    bot.stop().await;
}

/// The command stays in a server if Discord could not be asked to remove it.
#[tokio::test(flavor = "multi_thread")]
async fn operators_command_is_refused_in_a_server_that_is_theirs_no_more() {
    let mut bot = start().await;
    // Without the note the bot doesn't know where it registered the command.
    bot.registry.journal().store_note("owner-commands", "").await.unwrap();
    bot.restart_with(|settings| settings.owner_server = None).await;
    assert!(ordered(&bot, "pause").await.contains(REFUSAL));
    assert_eq!(bot.registry.paused_since(), None);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn status_says_what_is_going_on() {
    let bot = start().await;
    let _duel = Duel::begin(&bot).await;
    bot.wait_until_idle().await;
    ordered(&bot, "drain").await;
    let told = ordered(&bot, "status").await;
    for part in [
        &format!("**Rookery {}** with SQLite", env!("CARGO_PKG_VERSION")),
        "Unfinished games: 1",
        "Messages to post: 0",
        "Bot moves to make: 0",
        "all connected",
        "One process with all roles",
        "New games: stopped",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn drain_stops_new_games_until_it_is_used_again_and_running_ones_go_on() {
    let mut bot = start().await;
    let mut duel = Duel::begin(&bot).await;
    let (ben, games) = (bot.ben(), bot.games());
    let told = ordered(&bot, "drain").await;
    assert!(told.starts_with("Draining") && told.contains("again to end this"), "{told}");
    for options in [json!({"game": "amazons"}), json!({"game": "amazons", "ai": "easy"})] {
        let refused = answer_text(&ben, games, "play", &options).await;
        assert!(refused.contains("I'm not starting new games right now"), "{refused}");
    }
    duel.turn(&bot, Way::Reply).await;
    bot.restart().await;
    let refused = answer_text(&ben, games, "play", &json!({"game": "amoeba"})).await;
    assert!(refused.contains("I'm not starting new games right now"), "after a restart: {refused}");
    duel.turn(&bot, Way::Panel).await;
    bot.resign(&duel.ben, &duel.board).await;
    let over = |it: &VisibleMessage| it.button("Rematch").is_some();
    let result = duel.ben.wait_for(duel.thread, "the result", over).await.unwrap();
    let again = bot.press(&duel.ben, &result, "Rematch").await;
    assert!(again.content().contains("I'm not starting new games"), "{}", again.content());

    let told = ordered(&bot, "drain").await;
    assert!(told.contains("New games can be opened again"), "{told}");
    open(&ben, games, &json!({"game": "amoeba"})).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_stops_all_clocks_and_moves_and_gives_the_time_back() {
    let mut bot = start().await;
    let terms = json!({"game": "amazons", "size": "6x6", "clock": "daily", "settle": "off"});
    let mut duel = Duel::begin_with(&bot, &terms).await;
    let table = duel.table.clone();
    bot.advance(10 * HOUR).await;
    let told = ordered(&bot, "pause").await;
    assert!(told.contains("no time runs, and nobody can move"), "{told}");

    let text = duel.any_move();
    let said = duel.mover().reply(&duel.board, &text).unwrap();
    let refused = bot.answer_to(&duel.mover(), &said).await;
    assert!(refused.content().contains(PAUSED), "{}", refused.content());
    let refused = answer_text(&bot.ben(), bot.games(), "play", &json!({"game": "amoeba"})).await;
    assert!(refused.contains(PAUSED), "{refused}");
    let status = ordered(&bot, "status").await;
    assert!(status.contains("All games: paused"), "{status}");

    // Far longer than the 38 hours that are left; a restart changes nothing.
    bot.advance(100 * HOUR).await;
    bot.restart().await;
    bot.advance(100 * HOUR).await;
    assert_eq!(bot.table(&table).await.status(), &Status::Running);
    let told = ordered(&bot, "pause").await;
    assert!(told.contains("All games go on after 8 days 8 hours"), "{told}");

    bot.advance(37 * HOUR).await;
    assert_eq!(bot.table(&table).await.status(), &Status::Running, "an hour is left");
    let clock = duel.ada.reply(&duel.board, "clock").unwrap();
    let told = bot.answer_to(&duel.ada, &clock).await;
    assert!(told.content().contains("has 1 hour left"), "{}", told.content());
    duel.turn(&bot, Way::Reply).await;
    bot.stop().await;
}

/// Answers with the first move, once the test lets it.
#[derive(Default)]
struct HeldThinker(Mutex<Vec<HeldMove>>);

/// The sender of an answer, and the move to answer with.
type HeldMove = (oneshot::Sender<Option<String>>, Option<String>);

impl HeldThinker {
    /// Whether the bot thinks about a move.
    fn is_thinking(&self) -> bool {
        !self.0.lock().unwrap().is_empty()
    }

    fn answer(&self) {
        for (tell, first) in self.0.lock().unwrap().drain(..) {
            tell.send(first).unwrap();
        }
    }
}

impl Thinker for HeldThinker {
    fn think(&self, _: Job, _: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        let (tell, told) = oneshot::channel();
        self.0.lock().unwrap().push((tell, play.moves().into_iter().next()));
        told
    }
    fn analyse(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest) -> Answer<SearchResult<String>> {
        answered(None)
    }
    fn best_lines(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest, _: usize) -> Answer<Analysis> {
        answered(None)
    }
    fn drop_table(&self, _: TableId) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_holds_the_bots_own_move_back() {
    let thinker = Arc::new(HeldThinker::default());
    let setup = TestSetup { owner_server: Some(SERVER), thinker: thinker.clone(), ..TestSetup::default() };
    let bot = TestBot::of(setup).await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy", "first": "me"});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let thread = ada.wait_for_thread(games, "Amazons").await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    let id = bot.registry.list(&Filter::default(), 1).await.unwrap()[0].id;
    ada.reply(&board, "a2-a4/b4").unwrap();
    bot.wait_until("the bot thinks", || thinker.is_thinking()).await;
    ordered(&bot, "pause").await;
    let refused = || bot.registry.order_counts().refused.load(Ordering::Relaxed);
    let before = refused();
    thinker.answer();
    bot.wait_until("its move is refused", || refused() > before).await;
    let ply = async || bot.registry.table(id).await.unwrap().play().unwrap().ply();
    assert_eq!(ply().await, 1);
    ordered(&bot, "pause").await;
    ada.wait_for(thread, "the bot's move", |it| has_move_at(it, 2)).await.unwrap();
    bot.stop().await;
}

/// Makes no backups, but says so as an operator would see it.
struct Maker(Result<u64, &'static str>);

#[async_trait]
impl BackupMaker for Maker {
    async fn back_up(&self, _: Timestamp) -> Result<Backup, String> {
        let bytes = self.0?;
        Ok(Backup { path: PathBuf::from("backups/rookery-1.sqlite"), bytes })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_says_where_it_is_or_why_there_is_none() {
    for (maker, wanted) in [
        (Some(Maker(Ok(2_500_000))), "Backup made: `backups/rookery-1.sqlite` (2.5 MB)"),
        (Some(Maker(Err("the disk is full"))), "The backup failed: the disk is full."),
        (None, "Set `store.backup_folder`"),
    ] {
        let backups = maker.map(|maker| Arc::new(maker) as Arc<dyn BackupMaker>);
        let bot =
            TestBot::of(TestSetup { owner_server: Some(SERVER), backups, ..TestSetup::default() }).await;
        let told = ordered(&bot, "backup").await;
        assert!(told.contains(wanted), "{told}");
        bot.stop().await;
    }
}

/// Returns the announcements in a channel.
fn announcements(who: &Person, channel: Id) -> Vec<String> {
    let all = who.messages(channel).into_iter();
    let texts = all.filter(|it| !it.is_ephemeral()).map(|it| it.content().to_owned());
    texts.filter(|text| text.contains("From the people who run Rookery")).collect()
}

/// Opens a game of the bot with a person in another server; returns the channel there.
async fn game_elsewhere(bot: &TestBot, host: &Person) -> Id {
    let (_, hall) = bot.playground.new_guild("Elsewhere", "hall", &[host]);
    slash_play(host, hall, &json!({"game": "amazons", "ai": "easy"})).unwrap().message().await.unwrap();
    host.wait_for_thread(hall, "Amazons").await.unwrap();
    hall
}

#[tokio::test(flavor = "multi_thread")]
async fn announcement_reaches_every_server_with_games_once_after_a_confirmation() {
    let mut bot = start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let options = json!({"text": "Back at *nine*."});
    let asked = async || ada.slash(games, "rookery announce", &options).unwrap().message().await.unwrap();
    assert!(asked().await.content().contains("No server has running games"));
    let _duel = Duel::begin(&bot).await;
    let hall = game_elsewhere(&bot, &ada).await;
    bot.wait_until_idle().await;

    let cancelled = asked().await;
    let told = bot.press_private(&ada, &cancelled, "Cancel").await;
    assert!(told.content().contains("Nothing was sent"), "{}", told.content());
    let (outdated, sure) = (asked().await, asked().await);
    assert!(sure.content().contains("Send this to 2 servers?") && sure.content().contains("Back at *nine*."));
    let told = bot.press_private(&ada, &outdated, "Send to 2 servers").await;
    assert!(told.content().contains("A newer draft"), "{}", told.content());
    assert_eq!(announcements(&ada, games), Vec::<String>::new());
    let told = bot.press_private(&ada, &sure, "Send to 2 servers").await;
    assert!(told.content().contains("Sending it now"), "{}", told.content());
    let wanted = ["**From the people who run Rookery:** Back at *nine*."];
    let everywhere = || announcements(&ada, games) == wanted && announcements(&ada, hall) == wanted;
    bot.wait_until("both servers have it", everywhere).await;
    let note = async || bot.registry.journal().note("announcement").await.unwrap().unwrap();
    eventually("it is done", async || note().await.contains("\"is_done\":true")).await;

    bot.restart().await;
    ordered(&bot, "status").await;
    assert!(everywhere(), "never twice");
    bot.stop().await;
}

/// The process that sent it has ended, so nobody knows whether the first server got it.
#[tokio::test(flavor = "multi_thread")]
async fn announcement_that_may_have_been_posted_is_not_posted_again() {
    let mut bot = start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let _duel = Duel::begin(&bot).await;
    let hall = game_elsewhere(&bot, &ada).await;
    bot.wait_until_idle().await;
    let guild = bot.playground.guild(SERVER).unwrap().0;
    let others = bot.registry.journal().servers_playing(PageRequest::default()).await.unwrap().rows;
    assert_eq!(others.first().map(|first| first.0), Some(guild), "it is tried first");
    let long_ago = bot.now().as_millisecond() - 90_000;
    let note = json!({"id": 7, "text": "Hello", "after": null, "trying": {"guild": guild, "since_ms": long_ago},
        "sent": 0, "failed": 0, "is_done": false});
    bot.registry.journal().store_note("announcement", &note.to_string()).await.unwrap();
    bot.restart().await;
    bot.wait_until("the other server has it", || announcements(&ada, hall).len() == 1).await;
    assert_eq!(announcements(&ada, games), Vec::<String>::new());
    bot.stop().await;
}
