//! Channels that refused us lately. Discord bans the address of whoever keeps asking: nothing is posted or changed
//! there for a while, whoever wants to, unless it is heard that we may.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::desk::Desk;
use super::fault::{Fault, NO_HISTORY, NO_LEAVE};
use super::post::Post;
use super::sight::Sight;

/// For how long a channel that refused us is left alone.
pub(super) const SHUN: Duration = Duration::from_secs(600);

/// The channels.
#[derive(Clone, Default)]
pub struct Shuns {
    all: Arc<Mutex<HashMap<u64, Shun>>>,
    /// Who hears where leave is given.
    sight: Sight,
}

/// How a channel is left alone.
#[derive(Clone, Copy)]
struct Shun {
    until: Instant,
    /// The moment of its refusal, as [`Sight`] counts them.
    since: u64,
}

impl Shuns {
    /// None yet.
    pub(super) fn of(sight: &Sight) -> Shuns {
        Shuns { sight: sight.clone(), ..Shuns::default() }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<u64, Shun>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a channel refused us lately.
    pub(super) fn has(&self, channel: u64) -> bool {
        self.since(channel).is_some()
    }

    /// When a channel refused us that is left alone, as [`Sight`] counts moments: leave may have been given since.
    pub(super) fn since(&self, channel: u64) -> Option<u64> {
        let mut all = self.all();
        all.retain(|_, shun| shun.until > Instant::now());
        all.get(&channel).map(|shun| shun.since)
    }

    /// Remembers a channel, if a fault says that it refused us.
    pub(super) fn note(&self, channel: u64, fault: &Fault) {
        if matches!(fault, Fault::NoAccess { .. }) {
            let shun = Shun { until: Instant::now() + SHUN, since: self.sight.moment() };
            self.all().insert(channel, shun);
        }
    }

    /// A channel may take something now, whatever it did before.
    pub(super) fn forget(&self, channel: u64) {
        self.all().remove(&channel);
    }

    /// The same of all that such a change concerns: in a channel of a server, or, without one, on all of it.
    fn forget_on(&self, guild: u64, changed: Option<u64>) {
        self.all().retain(|channel, _| !self.sight.concerns(guild, changed, *channel));
    }
}

impl Desk {
    /// Who reads and writes where may be otherwise from now on, ourselves included: in a channel, or, without one, on
    /// the whole server.
    pub(super) fn readers_changed(&self, guild: u64, channel: Option<u64>) {
        // Where channels are is known until sight lets go of it.
        self.shuns.forget_on(guild, channel);
        self.sight.forget(guild, channel);
        self.hall.bell().notify_one();
    }

    /// Posts in a channel that has not refused us lately; the message's id. The same nonce within some minutes gives
    /// the same message.
    ///
    /// # Errors
    /// If Discord does not take it, or the channel is left alone.
    pub(super) async fn post_in(&self, channel: u64, post: &Post, nonce: &str) -> Result<u64, Fault> {
        if self.shuns.has(channel) {
            return Err(Fault::NoAccess { code: 0, why: "this channel refused us a moment ago".into() });
        }
        let sent = self.api.post(channel, post, Some(nonce)).await;
        if let Err(fault) = &sent
            && !may_be_of_a_part(post, fault)
        {
            self.shuns.note(channel, fault);
        }
        sent
    }
}

/// Whether a message may be refused for its files, or for what it answers, and taken without.
fn may_be_of_a_part(post: &Post, fault: &Fault) -> bool {
    let of_files = post.has_files() && fault.code() == Some(NO_LEAVE);
    of_files || (post.answers.is_some() && fault.code() == Some(NO_HISTORY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_channel_that_refused_us_is_left_alone_for_a_while_or_until_it_opens() {
        let shuns = Shuns::default();
        let refused = Fault::NoAccess { code: 50_001, why: String::new() };
        shuns.note(1, &refused);
        shuns.note(2, &Fault::Gone { code: 10_003, why: String::new() });
        assert!(shuns.has(1) && !shuns.has(2));
        tokio::time::advance(SHUN).await;
        assert!(!shuns.has(1));
        shuns.note(1, &refused);
        shuns.forget(1);
        assert!(!shuns.has(1));
    }

    #[test]
    fn a_channel_is_left_alone_until_leave_may_have_been_given_there() {
        let sight = Sight::default();
        let shuns = Shuns::of(&sight);
        let refused = Fault::NoAccess { code: 50_001, why: String::new() };
        sight.opened(9);
        shuns.note(1, &refused);
        assert_eq!(shuns.since(1), Some(sight.moment()));
        sight.opened(1);
        assert!(shuns.since(1) < Some(sight.leave(&[1])), "it was given since");
        shuns.note(2, &refused);
        shuns.forget_on(5, Some(1));
        assert!(!shuns.has(1) && shuns.has(2), "another channel");
        shuns.forget_on(5, None);
        assert!(!shuns.has(2), "nobody knows on which server it is");
    }

    #[test]
    fn a_message_that_is_taken_without_its_files_is_no_refusal_of_all() {
        let refused = |code| Fault::NoAccess { code, why: String::new() };
        let plain = Post::text("x");
        let with_file = Post::text("x").file("game.txt", vec![1]);
        assert!(may_be_of_a_part(&with_file, &refused(NO_LEAVE)));
        assert!(!may_be_of_a_part(&plain, &refused(NO_LEAVE)));
        assert!(may_be_of_a_part(&Post::text("x").answering(1), &refused(NO_HISTORY)));
        assert!(!may_be_of_a_part(&with_file, &refused(50_001)));
    }
}
