//! The creation time in Discord's ids: <https://discord.com/developers/docs/reference#snowflakes>.

use jiff::SignedDuration;
use jiff::Timestamp;
use rookery_table::{ChannelId, DISCORD_EPOCH, GuildId, MessageId, SourceId};

/// Returns when a message was written: the upper bits of its id.
pub(in crate::discord) fn written_at(id: impl Into<u64>) -> Timestamp {
    DISCORD_EPOCH + SignedDuration::from_millis((id.into() >> 22) as i64)
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
