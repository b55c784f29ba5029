//! Analyses of finished games in the store.

use async_trait::async_trait;

use super::StoreError;
use crate::TableId;

/// Stores the analysis of each game, as the text that [`crate::saved_analysis`] makes. It is deleted with its table.
#[async_trait]
pub trait AnalysisStore: Send + Sync {
    /// Returns the stored analysis of a table's game.
    async fn analysis(&self, table: TableId) -> Result<Option<String>, StoreError>;
    /// Stores the analysis of a table's game in place of an earlier one. Stores nothing if there is no such table,
    /// which may have been deleted during the analysis.
    async fn store_analysis(&self, table: TableId, analysis: &str) -> Result<(), StoreError>;
}

/// Returns the key of the note that stores a table's analysis.
pub fn analysis_note(table: TableId) -> String {
    format!("analysis-{table}")
}
