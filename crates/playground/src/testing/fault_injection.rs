//! Faults that tests inject into the playground.

use std::sync::Arc;
use std::time::Duration;

use crate::fault_plan::InjectedFault;
use crate::id::Id;
use crate::shared_state::SharedState;

/// A handle that injects faults, from [`crate::Playground::faults`].
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

    /// Every REST call is executed after `by`, until changed.
    pub fn delay_requests(&self, by: Option<Duration>) {
        self.shared.with(|state| state.faults.latency = by);
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

    /// Sends events that wait for the one that follows them, and swaps no more.
    pub fn end_swaps(&self) {
        self.shared.with(|state| {
            state.faults.reorders = false;
            state.sessions.send_held_events();
        });
    }

    /// Heartbeats stay unacknowledged, until changed: a client should treat the connection as dead.
    pub fn ignore_heartbeats(&self, ignores: bool) {
        self.shared.with(|state| state.faults.ignores_heartbeats = ignores);
    }

    fn queue(&self, count: usize, fault: InjectedFault) {
        self.shared.with(|state| state.faults.requests.extend(std::iter::repeat_n(fault, count)));
    }
}
