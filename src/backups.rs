//! The backups of this process: at intervals, and when an operator asks for one.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use rookery::discord::{Backup, BackupMaker};
use rookery::shutdown::Stop;
use rookery_store::Rotation;
use rookery_table::ports::{LeaderTask, StoreError};
use rookery_table::registry::TableRegistry;
use rookery_tasks::{TaskSpec, heartbeat};
use tokio::sync::Mutex;

/// The interval between looks whether a backup is due.
const MINUTE: Duration = Duration::from_secs(60);
/// The name of the task that makes backups.
const BACKUPS: &str = "backups";
/// The longest duration of a backup, during which the task sends no heartbeat.
const BACKUPS_INTERVAL: Duration = Duration::from_secs(600);

/// Makes one backup at a time: each deletes what an interrupted one has left in the folder.
pub(crate) struct Backups(Mutex<Rotations>);

struct Rotations {
    periodic: Rotation,
    /// Always due. It is copied for each use, because a rotation waits after a failure.
    at_once: Rotation,
}

impl Backups {
    /// Makes a backup each `every`; `rotation` creates a rotation for an interval.
    pub(crate) fn new(every: Duration, rotation: impl Fn(Duration) -> Rotation) -> Backups {
        let (periodic, at_once) = (rotation(every), rotation(Duration::ZERO));
        Backups(Mutex::new(Rotations { periodic, at_once }))
    }

    /// Makes a backup if one is due; returns its path.
    ///
    /// # Errors
    /// Those of [`Rotation::run_if_due`].
    pub(crate) async fn make_if_due(&self, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
        self.0.lock().await.periodic.run_if_due(now).await
    }
}

#[async_trait]
impl BackupMaker for Backups {
    async fn back_up(&self, now: Timestamp) -> Result<Backup, String> {
        let rotations = self.0.lock().await;
        let made = rotations.at_once.clone().run_if_due(now).await.map_err(|error| error.to_string())?;
        let path = made.ok_or("no backup was due")?;
        let bytes = std::fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?.len();
        Ok(Backup { path, bytes })
    }
}

/// Starts the task that makes backups when they are due, until the program stops.
pub(crate) fn start(registry: &Arc<TableRegistry>, backups: Arc<Backups>, stop: &Stop) {
    let task = TaskSpec { name: BACKUPS, interval: Some(BACKUPS_INTERVAL) };
    let (of, until) = (registry.clone(), stop.clone());
    let work = move || run(backups.clone(), of.clone(), until.clone());
    drop(registry.tasks().supervise(task, stop.clone(), work));
}

/// Makes a backup when one is due. A failure is only logged.
async fn run(backups: Arc<Backups>, registry: Arc<TableRegistry>, stop: Stop) {
    let mut minutes = tokio::time::interval(MINUTE);
    loop {
        heartbeat();
        tokio::select! {
            biased;
            _ = minutes.tick() => {}
            () = stop.finishing() => return,
        }
        if !registry.leads(LeaderTask::Backups).await {
            continue;
        }
        let made = tokio::select! {
            biased;
            made = backups.make_if_due(registry.now()) => made,
            () = stop.leaving() => return,
        };
        match made {
            Ok(None) => {}
            Ok(Some(path)) => {
                tracing::info!(path = %path.display(), "backup written");
                registry.tasks().set_failure(BACKUPS, None);
            }
            Err(error) => {
                tracing::error!(%error, "backup failed; trying again in ten minutes");
                registry.tasks().set_failure(BACKUPS, Some(error.to_string()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rookery_store::{Sqlite, StoreAddress};

    use super::*;

    #[tokio::test]
    async fn backup_on_request_is_made_although_none_is_due_and_after_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let (path, into) = (folder.path().join("journal.sqlite"), folder.path().join("backups"));
        let every = Duration::from_secs(3_600);
        let backups =
            Backups::new(every, |every| Rotation::new(&StoreAddress::Sqlite(path.clone()), &into, every, 7));
        let now = Timestamp::constant(1_800_000_000, 0);
        assert!(backups.back_up(now).await.is_err(), "there is no journal yet");
        Sqlite::open(&path).await.unwrap().close().await;
        let first = backups.back_up(now + Duration::from_secs(1)).await.unwrap();
        assert_eq!(first.bytes, std::fs::metadata(&first.path).unwrap().len());
        assert_eq!(
            backups.make_if_due(now + Duration::from_secs(2)).await.unwrap(),
            None,
            "one was just made"
        );
        let second = backups.back_up(now + Duration::from_secs(3)).await.unwrap();
        assert!(first.path != second.path && first.path.exists() && second.path.exists());
    }
}
