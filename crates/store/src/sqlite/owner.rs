//! One process owns a file: an operating system's lock on a file beside it, whose text names the owner. The lock goes
//! with the process however that ends, so that what a dead one left blocks nobody.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::private_files;
use rookery_table::ports::StoreError;

/// The right of this process to write to a journal's file, for as long as this is kept.
#[derive(Debug)]
pub struct Ownership {
    lock: File,
}

impl Ownership {
    /// Takes the right to write to the file at `journal`, which need not be there yet.
    ///
    /// # Errors
    /// If another process has it: the message names that one. If the lock's file cannot be written.
    pub fn take(journal: &Path) -> Result<Ownership, StoreError> {
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
        // The text only serves who is refused; the lock itself goes with the file's closing.
        let _ = self.lock.set_len(0);
    }
}

/// The lock's file: beside the journal's, wherever a link leads to that.
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
    // Where a lock keeps others from reading, or the owner is just writing its name, it stays unnamed.
    let read = lock.read_to_string(&mut owner);
    let owner = if read.is_err() || owner.is_empty() { "another process" } else { owner.as_str() };
    StoreError::Backend(format!(
        "the journal {} is in use by {owner}. Only one Rookery may use a file: stop that one first, or choose \
         another file with store.path",
        journal.display()
    ))
}

fn unusable(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Backend(format!(
        "the lock {} beside the journal cannot be taken: {error}; store.path says where the journal is, and its \
         folder must be there and be ours to write in",
        path.display()
    ))
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this machine".to_owned())
}
