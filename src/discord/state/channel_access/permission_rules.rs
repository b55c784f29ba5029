//! Whom a channel lets in: what Discord says of channels, roles and servers, and its algorithm for permissions.
//!
//! The order is Discord's ("Permission Overwrites" in its documentation): a server's owner and administrators may
//! everything; then what roles give on the whole server; then the channel's overwrites, first for `@everyone`, then
//! those of all roles together (what one of them allows is allowed), last the member's own.

use std::collections::BTreeMap;

use crate::discord::wire::server_info::{Channel, GuildInfo, Overwrite};
use rookery_table::{ChannelId, GuildId, RoleId, UserId};

/// Discord's bit for seeing a channel.
const VIEW: u64 = 1 << 10;
/// Discord's bit for administrators, who see everything.
const ADMINISTRATOR: u64 = 1 << 3;
/// Discord's bit for seeing all private threads of a channel.
const MANAGE_THREADS: u64 = 1 << 34;

/// Who may what on a server as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guild {
    id: GuildId,
    owner: UserId,
    /// Permissions by role.
    roles: BTreeMap<RoleId, u64>,
}

impl Guild {
    pub(super) fn new(id: GuildId, info: &GuildInfo) -> Guild {
        let roles =
            info.roles.iter().filter_map(|role| Some((role.id.parse().ok()?, bits(&role.permissions))));
        Guild { id, owner: UserId(info.owner_id.parse().unwrap_or_default()), roles: roles.collect() }
    }

    /// What everybody may.
    fn everybody(&self) -> u64 {
        self.roles.get(&RoleId(self.id.0)).copied().unwrap_or_default()
    }

    /// What a member with these roles may before any channel's overwrites.
    fn base(&self, who: UserId, roles: &[RoleId]) -> u64 {
        if who == self.owner {
            return ADMINISTRATOR;
        }
        let own = roles.iter().filter_map(|role| self.roles.get(role));
        own.fold(self.everybody(), |sum, permissions| sum | permissions)
    }
}

/// Whom a channel lets in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PermissionRules {
    pub(super) guild: GuildId,
    /// Whether everybody on the server is let in, whatever their roles.
    pub(super) open: bool,
    /// Whether a role or person, by number, is let in or kept out, where the channel itself says so.
    rules: BTreeMap<u64, bool>,
    /// The same for looking after its threads.
    moderation: BTreeMap<u64, bool>,
}

impl PermissionRules {
    /// Whom a channel lets in, by its server's roles and its own overwrites.
    pub(super) fn new(guild: &Guild, channel: &Channel) -> PermissionRules {
        let rules = rules_of(channel, VIEW);
        let base = guild.everybody();
        let seen = rules.get(&guild.id.0).copied().unwrap_or(base & VIEW != 0);
        // A channel that keeps out a role or a person isn't open to everybody.
        let nobody_is_out = rules.iter().all(|(who, can_read)| *can_read || *who == guild.id.0);
        let open = base & ADMINISTRATOR != 0 || (seen && nobody_is_out);
        PermissionRules { guild: guild.id, open, rules, moderation: rules_of(channel, MANAGE_THREADS) }
    }

    /// Whether everybody whom another door lets in is let in here.
    pub(super) fn includes_readers_of(&self, other: &PermissionRules) -> bool {
        self.guild == other.guild && (self.open || self.rules == other.rules)
    }

    /// Whether a member with these roles is let in.
    pub(super) fn can_read(&self, guild: &Guild, who: UserId, roles: &[RoleId]) -> bool {
        has(VIEW, guild, &self.rules, (who, roles))
    }

    /// Whether a member with these roles sees all private threads under it.
    pub(super) fn can_moderate(&self, guild: &Guild, who: UserId, roles: &[RoleId]) -> bool {
        self.can_read(guild, who, roles) && has(MANAGE_THREADS, guild, &self.moderation, (who, roles))
    }
}

/// Whether a member has a permission under a channel's overwrites for it.
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

/// What a channel says of a permission, by role or person.
fn rules_of(channel: &Channel, bit: u64) -> BTreeMap<u64, bool> {
    let rule = |overwrite: &Overwrite| {
        let (allows, denies) = (bits(&overwrite.allow) & bit != 0, bits(&overwrite.deny) & bit != 0);
        // Discord takes away first and gives then.
        Some((overwrite.id.parse().ok()?, allows)).filter(|_| allows || denies)
    };
    channel.permission_overwrites.iter().filter_map(rule).collect()
}

fn bits(permissions: &str) -> u64 {
    permissions.parse().unwrap_or_default()
}

/// What a channel is, as far as it says who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A channel of a server, with overwrites of its own.
    OfServer(GuildId),
    /// A thread that goes by the channel above it.
    Thread(ChannelId),
    /// A thread to which people are let in by name, under a channel.
    PrivateThread(ChannelId),
    /// A direct message, or something unknown.
    Other,
}

impl Channel {
    /// What it is.
    pub(super) fn kind(&self) -> Kind {
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
