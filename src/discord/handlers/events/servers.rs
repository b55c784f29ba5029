//! Events about servers: which ones exist, and changes in them.

use crate::discord::wire::snowflake::GuildOrChannel;
use std::collections::HashSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use rookery_table::ports::{AccessChange, StoreError};
use rookery_table::registry::shard_of;
use rookery_table::{ChannelId, GuildId, OutageScope, TableError, UserId};

use super::{EventHandler, RETRY_DELAYS, guild_of, listed_guilds, unreadable};
use crate::discord::Greeting;
use crate::discord::actions::{relocation, welcome};
use crate::discord::handlers::commands;
use crate::discord::handlers::events::missed_messages::{Downtime, Reading};
use crate::discord::state::guild_arrivals::ARRIVAL_TIMEOUT;
use crate::discord::wire::error::retry_after_each;
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::payload::{self, Missing};
use crate::discord::wire::session::Dispatch;

/// The key of the note with the hash of the registered commands.
const COMMANDS_NOTE: &str = "commands";
/// The key of the note with the server of the operators and the hash of its commands.
const OWNER_COMMANDS_NOTE: &str = "owner-commands";

impl EventHandler {
    pub(super) async fn ready(&self, ready: &Value, reading: Reading, away: Downtime) {
        let fields = Fields(ready);
        let (user, application) = (fields.object("user"), fields.object("application").id("id"));
        let guilds = listed_guilds(ready).unwrap_or_default();
        let Some(me) = user.id("id").or(application) else { return unreadable("READY", Missing("user.id")) };
        self.began_session.store(true, Ordering::Relaxed);
        self.ctx.set_me(UserId(me));
        self.ctx.begin_session();
        let application = application.unwrap_or(me);
        self.ctx.api.set_application(application);
        tracing::info!(name = user.text("username"), servers = guilds.len(), "connected");
        self.freeze_absent(fields).await;
        let tasks = self.ctx.registry.tasks();
        let begin = async {
            // Due items are posted even if the commands could not be registered.
            let _ = tasks.measure("registration", self.register(application)).await;
            self.ready.send_replace(true);
        };
        let catch_up = tasks.measure("missed messages", self.catch_up(&guilds, away, reading));
        let miss = tasks.measure("missing servers", self.start_missing_outages(&guilds, away.until));
        let _ = tokio::join!(begin, catch_up, miss);
    }

    /// Goes on with a session that another process began: there is no READY, and Discord repeats the missed events.
    pub(super) async fn resumed(&self) {
        if self.began_session.load(Ordering::Relaxed) {
            return;
        }
        tracing::info!("resumed the session of another process");
        match self.ctx.api.application() {
            Ok(application) => self.register(application).await,
            Err(fault) => tracing::error!(%fault, "could not register the commands"),
        }
        self.ready.send_replace(true);
    }

    /// Reads the bot's managed role on a server once, if a message mentions roles and no event told of it: in a session
    /// that another process began.
    pub(super) async fn read_missing_role(&self, message: &Value) {
        let Some(guild) = payload::guild(message).filter(|_| !self.began_session.load(Ordering::Relaxed))
        else {
            return;
        };
        let mentions_roles = Fields(message).list("mention_roles").next().is_some();
        let is_new = || self.read_roles.lock().unwrap_or_else(PoisonError::into_inner).insert(guild);
        if !mentions_roles || self.bot_roles.of(guild, self.ctx.me()).is_some() || !is_new() {
            return;
        }
        match self.ctx.api.roles(guild).await {
            Ok(roles) => {
                for (bot, role) in
                    roles.iter().filter_map(|role| role.managed_for().zip(role.id.parse().ok()))
                {
                    self.bot_roles.insert(guild, bot, role);
                }
            }
            Err(fault) => {
                tracing::info!(%fault, %guild, "mentions of the bot's role are not recognised");
                self.read_roles.lock().unwrap_or_else(PoisonError::into_inner).remove(&guild);
            }
        }
    }

    /// Notes whether the bot is in the server that an event is about, before the events after it arrive.
    pub(super) fn note_presence(&self, event: &Dispatch) {
        let is_there = match event.name.as_str() {
            "GUILD_CREATE" => true,
            "GUILD_DELETE" if !Fields(&event.data).flag("unavailable") => false,
            _ => return,
        };
        if let Some(guild) = Fields(&event.data).id("id") {
            self.presence.note(guild, is_there);
        }
    }

    /// Drops the permissions that are known before an event, so that the events after it are judged by the new ones.
    pub(super) fn note_access(&self, event: &Dispatch) -> Result<(), Missing> {
        let data = &event.data;
        let channel = match event.name.as_str() {
            // No event reports changes that were missed while the bot was offline. The other processes are not told: after a start
            // that would be a notice for every server.
            "GUILD_CREATE" => {
                let guild = Fields(data).id("id").ok_or(Missing("id"))?;
                self.ctx.access_changed(AccessChange { guild, channel: None });
                return Ok(());
            }
            "CHANNEL_UPDATE" => Some(Fields(data).id("id").ok_or(Missing("id"))?),
            "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" | "GUILD_ROLE_DELETE" => None,
            // Without the Guild Members intent Discord sends this event only for the bot's own member.
            "GUILD_MEMBER_UPDATE" if Fields(data).object("user").id("id") == Some(self.ctx.me().0) => None,
            _ => return Ok(()),
        };
        self.readers_changed(data, channel)
    }

    /// Freezes the games of a server that the bot has left, or lets them go on where it is again: as the latest event
    /// says, which may come meanwhile. If the store fails, tries again after these delays.
    async fn freeze_or_thaw(&self, guild: GuildId, delays: &[Duration]) {
        let mut delays = delays.iter().copied();
        loop {
            let is_there = self.presence.is_there(guild);
            let done = match is_there {
                true => self.ctx.registry.thaw(guild).await,
                false => self.ctx.registry.freeze(guild).await,
            };
            match (done, delays.len()) {
                (Err(error), 1..) => {
                    tracing::warn!(%error, %guild, "could not update the games of a server; trying again");
                    tokio::time::sleep(delays.next().unwrap_or_default()).await;
                }
                (done, _) => {
                    log_result(
                        done,
                        if is_there {
                            "games go on: we are in their server again"
                        } else {
                            "games stand still: we left their server"
                        },
                    );
                    if self.presence.is_there(guild) == is_there {
                        return;
                    }
                }
            }
        }
    }

    pub(super) async fn guild_create(&self, data: &Value) -> Result<(), Missing> {
        let (fields, guild) = (Fields(data), Fields(data).id::<GuildId>("id").ok_or(Missing("id"))?);
        if let Some(locale) = fields.text("preferred_locale") {
            self.ctx.locales.insert(GuildOrChannel::Guild(guild), locale);
        }
        fields.list("roles").for_each(|role| self.store_bot_role(guild, role));
        self.arrivals.note(guild);
        self.ctx.registry.end_outage(OutageScope::Server(guild)).await;
        self.freeze_or_thaw(guild, &RETRY_DELAYS).await;
        if let Err(error) = self.greet(guild, data).await {
            tracing::warn!(%error, %guild, "a server is not greeted");
        }
        Ok(())
    }

    /// Brings the server's welcome message up to date. A new server gets one, or is asked for the channel.
    async fn greet(&self, guild: GuildId, data: &Value) -> Result<(), StoreError> {
        let (ctx, fields) = (&self.ctx, Fields(data));
        ctx.welcomes.add(guild);
        if welcome::is_known(ctx, guild).await? {
            return Ok(());
        }
        match &ctx.settings.greeting {
            Greeting::Off => Ok(()),
            Greeting::Welcome(name) => {
                let mut channels = fields.list("channels");
                let channel = channels.find(|channel| channel.text("name") == Some(name));
                match channel.and_then(|channel| channel.id("id")) {
                    Some(channel) => welcome::choose(ctx, guild, Some(channel)).await,
                    None => Ok(()),
                }
            }
            Greeting::Ask if self.was_there_before(fields) => welcome::leave_out(ctx, guild).await,
            Greeting::Ask => match ctx.greeting_channel(guild, data) {
                Some(channel) => welcome::ask(ctx, guild, channel).await,
                None => Ok(()),
            },
        }
    }

    /// Whether the bot was in the server while an earlier version ran, which greeted nobody. Asking there would come
    /// unexpected.
    fn was_there_before(&self, guild: Fields<'_>) -> bool {
        let joined = guild.text("joined_at").and_then(|text| text.parse::<Timestamp>().ok());
        self.greets_since.is_some_and(|since| joined.is_none_or(|joined| joined <= since))
    }

    pub(super) async fn guild_delete(&self, data: &Value) -> Result<(), Missing> {
        let guild = Fields(data).id::<GuildId>("id").ok_or(Missing("id"))?;
        // A server in an outage has this flag; without it the bot was removed.
        if Fields(data).flag("unavailable") {
            tracing::info!(%guild, "a server is unavailable; clocks there are stopped");
            self.ctx.registry.begin_outage(OutageScope::Server(guild), self.ctx.registry.now());
        } else {
            self.bot_roles.forget(guild);
            self.ctx.registry.end_outage(OutageScope::Server(guild)).await;
            self.freeze_or_thaw(guild, &RETRY_DELAYS).await;
            if let Err(error) = welcome::forget(&self.ctx, guild).await {
                tracing::warn!(%error, %guild, "the welcome message of a server we left is not forgotten");
            }
        }
        Ok(())
    }

    /// Notes who could read the channel: this event is the last that contains its permissions.
    pub(super) async fn channel_delete(&self, data: &Value) -> Result<(), Missing> {
        let channel = Fields(data).id::<ChannelId>("id").ok_or(Missing("id"))?;
        relocation::note_deleted_channel(&self.ctx, guild_of(data)?, channel, data).await;
        self.readers_changed(data, Some(channel))
    }

    pub(super) async fn thread_update(&self, data: &Value) -> Result<(), Missing> {
        let fields = Fields(data);
        let thread: ChannelId = fields.id("id").ok_or(Missing("id"))?;
        if fields.has_object("thread_metadata") && !fields.object("thread_metadata").flag("locked") {
            // Threads change often, and who reads them stays.
            self.ctx.refused_channels.forget(thread);
            self.ctx.channel_access.record_grant(GuildOrChannel::Channel(thread));
            relocation::thread_opened(&self.ctx, thread).await;
            self.ctx.registry.outbox_wakeup().notify_one();
        }
        Ok(())
    }

    /// Starts an outage for each server of the initial list that does not become available soon.
    async fn start_missing_outages(&self, guilds: &HashSet<GuildId>, since: Timestamp) {
        tokio::time::sleep(ARRIVAL_TIMEOUT).await;
        let missing: Vec<GuildId> =
            guilds.iter().copied().filter(|guild| self.arrivals.is_missing(*guild)).collect();
        for guild in missing {
            tracing::info!(%guild, "a server is unavailable; clocks there are stopped");
            self.ctx.registry.begin_outage(OutageScope::Server(guild), since);
        }
    }

    /// Ends the outage of a server when an event of it arrives.
    pub(super) async fn end_outage(&self, guild: Option<GuildId>) {
        if let Some(guild) = guild {
            self.ctx.registry.end_outage(OutageScope::Server(guild)).await;
        }
    }

    fn readers_changed(&self, data: &Value, channel: Option<ChannelId>) -> Result<(), Missing> {
        self.ctx.readers_changed(guild_of(data)?, channel);
        Ok(())
    }

    /// Stores the role if it is the managed role of a bot.
    pub(super) fn store_bot_role(&self, guild: GuildId, role: Fields<'_>) {
        if let (Some(bot), Some(id)) = (role.object("tags").id("bot_id"), role.id("id")) {
            self.bot_roles.insert(guild, UserId(bot), id);
        }
    }

    /// Registers the operators' commands in their server, and removes them from an earlier one.
    async fn register_owner_commands(&self, application: u64) {
        let (journal, now) = (self.ctx.registry.journal(), self.ctx.settings.owner_server);
        let registration = commands::owner_registration(&self.ctx.languages);
        let known = match journal.note(OWNER_COMMANDS_NOTE).await {
            Ok(known) => known.unwrap_or_default(),
            Err(error) => return tracing::warn!(%error, "the operators' commands are not registered"),
        };
        let wanted = now.map(|guild| format!("{application} {guild} {}", commands::digest(&registration)));
        let wanted = wanted.unwrap_or_default();
        if known == wanted {
            return;
        }
        let before = known.split(' ').nth(1).and_then(|guild| guild.parse::<GuildId>().ok());
        let api = &self.ctx.api;
        let none = serde_json::json!([]);
        let removed = before.filter(|before| Some(*before) != now).map(|guild| (guild, &none));
        for (guild, commands) in removed.into_iter().chain(now.map(|guild| (guild, &registration))) {
            let register = || api.register_in_server(application, guild, commands);
            match retry_after_each(&RETRY_DELAYS, register).await {
                Ok(()) => {}
                // A former server may have removed the bot, and its commands with it.
                Err(fault) if Some(guild) != now && !fault.is_temporary() => {
                    tracing::info!(%fault, %guild, "the operators' commands could not be removed");
                }
                Err(fault) => {
                    return tracing::error!(%fault, %guild, "could not register the operators' commands");
                }
            }
        }
        if let Err(error) = journal.store_note(OWNER_COMMANDS_NOTE, &wanted).await {
            tracing::warn!(%error, "the operators' commands are registered again at the next start");
        }
    }

    /// Registers the commands if they differ from the registered ones.
    async fn register(&self, application: u64) {
        self.register_owner_commands(application).await;
        let registration = commands::registration(&self.ctx.languages, self.ctx.settings.activity);
        let digest = format!("{application} {}", commands::digest(&registration));
        let journal = self.ctx.registry.journal();
        if journal.note(COMMANDS_NOTE).await.ok().flatten().as_ref() == Some(&digest) {
            return;
        }
        match retry_after_each(&RETRY_DELAYS, || self.ctx.api.register(application, &registration)).await {
            Ok(()) => {
                if let Err(error) = journal.store_note(COMMANDS_NOTE, &digest).await {
                    tracing::warn!(%error, "the commands are registered again at the next start");
                }
            }
            Err(fault) => tracing::error!(%fault, "could not register the commands"),
        }
    }

    /// Freezes the games of servers that are missing from Discord's list. It contains all servers of this
    /// connection, including those in an outage; a missing one has removed the bot, perhaps while it was
    /// offline.
    async fn freeze_absent(&self, ready: Fields<'_>) {
        if !ready.0["guilds"].is_array() {
            return tracing::warn!("Discord didn't list the bot's servers; all games stay active");
        }
        let numbers = ready.list("shard").filter_map(|number| u32::try_from(number.0.as_u64()?).ok());
        let (mine, of) = match numbers.collect::<Vec<_>>()[..] {
            [mine, of] => (mine, of),
            _ => (0, 1),
        };
        let is_absent = |guild: GuildId| shard_of(Some(guild), of) == mine && !self.presence.is_there(guild);
        match self.ctx.registry.servers_playing(is_absent).await {
            Ok(absent) => {
                for guild in absent {
                    // Without another attempt: the session waits for it.
                    self.freeze_or_thaw(guild, &[]).await;
                }
            }
            Err(error) => tracing::error!(%error, "it is unknown which servers the bot left meanwhile"),
        }
    }
}

/// Logs the result for a server's games.
fn log_result(result: Result<usize, TableError>, what: &str) {
    match result {
        Ok(0) => {}
        Ok(games) => tracing::info!(games, what),
        Err(error) => tracing::error!(%error, what, "could not update the games of a server"),
    }
}
