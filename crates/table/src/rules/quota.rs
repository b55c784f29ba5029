//! Quotas: how much one person and one server may request, and when the next request is allowed.
//!
//! Pure: the caller passes the time. Rates are kept in memory and reset at a restart. The wait after a declined
//! challenge is stored as a note ([`ChallengeHistory::to_note`]), and the number of unfinished tables is counted in the store
//! ([`crate::ports::Journal::count_open`]).

use std::collections::HashMap;
use std::hash::Hash;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::clock::{HOUR, MINUTE};
use crate::model::millis;
pub use crate::model::quota_error::{LimitedAction, QuotaError};
use crate::{GuildId, RoleId, UserId};

/// The most keys of a meter. When it is full, the entries that expire first are dropped.
const MAX_KEYS: usize = 16_384;
/// The longest wait before a declined challenge can be repeated.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(24);
/// How long after its own wait a declined challenge still lengthens the next one.
const REFUSAL_MEMORY: SignedDuration = SignedDuration::from_hours(24);

/// The limits of all quotas, the section `limits` of the configuration; 0 means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotas {
    /// Unfinished tables that one person has opened. A rematch may exceed it up to twice the number.
    pub tables_per_person: u32,
    /// Unfinished tables on one server. A rematch may exceed it up to twice the number.
    pub tables_per_server: u32,
    /// Tables that one person opens in an hour, including those that have ended.
    pub tables_per_hour: u32,
    /// Challenges by one person in an hour; accepted ones do not count.
    pub challenges_per_hour: u32,
    /// Challenges by one person to the same person or role in an hour.
    pub challenges_to_one_per_hour: u32,
    /// Minutes before a declined or ignored challenge can be repeated; doubles each time, up to a day.
    pub challenge_wait_minutes: u32,
    /// GIFs and series of pictures for one person in a minute.
    pub gifs_per_minute: u32,
    /// GIFs and series of pictures for all people of a server in a minute.
    pub server_gifs_per_minute: u32,
    /// Analyses of whole games for one person in an hour; cached ones do not count.
    pub analyses_per_hour: u32,
    /// Exported records for one person in an hour.
    pub exports_per_hour: u32,
    /// Imported records and positions for one person in an hour.
    pub imports_per_hour: u32,
    /// Hints for one person in an hour.
    pub hints_per_hour: u32,
    /// Reports by one person in an hour.
    pub reports_per_hour: u32,
}

impl Quotas {
    /// No limits; used until the configuration sets some.
    pub const NONE: Quotas = Quotas {
        tables_per_person: 0,
        tables_per_server: 0,
        tables_per_hour: 0,
        challenges_per_hour: 0,
        challenges_to_one_per_hour: 0,
        challenge_wait_minutes: 0,
        gifs_per_minute: 0,
        server_gifs_per_minute: 0,
        analyses_per_hour: 0,
        exports_per_hour: 0,
        imports_per_hour: 0,
        hints_per_hour: 0,
        reports_per_hour: 0,
    };

    fn of_person(&self, what: LimitedAction) -> Rate {
        match what {
            LimitedAction::Table => Rate::hourly(self.tables_per_hour),
            LimitedAction::Gif => Rate { most: self.gifs_per_minute, period: MINUTE },
            LimitedAction::Analysis => Rate::hourly(self.analyses_per_hour),
            LimitedAction::Export => Rate::hourly(self.exports_per_hour),
            LimitedAction::Import => Rate::hourly(self.imports_per_hour),
            LimitedAction::Hint => Rate::hourly(self.hints_per_hour),
            LimitedAction::Report => Rate::hourly(self.reports_per_hour),
        }
    }

    fn of_server(&self, what: LimitedAction) -> Rate {
        match what {
            LimitedAction::Gif => Rate { most: self.server_gifs_per_minute, period: MINUTE },
            _ => Rate::hourly(0),
        }
    }
}

impl Default for Quotas {
    fn default() -> Quotas {
        Quotas {
            tables_per_person: 20,
            tables_per_server: 200,
            tables_per_hour: 60,
            challenges_per_hour: 10,
            challenges_to_one_per_hour: 3,
            challenge_wait_minutes: 10,
            gifs_per_minute: 3,
            server_gifs_per_minute: 12,
            analyses_per_hour: 20,
            exports_per_hour: 60,
            imports_per_hour: 40,
            hints_per_hour: 60,
            reports_per_hour: 3,
        }
    }
}

/// A number of uses per period. Uses return one by one, evenly over the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rate {
    /// The number of uses; 0 means no limit.
    most: u32,
    period: SignedDuration,
}

impl Rate {
    fn hourly(most: u32) -> Rate {
        Rate { most, period: HOUR }
    }

    /// Returns the time after which one use returns.
    fn interval(self) -> SignedDuration {
        (self.period / as_i32(self.most.max(1))).max(SignedDuration::from_millis(1))
    }
}

fn as_i32(count: u32) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

/// Uses by key, as a generic cell rate: for each key only the moment at which all its uses are back.
#[derive(Debug)]
struct Meter<K> {
    full: HashMap<K, Timestamp>,
}

impl<K> Default for Meter<K> {
    fn default() -> Meter<K> {
        Meter { full: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> Meter<K> {
    /// Returns when the next use is allowed, if that is not now.
    fn free_at(&self, key: K, rate: Rate, now: Timestamp) -> Option<Timestamp> {
        let full = *self.full.get(&key).filter(|_| rate.most > 0)?;
        let free_at = full - rate.interval() * as_i32(rate.most - 1);
        (free_at > now).then_some(free_at)
    }

    fn take(&mut self, key: K, rate: Rate, now: Timestamp) {
        if rate.most == 0 {
            return;
        }
        if self.full.len() >= MAX_KEYS && !self.full.contains_key(&key) {
            drop_earliest(&mut self.full, now, |full| *full);
        }
        let full = self.full.entry(key).or_insert(now);
        *full = (*full).max(now) + rate.interval();
    }

    fn give_back(&mut self, key: K, rate: Rate) {
        if let Some(full) = self.full.get_mut(&key).filter(|_| rate.most > 0) {
            *full -= rate.interval();
        }
    }
}

/// Drops expired entries; if there are too few, the half that expires first.
fn drop_earliest<K: Copy + Eq + Hash, V>(
    all: &mut HashMap<K, V>,
    now: Timestamp,
    expires: impl Fn(&V) -> Timestamp,
) {
    all.retain(|_, value| expires(value) > now);
    if all.len() >= MAX_KEYS {
        let mut moments: Vec<Timestamp> = all.values().map(&expires).collect();
        let middle = moments.len() / 2;
        let (_, limit, _) = moments.select_nth_unstable(middle);
        let limit = *limit;
        all.retain(|_, value| expires(value) > limit);
    }
}

/// The person or server that a number of uses belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    Person(UserId),
    Server(GuildId),
}

/// The history of one person's challenges to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChallengeHistory {
    /// The number of declined or ignored challenges since the last accepted one.
    pub refusals: u32,
    /// No new challenge is allowed before this moment.
    pub until: Timestamp,
}

impl ChallengeHistory {
    /// Returns when the history no longer matters.
    fn expires(&self) -> Timestamp {
        self.until + REFUSAL_MEMORY
    }

    /// Formats it as a note, which outlives a restart.
    pub fn to_note(&self) -> String {
        format!("{} {}", self.refusals, self.until.as_millisecond())
    }

    /// Parses a note of [`ChallengeHistory::to_note`]; `None` if it is something else.
    pub fn from_note(note: &str) -> Option<ChallengeHistory> {
        let (refusals, until) = note.split_once(' ')?;
        Some(ChallengeHistory {
            refusals: refusals.parse().ok()?,
            until: millis::timestamp(until.parse().ok()?),
        })
    }
}

/// The people and roles that a challenge invites.
#[derive(Clone, Copy, Debug)]
pub struct Invitees<'a> {
    /// The invited people, each once.
    pub people: &'a [UserId],
    /// The invited roles, each once.
    pub roles: &'a [RoleId],
}

impl Invitees<'_> {
    fn is_nobody(&self) -> bool {
        self.people.is_empty() && self.roles.is_empty()
    }
}

impl<'a> From<&'a [UserId]> for Invitees<'a> {
    fn from(people: &'a [UserId]) -> Invitees<'a> {
        Invitees { people, roles: &[] }
    }
}

impl<'a, const N: usize> From<&'a [UserId; N]> for Invitees<'a> {
    fn from(people: &'a [UserId; N]) -> Invitees<'a> {
        Invitees::from(people.as_slice())
    }
}

/// All counts of the quotas, in memory.
#[derive(Debug, Default)]
pub struct QuotaLedger {
    uses: Meter<(LimitedAction, Owner)>,
    challenges: Meter<UserId>,
    to_one: Meter<(UserId, UserId)>,
    to_role: Meter<(UserId, RoleId)>,
    pairs: HashMap<(UserId, UserId), ChallengeHistory>,
}

impl QuotaLedger {
    /// Counts a use by a person, and by their server if there is one.
    ///
    /// # Errors
    /// The moment at which the next use is allowed; nothing is counted then.
    pub fn spend(
        &mut self,
        quotas: &Quotas,
        what: LimitedAction,
        (who, guild): (UserId, Option<GuildId>),
        now: Timestamp,
    ) -> Result<(), QuotaError> {
        let own = ((what, Owner::Person(who)), quotas.of_person(what));
        let shared = guild.map(|guild| ((what, Owner::Server(guild)), quotas.of_server(what)));
        let all = || [(own, false)].into_iter().chain(shared.map(|shared| (shared, true)));
        for ((key, rate), server) in all() {
            if let Some(until) = self.uses.free_at(key, rate, now) {
                return Err(QuotaError::Rate { what, most: rate.most, server, until });
            }
        }
        all().for_each(|((key, rate), _)| self.uses.take(key, rate, now));
        Ok(())
    }

    /// Counts a challenge by a person to these people and roles, all at one table. The caller gives it back if the
    /// table is not opened.
    ///
    /// # Errors
    /// The moment at which it is allowed; nothing is counted then.
    pub fn challenge<'a>(
        &mut self,
        quotas: &Quotas,
        from: UserId,
        to: impl Into<Invitees<'a>>,
        now: Timestamp,
    ) -> Result<(), QuotaError> {
        let (to, one) = (to.into(), Rate::hourly(quotas.challenges_to_one_per_hour));
        self.may_challenge(quotas, from, to, now)?;
        if !to.is_nobody() {
            self.challenges.take(from, Rate::hourly(quotas.challenges_per_hour), now);
        }
        to.people.iter().for_each(|person| self.to_one.take((from, *person), one, now));
        to.roles.iter().for_each(|role| self.to_role.take((from, *role), one, now));
        Ok(())
    }

    fn may_challenge<'a>(
        &self,
        quotas: &Quotas,
        from: UserId,
        to: impl Into<Invitees<'a>>,
        now: Timestamp,
    ) -> Result<(), QuotaError> {
        let to = to.into();
        let one = Rate::hourly(quotas.challenges_to_one_per_hour);
        for person in to.people.iter().copied() {
            let wait = self.pairs.get(&(from, person)).map(|pair| pair.until);
            let rate = self.to_one.free_at((from, person), one, now);
            if let Some(until) = wait.into_iter().chain(rate).max().filter(|until| *until > now) {
                return Err(QuotaError::Repeated { person, until });
            }
        }
        for role in to.roles.iter().copied() {
            if let Some(until) = self.to_role.free_at((from, role), one, now) {
                return Err(QuotaError::RepeatedRole { role, until });
            }
        }
        let rate = Rate::hourly(quotas.challenges_per_hour);
        match self.challenges.free_at(from, rate, now).filter(|_| !to.is_nobody()) {
            Some(until) => Err(QuotaError::Challenges { most: rate.most, until }),
            None => Ok(()),
        }
    }

    /// Uncounts a challenge that reached nobody.
    pub fn give_back_challenge<'a>(&mut self, quotas: &Quotas, from: UserId, to: impl Into<Invitees<'a>>) {
        let (to, one) = (to.into(), Rate::hourly(quotas.challenges_to_one_per_hour));
        if !to.is_nobody() {
            self.challenges.give_back(from, Rate::hourly(quotas.challenges_per_hour));
        }
        to.people.iter().for_each(|person| self.to_one.give_back((from, *person), one));
        to.roles.iter().for_each(|role| self.to_role.give_back((from, *role), one));
    }

    /// Records that a counted challenge reached these people: they may challenge back at once.
    pub fn challenged(&mut self, from: UserId, to: &[UserId]) {
        to.iter().for_each(|person| self.lift_wait(*person, from));
    }

    /// Records that a person took a seat at another's table; `invited` if they were challenged to it.
    pub fn accepted(&mut self, quotas: &Quotas, from: UserId, by: UserId, invited: bool) {
        if invited {
            self.challenges.give_back(from, Rate::hourly(quotas.challenges_per_hour));
        }
        self.lift_wait(from, by);
    }

    /// Records that a person declined a challenge or let it expire: the next one must wait.
    pub fn turned_down(&mut self, quotas: &Quotas, from: UserId, by: UserId, now: Timestamp) {
        let initial = SignedDuration::from_mins(quotas.challenge_wait_minutes.into());
        if initial.is_zero() || from == by {
            return;
        }
        self.make_room(now);
        let pair = self.pairs.entry((from, by)).or_default();
        if pair.expires() <= now {
            *pair = ChallengeHistory::default();
        }
        let doubled =
            initial.checked_mul(1 << pair.refusals.min(20)).map_or(MAX_WAIT, |wait| wait.min(MAX_WAIT));
        *pair = ChallengeHistory { refusals: pair.refusals + 1, until: now + doubled };
    }

    /// Returns the history of one person's challenges to another, if it is in memory.
    pub fn pair(&self, from: UserId, to: UserId) -> Option<ChallengeHistory> {
        self.pairs.get(&(from, to)).copied()
    }

    /// Loads a history from the store, unless it has expired or is in memory.
    pub fn recall(&mut self, (from, to): (UserId, UserId), pair: ChallengeHistory, now: Timestamp) {
        if pair.expires() > now {
            self.make_room(now);
            self.pairs.entry((from, to)).or_insert(pair);
        }
    }

    fn make_room(&mut self, now: Timestamp) {
        if self.pairs.len() >= MAX_KEYS {
            drop_earliest(&mut self.pairs, now, ChallengeHistory::expires);
        }
    }

    /// Deletes a person's counts and those of others towards them.
    pub fn forget(&mut self, who: UserId) {
        self.uses.full.retain(|(_, owner), _| *owner != Owner::Person(who));
        self.challenges.full.remove(&who);
        self.to_one.full.retain(|(from, to), _| *from != who && *to != who);
        self.to_role.full.retain(|(from, _), _| *from != who);
        self.pairs.retain(|(from, to), _| *from != who && *to != who);
    }

    /// Lifts the other person's wait, because one wants to play with the other.
    fn lift_wait(&mut self, from: UserId, to: UserId) {
        self.pairs.remove(&(from, to));
        self.to_one.full.remove(&(from, to));
    }
}

#[cfg(test)]
mod tests;
