//! Analyses of games in the database, as notes: they can be computed again at any time.

use async_trait::async_trait;
use sqlx::query;

use super::{Postgres, nul};
use rookery_table::TableId;
use rookery_table::ports::{AnalysisStore, Journal, StoreError, analysis_note};

/// Stores an analysis under a key, unless its table was deleted meanwhile.
pub(super) const STORE: &str = "INSERT INTO notes (key, value) \
     SELECT $1::text, $2::text WHERE EXISTS (SELECT 1 FROM cards WHERE table_id = $3) \
     ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/// Deletes the analysis of a table, whose key [`analysis_note`] returns.
pub(super) const ERASE: &str = "DELETE FROM notes WHERE key = 'analysis-' || $1";

#[async_trait]
impl AnalysisStore for Postgres {
    async fn analysis(&self, table: TableId) -> Result<Option<String>, StoreError> {
        self.note(&analysis_note(table)).await
    }

    async fn store_analysis(&self, table: TableId, analysis: &str) -> Result<(), StoreError> {
        let key = analysis_note(table);
        // A deletion of the table is over then, or comes afterwards and deletes the analysis too.
        let mut transaction = self.connections.begin_at(table).await?;
        let row = query(STORE).bind(key.clone()).bind(nul::encode(analysis));
        transaction.write(row.bind(table.as_str().to_owned())).await?;
        transaction.commit().await?;
        self.unreadable.repaired("note", key);
        Ok(())
    }
}
