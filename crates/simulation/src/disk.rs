//! The disk of a process: the SQLite adapter behind calls that may be slow, fail, or never come back.

mod cluster;
mod stores;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use jiff::Timestamp;
use rookery_store::Sqlite;
use rookery_table::ports::{Journal, StoreError};

use crate::faults::{CallFault, is_write};
use crate::leases::Member;
use crate::store_thread::wait;
use crate::world::World;

/// The journal of one process.
pub(crate) struct Disk {
    world: Arc<World>,
    process: usize,
    /// Its number among those that share the store.
    member: Member,
    journal: Arc<Sqlite>,
}

impl Disk {
    /// Opens the file of the simulation for a process.
    pub(crate) fn open(world: Arc<World>, process: usize) -> Disk {
        let journal = world.open_store();
        let member = world.leases.join();
        world.processes[process].member.store(member, Ordering::Relaxed);
        Disk { world, process, member, journal }
    }

    /// Gives up what the process has claimed, as closing the store does.
    pub(crate) fn leave(&self) {
        self.world.leases.leave(self.member);
    }

    fn is_shared(&self) -> bool {
        self.world.processes.len() > 1
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
        if let Some(rest) = self.world.stall_of(self.process) {
            tokio::time::sleep(rest).await;
        }
        match fault {
            CallFault::Slow(by) => tokio::time::sleep(by).await,
            CallFault::FailsBefore => return Err(StoreError::Backend("the disk is full".into())),
            CallFault::CrashBefore => self.world.crash_here(self.process).await,
            CallFault::None | CallFault::FailsAfter | CallFault::CrashAfter => {}
        }
        if is_write(name) {
            self.world.leases.reconnect(self.member);
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
