//! The mentions of a message: those in its text that `allowed_mentions` permits.

use serde_json::Value;

use super::super::id::Id;
use super::super::permissions::MENTION_EVERYONE;
use super::DiscordState;
use super::model::Channel;

/// The people and roles that a message pings, and whether it pings everyone.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Pings {
    pub(crate) users: Vec<Id>,
    pub(crate) roles: Vec<Id>,
    pub(crate) everyone: bool,
}

/// The mentions that a message's `allowed_mentions` permits.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    users: Named,
    roles: Named,
    everyone: bool,
    /// Whether a reply pings the author of the message replied to.
    pub(crate) replied_user: bool,
}

#[derive(Clone, Debug)]
enum Named {
    All,
    Only(Vec<Id>),
}

impl Allowed {
    /// Permits everything: the rule for a person's message, and for a bot's without `allowed_mentions`.
    pub(crate) fn everything(replied_user: bool) -> Self {
        Self { users: Named::All, roles: Named::All, everyone: true, replied_user }
    }

    /// Reads a checked body's `allowed_mentions`; absent or null permits everything.
    pub(crate) fn read(body: &Value) -> Self {
        let Some(object) = body.get("allowed_mentions").and_then(Value::as_object) else {
            return Self::everything(true);
        };
        let parse = |word: &str| {
            object.get("parse").and_then(Value::as_array).is_some_and(|list| list.iter().any(|it| it == word))
        };
        let named = |word: &str| {
            if parse(word) {
                return Named::All;
            }
            let list = object.get(word).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            Named::Only(list.iter().filter_map(read_id).collect())
        };
        Self {
            users: named("users"),
            roles: named("roles"),
            everyone: parse("everyone"),
            replied_user: object.get("replied_user").and_then(Value::as_bool).unwrap_or(false),
        }
    }
}

impl Named {
    fn allows(&self, id: Id) -> bool {
        match self {
            Self::All => true,
            Self::Only(list) => list.contains(&id),
        }
    }
}

impl DiscordState {
    /// Returns the mentions of `text` by `author` in `channel`. Unknown people and roles are not pinged, nor
    /// are roles that are not mentionable unless the author may mention all roles.
    pub(crate) fn pings(&self, author: Id, text: &str, allowed: &Allowed, channel: &Channel) -> Pings {
        let all_roles = self.permissions_in(author, channel) & MENTION_EVERYONE != 0;
        let mut pings = Pings::default();
        for named in text.split("<@").skip(1).filter_map(|rest| Some(rest.split_once('>')?.0)) {
            match named.strip_prefix('&') {
                Some(role) => self.ping_role(&mut pings, role, allowed, (channel, all_roles)),
                None => self.ping_user(&mut pings, named.trim_start_matches('!'), allowed),
            }
        }
        pings.everyone = allowed.everyone && (text.contains("@everyone") || text.contains("@here"));
        pings
    }

    fn ping_user(&self, pings: &mut Pings, id: &str, allowed: &Allowed) {
        let Some(id) = id.parse().ok().filter(|id| self.users.contains_key(id)) else { return };
        if allowed.users.allows(id) && !pings.users.contains(&id) {
            pings.users.push(id);
        }
    }

    fn ping_role(&self, pings: &mut Pings, id: &str, allowed: &Allowed, (channel, all): (&Channel, bool)) {
        let Ok(id) = id.parse::<Id>() else { return };
        let guild = channel.guild_id.and_then(|guild| self.guilds.get(&guild));
        let known = guild
            .is_some_and(|guild| guild.roles.iter().any(|role| role.id == id && (all || role.mentionable)));
        if known && allowed.roles.allows(id) && !pings.roles.contains(&id) {
            pings.roles.push(id);
        }
    }
}

/// Reads an id: a string of digits or a number.
pub(crate) fn read_id(value: &Value) -> Option<Id> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_u64().map(Id),
        _ => None,
    }
}
