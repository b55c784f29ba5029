//! What tests read of a running playground, and what they wait for.

use std::collections::BTreeSet;

use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use super::fault_injection::FaultInjection;
use super::person::{PATIENCE, Person, WaitTimeout, wait};
use super::request_log::LoggedRequest;
use crate::api_error::ApiError;
use crate::clock::Clock;
use crate::gateway::sessions::testing::ObservedEvent;
use crate::playground::Playground;

impl Playground {
    /// Returns the token that the page sends in the header `X-Playground-Token`; each start has a new one.
    pub fn page_token(&self) -> &str {
        &self.shared.secrets.page
    }

    /// Returns how many access tokens of people work.
    pub fn live_tokens(&self) -> usize {
        self.shared.with(|state| state.grants.live_tokens())
    }

    /// Returns a code for a frame of the Activity, to which a person has agreed.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn frame_code(&self, person: &Person) -> Result<String, ApiError> {
        let (now_ms, scopes) = (self.shared.clock.now_ms(), vec!["identify".to_owned()]);
        self.shared.with(|state| state.grants.authorize((person.id, scopes), None, now_ms))
    }

    /// Returns the id of the frame that a person has open.
    pub fn frame_of(&self, person: &Person) -> Option<String> {
        self.shared.look(|discord_state| discord_state.activities.frame_of_person(person.id))
    }

    /// Returns the global commands, in Discord's own shape.
    pub fn commands(&self) -> Vec<Value> {
        self.shared.look(|discord_state| discord_state.commands.values().cloned().collect())
    }

    /// Returns every request of the bot so far, in order of arrival.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.shared.requests.all()
    }

    /// Forgets the requests so far, which otherwise take more and more memory.
    pub fn forget_requests(&self) {
        self.shared.requests.forget();
    }

    /// Returns a receiver of every event for the bot from now on.
    pub fn observe(&self) -> UnboundedReceiver<ObservedEvent> {
        self.shared.with(|state| state.sessions.observe())
    }

    /// Returns a handle that injects faults.
    pub fn faults(&self) -> FaultInjection {
        FaultInjection { shared: self.shared.clone() }
    }

    /// Returns the data of the last event of a name, with all fields, whether or not a session received it.
    pub fn last_event(&self, name: &str) -> Option<Value> {
        self.shared.with(|state| state.sessions.last(name))
    }

    /// Returns the number of gateway connections so far, by new and by resumed sessions.
    pub fn gateway_connections(&self) -> u64 {
        self.shared.with(|state| state.sessions.connections_made())
    }

    /// Returns the numbers of the shards with which the bot is connected.
    pub fn connected_shards(&self) -> BTreeSet<u64> {
        self.shared.with(|state| state.sessions.connected_shards())
    }

    /// Returns the clock for the rules that depend on time.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// Waits for the next change, at most `PATIENCE`; returns whether there was one.
    pub async fn changed(&self) -> bool {
        let mut changes = self.shared.changes();
        changes.mark_unchanged();
        tokio::time::timeout(PATIENCE, changes.changed()).await.is_ok()
    }

    /// Waits until `find` returns a value, calling it at every change.
    ///
    /// # Errors
    /// [`WaitTimeout`] if there is none within 20 s.
    pub async fn wait<T>(&self, what: &str, find: impl Fn() -> Option<T>) -> Result<T, WaitTimeout> {
        wait(&self.shared, what, find).await
    }

    /// Waits until the bot is connected to the gateway and has registered at least one global command.
    ///
    /// # Errors
    /// [`WaitTimeout`] if the bot does not connect within 20 s.
    pub async fn wait_for_bot(&self) -> Result<(), WaitTimeout> {
        let here = || {
            let ready = self.shared.with(|state| {
                let mut commands = state.discord_state.commands.values();
                state.sessions.online() && commands.any(|it| it["guild_id"].is_null())
            });
            ready.then_some(())
        };
        self.wait("the bot, with its commands", here).await
    }
}
