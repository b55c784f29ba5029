//! The best moves first, for completion: found at a glance, kept for the turn.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

use rookery_core::Play;
use rookery_core::player::{Level, SearchRequest};
use rookery_table::{Table, TableId};
use rookery_tasks::Tasks;

/// Positions looked at in a glance.
const RANKING_NODES: u64 = 2_000;
/// How long a completion waits for a glance; the next letter typed finds it done.
const RANKING_TIMEOUT: Duration = Duration::from_millis(1_200);
/// Tables remembered at most.
const CACHE_CAPACITY: usize = 256;

/// Legal moves that look good, the best first.
pub type RankedList = Arc<Vec<String>>;

/// What was found at each table lately, and after how many turns.
type RankingCache = Arc<Cache<TableId, (usize, RankedList)>>;

/// Finds what looks best, for one table at a time: however many people type, no more than one thread
/// beside the pool thinks, for some milliseconds a turn.
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
    /// The moves that look best at a table now, up to about 25; none if that takes too long just now.
    pub async fn of(&self, tasks: &Tasks, table: &Table) -> RankedList {
        let (id, ply) = (table.id(), table.ply());
        if let Some(best) = self.known(id, ply) {
            return best;
        }
        let Some(play) = table.play().map(Play::clone_play) else { return RankedList::default() };
        let found = tokio::time::timeout(RANKING_TIMEOUT, self.find(tasks, id, ply, play)).await;
        found.ok().flatten().unwrap_or_default()
    }

    /// Waits until nobody else is looked after, and looks unless somebody has meanwhile.
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
