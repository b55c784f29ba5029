//! The address of a store: a file or a database.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::postgres::open::{connect_options, shown_address};

/// Where a journal is. Its text never contains a password.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database, as a URL that may contain a password.
    Postgres(String),
}

/// Why a text is not the address of a store. It never contains a password.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreAddressError {
    /// It begins with no known scheme.
    #[error("{0} the address of a store: write sqlite:FILE or postgres://user:password@host:5432/database")]
    UnknownScheme(String),
    /// It names no file.
    #[error(
        "sqlite: names no file: write the path of the file behind it, for instance sqlite:rookery.sqlite"
    )]
    NoFile,
    /// It is not a URL of a database.
    #[error("{0}")]
    Database(String),
}

impl FromStr for StoreAddress {
    type Err = StoreAddressError;

    /// Reads `sqlite:FILE`, `postgres://…` or `postgresql://…`.
    fn from_str(text: &str) -> Result<StoreAddress, StoreAddressError> {
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            let parsed = connect_options(text);
            parsed.map_err(|error| StoreAddressError::Database(error.to_string()))?;
            return Ok(StoreAddress::Postgres(text.to_owned()));
        }
        let Some(file) = text.strip_prefix("sqlite:") else {
            // A misspelled scheme may have a password behind it.
            let what = if text.contains('@') { "this is not".to_owned() } else { format!("{text:?} is not") };
            return Err(StoreAddressError::UnknownScheme(what));
        };
        match file.strip_prefix("//").unwrap_or(file) {
            "" => Err(StoreAddressError::NoFile),
            file => Ok(StoreAddress::Sqlite(PathBuf::from(file))),
        }
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAddress::Sqlite(file) => write!(f, "sqlite:{}", file.display()),
            StoreAddress::Postgres(url) => f.write_str(&shown_address(url)),
        }
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> StoreAddress {
        text.parse().unwrap()
    }

    #[test]
    fn address_of_a_store_is_read() {
        for (text, file) in [
            ("sqlite:rookery.sqlite", "rookery.sqlite"),
            ("sqlite:/var/lib/rookery.sqlite", "/var/lib/rookery.sqlite"),
            ("sqlite:///var/lib/rookery.sqlite", "/var/lib/rookery.sqlite"),
            ("sqlite://data/rookery.sqlite", "data/rookery.sqlite"),
        ] {
            assert_eq!(read(text), StoreAddress::Sqlite(file.into()), "{text}");
            assert_eq!(read(&read(text).to_string()), read(text));
        }
        for url in ["postgres://me:secret@host:7/db", "postgresql://host/db"] {
            assert_eq!(read(url), StoreAddress::Postgres(url.into()));
        }
    }

    #[test]
    fn address_of_a_store_is_shown_without_its_password() {
        for (url, shown) in [
            ("postgres://me:secret@host:7/db", "postgres://host:7/db"),
            ("postgresql://me:secret@host/db?application_name=x", "postgres://host:5432/db"),
            ("postgres://me:secret@host/db?host=/run/pg", "postgres:///db?host=/run/pg"),
        ] {
            assert_eq!(read(url).to_string(), shown);
            assert_eq!(format!("{:?}", read(url)), shown);
        }
        let malformed = StoreAddress::Postgres("postgres://me:secret@host:no/db".into());
        assert_eq!(malformed.to_string(), "postgres://…");
    }

    #[test]
    fn address_of_a_store_that_is_none_is_explained_without_its_password() {
        let why = |text: &str| text.parse::<StoreAddress>().unwrap_err().to_string();
        assert!(why("rookery.sqlite").starts_with("\"rookery.sqlite\" is not the address of a store: write"));
        assert!(why("sqlite:").contains("names no file"));
        assert!(why("postgres:db").contains("is not like postgres://"));
        for text in ["postgrs://me:secret@host/db", "postgres://me:secret@host:no/db", "me:secret@host"] {
            assert!(!why(text).contains("secret"), "{}", why(text));
        }
    }
}
