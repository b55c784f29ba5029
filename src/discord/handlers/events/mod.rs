//! Gateway events. Each is handled in its own task, messages in order for each channel; only the needed
//! fields of an event are read.

mod interactions;
mod messages;
mod missed;
pub(in crate::discord) mod missed_messages;
mod servers;

use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use rookery_table::GuildId;
use rookery_table::registry::TableRegistry;

use crate::discord::handlers::events::missed_messages::MissedMessages;
use crate::discord::state::bot_roles::BotRoles;
use crate::discord::state::context::Context;
use crate::discord::state::edited_messages::RecentMessages;
use crate::discord::state::guild_arrivals::GuildArrivals;
use crate::discord::state::in_progress::InProgress;
use crate::discord::state::message_order::{OrderedMessages, SeenIds};
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::payload::{self, Missing};
use crate::discord::wire::session::{Dispatch, Session};

/// Waits between tries to answer a message, or to register the commands.
const RETRY_DELAYS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// The name of the tasks for events that are not a person's message or interaction.
const OTHER_EVENT: &str = "event";

/// Takes events.
pub(in crate::discord) struct EventHandler {
    ctx: Arc<Context>,
    ready: watch::Sender<bool>,
    messages: OrderedMessages<IncomingMessage>,
    seen_ids: SeenIds,
    arrivals: GuildArrivals,
    bot_roles: BotRoles,
    recent: RecentMessages,
    missed: MissedMessages,
    /// When the process before this one was last reached.
    alive_at: Option<Timestamp>,
    in_progress: InProgress,
}

impl EventHandler {
    /// Creates a handler. `ready` becomes true once commands are registered.
    pub(in crate::discord) async fn new(
        ctx: Arc<Context>,
        ready: watch::Sender<bool>,
        in_progress: InProgress,
    ) -> EventHandler {
        let alive_at = ctx.registry.last_alive().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "it cannot be read when people last reached the program");
            None
        });
        EventHandler {
            messages: OrderedMessages::with_delay(ctx.settings.reorder_delay, ctx.registry.tasks().clone()),
            ctx,
            ready,
            seen_ids: SeenIds::default(),
            arrivals: GuildArrivals::default(),
            bot_roles: BotRoles::default(),
            recent: RecentMessages::default(),
            missed: MissedMessages::default(),
            alive_at,
            in_progress,
        }
    }

    pub(in crate::discord) fn registry(&self) -> &TableRegistry {
        &self.ctx.registry
    }

    /// Discord does not let the bot read messages that do not mention it.
    pub(in crate::discord) fn reads_less(&self) {
        self.ctx.reads_less();
    }

    /// Takes an event. It is dealt with by a task of its own: the session must go on.
    pub(in crate::discord) fn receive(self: &Arc<EventHandler>, event: Dispatch, session: &Session) {
        let handler = self.clone();
        if event.name == "READY" {
            // Begins at once, so that no later event overtakes the missed messages.
            let (reading, away) = (self.missed.begin(), self.away(session));
            let tasks = self.ctx.registry.tasks();
            tasks.spawn("ready", async move { handler.ready(&event.data, reading, away).await });
            return;
        }
        let task = task_name(&event.name);
        let busy = (task != OTHER_EVENT).then(|| self.in_progress.begin());
        self.ctx.registry.tasks().spawn(task, async move {
            let _busy = busy;
            let handled = match event.name.as_str() {
                "MESSAGE_CREATE" => handler.message_create(&event.data).await,
                "MESSAGE_UPDATE" => handler.message_update(&event.data).await,
                "INTERACTION_CREATE" => handler.interaction_create(&event.data).await,
                _ => handler.place_changed(&event).await,
            };
            if let Err(missing) = handled {
                unreadable(&event.name, missing);
            }
        });
    }

    /// Takes an event about servers, channels, roles or members.
    async fn place_changed(&self, event: &Dispatch) -> Result<(), Missing> {
        let data = &event.data;
        match event.name.as_str() {
            "GUILD_CREATE" => self.guild_create(data).await?,
            "GUILD_DELETE" => self.guild_delete(data).await?,
            "CHANNEL_UPDATE" => {
                let channel = Fields(data).id("id").ok_or(Missing("id"))?;
                self.readers_changed(data, Some(channel))?;
            }
            "CHANNEL_DELETE" => self.channel_delete(data).await?,
            "THREAD_UPDATE" => self.thread_update(data).await?,
            "GUILD_ROLE_CREATE" => {
                self.learn_role(guild_of(data)?, Fields(data).object("role"));
                self.readers_changed(data, None)?;
            }
            "GUILD_ROLE_UPDATE" | "GUILD_ROLE_DELETE" => self.readers_changed(data, None)?,
            // Without the Guild Members intent Discord sends it for the bot's own member alone.
            "GUILD_MEMBER_UPDATE" if Fields(data).object("user").id("id") == Some(self.ctx.me().0) => {
                self.readers_changed(data, None)?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn guild_of(data: &Value) -> Result<GuildId, Missing> {
    payload::guild(data).ok_or(Missing("guild_id"))
}

/// The name of the task that handles an event.
fn task_name(event: &str) -> &'static str {
    match event {
        "MESSAGE_CREATE" | "MESSAGE_UPDATE" => "message",
        "INTERACTION_CREATE" => "interaction",
        _ => OTHER_EVENT,
    }
}

/// Counts an event that can't be handled; the log contains its name, and no content.
fn unreadable(name: &str, missing: Missing) {
    tracing::warn!("An event could not be read: {name}, {missing}");
}
