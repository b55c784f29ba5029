//! Explanations of SQLite's errors for the operator, with what to do about them.

use sqlx::Error;

use rookery_table::ports::StoreError;

/// SQLite's primary result codes: the lowest byte of an extended code
/// (<https://www.sqlite.org/rescode.html>).
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READONLY: i32 = 8;
const IOERR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const NOTADB: i32 = 26;

/// Converts an error of SQLite to an error of the journal: an explanation and SQLite's own message.
pub(crate) fn store_error(error: Error) -> StoreError {
    if let Error::ColumnDecode { index, source } = &error {
        return StoreError::UnreadableRow { what: format!("column {index}"), why: source.to_string() };
    }
    let text = match meaning(&error) {
        Some(meaning) => format!("{meaning} ({error})"),
        None => error.to_string(),
    };
    // Damage is reported apart, because other pages of the file may be intact.
    if primary(&error) == Some(CORRUPT) { StoreError::Damaged(text) } else { StoreError::Backend(text) }
}

/// Returns SQLite's primary result code, if the error is from SQLite.
fn primary(error: &Error) -> Option<i32> {
    let code = error.as_database_error()?.code()?.parse::<i32>().ok()?;
    Some(code & 0xff)
}

/// Explains what happened and what to do next, for known errors.
fn meaning(error: &Error) -> Option<&'static str> {
    match error {
        Error::PoolTimedOut => Some("the journal is busy: another write takes too long"),
        Error::PoolClosed => Some("the journal is closed: the program is stopping"),
        Error::Database(_) => of_code(primary(error)?),
        _ => None,
    }
}

fn of_code(primary: i32) -> Option<&'static str> {
    Some(match primary {
        BUSY | LOCKED => "another program holds the journal's file; it goes on once that lets go of it",
        READONLY => "the journal's file cannot be written: look at its owner and rights",
        IOERR => "the disk cannot be read or written: look at the system's log",
        CORRUPT | NOTADB => {
            "the journal's file is damaged: `rookery check` says where, `rookery restore` takes a backup"
        }
        FULL => "there is no space left for the journal: free some, and it goes on by itself",
        CANTOPEN => "the journal's file cannot be opened: look at its folder",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error of SQLite with an extended code.
    #[derive(Debug, thiserror::Error)]
    #[error("disk I/O error")]
    struct Reported(i32);

    impl sqlx::error::DatabaseError for Reported {
        fn message(&self) -> &str {
            "disk I/O error"
        }
        fn code(&self) -> Option<std::borrow::Cow<'_, str>> {
            Some(self.0.to_string().into())
        }
        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }
        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }
        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }
        fn kind(&self) -> sqlx::error::ErrorKind {
            sqlx::error::ErrorKind::Other
        }
    }

    /// Extended codes: 778 is a failed write, 267 a damaged virtual table, 522 a short read.
    #[test]
    fn errors_of_the_medium_are_told_apart_by_their_primary_code() {
        let of = |code| store_error(Error::Database(Box::new(Reported(code))));
        for (code, part) in [(10, "look at the system's log"), (778, "the system's log"), (522, "the disk")] {
            let StoreError::Backend(why) = of(code) else { panic!("{code}") };
            assert!(why.contains(part) && why.contains("disk I/O error"), "{why}");
        }
        for code in [11, 267] {
            assert!(
                matches!(of(code), StoreError::Damaged(why) if why.contains("rookery restore")),
                "{code}"
            );
        }
        assert!(matches!(of(26), StoreError::Backend(_)), "no page of it can be read");
    }

    #[test]
    fn errors_of_the_medium_say_what_to_do() {
        for (code, part) in [
            (10, "the disk cannot be read or written"),
            (13, "free some"),
            (11, "rookery check"),
            (26, "damaged"),
            (5, "holds"),
        ] {
            assert!(of_code(code).unwrap().contains(part), "{code}");
        }
        assert_eq!(of_code(1), None);
        let error = store_error(Error::PoolTimedOut).to_string();
        assert!(error.starts_with("the journal is busy") && error.contains("pool timed out"), "{error}");
    }
}
