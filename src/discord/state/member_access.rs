//! Whether a person can read a channel now, by Discord's permissions for their roles.
//!
//! Interactions and messages of the same server contain the roles. Otherwise the member is looked up, and the
//! result is cached for some seconds: without a privileged intent no event reports that a member left, was
//! banned or lost a role. The permissions of channels are cached by
//! [`channel_access`](crate::discord::state::channel_access).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use quick_cache::unsync::Cache;

use rookery_table::access::TriState;
use rookery_table::{GuildId, RoleId, UserId};

/// The longest age of a member's cached roles when a person asks for something.
pub(in crate::discord) const FRESH: SignedDuration = SignedDuration::from_secs(15);
/// The longest age where Discord itself hides the message from people who may not read it.
pub(in crate::discord) const RECENT: SignedDuration = SignedDuration::from_hours(1);
/// The most cached members.
const CACHE_CAPACITY: usize = 20_000;

/// The result of looking up a person on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Membership {
    /// A member with these roles.
    Member(Arc<[RoleId]>),
    /// The person is not a member.
    None,
}

/// The memberships by server and person, each with the time of its lookup.
type KnownMembers = Cache<(GuildId, UserId), (Timestamp, Membership)>;

/// The cache of recently looked-up members. Clones share it.
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

    /// Removes the members of a server whose roles or channels have changed.
    pub(in crate::discord) fn forget(&self, guild: GuildId) {
        self.all().retain(|(known, _), _| *known != guild);
    }

    /// Removes a person on all servers.
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

/// A person as a reader of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) struct Reader {
    /// Whether the person is a member of the channel's server.
    pub(in crate::discord) is_member: TriState,
    /// Whether the person can read the channel.
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
