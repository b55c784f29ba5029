//! Channels, roles and servers as Discord describes them, reduced to the fields that determine permissions.

use serde::Deserialize;

use rookery_table::{RoleId, UserId};

/// A channel, with the fields that determine who can read it.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct Channel {
    #[serde(rename = "type")]
    pub(in crate::discord) kind: u8,
    pub(in crate::discord) guild_id: Option<String>,
    pub(in crate::discord) parent_id: Option<String>,
    #[serde(default)]
    pub(in crate::discord) permission_overwrites: Vec<Overwrite>,
}

/// The permissions that a channel allows and denies to a role or a member.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct Overwrite {
    pub(in crate::discord) id: String,
    pub(in crate::discord) allow: String,
    pub(in crate::discord) deny: String,
}

/// A role of a server. The role with the server's id is `@everyone`.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct Role {
    pub(in crate::discord) id: String,
    pub(in crate::discord) permissions: String,
    /// Whether all members may mention it.
    #[serde(default)]
    pub(in crate::discord) mentionable: bool,
    #[serde(default)]
    tags: RoleTags,
}

/// What Discord manages a role for.
#[derive(Debug, Default, Deserialize)]
struct RoleTags {
    #[serde(default)]
    bot_id: Option<String>,
}

impl Role {
    /// Returns the bot whose role it is, if Discord manages it for one.
    pub(in crate::discord) fn managed_for(&self) -> Option<UserId> {
        self.tags.bot_id.as_ref()?.parse().ok().map(UserId)
    }

    /// Returns whether this is the role with the given id and a mention of it requires a permission.
    pub(in crate::discord) fn is_silent(&self, role: RoleId) -> bool {
        self.id.parse() == Ok(role) && !self.mentionable
    }
}

/// A server, with the fields that determine permissions.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct GuildInfo {
    pub(in crate::discord) owner_id: String,
    pub(in crate::discord) roles: Vec<Role>,
}
