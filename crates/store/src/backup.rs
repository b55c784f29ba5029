//! Backups: each is one complete file, made while the bot runs. A backup can replace the journal.

use crate::sqlite::errors::store_error;
use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::check::{self, Report};
use super::file_copy::{Partial, Progress, copy, of_file, size};
use super::move_store::copy_snapshot;
use super::private_files::{self, SIDECARS, sidecar_path};
use super::sqlite::open;
use super::sqlite::owner::Ownership;
use super::store_address::StoreAddress;
use rookery_table::ports::StoreError;

/// Whether an existing file may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Keep the existing file, and do nothing.
    Keep,
    /// Replace the existing file once the new one is complete.
    Replace,
}

/// Whether a damaged backup may be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Refuse the backup; the journal stays unchanged.
    Refuse,
    /// Restore the backup in spite of the damage.
    Accept,
}

/// The outcome of a restore.
#[derive(Debug)]
pub struct Restored {
    /// The check of the backup.
    pub report: Report,
    /// The new path of the journal that was replaced, if there was one.
    pub replaced: Option<PathBuf>,
}

/// Why a backup was not restored. The journal is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file could not be read or written, or a bot runs on the journal.
    #[error(transparent)]
    Journal(#[from] StoreError),
    /// The check of the backup found damage.
    #[error("the backup is damaged, so nothing was restored")]
    Damaged(Box<Report>),
}

/// Copies the journal at `from` into one complete file at `to`, also while a bot writes to it. Progress is in
/// bytes. The copy is checked and synced before it gets its name. Returns its size in bytes.
///
/// # Errors
/// If there is no journal, one of the files cannot be read or written, or a file at `to` must be kept.
pub async fn back_up(
    from: &Path,
    to: &Path,
    existing: Existing,
    progress: Progress<'_>,
) -> Result<u64, StoreError> {
    refuse_same(from, to)?;
    check_target(to, existing)?;
    let partial = copy(from, to, progress).await?;
    complete(&partial.0).await.map_err(|error| of_file(&partial.0, &error))?;
    check_target(to, existing)?;
    let bytes = partial.rename_into_place(to)?;
    Ok(bytes)
}

/// Copies a journal, wherever it is, into one complete SQLite file at `to`, also while a bot writes to it. A database is
/// read as of one moment, and every record of the copy is compared with it; progress is then in records. Otherwise this is
/// [`back_up`].
///
/// # Errors
/// If the journal cannot be read, the file cannot be written, or a file at `to` must be kept.
pub async fn back_up_store(
    from: &StoreAddress,
    to: &Path,
    existing: Existing,
    progress: Progress<'_>,
) -> Result<u64, StoreError> {
    let url = match from {
        StoreAddress::Sqlite(path) => return back_up(path, to, existing, progress).await,
        StoreAddress::Postgres(url) => url,
    };
    check_target(to, existing)?;
    let partial = Partial::create(to)?;
    let copied = copy_snapshot(url, &partial.0, progress).await;
    copied.map_err(|error| StoreError::Backend(error.to_string()))?;
    complete(&partial.0).await.map_err(|error| of_file(&partial.0, &error))?;
    check_target(to, existing)?;
    partial.rename_into_place(to)
}

/// Replaces the journal with a backup. The backup is first copied, upgraded to this version's schema and
/// checked; the previous journal is kept under another name. Progress is in bytes, then in tables.
///
/// # Errors
/// If a bot runs on the journal, or the backup cannot be read, is damaged, or is not a journal of this
/// version or an older one.
pub async fn restore(
    journal: &Path,
    from: &Path,
    damage: Damage,
    progress: Progress<'_>,
) -> Result<Restored, RestoreError> {
    let _owner = Ownership::take(journal)?;
    refuse_same(from, journal)?;
    open::version(from).await.map_err(|error| of_file(from, &error))?;
    let partial = copy(from, journal, progress).await?;
    open::upgrade(&partial.0).await.map_err(|error| of_file(from, &error))?;
    let report = check::check(&partial.0, progress).await?;
    if !report.is_sound() && damage == Damage::Refuse {
        return Err(RestoreError::Damaged(Box::new(report)));
    }
    refuse_log(&partial.0)?;
    let replaced = set_aside(journal).await?;
    partial.rename_into_place(journal)?;
    Ok(Restored { report, replaced })
}

/// Refuses a file with a write-ahead log: a restore copies the file alone and would lose what the log holds.
fn refuse_log(path: &Path) -> Result<(), StoreError> {
    let log = sidecar_path(path, "-wal");
    match size(&log) {
        0 => Ok(()),
        bytes => {
            let why = format!("{bytes} bytes of the copy are only in this log, so nothing was restored");
            Err(of_file(&log, &why))
        }
    }
}

/// Checks that a copy is a whole database.
async fn complete(path: &Path) -> Result<(), StoreError> {
    let mut copy = open::read_only(path).connect().await.map_err(store_error)?;
    let found: String =
        sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut copy).await.map_err(store_error)?;
    copy.close().await.map_err(store_error)?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Backend(format!("the copy is damaged: {found}"))) }
}

fn check_target(to: &Path, existing: Existing) -> Result<(), StoreError> {
    if to.is_dir() {
        return Err(of_file(to, &"this is a folder: name a file in it"));
    }
    if to.exists() && existing == Existing::Keep {
        return Err(of_file(to, &"this file is there already: choose another name, or add --overwrite"));
    }
    Ok(())
}

fn refuse_same(one: &Path, other: &Path) -> Result<(), StoreError> {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(a), Ok(b)) if a == b => Err(of_file(one, &"this is the journal itself: name another file")),
        _ => Ok(()),
    }
}

/// Moves the existing journal to another name, if there is one. A journal exists under its name at every
/// moment: otherwise a bot that starts after a crash in between would begin an empty one.
async fn set_aside(journal: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !journal.exists() {
        return Ok(None);
    }
    if let Err(error) = checkpoint_wal(journal).await {
        tracing::warn!(%error, "what stands beside the journal that is replaced cannot be folded into it");
    }
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let names =
        (1..).map(|n| if n == 1 { format!(".replaced-{now}") } else { format!(".replaced-{now}-{n}") });
    let mut names = names.map(|name| sidecar_path(journal, &name));
    let aside = names.find(|name| !name.exists()).expect("the numbers do not end");
    let moved = || {
        std::fs::hard_link(journal, &aside).or_else(|_| std::fs::copy(journal, &aside).map(drop))?;
        for suffix in SIDECARS.iter().filter(|suffix| sidecar_path(journal, suffix).exists()) {
            std::fs::rename(sidecar_path(journal, suffix), sidecar_path(&aside, suffix))?;
        }
        private_files::secure_database(&aside)
    };
    moved().map_err(|error: std::io::Error| of_file(&aside, &error))?;
    Ok(Some(aside))
}

/// Writes the contents of the write-ahead log into the database file.
async fn checkpoint_wal(journal: &Path) -> Result<(), sqlx::Error> {
    let mut connection = SqliteConnectOptions::new().filename(journal).connect().await?;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await?;
    connection.close().await
}
