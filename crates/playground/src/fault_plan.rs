//! The faults that are set, and the requests and events that they apply to.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use axum::http::Method;
use serde_json::Value;

use super::json_pointers::remove;

/// The route that edits a message in a channel.
const EDITED: &str = "/channels/{channel}/messages/{message}";

/// The route that reads a member of a server.
const MEMBER: &str = "/guilds/{guild}/members/{user}";

/// The fault of one request.
#[cfg_attr(not(any(test, feature = "testing")), allow(dead_code, reason = "only tests set it"))]
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
    pub(crate) requests: VecDeque<InjectedFault>,
    /// The delay of every request, until changed.
    pub(crate) latency: Option<Duration>,
    /// Whether `GET /gateway` and `GET /gateway/bot` fail, until changed.
    pub(crate) gateway_address_fails: bool,
    /// The status for edits of messages in channels, until changed.
    pub(crate) edits: Option<u16>,
    /// The status for reads of members, until changed.
    pub(crate) members: Option<u16>,
    /// The status for everything sent to these channels, until changed.
    pub(crate) channels: HashMap<String, u16>,
    /// The fields left out of events, until changed: the event's name and a JSON pointer into its data.
    pub(crate) omitted: Vec<(&'static str, String)>,
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
    /// An event's data without the fields that tests omit.
    pub(crate) fn omit<'a>(&self, name: &str, data: &'a Value) -> Cow<'a, Value> {
        let mut data = Cow::Borrowed(data);
        for (_, pointer) in self.omitted.iter().filter(|(event, _)| *event == name) {
            remove(data.to_mut(), pointer);
        }
        data
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
