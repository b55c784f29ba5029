//! Channels that belong to no game, so that conversation there doesn't cost a query for each message.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quick_cache::sync::Cache;
use tokio::time::Instant;

use crate::discord::wire::snowflake::written_at;
use rookery_table::ChannelId;

/// How long a channel counts as one without a game.
const VALIDITY: Duration = Duration::from_secs(60);
/// Younger channels are not remembered: the bot may have made a thread whose game is not in the journal yet, and
/// another process may write it.
const MIN_AGE: SignedDuration = SignedDuration::from_hours(24);
/// The most channels that are remembered.
const MAX_CHANNELS: usize = 50_000;

/// The channels that belonged to no game when a message there was looked at.
#[derive(Clone)]
pub struct ChannelsWithoutGames(Arc<Cache<ChannelId, Instant>>);

impl Default for ChannelsWithoutGames {
    fn default() -> ChannelsWithoutGames {
        ChannelsWithoutGames(Arc::new(Cache::new(MAX_CHANNELS)))
    }
}

impl ChannelsWithoutGames {
    /// Whether the channel belonged to no game a short time ago.
    pub(in crate::discord) fn has(&self, channel: ChannelId) -> bool {
        self.0.get(&channel).is_some_and(|since| since.elapsed() < VALIDITY)
    }

    /// Records that the channel belongs to no game, if a game can't just be starting there.
    pub(in crate::discord) fn note(&self, channel: ChannelId, now: Timestamp) {
        if now.duration_since(written_at(channel.0)) >= MIN_AGE {
            self.0.insert(channel, Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::snowflake::first_id;

    #[tokio::test(start_paused = true)]
    async fn an_old_channel_is_remembered_for_a_minute() {
        let (channels, now) = (ChannelsWithoutGames::default(), Timestamp::now());
        let old = ChannelId(first_id(now - MIN_AGE).0);
        assert!(!channels.has(old));
        channels.note(old, now);
        assert!(channels.has(old));
        tokio::time::advance(VALIDITY).await;
        assert!(!channels.has(old));
    }

    #[tokio::test]
    async fn a_young_channel_is_looked_up_each_time() {
        let (channels, now) = (ChannelsWithoutGames::default(), Timestamp::now());
        let young = ChannelId(first_id(now - MIN_AGE + SignedDuration::from_secs(1)).0);
        channels.note(young, now);
        assert!(!channels.has(young));
    }
}
