//! Searches for proofs: off the async threads, few at a time, after a move that may have decided the game. The table
//! drops a proof that comes too late.

use futures_util::TryStreamExt;

use crate::model::{Actor, Event, Order, Proof};
use crate::ports::{Batch, walk_pages};
use crate::state::COUNT_BUDGET_NODES;
use crate::{Table, TableId};

use super::TableRegistry;

/// The most searches for a proof at the same time; the other threads stay free for drawing and moves.
pub(super) const CONCURRENT_PROOFS: usize = 1;

impl TableRegistry {
    /// Starts a search for a proof after a move that may have decided the game.
    pub(super) fn prove_if_decided(&self, table: &Table, batch: &Batch) {
        let moved = batch.entries.iter().any(|entry| matches!(entry.event, Event::Moved { .. }));
        let Some(registry) = self.me.upgrade().filter(|_| moved && table.wants_proof()) else { return };
        let (id, ply) = (table.id(), table.ply());
        drop(self.tasks.spawn("proof", async move { registry.prove(id, ply).await }));
    }

    /// Restarts the searches for proofs that a restart interrupted.
    pub(super) fn resume_proofs(&self) {
        let Some(registry) = self.me.upgrade() else { return };
        let work = async move {
            let mut owing = walk_pages(|page| registry.journal().owing_proof(page));
            loop {
                match owing.try_next().await {
                    Ok(Some((id, ply))) => registry.prove(id, ply).await,
                    Ok(None) => return,
                    Err(error) => return tracing::warn!(%error, "the next start looks for owed proofs again"),
                }
            }
        };
        drop(self.tasks.spawn("proof", work));
    }

    pub(super) async fn prove(&self, id: TableId, ply: usize) {
        let Ok(_turn) = self.proof_permits.acquire().await else { return };
        let Ok(table) = self.table(id).await else { return };
        // A later move has started its own search.
        let Some(play) = table.play().filter(|_| table.ply() == ply && table.wants_proof()) else { return };
        if self.would_reveal_rated_game(&table, play).await {
            return tracing::info!(table = %id, ply, "no proof is looked for: a rated game stands there too");
        }
        let play = play.clone_play();
        let search = move || play.settle(COUNT_BUDGET_NODES).map(|found| Proof::of(play.as_ref(), found));
        let Ok(found) = self.tasks.blocking("proof search", search).await else { return };
        if let Some(proof) = found
            && let Err(error) = self.order(id, Actor::System, Order::Settled(Box::new(proof)), None).await
        {
            tracing::info!(table = %id, %error, "a proof came to nothing");
        }
    }
}
