//! Measures a game that many people watch in their browsers: `cargo bench --bench spectators -- --people 1000`.
//!
//! Everything runs in one process on this machine: the game, the web server, and the spectators, who are connections that
//! read the event stream of a shared game and, as the page does, fetch the new position after each event. Measured are the
//! time from an order until the spectators know of it and have the position, and the memory of the process.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it found")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use jiff::Timestamp;
use rookery::drawing::Drawing;
use rookery::http_server::Limits;
use rookery::observability::metrics;
use rookery::web::{self, Web};
use rookery_i18n::Localizer;
use rookery_render::{Names, Painter};
use rookery_store::Sqlite;
use rookery_table::millis;
use rookery_table::ports::Clock;
use rookery_table::registry::TableRegistry;
use rookery_table::thinkers::ThinkerPool;
use rookery_table::thinking_limits::ThinkingLimits;
use rookery_table::{Actor, ChannelId, GuildId, Occupant, Order, TableId, Terms, UserId};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// Measures a watched game.
#[derive(Clone, Debug, Parser)]
struct Watched {
    /// People who watch.
    #[arg(long, default_value_t = 1_000)]
    people: usize,
    /// Moves that they see.
    #[arg(long, default_value_t = 40)]
    moves: usize,
    /// Milliseconds between moves.
    #[arg(long, default_value_t = 1_000)]
    pause: u64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What a spectator has seen, and when.
#[derive(Debug)]
enum Seen {
    /// An event of the stream.
    Event(Instant),
    /// The position that was fetched after it.
    Position(Instant),
    /// The position was not to be had.
    Failed(anyhow::Error),
}

struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        millis::timestamp(0)
    }
}

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(Watched::parse()))
}

async fn run(watched: Watched) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let registry = registry(&folder).await?;
    let (table, page) = open(&registry).await?;
    let site = serve(&registry, watched.people).await?;
    println!("{} people watch one game, {} moves", watched.people, watched.moves);

    let before = resident_kib();
    let (seen, mut heard) = mpsc::unbounded_channel();
    for _ in 0..watched.people {
        let mut stream = subscribe(site, &page).await?;
        let (seen, page) = (seen.clone(), page.clone());
        tokio::spawn(async move {
            while next_event(&mut stream).await.is_ok() {
                let _ = seen.send(Seen::Event(Instant::now()));
                let fetched = fetch(site, &format!("{page}/step?ply=2000")).await;
                let _ = seen.send(fetched.map_or_else(Seen::Failed, |()| Seen::Position(Instant::now())));
            }
        });
    }
    let connected = resident_kib();

    let (mut events, mut positions, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..watched.moves {
        let since = Instant::now();
        play(&registry, table).await?;
        let ended = since + Duration::from_secs(30);
        for _ in 0..2 * watched.people {
            let next = tokio::time::timeout_at(ended.into(), heard.recv()).await;
            let next = next.with_context(|| format!("move {number} reached not everybody"))?;
            match next.context("the spectators have left")? {
                Seen::Event(at) => events.push(at - since),
                Seen::Position(at) => positions.push(at - since),
                Seen::Failed(error) => failures.push(error.to_string()),
            }
        }
        tokio::time::sleep(Duration::from_millis(watched.pause)).await;
    }
    print_times("order to event", events);
    print_times("order to fetched position", positions);
    println!("  positions not to be had: {} {:?}", failures.len(), failures.first());
    let each = |kib: f64| (kib - before) / watched.people as f64;
    println!(
        "  memory: {:.1} KiB a spectator, both ends; after the moves {:.1} KiB",
        each(connected),
        each(resident_kib())
    );
    Ok(())
}

async fn registry(folder: &tempfile::TempDir) -> Result<Arc<TableRegistry>> {
    let journal = Arc::new(Sqlite::open(&folder.path().join("rookery.sqlite")).await?);
    let thinkers = Arc::new(ThinkerPool::new(1, Duration::from_secs(8), ThinkingLimits::NONE)?);
    Ok(TableRegistry::new(journal, Arc::new(FixedClock), thinkers, 1))
}

/// Opens a game between two people; returns its table, and the path of the page that one of them shares.
async fn open(registry: &TableRegistry) -> Result<(TableId, String)> {
    let people = [UserId(11), UserId(12)];
    let terms = Terms {
        game: "amazons".into(),
        seed: 1,
        guild: Some(GuildId(77)),
        channel: ChannelId(78),
        ..Terms::default()
    };
    let chairs = people.map(|person| Occupant::Human { person }).to_vec();
    let table = registry.open(terms, people[0], chairs, None).await?.table;
    let link = registry.share(&table, people[0]).await?;
    Ok((table.id(), format!("/g/{}", link.token.as_str())))
}

/// Serves the pages, to as many connections as people have.
async fn serve(registry: &Arc<TableRegistry>, people: usize) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let web = Web {
        registry: registry.clone(),
        drawing: Drawing::with_tasks(Painter::new(), Default::default(), registry.tasks().clone()),
        names: Names::embedded(),
        words: Localizer::english(),
        theme: "walnut".into(),
        address: Some(format!("http://{address}")),
        discord_side: Default::default(),
    };
    // Everybody comes from one address here.
    let limits = Limits {
        connections: 4 * people.max(100),
        connections_per_address: 4 * people.max(100),
        streams_per_address: 2 * people.max(100),
        requests_per_minute: 0,
        ..Limits::default()
    };
    tokio::spawn(web::page_server(listener, web, limits).serve(std::future::pending()));
    Ok(address)
}

async fn play(registry: &TableRegistry, id: TableId) -> Result<()> {
    let table = registry.table(id).await?;
    let who = table.to_move().and_then(|seat| table.occupant(seat)).and_then(Occupant::person);
    let text = table.play().and_then(|play| play.moves().into_iter().next());
    let (who, text) = (who.context("the game is over")?, text.context("no move")?);
    registry.order(id, Actor::Person(who), Order::Move { text, ply: None }, None).await?;
    Ok(())
}

/// Opens an event stream; returns it after its first event, which has the present position.
async fn subscribe(site: SocketAddr, page: &str) -> Result<BufReader<TcpStream>> {
    let mut stream = TcpStream::connect(site).await?;
    let request =
        format!("GET {page}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut stream = BufReader::with_capacity(1_024, stream);
    let mut status = String::new();
    stream.read_line(&mut status).await?;
    ensure!(status.contains(" 200 "), "the stream is refused: {status}");
    next_event(&mut stream).await?;
    Ok(stream)
}

async fn next_event(stream: &mut BufReader<TcpStream>) -> Result<()> {
    let mut line = String::new();
    loop {
        line.clear();
        ensure!(stream.read_line(&mut line).await? > 0, "the stream has ended");
        if line.starts_with("data:") {
            return Ok(());
        }
    }
}

/// Fetches a file, and reads it to its end.
async fn fetch(site: SocketAddr, path: &str) -> Result<()> {
    let mut stream = TcpStream::connect(site).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let status = answer.split(|byte| *byte == b'\r').next().unwrap_or_default();
    ensure!(status.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(status));
    Ok(())
}

fn print_times(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("  {name:<26} p50 {:>9.2?}  p99 {:>9.2?}  slowest {:>9.2?}", at(0.5), at(0.99), at(1.0));
}

fn resident_kib() -> f64 {
    metrics::resident_bytes().unwrap_or_default() as f64 / 1_024.0
}
