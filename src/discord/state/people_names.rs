//! The names of people on web pages, where no client turns a mention into a name. They are only in memory, and not for
//! long: people change their names, and leave.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use quick_cache::unsync::Cache;
use rookery_table::{GuildId, UserId};

/// How long a name is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(1);
/// How long it is remembered that a name could not be read, so that a failing Discord is not asked at every request.
const KEPT_UNKNOWN: SignedDuration = SignedDuration::from_secs(60);
/// The most names kept.
const CACHE_CAPACITY: usize = 20_000;

/// The server on which a name is shown, if any, and the person.
type Key = (Option<GuildId>, UserId);

/// The names, each with the time at which it was read.
type KnownNames = Cache<Key, (Timestamp, Option<String>)>;

/// The recently read names. Clones share them.
#[derive(Clone)]
pub struct PeopleNames(Arc<Mutex<KnownNames>>);

impl Default for PeopleNames {
    fn default() -> PeopleNames {
        PeopleNames(Arc::new(Mutex::new(Cache::new(CACHE_CAPACITY))))
    }
}

impl PeopleNames {
    fn all(&self) -> MutexGuard<'_, KnownNames> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what is known of a name: `Some(None)` if it could not be read a moment ago.
    pub(super) fn get(&self, key: Key, now: Timestamp) -> Option<Option<String>> {
        let all = self.all();
        let (at, name) = all.get(&key)?;
        let kept = if name.is_some() { KEPT } else { KEPT_UNKNOWN };
        (now.duration_since(*at) < kept).then(|| name.clone())
    }

    pub(super) fn keep(&self, key: Key, name: Option<String>, now: Timestamp) {
        self.all().insert(key, (now, name));
    }

    /// Removes a person's names.
    pub(in crate::discord) fn delete_person(&self, who: UserId) {
        self.all().retain(|(_, known), _| *known != who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_names_expire_and_can_be_deleted() {
        let (names, key, now) = (PeopleNames::default(), (None, UserId(1)), Timestamp::UNIX_EPOCH);
        names.keep(key, Some("Ada".into()), now);
        assert_eq!(names.get(key, now + SignedDuration::from_mins(59)), Some(Some("Ada".to_owned())));
        assert_eq!(names.get(key, now + SignedDuration::from_mins(60)), None);
        names.delete_person(UserId(1));
        assert_eq!(names.get(key, now), None);
        names.keep(key, None, now);
        assert_eq!(names.get(key, now + SignedDuration::from_secs(59)), Some(None));
        assert_eq!(names.get(key, now + SignedDuration::from_secs(60)), None);
    }
}
