//! Files that only their owner may read or write: journals name people and servers.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Files that SQLite keeps beside a database.
pub(super) const SIDECARS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The path of a file that SQLite keeps beside a database.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(suffix);
    path.into()
}

/// Opens a file for reading and writing, making it if there is none. It is private from then on.
pub(super) fn open_or_create(path: &Path) -> io::Result<File> {
    let file = options().create(true).truncate(false).open(path)?;
    restrict(path);
    Ok(file)
}

/// Makes an empty private file.
///
/// # Errors
/// If there is one already, or it cannot be made.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

/// Makes a database that may not be there yet, and all that SQLite keeps beside it, private. What SQLite makes later
/// gets the database's own rights.
pub(super) fn secure_database(path: &Path) -> io::Result<()> {
    drop(open_or_create(path)?);
    for suffix in SIDECARS {
        restrict(&beside(path, suffix));
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

/// Read and written by the owner alone.
#[cfg(unix)]
const PRIVATE: u32 = 0o600;

/// Takes everybody else's rights to a file away, if there is one. Where it belongs to another user that is theirs to
/// do.
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

/// Writes what a folder lists to the medium, so that a new or renamed file is found after a crash. Not every file
/// system can do that for folders.
pub(super) fn sync_folder(of: &Path) {
    let folder = of.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Err(error) = File::open(folder).and_then(|folder| folder.sync_all()) {
        tracing::debug!(folder = %folder.display(), %error, "a folder is not synced");
    }
}
