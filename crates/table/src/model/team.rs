//! Teams that share a seat: their members, and how they decide.

use jiff::SignedDuration;
use rookery_core::Seat;
use serde::{Deserialize, Serialize};

use super::{RoleId, UserId};

/// Default time of a team's vote.
pub const VOTE_TIME: SignedDuration = SignedDuration::from_hours(12);
/// The most people that one team may name.
pub const MAX_NAMED_MEMBERS: usize = 25;

/// Several people who share a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// The captain, who holds the seat and gives all orders other than moves.
    pub captain: UserId,
    /// Who belongs to the team.
    #[serde(rename = "crowd")]
    pub members: TeamMembers,
    /// How the team decides.
    pub mode: TeamMode,
}

/// The members of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "crowd", rename_all = "snake_case")]
pub enum TeamMembers {
    /// Everyone who can write in the table's channel.
    Everyone,
    /// Everyone with a role.
    Role {
        /// The role on the table's server.
        role: RoleId,
    },
    /// These people, each once, the captain among them.
    Named {
        /// The members, the captain among them.
        people: Vec<UserId>,
    },
}

/// How a team chooses its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum TeamMode {
    /// The first legal move of any member is played.
    Free,
    /// The members vote on every move.
    Vote {
        /// Upper bound of the vote's duration.
        #[serde(rename = "for_ms", with = "crate::model::millis::duration")]
        length: SignedDuration,
        /// The number of votes for one move that ends the vote early, if agreed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        enough: Option<u32>,
    },
}

impl TeamMembers {
    /// Returns the default mode of such a team.
    pub fn usual_mode(&self) -> TeamMode {
        match self {
            TeamMembers::Named { .. } => TeamMode::Free,
            TeamMembers::Everyone | TeamMembers::Role { .. } => {
                TeamMode::Vote { length: VOTE_TIME, enough: None }
            }
        }
    }

    /// Returns the members of a team of named people; empty for other teams.
    pub fn named(&self) -> &[UserId] {
        match self {
            TeamMembers::Named { people } => people,
            TeamMembers::Everyone | TeamMembers::Role { .. } => &[],
        }
    }

    /// Returns the role of a team that is defined by one.
    pub fn role(&self) -> Option<RoleId> {
        match self {
            TeamMembers::Role { role } => Some(*role),
            TeamMembers::Everyone | TeamMembers::Named { .. } => None,
        }
    }
}

impl Team {
    /// Returns whether the team votes.
    pub fn votes(&self) -> bool {
        matches!(self.mode, TeamMode::Vote { .. })
    }
}

/// A seat that is reserved for a team without a captain yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedSeat {
    /// Seat index from 0.
    pub seat: Seat,
    /// The members: a role, or everyone.
    #[serde(rename = "crowd")]
    pub members: TeamMembers,
    /// How the team decides.
    pub mode: TeamMode,
}
