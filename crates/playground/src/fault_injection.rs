//! What can be made to go wrong, on request.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use serde_json::Value;

use super::id::Id;
use super::shared_state::SharedState;

/// The route on which a message in a channel is changed.
const EDITED: &str = "/channels/{channel}/messages/{message}";

/// The route on which a member of a server is looked up.
const MEMBER: &str = "/guilds/{guild}/members/{user}";

/// What happens to one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum InjectedFault {
    /// Not done, and answered with this status.
    Status(u16),
    /// Not done: 429, with so many seconds to wait.
    SlowDown(f64),
    /// Done, but only after this long.
    Slow(Duration),
    /// Done, but the answer is 502: the bot cannot know.
    LostAnswer,
}

/// The faults that wait to happen.
#[derive(Debug, Default)]
pub(crate) struct FaultPlan {
    requests: VecDeque<InjectedFault>,
    /// Whether `GET /gateway` and `GET /gateway/bot` fail, until told otherwise.
    gateway_address_fails: bool,
    /// What changes of messages in channels are answered with, until told otherwise.
    edits: Option<u16>,
    /// What look-ups of members are answered with, until told otherwise.
    members: Option<u16>,
    /// What everything that is sent to these channels is answered with, until told otherwise.
    channels: HashMap<String, u16>,
    /// What is left out of events, until told otherwise: the event's name and a JSON pointer into its data.
    omitted: Vec<(&'static str, String)>,
    /// The next so many dispatches go out twice.
    pub(crate) duplicates: usize,
    /// The next dispatch waits for the one after it.
    pub(crate) reorders: bool,
    /// Heartbeats are not acknowledged.
    pub(crate) deaf: bool,
    /// Whether sessions are forgotten when a client resumes.
    pub(crate) forget_sessions: bool,
}

impl FaultPlan {
    /// Leaves out of an event's data what is to be missing.
    pub(crate) fn omit(&self, name: &str, data: &mut Value) {
        for (_, pointer) in self.omitted.iter().filter(|(event, _)| *event == name) {
            remove(data, pointer);
        }
    }

    /// The fault meant for the request that now comes in, if one is waiting.
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

/// Removes what a JSON pointer leads to, if it is there.
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

/// JSON pointers to every part of a value, inner ones first, the value itself left out.
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

/// Makes things go wrong. Got from [`super::Playground::faults`].
#[derive(Clone)]
pub struct FaultInjection {
    pub(crate) shared: Arc<SharedState>,
}

impl FaultInjection {
    /// The next `count` REST calls (the gateway's address left out) are not done and answered with `status`.
    pub fn fail_requests(&self, count: usize, status: u16) {
        self.queue(count, InjectedFault::Status(status));
    }

    /// Changes of messages in channels are not done and answered with `status`, until told otherwise.
    pub fn fail_edits(&self, status: Option<u16>) {
        self.shared.with(|state| state.faults.edits = status);
    }

    /// Look-ups of a server's member are answered with `status`, until told otherwise.
    pub fn fail_members(&self, status: Option<u16>) {
        self.shared.with(|state| state.faults.members = status);
    }

    /// What is sent to a channel is not done and answered with `status`, until told otherwise; it can be looked at.
    pub fn fail_channel(&self, channel: Id, status: Option<u16>) {
        let channel = channel.to_string();
        self.shared.with(|state| match status {
            Some(status) => drop(state.faults.channels.insert(channel, status)),
            None => drop(state.faults.channels.remove(&channel)),
        });
    }

    /// The next `count` REST calls are answered 429 with `retry_after` seconds, and not done.
    pub fn storm_429(&self, count: usize, retry_after: f64) {
        self.queue(count, InjectedFault::SlowDown(retry_after));
    }

    /// The next `count` REST calls are done only after `by`.
    pub fn slow_requests(&self, count: usize, by: Duration) {
        self.queue(count, InjectedFault::Slow(by));
    }

    /// The next `count` REST calls are done, but the bot gets a 502.
    pub fn lose_answers(&self, count: usize) {
        self.queue(count, InjectedFault::LostAnswer);
    }

    /// Forgets all faults of REST calls still waiting.
    pub fn calm_requests(&self) {
        self.shared.with(|state| state.faults.requests.clear());
    }

    /// `GET /gateway` and `GET /gateway/bot` answer 503 until told otherwise.
    pub fn fail_gateway_address(&self, fails: bool) {
        self.shared.with(|state| state.faults.gateway_address_fails = fails);
    }

    /// Cuts every gateway connection without a word; the sessions can be resumed.
    pub fn drop_gateway(&self) {
        self.shared.with(|state| state.sessions.cut());
    }

    /// Closes every gateway connection with a code; the sessions can be resumed.
    pub fn close_gateway(&self, code: u16) {
        self.shared.with(|state| state.sessions.close(code));
    }

    /// Leaves fields out of events of a name, until told otherwise. Each is a JSON pointer into the event's data.
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

    /// Tells every connected client that its session is invalid (op 9). With `resumable` false the
    /// sessions are gone.
    pub fn invalidate_sessions(&self, resumable: bool) {
        self.shared.with(|state| {
            state.sessions.send_all(&serde_json::json!({"op": 9, "d": resumable}));
            if !resumable {
                state.sessions.forget();
            }
        });
    }

    /// Whoever resumes is told (op 9) that the session is unknown, until told otherwise.
    pub fn forget_sessions(&self, forgets: bool) {
        self.shared.with(|state| state.faults.forget_sessions = forgets);
    }

    /// The next `count` events go out twice, the second time with a sequence number of its own.
    pub fn duplicate_events(&self, count: usize) {
        self.shared.with(|state| state.faults.duplicates = count);
    }

    /// The bot gets a message once more, as Discord may do after a connection was resumed.
    pub fn send_message_again(&self, message: Id) {
        self.shared.with(|state| state.sessions.send_message_again(&message.to_string()));
    }

    /// The next event goes out after the one that follows it.
    pub fn swap_next_events(&self) {
        self.shared.with(|state| state.faults.reorders = true);
    }

    /// Heartbeats are not acknowledged until told otherwise: the client should take the line for dead.
    pub fn ignore_heartbeats(&self, ignores: bool) {
        self.shared.with(|state| state.faults.deaf = ignores);
    }

    fn queue(&self, count: usize, fault: InjectedFault) {
        self.shared.with(|state| state.faults.requests.extend(std::iter::repeat_n(fault, count)));
    }
}
