//! Signed-in browsers in the database.

use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::query;

use super::Postgres;
use crate::rows::{read_session, read_sign_in, to_i64};
use rookery_table::UserId;
use rookery_table::ports::{StoreError, WebSessions};
use rookery_table::web_session::{MAX_PER_PERSON, SignIn, WebSession, WebToken};

/// Deletes a person's oldest sign-in tokens beyond a number.
pub(super) const TRIM_SIGN_INS: &str = "DELETE FROM sign_ins WHERE digest = ANY (ARRAY \
     (SELECT digest FROM sign_ins WHERE person = $1 ORDER BY expires_ms DESC OFFSET $2))";
/// Deletes a person's oldest sessions beyond a number.
pub(super) const TRIM_SESSIONS: &str = "DELETE FROM web_sessions WHERE digest = ANY (ARRAY \
     (SELECT digest FROM web_sessions WHERE person = $1 ORDER BY used_ms DESC OFFSET $2))";
/// What a sign-in token is for.
pub(super) const SIGN_IN: &str =
    "SELECT person, table_id, expires_ms FROM sign_ins WHERE digest = $1 AND expires_ms > $2";
/// Uses a sign-in token up: of several processes, one gets the row.
pub(super) const TAKE: &str = "DELETE FROM sign_ins WHERE digest = $1 AND expires_ms > $2 \
     RETURNING person, table_id, expires_ms";
/// Uses the newest sign-in token of a person up.
pub(super) const TAKE_NEWEST: &str = "DELETE FROM sign_ins WHERE digest = ANY (ARRAY \
     (SELECT digest FROM sign_ins WHERE person = $1 AND expires_ms > $2 ORDER BY expires_ms DESC LIMIT 1)) \
     RETURNING person, table_id, expires_ms";
/// The session of a token.
pub(super) const SESSION: &str = "SELECT person, made_ms, used_ms FROM web_sessions WHERE digest = $1";
/// Stores that a session was used.
pub(super) const TOUCH: &str = "UPDATE web_sessions SET used_ms = greatest(used_ms, $2) WHERE digest = $1";
/// Ends a session.
pub(super) const DELETE_SESSION: &str = "DELETE FROM web_sessions WHERE digest = $1";
/// The sessions of a person.
pub(super) const SESSIONS_OF: &str =
    "SELECT person, made_ms, used_ms FROM web_sessions WHERE person = $1 ORDER BY used_ms DESC";
/// Deletes expired sign-in tokens.
pub(super) const PRUNE_SIGN_INS: &str = "DELETE FROM sign_ins WHERE digest = ANY (ARRAY \
     (SELECT digest FROM sign_ins WHERE expires_ms <= $1 LIMIT $2))";
/// Deletes unused sessions.
pub(super) const PRUNE_SESSIONS: &str = "DELETE FROM web_sessions WHERE digest = ANY (ARRAY \
     (SELECT digest FROM web_sessions WHERE used_ms <= $1 LIMIT $2))";

#[async_trait]
impl WebSessions for Postgres {
    async fn store_sign_in(&self, token: &WebToken, sign_in: &SignIn) -> Result<(), StoreError> {
        let row = query("INSERT INTO sign_ins VALUES ($1, $2, $3, $4)")
            .bind(token.digest())
            .bind(to_i64(sign_in.person.0))
            .bind(sign_in.table.as_str().to_owned())
            .bind(sign_in.expires_at.as_millisecond());
        let mut transaction = self.connections.begin().await?;
        transaction.write(row).await?;
        let trim = query(TRIM_SIGN_INS).bind(to_i64(sign_in.person.0)).bind(MAX_PER_PERSON);
        transaction.write(trim).await?;
        transaction.commit().await
    }

    async fn sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let row = query(SIGN_IN).bind(token.digest()).bind(now.as_millisecond());
        let row = self.connections.row(row).await?;
        row.map(|row| read_sign_in(&row)).transpose()
    }

    async fn take_sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let mut transaction = self.connections.begin().await?;
        let row = query(TAKE).bind(token.digest()).bind(now.as_millisecond());
        let row = transaction.row(row).await?;
        transaction.commit().await?;
        row.map(|row| read_sign_in(&row)).transpose()
    }

    async fn take_newest_sign_in(
        &self,
        person: UserId,
        after: Timestamp,
    ) -> Result<Option<SignIn>, StoreError> {
        let mut transaction = self.connections.begin().await?;
        let row = query(TAKE_NEWEST).bind(to_i64(person.0)).bind(after.as_millisecond());
        let row = transaction.row(row).await?;
        transaction.commit().await?;
        row.map(|row| read_sign_in(&row)).transpose()
    }

    async fn store_session(&self, token: &WebToken, session: &WebSession) -> Result<(), StoreError> {
        let row = query("INSERT INTO web_sessions VALUES ($1, $2, $3, $4)")
            .bind(token.digest())
            .bind(to_i64(session.person.0))
            .bind(session.made_at.as_millisecond())
            .bind(session.used_at.as_millisecond());
        let mut transaction = self.connections.begin().await?;
        transaction.write(row).await?;
        let trim = query(TRIM_SESSIONS).bind(to_i64(session.person.0)).bind(MAX_PER_PERSON);
        transaction.write(trim).await?;
        transaction.commit().await
    }

    async fn session(&self, token: &WebToken) -> Result<Option<WebSession>, StoreError> {
        let row = self.connections.row(query(SESSION).bind(token.digest())).await?;
        row.map(|row| read_session(&row)).transpose()
    }

    async fn touch_session(&self, token: &WebToken, now: Timestamp) -> Result<(), StoreError> {
        self.connections.write(query(TOUCH).bind(token.digest()).bind(now.as_millisecond())).await?;
        Ok(())
    }

    async fn delete_session(&self, token: &WebToken) -> Result<(), StoreError> {
        self.connections.write(query(DELETE_SESSION).bind(token.digest())).await?;
        Ok(())
    }

    async fn sessions_of(&self, who: UserId) -> Result<Vec<WebSession>, StoreError> {
        let rows = self.connections.rows(query(SESSIONS_OF).bind(to_i64(who.0))).await?;
        rows.iter().map(read_session).collect()
    }

    async fn revoke_sessions(&self, who: UserId) -> Result<u64, StoreError> {
        let mut transaction = self.connections.begin().await?;
        let tokens = query("DELETE FROM sign_ins WHERE person = $1").bind(to_i64(who.0));
        transaction.write(tokens).await?;
        let sessions = query("DELETE FROM web_sessions WHERE person = $1").bind(to_i64(who.0));
        let gone = transaction.write(sessions).await?;
        transaction.commit().await?;
        Ok(gone)
    }

    async fn prune_sessions(
        &self,
        now: Timestamp,
        unused_since: Timestamp,
        most: usize,
    ) -> Result<u64, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let expired = query(PRUNE_SIGN_INS).bind(now.as_millisecond()).bind(most);
        let expired = self.connections.write(expired).await?;
        let unused = query(PRUNE_SESSIONS).bind(unused_since.as_millisecond()).bind(most);
        Ok(expired + self.connections.write(unused).await?)
    }
}
