//! Moves decided beforehand: "if d10-d4/g4 then a4-c4/c2". The table plays the answer as soon as the
//! condition comes true; whatever else is played instead puts an end to the plan.

use rookery_core::{Play, Seat};

use crate::Table;
pub use crate::model::Branch;
use crate::model::digest::sha256_hex;
use crate::model::{Event, OrderError, UserId};
pub use crate::state::plans::Plans;
use crate::teams::Team;

/// Branches that one seat may have at a time.
pub const MAX_BRANCHES: usize = 20;
/// Moves in one branch, those of others included.
const MAX_MOVES: usize = 24;
/// The words between the moves of a branch; whose turn it is says which is a condition.
const BETWEEN: [&str; 3] = ["if", "then", "and"];
/// What stands between two branches.
const BRANCHES: [char; 2] = [';', '\n'];

/// Characters of a [mark].
pub const MARK: usize = 8;

/// What distinguishes a branch from the others of its seat: [`MARK`] hexadecimal digits.
pub fn mark(branch: &Branch) -> String {
    sha256_hex(&branch.join(" ")).chars().take(MARK).collect()
}

/// Adds branches to what somebody has planned.
pub(crate) fn plan(table: &Table, who: UserId, text: &str) -> Result<Vec<Event>, OrderError> {
    let (seat, fresh) = read(table, who, text)?;
    let branches = joined(table, seat, fresh)?;
    Ok(vec![Event::Planned { seat, branches }])
}

/// Gives up a branch, or all of them. Not by its place among the others: those move up when it goes, and an order
/// that comes twice would take the next one too.
pub(crate) fn drop_plan(
    table: &Table,
    who: UserId,
    which: Option<&Branch>,
) -> Result<Vec<Event>, OrderError> {
    table.running()?;
    let seat = planner(table, who)?;
    let mut branches = table.plans().of(seat).to_vec();
    let before = branches.len();
    branches.retain(|branch| which.is_some_and(|given_up| branch != given_up));
    if branches.len() == before {
        return Err(OrderError::NoPlan);
    }
    Ok(vec![Event::Planned { seat, branches }])
}

/// The branches that a text means, each checked move by move on the board: nothing is decided yet.
///
/// # Errors
/// Which move is wrong, and why.
pub fn read(table: &Table, who: UserId, text: &str) -> Result<(Seat, Vec<Branch>), OrderError> {
    let play = table.running()?;
    let seat = planner(table, who)?;
    if play.turn() == seat {
        return Err(OrderError::PlanOwnTurn);
    }
    let branches: Vec<Branch> = text
        .split(BRANCHES)
        .filter(|branch| !branch.trim().is_empty())
        .map(|branch| read_branch(play, seat, branch))
        .collect::<Result<_, _>>()?;
    if branches.is_empty() {
        return Err(OrderError::PlanOpen);
    }
    joined(table, seat, branches.clone()).map(|_| (seat, branches))
}

/// The seat for which somebody may decide beforehand.
fn planner(table: &Table, who: UserId) -> Result<Seat, OrderError> {
    let seat = table.playing_seat_of(who)?;
    let votes = table.team(seat).is_some_and(Team::votes);
    if votes { Err(OrderError::TeamVotes) } else { Ok(seat) }
}

fn read_branch(play: &dyn Play, seat: Seat, text: &str) -> Result<Branch, OrderError> {
    let mut after = play.clone_play();
    let mut branch = Branch::new();
    let mut last = None;
    for written in moves_of(text) {
        if branch.len() >= MAX_MOVES {
            return Err(OrderError::PlanTooLong);
        }
        last = Some(after.turn());
        let played = after.play(&written);
        branch.push(played.map_err(|wrong| OrderError::PlanMove { text: written, wrong })?);
    }
    if last == Some(seat) { Ok(branch) } else { Err(OrderError::PlanOpen) }
}

/// The first move that a text supposes, if it reads like a plan: a move and what follows on it.
pub fn condition(text: &str) -> Option<String> {
    let mut moves = moves_of(text.split(BRANCHES).next()?).into_iter();
    let first = moves.next()?;
    moves.next().map(|_| first)
}

/// The moves of a branch as they are written.
fn moves_of(text: &str) -> Vec<String> {
    let mut moves = vec![Vec::new()];
    for word in text.split_whitespace() {
        let word = word.trim_matches('`');
        if BETWEEN.contains(&word.to_lowercase().trim_end_matches([',', ':'])) {
            moves.push(Vec::new());
        } else if let Some(written) = moves.last_mut() {
            written.push(word.trim_end_matches(','));
        }
    }
    moves.iter().filter(|written| !written.is_empty()).map(|written| written.join(" ")).collect()
}

/// Old and new branches together: none twice, none that another begins with, and never two answers to
/// the same moves.
fn joined(table: &Table, seat: Seat, fresh: Vec<Branch>) -> Result<Vec<Branch>, OrderError> {
    let mut all = table.plans().of(seat).to_vec();
    for branch in fresh {
        for other in &all {
            let same = branch.iter().zip(other).take_while(|(a, b)| a == b).count();
            let both = branch.get(same).zip(other.get(same));
            if both.is_some() && mover_after(table, &branch[..same]) == Some(seat) {
                return Err(OrderError::PlanTwice { text: other[same].clone() });
            }
        }
        if !all.iter().any(|other| other.starts_with(&branch)) {
            all.retain(|other| !branch.starts_with(other));
            all.push(branch);
        }
    }
    if all.len() > MAX_BRANCHES { Err(OrderError::PlanTooLong) } else { Ok(all) }
}

fn mover_after(table: &Table, moves: &[String]) -> Option<Seat> {
    let mut play = table.play()?.clone_play();
    moves.iter().try_for_each(|text| play.play(text).map(drop)).ok()?;
    Some(play.turn())
}

/// A branch as it is written: "if d10-d4/g4 then a4-c4/c2".
pub fn written(table: &Table, seat: Seat, branch: &[String]) -> String {
    let Some(mut play) = table.play().map(Play::clone_play) else { return branch.join(" ") };
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for text in branch {
        let own = play.turn() == seat;
        let between = match (before, own) {
            (Some(false), false) | (Some(true), true) => "and",
            (_, false) => "if",
            (_, true) => "then",
        };
        words.extend([between.to_owned(), text.clone()]);
        before = Some(own);
        if play.play(text).is_err() {
            break;
        }
    }
    words.join(" ")
}
