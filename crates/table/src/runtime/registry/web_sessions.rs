//! Signed-in browsers: a link from Discord signs one in, and its session is looked up for every request.

use jiff::SignedDuration;

use crate::TableId;
use crate::model::UserId;
use crate::ports::StoreError;
use crate::web_session::{LAUNCH_TIME, SESSION_TIME, SIGN_IN_TIME, SignIn, WebSession, WebToken};

use super::TableRegistry;

/// How old the stored time of a session's last use may be, so that not every request writes it.
const TOUCH_INTERVAL: SignedDuration = SignedDuration::from_hours(1);
/// The most rows that one clean-up deletes of each kind.
const PRUNED_AT_ONCE: usize = 10_000;

impl TableRegistry {
    /// Creates a token with which one browser can sign in as a person, once, to open a table.
    ///
    /// # Errors
    /// If the journal or the system's random number generator fails.
    pub async fn new_sign_in(&self, person: UserId, table: TableId) -> Result<WebToken, StoreError> {
        let token = drawn()?;
        let sign_in = SignIn { person, table, expires_at: self.now() + SIGN_IN_TIME };
        self.journal().web_sessions().store_sign_in(&token, &sign_in).await?;
        Ok(token)
    }

    /// Returns what a sign-in token is for, without using it up. `None` if it does not work (any more).
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn pending_sign_in(&self, token: &WebToken) -> Result<Option<SignIn>, StoreError> {
        self.journal().web_sessions().sign_in(token, self.now()).await
    }

    /// Uses a sign-in token up; returns what it was for, and the token of the session that begins. `None` if it does not
    /// work (any more).
    ///
    /// # Errors
    /// If the journal or the system's random number generator fails.
    pub async fn sign_in(&self, token: &WebToken) -> Result<Option<(SignIn, WebToken)>, StoreError> {
        let (sessions, now) = (self.journal().web_sessions(), self.now());
        let Some(sign_in) = sessions.take_sign_in(token, now).await? else { return Ok(None) };
        Ok(Some((sign_in, self.begin_session(sign_in.person).await?)))
    }

    /// Returns what a person asked to open last, if that was just now, and uses it up.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn take_launch(&self, person: UserId) -> Result<Option<SignIn>, StoreError> {
        let after = self.now() + SIGN_IN_TIME - LAUNCH_TIME;
        self.journal().web_sessions().take_newest_sign_in(person, after).await
    }

    /// Begins a session of a person who has proved who they are; returns its token.
    ///
    /// # Errors
    /// If the journal or the system's random number generator fails.
    pub async fn begin_session(&self, person: UserId) -> Result<WebToken, StoreError> {
        self.begin(person, drawn()?).await
    }

    /// Begins a session of a person in a frame inside Discord; returns its token.
    ///
    /// # Errors
    /// If the journal or the system's random number generator fails.
    pub async fn begin_frame_session(&self, person: UserId) -> Result<WebToken, StoreError> {
        self.begin(person, drawn()?.in_frame()).await
    }

    async fn begin(&self, person: UserId, cookie: WebToken) -> Result<WebToken, StoreError> {
        let now = self.now();
        let session = WebSession { person, made_at: now, used_at: now };
        self.journal().web_sessions().store_session(&cookie, &session).await?;
        Ok(cookie)
    }

    /// Ends one session; does nothing if there is none.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn end_session(&self, token: &WebToken) -> Result<(), StoreError> {
        self.journal().web_sessions().delete_session(token).await?;
        self.share_changed();
        Ok(())
    }

    /// Returns the person who is signed in with a session's token; `None` if it was revoked or has expired.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn signed_in(&self, token: &WebToken) -> Result<Option<UserId>, StoreError> {
        let (sessions, now) = (self.journal().web_sessions(), self.now());
        let Some(session) = sessions.session(token).await?.filter(|session| !session.is_expired(now)) else {
            return Ok(None);
        };
        if now - TOUCH_INTERVAL >= session.used_at {
            sessions.touch_session(token, now).await?;
        }
        Ok(Some(session.person))
    }

    /// Signs a person out of all browsers; returns how many there were.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn sign_out_browsers(&self, who: UserId) -> Result<u64, StoreError> {
        let revoked = self.journal().web_sessions().revoke_sessions(who).await;
        self.share_changed();
        revoked
    }

    /// Deletes sign-in tokens and sessions that have expired.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn delete_expired_sessions(&self) -> Result<u64, StoreError> {
        let now = self.now();
        self.journal().web_sessions().prune_sessions(now, now - SESSION_TIME, PRUNED_AT_ONCE).await
    }
}

fn drawn() -> Result<WebToken, StoreError> {
    WebToken::draw().map_err(|error| StoreError::Backend(error.to_string()))
}
