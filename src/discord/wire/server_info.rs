//! Channels, roles and servers as Discord describes them, as far as it says who may do what.

use serde::Deserialize;

use rookery_table::RoleId;

/// A channel as Discord tells of it, as far as it says who reads it.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct Channel {
    #[serde(rename = "type")]
    pub(in crate::discord) kind: u8,
    pub(in crate::discord) guild_id: Option<String>,
    pub(in crate::discord) parent_id: Option<String>,
    #[serde(default)]
    pub(in crate::discord) permission_overwrites: Vec<Overwrite>,
}

/// What a channel gives to a role or a person, and takes from them.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct Overwrite {
    pub(in crate::discord) id: String,
    pub(in crate::discord) allow: String,
    pub(in crate::discord) deny: String,
}

/// A role of a server; that of the server's own number is everybody's.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct Role {
    pub(in crate::discord) id: String,
    pub(in crate::discord) permissions: String,
    /// Whether everybody may mention it.
    #[serde(default)]
    pub(in crate::discord) mentionable: bool,
}

impl Role {
    /// Whether it is the role of this number, and only those may mention it who may mention everybody.
    pub(in crate::discord) fn is_silent(&self, role: RoleId) -> bool {
        self.id.parse() == Ok(role) && !self.mentionable
    }
}

/// A server as Discord tells of it, as far as it says who may what.
#[derive(Debug, Deserialize)]
pub(in crate::discord) struct GuildInfo {
    pub(in crate::discord) owner_id: String,
    pub(in crate::discord) roles: Vec<Role>,
}
