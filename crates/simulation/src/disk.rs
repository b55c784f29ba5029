//! The disk of a process: the SQLite adapter behind calls that may be slow, fail, or never come back.

mod stores;

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use rookery_store::Sqlite;
use rookery_table::ports::{Journal, StoreError};

use crate::faults::{CallFault, is_write};
use crate::store_thread::wait;
use crate::world::World;

/// The journal of one process.
pub(crate) struct Disk {
    world: Arc<World>,
    process: usize,
    journal: Arc<Sqlite>,
}

impl Disk {
    /// Opens the file of the simulation for a process.
    pub(crate) fn open(world: Arc<World>, process: usize) -> Disk {
        let journal = world.open_store();
        Disk { world, process, journal }
    }

    /// Makes a call, or fails as the plan says.
    async fn call<T: Send>(
        &self,
        name: &'static str,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let fault = self.world.faults.of_call(name);
        let counts = &self.world.counts;
        counts.journal_calls.add();
        if fault != CallFault::None {
            self.world.note_fault(|| format!("{fault:?} in {name} of process {}", self.process));
        }
        match fault {
            CallFault::Slow(by) => tokio::time::sleep(by).await,
            CallFault::FailsBefore => return Err(StoreError::Backend("the disk is full".into())),
            CallFault::CrashBefore => self.world.crash_here(self.process).await,
            CallFault::None | CallFault::FailsAfter | CallFault::CrashAfter => {}
        }
        let done = wait(work);
        if is_write(name) {
            self.world.note(|| format!("{name} by process {}: {}", self.process, done.is_ok()));
        }
        match fault {
            CallFault::FailsAfter => return Err(StoreError::Backend("the disk failed after a write".into())),
            CallFault::CrashAfter => self.world.crash_here(self.process).await,
            _ => {}
        }
        done
    }
}
