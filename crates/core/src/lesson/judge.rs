//! Whether a move answers a task of a lesson.

use super::{Task, TaskGoal};
use crate::{IllegalMove, MoveError, Play};

/// The result of an answer to a task.
pub enum Verdict {
    /// It answers the task; the game after it, or as it was if only the beginning was given.
    Solved(Box<dyn Play>),
    /// The rules refuse it.
    Illegal(MoveError),
    /// A legal move that does not solve the task.
    NotSolved(Shortfall),
}

/// Why a legal move does not answer a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// It brings fewer points.
    Gains {
        /// Points that the move gained.
        points: u32,
        /// Points that the task asks for.
        wanted: u32,
    },
    /// Another seat can still move.
    Open,
    /// The game is not won.
    NotWon,
    /// It is lost at once, or by an answer.
    Loses {
        /// The answer; none if the move itself loses.
        reply: Option<String>,
    },
    /// It is a move that the task is not about.
    Other,
}

impl Task {
    /// Judges a text as an answer, from the task's position.
    pub fn judge(&self, play: &dyn Play, text: &str) -> Verdict {
        let mut after = play.clone_play();
        let played = match after.play(text) {
            Ok(played) => played,
            Err(wrong) if self.wanted == TaskGoal::Begun && begins(&wrong) => {
                return Verdict::Solved(play.clone_play());
            }
            Err(wrong) => return Verdict::Illegal(wrong),
        };
        match self.short(play, after.as_ref(), &played) {
            Some(short) => Verdict::NotSolved(short),
            None => Verdict::Solved(after),
        }
    }

    /// A whole move, or a text on offer, that answers it; every task of a game has one.
    pub fn answer(&self, play: &dyn Play) -> Option<String> {
        let offered = || self.offered.iter().map(ToString::to_string);
        let all: Vec<_> = if self.offered.is_empty() { play.moves() } else { offered().collect() };
        all.into_iter().find(|text| matches!(self.judge(play, text), Verdict::Solved(_)))
    }

    fn short(&self, before: &dyn Play, after: &dyn Play, played: &str) -> Option<Shortfall> {
        match self.wanted {
            TaskGoal::Begun | TaskGoal::Whole => None,
            TaskGoal::Gains(wanted) => {
                let points = gained(before, after);
                (points < wanted).then_some(Shortfall::Gains { points, wanted })
            }
            TaskGoal::Shuts => {
                let shut = after.turn() == before.turn() || wins(before, after);
                (!shut).then_some(Shortfall::Open)
            }
            TaskGoal::Wins => (!wins(before, after)).then_some(Shortfall::NotWon),
            TaskGoal::Safe => losing(before, after),
            TaskGoal::OneOf(texts) => (!texts.contains(&played)).then_some(Shortfall::Other),
        }
    }
}

/// Whether a refusal says only that there is more to come.
fn begins(wrong: &MoveError) -> bool {
    matches!(wrong, MoveError::Illegal(IllegalMove::Incomplete { .. } | IllegalMove::Ambiguous { .. }))
}

/// The points that a move brought the seat that made it.
fn gained(before: &dyn Play, after: &dyn Play) -> u32 {
    let points = |play: &dyn Play| play.scores().map_or(0, |scores| scores[before.turn().index()].points);
    points(after).saturating_sub(points(before))
}

fn wins(before: &dyn Play, after: &dyn Play) -> bool {
    after.outcome().is_some_and(|outcome| outcome.winners == [before.turn()])
}

/// How the mover loses by this move, or by the answer to it.
fn losing(before: &dyn Play, after: &dyn Play) -> Option<Shortfall> {
    if after.outcome().is_some() {
        return (!wins(before, after)).then_some(Shortfall::Loses { reply: None });
    }
    let winning = |reply: &String| {
        let mut next = after.clone_play();
        next.play(reply).is_ok() && next.outcome().is_some_and(|end| !end.winners.contains(&before.turn()))
    };
    after.moves().into_iter().find(winning).map(|reply| Shortfall::Loses { reply: Some(reply) })
}
