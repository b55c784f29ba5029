//! Storage of signed-in browsers.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::UserId;
use crate::web_session::{SignIn, WebSession, WebToken};

/// Sign-in tokens and sessions of browsers, by the digests of their tokens. A person has at most
/// [`MAX_PER_PERSON`](crate::web_session::MAX_PER_PERSON) of each, the newest, and a few more if several processes added
/// the last ones.
#[async_trait]
pub trait WebSessions: Send + Sync {
    /// Stores a new sign-in token.
    async fn store_sign_in(&self, token: &WebToken, sign_in: &SignIn) -> Result<(), StoreError>;
    /// Returns what a sign-in token is for, without using it up. `None` if it does not exist, was used, or has expired.
    async fn sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError>;
    /// Deletes a sign-in token and returns what it was for: of several calls at once, one gets it. `None` if it does not
    /// exist, was used, or has expired.
    async fn take_sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError>;
    /// Deletes a person's newest sign-in token and returns what it was for: of several calls at once, one gets it. `None`
    /// if none expires after `after`.
    async fn take_newest_sign_in(
        &self,
        person: UserId,
        after: Timestamp,
    ) -> Result<Option<SignIn>, StoreError>;
    /// Stores a new session.
    async fn store_session(&self, token: &WebToken, session: &WebSession) -> Result<(), StoreError>;
    /// Returns the session of a token, expired or not.
    async fn session(&self, token: &WebToken) -> Result<Option<WebSession>, StoreError>;
    /// Stores that a session was used; does nothing if it was revoked.
    async fn touch_session(&self, token: &WebToken, now: Timestamp) -> Result<(), StoreError>;
    /// Deletes a session; does nothing if there is none.
    async fn delete_session(&self, token: &WebToken) -> Result<(), StoreError>;
    /// Returns the sessions of a person, the one used last first.
    async fn sessions_of(&self, who: UserId) -> Result<Vec<WebSession>, StoreError>;
    /// Deletes all sessions and sign-in tokens of a person; returns the number of sessions.
    async fn revoke_sessions(&self, who: UserId) -> Result<u64, StoreError>;
    /// Deletes sign-in tokens that expired by `now` and sessions last used by `unused_since`, at most `most` of each.
    /// Returns how many it deleted.
    async fn prune_sessions(
        &self,
        now: Timestamp,
        unused_since: Timestamp,
        most: usize,
    ) -> Result<u64, StoreError>;
}
