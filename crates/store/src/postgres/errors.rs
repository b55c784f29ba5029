//! Explanations of PostgreSQL's errors for the operator, with what to do about them.

use std::io::ErrorKind;

use sqlx::Error;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use super::limits::{MAX_CONNECTIONS, STATEMENT_TIMEOUT_S};
use rookery_table::ports::StoreError;

/// Converts an error of the server or the connection to an error of the journal: an explanation and the original
/// message, which never contains the password.
pub(crate) fn store_error(error: Error) -> StoreError {
    if let Error::ColumnDecode { index, source } = &error {
        return StoreError::UnreadableRow { what: format!("column {index}"), why: source.to_string() };
    }
    let text = match meaning(&error) {
        Some(meaning) => format!("{meaning} ({error})"),
        None => error.to_string(),
    };
    // Damage is reported apart, because other pages may be intact.
    if matches!(code(&error), Some("XX001" | "XX002")) {
        StoreError::Damaged(text)
    } else {
        StoreError::Backend(text)
    }
}

/// Converts an error of a write or a commit. If the connection was lost, the server may have carried it out all the
/// same.
pub(super) fn write_error(error: Error) -> StoreError {
    if is_refusal(&error) {
        return store_error(error);
    }
    StoreError::Backend(format!(
        "{}; it is unknown whether the last write was stored, so read it again before you repeat it",
        store_error(error)
    ))
}

/// Whether the server has answered that it did not carry out the statement. A fatal error only ends the connection: it
/// may come after the commit.
fn is_refusal(error: &Error) -> bool {
    let server = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    match error {
        Error::Io(_) | Error::Protocol(_) | Error::Tls(_) | Error::WorkerCrashed => false,
        _ => server.is_none_or(|server| server.severity() == PgSeverity::Error),
    }
}

/// Returns the five characters of the server's error code (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
fn code(error: &Error) -> Option<&str> {
    let server = error.as_database_error()?.try_downcast_ref::<PgDatabaseError>()?;
    Some(server.code())
}

/// Explains what happened and what to do next, for known errors.
fn meaning(error: &Error) -> Option<String> {
    match error {
        Error::PoolTimedOut => Some(format!(
            "the journal is busy: all {MAX_CONNECTIONS} connections to the database are in use"
        )),
        Error::PoolClosed => Some("the journal is closed: the program is stopping".into()),
        Error::Tls(_) => Some(
            "the connection to the database cannot be encrypted: look at sslmode and sslrootcert in its address".into(),
        ),
        Error::Io(error) => Some(of_connection(error.kind()).into()),
        Error::Protocol(_) => Some("the connection to the database broke off".into()),
        Error::Database(_) => of_code(code(error)?),
        _ => None,
    }
}

fn of_connection(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::ConnectionRefused | ErrorKind::NotFound => {
            "no database server answers: start it, or correct the host and port in its address"
        }
        ErrorKind::PermissionDenied => {
            "the socket of the database server may not be used: look at the rights of its folder"
        }
        ErrorKind::TimedOut | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            "the database server cannot be reached: look at the network, and at the host and port in its address"
        }
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof => "the connection to the database was cut; the next call makes a new one",
        _ => "the connection to the database failed: look at the network and the host in its address",
    }
}

fn of_code(code: &str) -> Option<String> {
    let meaning = match code {
        "28P01" | "28000" => {
            "the database server refuses the user or the password: correct them in the address of the database"
        }
        "3D000" => "there is no such database: create it, or correct its name in the address",
        "42501" => "the database's user lacks a right: make it the owner of the database",
        "42P01" | "42703" | "3F000" => {
            "a table of the journal is missing or different: has something else changed the database?"
        }
        "53100" => {
            "there is no space left on the database server's disk: free some, and it goes on by itself"
        }
        "53200" => "the database server is out of memory; it goes on once there is some",
        "53300" => "the database server has too many connections: close some, or raise max_connections there",
        "25006" => {
            "the database can only be read: use the primary server's address, or look at default_transaction_read_only"
        }
        "57P01" | "57P02" => {
            "the database server is shutting down, or ended this connection; the next call tries again"
        }
        "57P03" => "the database server is starting up or shutting down; it goes on by itself",
        "57014" => {
            return Some(format!(
                "the database did not finish within {STATEMENT_TIMEOUT_S} s: it is overloaded, or another write holds a lock"
            ));
        }
        "40001" | "40P01" | "55P03" => "another write got in the way; this one may be repeated",
        "58030" => "the database server cannot read or write its disk: look at that system's log",
        "XX001" | "XX002" => {
            "the database is damaged: stop the server, copy its folder, and restore a backup of the database"
        }
        _ if code.starts_with("08") => {
            "the connection to the database broke off; the next call makes a new one"
        }
        _ => return None,
    };
    Some(meaning.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_server_say_what_to_do() {
        for (code, part) in [
            ("28P01", "correct them"),
            ("3D000", "create it"),
            ("53100", "free some"),
            ("53300", "raise max_connections"),
            ("25006", "primary server"),
            ("57P01", "tries again"),
            ("57014", "within 30 s"),
            ("08006", "makes a new one"),
            ("XX001", "restore a backup"),
        ] {
            assert!(of_code(code).unwrap().contains(part), "{code}");
        }
        assert_eq!(of_code("42601"), None);
    }

    #[test]
    fn lost_connection_leaves_the_outcome_of_a_write_unknown() {
        let lost = || Error::Io(ErrorKind::ConnectionReset.into());
        assert!(write_error(lost()).to_string().contains("it is unknown whether"));
        assert!(!store_error(lost()).to_string().contains("unknown"), "a read has no outcome");
        assert!(!write_error(Error::PoolTimedOut).to_string().contains("unknown"), "it was never sent");
    }
}
