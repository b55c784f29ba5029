//! The whole bot in this process: a playground, a journal, tables, a player, and the connection to Discord.
//! Every test ends with [`TestBot::stop`], which checks every request that the bot made.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use rookery::discord::{self, BackupMaker, Bot, Greeting, Settings};
use rookery::drawing::Drawing;
use rookery::observability::log;
use rookery::shutdown::{self, ShutdownTrigger};
use rookery::web::DiscordSideSlot;
use rookery_core::player::{Limits, SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};
use rookery_i18n::Languages;
use rookery_playground::clock::Clock;
use rookery_playground::id::Id;
use rookery_playground::limits::RateLimits;
use rookery_playground::testing::person::{PendingInteraction, Person};
use rookery_playground::testing::request_log::LoggedRequest;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{BOT_ID, Options, Playground};
use rookery_render::Painter;
use rookery_table::ports::{self, Answer, Job, Journal, Thinker, answered};
use rookery_table::registry::TableRegistry;
use rookery_table::testing::MemoryJournal;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{GuildId, Table, TableId};
use tokio::task::JoinHandle;

use crate::api_schema;
use crate::eventually::eventually;
use rookery_table::millis;

/// The parts that a test bot is started with.
pub(crate) struct TestSetup {
    pub(crate) options: Options,
    pub(crate) settings: Settings,
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) languages: Languages,
    pub(crate) thinker: Arc<dyn Thinker>,
    /// The name of the server with the operators' commands.
    pub(crate) owner_server: Option<&'static str>,
    pub(crate) backups: Option<Arc<dyn BackupMaker>>,
}

impl Default for TestSetup {
    /// A clock that stands still, so that a busy machine breaks no time limit; no rate limits; small pictures.
    fn default() -> TestSetup {
        let (clock, rate_limits) = (Clock::manual(), RateLimits::none());
        TestSetup {
            options: Options { clock, rate_limits, ..Options::default() },
            settings: Settings {
                width_px: 350,
                greeting: Greeting::Off,
                requests_per_second: 100_000,
                ..Settings::default()
            },
            journal: Arc::new(MemoryJournal::default()),
            languages: Languages::built_in(),
            thinker: Arc::new(FirstMove),
            owner_server: None,
            backups: None,
        }
    }
}

/// The running bot with its playground.
pub(crate) struct TestBot {
    pub(crate) playground: Playground,
    pub(crate) registry: Arc<TableRegistry>,
    settings: Settings,
    languages: Languages,
    thinker: Arc<dyn Thinker>,
    backups: Option<Arc<dyn BackupMaker>>,
    /// Where web pages find the bot.
    pub(crate) discord_side: DiscordSideSlot,
    switch: ShutdownTrigger,
    running: Running,
}

type Running = JoinHandle<Result<(), discord::RunError>>;

impl TestBot {
    pub(crate) async fn start() -> TestBot {
        TestBot::of(TestSetup::default()).await
    }

    pub(crate) async fn with(options: Options) -> TestBot {
        TestBot::of(TestSetup { options, ..TestSetup::default() }).await
    }

    pub(crate) async fn of(plan: TestSetup) -> TestBot {
        log::unknown_events_in_tests();
        let playground = Playground::start(plan.options).await.unwrap();
        let TestSetup { mut settings, journal, languages, thinker, owner_server, backups, .. } = plan;
        let owner_server = owner_server.map(|name| GuildId(playground.guild(name).unwrap().0));
        settings.owner_server = owner_server.or(settings.owner_server);
        let parts = (languages.clone(), backups.clone());
        let discord_side = DiscordSideSlot::default();
        let (registry, switch, running) =
            connect(&playground, journal, (&settings, &discord_side), parts, thinker.clone()).await;
        TestBot { playground, registry, settings, languages, thinker, backups, discord_side, switch, running }
    }

    /// Restarts the bot; only the journal survives.
    pub(crate) async fn restart(&mut self) {
        self.restart_after(Duration::ZERO).await;
    }

    /// Restarts the bot after a pause.
    pub(crate) async fn restart_after(&mut self, pause: Duration) {
        self.restart_while(|playground| playground.clock().advance(pause)).await;
    }

    /// Restarts the bot with other settings.
    pub(crate) async fn restart_with(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        self.restart().await;
    }

    /// Restarts the bot, and calls `meanwhile` while it is stopped.
    pub(crate) async fn restart_while(&mut self, meanwhile: impl FnOnce(&Playground)) {
        self.switch.advance();
        (&mut self.running).await.unwrap().unwrap();
        meanwhile(&self.playground);
        let journal = self.registry.journal().clone();
        let parts = (self.languages.clone(), self.backups.clone());
        self.discord_side = DiscordSideSlot::default();
        (self.registry, self.switch, self.running) = connect(
            &self.playground,
            journal,
            (&self.settings, &self.discord_side),
            parts,
            self.thinker.clone(),
        )
        .await;
    }

    /// Advances the clock, and carries out everything that becomes due.
    pub(crate) async fn advance(&self, time: Duration) {
        self.playground.clock().advance(time);
        while self.registry.tick().await > 0 {}
    }

    /// Advances the clock to `minute` minutes after midnight UTC, after and before a check of the quiet hours.
    pub(crate) async fn advance_to_minute(&self, minute: i64) {
        const DAY_MS: i64 = 24 * 3_600 * 1_000;
        self.wait_until_quiet_hours_are_checked().await;
        let ahead = (minute * 60_000 - self.now().as_millisecond()).rem_euclid(DAY_MS);
        self.advance(Duration::from_millis(ahead.unsigned_abs())).await;
        self.wait_until_quiet_hours_are_checked().await;
    }

    /// Waits until the bot has checked quiet hours and digests in the present quarter of an hour.
    pub(crate) async fn wait_until_quiet_hours_are_checked(&self) {
        const QUARTER_MS: i64 = 15 * 60 * 1_000;
        eventually("quiet hours are checked", async || {
            let note = self.registry.journal().note("pings").await.unwrap();
            let checked = note.and_then(|text| text.parse::<i64>().ok());
            checked.is_some_and(|at| self.now().as_millisecond() - at < QUARTER_MS)
        })
        .await;
    }

    /// Returns the time of the tables' clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.registry.now()
    }

    /// Stops the bot and checks its requests.
    pub(crate) async fn stop(self) {
        self.stop_after(&[]).await;
    }

    /// Stops the bot and checks its requests, in a test where requests fail with these statuses.
    pub(crate) async fn stop_after(self, wanted: &[u16]) {
        self.wait_until_idle().await;
        self.switch.advance();
        self.running.await.unwrap().unwrap();
        let requests = self.playground.requests();
        self.playground.stop().await;
        check_requests(&requests, wanted);
        record_polls(&self.registry);
    }

    /// Waits until the bot ends by itself; returns its result.
    pub(crate) async fn ended(self) -> Result<(), discord::RunError> {
        let ended = tokio::time::timeout(Duration::from_secs(20), self.running).await;
        let ended = ended.expect("the bot goes on").unwrap();
        self.playground.stop().await;
        ended
    }

    /// Stops the bot while its outbox still has messages.
    pub(crate) async fn stop_early(self) {
        self.switch.advance();
        self.running.await.unwrap().unwrap();
        let requests = self.playground.requests();
        self.playground.stop().await;
        check_requests(&requests, &[]);
    }

    /// Waits until everything that is due is posted.
    pub(crate) async fn wait_until_idle(&self) {
        eventually("the outbox is empty", async || {
            self.registry.journal().due(0, 1).await.unwrap().is_empty()
        })
        .await;
    }

    /// Waits for a change within the bot that no message shows.
    pub(crate) async fn wait_until(&self, what: &str, is_so: impl Fn() -> bool) {
        eventually(what, async || is_so()).await;
    }

    /// Returns how many tasks under a name were begun and have ended. Every event of the gateway has a task of its
    /// own (`interaction`, `event`), and within that of a message another one (`message in order`).
    pub(crate) fn tasks(&self, name: &str) -> [u64; 2] {
        let status = self.registry.tasks().status().into_iter().find(|task| task.name == name);
        status.map_or([0, 0], |task| [task.begun, task.ended])
    }

    /// Waits until `more` tasks under a name were begun since an earlier count, and none is running.
    pub(crate) async fn wait_for_tasks(&self, name: &str, [before, _]: [u64; 2], more: u64) {
        eventually(&format!("{more} of {name:?} to end"), async || {
            let [begun, ended] = self.tasks(name);
            begun >= before + more && ended == begun
        })
        .await;
    }

    pub(crate) fn ada(&self) -> Person {
        self.playground.user("Ada")
    }

    pub(crate) fn ben(&self) -> Person {
        self.playground.user("Ben")
    }

    /// Returns a person who plays in no game.
    pub(crate) fn cleo(&self) -> Person {
        self.playground.user("Cleo")
    }

    /// Returns the channel in which games are opened.
    pub(crate) fn games(&self) -> Id {
        self.playground.channel("games")
    }

    pub(crate) async fn table(&self, id: &str) -> Arc<Table> {
        self.registry.table(id.parse::<TableId>().unwrap()).await.unwrap()
    }

    /// Waits for the bot's reply to a message.
    pub(crate) async fn answer_to(&self, who: &Person, said: &VisibleMessage) -> VisibleMessage {
        let id = said.id.to_string();
        let answers = |it: &VisibleMessage| it.json["message_reference"]["message_id"] == id.as_str();
        who.wait_for(said.channel, &format!("an answer to {:?}", said.content()), answers).await.unwrap()
    }

    /// Waits until a private message has changed after a press in it.
    pub(crate) async fn changed(
        &self,
        who: &Person,
        message: &VisibleMessage,
        pressed: &PendingInteraction,
    ) -> VisibleMessage {
        pressed.answer().await.unwrap();
        // Ignores the message replied to, which may change meanwhile.
        let own =
            |it: &VisibleMessage| ["content", "components", "attachments"].map(|part| it.json[part].clone());
        let now = || who.refetch(message).filter(|now| own(now) != own(message));
        self.playground.wait("what was pressed to change", now).await.unwrap()
    }

    /// Presses a button of a public message; returns the private answer.
    pub(crate) async fn press(&self, who: &Person, message: &VisibleMessage, label: &str) -> VisibleMessage {
        let button = message.button(label).unwrap_or_else(|| panic!("no {label}: {:?}", message.buttons()));
        who.click(message, button).unwrap().message().await.unwrap()
    }

    /// Presses a button of a private message; returns the changed message.
    pub(crate) async fn press_private(
        &self,
        who: &Person,
        message: &VisibleMessage,
        label: &str,
    ) -> VisibleMessage {
        let button =
            numbered_button(message, label).unwrap_or_else(|| panic!("no {label}: {:?}", message.buttons()));
        let pressed = who.click(message, button).unwrap();
        self.changed(who, message, &pressed).await
    }

    /// Chooses a value in the first select of a private message; returns the changed message.
    pub(crate) async fn choose(&self, who: &Person, message: &VisibleMessage, value: &str) -> VisibleMessage {
        let select = message.selects()[0]["custom_id"].as_str().unwrap().to_owned();
        self.changed(who, message, &who.choose(message, &select, &[value]).unwrap()).await
    }

    /// Resigns with the button under a board, and confirms.
    pub(crate) async fn resign(&self, who: &Person, board: &VisibleMessage) {
        let sure = self.press(who, board, "Resign").await;
        self.press_private(who, &sure, "Yes, resign").await;
    }

    /// Allows rated games on the server.
    pub(crate) async fn allow_rated(&self) {
        let guild = self.playground.guild("Rookery").unwrap();
        self.registry
            .preferences_cache()
            .change_server(GuildId(guild.0), |server| server.rated = true)
            .await
            .unwrap();
    }
}

/// Connects a bot with this journal to a playground.
async fn connect(
    playground: &Playground,
    journal: Arc<dyn Journal>,
    (settings, discord_side): (&Settings, &DiscordSideSlot),
    (languages, backups): (Languages, Option<Arc<dyn BackupMaker>>),
    thinker: Arc<dyn Thinker>,
) -> (Arc<TableRegistry>, ShutdownTrigger, Running) {
    let clock = Arc::new(TableClock(playground.clock().clone()));
    let registry = TableRegistry::new(journal, clock, thinker, 7);
    registry.resume().await.unwrap();
    let bot = Bot {
        registry: registry.clone(),
        drawing: Drawing::with_tasks(Painter::new(), Default::default(), registry.tasks().clone()),
        settings: settings.clone(),
        languages,
        backups,
        discord_side: discord_side.clone(),
    };
    let (switch, stop) = shutdown::channel();
    let (token, base) = (playground.token().to_owned(), playground.api_base());
    let running = tokio::spawn(async move { discord::run(bot, &token, Some(&base), stop).await });
    playground.wait_for_bot().await.unwrap();
    (registry, switch, running)
}

/// Returns the public boards in a channel, oldest first.
pub(crate) fn boards(who: &Person, channel: Id) -> Vec<VisibleMessage> {
    let all = who.messages(channel).into_iter();
    all.filter(|it| it.author() == Some(BOT_ID) && !it.is_ephemeral() && !it.files().is_empty()).collect()
}

/// With `ROOKERY_POLLS=FILE`, appends the longest poll of each task to the file, one task a line: milliseconds of CPU
/// time, polls over 10 ms, the task, the test. For measurements; in an unoptimised build the numbers only show which
/// tasks compute.
fn record_polls(registry: &TableRegistry) {
    let Some(file) = std::env::var_os("ROOKERY_POLLS") else { return };
    let mut file = std::fs::File::options().create(true).append(true).open(file).unwrap();
    let thread = std::thread::current();
    for task in registry.tasks().status() {
        let (longest, test) = (task.longest_poll.as_secs_f64() * 1e3, thread.name().unwrap_or("?"));
        writeln!(file, "{longest:.2}\t{}\t{}\t{test}", task.long_polls, task.name).unwrap();
    }
}

/// Checks what must hold for the requests of every test.
fn check_requests(requests: &[LoggedRequest], wanted: &[u16]) {
    assert_eq!(
        log::unknown_events_in_tests().samples(),
        Vec::<String>::new(),
        "events that could not be read"
    );
    for request in requests {
        let name = format!("{} {} {}", request.method, request.path, request.body);
        let fine = request.status < 400 || wanted.contains(&request.status);
        assert!(fine, "{} came back for {name}", request.status);
        assert_eq!(api_schema::complaints(request), Vec::<String>::new(), "{name}");
        if request.route.ends_with("/callback") {
            assert!(request.files.is_empty(), "drawn before the first answer: {name}");
        }
        if request.route == "/channels/{channel}/messages" && request.method == "POST" {
            assert!(request.body["enforce_nonce"] == true, "may be posted twice: {name}");
        }
        for message in messages_of(request) {
            let allowed = &message["allowed_mentions"];
            assert_eq!(allowed["parse"], serde_json::json!([]), "may ping anybody: {name}");
            assert!(allowed["users"].is_array() && allowed["replied_user"] == false, "{name}");
        }
    }
}

/// Creates tables without a bot: nothing is posted.
pub(crate) fn registry_without_bot(journal: Arc<dyn Journal>) -> Arc<TableRegistry> {
    let clock = Arc::new(TableClock(Clock::manual()));
    TableRegistry::new(journal, clock, Arc::new(FirstMove), 7)
}

/// Returns the messages that a request posts, edits or answers with.
fn messages_of(request: &LoggedRequest) -> Vec<&serde_json::Value> {
    let (body, route) = (&request.body, request.route.as_str());
    let posts = matches!(request.method.as_str(), "POST" | "PATCH") && route.contains("/messages");
    let answers = route.ends_with("/callback") && body["data"].get("content").is_some();
    let is_message = posts && !route.ends_with("/threads");
    is_message.then_some(body).into_iter().chain(answers.then(|| &body["data"])).collect()
}

/// A clock for tables that follows the playground's.
struct TableClock(Clock);

impl ports::Clock for TableClock {
    fn now(&self) -> Timestamp {
        millis::timestamp(self.0.now_ms().try_into().unwrap())
    }
}

/// Searches very little, so that tests are fast.
fn quick(ask: SearchRequest) -> SearchRequest {
    SearchRequest { limits: Limits { nodes: Some(200), ..Limits::default() }, ..ask }
}

/// A player that plays the first legal move at once.
pub(crate) struct FirstMove;

impl Thinker for FirstMove {
    fn think(&self, _: Job, _: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        answered(play.moves().into_iter().next())
    }
    fn analyse(
        &self,
        _: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>> {
        answered(play.think(&quick(ask)))
    }
    fn best_lines(
        &self,
        _: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis> {
        answered(play.analyse(&quick(ask), most))
    }
    fn drop_table(&self, _: TableId) {}
}

/// Returns the id of the button with this label, or with a number and perhaps an arrow before it: "3 · ↗ d7".
fn numbered_button<'a>(message: &'a VisibleMessage, label: &str) -> Option<&'a str> {
    message.button(label).or_else(|| {
        let shown = message.buttons().into_iter().find(|shown| {
            shown.split_once(" · ").is_some_and(|(_, rest)| rest.rsplit(' ').next() == Some(label))
        })?;
        message.button(shown)
    })
}
