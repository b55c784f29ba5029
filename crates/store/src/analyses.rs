//! Analyses of games in the SQLite file, as notes: they can be computed again at any time.

use async_trait::async_trait;

use super::sqlite::Sqlite;
use super::sqlite::errors::store_error;
use rookery_table::TableId;
use rookery_table::ports::{AnalysisStore, Journal, StoreError, analysis_note};

/// The key of the note of an analysis: this and the table's name, as [`analysis_note`] returns it.
macro_rules! note {
    () => {
        "analysis-"
    };
}

/// Stores an analysis, unless the table was deleted meanwhile.
pub(super) const STORE: &str = concat!(
    "INSERT OR REPLACE INTO notes SELECT '",
    note!(),
    "' || ?1, ?2 WHERE EXISTS (SELECT 1 FROM cards WHERE table_id = ?1)"
);

/// Deletes the analysis of a table.
pub(super) const ERASE: &str = concat!("DELETE FROM notes WHERE key = '", note!(), "' || ?");

#[async_trait]
impl AnalysisStore for Sqlite {
    async fn analysis(&self, table: TableId) -> Result<Option<String>, StoreError> {
        self.note(&analysis_note(table)).await
    }

    async fn store_analysis(&self, table: TableId, analysis: &str) -> Result<(), StoreError> {
        let row = sqlx::query(STORE).bind(table.as_str().to_owned()).bind(analysis.to_owned());
        row.execute(self.writer()).await.map_err(store_error)?;
        self.unreadable_rows().repaired("note", analysis_note(table));
        Ok(())
    }
}
