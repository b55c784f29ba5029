//! The score of a position for the side to move, as one number that distinguishes proof from evaluation.

use rookery_core::player::Value;

/// A proven result at most this many plies away still counts as proven.
const FARTHEST: i32 = 10_000;
const SURE: i32 = 1_000_000;

/// A score for the side to move. Opinions are hundredths of the game's unit within [`Score::STRONGEST`]; proven wins
/// are above all evaluations, quicker ones higher; losses mirror them.
///
/// A proven draw has no score of its own: inside a search it is the evaluation 0, so that a draw is never claimed on a
/// guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// Equal chances, or a draw.
    pub const EVEN: Score = Score(0);
    /// Above every other score.
    pub const MAX: Score = Score(SURE + 1);
    /// Below every other score.
    pub const MIN: Score = Score(-SURE - 1);
    /// The strongest evaluation, in hundredths.
    pub const STRONGEST: i32 = SURE - FARTHEST - 1;

    /// An evaluation in hundredths of the game's unit, clamped to [`Score::STRONGEST`].
    pub fn evaluation(hundredths: i32) -> Score {
        Score(hundredths.clamp(-Score::STRONGEST, Score::STRONGEST))
    }

    /// Proven: the side to move wins in at most `plies` plies.
    pub fn won(plies: u32) -> Score {
        Score(SURE - (plies as i32).min(FARTHEST))
    }

    /// Proven: the side to move loses in at most `plies` plies.
    pub fn lost(plies: u32) -> Score {
        -Score::won(plies)
    }

    /// Whether this is a proof that the side to move wins.
    pub fn is_won(self) -> bool {
        self.0 > Score::STRONGEST
    }

    /// Whether this is a proof that the side to move loses.
    pub fn is_lost(self) -> bool {
        (-self).is_won()
    }

    /// Whether this is a proof.
    pub fn is_proof(self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// The number itself, for arithmetic between evaluations.
    pub fn raw(self) -> i32 {
        self.0
    }

    /// The same result seen from `plies` earlier: proofs are that much farther away.
    #[must_use]
    pub fn farther(self, plies: u32) -> Score {
        match self {
            Score::MAX | Score::MIN => self,
            _ if self.is_won() => Score::won((SURE - self.0) as u32 + plies),
            _ if self.is_lost() => Score::lost((SURE + self.0) as u32 + plies),
            _ => self,
        }
    }

    /// The inverse of [`Score::farther`] for one ply: the score that a child must have for its parent to have this one.
    #[must_use]
    pub fn nearer(self) -> Score {
        match self {
            Score::MAX | Score::MIN => self,
            _ if self.is_won() => Score::won(((SURE - self.0) as u32).saturating_sub(1)),
            _ if self.is_lost() => Score::lost(((SURE + self.0) as u32).saturating_sub(1)),
            _ => self,
        }
    }

    /// The score shifted by this many hundredths, clamped to the range of all scores.
    #[must_use]
    pub fn shifted(self, hundredths: i32) -> Score {
        Score((self.0 + hundredths).clamp(Score::MIN.0, Score::MAX.0))
    }
}

impl std::ops::Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        match score {
            _ if score.is_won() => Value::Won((SURE - score.0) as u32),
            _ if score.is_lost() => Value::Lost((SURE + score.0) as u32),
            _ => Value::Estimate(score.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_stand_above_opinions_and_quick_wins_above_slow_ones() {
        let rising = [
            Score::MIN,
            Score::lost(1),
            Score::lost(9),
            Score::evaluation(i32::MIN + 1),
            Score::EVEN,
            Score::evaluation(i32::MAX),
            Score::won(9),
            Score::won(1),
            Score::MAX,
        ];
        assert!(rising.is_sorted_by(|a, b| a < b), "{rising:?}");
    }

    #[test]
    fn a_proof_moves_away_ply_by_ply_and_an_opinion_stays() {
        assert_eq!(Value::from(Score::won(3).farther(2)), Value::Won(5));
        assert_eq!(Value::from(Score::lost(0).farther(1)), Value::Lost(1));
        assert_eq!(Score::won(3).farther(1).nearer(), Score::won(3));
        assert_eq!(Score::lost(2).farther(1).nearer(), Score::lost(2));
        assert_eq!(Value::from(Score::evaluation(-7).farther(4)), Value::Estimate(-7));
        assert_eq!(Value::from(-Score::won(4)), Value::Lost(4));
    }
}
