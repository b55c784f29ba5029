//! `rookery backup`, `restore`, `check` and `move-store`: the commands that maintain the journal.

use std::io::{IsTerminal, Write};

use anyhow::bail;
use rookery::cli::{BackupArgs, CheckArgs, MoveStoreArgs, RestoreArgs};
use rookery::config::{EffectiveConfig, Sources};
use rookery_store::{Damage, Existing, RestoreError, Restored, StoreAddress};

use crate::run::runtime;

/// The number of bytes in a megabyte.
const MEGABYTE: f64 = 1e6;

/// Copies the journal into a file, also while the bot runs.
///
/// # Errors
/// If the journal cannot be read, the file cannot be written, or it exists and may not be replaced.
pub(crate) fn back_up(words: &BackupArgs, sources: &Sources, out: &mut impl Write) -> anyhow::Result<()> {
    let journal = journal(sources)?;
    let unit = if matches!(journal, StoreAddress::Sqlite(_)) { "bytes" } else { "records" };
    let existing = if words.overwrite { Existing::Replace } else { Existing::Keep };
    let meter = ProgressLine::new("copied", unit);
    let progress = |done, all| meter.show(done, all);
    let copying = rookery_store::back_up_store(&journal, &words.file, existing, &progress);
    let bytes = runtime()?.block_on(copying)?;
    meter.clear();
    writeln!(out, "{} holds all of {} ({}).", words.file.display(), shown(&journal), size(bytes))?;
    Ok(())
}

/// Replaces the journal with a backup.
///
/// # Errors
/// If the journal is a database, the bot runs, a file cannot be read or written, or the backup is damaged.
pub(crate) fn restore(words: &RestoreArgs, sources: &Sources, out: &mut impl Write) -> anyhow::Result<()> {
    let journal = match journal(sources)? {
        StoreAddress::Sqlite(path) => path,
        address @ StoreAddress::Postgres(_) => bail!(
            "The journal is the database {address}, and `rookery restore` replaces files. Create an empty database, \
             copy the backup into it with `rookery move-store sqlite:{} postgres://…`, and name it in store.url",
            words.file.display()
        ),
    };
    let damage = if words.damaged { Damage::Accept } else { Damage::Refuse };
    let meter = ProgressLine::new("done", "");
    let progress = |done, all| meter.show(done, all);
    let restoring = rookery_store::restore(&journal, &words.file, damage, &progress);
    let restored = runtime()?.block_on(restoring);
    meter.clear();
    let Restored { report, replaced } = match restored {
        Err(RestoreError::Damaged(report)) => {
            write!(out, "{report}")?;
            bail!(
                "{} is damaged, so nothing was restored. Use an older backup, or restore this one anyway \
                 with --damaged",
                words.file.display()
            );
        }
        restored => restored?,
    };
    write!(out, "{report}")?;
    writeln!(out, "Restored {} from {}.", journal.display(), words.file.display())?;
    if let Some(replaced) = replaced {
        writeln!(out, "The old journal is kept as {}.", replaced.display())?;
    }
    Ok(())
}

/// Checks the journal or a backup, and prints a summary and all faults.
///
/// # Errors
/// If the journal cannot be read, or the check finds a fault.
pub(crate) fn check(words: &CheckArgs, sources: &Sources, out: &mut impl Write) -> anyhow::Result<()> {
    let checked = match &words.file {
        Some(file) => StoreAddress::Sqlite(file.clone()),
        None => journal(sources)?,
    };
    let meter = ProgressLine::new("checked", "tables");
    let report =
        runtime()?.block_on(rookery_store::check_store(&checked, &|done, all| meter.show(done, all)))?;
    meter.clear();
    write!(out, "{report}")?;
    if !report.is_sound() {
        let (faults, tables) = (report.faults.len(), report.damaged_tables());
        bail!(
            "{} is damaged. Faults: {faults}. Damaged tables: {tables} of {}",
            shown(&checked),
            report.tables
        );
    }
    writeln!(out, "{} is undamaged.", shown(&checked))?;
    Ok(())
}

/// Moves the journal from one store to another.
///
/// # Errors
/// If one of the stores is in use or can't be used, the target isn't empty, or a record is damaged.
pub(crate) fn move_store(words: &MoveStoreArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let meter = ProgressLine::new("moved", "records");
    let progress = |done, all| meter.show(done, all);
    let moved = runtime()?.block_on(rookery_store::move_store(&words.from, &words.to, &progress));
    meter.clear();
    let moved = moved?;
    write!(out, "{moved}")?;
    let (from, to) = (&words.from, &words.to);
    writeln!(
        out,
        "Moved {} records from {from} to {to}. Now set store.url, and start the bot.",
        moved.records()
    )?;
    Ok(())
}

/// Returns where the journal is.
fn journal(sources: &Sources) -> anyhow::Result<StoreAddress> {
    Ok(EffectiveConfig::load(sources)?.config.store.address())
}

/// Formats where a journal is: the path of a file, or the address of a database without its password.
fn shown(journal: &StoreAddress) -> String {
    match journal {
        StoreAddress::Sqlite(path) => path.display().to_string(),
        StoreAddress::Postgres(_) => journal.to_string(),
    }
}

fn size(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / MEGABYTE)
}

/// A progress line on the terminal; prints nothing if standard error is not one.
struct ProgressLine {
    done: &'static str,
    unit: &'static str,
    shown: bool,
}

impl ProgressLine {
    fn new(done: &'static str, unit: &'static str) -> ProgressLine {
        ProgressLine { done, unit, shown: std::io::stderr().is_terminal() }
    }

    fn show(&self, done: u64, all: u64) {
        if self.shown && all > 0 {
            let (percent, done_word, unit) = ((done * 100 / all).min(100), self.done, self.unit);
            let _ = write!(std::io::stderr(), "\r{done_word} {percent} % of {all} {unit} \x1b[K");
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
