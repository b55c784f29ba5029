//! The bot's player: seeded moves after a seeded while. It searches next to nothing, so that no move depends on how fast
//! the machine is.

use std::sync::Arc;
use std::time::Duration;

use rookery_core::player::{Limits, SearchRequest, SearchResult};
use rookery_core::seed::{SeededRng, mix};
use rookery_core::{Analysis, Play};
use rookery_table::TableId;
use rookery_table::ports::{Answer, Job, Thinker, answered};
use rookery_table::thinking_limits::BudgetOwner;
use tokio::sync::oneshot;

use crate::world::World;

/// The longest time that a move takes.
const MAX_THINKING_MS: u64 = 3_000;

/// A player whose moves follow from the seeds of its jobs.
pub(crate) struct SeededThinker(pub(crate) Arc<World>);

impl Thinker for SeededThinker {
    fn think(&self, job: Job, _: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        let mut rng = SeededRng::new(mix(job.seed ^ job.ply as u64));
        let chosen = rng.pick(&play.moves()).cloned();
        let pause = Duration::from_millis(rng.below(MAX_THINKING_MS));
        self.0.note(|| format!("thinks at {} about ply {}", job.table, job.ply));
        let (tell, told) = oneshot::channel();
        drop(tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            let _gone = tell.send(chosen);
        }));
        told
    }

    fn analyse(
        &self,
        _: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>> {
        answered(play.think(&quick(ask)))
    }

    fn best_lines(
        &self,
        _: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis> {
        answered(play.analyse(&quick(ask), most))
    }

    fn drop_table(&self, _: TableId) {}
}

fn quick(ask: SearchRequest) -> SearchRequest {
    SearchRequest { limits: Limits { nodes: Some(50), ..Limits::default() }, ..ask }
}
