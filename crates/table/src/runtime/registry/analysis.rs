//! Analyses of positions and games for people, behind all turns that the bot owes. Those of finished games are stored.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use tokio::sync::{Mutex, Semaphore};

use crate::review::{ReplayedGame, Review};
use crate::saved_analysis::{AnalysisVersion, BestLine, BestLines, KnownAnalysis, SavedAnalysis, Wanted};
use crate::thinking_limits::BudgetOwner;
use crate::{Status, Table, TableId};
use rookery_core::Play;
use rookery_core::player::{HaltOnDrop, Level, Limits, SearchRequest, SearchResult};
use rookery_search::ENGINE_VERSION;

use super::TableRegistry;

/// The most positions analysed for people at the same time.
const CONCURRENT_ANALYSES: usize = 4;
/// The timeout of an analysis, including the wait in the queue.
pub(super) const ANALYSIS_TIMEOUT: Duration = Duration::from_secs(20);
/// The most lines of a position's analysis, and the limits of the search for them.
const MAX_LINES: usize = 3;
const LINES_NODES: u64 = 200_000;
const LINES_TIME: Duration = Duration::from_secs(3);
/// The nodes of a whole game's review, and the least and most nodes for each of its turns. There is no time limit, so
/// that a game always gets the same review.
const REVIEW_NODES: u64 = 1_000_000;
const TURN_NODES: (u64, u64) = (500, 20_000);
/// The timeout of the review of a whole game.
pub(super) const REVIEW_TIMEOUT: Duration = Duration::from_secs(60);
/// The most reviews in the cache, and the most positions with their best lines.
const MAX_CACHED_REVIEWS: usize = 64;
const MAX_CACHED_LINES: usize = 256;
/// The most positions beside games in the cache, with their best lines.
const MAX_CACHED_VARIATIONS: usize = 256;
/// The most positions in the cache with the move that was found for a hint.
const MAX_CACHED_MOVES: usize = 256;

/// Permits for analyses, and the latest results.
pub(super) struct Analyses {
    positions: Semaphore,
    games: Semaphore,
    reviews: Cache<TableId, Arc<Review>>,
    /// By table and ply. Who asks for a position that is being searched waits for that search.
    lines: Cache<(TableId, usize), BestLines>,
    /// By game and position, for those that no game of a table reached. They aren't stored: each person tries other moves.
    variations: Cache<String, BestLines>,
    /// By game and position: an answer that was lost on its way is not searched for again.
    pub(super) moves: Cache<String, Arc<SearchResult<String>>>,
    /// Held while a result is added to a stored analysis.
    saving: Mutex<()>,
}

impl Default for Analyses {
    fn default() -> Analyses {
        Analyses {
            positions: Semaphore::new(CONCURRENT_ANALYSES),
            games: Semaphore::new(1),
            reviews: Cache::new(MAX_CACHED_REVIEWS),
            lines: Cache::new(MAX_CACHED_LINES),
            variations: Cache::new(MAX_CACHED_VARIATIONS),
            moves: Cache::new(MAX_CACHED_MOVES),
            saving: Mutex::default(),
        }
    }
}

impl TableRegistry {
    /// Returns what is known of a ply of a finished game without a search.
    pub async fn known_analysis(&self, table: &Table, ply: usize) -> KnownAnalysis {
        let (review, lines) =
            (self.analyses.reviews.get(&table.id()), self.analyses.lines.get(&(table.id(), ply)));
        if review.is_some() && lines.is_some() {
            return KnownAnalysis { review, lines };
        }
        let saved = self.saved_analysis(table).await;
        KnownAnalysis {
            review: review.or_else(|| saved.review().cloned().map(Arc::new)),
            lines: lines.or_else(|| saved.lines_at(ply).map(|lines| Arc::new(lines.to_vec()))),
        }
    }

    /// Returns what is stored of a game's analysis.
    async fn saved_analysis(&self, table: &Table) -> SavedAnalysis {
        let stored = self.journal.analyses().analysis(table.id()).await;
        let stored = stored.inspect_err(|error| tracing::warn!(%error, "an analysis could not be read"));
        SavedAnalysis::read(&stored.ok().flatten().unwrap_or_default(), version(), table.ply())
    }

    /// Whether the review of a game is known, so that it costs nothing.
    pub async fn is_reviewed(&self, table: &Table) -> bool {
        self.known_review(table).await.is_some()
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

    /// Returns the best few lines at a ply of a finished game, best first. `None` if the game is over there, or the
    /// analysis timed out or exceeds the owner's budget.
    pub async fn best_lines(&self, owner: BudgetOwner, table: &Table, ply: usize) -> Option<BestLines> {
        let key = (table.id(), ply);
        let find = async { self.find_lines(owner, table, ply).await.ok_or(()) };
        let found = self.analyses.lines.get_or_insert_async(&key, find);
        tokio::time::timeout(ANALYSIS_TIMEOUT, found).await.ok()?.ok()
    }

    async fn find_lines(&self, owner: BudgetOwner, table: &Table, ply: usize) -> Option<BestLines> {
        if let Some(lines) = self.saved_analysis(table).await.lines_at(ply) {
            return Some(Arc::new(lines.to_vec()));
        }
        if self.ask_thinkers(owner, table.id(), ply, Wanted::Lines).await.is_some() {
            let saved = self.saved_analysis(table).await;
            return saved.lines_at(ply).map(|lines| Arc::new(lines.to_vec()));
        }
        self.search_and_save_lines(owner, table, ply).await
    }

    /// Finds the best lines in this process.
    pub(super) async fn search_and_save_lines(
        &self,
        owner: BudgetOwner,
        table: &Table,
        ply: usize,
    ) -> Option<BestLines> {
        let play = table.play()?.clone_play();
        let play = self.tasks.compute("position", move || play.at_ply(ply)).await.ok()?;
        let lines = Arc::new(self.search_lines(owner, play).await?);
        self.save(table, |saved| saved.set_lines(ply, lines.to_vec())).await;
        Some(lines)
    }

    /// Returns the best few lines at a position beside a game, best first: one that a person reached by moves of their own.
    /// `None` if the game is over there, or the analysis timed out or exceeds the owner's budget.
    pub async fn variation_lines(&self, owner: BudgetOwner, play: Box<dyn Play>) -> Option<BestLines> {
        let key = variation_key(play.as_ref());
        let find = async { self.search_lines(owner, play).await.map(Arc::new).ok_or(()) };
        let found = self.analyses.variations.get_or_insert_async(&key, find);
        tokio::time::timeout(ANALYSIS_TIMEOUT, found).await.ok()?.ok()
    }

    /// Whether the best lines at a position beside a game are known, so that they cost nothing.
    pub fn knows_variation(&self, play: &dyn Play) -> bool {
        self.analyses.variations.get(&variation_key(play)).is_some()
    }

    async fn search_lines(&self, owner: BudgetOwner, play: Box<dyn Play>) -> Option<Vec<BestLine>> {
        let limits = Limits { nodes: Some(LINES_NODES), time: Some(LINES_TIME), ..Limits::default() };
        let ask = SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) };
        let _halt_on_return = HaltOnDrop(ask.halt.clone());
        let _turn = self.analyses.positions.acquire().await.ok()?;
        let analysis = self.thinker.best_lines(owner, play, ask, MAX_LINES).await.ok().flatten()?;
        Some(analysis.lines.into_iter().map(BestLine::from).collect())
    }

    /// Adds to the stored analysis of a finished game. What cannot be stored is computed again after a restart.
    async fn save(&self, table: &Table, add: impl FnOnce(&mut SavedAnalysis)) {
        if !matches!(table.status(), Status::Over(_)) {
            return;
        }
        let _alone = self.analyses.saving.lock().await;
        let mut saved = self.saved_analysis(table).await;
        add(&mut saved);
        let Some(text) = saved.text() else { return };
        if let Err(error) = self.journal.analyses().store_analysis(table.id(), &text).await {
            tracing::warn!(%error, "an analysis could not be stored");
        }
    }

    /// Returns the bot's evaluation of a finished game, ply by ply; one game at a time. `None` if it timed out, or
    /// nothing was played.
    pub async fn review(&self, owner: BudgetOwner, table: &Table) -> Option<Arc<Review>> {
        if let Some(known) = self.known_review(table).await {
            return Some(known);
        }
        tokio::time::timeout(REVIEW_TIMEOUT, self.review_anywhere(owner, table)).await.ok().flatten()
    }

    async fn review_anywhere(&self, owner: BudgetOwner, table: &Table) -> Option<Arc<Review>> {
        if self.ask_thinkers(owner, table.id(), table.ply(), Wanted::Review).await.is_some() {
            return self.known_review(table).await;
        }
        self.make_review(owner, table).await
    }

    /// Returns the cached or stored review of a game.
    async fn known_review(&self, table: &Table) -> Option<Arc<Review>> {
        if let Some(known) = self.analyses.reviews.get(&table.id()) {
            return Some(known);
        }
        let review = Arc::new(self.saved_analysis(table).await.review()?.clone());
        self.analyses.reviews.insert(table.id(), review.clone());
        Some(review)
    }

    /// Makes the review in this process, one game at a time.
    pub(super) async fn make_review(&self, owner: BudgetOwner, table: &Table) -> Option<Arc<Review>> {
        let _alone = self.analyses.games.acquire().await.ok()?;
        if let Some(known) = self.known_review(table).await {
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
        self.save(table, |saved| saved.set_review(review.as_ref().clone())).await;
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

pub(super) fn variation_key(play: &dyn Play) -> String {
    format!("{} {}", play.info().key, play.line())
}

/// What the analyses of this version are made with.
fn version() -> AnalysisVersion {
    AnalysisVersion {
        engine: ENGINE_VERSION.to_owned(),
        review_nodes: REVIEW_NODES,
        lines_nodes: LINES_NODES,
    }
}
