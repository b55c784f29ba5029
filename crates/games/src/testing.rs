//! Test helpers of several games: golden records of whole games, and a brute-force search for quick wins to compare the
//! players with.

use std::collections::HashMap;

use rookery_core::rules::GameRules;
use rookery_core::rules::{legal, spell};
use rookery_core::seed::SeededRng;
use rookery_core::{Position, Seat};

/// Plays a random game, writes each turn with the number of legal moves and the position after it, and compares that
/// with a file under `games`; with `ROOKERY_BLESS=1` in the environment it writes the file instead.
///
/// # Panics
/// If the record differs.
pub(super) fn golden<R: GameRules>(start: R::Position, seed: u64, file: &str) {
    let mut state = start;
    let mut rng = SeededRng::new(seed);
    let mut record = format!("start {}\n", R::to_line(&state));
    for ply in 1.. {
        let moves = legal::<R>(&state);
        let Some(m) = rng.pick(&moves) else { break };
        let text = spell::<R>(&state, *m);
        let by = state.turn();
        state.play_unchecked(*m);
        record += &format!("{ply} {by} {text} of {} -> {}\n", moves.len(), R::to_line(&state));
    }
    let outcome = state.outcome().expect("a game without moves is over");
    let winners: Vec<_> = outcome.winners.iter().map(ToString::to_string).collect();
    record += &format!("won by {} {:?}\n{}\n", winners.join(","), outcome.reason, R::text_board(&state));
    let path = format!("{}/src/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("ROOKERY_BLESS").is_some() {
        std::fs::write(&path, &record).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == record, "{path} differs; look at the rules, or write it anew with ROOKERY_BLESS=1");
}

/// Cached results: whether the seat that began has a forced win within a number of plies.
type Known = HashMap<(u64, u32), bool>;

/// The first of these numbers of plies within which the side to move has a forced win. The position has occurred once,
/// and at most five plies are searched: in so few plies no position occurs for the third time.
pub(super) fn quickest_win<R: GameRules>(
    position: &R::Position,
    within: impl IntoIterator<Item = u32>,
) -> Option<u32> {
    let (mut known, seat) = (Known::new(), position.turn());
    within.into_iter().find(|plies| wins::<R>(position, seat, *plies, &mut known))
}

/// Whether a seat has a forced win within this many plies.
fn wins<R: GameRules>(position: &R::Position, seat: Seat, plies: u32, known: &mut Known) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winners == [seat];
    }
    if plies == 0 {
        return false;
    }
    if let Some(known) = known.get(&(position.hash(), plies)) {
        return *known;
    }
    let mut after = legal::<R>(position).into_iter().map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next
    });
    let won = match position.turn() == seat {
        true => after.any(|next| wins::<R>(&next, seat, plies - 1, known)),
        false => after.all(|next| wins::<R>(&next, seat, plies - 1, known)),
    };
    known.insert((position.hash(), plies), won);
    won
}
