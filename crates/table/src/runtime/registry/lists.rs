//! Lists of tables, read from the journal in pages.

use futures_util::stream::{BoxStream, StreamExt, TryStreamExt};

use super::TableRegistry;
use crate::model::TableError;
use crate::ports::{Card, Filter, PAGE_ROWS, StoreError, walk_pages, walk_pages_of};

/// The tables of a list, one after another. One page of them is in memory; after an error there are no more.
pub type Cards<'a> = BoxStream<'a, Result<Card, TableError>>;

impl TableRegistry {
    /// Returns at most `most` tables that match a filter, those with the latest event first.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn list(&self, filter: &Filter, most: usize) -> Result<Vec<Card>, TableError> {
        let fetch = |page| self.journal.list(filter, page);
        walk_pages_of(most.min(PAGE_ROWS), fetch).take(most).map_err(unread).try_collect().await
    }

    /// Walks through the tables that match a filter, those with the latest event first. A table with an event during the
    /// walk may be left out: [`TableRegistry::scan`] leaves none out.
    pub fn latest<'a>(&'a self, filter: &'a Filter) -> Cards<'a> {
        walk_pages(|page| self.journal.list(filter, page)).map_err(unread).boxed()
    }

    /// Walks through all tables that match a filter, by name. Each that matches from the beginning to the end is met
    /// exactly once, whatever happens there meanwhile.
    pub fn scan<'a>(&'a self, filter: &'a Filter) -> Cards<'a> {
        walk_pages(|page| self.journal.scan(filter, page)).map_err(unread).boxed()
    }
}

fn unread(error: StoreError) -> TableError {
    TableError::Store(error.to_string())
}
