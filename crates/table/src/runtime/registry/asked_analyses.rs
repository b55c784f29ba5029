//! Analyses that another process makes: with several processes, those with the role of a thinker do them as jobs of the
//! queue, behind all turns that the bot owes. The process that was asked waits for the answer. If no process thinks, it
//! makes the analysis itself.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rookery_core::player::{Limits, SearchResult, Value};
use serde::{Deserialize, Serialize};

use super::TableRegistry;
use super::analysis::variation_key;
use crate::model::TableError;
use crate::saved_analysis::{BestLine, Wanted};
use crate::thinking_limits::BudgetOwner;
use crate::{Table, TableId};

/// How often the process that asked looks for the answer.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// An analysis that somebody waits for, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AnalysisRequest {
    /// The owner of the budget.
    owner: u64,
    table: TableId,
    ply: usize,
    wanted: Wanted,
}

/// A move that was found, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct FoundMove {
    best: String,
    line: BestLine,
    others: Vec<BestLine>,
    depth: u32,
    nodes: u64,
}

impl FoundMove {
    fn of(found: SearchResult<String>) -> FoundMove {
        let other = |(text, value): (String, Value)| BestLine { moves: vec![text], value };
        FoundMove {
            best: found.best,
            line: BestLine { moves: found.line, value: found.value },
            others: found.others.into_iter().map(other).collect(),
            depth: found.depth,
            nodes: found.nodes,
        }
    }

    fn into_result(self) -> SearchResult<String> {
        let other = |line: BestLine| Some((line.moves.into_iter().next()?, line.value));
        SearchResult {
            best: self.best,
            value: self.line.value,
            depth: self.depth,
            nodes: self.nodes,
            line: self.line.moves,
            others: self.others.into_iter().filter_map(other).collect(),
        }
    }
}

/// Withdraws a request when it is dropped, because nobody waits for the answer any more.
struct Withdrawal<'a> {
    registry: &'a TableRegistry,
    id: i64,
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        let (Some(registry), id) = (self.registry.me.upgrade(), self.id) else { return };
        drop(self.registry.tasks.spawn("withdrawal", async move {
            let Some(cluster) = registry.cluster() else { return };
            if let Err(error) = cluster.withdraw(id).await {
                tracing::info!(%error, "a request is thought about though nobody waits for it");
            }
        }));
    }
}

impl TableRegistry {
    /// Finds a move for the player to move at a table, within limits of nodes and time. `None` if the game is over there,
    /// or the search timed out or exceeds the owner's budget. A position whose move was found lately is not searched again.
    pub async fn advise(
        &self,
        owner: BudgetOwner,
        table: &Table,
        limits: (u64, Duration),
    ) -> Option<Arc<SearchResult<String>>> {
        let key = variation_key(table.play()?);
        let find = async { self.find_move(owner, table, limits).await.map(Arc::new).ok_or(()) };
        self.analyses.moves.get_or_insert_async(&key, find).await.ok()
    }

    async fn find_move(
        &self,
        owner: BudgetOwner,
        table: &Table,
        (nodes, time): (u64, Duration),
    ) -> Option<SearchResult<String>> {
        let wanted = Wanted::Move { nodes, time };
        let asked = self.ask_thinkers(owner, table.id(), table.ply(), wanted);
        match tokio::time::timeout(super::analysis::ANALYSIS_TIMEOUT, asked).await {
            Err(_) => None,
            Ok(Some(answer)) => {
                serde_json::from_str::<Option<FoundMove>>(&answer).ok()?.map(FoundMove::into_result)
            }
            Ok(None) => {
                let limits = Limits { nodes: Some(nodes), time: Some(time), ..Limits::default() };
                self.analyse(owner, table.play()?, limits).await
            }
        }
    }

    /// Lets a process that thinks do an analysis, and returns its answer. `None` if there is no such process, or the
    /// store cannot be reached.
    pub(super) async fn ask_thinkers(
        &self,
        owner: BudgetOwner,
        table: TableId,
        ply: usize,
        wanted: Wanted,
    ) -> Option<String> {
        let cluster = self.cluster().filter(|_| self.thinkers() > 0)?;
        let request = AnalysisRequest { owner: owner.id, table, ply, wanted };
        let failed = |error| tracing::warn!(%error, "this process makes an analysis itself");
        let id = cluster.ask(owner.id, &serde_json::to_string(&request).ok()?).await.map_err(failed).ok()?;
        let _withdrawal = Withdrawal { registry: self, id };
        while self.thinkers() > 0 {
            tokio::time::sleep(POLL_INTERVAL).await;
            if let Some(answer) = cluster.take_answer(id).await.map_err(failed).ok()? {
                return Some(answer);
            }
        }
        None
    }

    /// Returns how many processes do jobs of thinking, as far as this one knows.
    fn thinkers(&self) -> usize {
        self.thinkers.load(Ordering::Relaxed)
    }

    /// Answers a request of another process.
    pub(super) async fn answer_request(&self, id: i64) -> Result<(), String> {
        let Some(cluster) = self.cluster() else { return Ok(()) };
        let told = |error: crate::ports::StoreError| error.to_string();
        // It was withdrawn.
        let Some(text) = cluster.request(id).await.map_err(told)? else { return Ok(()) };
        // One of the next version is answered by its own processes.
        let request: AnalysisRequest = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let table = match self.table(request.table).await {
            Ok(table) => table,
            Err(TableError::NoTable(_) | TableError::Unreadable(_)) => {
                return cluster.answer(id, "null").await.map_err(told);
            }
            Err(error) => return Err(error.to_string()),
        };
        let owner = BudgetOwner { id: request.owner, waits: true };
        let answer = self.answer_to(owner, &table, request.ply, request.wanted).await;
        cluster.answer(id, &answer.unwrap_or_else(|| "null".to_owned())).await.map_err(told)
    }

    async fn answer_to(
        &self,
        owner: BudgetOwner,
        table: &Table,
        ply: usize,
        wanted: Wanted,
    ) -> Option<String> {
        match wanted {
            Wanted::Move { nodes, time } => {
                let play = table.play().filter(|play| play.ply() >= ply)?.clone_play();
                let play = self.tasks.compute("position", move || play.at_ply(ply)).await.ok()?;
                let limits = Limits { nodes: Some(nodes), time: Some(time), ..Limits::default() };
                let found = self.analyse(owner, play.as_ref(), limits).await?;
                serde_json::to_string(&FoundMove::of(found)).ok()
            }
            Wanted::Lines => self.search_and_save_lines(owner, table, ply).await.map(|_| "true".to_owned()),
            Wanted::Review => {
                let review = self.make_review(owner, table);
                let made = tokio::time::timeout(super::analysis::REVIEW_TIMEOUT, review).await;
                made.ok().flatten().map(|_| "true".to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_move_survives_its_stored_form() {
        let found = SearchResult {
            best: "a1-a2".to_owned(),
            value: Value::Estimate(-7),
            depth: 5,
            nodes: 900,
            line: vec!["a1-a2".to_owned(), "b3-b4".to_owned()],
            others: vec![("c1-c2".to_owned(), Value::Won(3)), ("c1-c3".to_owned(), Value::Drawn)],
        };
        let text = serde_json::to_string(&Some(FoundMove::of(found.clone()))).unwrap();
        let read: Option<FoundMove> = serde_json::from_str(&text).unwrap();
        assert_eq!(read.map(FoundMove::into_result), Some(found));
        assert_eq!(serde_json::from_str::<Option<FoundMove>>("null").unwrap(), None);
    }
}
