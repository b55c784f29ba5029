//! The creation time in Discord's ids: <https://discord.com/developers/docs/reference#snowflakes>.

use jiff::SignedDuration;
use jiff::Timestamp;
use rookery_table::{ChannelId, DISCORD_EPOCH, GuildId, MessageId, SourceId};

/// The most by which this machine's clock may differ from Discord's.
pub(in crate::discord) const CLOCK_MARGIN: SignedDuration = SignedDuration::from_mins(5);

/// By how much an id may seem to come from the future before the machine's clock is known to be behind.
const MAX_AHEAD: SignedDuration = SignedDuration::from_secs(5);

/// Returns when a message was written: the upper bits of its id.
pub(in crate::discord) fn written_at(id: impl Into<u64>) -> Timestamp {
    DISCORD_EPOCH + SignedDuration::from_millis((id.into() >> 22) as i64)
}

/// Whether a message was certainly written less than `limit` before `now`. If it seems to come from the future, the clock
/// is behind, and its age is not known.
pub(in crate::discord) fn is_younger(id: impl Into<u64>, now: Timestamp, limit: SignedDuration) -> bool {
    (-MAX_AHEAD..limit).contains(&now.duration_since(written_at(id)))
}

/// Returns the smallest id of a message written at this time or later.
pub(in crate::discord) fn first_id(at: Timestamp) -> MessageId {
    MessageId(SourceId::given_at(at).0)
}

/// A server as a whole, or one channel or thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuildOrChannel {
    Guild(GuildId),
    /// The channel, thread or direct message.
    Channel(ChannelId),
}

impl GuildOrChannel {
    /// Returns the server, or the channel if there is no server.
    pub(in crate::discord) fn new(guild: Option<GuildId>, channel: ChannelId) -> GuildOrChannel {
        guild.map_or(GuildOrChannel::Channel(channel), GuildOrChannel::Guild)
    }
}

#[cfg(test)]
mod tests {
    use rookery_table::millis;

    use super::*;

    #[test]
    fn the_age_of_a_message_from_the_future_is_not_known() {
        let limit = SignedDuration::from_secs(2);
        let id = first_id(millis::timestamp(1_800_000_000_000)).0;
        let at = |seconds: i64| millis::timestamp(1_800_000_000_000 + seconds * 1_000);
        assert!([-4, 0, 1].into_iter().all(|seconds| is_younger(id, at(seconds), limit)));
        assert!(![-98, -6, 2, 60].into_iter().any(|seconds| is_younger(id, at(seconds), limit)));
    }

    #[test]
    fn an_id_tells_when_it_was_made() {
        // The example in Discord's own documentation of snowflakes.
        assert_eq!(written_at(175_928_847_299_117_063_u64), millis::timestamp(1_462_015_105_796));
        assert_eq!(
            first_id(millis::timestamp(1_462_015_105_796)),
            MessageId(175_928_847_299_117_063 >> 22 << 22)
        );
        assert_eq!(first_id(millis::timestamp(0)), MessageId(0));
    }
}
