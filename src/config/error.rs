//! What can be wrong with a configuration, in sentences. No sentence ever holds a token.

use std::path::PathBuf;

use thiserror::Error;

/// Why the configuration could not be used: what, where, and what to do next.
#[derive(Debug, PartialEq, Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("The configuration file {} could not be read: {why}.", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The file is not TOML.
    #[error("{origin} is not valid TOML: {message}.")]
    Syntax {
        /// The file and the line.
        origin: String,
        /// What the parser wanted; it quotes nothing of the line, for that may hold the token.
        message: String,
    },
    /// A key that does not exist.
    #[error("There is no setting {name} (found in {origin}). {}", neighbour(nearest.as_deref()))]
    UnknownKey {
        /// The key as it was written.
        name: String,
        /// Where it was read.
        origin: String,
        /// The known key most like it, written in the same manner; `None` if none is like it.
        nearest: Option<String>,
    },
    /// A value that cannot be used.
    #[error("{name} is {found}, but {wanted} is wanted (found in {origin}).")]
    BadValue {
        /// The key, as `section.name`.
        name: String,
        /// The value, or its kind alone where it is secret.
        found: String,
        /// What would do.
        wanted: String,
        /// Where it was read.
        origin: String,
    },
    /// Two places name a token, and neither is plainly meant.
    #[error("Both a token and a token file are set in {origin}. Keep one of them.")]
    TwoTokens {
        /// The layer that holds both.
        origin: String,
    },
    /// The token's file is no use.
    #[error("The token file {} {why} (named in {origin}).", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
        /// Where it was named.
        origin: String,
    },
    /// A Discord was meant, but there is no token to speak to it with.
    #[error(
        "There is no Discord token, but {because}. Set DISCORD_TOKEN or DISCORD_TOKEN_FILE, \
         or remove that setting to play on the playground."
    )]
    NoToken {
        /// The setting that says that a Discord was meant.
        because: &'static str,
    },
    /// Links would lead nowhere.
    #[error(
        "web.address is set (found in {origin}), but web.listen is empty, so that nobody would answer its links. \
         Set web.listen, such as 127.0.0.1:8081, or remove web.address."
    )]
    NobodyAnswers {
        /// Where the address was set.
        origin: String,
    },
    /// [`super::KEYS`] and [`super::Config`] disagree; the tests hold them together.
    #[error("The configuration could not be read: {0}. Please report this fault.")]
    Inconsistent(String),
}

/// Which setting may be meant, or where all of them stand.
fn neighbour(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("The nearest is {nearest}."),
        None => "`rookery config --example` prints every one that there is.".to_owned(),
    }
}
