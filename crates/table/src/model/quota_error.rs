//! Requests that a limit refuses.

use super::{RoleId, UserId};
use jiff::Timestamp;

/// An action that costs work and is rate-limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum LimitedAction {
    /// Opening a table, also by a rematch.
    Table,
    /// Making a GIF or a series of pictures.
    Gif,
    /// Analysing a whole game.
    Analysis,
    /// Exporting a record as a file.
    Export,
    /// Importing a record or position.
    Import,
    /// Giving a hint for a move.
    Hint,
    /// Sending a report to moderators.
    Report,
}

/// Why a limit refuses a request that is otherwise allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuotaError {
    /// The person has the maximum number of unfinished tables.
    #[error("{most} unfinished tables of one person")]
    Tables {
        /// The most unfinished tables a person may have opened.
        most: u32,
    },
    /// The server has the maximum number of unfinished tables.
    #[error("{most} unfinished tables of one server")]
    ServerTables {
        /// The most unfinished tables a server may have.
        most: u32,
    },
    /// The person has sent the maximum number of challenges in an hour.
    #[error("{most} challenges in an hour")]
    Challenges {
        /// The most challenges per hour.
        most: u32,
        /// When the next challenge is allowed.
        until: Timestamp,
    },
    /// This person was challenged too often, or has declined a challenge.
    #[error("the same person was challenged before")]
    Repeated {
        /// The person who was challenged too often.
        person: UserId,
        /// When the next challenge is allowed.
        until: Timestamp,
    },
    /// This role was challenged too often.
    #[error("the same role was challenged before")]
    RepeatedRole {
        /// The role that was challenged.
        role: RoleId,
        /// When the next challenge is allowed.
        until: Timestamp,
    },
    /// The challenged person has blocked the requester; the answer must not say so.
    #[error("not available")]
    Unavailable {
        /// The person who cannot be challenged.
        person: UserId,
    },
    /// The requester has blocked this person.
    #[error("blocked by who asks")]
    OwnBlock {
        /// The person whom the requester has blocked.
        person: UserId,
    },
    /// The server has banned the requester.
    #[error("banned")]
    Banned,
    /// A limited action was requested too often.
    #[error("{most} of {what:?}")]
    Rate {
        /// The action that was refused.
        what: LimitedAction,
        /// The most uses in the period of the action's quota.
        most: u32,
        /// Whether the limit is that of the whole server.
        server: bool,
        /// When the action is allowed again.
        until: Timestamp,
    },
}
