//! Preferences of people and servers in the database.

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use sqlx::postgres::PgRow;
use sqlx::query;

use super::Postgres;
use crate::rows::{PERSON, SERVER, StoredRow, json, preferences_name as name, to_i64};
use rookery_table::ports::{Page, PageRequest, Preferences, StoreError};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences};
use rookery_table::{GuildId, UserId};

/// The people with a vacation or weekly rest days.
pub(super) const RESTING: &str = "SELECT id FROM preferences WHERE kind = 0 AND rests \
     AND id >= $1 ORDER BY id LIMIT $2";
/// The servers with a lobby channel.
pub(super) const WITH_LOBBY: &str = "SELECT id FROM preferences WHERE kind = 1 AND lobby \
     AND id >= $1 ORDER BY id LIMIT $2";
/// The preferences of a person or a server.
pub(super) const CHOSEN: &str = "SELECT chosen FROM preferences WHERE kind = $1 AND id = $2";

const STORE: &str = "INSERT INTO preferences (kind, id, chosen, rests, lobby) VALUES ($1, $2, $3, $4, $5) \
     ON CONFLICT (kind, id) DO UPDATE SET chosen = excluded.chosen, rests = excluded.rests, \
     lobby = excluded.lobby";

#[async_trait]
impl Preferences for Postgres {
    async fn personal(&self, who: UserId) -> Result<Option<PersonalPreferences>, StoreError> {
        self.chosen(PERSON, who.0).await
    }

    async fn store_personal(&self, who: UserId, personal: &PersonalPreferences) -> Result<(), StoreError> {
        let rests = personal.vacation.is_some() || personal.weekly.is_some() || personal.clock_week.is_some();
        self.store_chosen((PERSON, who.0), json(personal), (rests, false)).await
    }

    async fn delete_preferences(&self, who: UserId) -> Result<(), StoreError> {
        let row = query("DELETE FROM preferences WHERE kind = $1 AND id = $2").bind(PERSON);
        self.connections.write(row.bind(to_i64(who.0))).await?;
        Ok(())
    }

    async fn server(&self, guild: GuildId) -> Result<Option<ServerPreferences>, StoreError> {
        self.chosen(SERVER, guild.0).await
    }

    async fn store_server(&self, guild: GuildId, server: &ServerPreferences) -> Result<(), StoreError> {
        self.store_chosen((SERVER, guild.0), json(server), (false, server.lobby.is_some())).await
    }

    async fn resting(&self, page: PageRequest<UserId>) -> Result<Page<UserId, UserId>, StoreError> {
        self.ids(query(RESTING), page).await
    }

    async fn servers_with_lobby(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        self.ids(query(WITH_LOBBY), page).await
    }
}

impl Postgres {
    async fn chosen<T: DeserializeOwned>(&self, kind: i64, id: u64) -> Result<Option<T>, StoreError> {
        let found = self.connections.row(query(CHOSEN).bind(kind).bind(to_i64(id))).await?;
        let read = |row: PgRow| {
            let json = row.text(0).map_err(|error| error.to_string())?;
            serde_json::from_str(json).map_err(|error| error.to_string())
        };
        found.map(read).transpose().map_err(|why| {
            let what = name(kind, id);
            self.unreadable.report("preferences", &what, &why);
            StoreError::UnreadableRow { what, why }
        })
    }

    async fn store_chosen(
        &self,
        (kind, id): (i64, u64),
        chosen: String,
        (rests, lobby): (bool, bool),
    ) -> Result<(), StoreError> {
        let row = query(STORE).bind(kind).bind(to_i64(id)).bind(chosen).bind(rests).bind(lobby);
        self.connections.write(row).await?;
        self.unreadable.repaired("preferences", name(kind, id));
        Ok(())
    }
}
