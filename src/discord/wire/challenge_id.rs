//! The custom id of the select in a challenge that has no table yet.

use crate::discord::wire::table_button_id::{FIELD, VERSION};
use rookery_table::UserId;

/// Takes the place of a table id. It is longer than any table id, so the two cannot be confused.
const CHALLENGE: &str = "challenge";

/// A challenge to a person before its table exists: the custom id of the select that asks for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChallengeId(pub UserId);

impl ChallengeId {
    /// Returns the custom id.
    pub fn id(self) -> String {
        format!("{VERSION}{FIELD}{CHALLENGE}{FIELD}{}", self.0.0)
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<ChallengeId> {
        let rest = id.strip_prefix(VERSION)?.strip_prefix(FIELD)?.strip_prefix(CHALLENGE)?;
        rest.strip_prefix(FIELD)?.parse().ok().map(|who| ChallengeId(UserId(who)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::table_button_id::{TableButtonId, UnknownComponentId};

    #[test]
    fn challenge_id_is_read_back_and_is_no_component_of_a_table() {
        let id = ChallengeId(UserId(u64::MAX)).id();
        assert_eq!(ChallengeId::read(&id), Some(ChallengeId(UserId(u64::MAX))));
        assert_eq!(TableButtonId::read(&id), Err(UnknownComponentId));
        assert_eq!(ChallengeId::read("1:K7Q2:0:join"), None);
    }
}
