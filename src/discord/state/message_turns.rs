//! Turns for messages: a bounded number is handled at a time, round-robin over the servers.
//!
//! In a rush, messages wait here rather than in the queue of the async threads. Interactions don't take turns, so they
//! are still acknowledged within Discord's three seconds, and no server waits for the backlog of another.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::discord::wire::snowflake::GuildOrChannel;

/// The number of messages that are handled at a time.
const CONCURRENT: usize = 64;
/// The most messages of one server that wait.
const MAX_WAITING_OF_ONE: usize = 1_000;
/// The most messages that wait, about 1 KiB each.
const MAX_WAITING: usize = 100_000;
/// The interval between two notes to a server that messages are skipped.
const TELL_INTERVAL: Duration = Duration::from_secs(60);
/// The most servers whose last note is remembered.
const MAX_TOLD: usize = 10_000;

/// Hands out turns. Clones share them.
#[derive(Clone)]
pub struct MessageTurns {
    queue: Arc<Mutex<Queue>>,
    /// When servers were told last that messages are skipped.
    told: Arc<Cache<GuildOrChannel, Instant>>,
}

/// The right to handle a message, until it is dropped.
pub struct Turn(MessageTurns);

#[derive(Default)]
struct Queue {
    /// The number of turns that are taken.
    taken: usize,
    /// The number of messages that wait.
    waiting: usize,
    /// The servers with waiting messages, in the order of their turns.
    order: VecDeque<GuildOrChannel>,
    of_server: HashMap<GuildOrChannel, VecDeque<oneshot::Sender<Turn>>>,
}

impl Default for MessageTurns {
    fn default() -> MessageTurns {
        MessageTurns { queue: Arc::default(), told: Arc::new(Cache::new(MAX_TOLD)) }
    }
}

impl MessageTurns {
    /// Waits for the turn of a message on a server, or in a channel outside of servers. Returns nothing if too many
    /// messages wait already.
    pub(in crate::discord) async fn wait(&self, server: GuildOrChannel) -> Option<Turn> {
        let turn = {
            let mut queue = self.queue();
            if queue.taken < CONCURRENT {
                queue.taken += 1;
                return Some(Turn(self.clone()));
            }
            queue.push(server)?
        };
        // The sender is dropped only together with the queue, which this holds.
        turn.await.ok()
    }

    /// Returns the number of messages that wait.
    #[cfg(test)]
    fn waiting(&self) -> usize {
        self.queue().waiting
    }

    /// Whether a server may be told now that messages are skipped; counts as telling it.
    pub(in crate::discord) fn may_tell(&self, server: GuildOrChannel) -> bool {
        let recent = self.told.get(&server).is_some_and(|at| at.elapsed() < TELL_INTERVAL);
        if !recent {
            self.told.insert(server, Instant::now());
        }
        !recent
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn push(&mut self, server: GuildOrChannel) -> Option<oneshot::Receiver<Turn>> {
        if self.waiting >= MAX_WAITING {
            return None;
        }
        let queue = self.of_server.entry(server).or_default();
        if queue.len() >= MAX_WAITING_OF_ONE {
            return None;
        }
        if queue.is_empty() {
            self.order.push_back(server);
        }
        let (sender, receiver) = oneshot::channel();
        queue.push_back(sender);
        self.waiting += 1;
        Some(receiver)
    }

    /// Takes the first message of the next server that is still wanted, or ends the turn if none waits.
    fn pop(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some(server) = self.order.pop_front() {
            let Some(queue) = self.of_server.get_mut(&server) else { continue };
            let first = queue.pop_front();
            if queue.is_empty() {
                self.of_server.remove(&server);
            } else {
                self.order.push_back(server);
            }
            let Some(first) = first else { continue };
            self.waiting -= 1;
            if !first.is_closed() {
                return Some(first);
            }
        }
        self.taken -= 1;
        None
    }
}

impl Drop for Turn {
    /// Passes the turn on.
    fn drop(&mut self) {
        let next = self.0.queue().pop();
        if let Some(next) = next {
            // If the other one stops waiting just now, this drops the turn, which passes it on.
            drop(next.send(Turn(self.0.clone())));
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use rookery_table::GuildId;

    use super::*;

    const BUSY: GuildOrChannel = GuildOrChannel::Guild(GuildId(1));
    const CALM: GuildOrChannel = GuildOrChannel::Guild(GuildId(2));

    /// Takes all turns.
    async fn full() -> (MessageTurns, Vec<Turn>) {
        let (turns, mut taken) = (MessageTurns::default(), Vec::new());
        for _ in 0..CONCURRENT {
            taken.push(turns.wait(BUSY).await.expect("a free turn"));
        }
        (turns, taken)
    }

    /// Asks whether a message still waits.
    fn waits(message: impl Future<Output = Option<Turn>> + Unpin) -> bool {
        message.now_or_never().is_none()
    }

    #[tokio::test]
    async fn a_calm_server_does_not_wait_for_the_backlog_of_a_busy_one() {
        let (turns, mut taken) = full().await;
        let mut messages: Vec<_> =
            [BUSY, BUSY, BUSY, CALM].map(|server| (server, Box::pin(turns.wait(server)))).into();
        for (_, message) in &mut messages {
            assert!(waits(message));
        }
        assert_eq!(turns.waiting(), 4);
        let mut order = Vec::new();
        while !messages.is_empty() {
            drop(taken.pop());
            let next = messages.iter_mut().enumerate().find_map(|(at, (_, message))| {
                let turn = message.now_or_never()?;
                Some((at, turn))
            });
            let (at, turn) = next.expect("a turn was given back");
            taken.insert(0, turn.expect("there is room to wait"));
            order.push(messages.remove(at).0);
        }
        assert_eq!(order, [BUSY, CALM, BUSY, BUSY]);
    }

    #[tokio::test]
    async fn one_who_stops_waiting_takes_no_turn() {
        let (turns, mut taken) = full().await;
        let (mut gone, mut stays) = (Box::pin(turns.wait(BUSY)), Box::pin(turns.wait(CALM)));
        assert!(waits(&mut gone) && waits(&mut stays));
        drop(gone);
        drop(taken.pop());
        let turn = stays.now_or_never().expect("a turn was given back");
        assert!(turn.is_some());
        drop(turn);
        taken.clear();
        assert_eq!((turns.waiting(), turns.queue().taken), (0, 0));
    }

    #[tokio::test]
    async fn a_server_with_too_many_waiting_messages_gets_no_more_turns() {
        let (turns, _taken) = full().await;
        let mut messages: Vec<_> = (0..MAX_WAITING_OF_ONE).map(|_| Box::pin(turns.wait(BUSY))).collect();
        assert!(messages.iter_mut().all(waits));
        assert!(turns.wait(BUSY).await.is_none());
        assert!(waits(Box::pin(turns.wait(CALM))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_learns_once_a_minute_that_messages_are_skipped() {
        let turns = MessageTurns::default();
        assert!(turns.may_tell(BUSY) && !turns.may_tell(BUSY) && turns.may_tell(CALM));
        tokio::time::advance(TELL_INTERVAL).await;
        assert!(turns.may_tell(BUSY));
    }
}
