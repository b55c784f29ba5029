//! An HTTP/1.1 server that no client can monopolise: connections, request heads, bodies, responses, event
//! streams and requests per address have limits.
//!
//! A connection that does not send a whole request head in time is closed, and so is one that reads its
//! response too slowly. If all slots are taken, a new connection replaces the one that has waited longest
//! without a request in flight; if all have one, the new connection is refused. Therefore half-open requests
//! and idle connections block nobody.

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

/// The heartbeat interval of the accept loop while nobody connects.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(10);
/// The pause after an error of the system, such as having no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);
/// The time for requests in flight once the server stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// The response to a connection without a slot.
const NO_SLOT_RESPONSE: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n\
    Content-Type: text/plain\r\nContent-Length: 44\r\n\r\nToo many connections; try again in a moment\n";

/// The limits of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The most connections at a time; at least 1.
    pub connections: usize,
    /// The most connections of one address (for IPv6, one /64 network); trusted proxies are exempt.
    pub connections_per_address: usize,
    /// The most event streams of one client (for IPv6, one /64 network), as named by trusted proxies. All
    /// streams together use at most three quarters of the connections, so that pages are always served.
    pub streams_per_address: usize,
    /// The time for a request head to arrive, from the start of the connection or the end of the previous
    /// response.
    pub head_timeout: Duration,
    /// The largest request head in bytes; at least 8,192.
    pub head_bytes: usize,
    /// The time until a response begins; afterwards the server responds with 503.
    pub answer_timeout: Duration,
    /// The longest time in which a client may read nothing of its response.
    pub stall_timeout: Duration,
    /// The longest life of a connection. Pages that follow a game reconnect by themselves.
    pub lifetime: Duration,
    /// The most requests of one address (for IPv6, one /64 network) in a minute; 0 means no limit.
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

/// Counters of a server since its start.
#[derive(Debug, Default)]
pub struct Stats {
    /// Connections refused because no slot was free.
    pub refused: AtomicU64,
    /// Waiting connections closed in favour of new ones.
    pub evicted: AtomicU64,
    /// Requests refused because their address sent too many.
    pub rate_limited: AtomicU64,
}

/// A server. Its supervisor may call [`Server::serve`] again after a failure; clones share everything.
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
    /// Logs the warning once per server: repetition would not make it clearer.
    fn warn_of_proxy(&self, peer: IpAddr) {
        self.has_warned_of_proxy.call_once(|| {
            tracing::warn!(
                server = self.name,
                %peer,
                "requests come through a proxy that is not trusted, so all visitors share the limits of one address; \
                 name it in web.trusted_proxies, and let it send X-Forwarded-For"
            );
        });
    }
}

impl Server {
    /// Creates a server for a router; it accepts no request bodies. `name` identifies its task and metrics.
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

    /// Returns the name for tasks and metrics.
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Returns the specification for its supervisor.
    pub fn task(&self) -> TaskSpec {
        TaskSpec { name: self.0.name, interval: Some(HEARTBEAT_INTERVAL) }
    }

    /// Returns the number of open connections.
    pub fn connections(&self) -> usize {
        self.0.slots.held()
    }

    /// Returns the counters since its start.
    pub fn stats(&self) -> &Stats {
        &self.0.stats
    }

    /// Serves until `stopped` completes, then gives requests in flight `SHUTDOWN_GRACE`.
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
                () = tokio::time::sleep(HEARTBEAT_INTERVAL) => {}
                () = &mut stopped => break,
            }
        }
        stopping.send_replace(true);
        drop(is_stopping);
        // The channel closes when the last connection drops its receiver.
        let _ = tokio::time::timeout(SHUTDOWN_GRACE, stopping.closed()).await;
    }

    fn admit(&self, stream: TcpStream, peer: IpAddr, is_stopping: &watch::Receiver<bool>) {
        let exempt = self.0.limits.trusted_proxies.contains(&peer);
        let Some((slot, evicted)) = self.0.slots.take(peer, exempt) else {
            self.0.stats.refused.fetch_add(1, Ordering::Relaxed);
            // A client that cannot receive it at once gets only the close.
            let _ = stream.try_write(NO_SLOT_RESPONSE);
            return;
        };
        self.0.stats.evicted.fetch_add(u64::from(evicted), Ordering::Relaxed);
        let connection = Connection { server: self.0.clone(), peer, slot };
        drop(self.0.tasks.spawn(self.0.name, connection.run(stream, is_stopping.clone())));
    }

    async fn not_accepted(&self, error: &std::io::Error) {
        use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
        if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
            tracing::error!(server = self.0.name, %error, "could not accept a connection; trying again");
            tokio::time::sleep(ACCEPT_PAUSE).await;
        }
    }
}
