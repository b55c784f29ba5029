//! Test helpers for the penguin games: comparison with naive rules and with a brute-force search, and
//! checks of the examples of a help page.

mod brute;
mod compare;
mod endings;
mod naive;

pub(crate) use compare::{compare, compare_claims};
pub(crate) use endings::{Ground, compare_endings};

use rookery_core::player::{Level, SearchRequest};
use rookery_core::rules::legal;
use rookery_core::seed::SeededRng;
use rookery_core::{EndgameCount, GameRules, Outcome, Position};

/// Every code span of a help page that is a move (words with a digit in them, no blank) can be read, and the moves of
/// each line ``Example: `LINE`: `d5-f7`, ...`` are played from its position.
///
/// # Panics
/// If a move cannot be read or played, or the page has no example.
pub(crate) fn help_is_true<R: GameRules>(help: &str) {
    let mut played = 0;
    for text in help.lines() {
        let spans: Vec<_> = text.split('`').skip(1).step_by(2).collect();
        let Some((first, moves)) =
            spans.split_first().filter(|(first, _)| first.contains('/') && first.contains(' '))
        else {
            continue;
        };
        let mut state = R::from_line(first).unwrap_or_else(|e| panic!("{first}: {e}"));
        for m in moves {
            let parsed = R::read(m).unwrap_or_else(|e| panic!("{m}: {e}"));
            let m = R::resolve(&state, &parsed).unwrap_or_else(|e| panic!("{m} in {first}: {e}"));
            state.play_unchecked(m);
            played += 1;
        }
    }
    assert!(played > 0, "a help page without an example");
}

/// In random games that are separated, the program plays for both sides; the seat that the exact count names wins, with
/// the lead of the settlement, and so do the moves that the settlement names.
///
/// # Panics
/// If another seat wins, or a move of the settlement is not legal or not the last.
pub(crate) fn plays_out_claims<R: GameRules>(start: impl Fn(u64) -> R::Position) {
    for seed in 0..12 {
        let mut state = start(seed);
        let mut rng = SeededRng::new(seed);
        let wanted = loop {
            let moves = legal::<R>(&state);
            let Some(m) = rng.pick(&moves) else { break state.outcome() };
            state.play_unchecked(*m);
            if let EndgameCount::Separated { outcome, .. } = R::count_endgame(&state, 1_000_000) {
                break outcome;
            }
        };
        let from = R::to_line(&state);
        settles::<R>(&state);
        let mut request = SearchRequest::new(Level::Hard, seed);
        request.limits.nodes = Some(3_000);
        while let Some(search_result) = R::think(&state, &request) {
            state.play_unchecked(search_result.best);
        }
        let winners = |outcome: Option<Outcome>| outcome.map(|outcome| outcome.winners);
        assert_eq!(winners(state.outcome()), winners(wanted), "{from}");
    }
}

/// Checks that the moves of a settlement end the game with its result. A finished game has no settlement.
fn settles<R: GameRules>(state: &R::Position) {
    let Some(settlement) = R::settle(state, 1_000_000) else {
        assert!(state.outcome().is_some(), "{}", R::to_line(state));
        return;
    };
    let mut end = state.clone();
    for m in &settlement.moves {
        assert_eq!(end.check(*m), Ok(()), "{m:?} in {}", R::to_line(&end));
        end.play_unchecked(*m);
    }
    assert_eq!(end.outcome().as_ref(), Some(&settlement.outcome));
    let points = |state: &R::Position| state.scores().expect("penguins score");
    assert_eq!(settlement.scores.as_ref(), Some(&points(&end)));
    let mut totals: Vec<u32> = points(&end).iter().map(|score| score.points).collect();
    totals.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(settlement.margin_halves, Some(2 * (totals[0] - totals[1])));
}
