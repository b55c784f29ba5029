//! Analyses of positions and games for people, behind all turns that the bot owes.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

use crate::review::{ReplayedGame, Review};
use crate::thinking_limits::BudgetOwner;
use crate::{Table, TableId};
use rookery_core::player::{HaltOnDrop, Level, Limits, SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};

use super::TableRegistry;

/// The most positions analysed for people at the same time.
const CONCURRENT_ANALYSES: usize = 4;
/// The timeout of an analysis, including the wait in the queue.
const ANALYSIS_TIMEOUT: Duration = Duration::from_secs(20);
/// The most lines of a position's analysis, and the limits of the search for them.
const MAX_LINES: usize = 3;
const LINES_NODES: u64 = 200_000;
const LINES_TIME: Duration = Duration::from_secs(3);
/// The nodes of a whole game's review, and the least and most nodes for each of its turns. There is no time limit, so
/// that a game always gets the same review.
const REVIEW_NODES: u64 = 1_000_000;
const TURN_NODES: (u64, u64) = (500, 20_000);
/// The timeout of the review of a whole game.
const REVIEW_TIMEOUT: Duration = Duration::from_secs(60);
/// The most reviews in the cache.
const MAX_CACHED_REVIEWS: usize = 64;

/// Permits for analyses, and the latest reviews.
pub(super) struct Analyses {
    positions: Semaphore,
    games: Semaphore,
    reviews: Cache<TableId, Arc<Review>>,
}

impl Default for Analyses {
    fn default() -> Analyses {
        Analyses {
            positions: Semaphore::new(CONCURRENT_ANALYSES),
            games: Semaphore::new(1),
            reviews: Cache::new(MAX_CACHED_REVIEWS),
        }
    }
}

impl TableRegistry {
    /// Whether the review of a game is cached, so that it costs nothing.
    pub fn is_reviewed(&self, id: TableId) -> bool {
        self.analyses.reviews.contains_key(&id)
    }

    /// Analyses a position within some limits, which must bound the search. `None` if the game is over there, or the
    /// analysis timed out or exceeds the owner's budget.
    pub async fn analyse(
        &self,
        owner: BudgetOwner,
        play: &dyn Play,
        limits: Limits,
    ) -> Option<SearchResult<String>> {
        let ask = SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) };
        // Also if the requester stops waiting: a review has its own timeout.
        let _halt_on_return = HaltOnDrop(ask.halt.clone());
        tokio::time::timeout(ANALYSIS_TIMEOUT, self.analyse_when_free(owner, play, ask)).await.ok().flatten()
    }

    /// Returns the best few lines at a position, best first. `None` if the game is over there or the analysis timed out.
    pub async fn best_lines(&self, play: &dyn Play) -> Option<Analysis> {
        let limits = Limits { nodes: Some(LINES_NODES), time: Some(LINES_TIME), ..Limits::default() };
        let ask = SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) };
        let _halt_on_return = HaltOnDrop(ask.halt.clone());
        let play = play.clone_play();
        let search = async {
            let _turn = self.analyses.positions.acquire().await.ok()?;
            self.tasks.compute("analysis", move || play.analyse(&ask, MAX_LINES)).await.ok().flatten()
        };
        tokio::time::timeout(ANALYSIS_TIMEOUT, search).await.ok().flatten()
    }

    /// Returns the bot's evaluation of a finished game, ply by ply; one game at a time for each owner. `None` if it
    /// timed out, or nothing was played.
    pub async fn review(&self, owner: BudgetOwner, table: &Table) -> Option<Arc<Review>> {
        tokio::time::timeout(REVIEW_TIMEOUT, self.review_when_free(owner, table)).await.ok().flatten()
    }

    async fn review_when_free(&self, owner: BudgetOwner, table: &Table) -> Option<Arc<Review>> {
        let _alone = self.analyses.games.acquire().await.ok()?;
        if let Some(known) = self.analyses.reviews.get(&table.id()) {
            return Some(known);
        }
        let play = table.play().filter(|play| play.ply() > 0)?;
        let each = (REVIEW_NODES / (play.ply() as u64 + 1)).clamp(TURN_NODES.0, TURN_NODES.1);
        let play = play.clone_play();
        // Replaying a long game and counting its end takes long.
        let replayed =
            self.tasks.compute("review", move || Arc::new(ReplayedGame::of(play.as_ref()))).await.ok()?;
        let evaluations = self.evaluations(owner, &replayed, each).await?;
        let review = move || Arc::new(Review::of(&replayed, &evaluations));
        let review = self.tasks.compute("review", review).await.ok()?;
        self.analyses.reviews.insert(table.id(), review.clone());
        Some(review)
    }

    /// Returns the bot's evaluation of each position of a game; `None` if it timed out.
    async fn evaluations(
        &self,
        owner: BudgetOwner,
        replayed: &ReplayedGame,
        nodes: u64,
    ) -> Option<Vec<Option<SearchResult<String>>>> {
        let mut evaluations = Vec::new();
        for position in replayed.positions() {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            evaluations.push(match position {
                Some(position) => Some(self.analyse(owner, position, limits).await?),
                None => None,
            });
        }
        Some(evaluations)
    }

    async fn analyse_when_free(
        &self,
        owner: BudgetOwner,
        play: &dyn Play,
        ask: SearchRequest,
    ) -> Option<SearchResult<String>> {
        let _turn = self.analyses.positions.acquire().await.ok()?;
        self.thinker.analyse(owner, play.clone_play(), ask).await.ok().flatten()
    }
}
