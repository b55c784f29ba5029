//! Whether a move solves a task of a lesson.

use super::{Task, TaskGoal};
use crate::{IllegalMove, Menu, MoveError, Play, Step, StepKind};

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
    /// It belongs to a class of wrong moves, by the key of the class.
    Class(&'static str),
    /// It gains too few points.
    Gains {
        /// Points that the move gained.
        points: u32,
    },
    /// The next player can still move.
    Open {
        /// The name of a cell to which they can go.
        goal: String,
    },
    /// The game is over and not won.
    NotWon {
        /// Points of the player.
        points: u32,
        /// The most points of another player.
        other: u32,
    },
    /// It loses to a reply.
    Loses {
        /// The name of the cell from which the reply moves a piece.
        from: String,
    },
    /// It does not do what the task asks for. A test keeps this from happening.
    Other,
}

impl Task {
    /// Judges a text as an answer, starting from the task's position.
    pub fn judge(&self, play: &dyn Play, text: &str) -> Verdict {
        let mut after = play.clone_play();
        let played = match after.play(text) {
            Ok(played) => played,
            Err(wrong) if self.wanted == TaskGoal::AnyAcceptedText && is_incomplete(&wrong) => {
                let taken: Vec<_> = steps_of(play, text).into_iter().map(|step| step.text).collect();
                return Verdict::Solved(play.after_steps(&taken).unwrap_or_else(|| play.clone_play()));
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
        let short = match self.wanted {
            TaskGoal::AnyAcceptedText | TaskGoal::AnyMove => None,
            TaskGoal::Gains(wanted) => {
                let points = gained(before, after);
                (points < wanted).then_some(Shortfall::Gains { points })
            }
            TaskGoal::BlocksOthers => {
                let shut = after.turn() == before.turn() || wins(before, after);
                (!shut).then(|| way_out(after))
            }
            TaskGoal::Wins => (!wins(before, after)).then(|| not_won(before, after)),
            TaskGoal::DoesNotLose => loss_after(before, after),
            TaskGoal::OneOf(texts) => (!texts.contains(&played)).then_some(Shortfall::Other),
        }?;
        let class = self.wrong.iter().find(|class| (class.includes)(played));
        Some(class.map_or(short, |class| Shortfall::Class(class.key)))
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

/// A cell to which the next player can go, as near to the piece as possible.
fn way_out(after: &dyn Play) -> Shortfall {
    let lines = after.board().lines();
    let mut nearest: Option<(usize, Step)> = None;
    let mut open = vec![(Vec::new(), None)];
    while let Some((taken, origin)) = open.pop() {
        let Menu::Choose(choices) = after.menu(&taken) else { continue };
        for step in choices.into_iter().map(|choice| choice.step) {
            match (step.part, origin, step.cell) {
                (StepKind::Goal, Some(from), Some(to)) => {
                    let between = lines.between(from, to).len();
                    if nearest.as_ref().is_none_or(|(least, _)| between < *least) {
                        nearest = Some((between, step));
                    }
                }
                (StepKind::Piece | StepKind::Mode, ..) => {
                    open.push((
                        [&taken[..], std::slice::from_ref(&step.text)].concat(),
                        origin.or(step.cell),
                    ));
                }
                _ => {}
            }
        }
    }
    nearest.map_or(Shortfall::Other, |(_, step)| Shortfall::Open { goal: step.label().to_owned() })
}

/// Why a move does not win: the game goes on, or ended otherwise.
fn not_won(before: &dyn Play, after: &dyn Play) -> Shortfall {
    if after.outcome().is_none() {
        return way_out(after);
    }
    let points: Vec<_> = after.scores().into_iter().flatten().map(|score| score.points).collect();
    let own = before.turn().index();
    let other = points.iter().enumerate().filter(|(seat, _)| *seat != own).map(|(_, points)| *points).max();
    match points.get(own).copied().zip(other) {
        Some((points, other)) => Shortfall::NotWon { points, other },
        None => Shortfall::Other,
    }
}

/// How the mover loses by the reply to a move.
fn loss_after(before: &dyn Play, after: &dyn Play) -> Option<Shortfall> {
    if after.outcome().is_some() {
        return (!wins(before, after)).then_some(Shortfall::Other);
    }
    let winning = |reply: &String| {
        let mut next = after.clone_play();
        next.play(reply).is_ok() && next.outcome().is_some_and(|end| !end.winners.contains(&before.turn()))
    };
    let reply = after.moves().into_iter().find(winning)?;
    let piece = steps_of(after, &reply).into_iter().next();
    Some(piece.map_or(Shortfall::Other, |step| Shortfall::Loses { from: step.label().to_owned() }))
}

/// The steps of a move or of its beginning in canonical spelling, as far as they are offered.
fn steps_of(play: &dyn Play, text: &str) -> Vec<Step> {
    let (mut steps, mut taken, mut rest) = (Vec::new(), Vec::new(), text);
    while let Menu::Choose(choices) = play.menu(&taken) {
        let fits = choices.into_iter().map(|choice| choice.step).filter(|step| rest.starts_with(&step.text));
        let Some(step) = fits.max_by_key(|step| step.text.len()) else { break };
        rest = &rest[step.text.len()..];
        taken.push(step.text.clone());
        steps.push(step);
    }
    steps
}
