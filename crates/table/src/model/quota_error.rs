//! Requests that a limit refuses.

use super::{RoleId, UserId};
use jiff::Timestamp;

/// An action that costs work and is rate-limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum LimitedAction {
    /// Opening a table.
    Table,
    /// Making a GIF or a series of pictures.
    Gif,
    /// Analysing a whole game.
    Analysis,
    /// Exporting a record as a file.
    Export,
    /// Importing a record or position.
    Import,
    /// Giving a hint.
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
        /// The limit.
        most: u32,
    },
    /// The server has the maximum number of unfinished tables.
    #[error("{most} unfinished tables of one server")]
    ServerTables {
        /// The limit.
        most: u32,
    },
    /// The person has sent the maximum number of challenges in an hour.
    #[error("{most} challenges in an hour")]
    Challenges {
        /// The limit.
        most: u32,
        /// When the next challenge is allowed.
        until: Timestamp,
    },
    /// This person was challenged too often, or has declined a challenge.
    #[error("the same person was challenged before")]
    Repeated {
        /// The challenged person.
        person: UserId,
        /// When the next challenge is allowed.
        until: Timestamp,
    },
    /// This role was challenged too often.
    #[error("the same role was challenged before")]
    RepeatedRole {
        /// The challenged role.
        role: RoleId,
        /// When the next challenge is allowed.
        until: Timestamp,
    },
    /// The challenged person has blocked the requester, who is not told so.
    #[error("not available")]
    Unavailable {
        /// The challenged person.
        person: UserId,
    },
    /// The requester has blocked this person.
    #[error("blocked by who asks")]
    OwnBlock {
        /// The blocked person.
        person: UserId,
    },
    /// The server has banned the requester.
    #[error("banned")]
    Banned,
    /// A limited action was requested too often.
    #[error("{most} of {what:?}")]
    Rate {
        /// The action.
        what: LimitedAction,
        /// The limit.
        most: u32,
        /// Whether the limit is that of the whole server.
        server: bool,
        /// When the action is allowed again.
        until: Timestamp,
    },
}
