//! Whether one person reads a channel now: by Discord's permissions for the roles that they have.
//!
//! Roles come with interactions and with messages on the same server. Elsewhere the member is looked up, and what
//! Discord says is kept for some seconds: without a privileged intent no event says that a member left, was
//! banned or lost a role. What a channel allows is kept by [`channel_access`](crate::discord::state::channel_access).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use quick_cache::unsync::Cache;

use rookery_table::access::TriState;
use rookery_table::{GuildId, RoleId, UserId};

/// For how long a member's roles are taken to be as they were when somebody asks for something.
pub(in crate::discord) const FRESH: SignedDuration = SignedDuration::from_secs(15);
/// The same where Discord itself keeps what is said from those who may not read it.
pub(in crate::discord) const RECENT: SignedDuration = SignedDuration::from_hours(1);
/// Members that are remembered.
const CACHE_CAPACITY: usize = 20_000;

/// What Discord said of somebody on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Membership {
    /// A member with these roles.
    Member(Arc<[RoleId]>),
    /// No member.
    None,
}

/// By server and person, each with when it was looked up.
type KnownMembers = Cache<(GuildId, UserId), (Timestamp, Membership)>;

/// The members looked up lately. A copy remembers the same.
#[derive(Clone)]
pub struct Members(Arc<Mutex<KnownMembers>>);

impl Default for Members {
    fn default() -> Members {
        Members(Arc::new(Mutex::new(Cache::new(CACHE_CAPACITY))))
    }
}

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

    pub(super) fn get(
        &self,
        key: (GuildId, UserId),
        (now, max_age): (Timestamp, SignedDuration),
    ) -> Option<Membership> {
        let all = self.all();
        let (at, membership) = all.get(&key)?;
        (now.duration_since(*at) < max_age).then(|| membership.clone())
    }

    pub(super) fn keep(&self, key: (GuildId, UserId), membership: &Membership, now: Timestamp) {
        self.all().insert(key, (now, membership.clone()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_table::millis;

    #[test]
    fn members_are_remembered_for_some_seconds_and_no_longer_than_a_change() {
        let members = Members::default();
        let found = Membership::Member([RoleId(6)].into());
        members.keep((GuildId(5), UserId(1)), &found, millis::timestamp(0));
        members.keep((GuildId(4), UserId(1)), &Membership::None, millis::timestamp(0));
        assert_eq!(
            members.get(
                (GuildId(5), UserId(1)),
                (Timestamp::UNIX_EPOCH + FRESH - SignedDuration::from_millis(1), FRESH)
            ),
            Some(found.clone())
        );
        assert_eq!(members.get((GuildId(5), UserId(1)), (Timestamp::UNIX_EPOCH + FRESH, FRESH)), None);
        assert_eq!(
            members.get((GuildId(5), UserId(1)), (Timestamp::UNIX_EPOCH + FRESH, RECENT)),
            Some(found)
        );
        members.forget(GuildId(5));
        assert_eq!(members.get((GuildId(5), UserId(1)), (millis::timestamp(0), FRESH)), None);
        assert_eq!(
            members.get((GuildId(4), UserId(1)), (millis::timestamp(0), FRESH)),
            Some(Membership::None),
            "another server"
        );
        members.delete_person(UserId(1));
        assert_eq!(members.get((GuildId(4), UserId(1)), (millis::timestamp(0), FRESH)), None);
    }

    #[test]
    fn members_are_remembered_within_bounds() {
        let members = Members::default();
        (0..CACHE_CAPACITY as u64 + 5)
            .for_each(|who| members.keep((GuildId(5), UserId(who)), &Membership::None, millis::timestamp(0)));
        assert!(members.all().len() <= CACHE_CAPACITY);
    }
}
