//! Who can read a channel, by Discord's algorithm for permissions.
//!
//! The order follows "Permission Overwrites" in Discord's documentation: a server's owner and administrators
//! have all permissions; then the server-wide permissions of roles apply; then the channel's overwrites,
//! first for `@everyone`, then those of all roles together (an allow of one role wins over a deny of
//! another), and last the member's own.

use std::collections::BTreeMap;

use crate::discord::wire::server_info::{Channel, GuildInfo, Overwrite};
use rookery_table::{ChannelId, GuildId, RoleId, UserId};

/// Discord's permission bit VIEW_CHANNEL.
const VIEW: u64 = 1 << 10;
/// Discord's permission bit ADMINISTRATOR, which implies all others.
const ADMINISTRATOR: u64 = 1 << 3;
/// Discord's permission bit MANAGE_THREADS, with which all private threads of a channel are visible.
const MANAGE_THREADS: u64 = 1 << 34;

/// The owner and roles of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::discord::state) struct Guild {
    id: GuildId,
    owner: UserId,
    /// Server-wide permissions by role.
    roles: BTreeMap<RoleId, u64>,
}

impl Guild {
    pub(in crate::discord::state) fn new(id: GuildId, info: &GuildInfo) -> Guild {
        let roles =
            info.roles.iter().filter_map(|role| Some((role.id.parse().ok()?, bits(&role.permissions))));
        Guild { id, owner: UserId(info.owner_id.parse().unwrap_or_default()), roles: roles.collect() }
    }

    /// Returns the permissions of `@everyone`.
    fn everybody(&self) -> u64 {
        self.roles.get(&RoleId(self.id.0)).copied().unwrap_or_default()
    }

    /// Returns all permissions of a member with these roles in a channel, as Discord's bits.
    pub(in crate::discord::state) fn permissions(
        &self,
        overwrites: &[Overwrite],
        who: UserId,
        roles: &[RoleId],
    ) -> u64 {
        let base = self.base(who, roles);
        if base & ADMINISTRATOR != 0 {
            return u64::MAX;
        }
        let of = |id: u64| overwrites.iter().filter(move |it| it.id.parse() == Ok(id));
        let sum = |all: Vec<&Overwrite>| {
            all.iter().fold((0, 0), |(allow, deny), it| (allow | bits(&it.allow), deny | bits(&it.deny)))
        };
        let of_everybody = sum(of(self.id.0).collect());
        let of_roles =
            sum(roles.iter().filter(|role| role.0 != self.id.0).flat_map(|role| of(role.0)).collect());
        let own = sum(of(who.0).collect());
        [of_everybody, of_roles, own].into_iter().fold(base, |may, (allow, deny)| may & !deny | allow)
    }

    /// Returns the server-wide permissions of a member with these roles, before any overwrites.
    fn base(&self, who: UserId, roles: &[RoleId]) -> u64 {
        if who == self.owner {
            return ADMINISTRATOR;
        }
        let own = roles.iter().filter_map(|role| self.roles.get(role));
        own.fold(self.everybody(), |sum, permissions| sum | permissions)
    }
}

/// The rules that decide who can read a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::discord::state) struct PermissionRules {
    pub(in crate::discord::state) guild: GuildId,
    /// Whether every member of the server can read it, whatever their roles.
    pub(in crate::discord::state) open: bool,
    /// Whether the channel's overwrite for a role or member (by id) allows or denies reading.
    rules: BTreeMap<u64, bool>,
    /// The same for managing its threads.
    moderation: BTreeMap<u64, bool>,
}

impl PermissionRules {
    /// Derives the rules from the server's roles and the channel's overwrites.
    pub(in crate::discord::state) fn new(guild: &Guild, channel: &Channel) -> PermissionRules {
        let rules = rules_of(channel, VIEW);
        let base = guild.everybody();
        let seen = rules.get(&guild.id.0).copied().unwrap_or(base & VIEW != 0);
        // A channel that denies reading to any role or member is not open to everyone.
        let nobody_is_out = rules.iter().all(|(who, can_read)| *can_read || *who == guild.id.0);
        let open = base & ADMINISTRATOR != 0 || (seen && nobody_is_out);
        PermissionRules { guild: guild.id, open, rules, moderation: rules_of(channel, MANAGE_THREADS) }
    }

    /// Returns whether every reader of the other channel can read this one as well.
    pub(in crate::discord::state) fn includes_readers_of(&self, other: &PermissionRules) -> bool {
        self.guild == other.guild && (self.open || self.rules == other.rules)
    }

    /// Returns whether a member with these roles can read the channel.
    pub(in crate::discord::state) fn can_read(&self, guild: &Guild, who: UserId, roles: &[RoleId]) -> bool {
        has(VIEW, guild, &self.rules, (who, roles))
    }

    /// Returns whether a member with these roles can see all private threads of the channel.
    pub(in crate::discord::state) fn can_moderate(
        &self,
        guild: &Guild,
        who: UserId,
        roles: &[RoleId],
    ) -> bool {
        self.can_read(guild, who, roles) && has(MANAGE_THREADS, guild, &self.moderation, (who, roles))
    }
}

/// Returns whether a member has a permission under the channel's overwrites for it.
fn has(bit: u64, guild: &Guild, rules: &BTreeMap<u64, bool>, (who, roles): (UserId, &[RoleId])) -> bool {
    let base = guild.base(who, roles);
    if base & ADMINISTRATOR != 0 {
        return true;
    }
    let mut of_roles = roles.iter().filter_map(|role| rules.get(&role.0).copied());
    let of_everybody = rules.get(&guild.id.0).copied().unwrap_or(base & bit != 0);
    let of_roles = of_roles.next().map(|first| first || of_roles.any(|allows| allows));
    rules.get(&who.0).copied().or(of_roles).unwrap_or(of_everybody)
}

/// Returns the channel's overwrites of one permission, by role or member id.
fn rules_of(channel: &Channel, bit: u64) -> BTreeMap<u64, bool> {
    let rule = |overwrite: &Overwrite| {
        let (allows, denies) = (bits(&overwrite.allow) & bit != 0, bits(&overwrite.deny) & bit != 0);
        // Discord applies an overwrite's denies before its allows.
        Some((overwrite.id.parse().ok()?, allows)).filter(|_| allows || denies)
    };
    channel.permission_overwrites.iter().filter_map(rule).collect()
}

fn bits(permissions: &str) -> u64 {
    permissions.parse().unwrap_or_default()
}

/// The kind of a channel, as far as it matters for its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord::state) enum Kind {
    /// A server's channel with its own overwrites.
    OfServer(GuildId),
    /// A public thread, which inherits from its parent channel.
    Thread(ChannelId),
    /// A private thread with its own members, below a parent channel.
    PrivateThread(ChannelId),
    /// A direct message or an unknown type.
    Other,
}

impl Channel {
    /// Returns the kind of this channel.
    pub(in crate::discord::state) fn kind(&self) -> Kind {
        const NEWS_THREAD: u8 = 10;
        const PRIVATE_THREAD: u8 = 12;
        let guild = self.guild_id.as_deref().and_then(|id| id.parse().ok());
        let parent = self.parent_id.as_deref().and_then(|id| id.parse().ok());
        match (guild, parent, self.kind) {
            (Some(_), Some(parent), PRIVATE_THREAD) => Kind::PrivateThread(parent),
            (Some(_), Some(parent), NEWS_THREAD..PRIVATE_THREAD) => Kind::Thread(parent),
            (_, _, NEWS_THREAD..=PRIVATE_THREAD) | (None, ..) => Kind::Other,
            (Some(guild), ..) => Kind::OfServer(guild),
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
