//! The lobby: a message in a channel chosen by the server, with its open challenges and running games. It
//! lists only tables whose own channel every reader of the lobby can see
//! ([`channel_access`](crate::discord::state::channel_access)).
//!
//! The message is edited while it is recent, and then posted anew (`live_message`). The journal's notes
//! store its id, so that a restart finds it again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};
use rookery_table::ports::{Card, Filter, LeaderTask, Posted, Stage, walk_pages};
use rookery_table::{ChannelId, GuildId, OutboxItem, TableError, TableId, digest::sha256_hex};
use rookery_tasks::heartbeat;
use tokio::time::Instant;

use crate::discord::actions::live_message;
use crate::discord::actions::lobby_message::{note, read_note, take_down};
use crate::discord::state::context::Context;
use crate::discord::state::refused_channels::REFUSAL_PERIOD;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::shutdown::Stop;

/// How much older than the latest event that was seen another one may be that was not: the clocks of processes differ,
/// and a batch is written some time after it was decided.
const MARGIN: SignedDuration = SignedDuration::from_secs(60);
/// The most open challenges that are linked to their messages.
const MAX_CHALLENGES: usize = 20;
/// The number of outbox rows read at a time.
const DUE_PAGE: usize = 200;

/// Updates the lobby of every server until the program stops.
pub async fn work(ctx: Arc<Context>, stop: Stop) {
    let mut lobbies = LobbyUpdater {
        looked_until: ctx.registry.now(),
        recent: HashMap::new(),
        versions: HashMap::new(),
        seen: HashMap::new(),
        refused_until: HashMap::new(),
        ctx,
    };
    let mut moments = tokio::time::interval(lobbies.ctx.settings.lobby_interval);
    loop {
        heartbeat();
        tokio::select! {
            biased;
            _ = moments.tick() => {}
            () = stop.finishing() => return,
        }
        if lobbies.ctx.registry.leads(LeaderTask::Lobbies).await {
            lobbies.refresh_changed().await;
        }
    }
}

/// Whether every challenge of a lobby has its link, unless it never gets one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Complete,
    /// The message of a challenge is not posted yet.
    Missing,
}

/// The state of a server at a check.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LobbyState {
    /// The channel of its lobby.
    channel: Option<ChannelId>,
    /// Increases with every change of its tables.
    version: u64,
    /// The number of changes of its channel permissions.
    changes: u64,
}

struct LobbyUpdater {
    ctx: Arc<Context>,
    /// The time of the latest event that was seen.
    looked_until: Timestamp,
    /// The fingerprints of the tables with an event shortly before that time.
    recent: HashMap<TableId, u64>,
    /// The number of changes that were seen in each server.
    versions: HashMap<GuildId, u64>,
    /// The state of each server when its lobby was last updated.
    seen: HashMap<GuildId, LobbyState>,
    /// The channels that refused the bot, with the time until which they are skipped.
    refused_until: HashMap<ChannelId, Instant>,
}

impl LobbyUpdater {
    /// Updates the lobbies of servers with changes.
    async fn refresh_changed(&mut self) {
        if let Err(error) = self.find_changes().await {
            tracing::warn!(%error, "could not update the lobbies");
        }
        let ctx = self.ctx.clone();
        // A server with a lobby channel gets a lobby even before its first game.
        let preferences = ctx.registry.journal().preferences();
        let mut servers = walk_pages(|page| preferences.servers_with_lobby(page));
        loop {
            heartbeat();
            let guild = match servers.try_next().await {
                Ok(Some(guild)) => guild,
                Ok(None) => return,
                Err(error) => return tracing::warn!(%error, "could not look for lobbies"),
            };
            let channel = ctx.registry.preferences_cache().server(Some(guild)).await.lobby;
            let version = self.versions.get(&guild).copied().unwrap_or_default();
            let looked = LobbyState { channel, version, changes: ctx.channel_access.changes(guild) };
            if self.seen.get(&guild) == Some(&looked) {
                continue;
            }
            let done = match channel {
                Some(channel) => self.refresh(guild, channel).await,
                None => Ok(Links::Complete),
            };
            match done {
                Ok(Links::Complete) => drop(self.seen.insert(guild, looked)),
                // The challenge's message is about to be posted, so the next check updates the lobby again.
                Ok(Links::Missing) => drop(self.seen.remove(&guild)),
                Err(fault) => tracing::warn!(%guild, %fault, "could not update a lobby"),
            }
        }
    }

    /// Finds the servers whose tables have changed since the last look, and increases their versions.
    async fn find_changes(&mut self) -> Result<(), TableError> {
        let ctx = self.ctx.clone();
        let filter = Filter::default();
        let (mut cards, mut recent) = (ctx.registry.latest(&filter), HashMap::new());
        let (since, mut newest) = (self.looked_until - MARGIN, self.looked_until);
        while let Some(card) = cards.try_next().await?.filter(|card| card.at >= since) {
            heartbeat();
            newest = newest.max(card.at);
            let fingerprint = fingerprint(&card);
            if self.recent.get(&card.id) != Some(&fingerprint)
                && let Some(guild) = card.guild
            {
                *self.versions.entry(guild).or_default() += 1;
            }
            recent.insert(card.id, fingerprint);
        }
        (self.recent, self.looked_until) = (recent, newest);
        Ok(())
    }

    async fn refresh(&mut self, guild: GuildId, channel: ChannelId) -> Result<Links, DiscordError> {
        self.refused_until.retain(|_, until| *until > Instant::now());
        if self.refused_until.contains_key(&channel) {
            return Ok(Links::Missing);
        }
        let (post, links) = self.post(guild, channel).await?;
        let done = self.show(channel, &post).await;
        // The lobby may have been moved meanwhile, when there was no message to delete yet.
        if self.ctx.registry.preferences_cache().server(Some(guild)).await.lobby != Some(channel) {
            take_down(&self.ctx, guild, channel).await;
        }
        if matches!(done, Err(DiscordError::NoAccess { .. } | DiscordError::NotFound { .. })) {
            self.refused_until.insert(channel, Instant::now() + REFUSAL_PERIOD);
        }
        done.map(|()| links)
    }

    /// Builds the current lobby for a channel.
    async fn post(
        &self,
        guild: GuildId,
        channel: ChannelId,
    ) -> Result<(OutgoingMessage, Links), DiscordError> {
        let challenges = self.shown(guild, channel, Stage::Waiting).await?;
        let challenges = challenges.into_iter().filter(|card| card.free_seats() > 0);
        let mut open = Vec::new();
        for card in challenges {
            // The others are only counted.
            let above = if open.len() < MAX_CHALLENGES { self.above(&card).await } else { None };
            open.push((card, above));
        }
        let running = self.shown(guild, channel, Stage::Running).await?;
        let links = self.links(&open[..open.len().min(MAX_CHALLENGES)]).await?;
        Ok((self.ctx.for_server(guild).await.view().lobby(&open, &running), links))
    }

    /// Returns the tables of a server at a stage that may be listed in a channel, the latest first. An open
    /// challenge is included however many newer games there are.
    async fn shown(
        &self,
        guild: GuildId,
        channel: ChannelId,
        stage: Stage,
    ) -> Result<Vec<Card>, DiscordError> {
        let filter = Filter { guild: Some(guild), stage: Some(stage), ..Filter::default() };
        let (mut cards, mut shown) = (self.ctx.registry.latest(&filter), Vec::new());
        let unread = |denied: TableError| DiscordError::Outage(denied.to_string());
        while let Some(card) = cards.try_next().await.map_err(unread)? {
            if self.ctx.may_list(&card, channel).await {
                shown.push(card);
            }
        }
        Ok(shown)
    }

    /// Whether the links of challenges without one will follow: a challenge whose message was given up never
    /// gets one.
    async fn links(&self, open: &[(Card, Option<Posted>)]) -> Result<Links, DiscordError> {
        let unposted: Vec<_> =
            open.iter().filter(|(_, above)| above.is_none()).map(|(card, _)| card.id).collect();
        let mut after = 0;
        while !unposted.is_empty() {
            let page = self.ctx.registry.journal().due(after, DUE_PAGE).await;
            let page = page.map_err(|error| DiscordError::Outage(error.to_string()))?;
            if page.iter().any(|due| due.item == OutboxItem::Announce && unposted.contains(&due.table)) {
                return Ok(Links::Missing);
            }
            match page.last() {
                Some(last) if page.len() == DUE_PAGE => after = last.id,
                _ => break,
            }
        }
        Ok(Links::Complete)
    }

    /// Returns the message of a table's challenge.
    async fn above(&self, card: &Card) -> Option<Posted> {
        self.ctx.registry.journal().posted(card.id, &OutboxItem::Announce).await.ok().flatten()
    }

    async fn show(&self, channel: ChannelId, post: &OutgoingMessage) -> Result<(), DiscordError> {
        let (ctx, note) = (&self.ctx, note(channel));
        let kept = ctx.registry.journal().note(&note).await.ok().flatten();
        let old = kept.as_deref().and_then(read_note);
        let digest = digest(post);
        if old.is_some_and(|(_, same)| same == digest) {
            return Ok(());
        }
        let old = old.map(|(message, _)| message);
        let message = live_message::update_or_post(ctx, channel, old, post, &digest[..20]).await?;
        let kept = ctx.registry.journal().store_note(&note, &format!("{message} {digest}")).await;
        kept.map_err(|error| DiscordError::Outage(error.to_string()))
    }
}

/// Returns a hash of what a lobby may show of a table, which is equal as long as nothing changes.
fn fingerprint(card: &Card) -> u64 {
    let mut hash = DefaultHasher::default();
    let seated = card.people.iter().flatten().count();
    (card.at, card.stage as u8, card.ply, seated).hash(&mut hash);
    hash.finish()
}

/// Returns a hash of the lobby's content, to recognise changes.
fn digest(post: &OutgoingMessage) -> String {
    sha256_hex(&post.json(None).to_string())
}
