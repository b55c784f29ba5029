//! The best moves for completion: found by a short search and cached for the turn.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

use rookery_core::Play;
use rookery_core::player::{Level, SearchRequest};
use rookery_table::{Table, TableId};
use rookery_tasks::Tasks;

/// The node limit of the short search.
const RANKING_NODES: u64 = 2_000;
/// How long a completion waits for the search; the next typed letter uses its result.
const RANKING_TIMEOUT: Duration = Duration::from_millis(1_200);
/// The most cached tables.
const CACHE_CAPACITY: usize = 256;

/// Legal moves, the best first.
pub type RankedList = Arc<Vec<String>>;

/// The latest ranking of each table, with its number of turns.
type RankingCache = Arc<Cache<TableId, (usize, RankedList)>>;

/// Ranks moves for one table at a time: no matter how many people type, at most one thread beside the pool is
/// used, for some milliseconds per turn.
#[derive(Clone)]
pub struct RankedMoves {
    kept: RankingCache,
    turn: Arc<Semaphore>,
}

impl Default for RankedMoves {
    fn default() -> RankedMoves {
        RankedMoves { kept: Arc::new(Cache::new(CACHE_CAPACITY)), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl RankedMoves {
    /// Returns up to about 25 of the best moves at a table; none if the search takes too long.
    pub async fn of(&self, tasks: &Tasks, table: &Table) -> RankedList {
        let (id, ply) = (table.id(), table.ply());
        if let Some(best) = self.known(id, ply) {
            return best;
        }
        let Some(play) = table.play().map(Play::clone_play) else { return RankedList::default() };
        let found = tokio::time::timeout(RANKING_TIMEOUT, self.find(tasks, id, ply, play)).await;
        found.ok().flatten().unwrap_or_default()
    }

    /// Waits until no other search runs, then searches unless another caller already has.
    async fn find(&self, tasks: &Tasks, id: TableId, ply: usize, play: Box<dyn Play>) -> Option<RankedList> {
        let turn = self.turn.clone().acquire_owned().await.ok()?;
        if let Some(best) = self.known(id, ply) {
            return Some(best);
        }
        let kept = self.kept.clone();
        let glance = move || {
            let best = Arc::new(rank_quickly(play.as_ref()));
            kept.insert(id, (ply, best.clone()));
            drop(turn);
            best
        };
        tasks.blocking("ranking", glance).await.ok()
    }

    fn known(&self, id: TableId, ply: usize) -> Option<RankedList> {
        self.kept.get(&id).filter(|(at, _)| *at == ply).map(|(_, best)| best)
    }
}

fn rank_quickly(play: &dyn Play) -> Vec<String> {
    let mut ask = SearchRequest::new(Level::Hard, 0);
    ask.limits.nodes = Some(RANKING_NODES);
    let Some(thought) = play.think(&ask) else { return Vec::new() };
    std::iter::once(thought.best).chain(thought.others.into_iter().map(|(text, _)| text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    #[test]
    fn a_glance_finds_several_legal_moves_in_every_game() {
        for game in rookery_games::all() {
            let play = game.start(&Setup::new(game.info().fewest()).seeded(3)).unwrap();
            let (best, legal) = (rank_quickly(play.as_ref()), play.moves());
            assert!(best.len() > 5, "{}: {best:?}", game.info().key);
            assert!(best.iter().all(|text| legal.contains(text)), "{}: {best:?}", game.info().key);
        }
    }
}
