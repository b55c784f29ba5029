//! Copies of SQLite files, which get their name when they are complete.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::private_files::{self, SIDECARS, sidecar_path};
use super::sqlite::errors::store_error;
use super::sqlite::open;
use rookery_table::ports::StoreError;

/// The interval between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The suffix of an incomplete copy's name, before the process id.
pub(super) const PARTIAL: &str = ".partial-";

/// Receives progress: the amount done and the approximate total.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// A copy before it gets its name. Dropping it deletes the file.
#[derive(Debug)]
pub(super) struct Partial(pub(super) PathBuf);

impl Partial {
    /// Creates an empty private file beside the path of the finished copy.
    pub(super) fn create(to: &Path) -> Result<Partial, StoreError> {
        let path = sidecar_path(to, &format!("{PARTIAL}{}", std::process::id()));
        // A killed process with the same id may have left a file of this name.
        drop(Partial(path.clone()));
        private_files::create_new(&path).map_err(|error| of_file(&path, &error))?;
        Ok(Partial(path))
    }

    /// Syncs the file and renames it; returns its size in bytes.
    pub(super) fn rename_into_place(self, to: &Path) -> Result<u64, StoreError> {
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

/// Returns the size of a file in bytes; 0 if there is none.
pub(super) fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Makes an error of the store that names a file.
pub(super) fn of_file(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Backend(format!("{}: {error}", path.display()))
}
