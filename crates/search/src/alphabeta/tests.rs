use super::*;
use crate::test_tree::TestTree;
use rookery_core::player::{Halt, Limits};
use rookery_core::seed::SeededRng;

fn think_to(test_tree: &mut TestTree, root: usize, depth: u32, table_bits: u32) -> SearchResult<usize> {
    let mut clock = SearchClock::start(Limits { depth: Some(depth), ..Limits::default() }, Halt::default());
    think(test_tree, &root, &mut clock, table_bits).unwrap()
}

#[test]
fn hand_written_trees_have_their_known_values() {
    // The textbook tree: three moves whose best replies leave 3, 2 and 2.
    for (tree, depth, best, value) in [
        ("((3 12 8) (2 4 6) (14 5 2))", 2, 0, Value::Estimate(3)),
        ("((3 12 8) (2 4 6) (14 5 2))", 1, 0, Value::Estimate(0)),
        ("(5 (a b) (a a))", 2, 2, Value::Won(2)),
        ("((b 9) (b 2 1))", 2, 0, Value::Lost(2)),
        ("((b 9) (((b) 9)))", 4, 1, Value::Estimate(9)),
        ("(1 +(+(a) -7))", 3, 1, Value::Won(3)),
        ("(b)", 1, 0, Value::Lost(1)),
    ] {
        let (mut test_tree, root) = TestTree::read(tree, 2);
        let search_result = think_to(&mut test_tree, root, depth, 6);
        assert_eq!((search_result.best, search_result.value), (best, value), "{tree}");
    }
}

#[test]
fn a_quick_win_is_preferred_to_a_slow_one_and_a_slow_loss_to_a_quick_one() {
    let (mut test_tree, root) = TestTree::read("(((( a ))) a)", 2);
    assert_eq!(think_to(&mut test_tree, root, 4, 6).best, 1);
    let (mut test_tree, root) = TestTree::read("((b) (((b))))", 2);
    let search_result = think_to(&mut test_tree, root, 4, 6);
    assert_eq!((search_result.best, search_result.value), (1, Value::Lost(4)));
}

/// Late move reductions may miss an evaluation, but with at most three moves per node there are none, so alpha-beta must
/// equal minimax exactly, whatever the table keeps.
#[test]
fn alpha_beta_is_minimax_on_random_trees_with_any_table_size() {
    for seed in 0..400 {
        let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(seed), 6, 3);
        let mut moves = Vec::new();
        test_tree.children(&root, &mut moves);
        // A forced move is not searched to the end.
        if moves.len() < 2 {
            continue;
        }
        for table_bits in [1, 4, 10] {
            let search_result = think_to(&mut test_tree, root, 6, table_bits);
            let depth = if matches!(search_result.value, Value::Estimate(_)) { 6 } else { MAX_DEPTH };
            assert_eq!(
                search_result.value,
                test_tree.minimax(root, depth).into(),
                "seed {seed} bits {table_bits}"
            );
        }
    }
}

/// A search may end when its first move has just been refuted and no other has been searched since.
#[test]
fn losses_reported_after_timeout_are_proven() {
    let mut lost = 0;
    for seed in 0..300 {
        let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(seed), 6, 4);
        if test_tree.settled(&root).is_some() {
            continue;
        }
        for nodes in (4..200).step_by(3) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let search_result =
                think(&mut test_tree, &root, &mut SearchClock::start(limits, Halt::default()), 8).unwrap();
            if matches!(search_result.value, Value::Lost(_)) {
                assert!(test_tree.minimax(root, MAX_DEPTH).is_lost(), "seed {seed}, {nodes} nodes");
                lost += 1;
            }
        }
    }
    assert!(lost > 100, "only {lost} losses to look at");
}

/// Regardless of pruning and reductions, a score reported as proven is correct.
#[test]
fn proofs_are_proofs_in_narrow_searches_too() {
    let proofs = proofs_that_hold(400, |test_tree, root, _| think_to(test_tree, root, 5, 8).value);
    assert!(proofs > 40, "only {proofs} proofs to look at");
}

/// The number of proofs that searches of five plies find on `seeds` random trees, with two moves searched per node.
/// Each is compared with minimax.
pub(super) fn proofs_that_hold(seeds: u64, mut think: impl FnMut(&mut TestTree, usize, u64) -> Value) -> u32 {
    let mut proofs = 0;
    for seed in 0..seeds {
        let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(seed), 5, 14);
        test_tree.width = Some(2);
        if test_tree.settled(&root).is_some() {
            continue;
        }
        let value = think(&mut test_tree, root, seed);
        let truth = test_tree.minimax(root, 5);
        match value {
            Value::Won(_) => assert!(truth.is_won(), "seed {seed}: {value:?} but {truth:?}"),
            Value::Lost(_) => assert!(truth.is_lost(), "seed {seed}: {value:?} but {truth:?}"),
            _ => continue,
        }
        proofs += 1;
    }
    proofs
}

#[test]
fn a_halt_gets_a_legal_move_and_a_finished_game_none() {
    let halt = Halt::default();
    halt.call();
    let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(5), 7, 4);
    let search_result =
        think(&mut test_tree, &root, &mut SearchClock::start(Limits::default(), halt), 8).unwrap();
    assert_eq!(search_result.depth, 1);
    let (mut test_tree, root) = TestTree::read("a", 2);
    let mut clock = SearchClock::start(Limits::default(), Halt::default());
    assert_eq!(think(&mut test_tree, &root, &mut clock, 8), None);
}

#[test]
fn with_nodes_limited_two_thoughts_are_the_same() {
    let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(77), 9, 4);
    let mut once = || {
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        think(&mut test_tree, &root, &mut SearchClock::start(limits, Halt::default()), 8)
    };
    assert_eq!(once(), once());
}

/// Three root moves look even, and every reply to them is bad. An iteration in a window above that finds no score in it
/// and reports no higher score for any move.
#[test]
fn fail_low_scores_are_not_raised_by_static_evaluation() {
    let (mut test_tree, root) = TestTree::read("((-200 -210) (-220 -205) (-230 -215))", 2);
    let mut clock = SearchClock::start(Limits { depth: Some(2), ..Limits::default() }, Halt::default());
    let mut search = Search::new(&mut test_tree, &mut clock, TranspositionTable::new(8));
    let mut moves = search.first_moves(&root).unwrap();
    let (alpha, beta) = (Score::evaluation(-80), Score::evaluation(80));
    let score = search.root(&root, &mut moves, Window { depth: 2, alpha, beta, ply: 0 });
    assert!(score <= alpha && moves.iter().all(|guess| guess.score <= alpha), "{moves:?}");
}
