//! Planned moves: "if d10-d4/g4 then a4-c4/c2". The table plays the reply as soon as the condition is met; any other
//! move deletes the plan.

use rookery_core::{Play, Seat};

use crate::Table;
pub use crate::model::Branch;
use crate::model::digest::sha256_hex;
use crate::model::{Event, OrderError, UserId};
pub use crate::state::plans::Plans;
use crate::teams::Team;

/// The most branches of one seat.
pub const MAX_BRANCHES: usize = 20;
/// The most moves of one branch, including those of other players.
const MAX_MOVES: usize = 24;
/// The words that separate the moves of a branch. Whose turn it is decides which moves are conditions.
const MOVE_SEPARATORS: [&str; 3] = ["if", "then", "and"];
/// The separators of branches.
const BRANCH_SEPARATORS: [char; 2] = [';', '\n'];

/// The number of characters of a [`mark`].
pub const BRANCH_ID_CHARS: usize = 8;

/// Returns the short id of a branch among those of its seat: [`BRANCH_ID_CHARS`] hexadecimal digits.
pub fn mark(branch: &Branch) -> String {
    sha256_hex(&branch.join(" ")).chars().take(BRANCH_ID_CHARS).collect()
}

/// Adds branches to a person's plans.
pub(crate) fn plan(table: &Table, who: UserId, text: &str) -> Result<Vec<Event>, OrderError> {
    let (seat, fresh) = read(table, who, text)?;
    let branches = joined(table, seat, fresh)?;
    Ok(vec![Event::Planned { seat, branches }])
}

/// Deletes a branch, or all of them. A branch is given by its moves rather than its index: indices shift after a
/// deletion, and a repeated order would delete the next branch too.
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

/// Parses the branches in a text, and checks each move on the board. Nothing is stored.
///
/// # Errors
/// The illegal move and the reason.
pub fn read(table: &Table, who: UserId, text: &str) -> Result<(Seat, Vec<Branch>), OrderError> {
    let play = table.running()?;
    let seat = planner(table, who)?;
    if play.turn() == seat {
        return Err(OrderError::PlanOwnTurn);
    }
    let branches: Vec<Branch> = text
        .split(BRANCH_SEPARATORS)
        .filter(|branch| !branch.trim().is_empty())
        .map(|branch| read_branch(play, seat, branch))
        .collect::<Result<_, _>>()?;
    if branches.is_empty() {
        return Err(OrderError::PlanOpen);
    }
    joined(table, seat, branches.clone()).map(|_| (seat, branches))
}

/// Returns the seat for which a person may plan.
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

/// Returns the first condition of a text that looks like a plan: a move followed by another.
pub fn condition(text: &str) -> Option<String> {
    let mut moves = moves_of(text.split(BRANCH_SEPARATORS).next()?).into_iter();
    let first = moves.next()?;
    moves.next().map(|_| first)
}

/// Splits a branch into its moves, as written.
fn moves_of(text: &str) -> Vec<String> {
    let mut moves = vec![Vec::new()];
    for word in text.split_whitespace() {
        let word = word.trim_matches('`');
        if MOVE_SEPARATORS.contains(&word.to_lowercase().trim_end_matches([',', ':'])) {
            moves.push(Vec::new());
        } else if let Some(written) = moves.last_mut() {
            written.push(word.trim_end_matches(','));
        }
    }
    moves.iter().filter(|written| !written.is_empty()).map(|written| written.join(" ")).collect()
}

/// Merges old and new branches: no duplicates, no branch that is the beginning of another, and never two replies to the
/// same moves.
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

/// Formats a branch: "if d10-d4/g4 then a4-c4/c2".
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
