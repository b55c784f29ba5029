//! Starts the journal, the tables, the players, and the playground or Discord, and runs until asked to stop.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;

use anyhow::Context;
use rookery::config::{self, Ai, Config, DiscordTarget, EffectiveConfig};
use rookery::discord::{self, BackupMaker, ClientSecret, Greeting, Settings};
use rookery::drawing::{self, Drawing};
use rookery::http_server::{Limits, Server};
use rookery::observability::health::{self, HealthState};
use rookery::observability::log;
use rookery::observability::metrics::{Metrics, set_counter};
use rookery::periodic_tasks;
use rookery::playground_tasks::PlaygroundTasks;
use rookery::processes;
use rookery::roles::{Role, Roles};
use rookery::shutdown::{self, ShutdownTrigger, Stop};
use rookery::web::{self, DiscordSideSlot, Web};
use rookery_i18n::{Languages, Localizer};
use rookery_playground::Playground;
use rookery_render::{Names, Painter};
use rookery_store::{Postgres, Rotation, Sqlite, StoreAddress};
use rookery_table::ports::{Clock, Journal, StoreError};
use rookery_table::registry::TableRegistry;
use rookery_table::thinkers::ThinkerPool;
use rookery_table::thinking_limits::ThinkingLimits;
use rookery_tasks::{TaskSpec, Tasks, heartbeat};
use tokio::net::TcpListener;

use crate::backups::{self, Backups};
use crate::health_checks::RegistryChecks;
use rookery_table::millis;

/// Why a process must run everything.
const NEEDS_DATABASE: &str = "With an SQLite file one process runs everything. --roles and `rookery worker` need a \
     PostgreSQL database: set store.url to postgres://…";

/// The number of ports tried after the default one, if no port was configured.
const PORTS_TRIED: u16 = 20;

/// The channel of the playground with the welcome message.
const PLAYGROUND_CHANNEL: &str = "games";

/// The interval between updates of the gauges.
const GAUGES_INTERVAL: Duration = Duration::from_secs(10);

/// The most waiting messages that are counted.
const OUTBOX_COUNTED: usize = 10_000;

/// Creates the Tokio runtime.
///
/// # Errors
/// If the system refuses threads.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("can't start the runtime")
}

/// Runs the bot until it is asked to stop.
///
/// # Errors
/// Any error that prevents the start or makes it impossible to continue.
pub(crate) fn run(effective: &EffectiveConfig, roles: &Roles) -> anyhow::Result<()> {
    let metrics = Arc::new(Metrics::default());
    log::start(&effective.config.log, metrics.clone())?;
    runtime()?.block_on(serve(effective, roles, metrics))
}

async fn serve(effective: &EffectiveConfig, roles: &Roles, metrics: Arc<Metrics>) -> anyhow::Result<()> {
    let mut config = effective.config.clone();
    let address = config.store.address();
    // Opening a file would create or upgrade it.
    anyhow::ensure!(roles.are_all() || matches!(address, StoreAddress::Postgres(_)), NEEDS_DATABASE);
    let (switch, stop) = shutdown::channel();
    let tasks = Tasks::default();
    supervise_signals(&tasks, switch, &stop);
    let store = OpenStore::open(&address).await?;
    let thinkers = Arc::new(thinkers(&config.ai)?.with_timings(tasks.timings()));
    let registry = registry(store.journal(), thinkers.clone(), tasks.clone())?;
    let drawing = drawing(&config, &tasks);
    let discord_side = DiscordSideSlot::default();
    // Pages that are not configured are beside the playground, so its address comes first.
    let place = match roles.need_discord(config.web.listen.is_some() && config.web.address.is_some()) {
        true => Some(Connection::enter(effective, &tasks).await?),
        false => None,
    };
    let playground = place.as_ref().and_then(|place| place.playground.as_ref()).map(Playground::addr);
    let web = match roles.has(Role::Web) {
        true => listen_for_browsers(&mut config.web, playground).await?,
        false => None,
    };
    let config = &config;
    if let Some(playground) = place.as_ref().and_then(|place| place.playground.as_ref()) {
        fill_in_portal(config, playground);
    }
    let web = web.map(|listener| {
        let pages = pages(config, registry.clone(), drawing.clone(), discord_side.clone());
        page_server(listener, config, pages)
    });
    if let Some(listen) = config.health.listen {
        let gauges = Gauges { metrics: metrics.clone(), registry: registry.clone(), thinkers };
        let servers = web.iter().cloned().collect();
        answer_health(listen, gauges, servers, &stop).await?;
    }
    registry.set_exhibition_pace(Duration::from_secs(config.tables.show_pace_seconds.into()));
    let joined = processes::join(&registry, roles, &stop).await;
    joined.context("can't join the other processes")?;
    registry.resume().await?;
    let backups = backup_maker(&config.store).map(Arc::new);
    if roles.has(Role::Thinker) {
        processes::work(&registry, config.ai.resolved_threads() + 1, &stop);
    }
    if roles.has(Role::Timers) {
        periodic_tasks::begin(&registry, config.tables.challenge_hours, &stop);
        if let Some(backups) = &backups {
            backups::start(&registry, backups.clone(), &stop);
        }
    }
    if let Some(web) = web {
        if config.web.address.is_none() {
            tracing::warn!("web.address is not set, so there are no links to the web pages");
        }
        supervise_server(&tasks, web, &stop);
    }
    let ended = tokio::select! {
        ended = run_bot(config, roles, place.as_ref(), (registry.clone(), drawing, backups, discord_side), &stop) => ended,
        // Unfinished work resumes after the next start.
        () = stop.leaving() => Ok(()),
    };
    if let Some(playground) = place.and_then(|place| place.playground) {
        playground.stop().await;
    }
    // Running tasks would find the journal closed and log errors before the reason for the end is printed.
    registry.close();
    tasks.abort().await;
    store.close().await;
    Ok(ended?)
}

/// Runs the bot on Discord; without a role there, waits until the program stops.
async fn run_bot(
    config: &Config,
    roles: &Roles,
    place: Option<&Connection>,
    (registry, drawing, backups, discord_side): (
        Arc<TableRegistry>,
        Drawing,
        Option<Arc<Backups>>,
        DiscordSideSlot,
    ),
    stop: &Stop,
) -> Result<(), discord::RunError> {
    let Some(place) = place else {
        tracing::info!(%roles, "running without a connection to Discord");
        stop.finishing().await;
        return Ok(());
    };
    let settings = Settings {
        gateway: roles.has(Role::Gateway),
        outbox: roles.has(Role::Outbox),
        client_secret: place.client_secret(config),
        ..settings(config, place.playground.is_some())
    };
    let backups = backups.map(|backups| backups as Arc<dyn BackupMaker>);
    let bot =
        discord::Bot { registry, drawing, settings, languages: Languages::built_in(), backups, discord_side };
    discord::run(bot, &place.token, place.api_base.as_deref(), stop.clone()).await
}

/// Creates the drawing service for Discord and for browsers.
fn drawing(config: &Config, tasks: &Tasks) -> Drawing {
    let cache_bytes = u64::from(config.render.cache_mib) << 20;
    let limits = drawing::Limits { threads: config.render.threads, cache_bytes };
    Drawing::with_tasks(Painter::new(), limits, tasks.clone())
}

fn thinkers(ai: &Ai) -> anyhow::Result<ThinkerPool> {
    let hourly = Duration::from_secs(60 * u64::from(ai.server_minutes));
    let bounds = ThinkingLimits { tables: ai.resolved_server_threads(), hourly };
    let most = Duration::from_millis(ai.think_ms_max);
    ThinkerPool::new(ai.resolved_threads(), most, bounds).context("can't start the threads that think")
}

/// Ends the program on Ctrl-C and SIGTERM, in two stages.
fn supervise_signals(tasks: &Tasks, switch: ShutdownTrigger, stop: &Stop) {
    let task = TaskSpec { name: "signals", interval: None };
    drop(tasks.supervise(task, stop.clone(), move || {
        let switch = switch.clone();
        async move {
            if let Err(error) = switch.advance_at_signals().await {
                tracing::error!(%error, "signals are unavailable, so Rookery can't be asked to stop");
            }
        }
    }));
}

/// Runs a server until the program stops.
fn supervise_server(tasks: &Tasks, server: Server, stop: &Stop) {
    let until = stop.clone();
    drop(tasks.supervise(server.task(), stop.clone(), move || {
        let (server, stop) = (server.clone(), until.clone());
        async move { server.serve(stop.leaving()).await }
    }));
}

fn registry(
    journal: Arc<dyn Journal>,
    thinkers: Arc<ThinkerPool>,
    tasks: Tasks,
) -> anyhow::Result<Arc<TableRegistry>> {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).context("the system provides no random numbers")?;
    Ok(TableRegistry::with_tasks(journal, Arc::new(WallClock), thinkers, u64::from_le_bytes(seed), tasks))
}

fn settings(config: &Config, on_playground: bool) -> Settings {
    Settings {
        message_content: config.discord.message_content || on_playground,
        thread_archive_minutes: config.tables.thread_archive_minutes,
        open_per_person: config.tables.open_per_person as usize,
        challenge_hours: config.tables.challenge_hours,
        confirm: true,
        lobby_interval: discord::LOBBY_INTERVAL,
        tv_interval: discord::TV_INTERVAL,
        theme: config.render.theme.clone(),
        width_px: config.render.width,
        reorder_delay: discord::state::message_order::REORDER_DELAY,
        web: config.web.address.as_ref().map(|address| address.as_str().to_owned()),
        activity: config.web.activity,
        contact: config.discord.contact.clone(),
        report_channel: config.discord.report_channel,
        owner_server: config.discord.owner_server,
        quotas: config.limits,
        shards: config.discord.shards,
        requests_per_second: config.discord.requests_per_second,
        rest_proxy: config.discord.rest_proxy.as_ref().map(|proxy| proxy.as_str().to_owned()),
        greeting: if on_playground {
            Greeting::Welcome(PLAYGROUND_CHANNEL.to_owned())
        } else {
            Greeting::Ask
        },
        ..Settings::default()
    }
}

/// Creates the state of the pages. They use embedded fonts only; the command line also searches the
/// machine's.
fn pages(
    config: &Config,
    registry: Arc<TableRegistry>,
    drawing: Drawing,
    discord_side: DiscordSideSlot,
) -> Web {
    let address = config.web.address.as_ref().map(|address| address.as_str().to_owned());
    let theme = config.render.theme.clone();
    let words = Localizer::english().in_theme(&theme);
    Web { registry, drawing, names: Names::embedded(), words, theme, address, discord_side }
}

/// Opens the listener of the pages; `None` if there are none. On a playground that only this machine reaches, pages that
/// are not configured get a free port and its address, so that *Open board* works without any settings.
async fn listen_for_browsers(
    web: &mut config::Web,
    playground: Option<SocketAddr>,
) -> anyhow::Result<Option<TcpListener>> {
    let beside = playground.filter(|place| place.ip().is_loopback());
    let listener = match (web.listen, beside) {
        (Some(listen), _) => {
            let listener = TcpListener::bind(listen).await;
            listener.with_context(|| format!("can't listen at {listen} (web.listen)"))?
        }
        (None, Some(place)) => listen_beside(place).await.context("no port is free for the web pages")?,
        (None, None) => return Ok(None),
    };
    let listen = listener.local_addr().context("can't read the address of the web pages")?;
    if beside.is_some() && web.address.is_none() && listen.ip().is_loopback() {
        web.address = Some(format!("http://{listen}").parse()?);
    }
    web.listen = Some(listen);
    Ok(Some(listener))
}

/// Listens at one of the ports after the playground's, which stay the same over a restart, or else at any free one.
async fn listen_beside(playground: SocketAddr) -> std::io::Result<TcpListener> {
    let first = playground.port().saturating_add(1);
    for port in (first..=first.saturating_add(PORTS_TRIED)).filter(|port| *port != playground.port()) {
        if let Ok(listener) = TcpListener::bind((playground.ip(), port)).await {
            return Ok(listener);
        }
    }
    TcpListener::bind((playground.ip(), 0)).await
}

/// Creates the server of the pages; it starts to serve once the tables are loaded.
fn page_server(listener: TcpListener, config: &Config, pages: Web) -> Server {
    let limits = Limits {
        connections: config.web.connections as usize,
        requests_per_minute: config.web.requests_per_minute,
        trusted_proxies: config.web.trusted_proxies.clone(),
        ..Limits::default()
    };
    web::page_server(listener, pages, limits)
}

async fn answer_health(
    listen: SocketAddr,
    gauges: Gauges,
    servers: Vec<Server>,
    stop: &Stop,
) -> anyhow::Result<()> {
    let listener = TcpListener::bind(listen).await;
    let listener = listener.with_context(|| format!("can't listen at {listen} (health.listen)"))?;
    let tasks = gauges.registry.tasks().clone();
    let checks = Arc::new(RegistryChecks(gauges.registry.clone()));
    let state = HealthState::new(gauges.metrics.clone(), tasks.clone(), stop.clone(), checks, servers);
    supervise_server(&tasks, health::server(listener, state), stop);
    let (gauges, until) = (Arc::new(gauges), stop.clone());
    let task = TaskSpec { name: "gauges", interval: Some(GAUGES_INTERVAL) };
    drop(tasks.supervise(task, stop.clone(), move || gauges.clone().refresh_forever(until.clone())));
    Ok(())
}

/// The gauges that are updated regularly for monitoring.
struct Gauges {
    metrics: Arc<Metrics>,
    registry: Arc<TableRegistry>,
    thinkers: Arc<ThinkerPool>,
}

impl Gauges {
    async fn refresh_forever(self: Arc<Self>, stop: Stop) {
        let mut moments = tokio::time::interval(GAUGES_INTERVAL);
        loop {
            heartbeat();
            tokio::select! {
                _ = moments.tick() => self.read().await,
                () = stop.leaving() => return,
            }
        }
    }

    async fn read(&self) {
        let tally = self.registry.order_counts();
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        let size = |of: usize| i64::try_from(of).unwrap_or(i64::MAX);
        set_counter(&self.metrics.orders, count(&tally.carried_out));
        set_counter(&self.metrics.refusals, count(&tally.refused));
        // A panic of a player is a bug as well.
        set_counter(&self.metrics.bugs, count(&tally.faults) + self.thinkers.panics());
        self.metrics.tables.set(size(self.registry.loaded_tables()));
        self.metrics.unreadable.set(size(self.registry.unreadable() + self.registry.journal().unreadable()));
        self.metrics.ai_owed.set(size(self.thinkers.owed()));
        match self.registry.journal().due(0, OUTBOX_COUNTED).await {
            Ok(due) => {
                self.metrics.outbox_waiting.set(size(due.len()));
            }
            Err(error) => tracing::warn!(%error, "could not count the outbox"),
        }
    }
}

/// The Discord to connect to.
struct Connection {
    token: String,
    api_base: Option<String>,
    playground: Option<Playground>,
}

impl Connection {
    async fn enter(effective: &EffectiveConfig, tasks: &Tasks) -> anyhow::Result<Connection> {
        match effective.config.target()? {
            DiscordTarget::Discord { token, api_base } => Ok(Connection {
                token: token.expose().to_owned(),
                api_base: api_base.map(|base| base.as_str().to_owned()),
                playground: None,
            }),
            DiscordTarget::Playground(settings) => {
                let playground = open_playground(effective, settings, tasks).await?;
                announce(&playground);
                Ok(Connection {
                    token: playground.token().to_owned(),
                    api_base: Some(playground.api_base()),
                    playground: Some(playground),
                })
            }
        }
    }

    /// Returns the application's secret; the playground has one of its own.
    fn client_secret(&self, config: &Config) -> Option<ClientSecret> {
        let configured = config.discord.client_secret.as_ref().map(|secret| secret.expose());
        let own = self.playground.as_ref().map(Playground::client_secret);
        own.or(configured).map(|secret| ClientSecret(secret.to_owned()))
    }
}

/// Tells the playground where the pages are: what people enter in Discord's developer portal for signing in and for Activities.
fn fill_in_portal(config: &Config, playground: &Playground) {
    if let Some(address) = &config.web.address {
        playground.register_redirect(&format!("{}{}", address.as_str(), web::REDIRECT));
    }
    if let Some(listen) = config.web.listen.filter(|_| config.web.activity) {
        playground.map_activity(listen);
    }
}

/// Opens the playground at an address, or if that was not configured, at the next free port after it.
async fn open_playground(
    effective: &EffectiveConfig,
    settings: config::Playground,
    tasks: &Tasks,
) -> anyhow::Result<Playground> {
    let (listen, data) = (settings.listen, settings.data);
    let chosen = !effective.is_default("playground", "listen");
    let last = if chosen { listen.port() } else { listen.port().saturating_add(PORTS_TRIED) };
    let mut free = (listen.port()..=last).map(|port| SocketAddr::new(listen.ip(), port));
    let Some(address) = free.find(|address| refused(*address).is_none()) else {
        let why = refused(listen).map_or_else(|| "it was taken".to_owned(), |why| why.to_string());
        anyhow::bail!("Can't use {listen}: {why}. Choose another with --listen, such as --listen 9000")
    };
    let options = rookery_playground::Options {
        listen: address,
        data,
        // People who try the bot type moves into the thread.
        allow_message_content: true,
        tasks: Arc::new(PlaygroundTasks(tasks.clone())),
        ..rookery_playground::Options::default()
    };
    Playground::start(options).await
}

/// Returns the error that prevents listening on the address, if there is one.
fn refused(address: SocketAddr) -> Option<std::io::Error> {
    std::net::TcpListener::bind(address).err()
}

/// Prints the playground's address. The bot runs on even if standard output is closed.
fn announce(playground: &Playground) {
    let place = playground.addr();
    let how = format!("Rookery is at http://{place} - open it in a browser and press a button in #games.");
    let _ = writeln!(std::io::stdout(), "{how}\nPress Ctrl-C to stop; games and messages are kept.");
}

/// Creates the backups if a folder for them is configured.
fn backup_maker(store: &config::Store) -> Option<Backups> {
    let folder = store.backup_folder.as_ref()?;
    let every = Duration::from_secs(3_600 * u64::from(store.backup_hours));
    let address = store.address();
    Some(Backups::new(every, |every| Rotation::new(&address, folder, every, store.backups_kept)))
}

/// The open journal.
enum OpenStore {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

impl OpenStore {
    /// Opens the journal, and upgrades it if an older version made it.
    async fn open(address: &StoreAddress) -> Result<OpenStore, StoreError> {
        Ok(match address {
            StoreAddress::Sqlite(path) => Self::Sqlite(Arc::new(Sqlite::open(path).await?)),
            StoreAddress::Postgres(url) => Self::Postgres(Arc::new(Postgres::open(url).await?)),
        })
    }

    fn journal(&self) -> Arc<dyn Journal> {
        match self {
            Self::Sqlite(journal) => journal.clone(),
            Self::Postgres(journal) => journal.clone(),
        }
    }

    async fn close(&self) {
        match self {
            Self::Sqlite(journal) => journal.close().await,
            Self::Postgres(journal) => journal.close().await,
        }
    }
}

/// The system's wall clock.
struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        // In whole milliseconds, as the journal keeps them.
        millis::timestamp(Timestamp::now().as_millisecond())
    }
}
