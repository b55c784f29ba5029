//! Backups that the running bot makes by itself: one every so many hours into a folder, the oldest deleted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::backup::{self, Existing, PARTIAL};
use rookery_table::ports::StoreError;

/// How the moment stands in a backup's name, in universal time.
const MOMENT: &str = "%Y%m%dT%H%M%SZ";
/// What a backup's name ends with.
const ENDING: &str = ".sqlite";
/// How long after one that failed the next is tried.
const AFTER_FAILURE: Duration = Duration::from_secs(600);

/// When backups are made, and where.
#[derive(Clone, Debug)]
pub struct Rotation {
    journal: PathBuf,
    folder: PathBuf,
    every: Duration,
    kept: usize,
    /// Before this moment nothing is tried, in milliseconds since 1970.
    not_before_ms: i64,
}

impl Rotation {
    /// Backups of a journal into a folder: one `every` so long, the latest `kept` of them, at least one, are kept.
    pub fn new(journal: &Path, folder: &Path, every: Duration, kept: usize) -> Rotation {
        let (journal, folder) = (journal.to_owned(), folder.to_owned());
        Rotation { journal, folder, every, kept: kept.max(1), not_before_ms: i64::MIN }
    }

    /// Makes a backup, if the latest in the folder is old enough; where it is then. After a failure the next call
    /// that does something is one some minutes later.
    ///
    /// # Errors
    /// If the folder cannot be read or written, or the journal cannot be copied.
    pub async fn run_if_due(&mut self, now_ms: i64) -> Result<Option<PathBuf>, StoreError> {
        if now_ms < self.not_before_ms {
            return Ok(None);
        }
        let made = self.run(now_ms).await;
        if made.is_err() {
            self.not_before_ms = now_ms.saturating_add(millis(AFTER_FAILURE));
        }
        made
    }

    async fn run(&self, now_ms: i64) -> Result<Option<PathBuf>, StoreError> {
        let unusable = |error: std::io::Error| backup::of_file(&self.folder, &error);
        create_folder(&self.folder).map_err(unusable)?;
        let there = self.backups().map_err(unusable)?;
        // One from the future is there because a clock was wrong; it must not put off all others.
        let latest = there.iter().map(|(at_ms, _)| *at_ms).filter(|at_ms| *at_ms <= now_ms).max();
        if latest.is_some_and(|at_ms| now_ms - at_ms < millis(self.every)) {
            return Ok(None);
        }
        let to = self.folder.join(self.name(now_ms)?);
        backup::back_up(&self.journal, &to, Existing::Replace, &|_, _| ()).await?;
        self.prune(now_ms).map_err(unusable)?;
        Ok(Some(to))
    }

    /// What every name of this journal's backups begins with.
    fn stem(&self) -> String {
        let stem = self.journal.file_stem().unwrap_or_default();
        format!("{}-", stem.to_string_lossy())
    }

    fn name(&self, now_ms: i64) -> Result<String, StoreError> {
        let now =
            Timestamp::from_millisecond(now_ms).map_err(|error| StoreError::Backend(error.to_string()))?;
        Ok(format!("{}{}{ENDING}", self.stem(), now.strftime(MOMENT)))
    }

    /// The backups in the folder, each with its moment in milliseconds since 1970. Other files are nobody's business.
    fn backups(&self) -> std::io::Result<Vec<(i64, PathBuf)>> {
        let mut found = Vec::new();
        for file in std::fs::read_dir(&self.folder)? {
            let file = file?;
            let moment = file.file_name().to_str().and_then(|name| self.moment_of(name));
            found.extend(moment.map(|at_ms| (at_ms, file.path())));
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Copies in the folder that a process before this one did not finish.
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

    fn moment_of(&self, name: &str) -> Option<i64> {
        let text = name.strip_prefix(&self.stem())?.strip_suffix(ENDING)?;
        let moment = DateTime::strptime(MOMENT, text).ok()?;
        Some(moment.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond())
    }

    /// Deletes the oldest of the backups up to now. Those from the future, made while a clock was wrong, stay until
    /// their time has come: they must not take the place of the one that was just made.
    fn prune(&self, now_ms: i64) -> std::io::Result<()> {
        let mut there = self.backups()?;
        there.retain(|(at_ms, _)| *at_ms <= now_ms);
        let surplus = there.len().saturating_sub(self.kept);
        there[..surplus].iter().try_for_each(|(_, path)| std::fs::remove_file(path))?;
        self.unfinished()?.iter().try_for_each(std::fs::remove_file)
    }
}

fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

/// Makes a folder for its owner alone, unless it is there.
fn create_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
