//! The slots of event streams. A stream keeps its connection as long as it lasts.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{HeaderMap, header};

use super::address::network;

/// One of this many connections is reserved for responses that end.
const SHARE: usize = 4;

/// The streams of a server, counted by client address.
pub(super) struct Streams {
    most: usize,
    most_per_address: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// The slot of one stream; dropping it frees the slot.
pub(super) struct Stream {
    streams: Arc<Streams>,
    network: IpAddr,
}

impl Streams {
    /// Creates the slots for a server with this many connections: a quarter of them is never used by streams.
    pub(super) fn of(connections: usize, most_per_address: usize) -> Streams {
        let most = connections - connections.div_ceil(SHARE).min(connections);
        Streams { most, most_per_address, open: Mutex::default() }
    }

    /// Takes a slot for a stream to a client; `None` without a free slot.
    pub(super) fn take(self: &Arc<Streams>, client: IpAddr) -> Option<Stream> {
        let (network, mut open) = (network(client), self.lock());
        let (all, own): (usize, _) = (open.values().sum(), open.get(&network).copied().unwrap_or(0));
        if all >= self.most || own >= self.most_per_address {
            return None;
        }
        open.insert(network, own + 1);
        Some(Stream { streams: self.clone(), network })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        match open.get_mut(&self.network) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(open.remove(&self.network)),
        }
    }
}

/// Whether a response is an event stream.
pub(super) fn is_stream(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_limited_and_free_their_slots() {
        let streams = Arc::new(Streams::of(8, 4));
        let peer = |last: u8| IpAddr::from([192, 0, 2, last]);
        let mut own: Vec<_> = (0..4).map(|_| streams.take(peer(1)).unwrap()).collect();
        assert!(streams.take(peer(1)).is_none(), "one address has its own places only");
        let others: Vec<_> = (2..4).map(|last| streams.take(peer(last)).unwrap()).collect();
        assert!(streams.take(peer(9)).is_none(), "a quarter of 8 connections is left");
        drop(own.pop());
        assert!(streams.take(peer(9)).is_some());
        drop((own, others));
        assert!(streams.lock().is_empty());
    }
}
