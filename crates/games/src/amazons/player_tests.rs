//! Properties of the player: legal moves at every level, correct proofs, the same answer to the same request, an answer
//! when halted.

use std::collections::HashMap;

use super::player::{Player, baseline, think, think_in};
use super::style;
use super::{Amazons, AmazonsPosition, Move};
use rookery_core::board::Shape;
use rookery_core::player::{Halt, Level, Limits, SearchRequest, Value};
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_core::{Cell, CellSet, GameRules, Pie, Position};

fn start(size: &str) -> AmazonsPosition {
    Amazons::start(&Setup::new(2).with("size", size)).unwrap()
}

fn moves(position: &AmazonsPosition) -> Vec<Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

fn after(position: &AmazonsPosition, m: Move) -> AmazonsPosition {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

fn request(level: Level, seed: u64, nodes: u64) -> SearchRequest {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    SearchRequest { limits, ..SearchRequest::new(level, seed) }
}

/// A random position with few free cells: one or two amazons a side on a small board.
fn ending(rng: &mut SeededRng, free: usize) -> AmazonsPosition {
    let (width, height) = *rng.pick(&[(5, 4), (4, 4), (3, 6), (7, 3), (5, 5)]).unwrap();
    let board = rookery_core::Board::square(width, height);
    let mut cells: Vec<Cell> = board.cells().collect();
    rng.shuffle(&mut cells);
    let each = 1 + rng.below(2) as usize;
    let mut take = |count: usize| cells.split_off(cells.len() - count).into_iter().collect::<CellSet>();
    let amazons = [take(each), take(each)];
    let _left_free = take(free);
    let side = super::Side::BOTH[rng.below(2) as usize];
    AmazonsPosition::new(board, amazons, cells.into_iter().collect(), side)
}

/// Known results of positions. The hash does not cover the board's shape: the same pieces and arrows may occur on
/// boards of different shape.
type Known = HashMap<(Shape, u64), bool>;

/// Whether the side to move wins, by brute force.
fn wins(position: &AmazonsPosition, known: &mut Known) -> bool {
    let key = (position.board().shape(), position.hash());
    if let Some(known) = known.get(&key) {
        return *known;
    }
    let won = moves(position).into_iter().any(|m| !wins(&after(position, m), known));
    known.insert(key, won);
    won
}

#[test]
fn every_level_answers_legally_on_every_kind_of_board() {
    for size in ["10x10", "5x4", "12x12"] {
        let mut position = start(size);
        let mut rng = SeededRng::new(3);
        for ply in 0.. {
            let listed = moves(&position);
            for level in Level::ALL.into_iter().filter(|_| ply % 6 == 0) {
                let thought = think(&position, &request(level, ply, 3_000));
                assert_eq!(thought.is_some(), !listed.is_empty(), "{level:?} {size} ply {ply}");
                let Some(thought) = thought else { continue };
                assert!(listed.contains(&thought.best), "{level:?} {size} ply {ply}: {thought:?}");
                assert_eq!(thought.line[0], thought.best);
                thought.line.iter().fold(position.clone(), |at, m| {
                    assert_eq!(at.check(*m), Ok(()), "{level:?} {size} ply {ply}: {:?}", thought.line);
                    after(&at, *m)
                });
            }
            let Some(m) = rng.pick(&listed) else { break };
            position = after(&position, *m);
        }
    }
}

#[test]
fn proofs_agree_with_trying_everything_and_wins_are_kept() {
    let seen = check_endings(11, 600);
    assert!(seen.proofs > 400 && seen.wins > 150 && seen.settled > 100, "{seen:?}");
}

#[test]
#[ignore = "slow: ten thousand endings, thought about and tried out in full"]
fn ten_thousand_endings_agree_with_brute_force() {
    let parts: Vec<Endings> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || check_endings(seed, 3_000))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(parts.iter().map(|seen| seen.proofs).sum::<u32>() >= 10_000, "{parts:?}");
}

/// The number of unfinished endings: proven by the search, won by it, settled by counting.
#[derive(Debug, Default)]
struct Endings {
    proofs: u32,
    wins: u32,
    settled: u32,
}

/// Node limit for an ending. The hardest one so far takes 75,000 nodes to prove.
const ENDING_NODES: u64 = 200_000;

/// In random endings the expert proves what brute force finds and keeps won positions, and a settlement names the same
/// winner.
fn check_endings(seed: u64, rounds: u64) -> Endings {
    let mut rng = SeededRng::new(seed);
    let mut known = HashMap::new();
    let mut seen = Endings::default();
    for round in 0..rounds {
        if round % 100 == 0 {
            known.clear();
        }
        let free = 3 + rng.below(6) as usize;
        let position = ending(&mut rng, free);
        let Some(thought) = think(&position, &request(Level::Expert, round, ENDING_NODES)) else { continue };
        let truth = wins(&position, &mut known);
        let at = Amazons::to_line(&position);
        match thought.value {
            Value::Won(_) => assert!(truth, "called won: {at}"),
            Value::Lost(_) => assert!(!truth, "called lost: {at}"),
            value => panic!("{value:?} with everything in reach: {at}"),
        }
        seen.proofs += 1;
        if truth {
            assert!(!wins(&after(&position, thought.best), &mut known), "threw a win away: {at}");
            seen.wins += 1;
        }
        if let Some(settlement) = Amazons::settle(&position, 10_000) {
            assert_eq!(settlement.outcome.winners == [position.turn()], truth, "settled: {at}");
            seen.settled += 1;
        }
    }
    seen
}

/// The distance of a proof is an upper bound: checked by playing the proven line against every reply of the loser.
#[test]
fn proven_wins_come_within_the_plies_named() {
    let mut rng = SeededRng::new(23);
    for round in 0..60 {
        let position = ending(&mut rng, 5);
        if let Some(thought) = think(&position, &request(Level::Expert, round, 20_000))
            && let Value::Won(plies) = thought.value
        {
            holds_out(&after(&position, thought.best), plies - 1);
        }
    }
}

/// The loser, who is to move, tries everything; the winner uses the search.
fn holds_out(position: &AmazonsPosition, plies: u32) {
    for m in moves(position) {
        assert!(plies >= 2, "not over in time: {}", Amazons::to_line(position));
        let next = after(position, m);
        let thought = think(&next, &request(Level::Expert, 1, 20_000)).unwrap();
        assert!(matches!(thought.value, Value::Won(n) if n < plies), "{:?} of {plies}", thought.value);
        holds_out(&after(&next, thought.best), plies - 2);
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    let mut position = start("10x10");
    for ply in 0..6 {
        for level in [Level::Beginner, Level::Medium, Level::Expert] {
            let request = request(level, ply, 20_000);
            assert_eq!(think(&position, &request), think(&position, &request), "{level:?} ply {ply}");
        }
        position = after(&position, think(&position, &request(Level::Easy, ply, 1)).unwrap().best);
    }
}

/// With a node limit the baseline evaluates in batches, with a time limit one by one.
#[test]
fn baseline_plays_the_same_in_batches_and_one_by_one() {
    let (mut rng, mut position) = (SeededRng::new(41), start("10x10"));
    for round in 0..5 {
        let asked = request(Level::Expert, round, 4_000);
        let one_by_one = think_in(style::BASELINE, &position, &asked);
        assert!(!style::BASELINE.batches && one_by_one.is_some(), "{}", Amazons::to_line(&position));
        assert_eq!(baseline(&position, &asked), one_by_one, "{}", Amazons::to_line(&position));
        for _ in 0..9 {
            let m = *rng.pick(&moves(&position)).unwrap();
            position.play_unchecked(m);
        }
    }
}

#[test]
fn games_differ_by_seed_at_every_level() {
    let position = start("10x10");
    for level in [Level::Random, Level::Beginner, Level::Easy] {
        let firsts: std::collections::HashSet<_> =
            (0..12).map(|seed| think(&position, &request(level, seed, 10_000)).unwrap().best).collect();
        assert!(firsts.len() > 3, "{level:?}: {firsts:?}");
    }
}

#[test]
fn a_halted_player_still_moves() {
    let halt = Halt::default();
    halt.call();
    for level in Level::ALL {
        let position = start("10x10");
        let thought =
            think(&position, &SearchRequest { halt: halt.clone(), ..SearchRequest::new(level, 1) }).unwrap();
        assert_eq!(position.check(thought.best), Ok(()));
        assert!(thought.nodes <= 2 * 2176, "{level:?} went on for {} nodes", thought.nodes);
    }
}

/// Nothing is shared here and the counts are long: 50,000 states do not settle them. Without time, or after a halt, few
/// states are searched.
#[test]
fn counting_a_separated_position_heeds_time_and_halt() {
    let line =
        "2p4pp1/3q1pq1q1/pppppppppp/p1p1p1pp1p/ppQpp2p2/pp1p1p1p2/2pp3pp1/p2Qp3Q1/p2p2p3/p3pp3p w - - 0 30";
    let position = Amazons::from_line(line).unwrap();
    let timed = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let halt = Halt::default();
    halt.call();
    let called_off = SearchRequest { halt, ..request(Level::Expert, 1, 100_000) };
    for request in [SearchRequest { limits: timed, ..SearchRequest::new(Level::Expert, 1) }, called_off] {
        let mut player = Player::<u128>::new(style::USUAL, &position, &request);
        let at = player.head.grid.position(&position);
        let thought = player.fill(&at).unwrap();
        assert_eq!(position.check(player.head.grid.to_move(thought.best)), Ok(()));
        let parts = player.head.counted_parts();
        assert!(parts < 3_000, "{parts} parts were looked at");
    }
}

/// There is no time to search more than one move: the proof itself names one that keeps what it counts.
#[test]
fn halted_player_keeps_counted_win() {
    let (mut rng, mut known) = (SeededRng::new(31), HashMap::new());
    let halt = Halt::default();
    halt.call();
    let mut kept = 0;
    for round in 0..3_000 {
        known.clear();
        let free = 4 + rng.below(5) as usize;
        let position = ending(&mut rng, free);
        let asked = SearchRequest { halt: halt.clone(), ..request(Level::Expert, round, 100_000) };
        let Some(thought) = think(&position, &asked) else { continue };
        if Amazons::settle(&position, 0).is_some() && matches!(thought.value, Value::Won(_)) {
            let lost = wins(&after(&position, thought.best), &mut known);
            assert!(!lost, "threw a win away: {}", Amazons::to_line(&position));
            kept += 1;
        }
    }
    assert!(kept > 150, "{kept}");
}

#[test]
fn easy_and_better_do_not_wall_themselves_in() {
    for seed in 0..8 {
        let mut position = start("10x10");
        let mut rng = SeededRng::new(seed);
        for ply in 0..8 {
            let side = position.to_move();
            let best = think(&position, &request(Level::Easy, seed + ply, 100_000)).unwrap().best;
            let next = after(&position, best);
            let stuck = |at: &AmazonsPosition| {
                let lines = at.board().lines();
                at.amazons(side).iter().filter(|cell| !lines.neighbours(*cell).intersects(at.free())).count()
            };
            assert!(stuck(&next) <= stuck(&position), "{}", Amazons::to_line(&next));
            // Every other move is random, to reach unusual positions.
            let listed = moves(&next);
            let Some(reply) = rng.pick(&listed) else { break };
            position = after(&next, *reply);
        }
    }
}

#[test]
fn under_the_pie_rule_the_first_move_is_even_and_a_good_one_is_taken_over() {
    let setup = Setup::new(2).with("pie", "on").with("size", "6x6");
    let position = Amazons::start(&setup).unwrap();
    assert_eq!(position.pie(), Pie::Ahead);
    let even = think(&position, &request(Level::Medium, 1, 50_000)).unwrap();
    assert!(matches!(even.value, Value::Estimate(n) if n.abs() < 50), "{:?}", even.value);
    // White to move and win on a small board; after White's move Black swaps.
    let board = rookery_core::Board::square(3, 2);
    let cell = |name| board.named(name).map(CellSet::of).unwrap();
    let won = AmazonsPosition::new(board, [cell("a1"), cell("c2")], CellSet::EMPTY, super::Side::White);
    assert!(wins(&won, &mut HashMap::new()));
    let winning = moves(&won).into_iter().find(|m| !wins(&after(&won, *m), &mut HashMap::new())).unwrap();
    let open = after(&won.with_pie(Pie::Ahead), winning);
    let answer = think(&open, &request(Level::Expert, 1, 50_000)).unwrap();
    assert_eq!(answer.best, Move::Swap);
    assert!(matches!(answer.value, Value::Won(_)), "{:?}", answer.value);
}
