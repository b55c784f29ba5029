//! The slots of a server's connections.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::address::network;

/// All connections of a server, with their limits.
pub(super) struct ConnectionSlots {
    most: usize,
    most_per_address: usize,
    held: Mutex<SlotTable>,
}

#[derive(Default)]
struct SlotTable {
    next: u64,
    all: BTreeMap<u64, SlotEntry>,
}

struct SlotEntry {
    network: IpAddr,
    exempt: bool,
    /// The time since which no request is in flight; `None` while one is.
    waiting_since: Option<Instant>,
    evicted: Arc<Notify>,
}

/// The slot of one connection; dropping it frees the slot.
pub(super) struct Slot {
    slots: Arc<ConnectionSlots>,
    id: u64,
    evicted: Arc<Notify>,
}

/// A request in flight, until this is dropped. Its connection is not evicted meanwhile.
pub(super) struct InFlight(Arc<Slot>);

impl ConnectionSlots {
    pub(super) fn new(most: usize, most_per_address: usize) -> ConnectionSlots {
        ConnectionSlots {
            most: most.max(1),
            most_per_address: most_per_address.max(1),
            held: Mutex::default(),
        }
    }

    pub(super) fn held(&self) -> usize {
        self.lock().all.len()
    }

    /// Takes a slot for a connection from an address; returns whether another connection was evicted for it,
    /// or `None` without a free slot. `exempt` lifts the limit per address.
    pub(super) fn take(self: &Arc<Self>, peer: IpAddr, exempt: bool) -> Option<(Slot, bool)> {
        let (network, evicted) = (network(peer), Arc::new(Notify::new()));
        let mut held = self.lock();
        let of_same = held.all.values().filter(|place| place.network == network).count();
        let closes = if !exempt && of_same >= self.most_per_address {
            held.evict(|place| place.network == network)?;
            true
        } else if held.all.len() >= self.most {
            // Connections of trusted proxies, which carry many clients, are evicted last.
            held.evict(|place| !place.exempt).or_else(|| held.evict(|_| true))?;
            true
        } else {
            false
        };
        let id = held.next;
        held.next += 1;
        let waiting_since = Some(Instant::now());
        held.all.insert(id, SlotEntry { network, exempt, waiting_since, evicted: evicted.clone() });
        Some((Slot { slots: self.clone(), id, evicted }, closes))
    }

    fn lock(&self) -> MutexGuard<'_, SlotTable> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SlotTable {
    /// Evicts the connection that has waited longest among those that match; `None` if none of them waits.
    fn evict(&mut self, among: impl Fn(&SlotEntry) -> bool) -> Option<()> {
        let waiting = self.all.iter().filter(|(_, place)| among(place));
        let waiting = waiting.filter_map(|(id, place)| Some((place.waiting_since?, *id)));
        let (_, longest) = waiting.min()?;
        self.all.remove(&longest)?.evicted.notify_one();
        Some(())
    }
}

impl Slot {
    /// Completes when the connection must close in favour of another.
    pub(super) async fn evicted(&self) {
        self.evicted.notified().await;
    }

    /// Records the start of a request.
    pub(super) fn begin(self: &Arc<Self>) -> InFlight {
        self.set_waiting(None);
        InFlight(self.clone())
    }

    fn set_waiting(&self, since: Option<Instant>) {
        if let Some(place) = self.slots.lock().all.get_mut(&self.id) {
            place.waiting_since = since;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.lock().all.remove(&self.id);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.set_waiting(Some(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_connection_replaces_the_one_that_waited_longest() {
        let slots = Arc::new(ConnectionSlots::new(2, 2));
        let (busy, _) = slots.take(peer(1), false).unwrap();
        let busy = Arc::new(busy);
        let request = busy.begin();
        let (waits, _) = slots.take(peer(2), false).unwrap();
        let (next, evicted) = slots.take(peer(3), false).unwrap();
        assert!(evicted);
        waits.evicted().await;
        let next = Arc::new(next);
        let also = next.begin();
        assert!(slots.take(peer(4), false).is_none(), "both have a request in flight");
        drop(request);
        let (_newest, evicted) = slots.take(peer(4), false).unwrap();
        assert!(evicted && slots.held() == 2);
        busy.evicted().await;
        drop(also);
    }

    #[test]
    fn address_limit_evicts_only_its_own_connections() {
        let slots = Arc::new(ConnectionSlots::new(10, 2));
        let other = slots.take(peer(9), false).unwrap().0;
        let mine: Vec<_> = (0..5).map(|_| slots.take(peer(1), false).unwrap().0).collect();
        assert_eq!(slots.held(), 3);
        drop(mine);
        assert_eq!(slots.held(), 1);
        drop(other);
        let proxied: Vec<_> = (0..5).map(|_| slots.take(peer(1), true).unwrap().0).collect();
        assert_eq!((proxied.len(), slots.held()), (5, 5));
    }
}
