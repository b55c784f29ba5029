//! Lazy SMP: several threads search the same root, each with its own history and killers, and share one transposition
//! table. There is no work queue: a thread finds the results of others in the table. Helpers order moves differently
//! (see `ordering::RootNoise`), so they search different subtrees first.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

use super::{Found, Search};
use crate::shared_transposition_table::SharedTranspositionTable;
use crate::{SearchClock, SearchGame};
use rookery_core::helper_threads::HelperThread;
use rookery_core::player::{Halt, SearchResult};

/// Searches with helpers; see [`super::think`]. All helpers have ended when this returns.
///
/// The answer is that of the thread that proved the result, otherwise that of the thread that completed the most plies;
/// on a tie that of the calling thread. All threads use the same evaluation, so a deeper result is better whichever
/// thread found it.
pub(super) fn think<M: SearchGame>(
    search_game: &mut M,
    root: &M::Node,
    clock: &mut SearchClock,
    helpers: Vec<(HelperThread, SearchClock)>,
    table_bits: u32,
) -> Option<SearchResult<M::Move>> {
    let table = SharedTranspositionTable::new(table_bits);
    let search_games: Vec<M> = helpers.iter().map(|_| search_game.clone()).collect();
    let done = clock.done();
    let mut search = Search::new(search_game, clock, &table);
    let found = thread::scope(|scope| {
        let end = HaltAllOnDrop(done);
        let along = search_games.into_iter().zip(helpers).filter_map(|(search_game, (helper, clock))| {
            let job = || run_helper(helper, search_game, root, clock, &table);
            // If the system refuses a thread, there is one helper fewer.
            Builder::new().name("companion".to_owned()).spawn_scoped(scope, job).ok()
        });
        let along: Vec<_> = along.collect();
        let own = search.find(root);
        drop(end);
        let others =
            along.into_iter().filter_map(|thread| thread.join().unwrap_or_else(|bug| resume_unwind(bug)));
        others.fold(own, |best, found| best.map(|best| better(best, found)))
    })?;
    Some(search.search_result(root, &found))
}

/// The work of a helper, which is dropped last. It ends the search of all threads if it has the answer.
fn run_helper<M: SearchGame>(
    _helper_thread: HelperThread,
    mut search_game: M,
    root: &M::Node,
    mut clock: SearchClock,
    table: &SharedTranspositionTable<M::Move>,
) -> Option<Found<M::Move>> {
    let found = Search::new(&mut search_game, &mut clock, table).find(root);
    if !clock.limit_reached() {
        clock.done().call();
    }
    found
}

fn better<M>(one: Found<M>, other: Found<M>) -> Found<M> {
    let rank = |found: &Found<M>| (found.moves[0].score.is_proof(), found.done);
    if rank(&other) > rank(&one) { other } else { one }
}

/// Ends the search of all threads when dropped, also after a panic of the calling thread.
struct HaltAllOnDrop(Halt);

impl Drop for HaltAllOnDrop {
    fn drop(&mut self) {
        self.0.call();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::tests::proofs_that_hold;
    use super::super::think;
    use super::*;
    use crate::test_tree::TestTree;
    use crate::{End, Guess, Score};
    use rookery_core::Seat;
    use rookery_core::helper_threads::HelperThreads;
    use rookery_core::player::{Limits, Value};
    use rookery_core::seed::{SeededRng, mix};

    fn clock(limits: Limits, threads: usize) -> SearchClock {
        SearchClock::start(limits, Halt::default()).with_helpers(HelperThreads::Count(threads - 1))
    }

    fn to_depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// As for one thread: at most three moves per node, so nothing is reduced. Small tables lose many entries, large
    /// ones share everything.
    #[test]
    fn several_threads_are_minimax_on_random_trees_with_any_table_size() {
        let mut looked_at = 0;
        for seed in 0..100 {
            let (mut test_tree, root) = TestTree::grow(&mut SeededRng::new(seed), 6, 3);
            let mut moves = Vec::new();
            test_tree.children(&root, &mut moves);
            if moves.len() < 2 {
                continue;
            }
            for (threads, table_bits) in [(2, 1), (2, 14), (4, 10), (4, 14)] {
                let mut clock = clock(to_depth(6), threads);
                let search_result = think(&mut test_tree, &root, &mut clock, table_bits).unwrap();
                let depth = if matches!(search_result.value, Value::Estimate(_)) { 6 } else { u32::MAX };
                assert_eq!(
                    search_result.value,
                    test_tree.minimax(root, depth).into(),
                    "seed {seed}, {threads} threads"
                );
                looked_at += 1;
            }
        }
        assert!(looked_at > 100, "only {looked_at}");
    }

    #[test]
    fn proofs_from_any_thread_are_correct() {
        let proofs = proofs_that_hold(150, |test_tree, root, seed| {
            let threads = 2 + 2 * (seed as usize % 2);
            think(test_tree, &root, &mut clock(to_depth(5), threads), 12).unwrap().value
        });
        assert!(proofs > 15, "only {proofs} proofs to look at");
    }

    /// An endless game: two moves everywhere and random evaluations. All clones share a counter of listed nodes, and an
    /// event happens at a given count.
    #[derive(Clone)]
    struct Endless {
        listed: Arc<AtomicU64>,
        at: u64,
        happens: Arc<dyn Fn() + Send + Sync>,
    }

    impl Endless {
        fn with(at: u64, happens: impl Fn() + Send + Sync + 'static) -> Endless {
            Endless { listed: Arc::default(), at, happens: Arc::new(happens) }
        }
    }

    impl SearchGame for Endless {
        type Node = u64;
        type Move = u64;

        fn turn(&self, node: &u64) -> Seat {
            if node.ilog2().is_multiple_of(2) { Seat::FIRST } else { Seat::SECOND }
        }
        fn key(&self, node: &u64) -> u64 {
            mix(*node)
        }
        fn play(&self, node: &mut u64, m: u64) {
            *node = 2 * *node + m;
        }
        fn settled(&mut self, _: &u64) -> Option<End> {
            None
        }
        fn evaluate(&mut self, node: &u64, seat: Seat) -> i32 {
            let evaluation = (mix(*node) % 999) as i32;
            if seat == Seat::FIRST { evaluation } else { -evaluation }
        }
        fn children(&mut self, node: &u64, out: &mut Vec<Guess<u64>>) {
            if self.listed.fetch_add(1, Ordering::Relaxed) == self.at {
                (self.happens)();
            }
            let turn = self.turn(node);
            for m in 0..2 {
                out.push(Guess { m, score: Score::evaluation(self.evaluate(&(2 * node + m), turn)) });
            }
        }
        fn history_slots(&self, _: &u64, m: u64) -> [usize; 2] {
            [m as usize; 2]
        }
    }

    const FOR_EVER: Limits =
        Limits { time: Some(std::time::Duration::MAX), cpu_time: false, nodes: None, depth: None };

    #[test]
    fn a_halt_ends_all_threads_and_none_is_left() {
        for threads in [2, 4] {
            let halt = Halt::default();
            let called = halt.clone();
            let mut search_game = Endless::with(3_000, move || called.call());
            let mut clock =
                SearchClock::start(FOR_EVER, halt).with_helpers(HelperThreads::Count(threads - 1));
            let search_result = think(&mut search_game, &1, &mut clock, 12).unwrap();
            assert!(search_result.best < 2 && clock.limit_reached());
            assert_eq!(
                Arc::strong_count(&search_game.listed),
                1,
                "a helper thread still holds its search game"
            );
        }
    }

    #[test]
    fn nodes_bind_all_threads_together() {
        let mut search_game = Endless::with(u64::MAX, || ());
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let nodes = think(&mut search_game, &1, &mut clock(limits, 4), 12).unwrap().nodes;
        // Each thread searches at most two or three more positions before it notices the halt.
        assert!((5_000..5_100).contains(&nodes), "{nodes}");
    }

    #[test]
    fn panic_in_one_thread_ends_all_and_is_reported() {
        let bugs = (0..5).filter(|at| {
            let mut search_game =
                Endless::with(40 * at, || panic!("on purpose, to see that nobody waits for ever"));
            let mut clock = clock(Limits { nodes: Some(100_000), ..Limits::default() }, 2);
            catch_unwind(AssertUnwindSafe(|| think(&mut search_game, &1, &mut clock, 12))).is_err()
        });
        assert_eq!(bugs.count(), 5);
    }

    #[test]
    fn result_prefers_proof_then_depth_then_calling_thread() {
        let found = |m, score, done| Found { moves: vec![Guess { m, score }], done };
        let best = |one, other| better(one, other).moves[0].m;
        assert_eq!(best(found(1, Score::EVEN, 7), found(2, Score::lost(9), 3)), 2);
        assert_eq!(best(found(1, Score::EVEN, 7), found(2, Score::EVEN, 8)), 2);
        assert_eq!(best(found(1, Score::EVEN, 7), found(2, Score::evaluation(50), 7)), 1);
    }
}
