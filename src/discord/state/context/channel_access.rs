//! Lookups of the readers of a channel, cached in
//! [`ChannelAccess`](crate::discord::state::channel_access::ChannelAccess).

use crate::discord::state::channel_access::permission_rules::{Guild, Kind, PermissionRules};
use crate::discord::state::channel_access::{Readers, fact_of_error};
use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::server_info::{Channel, GuildInfo};
use rookery_table::BoardChannel;
use rookery_table::access::{self, TriState as Fact, Venue};
use rookery_table::ports::Card;
use rookery_table::{ChannelId, GuildId, RoleId, UserId};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Discord's number of text channels.
const TEXT_CHANNEL: u8 = 0;
/// Discord's permission bits VIEW_CHANNEL and SEND_MESSAGES.
const GREETING: u64 = (1 << 10) | (1 << 11);

impl Context {
    /// Returns whether the content of one channel may be shown in another of the same server. If the lookup
    /// fails, it may not.
    pub(in crate::discord) async fn may_show(&self, from: ChannelId, there: ChannelId) -> bool {
        if from == there {
            return true;
        }
        let (Some(from), Some(there)) =
            (self.permission_rules(from).await, self.permission_rules(there).await)
        else {
            return false;
        };
        from.includes_readers_of(&there)
    }

    /// Returns whether a table may be listed in a channel: this depends on the readers of the channel with
    /// its boards, or else of the one where it was opened.
    pub(in crate::discord) async fn may_list(&self, card: &Card, there: ChannelId) -> bool {
        let venue = Venue::of_card(card);
        if access::may_list(venue, Fact::Yes).is_err() {
            return false;
        }
        let opened_in = match card.opened_in {
            Some(channel) => Some(channel),
            None => self.registry.table(card.id).await.ok().map(|table| table.terms().channel),
        };
        let Some(opened_in) = opened_in else { return false };
        let readers_see =
            self.may_show(self.readers_channel(card.board_channel, opened_in).await, there).await;
        access::may_list(venue, readers_see.into()).is_ok()
    }

    /// Returns the channel whose readers may see a table: the one with its boards, or else the one where it
    /// was opened.
    pub(in crate::discord) async fn readers_channel(
        &self,
        board_channel: Option<BoardChannel>,
        opened_in: ChannelId,
    ) -> ChannelId {
        match board_channel {
            Some(board_channel) if !self.is_gone(board_channel.channel).await => board_channel.channel,
            _ => opened_in,
        }
    }

    /// Returns whether everyone on the server can read a channel; `false` if the lookup fails.
    pub(in crate::discord) async fn is_open(&self, channel: ChannelId) -> bool {
        self.permission_rules(channel).await.is_some_and(|rules| rules.open)
    }

    /// Returns whether everyone on the server could read a channel, according to Discord's data about it.
    pub(in crate::discord) async fn was_open(&self, guild: GuildId, channel: &Value) -> bool {
        let Ok(channel) = Channel::deserialize(channel) else { return false };
        self.guild(guild).await.is_ok_and(|guild| PermissionRules::new(&guild, &channel).open)
    }

    /// Returns the bot's permissions in a channel of a server, as Discord's bits; none in other channels.
    ///
    /// # Errors
    /// If the channel, the server or the bot's roles cannot be looked up; the bot may not see the channel.
    pub(in crate::discord) async fn own_permissions(&self, channel: ChannelId) -> Result<u64, DiscordError> {
        let found = self.api.channel(channel).await?;
        let Kind::OfServer(guild) = found.kind() else { return Ok(0) };
        let (server, roles) = (self.api.guild(guild).await?, self.api.roles_of(guild, self.me()).await?);
        let server = Guild::new(guild, &server);
        Ok(server.permissions(&found.permission_overwrites, self.me(), &roles))
    }

    /// Returns the channel in which a new server is greeted, by Discord's data about the server: its system channel,
    /// or else the first text channel in which the bot may write.
    pub(in crate::discord) fn greeting_channel(&self, guild: GuildId, data: &Value) -> Option<ChannelId> {
        let (fields, info) = (Fields(data), GuildInfo::deserialize(data).ok()?);
        let server = Guild::new(guild, &info);
        let mut members = fields.list("members");
        let me = members.find(|member| member.object("user").id("id") == Some(self.me().0));
        let roles: Vec<RoleId> = me.map(|member| member.ids("roles")).unwrap_or_default();
        let mut open: Vec<(bool, u64, ChannelId)> = Vec::new();
        for channel in fields.list("channels") {
            let (Some(id), Ok(found)) = (channel.id::<ChannelId>("id"), Channel::deserialize(channel.0))
            else {
                continue;
            };
            let may = server.permissions(&found.permission_overwrites, self.me(), &roles);
            if found.kind == TEXT_CHANNEL && may & GREETING == GREETING {
                let is_system = fields.id("system_channel_id") == Some(id);
                open.push((!is_system, channel.number("position").unwrap_or(u64::MAX), id));
            }
        }
        open.into_iter().min().map(|(_, _, id)| id)
    }

    /// Returns whether a channel is known to be deleted.
    pub(in crate::discord) async fn is_gone(&self, channel: ChannelId) -> bool {
        self.place(channel).await == Readers::Gone
    }

    /// Returns the parent channel of a thread; `None` for other channels or if it is unknown.
    pub(in crate::discord) async fn parent_of(&self, channel: ChannelId) -> Option<ChannelId> {
        self.place(channel).await.parent()
    }

    /// Returns whether a member of the server with these roles can read a channel or thread.
    pub(in crate::discord) async fn can_read(
        &self,
        channel: ChannelId,
        who: UserId,
        roles: &[RoleId],
    ) -> Fact {
        match self.place(channel).await {
            Readers::ByRules(rules) => self.is_readable(&rules, who, roles, PermissionRules::can_read).await,
            Readers::SameAs(parent) => match self.place(parent).await {
                Readers::ByRules(rules) => {
                    self.is_readable(&rules, who, roles, PermissionRules::can_read).await
                }
                place => closed(&place),
            },
            Readers::Private(parent) => self.can_read_private((channel, parent), who, roles).await,
            place => closed(&place),
        }
    }

    async fn is_readable(
        &self,
        rules: &PermissionRules,
        who: UserId,
        roles: &[RoleId],
        lets: fn(&PermissionRules, &Guild, UserId, &[RoleId]) -> bool,
    ) -> Fact {
        match self.guild(rules.guild).await {
            Ok(guild) => lets(rules, &guild, who, roles).into(),
            Err(fault) => fact_of_error(&fault),
        }
    }

    async fn can_read_private(
        &self,
        (thread, parent): (ChannelId, ChannelId),
        who: UserId,
        roles: &[RoleId],
    ) -> Fact {
        let Readers::ByRules(rules) = self.place(parent).await else { return Fact::No };
        match self.is_readable(&rules, who, roles, PermissionRules::can_read).await {
            Fact::Yes => {}
            other => return other,
        }
        match self.is_readable(&rules, who, roles, PermissionRules::can_moderate).await {
            Fact::No => {}
            other => return other,
        }
        match self.api.is_in_thread(thread, who).await {
            Ok(is_in) => is_in.into(),
            Err(fault) => fact_of_error(&fault),
        }
    }

    /// Returns the rules of a channel, or of the parent channel of a public thread.
    async fn permission_rules(&self, channel: ChannelId) -> Option<PermissionRules> {
        match self.place(channel).await {
            Readers::ByRules(rules) => Some(rules),
            Readers::SameAs(parent) => match self.place(parent).await {
                Readers::ByRules(rules) => Some(rules),
                _ => None,
            },
            _ => None,
        }
    }

    async fn place(&self, channel: ChannelId) -> Readers {
        let (now, grant_count) = (self.registry.now(), self.channel_access.grant_count());
        if let Some(place) = self.channel_access.place(channel, now) {
            return place;
        }
        match self.look_up(channel).await {
            Ok(place) => {
                self.channel_access.keep(channel, &place, (now, grant_count));
                place
            }
            Err(fault) => {
                tracing::info!(%channel, %fault, "could not find out who reads a channel; showing nothing of it");
                let place = match &fault {
                    DiscordError::NotFound { .. } => Readers::Gone,
                    fault if fault.is_temporary() => return Readers::Unknown,
                    _ => Readers::Closed,
                };
                self.channel_access.keep(channel, &place, (now, grant_count));
                place
            }
        }
    }

    async fn look_up(&self, channel: ChannelId) -> Result<Readers, DiscordError> {
        let found = self.api.channel(channel).await?;
        Ok(match found.kind() {
            Kind::OfServer(guild) => {
                Readers::ByRules(PermissionRules::new(&*self.guild(guild).await?, &found))
            }
            Kind::Thread(parent) => Readers::SameAs(parent),
            Kind::PrivateThread(parent) => Readers::Private(parent),
            Kind::Other => Readers::Closed,
        })
    }

    /// Returns the roles and owner of a server.
    async fn guild(&self, id: GuildId) -> Result<Arc<Guild>, DiscordError> {
        let (now, grant_count) = (self.registry.now(), self.channel_access.grant_count());
        if let Some(guild) = self.channel_access.guild(id, now) {
            return Ok(guild);
        }
        let guild = Arc::new(Guild::new(id, &self.api.guild(id).await?));
        self.channel_access.keep_guild(id, &guild, (now, grant_count));
        Ok(guild)
    }
}

/// Returns the answer for a place without known readers: no, or unknown if the lookup failed.
fn closed(place: &Readers) -> Fact {
    if *place == Readers::Unknown { Fact::Unknown } else { Fact::No }
}
