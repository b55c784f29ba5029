//! Whether one person reads a channel now: by Discord's permissions for the roles that they have.
//!
//! Roles come with interactions and with messages on the same server. Elsewhere the member is looked up, and what
//! Discord says is kept for some seconds: without a privileged intent no event says that a member left, was
//! banned or lost a role. What a channel allows is kept by [`channel_access`](crate::discord::state::channel_access).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rookery_table::access::TriState;
use rookery_table::{ChannelId, GuildId, RoleId, UserId};

use crate::discord::state::channel_access::unless_it_passes;
use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;

/// For how long a member's roles are taken to be as they were when somebody asks for something, in milliseconds.
pub(in crate::discord) const FRESH_MS: i64 = 15_000;
/// The same where Discord itself keeps what is said from those who may not read it, in milliseconds.
pub(in crate::discord) const RECENT_MS: i64 = 3_600_000;
/// Members that are remembered.
const CACHE_CAPACITY: usize = 20_000;

/// What Discord said of somebody on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Membership {
    /// A member with these roles.
    Member(Arc<[RoleId]>),
    /// No member.
    None,
}

/// By server and person, each with when it was looked up, in milliseconds since 1970.
type KnownMembers = HashMap<(GuildId, UserId), (i64, Membership)>;

/// The members looked up lately. A copy remembers the same.
#[derive(Clone, Default)]
pub struct Members(Arc<Mutex<KnownMembers>>);

impl Members {
    fn all(&self) -> MutexGuard<'_, KnownMembers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the members of a server: something about its roles or channels has changed.
    pub(in crate::discord) fn forget(&self, guild: GuildId) {
        self.all().retain(|(known, _), _| *known != guild);
    }

    /// Forgets a person everywhere.
    pub(in crate::discord) fn delete_person(&self, who: UserId) {
        self.all().retain(|(_, known), _| *known != who);
    }

    fn get(&self, key: (GuildId, UserId), (now_ms, max_age_ms): (i64, i64)) -> Option<Membership> {
        let all = self.all();
        let (at_ms, membership) = all.get(&key)?;
        (now_ms - at_ms < max_age_ms).then(|| membership.clone())
    }

    fn keep(&self, key: (GuildId, UserId), membership: &Membership, now_ms: i64) {
        let mut all = self.all();
        if all.len() >= CACHE_CAPACITY {
            all.retain(|_, (at_ms, _)| now_ms - *at_ms < FRESH_MS);
        }
        if all.len() >= CACHE_CAPACITY {
            all.clear();
        }
        all.insert(key, (now_ms, membership.clone()));
    }
}

/// What is known of somebody as a reader of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) struct Reader {
    /// Whether they are a member of the channel's server.
    pub(in crate::discord) is_member: TriState,
    /// Whether they read the channel.
    pub(in crate::discord) reads: TriState,
}

impl Context {
    /// Whether somebody reads a channel of a server. `roles` are theirs there, if they came with what they ask;
    /// otherwise they are looked up, unless that was done within `max_age_ms`.
    pub(in crate::discord) async fn reader(
        &self,
        (guild, channel): (GuildId, ChannelId),
        who: UserId,
        roles: Option<&[RoleId]>,
        max_age_ms: i64,
    ) -> Reader {
        let membership = match roles {
            Some(roles) => Ok(Membership::Member(roles.into())),
            None => self.membership(guild, who, max_age_ms).await,
        };
        match membership {
            Ok(Membership::Member(roles)) => {
                Reader { is_member: TriState::Yes, reads: self.can_read(channel, who, &roles).await }
            }
            Ok(Membership::None) => Reader { is_member: TriState::No, reads: TriState::No },
            Err(fault) => {
                tracing::info!(%guild, %channel, %fault, "whether somebody reads a channel is not known");
                let fact = unless_it_passes(&fault);
                Reader { is_member: fact, reads: fact }
            }
        }
    }

    async fn membership(
        &self,
        guild: GuildId,
        who: UserId,
        max_age_ms: i64,
    ) -> Result<Membership, DiscordError> {
        let (key, now_ms) = ((guild, who), self.registry.now_ms());
        if let Some(known) = self.members.get(key, (now_ms, max_age_ms)) {
            return Ok(known);
        }
        let found = match self.api.roles_of(guild, who).await {
            Ok(roles) => Membership::Member(roles.into()),
            // Of a server that we are not in nobody is shown anything.
            Err(DiscordError::NotFound { .. } | DiscordError::NoAccess { .. }) => Membership::None,
            Err(fault) => return Err(fault),
        };
        self.members.keep(key, &found, now_ms);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_remembered_for_some_seconds_and_no_longer_than_a_change() {
        let members = Members::default();
        let found = Membership::Member([RoleId(6)].into());
        members.keep((GuildId(5), UserId(1)), &found, 0);
        members.keep((GuildId(4), UserId(1)), &Membership::None, 0);
        assert_eq!(members.get((GuildId(5), UserId(1)), (FRESH_MS - 1, FRESH_MS)), Some(found.clone()));
        assert_eq!(members.get((GuildId(5), UserId(1)), (FRESH_MS, FRESH_MS)), None);
        assert_eq!(members.get((GuildId(5), UserId(1)), (FRESH_MS, RECENT_MS)), Some(found));
        members.forget(GuildId(5));
        assert_eq!(members.get((GuildId(5), UserId(1)), (0, FRESH_MS)), None);
        assert_eq!(
            members.get((GuildId(4), UserId(1)), (0, FRESH_MS)),
            Some(Membership::None),
            "another server"
        );
        members.delete_person(UserId(1));
        assert_eq!(members.get((GuildId(4), UserId(1)), (0, FRESH_MS)), None);
    }

    #[test]
    fn members_are_remembered_within_bounds() {
        let members = Members::default();
        (0..CACHE_CAPACITY as u64 + 5)
            .for_each(|who| members.keep((GuildId(5), UserId(who)), &Membership::None, 0));
        assert!(members.all().len() <= CACHE_CAPACITY);
    }
}
