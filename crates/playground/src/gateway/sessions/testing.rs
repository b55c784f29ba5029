//! What tests do with sessions and read of them.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::Value;
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::super::super::discord_state::gateway_events::GatewayEvent;
use super::{SessionCommand, Sessions};
use crate::id::Id;

/// An event for the bot, whether or not a session received it.
#[derive(Clone, Debug)]
pub struct ObservedEvent {
    /// The name, such as `MESSAGE_CREATE`.
    pub name: &'static str,
    /// The server; `None` outside of servers.
    pub guild: Option<Id>,
    /// The event's data, with all fields.
    pub data: Value,
    /// When it was sent.
    pub at: Instant,
}

impl Sessions {
    /// Sends the events that were held back until the next one.
    pub(crate) fn send_held_events(&mut self) {
        for session in &mut self.list {
            if let Some((name, data)) = session.held.take() {
                session.send(name, &data);
            }
        }
    }

    /// Sends every session a MESSAGE_CREATE again that it got before, with a new sequence number.
    pub(crate) fn send_message_again(&mut self, message: &str) {
        for session in &mut self.list {
            let mut frames =
                session.sent.iter().filter_map(|(_, frame)| serde_json::from_str::<Value>(frame).ok());
            let is_it = |frame: &Value| frame["t"] == "MESSAGE_CREATE" && frame["d"]["id"] == message;
            if let Some(frame) = frames.rfind(is_it) {
                session.send("MESSAGE_CREATE", &frame["d"]);
            }
        }
    }

    /// Sends every connection a frame that is not an event.
    pub(crate) fn send_all(&self, frame: &Value) {
        for line in self.list.iter().filter_map(|session| session.line.as_ref()) {
            let _gone = line.out.send(SessionCommand::Text(frame.to_string()));
        }
    }

    /// Cuts every connection; the sessions stay.
    pub(crate) fn cut(&mut self) {
        for line in self.list.iter_mut().filter_map(|session| session.line.take()) {
            let _gone = line.out.send(SessionCommand::Cut);
        }
    }

    /// Closes every connection with a code; the sessions stay.
    pub(crate) fn close(&mut self, code: u16) {
        for line in self.list.iter_mut().filter_map(|session| session.line.take()) {
            let _gone = line.out.send(SessionCommand::Close(code));
        }
    }

    /// Returns the last event of a name, with all fields that were omitted.
    pub(crate) fn last(&self, name: &str) -> Option<Value> {
        self.last.get(name).cloned()
    }

    /// Returns the number of connections so far, by new and by resumed sessions.
    pub(crate) fn connections_made(&self) -> u64 {
        self.made
    }

    /// Returns the numbers of the shards that have a connection.
    pub(crate) fn connected_shards(&self) -> BTreeSet<u64> {
        self.list.iter().filter(|session| session.line.is_some()).map(|session| session.shard.0).collect()
    }

    /// Returns a receiver of every event from now on.
    pub(crate) fn observe(&mut self) -> UnboundedReceiver<ObservedEvent> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.observers.push(sender);
        receiver
    }

    pub(super) fn show_observers(&mut self, news: &GatewayEvent) {
        self.observers.retain(|observer| {
            let data = news.data.clone();
            let seen = ObservedEvent { name: news.name, guild: news.guild, data, at: Instant::now() };
            observer.send(seen).is_ok()
        });
    }
}
