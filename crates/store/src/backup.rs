//! Backups: each is one complete file, made while the bot runs. A backup can replace the journal.

use crate::sqlite::errors::store_error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::check::{self, Report};
use super::move_store::copy_snapshot;
use super::private_files::{self, SIDECARS, sidecar_path};
use super::sqlite::open;
use super::sqlite::owner::Ownership;
use super::store_address::StoreAddress;
use rookery_table::ports::StoreError;

/// The interval between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The suffix of an incomplete copy's name, before the process id.
pub(super) const PARTIAL: &str = ".partial-";

/// Receives progress: the amount done and the approximate total.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

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

/// A copy before it gets its name. Dropping it deletes the file.
#[derive(Debug)]
pub(super) struct Partial(pub(super) PathBuf);

impl Partial {
    /// Creates an empty private file beside the path of the finished copy.
    fn create(to: &Path) -> Result<Partial, StoreError> {
        let path = sidecar_path(to, &format!("{PARTIAL}{}", std::process::id()));
        // A killed process with the same id may have left a file of this name.
        drop(Partial(path.clone()));
        private_files::create_new(&path).map_err(|error| of_file(&path, &error))?;
        Ok(Partial(path))
    }

    /// Syncs the file and renames it; returns its size in bytes.
    fn rename_into_place(self, to: &Path) -> Result<u64, StoreError> {
        let named = || {
            let file = File::open(&self.0)?;
            file.sync_all()?;
            std::fs::rename(&self.0, to)?;
            private_files::sync_folder(to);
            Ok(file.metadata()?.len())
        };
        named().map_err(|error: std::io::Error| of_file(to, &error))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After a rename the file is gone, and usually there are no sidecar files.
        let _ = std::fs::remove_file(&self.0);
        for suffix in SIDECARS {
            let _ = std::fs::remove_file(sidecar_path(&self.0, suffix));
        }
    }
}

/// Copies a journal, as of one moment, into a file beside `to`.
pub(super) async fn copy(from: &Path, to: &Path, progress: Progress<'_>) -> Result<Partial, StoreError> {
    let there = from.is_file();
    there.then_some(()).ok_or_else(|| of_file(from, &"there is no such file"))?;
    let partial = Partial::create(to)?;
    let copied = async {
        let mut source = open::read_only(from).connect().await?;
        let total = used_bytes(&mut source).await?;
        vacuum_into(&mut source, &partial.0, &|done| progress(done, total)).await?;
        source.close().await
    };
    let copied: Result<(), sqlx::Error> = copied.await;
    copied.map_err(|error| of_file(from, &store_error(error)))?;
    Ok(partial)
}

/// Writes all pages of a database into an empty file, and reports the bytes written so far.
async fn vacuum_into(
    source: &mut SqliteConnection,
    to: &Path,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), sqlx::Error> {
    let copying = sqlx::query("VACUUM INTO ?").bind(to.to_string_lossy().into_owned()).execute(source);
    tokio::pin!(copying);
    loop {
        tokio::select! {
            done = &mut copying => return done.map(drop),
            () = tokio::time::sleep(PROGRESS_INTERVAL) => progress(size(to)),
        }
    }
}

/// Returns the size of the pages in use, in bytes.
async fn used_bytes(source: &mut SqliteConnection) -> Result<u64, sqlx::Error> {
    let mut pragma = async |name: &str| -> Result<u64, sqlx::Error> {
        let sql = sqlx::AssertSqlSafe(format!("PRAGMA {name}"));
        let value: i64 = sqlx::query_scalar(sql).fetch_one(&mut *source).await?;
        Ok(value.unsigned_abs())
    };
    let pages = pragma("page_count").await?.saturating_sub(pragma("freelist_count").await?);
    Ok(pages * pragma("page_size").await?)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
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

pub(super) fn of_file(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Backend(format!("{}: {error}", path.display()))
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
