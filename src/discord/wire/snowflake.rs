//! Discord's ids tell when they were made: <https://discord.com/developers/docs/reference#snowflakes>.

use rookery_table::{ChannelId, GuildId, MessageId};

/// Milliseconds since 1970 at which Discord's ids begin.
pub(in crate::discord) const DISCORD_EPOCH_MS: i64 = 1_420_070_400_000;

/// When a message was written, in milliseconds since 1970: the upper bits of its id.
pub(in crate::discord) fn written_ms(id: impl Into<u64>) -> i64 {
    (id.into() >> 22) as i64 + DISCORD_EPOCH_MS
}

/// The least id that a message can have that is written from a moment on, in milliseconds since 1970.
pub(in crate::discord) fn first_id(ms: i64) -> MessageId {
    MessageId(MessageId(u64::try_from(ms - DISCORD_EPOCH_MS).unwrap_or(0) << 22).0)
}

/// A server as a whole, or one channel or thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuildOrChannel {
    /// The server.
    Guild(GuildId),
    /// The channel, thread or direct message.
    Channel(ChannelId),
}

impl GuildOrChannel {
    /// Returns the server, or the channel where there is none.
    pub(in crate::discord) fn new(guild: Option<GuildId>, channel: ChannelId) -> GuildOrChannel {
        guild.map_or(GuildOrChannel::Channel(channel), GuildOrChannel::Guild)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_tells_when_it_was_made() {
        // The example in Discord's own documentation of snowflakes.
        assert_eq!(written_ms(175_928_847_299_117_063_u64), 1_462_015_105_796);
        assert_eq!(first_id(1_462_015_105_796), MessageId(175_928_847_299_117_063 >> 22 << 22));
        assert_eq!(first_id(0), MessageId(0));
    }
}
