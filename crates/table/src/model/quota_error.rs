//! Requests that a limit refuses.

use super::{RoleId, UserId};
use jiff::Timestamp;

/// Something that costs work and is limited by rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitedAction {
    /// A table that is opened.
    Table,
    /// A GIF, or a series of pictures.
    Gif,
    /// An analysis of a whole game.
    Analysis,
    /// A record as a file.
    Export,
    /// A record or position from outside.
    Import,
    /// A hint.
    Hint,
    /// A report to moderators.
    Report,
}

impl LimitedAction {
    /// All of them.
    pub const ALL: [LimitedAction; 7] = [
        LimitedAction::Table,
        LimitedAction::Gif,
        LimitedAction::Analysis,
        LimitedAction::Export,
        LimitedAction::Import,
        LimitedAction::Hint,
        LimitedAction::Report,
    ];
}

/// Why a request is refused although it would be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuotaError {
    /// The person has opened as many tables as they can.
    #[error("{most} unfinished tables of one person")]
    Tables {
        /// The limit.
        most: u32,
    },
    /// The server has as many tables as it can.
    #[error("{most} unfinished tables of one server")]
    ServerTables {
        /// The limit.
        most: u32,
    },
    /// The person has sent as many challenges as they can.
    #[error("{most} challenges in an hour")]
    Challenges {
        /// The limit.
        most: u32,
        /// When the next one is free.
        until: Timestamp,
    },
    /// This person was challenged too often, or has turned a challenge down.
    #[error("the same person was challenged before")]
    Repeated {
        /// Who was challenged.
        person: UserId,
        /// When the next one is free.
        until: Timestamp,
    },
    /// This role was challenged too often.
    #[error("the same role was challenged before")]
    RepeatedRole {
        /// Which.
        role: RoleId,
        /// When the next one is free.
        until: Timestamp,
    },
    /// This person has blocked the one who asks, who is not told so.
    #[error("not available")]
    Unavailable {
        /// Who cannot be challenged.
        person: UserId,
    },
    /// The one who asks has blocked this person.
    #[error("blocked by who asks")]
    OwnBlock {
        /// Who is blocked.
        person: UserId,
    },
    /// The server has banned the one who asks.
    #[error("banned")]
    Banned,
    /// Too much of something in a while.
    #[error("{most} of {what:?}")]
    Rate {
        /// Of what.
        what: LimitedAction,
        /// The limit.
        most: u32,
        /// Whether all of the server share it.
        server: bool,
        /// When the next one is free.
        until: Timestamp,
    },
}
