//! The best moves first, for completion: found at a glance, kept for the turn.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::kit::Play;
use crate::kit::player::{Ask, Level};
use crate::table::{Table, TableId};

/// Positions looked at in a glance.
const GLANCE_NODES: u64 = 2_000;
/// How long a completion waits for a glance; the next letter typed finds it done.
const PATIENCE: Duration = Duration::from_millis(1_200);
/// Tables remembered at most.
const REMEMBERED: usize = 256;

/// Legal moves that look good, the best first.
pub type Best = Arc<Vec<String>>;

/// What was found at each table lately, and after how many turns.
#[derive(Clone, Default)]
pub struct Ranked(Arc<Mutex<HashMap<TableId, (usize, Best)>>>);

impl Ranked {
    /// The moves that look best at a table now, up to about 25; none if that takes too long just now.
    pub async fn of(&self, table: &Table) -> Best {
        let (id, ply) = (table.id(), table.ply());
        if let Some((_, best)) = self.kept().get(&id).filter(|(at, _)| *at == ply) {
            return best.clone();
        }
        let Some(play) = table.play().map(Play::clone_play) else { return Best::default() };
        let kept = self.0.clone();
        let glance = tokio::task::spawn_blocking(move || {
            let best = Arc::new(glance(play.as_ref()));
            keep(&kept, id, ply, best.clone());
            best
        });
        let found = tokio::time::timeout(PATIENCE, glance).await;
        found.ok().and_then(Result::ok).unwrap_or_default()
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<TableId, (usize, Best)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(kept: &Mutex<HashMap<TableId, (usize, Best)>>, id: TableId, ply: usize, best: Best) {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= REMEMBERED {
        kept.clear();
    }
    kept.insert(id, (ply, best));
}

fn glance(play: &dyn Play) -> Vec<String> {
    let mut ask = Ask::new(Level::Hard, 0);
    ask.limits.nodes = Some(GLANCE_NODES);
    let Some(thought) = play.think(&ask) else { return Vec::new() };
    std::iter::once(thought.best).chain(thought.others.into_iter().map(|(text, _)| text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::kit::rules::Setup;

    #[test]
    fn a_glance_finds_several_legal_moves_in_every_game() {
        for game in games::ALL {
            let play = game.start(&Setup::new(game.about().fewest()).seeded(3)).unwrap();
            let (best, legal) = (glance(play.as_ref()), play.moves());
            assert!(best.len() > 5, "{}: {best:?}", game.about().key);
            assert!(best.iter().all(|text| legal.contains(text)), "{}: {best:?}", game.about().key);
        }
    }
}
