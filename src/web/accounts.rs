//! What signing in with a Discord account needs from the Discord side.

use std::time::Duration;

use async_trait::async_trait;
use rookery_table::UserId;

/// Asks Discord who a person is, if they allow it.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Returns the address of Discord's page that asks the person. It leads back to `redirect` with `state` and a code,
    /// or an error. `None` until the bot knows its application.
    fn authorization(&self, state: &str, redirect: &str) -> Option<String>;

    /// Exchanges a code from that page for who the person is. A code works once.
    ///
    /// # Errors
    /// If Discord refuses the code or can't be asked.
    async fn identify(&self, code: &str, redirect: &str) -> Result<Identified, AccountError>;
}

/// A person who has proved who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identified {
    /// The person.
    pub who: UserId,
}

/// Why Discord did not say who a person is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountError {
    /// The code was used, has expired, or belongs to something else.
    Refused,
    /// Discord wants fewer requests; it takes another after this time.
    Limited(Duration),
    /// Discord doesn't answer, or not sensibly.
    Unreachable,
    /// Discord doesn't accept the configured secret.
    Misconfigured,
}
