//! Running: the journal, the tables, the players, the playground or Discord, until asked to stop.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use rookery::discord::{self, Settings};
use rookery::ops::config::{Ai, Config, Effective, Face};
use rookery::ops::health::{Desk, Health};
use rookery::ops::metrics::{Metric, Metrics};
use rookery::ops::stop::{self, Stop};
use rookery::ops::{health, log};
use rookery::playground::{self, Playground};
use rookery::render::{Names, Painter};
use rookery::store::Sqlite;
use rookery::table::hall::Hall;
use rookery::table::patron::Bounds;
use rookery::table::ports::{Clock, Journal};
use rookery::table::thinkers::Thinkers;
use rookery::web::{self, Web};
use rookery::words::{Languages, Words};
use tokio::time::MissedTickBehavior;

/// Ports tried after the usual one, where nobody chose it.
const PORTS_TRIED: u16 = 20;

/// How often the gauges are read.
const GAUGES_EVERY: Duration = Duration::from_secs(10);

/// The most waiting messages that are counted.
const OUTBOX_COUNTED: usize = 10_000;

/// The runtime that everything asynchronous runs on.
///
/// # Errors
/// If the system refuses threads.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("the runtime cannot start")
}

/// Runs the bot until it is told to stop.
///
/// # Errors
/// Whatever keeps it from starting or makes going on senseless.
pub(crate) fn run(effective: &Effective) -> anyhow::Result<()> {
    let metrics = Arc::new(Metrics::default());
    log::start(&effective.config.log, metrics.clone())?;
    runtime()?.block_on(serve(effective, metrics))
}

async fn serve(effective: &Effective, metrics: Arc<Metrics>) -> anyhow::Result<()> {
    let config = &effective.config;
    let (switch, stop) = stop::stop();
    tokio::spawn(switch.press_at_signals());
    let journal = Arc::new(Sqlite::open(&config.store.path).await?);
    let thinkers = Arc::new(thinkers(&config.ai)?);
    let hall = hall(journal.clone(), thinkers.clone())?;
    let health = Arc::new(Health::default());
    if let Some(listen) = config.health.listen {
        let gauges = Gauges { metrics, hall: hall.clone(), thinkers, journal: journal.clone() };
        answer_health(listen, gauges, &health, &stop).await?;
    }
    let place = Place::enter(effective).await?;
    hall.set_show_pace(Duration::from_secs(config.tables.show_pace_seconds.into()));
    hall.resume().await?;
    tokio::spawn(let_go(hall.clone(), stop.clone()));
    tokio::spawn(keep_time(hall.clone(), health.clone(), config.tables.challenge_hours, stop.clone()));
    let painter = Painter::new();
    if let Some(listen) = config.web.listen {
        answer_browsers(listen, pages(config, hall.clone(), painter.clone()), &stop).await?;
    }
    let face = discord::Face {
        hall: hall.clone(),
        painter,
        settings: settings(config, place.playground.is_some()),
        languages: Languages::built_in(),
    };
    let ended = tokio::select! {
        ended = discord::run(face, &place.token, place.api_base.as_deref(), stop.clone()) => ended,
        // What is not done by now is done after the next start.
        () = stop.leaving() => Ok(()),
    };
    note_alive(&hall, &health).await;
    if let Some(playground) = place.playground {
        playground.stop().await;
    }
    journal.close().await;
    Ok(ended?)
}

fn thinkers(ai: &Ai) -> anyhow::Result<Thinkers> {
    let hourly = Duration::from_secs(60 * u64::from(ai.server_minutes));
    let bounds = Bounds { tables: ai.server_threads_here(), hourly };
    let most = Duration::from_millis(ai.think_ms_max);
    Thinkers::new(ai.threads_here(), most, bounds).context("no thread for the players")
}

fn hall(journal: Arc<Sqlite>, thinkers: Arc<Thinkers>) -> anyhow::Result<Arc<Hall>> {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).context("the system gives no random numbers")?;
    Ok(Hall::new(journal, Arc::new(WallClock), thinkers, u64::from_le_bytes(seed)))
}

fn settings(config: &Config, on_playground: bool) -> Settings {
    Settings {
        message_content: config.discord.message_content || on_playground,
        thread_archive_minutes: config.tables.thread_archive_minutes,
        open_per_person: config.tables.open_per_person as usize,
        challenge_hours: config.tables.challenge_hours,
        confirm: true,
        lobby_every: discord::LOBBY_EVERY,
        tv_every: discord::TV_EVERY,
        theme: config.render.theme.clone(),
        width_px: config.render.width,
        settle: discord::order::SETTLE,
        web: config.web.address.as_ref().map(|address| address.as_str().to_owned()),
        contact: config.discord.contact.clone(),
    }
}

/// What pages are made from. A machine's fonts are for share cards alone.
fn pages(config: &Config, hall: Arc<Hall>, painter: Painter) -> Web {
    let address = config.web.address.as_ref().map(|address| address.as_str().to_owned());
    let theme = config.render.theme.clone();
    Web { hall, painter, names: Names::carried(), words: Words::english(), theme, address }
}

/// Pages for whoever watches in a browser.
async fn answer_browsers(listen: SocketAddr, web: Web, stop: &Stop) -> anyhow::Result<()> {
    let listener = tokio::net::TcpListener::bind(listen).await;
    let listener = listener.with_context(|| format!("web.listen: {listen} is not to be had"))?;
    let stop = stop.clone();
    tokio::spawn(web::serve(listener, web, async move { stop.leaving().await }));
    Ok(())
}

async fn answer_health(
    listen: SocketAddr,
    gauges: Gauges,
    health: &Arc<Health>,
    stop: &Stop,
) -> anyhow::Result<()> {
    let listener = tokio::net::TcpListener::bind(listen).await;
    let listener = listener.with_context(|| format!("health.listen: {listen} is not to be had"))?;
    let desk = Desk { health: health.clone(), metrics: gauges.metrics.clone(), stop: stop.clone() };
    tokio::spawn(health::serve(listener, desk));
    tokio::spawn(gauges.keep(health.clone(), stop.clone()));
    Ok(())
}

/// What is read off now and then for whoever watches from outside.
struct Gauges {
    metrics: Arc<Metrics>,
    hall: Arc<Hall>,
    thinkers: Arc<Thinkers>,
    journal: Arc<Sqlite>,
}

impl Gauges {
    async fn keep(self, health: Arc<Health>, stop: Stop) {
        let mut moments = tokio::time::interval(GAUGES_EVERY);
        loop {
            tokio::select! {
                _ = moments.tick() => self.read(&health).await,
                () = stop.leaving() => return,
            }
        }
    }

    async fn read(&self, health: &Health) {
        let tally = self.hall.tally();
        let count = |of: &AtomicU64| i64::try_from(of.load(Ordering::Relaxed)).unwrap_or(i64::MAX);
        let size = |of: usize| i64::try_from(of).unwrap_or(i64::MAX);
        self.metrics.set(Metric::Orders, count(&tally.carried_out));
        self.metrics.set(Metric::Refusals, count(&tally.refused));
        self.metrics.set(Metric::Bugs, count(&tally.faults));
        self.metrics.set(Metric::Tables, size(self.hall.awake()));
        self.metrics.set(Metric::Unreadable, size(self.hall.unreadable() + self.journal.unreadable()));
        self.metrics.set(Metric::AiOwed, size(self.thinkers.owed()));
        match self.hall.out_of_reach_for() {
            None => health.well("gateway"),
            Some(lost) => health.ill("gateway", format!("Discord is out of reach for {} s", lost.as_secs())),
        }
        match self.journal.due(0, OUTBOX_COUNTED).await {
            Ok(due) => {
                self.metrics.set(Metric::OutboxWaiting, size(due.len()));
                health.well("store");
            }
            Err(error) => health.ill("store", error.to_string()),
        }
    }
}

/// Where the bot plays.
struct Place {
    token: String,
    api_base: Option<String>,
    playground: Option<Playground>,
}

impl Place {
    async fn enter(effective: &Effective) -> anyhow::Result<Place> {
        match effective.config.face()? {
            Face::Discord { token, api_base } => Ok(Place {
                token: token.expose().to_owned(),
                api_base: api_base.map(|base| base.as_str().to_owned()),
                playground: None,
            }),
            Face::Playground(settings) => {
                let chosen = !effective.is_default("playground", "listen");
                let playground = open_playground(settings.listen, chosen, settings.data.as_deref()).await?;
                announce(&playground);
                Ok(Place {
                    token: playground.token().to_owned(),
                    api_base: Some(playground.api_base()),
                    playground: Some(playground),
                })
            }
        }
    }
}

/// Opens the playground at an address, or, if nobody chose that one, at the next free port after it.
async fn open_playground(
    listen: SocketAddr,
    chosen: bool,
    data: Option<&Path>,
) -> anyhow::Result<Playground> {
    let last = if chosen { listen.port() } else { listen.port().saturating_add(PORTS_TRIED) };
    let mut free = (listen.port()..=last).map(|port| SocketAddr::new(listen.ip(), port));
    let Some(address) = free.find(|address| refused(*address).is_none()) else {
        let why = refused(listen).map_or_else(|| "it was taken".to_owned(), |why| why.to_string());
        anyhow::bail!("{listen} cannot be used: {why}. Choose another with --listen, such as --listen 9000")
    };
    let data = data.map(Path::to_owned);
    let options = playground::Options {
        listen: address,
        data,
        // Whoever tries it types moves plainly into the thread.
        allow_message_content: true,
        ..playground::Options::default()
    };
    Playground::start(options).await
}

/// Why nobody can listen there, if so.
fn refused(address: SocketAddr) -> Option<std::io::Error> {
    std::net::TcpListener::bind(address).err()
}

/// The address is what the command answers with; whether anybody reads it or not, games go on.
fn announce(playground: &Playground) {
    let place = playground.addr();
    let how = format!("Rookery is at http://{place} - open it in a browser and write /play in #games.");
    let _ = writeln!(std::io::stdout(), "{how}\nCtrl-C ends it; games and messages are kept.");
}

/// Does what time brings: clocks every second; challenges that nobody took, and the sign that we are
/// there, every minute.
async fn keep_time(hall: Arc<Hall>, health: Arc<Health>, challenge_hours: u32, stop: Stop) {
    let oldest = Duration::from_secs(3_600 * u64::from(challenge_hours));
    let mut minutes = tokio::time::interval(Duration::from_secs(60));
    let mut seconds = tokio::time::interval(Duration::from_secs(1));
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let began_ms = hall.now_ms();
        let minute = tokio::select! {
            _ = minutes.tick() => true,
            _ = seconds.tick() => false,
            () = stop.finishing() => return,
        };
        hall.waited_since(began_ms);
        match minute {
            true => every_minute(&hall, &health, oldest).await,
            false => drop(hall.tick().await),
        }
    }
}

async fn every_minute(hall: &Hall, health: &Health, oldest: Duration) {
    if let Err(error) = hall.let_run_out(oldest).await {
        tracing::warn!(%error, "challenges could not be looked through; trying again in a minute");
    }
    note_alive(hall, health).await;
}

/// What is not noted is only given back once more after the next start; but where this cannot be written,
/// nothing can.
async fn note_alive(hall: &Hall, health: &Health) {
    match hall.note_alive().await {
        Ok(()) => health.well("writing"),
        Err(error) => {
            tracing::warn!(%error, "that we are there could not be noted");
            health.ill("writing", error.to_string());
        }
    }
}

/// Ends the games, hour by hour, whose server has been out of reach for too long, and deletes those that were
/// brought along to be looked at long ago.
async fn let_go(hall: Arc<Hall>, stop: Stop) {
    let mut hours = tokio::time::interval(Duration::from_secs(3_600));
    loop {
        tokio::select! {
            _ = hours.tick() => {}
            () = stop.finishing() => return,
        }
        if let Err(error) = hall.let_go().await {
            tracing::warn!(%error, "games that stand still could not be looked through; trying again");
        }
        if let Err(error) = hall.let_imports_go().await {
            tracing::warn!(%error, "games that were brought along long ago could not be deleted; trying again");
        }
        match hall.finish_deletions().await {
            Ok(0) => {}
            Ok(tables) => {
                tracing::warn!(tables, "deletions of people's data wait for tables that cannot be read")
            }
            Err(error) => {
                tracing::warn!(%error, "deletions of people's data could not be finished; trying again")
            }
        }
        if let Err(error) = hall.prune_outbox().await {
            tracing::warn!(%error, "the outbox could not be pruned; trying again");
        }
    }
}

/// The wall clock.
struct WallClock;

impl Clock for WallClock {
    fn now_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}
