//! Backups: one complete file each, made while the bot runs; and how one takes a journal's place.

use crate::sqlite::errors::store_error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::check::{self, Report};
use super::private_files::{self, SIDECARS, beside};
use super::sqlite::open;
use super::sqlite::owner::Ownership;
use rookery_table::ports::StoreError;

/// How often progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// What follows on a file's name in the name of a copy that is not complete yet; then comes the process.
pub(super) const PARTIAL: &str = ".partial-";

/// Hears how far something that takes long has come: what is done, and about how much there is.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Whether a file that is there already may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is done.
    Keep,
    /// It is replaced, once the new one is complete.
    Replace,
}

/// Whether a backup in which something is wrong may be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It is refused, and the journal stays as it is.
    Refuse,
    /// It is taken as it is.
    Accept,
}

/// What was restored.
#[derive(Debug)]
pub struct Restored {
    /// What the check of the backup found.
    pub report: Report,
    /// Where the journal is kept that stood there before, if one did.
    pub replaced: Option<PathBuf>,
}

/// Why a backup was not restored; the journal is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file could not be read or written, or a bot runs on the journal.
    #[error(transparent)]
    Journal(#[from] StoreError),
    /// Something is wrong with the backup.
    #[error("the backup is damaged, so nothing was restored")]
    Damaged(Box<Report>),
}

/// Copies the journal at `from`, also while a bot writes to it, into one complete file at `to`, and tells progress in
/// bytes. The copy is checked and on the medium before it gets its name. Its size in bytes.
///
/// # Errors
/// If there is no journal, one of the files cannot be read or written, or there is a file at `to` that must stay.
pub async fn back_up(
    from: &Path,
    to: &Path,
    existing: Existing,
    progress: Progress<'_>,
) -> Result<u64, StoreError> {
    refuse_same(from, to)?;
    may_take(to, existing)?;
    let partial = copy(from, to, progress).await?;
    complete(&partial.0).await.map_err(|error| of_file(&partial.0, &error))?;
    may_take(to, existing)?;
    let bytes = partial.take_name(to)?;
    Ok(bytes)
}

/// Puts a backup in the place of the journal. The backup is copied, brought to this version's schema and checked
/// first; what stood in its place is kept under another name. Progress is told in bytes, then in tables.
///
/// # Errors
/// If a bot runs on the journal, the backup cannot be read, is damaged, or is no journal of this version or an older.
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
    partial.take_name(journal)?;
    Ok(Restored { report, replaced })
}

/// A copy that has not got its name yet. Dropped, it is deleted.
#[derive(Debug)]
pub(super) struct Partial(pub(super) PathBuf);

impl Partial {
    /// An empty private file beside where it is to be.
    fn create(to: &Path) -> Result<Partial, StoreError> {
        let path = beside(to, &format!("{PARTIAL}{}", std::process::id()));
        // One that a process of the same number left behind when it was killed is nobody's.
        drop(Partial(path.clone()));
        private_files::create_new(&path).map_err(|error| of_file(&path, &error))?;
        Ok(Partial(path))
    }

    /// Writes it to the medium and gives it its name; its size in bytes.
    fn take_name(self, to: &Path) -> Result<u64, StoreError> {
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
        // It may have got its name, and mostly there is nothing beside it.
        let _ = std::fs::remove_file(&self.0);
        for suffix in SIDECARS {
            let _ = std::fs::remove_file(beside(&self.0, suffix));
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

/// Writes all that a database holds into an empty file, and tells the bytes written so far.
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

/// What the pages that are in use take, in bytes.
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

/// A copy takes a name alone: what still stood in the log beside it would be lost.
fn refuse_log(path: &Path) -> Result<(), StoreError> {
    let log = beside(path, "-wal");
    match size(&log) {
        0 => Ok(()),
        bytes => {
            let why = format!("{bytes} bytes of the copy are only in this log, so nothing was restored");
            Err(of_file(&log, &why))
        }
    }
}

/// Looks whether a copy is a whole database.
async fn complete(path: &Path) -> Result<(), StoreError> {
    let mut copy = open::read_only(path).connect().await.map_err(store_error)?;
    let found: String =
        sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut copy).await.map_err(store_error)?;
    copy.close().await.map_err(store_error)?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Backend(format!("the copy is damaged: {found}"))) }
}

fn may_take(to: &Path, existing: Existing) -> Result<(), StoreError> {
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

/// Keeps the journal under another name, if there is one. At every moment a journal stands in its place: a bot that
/// is started after a crash in between must not begin an empty one.
async fn set_aside(journal: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !journal.exists() {
        return Ok(None);
    }
    if let Err(error) = fold_in(journal).await {
        tracing::warn!(%error, "what stands beside the journal that is replaced cannot be folded into it");
    }
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let names =
        (1..).map(|n| if n == 1 { format!(".replaced-{now}") } else { format!(".replaced-{now}-{n}") });
    let mut names = names.map(|name| beside(journal, &name));
    let aside = names.find(|name| !name.exists()).expect("the numbers do not end");
    let moved = || {
        std::fs::hard_link(journal, &aside).or_else(|_| std::fs::copy(journal, &aside).map(drop))?;
        for suffix in SIDECARS.iter().filter(|suffix| beside(journal, suffix).exists()) {
            std::fs::rename(beside(journal, suffix), beside(&aside, suffix))?;
        }
        private_files::secure_database(&aside)
    };
    moved().map_err(|error: std::io::Error| of_file(&aside, &error))?;
    Ok(Some(aside))
}

/// Writes what stands in the log beside a database into it.
async fn fold_in(journal: &Path) -> Result<(), sqlx::Error> {
    let mut connection = SqliteConnectOptions::new().filename(journal).connect().await?;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await?;
    connection.close().await
}
