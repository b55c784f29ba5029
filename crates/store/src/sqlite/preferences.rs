//! Preferences of people and servers in the embedded file.

use crate::sqlite::errors::store_error;
use async_trait::async_trait;
use serde::de::DeserializeOwned;
use sqlx::sqlite::SqliteRow;

use super::Sqlite;
use super::rows::column;
use crate::rows::{PERSON, SERVER, json, preferences_name as name, to_i64};
use rookery_table::ports::{Page, PageRequest, Preferences, StoreError};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences};
use rookery_table::{GuildId, UserId};

/// The SQL of a value in stored preferences, NULL if they are malformed. The indexes of schemas 17 and 18 use the same
/// expression.
macro_rules! in_chosen {
    ($key:literal) => {
        concat!("CASE WHEN json_valid(chosen) THEN chosen ->> '$.", $key, "' END")
    };
}

/// The servers with a lobby channel, read from a partial index.
pub(super) const WITH_LOBBY: &str = concat!(
    "SELECT id FROM preferences INDEXED BY preferences_lobby WHERE kind = 1 AND ",
    in_chosen!("lobby"),
    " IS NOT NULL AND id >= ?1 ORDER BY id LIMIT ?2"
);

/// The people with a vacation or weekly rest days, read from a partial index.
pub(super) const RESTING: &str = concat!(
    "SELECT id FROM preferences INDEXED BY preferences_resting WHERE kind = 0 AND (",
    in_chosen!("vacation"),
    " IS NOT NULL OR ",
    in_chosen!("weekly"),
    " IS NOT NULL OR ",
    in_chosen!("clock_week"),
    " IS NOT NULL) AND id >= ?1 ORDER BY id LIMIT ?2"
);

#[async_trait]
impl Preferences for Sqlite {
    async fn personal(&self, who: UserId) -> Result<Option<PersonalPreferences>, StoreError> {
        self.chosen(PERSON, who.0).await
    }

    async fn store_personal(&self, who: UserId, personal: &PersonalPreferences) -> Result<(), StoreError> {
        self.keep_chosen(PERSON, who.0, json(personal)).await
    }

    async fn delete_preferences(&self, who: UserId) -> Result<(), StoreError> {
        let sql = "DELETE FROM preferences WHERE kind = ? AND id = ?";
        sqlx::query(sql).bind(PERSON).bind(to_i64(who.0)).execute(&self.writer).await.map_err(store_error)?;
        Ok(())
    }

    async fn server(&self, guild: GuildId) -> Result<Option<ServerPreferences>, StoreError> {
        self.chosen(SERVER, guild.0).await
    }

    async fn store_server(&self, guild: GuildId, server: &ServerPreferences) -> Result<(), StoreError> {
        self.keep_chosen(SERVER, guild.0, json(server)).await
    }

    async fn resting(&self, page: PageRequest<UserId>) -> Result<Page<UserId, UserId>, StoreError> {
        self.ids(sqlx::query(RESTING), page).await
    }

    async fn servers_with_lobby(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        self.ids(sqlx::query(WITH_LOBBY), page).await
    }
}

impl Sqlite {
    async fn chosen<T: DeserializeOwned>(&self, kind: i64, id: u64) -> Result<Option<T>, StoreError> {
        let sql = "SELECT chosen FROM preferences WHERE kind = ? AND id = ?";
        let row = sqlx::query(sql).bind(kind).bind(to_i64(id));
        let found = row.fetch_optional(&self.readers).await.map_err(store_error)?;
        let read = |row: SqliteRow| {
            let json = column(&row, 0).map_err(|error| error.to_string())?;
            serde_json::from_str(json).map_err(|error| error.to_string())
        };
        found.map(read).transpose().map_err(|why| {
            let what = name(kind, id);
            self.unreadable.report("preferences", &what, &why);
            StoreError::UnreadableRow { what, why }
        })
    }

    async fn keep_chosen(&self, kind: i64, id: u64, chosen: String) -> Result<(), StoreError> {
        let sql = "INSERT INTO preferences VALUES (?, ?, ?) \
             ON CONFLICT (kind, id) DO UPDATE SET chosen = excluded.chosen";
        sqlx::query(sql)
            .bind(kind)
            .bind(to_i64(id))
            .bind(chosen)
            .execute(&self.writer)
            .await
            .map_err(store_error)?;
        self.unreadable.repaired("preferences", name(kind, id));
        Ok(())
    }
}
