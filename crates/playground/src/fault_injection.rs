//! Faults that tests inject into the playground.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use serde_json::Value;

use super::id::Id;
use super::shared_state::SharedState;

/// The route that edits a message in a channel.
const EDITED: &str = "/channels/{channel}/messages/{message}";

/// The route that reads a member of a server.
const MEMBER: &str = "/guilds/{guild}/members/{user}";

/// The fault of one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum InjectedFault {
    /// The request is not executed and gets this status.
    Status(u16),
    /// The request is not executed and gets a 429 with this many seconds to wait.
    SlowDown(f64),
    /// The request is executed after this delay.
    Slow(Duration),
    /// The request is executed but gets a 502, so the bot cannot know the outcome.
    LostAnswer,
}

/// The faults that are set.
#[derive(Debug, Default)]
pub(crate) struct FaultPlan {
    requests: VecDeque<InjectedFault>,
    /// Whether `GET /gateway` and `GET /gateway/bot` fail, until changed.
    gateway_address_fails: bool,
    /// The status for edits of messages in channels, until changed.
    edits: Option<u16>,
    /// The status for reads of members, until changed.
    members: Option<u16>,
    /// The status for everything sent to these channels, until changed.
    channels: HashMap<String, u16>,
    /// The fields left out of events, until changed: the event's name and a JSON pointer into its data.
    omitted: Vec<(&'static str, String)>,
    /// The number of dispatches still to be sent twice.
    pub(crate) duplicates: usize,
    /// Whether the next dispatch is sent after the one that follows it.
    pub(crate) reorders: bool,
    /// Whether heartbeats stay unacknowledged.
    pub(crate) ignores_heartbeats: bool,
    /// Whether sessions are forgotten when a client resumes.
    pub(crate) forget_sessions: bool,
}

impl FaultPlan {
    /// Removes the fields that tests omit from an event's data.
    pub(crate) fn omit(&self, name: &str, data: &mut Value) {
        for (_, pointer) in self.omitted.iter().filter(|(event, _)| *event == name) {
            remove(data, pointer);
        }
    }

    /// Takes the fault for an incoming request, if one is set.
    pub(crate) fn next_request(&mut self, method: &Method, route: &str, path: &str) -> Option<InjectedFault> {
        if route.starts_with("/gateway") {
            return self.gateway_address_fails.then_some(InjectedFault::Status(503));
        }
        if let Some(status) = self.edits.filter(|_| method == Method::PATCH && route == EDITED) {
            return Some(InjectedFault::Status(status));
        }
        if let Some(status) = self.members.filter(|_| route == MEMBER) {
            return Some(InjectedFault::Status(status));
        }
        let channel = path.split("/channels/").nth(1).and_then(|rest| rest.split('/').next());
        let status = channel.and_then(|channel| self.channels.get(channel)).filter(|_| method != Method::GET);
        status.map(|status| InjectedFault::Status(*status)).or_else(|| self.requests.pop_front())
    }
}

/// Removes the value at a JSON pointer, if there is one.
pub fn remove(value: &mut Value, pointer: &str) {
    let Some((parent, key)) = pointer.rsplit_once('/') else { return };
    match value.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.remove(key)),
        Some(Value::Array(items)) => {
            if let Some(index) = key.parse().ok().filter(|index| *index < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
}

/// Returns JSON pointers to every part of a value, inner ones first, without the value itself.
pub fn pointers(value: &Value) -> Vec<String> {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, part)| (key.clone(), part)).collect(),
        Value::Array(items) => {
            (0..).zip(items).map(|(at, part): (usize, _)| (at.to_string(), part)).collect()
        }
        _ => Vec::new(),
    };
    let within = |(key, part): (String, &Value)| {
        let inner = pointers(part).into_iter().map(|inner| format!("/{key}{inner}"));
        inner.chain([format!("/{key}")]).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(within).collect()
}

/// A handle that injects faults, from [`super::Playground::faults`].
#[derive(Clone)]
pub struct FaultInjection {
    pub(crate) shared: Arc<SharedState>,
}

impl FaultInjection {
    /// The next `count` REST calls (except for the gateway's address) are not executed and get `status`.
    pub fn fail_requests(&self, count: usize, status: u16) {
        self.queue(count, InjectedFault::Status(status));
    }

    /// Edits of messages in channels are not executed and get `status`, until changed.
    pub fn fail_edits(&self, status: Option<u16>) {
        self.shared.with(|state| state.faults.edits = status);
    }

    /// Reads of a server's members get `status`, until changed.
    pub fn fail_members(&self, status: Option<u16>) {
        self.shared.with(|state| state.faults.members = status);
    }

    /// Writes to a channel are not executed and get `status`, until changed; reads work.
    pub fn fail_channel(&self, channel: Id, status: Option<u16>) {
        let channel = channel.to_string();
        self.shared.with(|state| match status {
            Some(status) => drop(state.faults.channels.insert(channel, status)),
            None => drop(state.faults.channels.remove(&channel)),
        });
    }

    /// The next `count` REST calls are not executed and get a 429 with `retry_after` seconds.
    pub fn rate_limit_requests(&self, count: usize, retry_after: f64) {
        self.queue(count, InjectedFault::SlowDown(retry_after));
    }

    /// The next `count` REST calls are executed after `by`.
    pub fn slow_requests(&self, count: usize, by: Duration) {
        self.queue(count, InjectedFault::Slow(by));
    }

    /// The next `count` REST calls are executed, but the bot gets a 502.
    pub fn lose_answers(&self, count: usize) {
        self.queue(count, InjectedFault::LostAnswer);
    }

    /// Clears the queued faults of REST calls.
    pub fn clear_request_faults(&self) {
        self.shared.with(|state| state.faults.requests.clear());
    }

    /// `GET /gateway` and `GET /gateway/bot` answer 503, until changed.
    pub fn fail_gateway_address(&self, fails: bool) {
        self.shared.with(|state| state.faults.gateway_address_fails = fails);
    }

    /// Cuts every gateway connection without a close frame; the sessions can be resumed.
    pub fn drop_gateway(&self) {
        self.shared.with(|state| state.sessions.cut());
    }

    /// Closes every gateway connection with a code; the sessions can be resumed.
    pub fn close_gateway(&self, code: u16) {
        self.shared.with(|state| state.sessions.close(code));
    }

    /// Leaves fields out of events of a name, until changed. Each is a JSON pointer into the event's data.
    pub fn omit(&self, event: &'static str, pointers: &[&str]) {
        self.shared.with(|state| {
            state.faults.omitted.retain(|(name, _)| *name != event);
            state.faults.omitted.extend(pointers.iter().map(|pointer| (event, (*pointer).to_owned())));
        });
    }

    /// Asks every connected client to reconnect (op 7).
    pub fn ask_to_reconnect(&self) {
        self.shared.with(|state| state.sessions.send_all(&serde_json::json!({"op": 7, "d": null})));
    }

    /// Sends every connected client that its session is invalid (op 9). With `resumable` false the sessions
    /// are deleted.
    pub fn invalidate_sessions(&self, resumable: bool) {
        self.shared.with(|state| {
            state.sessions.send_all(&serde_json::json!({"op": 9, "d": resumable}));
            if !resumable {
                state.sessions.forget();
            }
        });
    }

    /// Clients that resume get an unknown session (op 9), until changed.
    pub fn forget_sessions(&self, forgets: bool) {
        self.shared.with(|state| state.faults.forget_sessions = forgets);
    }

    /// The next `count` events are sent twice, the second time with a new sequence number.
    pub fn duplicate_events(&self, count: usize) {
        self.shared.with(|state| state.faults.duplicates = count);
    }

    /// Sends the bot a message again, as Discord may do after a resume.
    pub fn send_message_again(&self, message: Id) {
        self.shared.with(|state| state.sessions.send_message_again(&message.to_string()));
    }

    /// The next event is sent after the one that follows it.
    pub fn swap_next_events(&self) {
        self.shared.with(|state| state.faults.reorders = true);
    }

    /// Heartbeats stay unacknowledged, until changed: a client should treat the connection as dead.
    pub fn ignore_heartbeats(&self, ignores: bool) {
        self.shared.with(|state| state.faults.ignores_heartbeats = ignores);
    }

    fn queue(&self, count: usize, fault: InjectedFault) {
        self.shared.with(|state| state.faults.requests.extend(std::iter::repeat_n(fault, count)));
    }
}
