//! Where a journal is stored.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

/// Where a journal is stored: a file of SQLite, or a database of PostgreSQL.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// The path of a file, written `sqlite:PATH`.
    Sqlite(PathBuf),
    /// An address such as `postgres://user:password@host:5432/database`. It may hold a password, so it is never shown
    /// as a whole.
    Postgres(String),
}

/// The text is no address of a journal. The error does not repeat it, because it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not the address of a journal, such as sqlite:rookery.sqlite or postgres://user@host:5432/database")]
pub struct InvalidStoreAddress;

impl FromStr for StoreAddress {
    type Err = InvalidStoreAddress;

    fn from_str(text: &str) -> Result<StoreAddress, InvalidStoreAddress> {
        let text = text.trim();
        if let Some(path) = text.strip_prefix("sqlite:") {
            // Others write `sqlite://PATH`, in which the slashes are no part of the path.
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() { Err(InvalidStoreAddress) } else { Ok(Self::Sqlite(path.into())) };
        }
        let server = ["postgres://", "postgresql://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        match server {
            Some(server) if !server.is_empty() => Ok(Self::Postgres(text.to_owned())),
            _ => Err(InvalidStoreAddress),
        }
    }
}

/// Shows the address without a password.
impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => f.write_str(&without_secrets(url)),
        }
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns an address without its password and without its parameters, which may hold one too.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    // A password may contain `@` or `/`, so the last `@` ends it.
    match rest.rsplit_once('@') {
        Some((user, place)) => match user.split_once(':') {
            Some((user, _)) => format!("{scheme}://{user}:***@{place}"),
            None => format!("{scheme}://{user}@{place}"),
        },
        None => format!("{scheme}://{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let read = |text: &str| text.parse::<StoreAddress>();
        assert_eq!(read("sqlite:rookery.sqlite"), Ok(StoreAddress::Sqlite("rookery.sqlite".into())));
        assert_eq!(read("sqlite:///var/lib/a.sqlite"), Ok(StoreAddress::Sqlite("/var/lib/a.sqlite".into())));
        let url = "postgres://me:secret@db:5432/games";
        assert_eq!(read(url), Ok(StoreAddress::Postgres(url.into())));
        for wrong in ["", "sqlite:", "rookery.sqlite", "mysql://me@db/games", "postgres://"] {
            assert_eq!(read(wrong), Err(InvalidStoreAddress), "{wrong}");
        }
    }

    #[test]
    fn no_password_is_shown() {
        for url in [
            "postgres://me:secret@db:5432/games",
            "postgres://me:sec:ret@db/games?password=secret",
            "postgresql://me:se/cr@et@db/games",
            "postgres://db/games?user=me&password=secret",
        ] {
            let address: StoreAddress = url.parse().unwrap();
            for shown in [address.to_string(), format!("{address:?}")] {
                assert!(!shown.contains("secret") && !shown.contains("cr@et"), "{shown}");
                assert!(shown.contains("db") && shown.contains("/games"), "{shown}");
            }
        }
        let address: StoreAddress = "postgres://me@db/games".parse().unwrap();
        assert_eq!(address.to_string(), "postgres://me@db/games");
    }
}
