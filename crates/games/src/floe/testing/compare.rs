//! Compares the games with the naive rules over random games.

use super::naive::{NaivePosition, Place};
use crate::floe::endgame_count::Terms;
use crate::floe::{Floe, Move, Phase};
use rookery_core::rules::legal;
use rookery_core::seed::SeededRng;
use rookery_core::{Board, Cell, EndgameCount, GameRules, Position, Seat};

/// Plays random games with both implementations of the rules until this many positions were compared.
///
/// # Panics
/// If they differ in moves, turn, scores, end or winner.
pub(crate) fn compare<R>(
    starts: &[R::Position],
    floe: fn(&R::Position) -> &Floe,
    terms: Terms,
    positions: usize,
) where
    R: GameRules,
    R::Position: Position<Move = Move>,
{
    let mut rng = SeededRng::new(3);
    let mut compared = 0;
    for game in 0.. {
        let mut state = starts[game % starts.len()].clone();
        while floe(&state).phase() == Phase::Lay {
            let moves = legal::<R>(&state);
            state.play_unchecked(*rng.pick(&moves).unwrap());
        }
        let mut plain = NaivePosition::of(floe(&state), terms);
        loop {
            same::<R>(&state, &plain, floe(&state), terms);
            compared += 1;
            if compared == positions {
                return;
            }
            let moves = legal::<R>(&state);
            let Some(m) = rng.pick(&moves) else { break };
            plain.play(&places(floe(&state).board(), *m));
            state.play_unchecked(*m);
        }
    }
}

pub(super) fn places(board: &Board, m: Move) -> Vec<Place> {
    let place = |cell: Cell| {
        let (col, row) = board.place(cell);
        (usize::from(col), usize::from(row))
    };
    m.from.into_iter().chain([m.to]).chain(m.spear).map(place).collect()
}

fn same<R>(state: &R::Position, plain: &NaivePosition, floe: &Floe, terms: Terms)
where
    R: GameRules,
    R::Position: Position<Move = Move>,
{
    let at = R::to_line(state);
    let mut listed: Vec<_> = legal::<R>(state).into_iter().map(|m| places(floe.board(), m)).collect();
    let mut wanted = if plain.is_over() { Vec::new() } else { plain.moves(plain.turn) };
    listed.sort();
    wanted.sort();
    assert_eq!(listed, wanted, "moves of {at}");
    assert_eq!(state.turn().index(), plain.turn, "turn in {at}");
    assert_eq!(state.outcome().is_some(), plain.is_over(), "end of {at}");
    let scores = state.scores().unwrap();
    let points: Vec<_> = scores.iter().map(|score| score.points).collect();
    let finals = plain.finals();
    let Some(outcome) = state.outcome() else {
        assert_eq!(points, plain.points, "scores in {at}");
        return;
    };
    assert_eq!(points, finals.iter().map(|(points, _)| *points).collect::<Vec<_>>(), "final scores in {at}");
    let key = |total: &(u32, u32)| if terms.tiles_decide { *total } else { (total.0, 0) };
    let best = finals.iter().map(key).max().unwrap();
    let winners: Vec<_> = Seat::all(plain.seats)
        .zip(&finals)
        .filter(|(_, total)| key(total) == best)
        .map(|(seat, _)| seat)
        .collect();
    assert_eq!(outcome.winners, winners, "winners of {at}");
}

/// Compares counts with an exhaustive search, in random games on small boards, until `many` separated positions were
/// found.
///
/// # Panics
/// If they differ, or a position with a shared region is counted.
pub(crate) fn compare_claims<R>(
    start: impl Fn(u64) -> R::Position,
    floe: fn(&R::Position) -> &Floe,
    terms: Terms,
    separated: usize,
) where
    R: GameRules,
    R::Position: Position<Move = Move>,
{
    let mut rng = SeededRng::new(5);
    let mut met = 0;
    for seed in 0.. {
        let mut state = start(seed);
        let mut plain = NaivePosition::of(floe(&state), terms);
        while state.outcome().is_none() {
            let claim = R::count_endgame(&state, 1_000_000);
            assert_eq!(matches!(claim, EndgameCount::None), plain.placing());
            if !plain.placing() {
                assert_eq!(
                    matches!(claim, EndgameCount::Shared { .. }),
                    is_shared(&plain),
                    "{}",
                    R::to_line(&state)
                );
            }
            // Small endings only: the exhaustive search tries every order of moves.
            let free = plain.all().into_iter().filter(|p| plain.is_free(*p)).count();
            if matches!(claim, EndgameCount::Separated { .. }) && free <= if plain.spears { 4 } else { 8 } {
                same_claim::<R>(&state, &plain, &claim);
                met += 1;
            }
            let m = *rng.pick(&legal::<R>(&state)).unwrap();
            plain.play(&places(floe(&state).board(), m));
            state.play_unchecked(m);
        }
        if met >= separated {
            return;
        }
    }
}

fn same_claim<R>(state: &R::Position, plain: &NaivePosition, claim: &EndgameCount)
where
    R: GameRules,
    R::Position: Position<Move = Move>,
{
    let at = R::to_line(state);
    for seat in Seat::all(plain.seats) {
        let now = state.scores().unwrap()[seat.index()].points;
        let (least, most) = claim.left(seat).unwrap();
        assert_eq!(least, most, "a small region was not finished in {at}");
        assert_eq!(now + least, plain.best_alone(seat.index()), "claim of {seat} in {at}");
    }
}

/// Whether a connected set of tiles with a free one has pieces of two seats on it.
fn is_shared(plain: &NaivePosition) -> bool {
    let mut seen: Vec<Place> = Vec::new();
    for start in plain.all() {
        if plain.fish[start.0][start.1] == 0 || seen.contains(&start) {
            continue;
        }
        let mut region = vec![start];
        let mut next = 0;
        while next < region.len() {
            for dir in 0..8 {
                let to = plain.step(region[next], dir).filter(|to| plain.fish[to.0][to.1] > 0);
                region.extend(to.filter(|to| !region.contains(to)));
            }
            next += 1;
        }
        let mut owners: Vec<_> = region.iter().filter_map(|p| plain.piece[p.0][p.1]).collect();
        owners.sort_unstable();
        owners.dedup();
        if owners.len() > 1 && region.iter().any(|p| plain.is_free(*p)) {
            return true;
        }
        seen.extend(region);
    }
    false
}
