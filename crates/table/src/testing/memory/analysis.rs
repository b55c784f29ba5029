//! Analyses of games in memory.

use async_trait::async_trait;

use super::MemoryJournal;
use crate::TableId;
use crate::ports::{AnalysisStore, StoreError, analysis_note};

#[async_trait]
impl AnalysisStore for MemoryJournal {
    async fn analysis(&self, table: TableId) -> Result<Option<String>, StoreError> {
        Ok(self.kept().notes.get(&analysis_note(table)).cloned())
    }

    async fn store_analysis(&self, table: TableId, analysis: &str) -> Result<(), StoreError> {
        let mut kept = self.kept();
        if kept.cards.contains_key(&table) {
            kept.notes.insert(analysis_note(table), analysis.to_owned());
        }
        Ok(())
    }
}
