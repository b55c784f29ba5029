//! Files that only their owner may read or write: journals name people and servers.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Suffixes of the files that SQLite keeps beside a database.
pub(super) const SIDECARS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Returns the path of a file that SQLite keeps beside a database.
pub(super) fn sidecar_path(database: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(suffix);
    path.into()
}

/// Opens a file for reading and writing, or creates it, and makes it private.
pub(super) fn open_or_create(path: &Path) -> io::Result<File> {
    let file = options().create(true).truncate(false).open(path)?;
    restrict(path);
    Ok(file)
}

/// Creates an empty private file.
///
/// # Errors
/// If the file exists or cannot be created.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

/// Makes a database and its sidecar files private, and creates the database if it does not exist. SQLite
/// gives later sidecar files the mode of the database.
pub(super) fn secure_database(path: &Path) -> io::Result<()> {
    drop(open_or_create(path)?);
    for suffix in SIDECARS {
        restrict(&sidecar_path(path, suffix));
    }
    Ok(())
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(PRIVATE);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
}

/// Read and write for the owner only.
#[cfg(unix)]
const PRIVATE: u32 = 0o600;

/// Removes all rights of other users to a file, if it exists. For a file of another user this fails and is
/// only logged.
#[cfg(unix)]
fn restrict(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(metadata) = std::fs::metadata(path) else { return };
    if metadata.permissions().mode() & 0o777 == PRIVATE {
        return;
    }
    let private = std::fs::Permissions::from_mode(PRIVATE);
    if let Err(error) = std::fs::set_permissions(path, private) {
        tracing::warn!(path = %path.display(), %error, "others may read this file: its rights cannot be changed");
    }
}

#[cfg(not(unix))]
fn restrict(_path: &Path) {}

/// Syncs the folder of a file, so that a new or renamed file survives a crash. Not every file system supports
/// that.
pub(super) fn sync_folder(of: &Path) {
    let folder = of.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        tracing::debug!(folder = %folder.display(), %error, "a folder is not synced");
    }
}
