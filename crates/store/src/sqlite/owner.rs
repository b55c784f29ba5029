//! The ownership of a journal file by one process: an operating system lock on a file beside it, whose text
//! names the owner. The lock ends with the process, so that a crashed one blocks nobody.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::host_name::host_name;
use crate::private_files;
use rookery_table::ports::StoreError;

/// The exclusive right of this process to write to a journal file, until it is dropped.
#[derive(Debug)]
pub(crate) struct Ownership {
    lock: File,
}

impl Ownership {
    /// Acquires the right to write to the file at `journal`, which need not exist yet.
    ///
    /// # Errors
    /// If another process owns the file (the message names it), or the lock file cannot be written.
    pub(crate) fn take(journal: &Path) -> Result<Ownership, StoreError> {
        let path = lock_path(journal);
        let mut lock = private_files::open_or_create(&path).map_err(|error| unusable(&path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(journal, &mut lock)),
            Err(TryLockError::Error(error)) => return Err(unusable(&path, &error)),
        }
        write_owner(&mut lock).map_err(|error| unusable(&path, &error))?;
        Ok(Ownership { lock })
    }
}

impl Drop for Ownership {
    fn drop(&mut self) {
        // The text only serves error messages; closing the file releases the lock.
        let _ = self.lock.set_len(0);
    }
}

/// Returns the path of the lock file: beside the real journal, also when `journal` is a symbolic link.
fn lock_path(journal: &Path) -> PathBuf {
    let real = std::fs::canonicalize(journal).unwrap_or_else(|_| journal.to_owned());
    let mut path = OsString::from(real);
    path.push(".lock");
    path.into()
}

fn write_owner(lock: &mut File) -> std::io::Result<()> {
    lock.set_len(0)?;
    lock.rewind()?;
    let since = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
    write!(lock, "process {} on {}, running since {since}", std::process::id(), host_name())
}

fn taken(journal: &Path, lock: &mut File) -> StoreError {
    let mut owner = String::new();
    // The owner stays unnamed if its lock prevents reading or it is still writing its name.
    let read = lock.read_to_string(&mut owner);
    let owner = if read.is_err() || owner.is_empty() { "another process" } else { owner.as_str() };
    StoreError::Backend(format!(
        "the journal {} is in use by {owner}. Only one Rookery may use a file: stop that one first, or choose \
         another file with store.url",
        journal.display()
    ))
}

fn unusable(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Backend(format!(
        "the lock {} beside the journal cannot be taken: {error}; store.url says where the journal is, and its \
         folder must be there and be ours to write in",
        path.display()
    ))
}
