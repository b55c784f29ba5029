//! Conformance, errors, notation, lines, and comparison with naive rules.

use crate::testing::{golden, quickest_win};
use rookery_core::conformance::{check_all, check_illegal_moves};
use rookery_core::player::{Level, SearchRequest, Value};
use rookery_core::rules::Setup;
use rookery_core::rules::{legal, spell};
use rookery_core::seed::SeededRng;
use rookery_core::{GameRules, IllegalMove, MovePart, Outcome, Position, Reason, Seat, StepKind};

use super::naive::{History, Naive};
use super::rules::{POINTS, Piece, Stack, board};
use super::{Amoeba, AmoebaPosition, INFO};

fn start() -> AmoebaPosition {
    Amoeba::start(&Setup::new(2)).unwrap()
}

fn at(line: &str) -> AmoebaPosition {
    Amoeba::from_line(line).unwrap()
}

fn refusal(position: &AmoebaPosition, text: &str) -> IllegalMove {
    Amoeba::resolve(position, &Amoeba::read(text).unwrap()).unwrap_err()
}

fn played(position: &AmoebaPosition, text: &str) -> AmoebaPosition {
    let m = Amoeba::resolve(position, &Amoeba::read(text).unwrap()).unwrap();
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

fn spelled(position: &AmoebaPosition, text: &str) -> String {
    let m = Amoeba::resolve(position, &Amoeba::read(text).unwrap()).unwrap();
    spell::<Amoeba>(position, m)
}

#[test]
fn conformance_suite_passes() {
    for pie in ["off", "on"] {
        check_all::<Amoeba>(&Setup::new(2).with("pie", pie), 4, 300);
    }
}

/// A second implementation of the rules, with strings, agrees over 100,000 positions of random games.
#[test]
fn the_naive_rules_agree() {
    let mut rng = SeededRng::new(2010);
    let mut compared = 0;
    while compared < 100_000 {
        let mut history = History::new();
        let (mut ours, mut naive) = (start(), Naive::start().standing(&mut history));
        for _ in 0..300 {
            let line = Amoeba::to_line(&ours);
            assert!(line.starts_with(&naive.line()), "{line}");
            let winner = ours.outcome().map(|o| if o.winners.len() == 2 { 2 } else { o.winners[0].index() });
            assert_eq!(winner, naive.winner(), "{line}");
            let moves = naive.moves();
            let mut mine: Vec<_> =
                legal::<Amoeba>(&ours).into_iter().map(|m| (spell::<Amoeba>(&ours, m), m)).collect();
            mine.sort();
            assert!(mine.iter().map(|(text, _)| text).eq(&moves), "{line}");
            compared += 1;
            if moves.is_empty() {
                break;
            }
            let choice = rng.below(moves.len() as u64) as usize;
            ours.play_unchecked(mine[choice].1);
            naive = naive.after(&moves[choice], &mut history);
        }
    }
}

/// Any two points are a listed move, or refused with a listed reason.
#[test]
fn every_pair_of_points_is_a_move_or_refused() {
    let names = || board().cells().map(|cell| board().name(cell));
    let pairs =
        || names().flat_map(|a| names().flat_map(move |b| ["-", ">", " "].map(|s| format!("{a}{s}{b}"))));
    let wishes = || pairs().chain(names().map(str::to_owned)).chain(["swap".to_owned()]);
    let mut rng = SeededRng::new(1);
    let mut position = start();
    for _ in 0..25 {
        check_illegal_moves::<Amoeba>(&position, wishes());
        for text in wishes() {
            let parsed = Amoeba::read(&text).unwrap();
            if let Err(IllegalMove::Rule { rule, .. }) = Amoeba::resolve(&position, &parsed) {
                assert!(INFO.rules.contains(&rule), "{rule}");
            }
        }
        let moves = legal::<Amoeba>(&position);
        let Some(m) = rng.pick(&moves) else { break };
        position.play_unchecked(*m);
    }
}

/// A stack of four in the middle, stacks of two and one, and both Kernels.
const TALL: &str = "3,L/5/6/3,ABAA,3/6/1,B,3/K,AB,BA,1 1";

#[test]
fn refusals_are_exact() {
    let rule = |key, cells: &[&str]| IllegalMove::rule(key, cells.iter().copied());
    let position = at(TALL);
    assert_eq!(refusal(&position, "d4-d7"), rule("amoeba-stuck", &["d4", "4"]));
    assert_eq!(refusal(&position, "d4"), rule("amoeba-stuck", &["d4", "4"]));
    assert_eq!(refusal(&position, "a2-b2"), rule("amoeba-not-controlled", &["a2"]));
    assert_eq!(refusal(&position, "a3-a4"), rule("amoeba-too-few-points", &["a3", "a4", "2"]));
    assert_eq!(refusal(&position, "a3-b3"), rule("amoeba-full-height", &["a3", "c3", "2"]));
    assert_eq!(refusal(&position, "a1-c1"), rule("amoeba-full-height", &["a1", "b1", "1"]));
    assert_eq!(refusal(&position, "a3-a3"), IllegalMove::SameCell { at: "a3".into() });
    assert_eq!(refusal(&position, "c3-c4"), IllegalMove::NoPiece { at: "c3".into() });
    assert_eq!(refusal(&position, "a3-a9"), IllegalMove::NoSuchCell { cell: "a9".into() });
    let off = IllegalMove::NotALine { leg: MovePart::Move, from: "a3".into(), to: "c4".into() };
    assert_eq!(refusal(&position, "a3-c4"), off);
    assert_eq!(refusal(&position, "swap"), rule("amoeba-no-swap", &[]));
    let missing = |so_far: &str, missing| IllegalMove::Incomplete { so_far: so_far.into(), missing };
    assert_eq!(refusal(&position, "a3"), missing("a3", StepKind::Mode));
    assert_eq!(refusal(&position, "a3>"), missing("a3>", StepKind::Goal));
    assert_eq!(refusal(&position, "a1"), missing("a1", StepKind::Goal));
    let both = IllegalMove::Ambiguous { readings: vec!["a3-c3".into(), "a3>c3".into()] };
    assert_eq!(refusal(&position, "a3 c3"), both);
    let m =
        super::Move::Go { from: board().named("a1").unwrap(), to: board().named("b1").unwrap(), split: true };
    assert_eq!(position.check(m), Err(rule("amoeba-nothing-to-split", &["a1"])));
}

#[test]
fn many_ways_of_writing_are_read() {
    let position = at(TALL);
    for (written, meant) in [
        ("A3-C3", "a3-c3"),
        ("a3 -> c3", "a3-c3"),
        ("a3→c3", "a3-c3"),
        ("a3 > c3", "a3>c3"),
        ("split a3 c3", "a3>c3"),
        ("a1b1", "a1-b1"),
        ("a1>b1", "a1-b1"),
    ] {
        assert_eq!(spelled(&position, written), meant, "{written}");
    }
    for unreadable in ["", "a", "a3-", "a3-c3-c4", "z", "3a"] {
        assert_eq!(Amoeba::read(unreadable).is_ok(), unreadable == "a3-", "{unreadable}");
    }
}

/// The second seat takes over the first move; the sides change, the position does not.
#[test]
fn the_pie_rule_swaps_sides_once() {
    let opened = played(&Amoeba::start(&Setup::new(2).with("pie", "on")).unwrap(), "c3-d3");
    assert!(Amoeba::to_line(&opened).ends_with(" 2 pie:open"));
    assert_eq!(legal::<Amoeba>(&opened).len(), 53);
    let swapped = played(&opened, "swap");
    assert_eq!((swapped.turn(), swapped.side(Seat::FIRST)), (Seat::FIRST, 1));
    assert_eq!(refusal(&swapped, "swap"), IllegalMove::rule("amoeba-no-swap", []));
    let declined = played(&opened, "e1-d1");
    assert_eq!(refusal(&declined, "swap"), IllegalMove::rule("amoeba-no-swap", []));
}

/// Both Kernels fall to one split: its mover wins.
#[test]
fn the_movers_own_success_counts_first() {
    // c1 is BA: on its way B lands on the mover's own Kernel, A on the opponent's.
    let both = played(&at("4/5/6/7/BA,K,L,3/5/B,2,A 1"), "c1>c3");
    assert_eq!(both.outcome(), Some(Outcome::win(Seat::FIRST, Reason::Kernel)));
    let own = played(&at("3,L/5/6/7/BA,K,4/5/B,2,A 1"), "c1>c3");
    assert_eq!(own.outcome(), Some(Outcome::win(Seat::SECOND, Reason::Kernel)));
}

#[test]
fn the_third_time_counts_stacks_also_after_reading_a_line() {
    let mut now = start();
    let round = ["a1-b1", "g1-f1", "b1-a1", "f1-g1"];
    for time in [2, 3] {
        now = round.iter().fold(now, |now, text| played(&now, text));
        assert_eq!(now.times(), time);
        assert_eq!(Amoeba::from_line(&Amoeba::to_line(&now)).unwrap().times(), time);
    }
    assert_eq!(now.outcome(), Some(Outcome::draw(2, Reason::Repetition)));
    let twice = at("B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,A,A,A,A/2,K,2/A,AA,A,1 1 seen:2");
    assert_eq!(twice.outcome(), None);
    let ahead = at("B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,A,A,A,A/2,K,2/A,AA,A,1 1 seen:3");
    assert_eq!(ahead.outcome(), Some(Outcome::win(Seat::SECOND, Reason::Repetition)));
}

#[test]
fn lines_say_where_they_are_wrong() {
    for (line, place) in [
        ("4/4 1", 0),
        ("B,B,B,B/2,L,2 ", 14),
        ("3,L/5/6/7/6/5/K,2 1", 14),
        ("3,L/5/6/7/6/5/K,3 3", 18),
        ("3,L/5/6/7/6/5/K,x,2 1", 16),
        ("3,L/5/6/7/6/5/A,3 1", 0),
        ("3,L/5/6/7/6/5/K,3 1 pie:open", 20),
        ("3,L/5/6/7/6/5/K,3 1 seen:4", 20),
        ("3,L/5/6/7/6/5/K,3 1 what", 20),
        ("3,8/5/6/7/6/5/K,3 1", 2),
    ] {
        assert_eq!(Amoeba::from_line(line).unwrap_err().at, place, "{line}");
    }
}

#[test]
fn the_record_is_as_it_was() {
    let start = Amoeba::start(&Setup::new(2).with("pie", "on")).unwrap();
    golden::<Amoeba>(start, 37, "amoeba/record.txt");
}

/// Every code span of the help is an option, a position, or a legal move in the last position before it.
#[test]
fn the_examples_of_the_help_can_be_played() {
    let mut position = start();
    let mut moves = 0;
    for span in INFO.help.split('`').skip(1).step_by(2) {
        if let Ok(named) = Amoeba::from_line(span) {
            position = named;
        } else if span != "swap" && INFO.options.iter().all(|option| option.key != span) {
            let parsed = Amoeba::read(span).unwrap_or_else(|e| panic!("{span}: {e}"));
            Amoeba::resolve(&position, &parsed).unwrap_or_else(|e| panic!("{span}: {e}"));
            moves += 1;
        }
    }
    assert_eq!(moves, 6);
    let blunder = played(&position, "c1>c3").outcome();
    assert_eq!(blunder, Some(Outcome::win(Seat::SECOND, Reason::Kernel)));
}

/// Rotated by half a turn with the sides exchanged, a position has the same number of moves.
#[test]
fn the_sides_are_alike() {
    let mut rng = SeededRng::new(3);
    let mut position = start();
    for _ in 0..80 {
        let moves = legal::<Amoeba>(&position);
        let Some(m) = rng.pick(&moves) else { break };
        position.play_unchecked(*m);
        assert_eq!(turned(&position).count(), position.count());
    }
}

fn turned(position: &AmoebaPosition) -> AmoebaPosition {
    let mut stacks = [Stack::EMPTY; POINTS];
    for (cell, stack) in position.stacks() {
        let exchanged = |piece: Piece| Piece { side: piece.side.other(), ..piece };
        stacks[POINTS - 1 - cell.index()] = stack.pieces().map(exchanged).collect();
    }
    AmoebaPosition::new(stacks, position.to_move().other())
}

#[test]
fn the_program_takes_a_kernel_that_is_there() {
    let position = at("4/5/3,A,L,1/7/6/2,K,2/B,3 1");
    let thought = Amoeba::think(&position, &SearchRequest::new(Level::Easy, 1)).unwrap();
    assert_eq!(spell::<Amoeba>(&position, thought.best), "e4-e5");
}

/// Positions of random games, without their history, with few enough moves for brute force.
fn random_positions(rng: &mut SeededRng) -> Vec<AmoebaPosition> {
    let (mut position, mut found) = (start(), Vec::new());
    for _ in 0..120 {
        let Some(m) = rng.pick(&legal::<Amoeba>(&position)).copied() else { break };
        position.play_unchecked(m);
        if position.outcome().is_none() && position.count() <= 24 && rng.below(4) == 0 {
            let line = Amoeba::to_line(&position);
            found.extend(Amoeba::from_line(&line));
        }
    }
    found
}

/// The expert reports the quickest win of up to five plies exactly when brute force finds one. Returns how many wins
/// took one, three and five plies, and how many positions had none.
fn compare_wins(seed: u64, positions: usize) -> [usize; 4] {
    let mut rng = SeededRng::new(seed);
    let mut seen = [0; 4];
    while seen.iter().sum::<usize>() < positions {
        for position in random_positions(&mut rng) {
            let quickest = quickest_win::<Amoeba>(&position, 1..=5);
            // Only a depth limit: time would make the test depend on the machine.
            let mut request = SearchRequest::new(Level::Expert, seed);
            request.limits.depth = Some(1);
            let value = super::eval::think(&position, &request).unwrap().value;
            let found = if let Value::Won(plies) = value { Some(plies) } else { None };
            assert_eq!(found, quickest, "{}", Amoeba::to_line(&position));
            seen[quickest.map_or(3, |plies| plies as usize / 2)] += 1;
        }
    }
    seen
}

#[test]
fn wins_in_up_to_five_plies_are_found_exactly() {
    let seen = compare_wins(1, 120);
    assert!(seen.iter().all(|count| *count > 1), "{seen:?}");
}

#[test]
#[ignore = "slow: thousands of positions, five plies of each tried out in full"]
fn wins_in_up_to_five_plies_are_found_exactly_in_many_positions() {
    let seen = compare_wins(2, 2_000);
    assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
}
