//! Positions and games that people ask about: looked at by the program behind all the turns that it owes.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::sync::Semaphore;

use crate::review::{Course, Review};
use crate::thinking_limits::BudgetOwner;
use crate::{Table, TableId};
use rookery_core::Play;
use rookery_core::player::{HaltOnDrop, Level, Limits, SearchRequest, SearchResult};

use super::TableRegistry;

/// Positions that are looked at for people at the same time, at most.
const CONCURRENT_ANALYSES: usize = 4;
/// How long somebody waits for one, waiting for its turn included.
const ANALYSIS_TIMEOUT: Duration = Duration::from_secs(20);
/// Positions looked at for a whole game, and for each of its turns at least and at most. No bound in
/// time beside them, so that a game gets the same review again.
const REVIEW_NODES: u64 = 1_000_000;
const TURN_NODES: (u64, u64) = (500, 20_000);
/// How long somebody waits for a whole game.
const REVIEW_TIMEOUT: Duration = Duration::from_secs(60);
/// Reviews remembered at most.
const MAX_CACHED_REVIEWS: usize = 64;

/// Who has something studied now, and the reviews that were asked for lately.
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
    /// Whether the review of a game is remembered, so that it costs nothing to have it again.
    pub fn is_reviewed(&self, id: TableId) -> bool {
        self.analyses.reviews.contains_key(&id)
    }

    /// What the program thinks of a position of somebody's within some limits; give some. `None` if the game
    /// is over there, others kept the program busy for too long, or this owner has.
    pub async fn analyse(
        &self,
        owner: BudgetOwner,
        play: &dyn Play,
        limits: Limits,
    ) -> Option<SearchResult<String>> {
        let ask = SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) };
        // Also when the asker stops waiting: a review has a time limit of its own.
        let _until_we_leave = HaltOnDrop(ask.halt.clone());
        tokio::time::timeout(ANALYSIS_TIMEOUT, self.analyse_when_free(owner, play, ask)).await.ok().flatten()
    }

    /// The program's evaluation of a finished game, turn by turn; one game at a time for each owner. `None`
    /// if the program was
    /// busy for too long, or nothing was played.
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
        // Every position of a long game is made, and counted at the end.
        let course = self.tasks.compute("review", move || Arc::new(Course::of(play.as_ref()))).await.ok()?;
        let thoughts = self.thoughts(owner, &course, each).await?;
        let review = move || Arc::new(Review::of(&course, &thoughts));
        let review = self.tasks.compute("review", review).await.ok()?;
        self.analyses.reviews.insert(table.id(), review.clone());
        Some(review)
    }

    /// What the program thinks of each position of a game; `None` if it was kept busy for too long.
    async fn thoughts(
        &self,
        owner: BudgetOwner,
        course: &Course,
        nodes: u64,
    ) -> Option<Vec<Option<SearchResult<String>>>> {
        let mut thoughts = Vec::new();
        for position in course.positions() {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            thoughts.push(match position {
                Some(position) => Some(self.analyse(owner, position, limits).await?),
                None => None,
            });
        }
        Some(thoughts)
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
