//! Signed-in browsers in the SQLite file.

use crate::sqlite::errors::store_error;
use async_trait::async_trait;
use jiff::Timestamp;

use super::rows::{read_session, read_sign_in, to_i64};
use super::sqlite::Sqlite;
use rookery_table::UserId;
use rookery_table::ports::{StoreError, WebSessions};
use rookery_table::web_session::{MAX_PER_PERSON, SignIn, WebSession, WebToken};

/// Deletes a person's oldest sign-in tokens beyond a number.
pub(super) const TRIM_SIGN_INS: &str = "DELETE FROM sign_ins WHERE digest IN \
     (SELECT digest FROM sign_ins WHERE person = ?1 ORDER BY expires_ms DESC LIMIT -1 OFFSET ?2)";
/// Deletes a person's oldest sessions beyond a number.
pub(super) const TRIM_SESSIONS: &str = "DELETE FROM web_sessions WHERE digest IN \
     (SELECT digest FROM web_sessions WHERE person = ?1 ORDER BY used_ms DESC LIMIT -1 OFFSET ?2)";
/// What a sign-in token is for.
pub(super) const SIGN_IN: &str =
    "SELECT person, table_id, expires_ms FROM sign_ins WHERE digest = ?1 AND expires_ms > ?2";
/// Uses a sign-in token up.
pub(super) const TAKE: &str = "DELETE FROM sign_ins WHERE digest = ?1 AND expires_ms > ?2 \
     RETURNING person, table_id, expires_ms";
/// Uses the newest sign-in token of a person up.
pub(super) const TAKE_NEWEST: &str = "DELETE FROM sign_ins WHERE digest IN \
     (SELECT digest FROM sign_ins WHERE person = ?1 AND expires_ms > ?2 ORDER BY expires_ms DESC LIMIT 1) \
     RETURNING person, table_id, expires_ms";
/// The session of a token.
pub(super) const SESSION: &str = "SELECT person, made_ms, used_ms FROM web_sessions WHERE digest = ?";
/// Stores that a session was used.
pub(super) const TOUCH: &str = "UPDATE web_sessions SET used_ms = max(used_ms, ?2) WHERE digest = ?1";
/// Ends a session.
pub(super) const DELETE_SESSION: &str = "DELETE FROM web_sessions WHERE digest = ?";
/// The sessions of a person.
pub(super) const SESSIONS_OF: &str =
    "SELECT person, made_ms, used_ms FROM web_sessions WHERE person = ? ORDER BY used_ms DESC";
/// Deletes expired sign-in tokens.
pub(super) const PRUNE_SIGN_INS: &str = "DELETE FROM sign_ins WHERE digest IN \
     (SELECT digest FROM sign_ins WHERE expires_ms <= ?1 LIMIT ?2)";
/// Deletes unused sessions.
pub(super) const PRUNE_SESSIONS: &str = "DELETE FROM web_sessions WHERE digest IN \
     (SELECT digest FROM web_sessions WHERE used_ms <= ?1 LIMIT ?2)";

#[async_trait]
impl WebSessions for Sqlite {
    async fn store_sign_in(&self, token: &WebToken, sign_in: &SignIn) -> Result<(), StoreError> {
        let row = sqlx::query("INSERT INTO sign_ins VALUES (?, ?, ?, ?)")
            .bind(token.digest())
            .bind(to_i64(sign_in.person.0))
            .bind(sign_in.table.as_str().to_owned())
            .bind(sign_in.expires_at.as_millisecond());
        let trim = sqlx::query(TRIM_SIGN_INS).bind(to_i64(sign_in.person.0)).bind(MAX_PER_PERSON);
        let mut transaction = self.writer().begin().await?;
        row.execute(&mut *transaction).await.map_err(store_error)?;
        trim.execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await
    }

    async fn sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let row = sqlx::query(SIGN_IN).bind(token.digest()).bind(now.as_millisecond());
        let row = row.fetch_optional(self.readers()).await.map_err(store_error)?;
        row.map(|row| read_sign_in(&row)).transpose()
    }

    async fn take_sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let row = sqlx::query(TAKE).bind(token.digest()).bind(now.as_millisecond());
        let mut transaction = self.writer().begin().await?;
        let row = row.fetch_optional(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await?;
        row.map(|row| read_sign_in(&row)).transpose()
    }

    async fn take_newest_sign_in(
        &self,
        person: UserId,
        after: Timestamp,
    ) -> Result<Option<SignIn>, StoreError> {
        let row = sqlx::query(TAKE_NEWEST).bind(to_i64(person.0)).bind(after.as_millisecond());
        let mut transaction = self.writer().begin().await?;
        let row = row.fetch_optional(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await?;
        row.map(|row| read_sign_in(&row)).transpose()
    }

    async fn store_session(&self, token: &WebToken, session: &WebSession) -> Result<(), StoreError> {
        let row = sqlx::query("INSERT INTO web_sessions VALUES (?, ?, ?, ?)")
            .bind(token.digest())
            .bind(to_i64(session.person.0))
            .bind(session.made_at.as_millisecond())
            .bind(session.used_at.as_millisecond());
        let trim = sqlx::query(TRIM_SESSIONS).bind(to_i64(session.person.0)).bind(MAX_PER_PERSON);
        let mut transaction = self.writer().begin().await?;
        row.execute(&mut *transaction).await.map_err(store_error)?;
        trim.execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await
    }

    async fn session(&self, token: &WebToken) -> Result<Option<WebSession>, StoreError> {
        let row = sqlx::query(SESSION).bind(token.digest()).fetch_optional(self.readers()).await;
        row.map_err(store_error)?.map(|row| read_session(&row)).transpose()
    }

    async fn touch_session(&self, token: &WebToken, now: Timestamp) -> Result<(), StoreError> {
        let row = sqlx::query(TOUCH).bind(token.digest()).bind(now.as_millisecond());
        row.execute(self.writer()).await.map_err(store_error)?;
        Ok(())
    }

    async fn delete_session(&self, token: &WebToken) -> Result<(), StoreError> {
        let row = sqlx::query(DELETE_SESSION).bind(token.digest());
        row.execute(self.writer()).await.map_err(store_error)?;
        Ok(())
    }

    async fn sessions_of(&self, who: UserId) -> Result<Vec<WebSession>, StoreError> {
        let rows = sqlx::query(SESSIONS_OF).bind(to_i64(who.0)).fetch_all(self.readers()).await;
        rows.map_err(store_error)?.iter().map(read_session).collect()
    }

    async fn revoke_sessions(&self, who: UserId) -> Result<u64, StoreError> {
        let mut transaction = self.writer().begin().await?;
        let tokens = sqlx::query("DELETE FROM sign_ins WHERE person = ?").bind(to_i64(who.0));
        tokens.execute(&mut *transaction).await.map_err(store_error)?;
        let sessions = sqlx::query("DELETE FROM web_sessions WHERE person = ?").bind(to_i64(who.0));
        let gone = sessions.execute(&mut *transaction).await.map_err(store_error)?;
        transaction.commit().await?;
        Ok(gone.rows_affected())
    }

    async fn prune_sessions(
        &self,
        now: Timestamp,
        unused_since: Timestamp,
        most: usize,
    ) -> Result<u64, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let expired = sqlx::query(PRUNE_SIGN_INS).bind(now.as_millisecond()).bind(most);
        let expired = expired.execute(self.writer()).await.map_err(store_error)?;
        let unused = sqlx::query(PRUNE_SESSIONS).bind(unused_since.as_millisecond()).bind(most);
        let unused = unused.execute(self.writer()).await.map_err(store_error)?;
        Ok(expired.rows_affected() + unused.rows_affected())
    }
}
