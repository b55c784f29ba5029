//! The parts of the bot that a process runs. By default it runs all of them.

use std::fmt;
use std::str::FromStr;

/// A part of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Shards of Discord's gateway, and what people ask for there.
    Gateway,
    /// The outbox, lobbies, TV channels and digests: what the bot posts by itself.
    Outbox,
    /// Clocks, reminders, deletions and backups.
    Timers,
    /// The pages for watching games in a browser, and for playing there.
    Web,
    /// The moves of the bot.
    Thinker,
}

impl Role {
    /// All parts.
    pub const ALL: [Role; 5] = [Role::Gateway, Role::Outbox, Role::Timers, Role::Web, Role::Thinker];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Role::Gateway => "gateway",
            Role::Outbox => "outbox",
            Role::Timers => "timers",
            Role::Web => "web",
            Role::Thinker => "thinker",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        let found = Role::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| format!("there is no role {text}; the roles are {}", Roles::default()))
    }
}

/// The parts that a process runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roles(Vec<Role>);

impl Default for Roles {
    fn default() -> Roles {
        Roles(Role::ALL.to_vec())
    }
}

impl Roles {
    /// Creates a set of roles; without any, it has all.
    pub fn of(roles: &[Role]) -> Roles {
        if roles.is_empty() { Roles::default() } else { Roles(roles.to_vec()) }
    }

    /// Whether the process runs a part.
    pub fn has(&self, role: Role) -> bool {
        self.0.contains(&role)
    }

    /// Whether the process runs all parts.
    pub fn are_all(&self) -> bool {
        Role::ALL.into_iter().all(|role| self.has(role))
    }

    /// Whether the process sends requests to Discord. The pages need it if people play there: who may see a table is
    /// looked up at Discord.
    pub fn need_discord(&self, has_playing_pages: bool) -> bool {
        self.has(Role::Gateway) || self.has(Role::Outbox) || self.has(Role::Web) && has_playing_pages
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|role| role.name()).collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_read_by_their_names() {
        for role in Role::ALL {
            assert_eq!(role.name().parse(), Ok(role));
        }
        let why = "thinking".parse::<Role>().unwrap_err();
        assert_eq!(why, "there is no role thinking; the roles are gateway,outbox,timers,web,thinker");
    }

    #[test]
    fn process_without_given_roles_has_all() {
        assert!(Roles::of(&[]).are_all() && Roles::of(&Role::ALL).are_all());
        let some = Roles::of(&[Role::Web, Role::Timers]);
        assert!(some.has(Role::Web) && !some.are_all() && !some.need_discord(false));
        assert!(Roles::of(&[Role::Outbox]).need_discord(false) && some.need_discord(true));
    }
}
