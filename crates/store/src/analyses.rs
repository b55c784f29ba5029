//! Analyses of games in the SQLite file, as notes: they can be computed again at any time.

use async_trait::async_trait;

use super::sqlite::Sqlite;
use super::sqlite::errors::store_error;
use rookery_table::TableId;
use rookery_table::ports::{AnalysisStore, Journal, StoreError, analysis_note};

/// Stores an analysis under a key, unless its table was deleted meanwhile.
pub(super) const STORE: &str =
    "INSERT OR REPLACE INTO notes SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM cards WHERE table_id = ?3)";

/// Deletes the analysis of a table, whose key [`analysis_note`] returns.
pub(super) const ERASE: &str = "DELETE FROM notes WHERE key = 'analysis-' || ?";

#[async_trait]
impl AnalysisStore for Sqlite {
    async fn analysis(&self, table: TableId) -> Result<Option<String>, StoreError> {
        self.note(&analysis_note(table)).await
    }

    async fn store_analysis(&self, table: TableId, analysis: &str) -> Result<(), StoreError> {
        let key = analysis_note(table);
        let row = sqlx::query(STORE).bind(key.clone()).bind(analysis.to_owned());
        let row = row.bind(table.as_str().to_owned());
        row.execute(self.writer()).await.map_err(store_error)?;
        self.unreadable_rows().repaired("note", key);
        Ok(())
    }
}
