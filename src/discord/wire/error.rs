//! Errors of requests to Discord, in the bot's own terms.

use std::time::Duration;

use serenity::http::{ErrorResponse, HttpError};

/// The message already has a thread (whose id is the message's own).
pub const THREAD_EXISTS: isize = 160_004;
/// The thread is archived and locked, so nobody can write there.
pub const THREAD_ARCHIVED: isize = 50_083;
/// The thread is locked, so nobody can write there.
pub const THREAD_LOCKED: isize = 160_005;
/// The bot may not read earlier messages, so a message cannot be a reply.
pub const NO_HISTORY: isize = 160_002;
/// The bot lacks a permission in a channel that it may see.
pub const MISSING_PERMISSIONS: isize = 50_013;
/// The server's AutoMod blocks a message or a title.
const BLOCKED: [isize; 2] = [200_000, 200_001];
/// The interaction is unknown: usually the answer came too late.
pub const UNKNOWN_INTERACTION: isize = 10_062;
/// The token of an interaction is too old or invalid.
const INVALID_TOKEN: isize = 50_027;
/// The limit on edits of messages older than an hour; it applies to no other requests.
pub(in crate::discord) const OLD_EDITS: isize = 30_046;
/// The interaction was already answered.
pub const ALREADY_ACKNOWLEDGED: isize = 40_060;

/// The longest wait that [`retry_after_each`] accepts from Discord; a longer one ends the retries.
pub(in crate::discord) const MAX_WAIT: Duration = Duration::from_secs(60);

/// Why a request to Discord failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscordError {
    /// The bot has no access (403, or an expired interaction token). Retries do not help, and too many of
    /// them get the address banned.
    #[error("refused ({code}): {why}")]
    NoAccess {
        /// Discord's JSON error code; -1 if there is none.
        code: isize,
        /// Discord's message, for the log.
        why: String,
    },
    /// The target no longer exists (404).
    #[error("gone ({code}): {why}")]
    NotFound {
        /// Discord's JSON error code; -1 if there is none.
        code: isize,
        /// Discord's message, for the log.
        why: String,
    },
    /// Too many requests (429): try again later. Short waits are already over when this is returned.
    #[error("too many requests: wait {wait:?}")]
    RateLimited {
        /// The time that Discord asks to wait.
        wait: Duration,
    },
    /// Too many pictures are being drawn: try again later.
    #[error("too many pictures are being drawn")]
    Overloaded,
    /// Discord or the connection to it is down: try again later.
    #[error("out of reach: {0}")]
    Outage(String),
    /// This version cannot read the table: a later one may.
    #[error("{0}")]
    Unreadable(String),
    /// The request is invalid (400), or the response makes no sense: retries do not help.
    #[error("not taken ({code}): {why}")]
    Invalid {
        /// Discord's error code; -1 for an error found by the bot.
        code: isize,
        /// The message of Discord or of the bot.
        why: String,
    },
}

impl DiscordError {
    /// Creates an error for a mistake of the bot that was found before sending.
    pub fn internal(why: impl ToString) -> DiscordError {
        DiscordError::Invalid { code: -1, why: why.to_string() }
    }

    /// Converts an unsuccessful response: its HTTP status, Discord's code and message.
    pub(in crate::discord) fn by_status(status: u16, code: isize, why: &str) -> DiscordError {
        let why = why.to_owned();
        match status {
            401 if code == INVALID_TOKEN => DiscordError::NoAccess { code, why },
            // The bot's own token is rejected. No channel denied access, so messages wait for a valid token.
            401 => DiscordError::Outage(format!("the token is not taken: {why}")),
            403 => DiscordError::NoAccess { code, why },
            404 => DiscordError::NotFound { code, why },
            429 => DiscordError::RateLimited { wait: Duration::ZERO },
            500.. => DiscordError::Outage(format!("status {status}")),
            _ => DiscordError::Invalid { code, why },
        }
    }

    /// Whether the same request may succeed later.
    pub fn is_temporary(&self) -> bool {
        matches!(self, DiscordError::RateLimited { .. } | DiscordError::Overloaded | DiscordError::Outage(_))
    }

    /// Returns how long to wait before a retry; zero without such a limit.
    pub fn wait(&self) -> Duration {
        match self {
            DiscordError::RateLimited { wait } => *wait,
            _ => Duration::ZERO,
        }
    }

    /// Whether the error is a locked thread.
    pub fn is_closed_thread(&self) -> bool {
        matches!(self.code(), Some(THREAD_ARCHIVED | THREAD_LOCKED))
    }

    /// Whether the same request may succeed once a moderator grants a permission or unlocks the thread.
    pub fn needs_permission(&self) -> bool {
        matches!(self, DiscordError::NoAccess { .. }) || self.is_closed_thread()
    }

    /// Whether the server's AutoMod blocks the text, regardless of permissions.
    pub fn is_blocked(&self) -> bool {
        self.code().is_some_and(|code| BLOCKED.contains(&code))
    }

    /// Returns Discord's error code, if there is one.
    pub fn code(&self) -> Option<isize> {
        match self {
            DiscordError::NoAccess { code, .. }
            | DiscordError::NotFound { code, .. }
            | DiscordError::Invalid { code, .. } => Some(*code),
            DiscordError::RateLimited { .. }
            | DiscordError::Overloaded
            | DiscordError::Unreadable(_)
            | DiscordError::Outage(_) => None,
        }
    }
}

/// Retries `work` after each of these waits, as long as its error is temporary.
///
/// # Errors
/// The error of the last attempt.
pub async fn retry_after_each<T, F>(
    waits: &[Duration],
    mut work: impl FnMut() -> F,
) -> Result<T, DiscordError>
where
    F: Future<Output = Result<T, DiscordError>>,
{
    for wait in waits {
        match work().await {
            Err(fault) if fault.is_temporary() && fault.wait() <= MAX_WAIT => {
                tokio::time::sleep(fault.wait().max(*wait)).await;
            }
            done => return done,
        }
    }
    work().await
}

impl From<serenity::Error> for DiscordError {
    fn from(error: serenity::Error) -> DiscordError {
        match error {
            serenity::Error::Http(HttpError::UnsuccessfulRequest(ErrorResponse {
                status_code,
                error,
                ..
            })) => DiscordError::by_status(status_code.as_u16(), error.code, &error.message),
            serenity::Error::Http(other) => DiscordError::Outage(other.to_string()),
            serenity::Error::Json(error) => DiscordError::Invalid { code: -1, why: error.to_string() },
            other => DiscordError::Outage(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_temporary_errors_are_retried() {
        let (waits, began) = ([Duration::from_secs(1); 2], tokio::time::Instant::now());
        let mut faults = vec![
            Err(DiscordError::RateLimited { wait: Duration::from_secs(9) }),
            Err(DiscordError::Outage(String::new())),
            Ok(7),
        ]
        .into_iter();
        let tried = retry_after_each(&waits, || std::future::ready(faults.next().unwrap())).await;
        assert_eq!(tried, Ok(7));
        assert_eq!(began.elapsed(), Duration::from_secs(10), "what Discord asks to wait is waited");
        let mut tries = 0;
        let gone = DiscordError::NotFound { code: 10_008, why: String::new() };
        let tried: Result<(), _> = retry_after_each(&waits, || {
            tries += 1;
            std::future::ready(Err(gone.clone()))
        })
        .await;
        assert_eq!((tried, tries), (Err(gone.clone()), 1));
    }
}
