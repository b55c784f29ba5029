//! Events of the gateway. Each is handled in its own task, messages in order per channel; only the required
//! fields of an event are read.

mod interactions;
mod messages;
mod missed;
pub(in crate::discord) mod missed_messages;
mod servers;

use jiff::Timestamp;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use rookery_table::GuildId;

use crate::discord::handlers::events::missed_messages::MissedMessages;
use crate::discord::state::bot_roles::BotRoles;
use crate::discord::state::context::Context;
use crate::discord::state::edited_messages::RecentMessages;
use crate::discord::state::guild_arrivals::GuildArrivals;
use crate::discord::state::guild_presence::GuildPresence;
use crate::discord::state::in_progress::InProgress;
use crate::discord::state::message_order::{OrderedMessages, SeenIds};
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::limits::ANSWER_WITHIN;
use crate::discord::wire::payload::{self, Missing};
use crate::discord::wire::session::{Dispatch, Session};
use crate::discord::wire::snowflake::written_at;

/// The delays between attempts to answer a message, or to register the commands.
const RETRY_DELAYS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// The key of the note with the time since which new servers are greeted.
const GREETS_NOTE: &str = "greets-since";

/// The name of the tasks for events that are not a person's message or interaction.
const OTHER_EVENT: &str = "event";

pub(in crate::discord) struct EventHandler {
    ctx: Arc<Context>,
    ready: watch::Sender<bool>,
    messages: OrderedMessages<IncomingMessage>,
    seen_ids: SeenIds,
    arrivals: GuildArrivals,
    presence: GuildPresence,
    bot_roles: BotRoles,
    recent: RecentMessages,
    missed: MissedMessages,
    /// When the previous process was last connected.
    alive_at: Option<Timestamp>,
    /// Servers that the bot joined earlier are not greeted; `None` if every server is.
    greets_since: Option<Timestamp>,
    in_progress: InProgress,
    /// Whether this process began a session of the shard. Discord describes the servers only then, so without one some
    /// of what events say of them is unknown.
    began_session: AtomicBool,
    /// The servers whose roles were read because of that.
    read_roles: Mutex<HashSet<GuildId>>,
}

impl EventHandler {
    /// Creates the handler of a shard. `ready` becomes true once commands are registered. `alive_at` is when a process
    /// was last connected as this shard; without it, when the previous process was connected.
    pub(in crate::discord) async fn new(
        ctx: Arc<Context>,
        ready: watch::Sender<bool>,
        in_progress: InProgress,
        alive_at: Option<Timestamp>,
    ) -> EventHandler {
        let last_alive = ctx.registry.last_alive().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "could not read when Rookery was last online");
            None
        });
        let alive_at = alive_at.or(last_alive);
        let greets_since = greets_since(&ctx, alive_at).await;
        EventHandler {
            messages: OrderedMessages::with_delay(ctx.settings.reorder_delay, ctx.registry.tasks().clone()),
            ctx,
            ready,
            seen_ids: SeenIds::default(),
            arrivals: GuildArrivals::default(),
            presence: GuildPresence::default(),
            bot_roles: BotRoles::default(),
            recent: RecentMessages::default(),
            missed: MissedMessages::default(),
            alive_at,
            greets_since,
            in_progress,
            began_session: AtomicBool::new(false),
            read_roles: Mutex::default(),
        }
    }

    /// Records that Discord withholds the content of messages that do not address the bot.
    pub(in crate::discord) fn note_content_withheld(&self) {
        self.ctx.note_content_withheld();
    }

    /// Handles an event in its own task, because the session must not wait.
    pub(in crate::discord) fn receive(self: &Arc<EventHandler>, event: Dispatch, session: &Session) {
        let handler = self.clone();
        if is_too_late(&event, self.ctx.registry.now()) {
            return;
        }
        if event.name == "READY" {
            self.presence.begin_session(listed_guilds(&event.data));
            // This starts at once, so that no later message is handled before the missed ones.
            let (reading, away) = (self.missed.begin(), self.away(session));
            let tasks = self.ctx.registry.tasks();
            tasks.spawn("ready", async move { handler.ready(&event.data, reading, away).await });
            return;
        }
        self.note_presence(&event);
        if let Err(missing) = self.note_access(&event) {
            return unreadable(&event.name, missing);
        }
        let task = task_name(&event.name);
        let busy = (task != OTHER_EVENT).then(|| self.in_progress.begin());
        self.ctx.registry.tasks().spawn(task, async move {
            let _busy = busy;
            let handled = match event.name.as_str() {
                "MESSAGE_CREATE" => handler.message_create(&event.data).await,
                "MESSAGE_UPDATE" => handler.message_update(&event.data).await,
                "INTERACTION_CREATE" => handler.interaction_create(&event.data).await,
                "RESUMED" => {
                    handler.resumed().await;
                    Ok(())
                }
                _ => handler.place_changed(&event).await,
            };
            if let Err(missing) = handled {
                unreadable(&event.name, missing);
            }
        });
    }

    /// Handles an event about servers, channels or roles.
    async fn place_changed(&self, event: &Dispatch) -> Result<(), Missing> {
        let data = &event.data;
        match event.name.as_str() {
            "GUILD_CREATE" => self.guild_create(data).await?,
            "GUILD_DELETE" => self.guild_delete(data).await?,
            "CHANNEL_DELETE" => self.channel_delete(data).await?,
            "THREAD_UPDATE" => self.thread_update(data).await?,
            "GUILD_ROLE_CREATE" => self.store_bot_role(guild_of(data)?, Fields(data).object("role")),
            _ => {}
        }
        Ok(())
    }
}

/// Whether Discord repeats an interaction that nobody can answer any more. It told the person that it failed, and they
/// may have pressed again.
fn is_too_late(event: &Dispatch, now: Timestamp) -> bool {
    let is_interaction = event.is_replayed && event.name == "INTERACTION_CREATE";
    let id = Fields(&event.data).id::<u64>("id").filter(|_| is_interaction);
    // An age below zero is that of a clock that is behind Discord's, and no `Duration`.
    let age = id.and_then(|id| Duration::try_from(now.duration_since(written_at(id))).ok());
    age.is_some_and(|age| age > ANSWER_WITHIN)
}

/// Returns the time since which new servers are greeted: the first start of a version that greets, if an earlier one
/// ran before. It is stored at that start.
async fn greets_since(ctx: &Context, alive_at: Option<Timestamp>) -> Option<Timestamp> {
    let (journal, now) = (ctx.registry.journal(), ctx.registry.now());
    let since = match journal.note(GREETS_NOTE).await {
        Ok(Some(known)) => known.parse().unwrap_or(now),
        Ok(None) => {
            let since = alive_at.map_or(Timestamp::UNIX_EPOCH, |_| now);
            if let Err(error) = journal.store_note(GREETS_NOTE, &since.to_string()).await {
                tracing::warn!(%error, "it is not stored since when new servers are greeted");
            }
            since
        }
        // Until it can be read, only servers are greeted that are certainly new.
        Err(_) => now,
    };
    (since != Timestamp::UNIX_EPOCH).then_some(since)
}

/// The servers that READY lists; `None` without a list.
fn listed_guilds(ready: &Value) -> Option<HashSet<GuildId>> {
    ready["guilds"].as_array()?;
    Some(Fields(ready).list("guilds").filter_map(|guild| guild.id("id")).collect())
}

fn guild_of(data: &Value) -> Result<GuildId, Missing> {
    payload::guild(data).ok_or(Missing("guild_id"))
}

/// Returns the name of the task that handles an event.
fn task_name(event: &str) -> &'static str {
    match event {
        "MESSAGE_CREATE" | "MESSAGE_UPDATE" => "message",
        "INTERACTION_CREATE" => "interaction",
        _ => OTHER_EVENT,
    }
}

/// Counts an event that cannot be handled. The log contains its name, but nothing that people wrote.
fn unreadable(name: &str, missing: Missing) {
    tracing::warn!("An event could not be read: {name}, {missing}");
}
