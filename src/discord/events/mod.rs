//! What comes from the gateway, event by event. Each is dealt with in a task of its own, messages in order channel
//! by channel; only what is needed of an event is read.

mod interactions;
mod messages;
mod missed;
mod servers;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use rookery_table::hall::Hall;

use super::arrivals::Arrivals;
use super::at_work::AtWork;
use super::desk::Desk;
use super::edited_messages::RecentMessages;
use super::hear::Heard;
use super::json_fields::Fields;
use super::missed_messages::MissedMessages;
use super::order::{InOrder, Met};
use super::own_roles::OwnRoles;
use super::payload::{self, Missing};
use super::session::{Dispatch, Session};

/// Waits between tries to answer a message, or to register the commands.
const AGAIN: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// Takes events.
pub(super) struct EventHandler {
    desk: Arc<Desk>,
    ready: watch::Sender<bool>,
    messages: InOrder<Heard>,
    met: Met,
    arrivals: Arrivals,
    own_roles: OwnRoles,
    recent: RecentMessages,
    missed: MissedMessages,
    /// When the process before this one was last reached, in milliseconds since 1970.
    alive_ms: Option<i64>,
    at_work: AtWork,
}

impl EventHandler {
    /// Nothing has come yet. `ready` becomes true once commands are registered.
    pub(super) async fn new(desk: Arc<Desk>, ready: watch::Sender<bool>, at_work: AtWork) -> EventHandler {
        let alive_ms = desk.hall.last_alive_ms().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "it cannot be read when people last reached the program");
            None
        });
        EventHandler {
            messages: InOrder::settling(desk.settings.settle, desk.hall.tasks().clone()),
            desk,
            ready,
            met: Met::default(),
            arrivals: Arrivals::default(),
            own_roles: OwnRoles::default(),
            recent: RecentMessages::default(),
            missed: MissedMessages::default(),
            alive_ms,
            at_work,
        }
    }

    pub(super) fn hall(&self) -> &Hall {
        &self.desk.hall
    }

    /// Discord does not let us read messages that are not addressed to us.
    pub(super) fn reads_less(&self) {
        self.desk.reads_less();
    }

    /// Takes an event. It is dealt with by a task of its own: the session must go on.
    pub(super) fn receive(self: &Arc<EventHandler>, event: Dispatch, session: &Session) {
        let handler = self.clone();
        if event.name == "READY" {
            // At once, so that no later event passes by what was missed.
            let (reading, away) = (self.missed.begin(), self.away(session));
            let tasks = self.desk.hall.tasks();
            tasks.spawn("ready", async move { handler.ready(&event.data, reading, away).await });
            return;
        }
        let busy = matches!(event.name.as_str(), "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "INTERACTION_CREATE")
            .then(|| self.at_work.begin());
        self.desk.hall.tasks().spawn(task_name(&event.name), async move {
            let _busy = busy;
            if let Err(missing) = handler.handle(&event).await {
                unreadable(&event.name, missing);
            }
        });
    }

    async fn handle(&self, event: &Dispatch) -> Result<(), Missing> {
        let data = &event.data;
        match event.name.as_str() {
            "MESSAGE_CREATE" => self.message_create(data).await?,
            "MESSAGE_UPDATE" => self.message_update(data).await?,
            "INTERACTION_CREATE" => self.interaction_create(data).await?,
            "GUILD_CREATE" => self.guild_create(data).await?,
            "GUILD_DELETE" => self.guild_delete(data).await?,
            "CHANNEL_UPDATE" => {
                let channel = Fields(data).id("id").ok_or(Missing("id"))?;
                self.readers_changed(data, Some(channel))?;
            }
            "THREAD_UPDATE" => self.thread_update(data).await?,
            "GUILD_ROLE_CREATE" => {
                self.learn_role(guild_of(data)?, Fields(data).object("role"));
                self.readers_changed(data, None)?;
            }
            "GUILD_ROLE_UPDATE" | "GUILD_ROLE_DELETE" => self.readers_changed(data, None)?,
            // Without the Guild Members intent Discord sends it for the bot's own member alone.
            "GUILD_MEMBER_UPDATE" if Fields(data).object("user").id("id") == Some(self.desk.me().0) => {
                self.readers_changed(data, None)?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn guild_of(data: &Value) -> Result<u64, Missing> {
    payload::guild(data).ok_or(Missing("guild_id"))
}

/// The name of the task that handles an event.
fn task_name(event: &str) -> &'static str {
    match event {
        "MESSAGE_CREATE" | "MESSAGE_UPDATE" => "message",
        "INTERACTION_CREATE" => "interaction",
        _ => "event",
    }
}

/// Counts an event that cannot be acted on; the log hears of it by its name, not by what people wrote.
fn unreadable(name: &str, missing: Missing) {
    tracing::warn!("An event could not be read: {name}, {missing}");
}
