//! Pages of lists in the embedded file.

use sqlx::Sqlite as Driver;
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};

use super::Sqlite;
use super::errors::store_error;
use crate::pages::{lowest_id, page_limit, page_of};
use crate::rows::{name, read_card, unsigned};
use rookery_table::TableId;
use rookery_table::ports::{Card, Filter, Page, PageRequest, StoreError};

impl Sqlite {
    /// Returns a page of ids: `sql` has the lowest one and the limit as its last parameters.
    pub(super) async fn ids<T: From<u64> + Into<u64>>(
        &self,
        sql: Query<'_, Driver, SqliteArguments>,
        page: PageRequest<T>,
    ) -> Result<Page<T, T>, StoreError> {
        let Some(lowest) = lowest_id(page.after) else { return Ok(Page::end()) };
        let rows = sql.bind(lowest).bind(page_limit(page.limit)).fetch_all(&self.readers).await;
        let key = |row: &SqliteRow| unsigned(row, 0);
        page_of(&rows.map_err(store_error)?, page.limit, key, |row| unsigned(row, 0).ok())
    }

    /// Returns the rows of a page by table: `sql` has the last table and the limit as its last parameters.
    pub(crate) async fn by_table(
        &self,
        sql: Query<'_, Driver, SqliteArguments>,
        page: PageRequest<TableId>,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        let after = page.after.map_or(String::new(), |table| table.as_str().to_owned());
        let rows = sql.bind(after).bind(page_limit(page.limit)).fetch_all(&self.readers).await;
        rows.map_err(store_error)
    }

    /// Reads a card. For a person it fits only if they have not left the table.
    pub(super) fn fitting_card(&self, filter: &Filter, row: &SqliteRow) -> Option<Card> {
        let card = self.unreadable.skip("card", name(row, 1), read_card(row))?;
        filter.person.is_none_or(|who| card.has(who)).then_some(card)
    }
}
