//! Browsers in which people are signed in. A sign-in token from Discord works once and soon expires; the session that it
//! begins lasts until it is unused for long, or revoked. The store has only digests of both.

use std::fmt;

use jiff::{SignedDuration, Timestamp};

use super::digest::sha256_hex;
use crate::model::{TableId, UserId};
use crate::share::ShareToken;

/// How long a sign-in token works.
pub const SIGN_IN_TIME: SignedDuration = SignedDuration::from_mins(10);
/// How long an Activity that opens leads to the table of a sign-in token: it should be the one that opened it.
pub const LAUNCH_TIME: SignedDuration = SignedDuration::from_mins(2);
/// How long a session lasts without being used.
pub const SESSION_TIME: SignedDuration = SignedDuration::from_hours(30 * 24);
/// The most unused sign-in tokens of a person, and the most sessions: the newest stay.
pub const MAX_PER_PERSON: i64 = 20;

/// The secret of a sign-in link or of a session's cookie: 128 random bits in base64url, 22 characters.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WebToken {
    text: ShareToken,
    /// Whether it belongs to a frame inside Discord. Its digest is another one, so that the cookie of a frame works
    /// nowhere else.
    in_frame: bool,
}

impl WebToken {
    /// Draws a new token from the system's random number generator.
    ///
    /// # Errors
    /// If the generator fails.
    pub fn draw() -> Result<WebToken, getrandom::Error> {
        ShareToken::draw().map(|text| WebToken { text, in_frame: false })
    }

    /// Parses a token; `None` if the text cannot be one.
    pub fn read(text: &str) -> Option<WebToken> {
        ShareToken::read(text).map(|text| WebToken { text, in_frame: false })
    }

    /// Returns the token of a frame inside Discord with the same text.
    #[must_use]
    pub fn in_frame(self) -> WebToken {
        WebToken { in_frame: true, ..self }
    }

    /// Returns the token as it appears in the link or cookie.
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// Returns the SHA-256 of the token in hexadecimal, which is stored.
    pub fn digest(&self) -> String {
        match self.in_frame {
            true => sha256_hex(&format!("frame {}", self.text.as_str())),
            false => self.text.digest(),
        }
    }
}

/// Logs never show a token.
impl fmt::Debug for WebToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebToken(…)")
    }
}

/// What a sign-in token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// The person who is signed in with it.
    pub person: UserId,
    /// The table that is opened with it.
    pub table: TableId,
    /// From when on it no longer works.
    pub expires_at: Timestamp,
}

/// A signed-in browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebSession {
    /// The person who is signed in.
    pub person: UserId,
    /// When they signed in.
    pub made_at: Timestamp,
    /// When the session was last used, to the hour.
    pub used_at: Timestamp,
}

impl WebSession {
    /// Whether the session has been unused for too long.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.used_at <= now - SESSION_TIME
    }
}
