//! What signing in with a Discord account (`oauth`) or in a frame needs from the Discord side.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use rookery_table::UserId;

/// The most bytes of a code.
pub(super) const MAX_CODE_BYTES: usize = 512;

/// Asks Discord who a person is, if they allow it.
#[async_trait]
pub trait DiscordSignIn: Send + Sync {
    /// Returns the address of Discord's page that asks the person. It leads back to `redirect` with `state` and a code,
    /// or an error. `None` until the bot knows its application.
    fn authorization(&self, state: &str, redirect: &str) -> Option<String>;

    /// Exchanges a code from that page for who the person is. A code works once.
    ///
    /// # Errors
    /// If Discord refuses the code or can't be asked.
    async fn identify(&self, code: &str, redirect: &str) -> Result<UserId, DiscordSignInError>;

    /// Returns where Discord shows the pages in a frame; `None` without an Activity, and until the bot knows its
    /// application.
    fn frame(&self) -> Option<FramePlace>;

    /// Exchanges a code that Discord's client gave to a frame. A code works once.
    ///
    /// # Errors
    /// If Discord refuses the code or can't be asked.
    async fn enter_frame(&self, code: &str) -> Result<FrameGrant, DiscordSignInError>;
}

/// Where Discord shows the pages in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePlace {
    /// The id of the application.
    pub application: String,
    /// The origin of the pages in the frame, which Discord's proxy maps to them.
    pub origin: String,
    /// The origins of Discord's clients, which hold the frame.
    pub parents: Vec<String>,
}

/// What a code of a frame stands for.
#[derive(Debug)]
pub struct FrameGrant {
    /// The person.
    pub who: UserId,
    /// Their access token, for Discord's client.
    pub access_token: FrameToken,
}

/// An access token for Discord's client in the frame. Its debug output is `***`.
pub struct FrameToken(pub String);

impl fmt::Debug for FrameToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Why Discord did not say who a person is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscordSignInError {
    /// The code was used, has expired, or belongs to something else.
    Refused,
    /// Discord wants fewer requests; it takes another after this time.
    Limited(Duration),
    /// Discord doesn't answer, or not sensibly.
    Unreachable,
    /// Discord doesn't accept the configured secret.
    Misconfigured,
}
