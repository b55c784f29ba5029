//! Who a message pings: what its text names, as far as `allowed_mentions` lets it.

use serde_json::Value;

use super::super::id::Id;
use super::super::permissions::{self, MENTION_EVERYONE};
use super::DiscordState;
use super::model::Channel;

/// The people, roles and everybodies pinged.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Pings {
    pub(crate) users: Vec<Id>,
    pub(crate) roles: Vec<Id>,
    pub(crate) everyone: bool,
}

/// Which of the named may be pinged.
#[derive(Clone, Debug)]
pub(crate) struct Allowed {
    users: Named,
    roles: Named,
    everyone: bool,
    /// Whether a reply pings the one replied to.
    pub(crate) replied_user: bool,
}

#[derive(Clone, Debug)]
enum Named {
    All,
    Only(Vec<Id>),
}

impl Allowed {
    /// What holds for a person's message, and for a bot's that says nothing about it.
    pub(crate) fn everything(replied_user: bool) -> Self {
        Self { users: Named::All, roles: Named::All, everyone: true, replied_user }
    }

    /// Reads a body's `allowed_mentions` (already checked); absent or null allows everything.
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
    /// Who `text`, said by `author` in `channel`, pings. Names of people and roles that do not exist ping nobody,
    /// nor do roles that not everybody may mention, unless the author may mention all.
    pub(crate) fn pings(&self, author: Id, text: &str, allowed: &Allowed, channel: &Channel) -> Pings {
        let all_roles = permissions::in_channel(self, author, channel) & MENTION_EVERYONE != 0;
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

/// An id in a body: a string of digits, or a number.
pub(crate) fn read_id(value: &Value) -> Option<Id> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_u64().map(Id),
        _ => None,
    }
}
