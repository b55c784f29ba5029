//! Periodic backups by the running bot: one per interval into a folder, and the oldest are deleted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::SignedDuration;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::backup::{self, Existing};
use super::file_copy::{PARTIAL, of_file};
use super::store_address::StoreAddress;
use rookery_table::ports::StoreError;

/// The format of the time in a backup's name, in UTC.
const MOMENT: &str = "%Y%m%dT%H%M%SZ";
/// The extension of a backup's name.
const ENDING: &str = ".sqlite";
/// The delay after a failed backup before the next attempt.
const AFTER_FAILURE: Duration = Duration::from_secs(600);

/// When and where periodic backups are made.
#[derive(Clone, Debug)]
pub struct Rotation {
    journal: StoreAddress,
    folder: PathBuf,
    every: Duration,
    kept: usize,
    /// The earliest time of the next attempt.
    not_before: Timestamp,
}

impl Rotation {
    /// Makes a backup of `journal` into `folder` each `every`, and keeps the latest `kept` of them, at least
    /// one.
    pub fn new(journal: &StoreAddress, folder: &Path, every: Duration, kept: usize) -> Rotation {
        let (journal, folder) = (journal.clone(), folder.to_owned());
        Rotation { journal, folder, every, kept: kept.max(1), not_before: Timestamp::MIN }
    }

    /// Makes a backup if the latest one in the folder is old enough, and returns its path. After a failure,
    /// calls do nothing until `AFTER_FAILURE` has passed.
    ///
    /// # Errors
    /// If the folder cannot be read or written, or the journal cannot be copied.
    pub async fn run_if_due(&mut self, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
        if now < self.not_before {
            return Ok(None);
        }
        let made = self.run(now).await;
        if made.is_err() {
            self.not_before = now + AFTER_FAILURE;
        }
        made
    }

    async fn run(&self, now: Timestamp) -> Result<Option<PathBuf>, StoreError> {
        let unusable = |error: std::io::Error| of_file(&self.folder, &error);
        create_folder(&self.folder).map_err(unusable)?;
        let there = self.backups().map_err(unusable)?;
        // A backup dated in the future, from a wrong clock, must not delay the next one.
        let latest = there.iter().map(|(at, _)| *at).filter(|at| *at <= now).max();
        let every = SignedDuration::try_from(self.every).unwrap_or(SignedDuration::MAX);
        if latest.is_some_and(|at| now.duration_since(at) < every) {
            return Ok(None);
        }
        let to = self.folder.join(self.name(now));
        backup::back_up_store(&self.journal, &to, Existing::Replace, &|_, _| ()).await?;
        self.prune(now).map_err(unusable)?;
        Ok(Some(to))
    }

    /// Returns the common prefix of the names of this journal's backups.
    fn stem(&self) -> String {
        match &self.journal {
            StoreAddress::Sqlite(path) => {
                format!("{}-", path.file_stem().unwrap_or_default().to_string_lossy())
            }
            // The name of a database may contain characters that names of files cannot.
            StoreAddress::Postgres(_) => "postgres-".to_owned(),
        }
    }

    fn name(&self, now: Timestamp) -> String {
        format!("{}{}{ENDING}", self.stem(), now.strftime(MOMENT))
    }

    /// Returns the backups in the folder, each with its time. Other files are ignored.
    fn backups(&self) -> std::io::Result<Vec<(Timestamp, PathBuf)>> {
        let mut found = Vec::new();
        for file in std::fs::read_dir(&self.folder)? {
            let file = file?;
            let moment = file.file_name().to_str().and_then(|name| self.moment_of(name));
            found.extend(moment.map(|at| (at, file.path())));
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Returns the incomplete copies in the folder that an earlier process left.
    fn unfinished(&self) -> std::io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for file in std::fs::read_dir(&self.folder)? {
            let file = file?;
            let name = file.file_name();
            let backup = name.to_str().and_then(|name| name.split_once(PARTIAL));
            if backup.is_some_and(|(backup, _)| self.moment_of(backup).is_some()) {
                found.push(file.path());
            }
        }
        Ok(found)
    }

    fn moment_of(&self, name: &str) -> Option<Timestamp> {
        let text = name.strip_prefix(&self.stem())?.strip_suffix(ENDING)?;
        let moment = DateTime::strptime(MOMENT, text).ok()?;
        Some(moment.to_zoned(TimeZone::UTC).ok()?.timestamp())
    }

    /// Deletes the oldest backups up to now. A backup dated in the future, from a wrong clock, stays until
    /// that date: it must not push out the one just made.
    fn prune(&self, now: Timestamp) -> std::io::Result<()> {
        let mut there = self.backups()?;
        there.retain(|(at, _)| *at <= now);
        let surplus = there.len().saturating_sub(self.kept);
        there[..surplus].iter().try_for_each(|(_, path)| std::fs::remove_file(path))?;
        self.unfinished()?.iter().try_for_each(std::fs::remove_file)
    }
}

/// Creates a folder for its owner alone, unless it exists.
fn create_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
