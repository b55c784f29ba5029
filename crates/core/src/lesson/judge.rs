//! Whether a move solves a task of a lesson.

use super::{Task, TaskGoal};
use crate::{IllegalMove, MoveError, Play};

/// The result of an answer to a task.
pub enum Verdict {
    /// The task is solved; holds the game after the move, or unchanged if only the beginning of a move was given.
    Solved(Box<dyn Play>),
    /// The rules refuse the move.
    Illegal(MoveError),
    /// A legal move that does not solve the task.
    NotSolved(Shortfall),
}

/// Why a legal move does not solve a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortfall {
    /// It gains too few points.
    Gains {
        /// Points that the move gained.
        points: u32,
        /// Points that the task requires.
        wanted: u32,
    },
    /// Another seat can still move.
    Open,
    /// It does not win the game.
    NotWon,
    /// It loses at once, or to a reply.
    Loses {
        /// The winning reply; `None` if the move itself loses.
        reply: Option<String>,
    },
    /// It is not one of the moves that the task requires.
    Other,
}

impl Task {
    /// Judges a text as an answer, starting from the task's position.
    pub fn judge(&self, play: &dyn Play, text: &str) -> Verdict {
        let mut after = play.clone_play();
        let played = match after.play(text) {
            Ok(played) => played,
            Err(wrong) if self.wanted == TaskGoal::AnyAcceptedText && is_incomplete(&wrong) => {
                return Verdict::Solved(play.clone_play());
            }
            Err(wrong) => return Verdict::Illegal(wrong),
        };
        match self.short(play, after.as_ref(), &played) {
            Some(short) => Verdict::NotSolved(short),
            None => Verdict::Solved(after),
        }
    }

    /// A complete move, or an offered text, that solves the task; every task has one.
    pub fn answer(&self, play: &dyn Play) -> Option<String> {
        let offered = || self.offered.iter().map(ToString::to_string);
        let all: Vec<_> = if self.offered.is_empty() { play.moves() } else { offered().collect() };
        all.into_iter().find(|text| matches!(self.judge(play, text), Verdict::Solved(_)))
    }

    fn short(&self, before: &dyn Play, after: &dyn Play, played: &str) -> Option<Shortfall> {
        match self.wanted {
            TaskGoal::AnyAcceptedText | TaskGoal::AnyMove => None,
            TaskGoal::Gains(wanted) => {
                let points = gained(before, after);
                (points < wanted).then_some(Shortfall::Gains { points, wanted })
            }
            TaskGoal::BlocksOthers => {
                let shut = after.turn() == before.turn() || wins(before, after);
                (!shut).then_some(Shortfall::Open)
            }
            TaskGoal::Wins => (!wins(before, after)).then_some(Shortfall::NotWon),
            TaskGoal::DoesNotLose => loss_after(before, after),
            TaskGoal::OneOf(texts) => (!texts.contains(&played)).then_some(Shortfall::Other),
        }
    }
}

/// Whether the error only says that the move is incomplete.
fn is_incomplete(wrong: &MoveError) -> bool {
    matches!(wrong, MoveError::Illegal(IllegalMove::Incomplete { .. } | IllegalMove::Ambiguous { .. }))
}

/// The points that a move gained for the mover.
fn gained(before: &dyn Play, after: &dyn Play) -> u32 {
    let points = |play: &dyn Play| play.scores().map_or(0, |scores| scores[before.turn().index()].points);
    points(after).saturating_sub(points(before))
}

fn wins(before: &dyn Play, after: &dyn Play) -> bool {
    after.outcome().is_some_and(|outcome| outcome.winners == [before.turn()])
}

/// How the mover loses by this move or by the reply to it.
fn loss_after(before: &dyn Play, after: &dyn Play) -> Option<Shortfall> {
    if after.outcome().is_some() {
        return (!wins(before, after)).then_some(Shortfall::Loses { reply: None });
    }
    let winning = |reply: &String| {
        let mut next = after.clone_play();
        next.play(reply).is_ok() && next.outcome().is_some_and(|end| !end.winners.contains(&before.turn()))
    };
    after.moves().into_iter().find(winning).map(|reply| Shortfall::Loses { reply: Some(reply) })
}
