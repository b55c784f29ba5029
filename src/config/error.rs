//! Errors of the configuration, as sentences. No sentence contains a token.

use std::path::PathBuf;

use thiserror::Error;

/// Why the configuration is invalid: what, where, and what to do next.
#[derive(Debug, PartialEq, Error)]
pub enum ConfigError {
    /// A configuration file could not be read.
    #[error("The configuration file {} could not be read: {why}.", path.display())]
    Unreadable {
        /// The path that was given or is the default.
        path: PathBuf,
        /// The message of the operating system.
        why: String,
    },
    /// The file is not valid TOML.
    #[error("{origin} is not valid TOML: {message}.")]
    Syntax {
        /// The file and the line.
        origin: String,
        /// The parser's message. It quotes nothing of the line, which may contain the token.
        message: String,
    },
    /// A key does not exist.
    #[error("There is no setting {name} (found in {origin}). {}", nearest_key_hint(nearest.as_deref()))]
    UnknownKey {
        /// The key as written.
        name: String,
        /// The file and line, or the kind of source.
        origin: String,
        /// The most similar known key, in the same notation; `None` if none is similar.
        nearest: Option<String>,
    },
    /// A value is invalid.
    #[error("{name} is {found}, but {wanted} is wanted (found in {origin}).")]
    BadValue {
        /// The key, as `section.name`.
        name: String,
        /// The value, or only its kind for a secret.
        found: String,
        /// A description of valid values.
        wanted: String,
        /// The file and line, or the kind of source.
        origin: String,
    },
    /// One source sets both a token and a token file, so neither takes precedence.
    #[error("Both a token and a token file are set in {origin}. Keep one of them.")]
    TwoTokens {
        /// The source that sets both.
        origin: String,
    },
    /// The token file is unusable.
    #[error("The token file {} {why} (named in {origin}).", path.display())]
    TokenFile {
        /// The path given by `discord.token_file`.
        path: PathBuf,
        /// The reason, as the end of a sentence about the file.
        why: String,
        /// The source that names the file.
        origin: String,
    },
    /// The settings select a real Discord, but there is no token.
    #[error(
        "There is no Discord token, but {because}. Set DISCORD_TOKEN or DISCORD_TOKEN_FILE, \
         or remove that setting to play on the playground."
    )]
    NoToken {
        /// The setting that selects a real Discord.
        because: &'static str,
    },
    /// Links would lead to an address at which no server listens.
    #[error(
        "web.address is set (found in {origin}), but web.listen is empty, so that nobody would answer its links. \
         Set web.listen, such as 127.0.0.1:8081, or remove web.address."
    )]
    WebNotListening {
        /// The source that sets the address.
        origin: String,
    },
    /// [`super::KEYS`] and [`super::Config`] disagree; tests compare them.
    #[error("The configuration could not be read: {0}. Please report this fault.")]
    Inconsistent(String),
}

/// Names the most similar setting, or the command that lists all of them.
fn nearest_key_hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("The nearest is {nearest}."),
        None => "`rookery config --example` prints every one that there is.".to_owned(),
    }
}
