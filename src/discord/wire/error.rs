//! What can go wrong between us and Discord, in our own terms.

use std::time::Duration;

use serenity::http::{ErrorResponse, HttpError};

/// The message has a thread already (whose id is the message's own).
pub const THREAD_EXISTS: isize = 160_004;
/// The thread is archived, and locked, so that nothing can be written there.
pub const THREAD_ARCHIVED: isize = 50_083;
/// The thread is locked, so that nothing can be written there.
pub const THREAD_LOCKED: isize = 160_005;
/// We may not read what was written before, so that no message can answer another.
pub const NO_HISTORY: isize = 160_002;
/// Something that we may not do there, though we may see the place.
pub const MISSING_PERMISSIONS: isize = 50_013;
/// The server's own rules (AutoMod) block a message, or a title.
const BLOCKED: [isize; 2] = [200_000, 200_001];
/// The interaction is not known any more: the answer came too late.
pub const UNKNOWN_INTERACTION: isize = 10_062;
/// The token of an interaction is too old, or of no interaction.
const INVALID_TOKEN: isize = 50_027;
/// Messages older than an hour may be changed a few times only; that is no limit of anything else.
pub(in crate::discord) const OLD_EDITS: isize = 30_046;
/// The interaction was answered before.
pub const ALREADY_ACKNOWLEDGED: isize = 40_060;

/// Where Discord asks to wait for longer, nobody waits for it.
pub(in crate::discord) const MAX_WAIT: Duration = Duration::from_secs(60);

/// Why something could not be said on Discord.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscordError {
    /// We may not do that there (403, or the token of an interaction is too old); asking again does not help, and too many such requests get the
    /// address banned.
    #[error("refused ({code}): {why}")]
    NoAccess {
        /// Discord's number.
        code: isize,
        /// Discord's words.
        why: String,
    },
    /// It is not there any more (404).
    #[error("gone ({code}): {why}")]
    NotFound {
        /// Discord's number.
        code: isize,
        /// Discord's words.
        why: String,
    },
    /// Too many requests (429): try again later. A short wait is waited out before this is told.
    #[error("too many requests: wait {wait:?}")]
    RateLimited {
        /// How long Discord asks to wait.
        wait: Duration,
    },
    /// Too many pictures are being drawn here: try again later.
    #[error("too many pictures are being drawn")]
    Overloaded,
    /// Discord or the way to it is down: try again later.
    #[error("out of reach: {0}")]
    Outage(String),
    /// This version cannot read the table: a later one may.
    #[error("{0}")]
    Unreadable(String),
    /// Our own mistake (400), or an answer that makes no sense: trying again does not help.
    #[error("not taken ({code}): {why}")]
    Invalid {
        /// Discord's number, -1 if it is ours.
        code: isize,
        /// Whose words say what is wrong.
        why: String,
    },
}

impl DiscordError {
    /// A mistake of ours, found before sending.
    pub fn internal(why: impl ToString) -> DiscordError {
        DiscordError::Invalid { code: -1, why: why.to_string() }
    }

    /// What an answer other than a success means: its HTTP status, Discord's number and words.
    pub(in crate::discord) fn by_status(status: u16, code: isize, why: &str) -> DiscordError {
        let why = why.to_owned();
        match status {
            401 if code == INVALID_TOKEN => DiscordError::NoAccess { code, why },
            // Our own token is not taken: no place has refused us, and what is to be said waits for one that is.
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

    /// How long not to try again.
    pub fn wait(&self) -> Duration {
        match self {
            DiscordError::RateLimited { wait } => *wait,
            _ => Duration::ZERO,
        }
    }

    /// Whether a thread is locked.
    pub fn is_closed_thread(&self) -> bool {
        matches!(self.code(), Some(THREAD_ARCHIVED | THREAD_LOCKED))
    }

    /// Whether the same may be taken once somebody gives us leave, or opens the thread.
    pub fn needs_permission(&self) -> bool {
        matches!(self, DiscordError::NoAccess { .. }) || self.is_closed_thread()
    }

    /// Whether the server's own rules let nobody write that, whoever has which leave.
    pub fn is_blocked(&self) -> bool {
        self.code().is_some_and(|code| BLOCKED.contains(&code))
    }

    /// Discord's number, if it gave one.
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

/// Tries something again after each of these waits, as long as its fault may pass.
///
/// # Errors
/// The last fault.
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
    async fn what_passes_is_tried_again_and_what_does_not_is_not() {
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
