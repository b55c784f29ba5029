//! Teams that play a seat together: who belongs to one, and how it decides.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use super::{RoleId, UserId};

/// For how long a team votes where nobody says: twelve hours.
pub const VOTE_TIME: SignedDuration = SignedDuration::from_hours(12);
/// People that one team may name.
pub const MAX_NAMED_MEMBERS: usize = 25;

/// Several people who play a seat together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// Who holds the seat for it, and says all that is not a move.
    pub captain: UserId,
    /// Who belongs to it.
    #[serde(rename = "crowd")]
    pub members: TeamMembers,
    /// How it decides.
    pub mode: TeamMode,
}

/// Who belongs to a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "crowd", rename_all = "snake_case")]
pub enum TeamMembers {
    /// Everybody who can write where the table is.
    Everyone,
    /// Everybody with a role.
    Role {
        /// The role's id.
        role: RoleId,
    },
    /// These people, the captain among them, each once.
    Named {
        /// Who.
        people: Vec<UserId>,
    },
}

/// How a team decides what to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum TeamMode {
    /// The first legal move of anybody counts.
    Free,
    /// They vote.
    Vote {
        /// For how long at most.
        #[serde(rename = "for_ms", with = "crate::model::millis::duration")]
        length: SignedDuration,
        /// With how many votes for one move it is over, if that was agreed on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        enough: Option<u32>,
    },
}

impl TeamMembers {
    /// How this team decides where nobody says.
    pub fn usual_mode(&self) -> TeamMode {
        match self {
            TeamMembers::Named { .. } => TeamMode::Free,
            TeamMembers::Everyone | TeamMembers::Role { .. } => {
                TeamMode::Vote { length: VOTE_TIME, enough: None }
            }
        }
    }

    /// The people of a team whose members are known by name; empty of others.
    pub fn named(&self) -> &[UserId] {
        match self {
            TeamMembers::Named { people } => people,
            TeamMembers::Everyone | TeamMembers::Role { .. } => &[],
        }
    }

    /// The role of a team that is one.
    pub fn role(&self) -> Option<RoleId> {
        match self {
            TeamMembers::Role { role } => Some(*role),
            TeamMembers::Everyone | TeamMembers::Named { .. } => None,
        }
    }
}

impl Team {
    /// Whether it votes.
    pub fn votes(&self) -> bool {
        matches!(self.mode, TeamMode::Vote { .. })
    }
}

/// A seat that is kept for a team which has no captain yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedSeat {
    /// The index of the seat.
    pub seat: u8,
    /// Who belongs to it: a role, or everybody.
    #[serde(rename = "crowd")]
    pub members: TeamMembers,
    /// How it decides.
    pub mode: TeamMode,
}
