//! An HTTP/1.1 server that nobody can occupy: connections, heads, bodies, answers and requests per address have
//! limits, and so have streams of events, which last.
//!
//! A connection that sends no whole request head in time is closed, and so is one that takes its answer too slowly.
//! Where all connections are taken, a new one replaces the one that has waited longest without a request in flight;
//! where all have one, it is refused. So neither half-open requests nor idle connections keep anybody out.

mod address;
mod connection;
mod headers;
mod rate;
mod slots;
mod stall;
mod streams;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use connection::Connection;
use rate::RateLimiter;
use rookery_tasks::{TaskSpec, Tasks, heartbeat};
use slots::{ConnectionSlots, Slot};
use streams::Streams;

/// How often the accept loop beats while nobody connects.
const BEAT_INTERVAL: Duration = Duration::from_secs(10);
/// The wait after an error that is the machine's, such as no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);
/// How long requests in flight may take once the server stops.
const LAST_ANSWERS: Duration = Duration::from_secs(2);
/// What a connection gets for which there is no room.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n\
    Content-Type: text/plain\r\nContent-Length: 44\r\n\r\nToo many connections; try again in a moment\n";

/// What a server allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Connections at a time; at least 1.
    pub connections: usize,
    /// Connections at a time from one address (of IPv6, from one /64 network); trusted proxies are exempt.
    pub connections_per_address: usize,
    /// Streams of events at a time to one client (of IPv6, to one /64 network), as trusted proxies name it. All
    /// streams together take three quarters of the connections at most, so that pages are always answered.
    pub streams_per_address: usize,
    /// How long a request head may take to come, from the connection or the answer before it on.
    pub head_timeout: Duration,
    /// The largest request head in bytes; at least 8,192.
    pub head_bytes: usize,
    /// How long it may take until an answer begins. Then 503 is answered.
    pub answer_timeout: Duration,
    /// For how long a client may take nothing of its answer.
    pub stall_timeout: Duration,
    /// How long a connection may last. Pages that follow a game connect again by themselves.
    pub lifetime: Duration,
    /// Requests a minute from one address (of IPv6, from one /64 network); 0 is no limit.
    pub requests_per_minute: u32,
    /// Proxies whose `X-Forwarded-For` names the client's address.
    pub trusted_proxies: Vec<IpAddr>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 512,
            connections_per_address: 128,
            streams_per_address: 32,
            head_timeout: Duration::from_secs(10),
            head_bytes: 16 * 1024,
            answer_timeout: Duration::from_secs(30),
            stall_timeout: Duration::from_secs(20),
            lifetime: Duration::from_secs(3_600),
            requests_per_minute: 600,
            trusted_proxies: Vec::new(),
        }
    }
}

/// What happened at a server since its start.
#[derive(Debug, Default)]
pub struct Stats {
    /// Connections refused because there was no room.
    pub refused: AtomicU64,
    /// Waiting connections that were closed for new ones.
    pub evicted: AtomicU64,
    /// Requests refused because their address sent too many.
    pub rate_limited: AtomicU64,
}

/// A server that may be started several times in turn, as its supervisor does; copies share everything.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

struct Shared {
    name: &'static str,
    listener: TcpListener,
    router: Router,
    limits: Limits,
    rate: Option<RateLimiter>,
    slots: Arc<ConnectionSlots>,
    streams: Arc<Streams>,
    stats: Stats,
    tasks: Tasks,
    has_warned_of_proxy: Once,
}

impl Shared {
    /// Once for each server: the log would not get any clearer by repetition.
    fn warn_of_proxy(&self, peer: IpAddr) {
        self.has_warned_of_proxy.call_once(|| {
            tracing::warn!(
                server = self.name,
                %peer,
                "requests come through a proxy that is not trusted, so all visitors share the limits of one address; \
                 name it in web.trusted_proxies"
            );
        });
    }
}

impl Server {
    /// A server that answers with a router; it takes no request bodies. `name` is for its tasks and metrics.
    pub fn new(
        name: &'static str,
        listener: TcpListener,
        router: Router,
        limits: Limits,
        tasks: Tasks,
    ) -> Server {
        let rate =
            (limits.requests_per_minute > 0).then(|| RateLimiter::per_minute(limits.requests_per_minute));
        let slots = Arc::new(ConnectionSlots::new(limits.connections, limits.connections_per_address));
        let streams = Arc::new(Streams::of(limits.connections, limits.streams_per_address));
        Server(Arc::new(Shared {
            name,
            listener,
            router,
            limits,
            rate,
            slots,
            streams,
            stats: Stats::default(),
            tasks,
            has_warned_of_proxy: Once::new(),
        }))
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// What its supervisor must know of it.
    pub fn task(&self) -> TaskSpec {
        TaskSpec { name: self.0.name, interval: Some(BEAT_INTERVAL) }
    }

    /// Connections that it holds now.
    pub fn connections(&self) -> usize {
        self.0.slots.held()
    }

    /// What happened since its start.
    pub fn stats(&self) -> &Stats {
        &self.0.stats
    }

    /// Answers until `stopped` comes true; requests in flight are given a few seconds then.
    pub async fn serve(self, stopped: impl Future<Output = ()>) {
        let (stopping, is_stopping) = watch::channel(false);
        let mut stopped = std::pin::pin!(stopped);
        loop {
            heartbeat();
            tokio::select! {
                accepted = self.0.listener.accept() => match accepted {
                    Ok((stream, peer)) => self.admit(stream, peer.ip().to_canonical(), &is_stopping),
                    Err(error) => self.not_accepted(&error).await,
                },
                () = tokio::time::sleep(BEAT_INTERVAL) => {}
                () = &mut stopped => break,
            }
        }
        stopping.send_replace(true);
        drop(is_stopping);
        // Every connection holds a receiver.
        let _ = tokio::time::timeout(LAST_ANSWERS, stopping.closed()).await;
    }

    fn admit(&self, stream: TcpStream, peer: IpAddr, is_stopping: &watch::Receiver<bool>) {
        let exempt = self.0.limits.trusted_proxies.contains(&peer);
        let Some((slot, evicted)) = self.0.slots.take(peer, exempt) else {
            self.0.stats.refused.fetch_add(1, Ordering::Relaxed);
            // A client that does not read it has lost nothing.
            let _ = stream.try_write(FULL);
            return;
        };
        self.0.stats.evicted.fetch_add(u64::from(evicted), Ordering::Relaxed);
        let connection = Connection { server: self.0.clone(), peer, slot };
        drop(self.0.tasks.spawn(self.0.name, connection.run(stream, is_stopping.clone())));
    }

    async fn not_accepted(&self, error: &std::io::Error) {
        use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
        if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
            tracing::error!(server = self.0.name, %error, "no connection can be accepted; trying again");
            tokio::time::sleep(ACCEPT_PAUSE).await;
        }
    }
}
