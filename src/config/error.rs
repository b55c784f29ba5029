//! Errors of the configuration, as sentences. No sentence contains a token.

use std::path::PathBuf;

use thiserror::Error;

/// Why the configuration is invalid: what, where, and what to do next.
#[derive(Debug, PartialEq, Error)]
pub enum ConfigError {
    /// A configuration file could not be read.
    #[error("Can't read the configuration file {}: {why}. Check its path and permissions.", path.display())]
    Unreadable {
        /// The path that was given or is the default.
        path: PathBuf,
        /// The message of the operating system.
        why: String,
    },
    /// The file is not valid TOML.
    #[error("{origin} isn't valid TOML: {message}.")]
    Syntax {
        /// The file and the line.
        origin: String,
        /// The parser's message. It quotes nothing of the line, which may contain the token.
        message: String,
    },
    /// A key does not exist.
    #[error("There's no setting {name} (found in {origin}). {}", nearest_key_hint(nearest.as_deref()))]
    UnknownKey {
        /// The key as written.
        name: String,
        /// The file and line, or the kind of source.
        origin: String,
        /// The most similar known key, in the same notation; `None` if none is similar.
        nearest: Option<String>,
    },
    /// A value is invalid.
    #[error("{name} is {found}, but it must be {wanted} (set in {origin}).")]
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
    /// One source sets both a secret and a file for it, so neither takes precedence.
    #[error("Both {what} and {what} file are set in {origin}. Keep one of them.")]
    TwoSecrets {
        /// The secret, with its article.
        what: &'static str,
        /// The source that sets both.
        origin: String,
    },
    /// The file of a secret is unusable.
    #[error("The {what} file {} {why} (named in {origin}).", path.display())]
    SecretFile {
        /// The secret.
        what: &'static str,
        /// The path that was given.
        path: PathBuf,
        /// The reason, as the end of a sentence about the file.
        why: String,
        /// The source that names the file.
        origin: String,
    },
    /// The settings select a real Discord, but there is no token.
    #[error(
        "There's no Discord token, but {because}. Set DISCORD_TOKEN or DISCORD_TOKEN_FILE, \
         or remove that setting to play on the playground."
    )]
    NoToken {
        /// The setting that selects a real Discord.
        because: &'static str,
    },
    /// Links would lead to an address at which no server listens.
    #[error(
        "web.address is set (found in {origin}), but web.listen is empty, so its links would lead nowhere. \
         Set web.listen, such as 127.0.0.1:8081, or remove web.address."
    )]
    WebNotListening {
        /// The source that sets the address.
        origin: String,
    },
    /// An Activity can't work without another setting.
    #[error(
        "web.activity is true (found in {origin}), but {problem}. {remedy}, or set web.activity to false."
    )]
    ActivityImpossible {
        /// The source that switches the Activity on.
        origin: String,
        /// What is missing or wrong.
        problem: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// [`super::KEYS`] and [`super::Config`] disagree; tests compare them.
    #[error("Can't read the configuration: {0}. Please report this bug.")]
    Inconsistent(String),
}

/// Names the most similar setting, or the command that lists all of them.
fn nearest_key_hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("Did you mean {nearest}?"),
        None => "`rookery config --example` lists all settings.".to_owned(),
    }
}
