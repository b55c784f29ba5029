//! Arguments of the commands that maintain the journal's file.

use std::path::PathBuf;

use clap::Args;

/// The target of `rookery backup`.
#[derive(Clone, Debug, Args)]
pub struct BackupArgs {
    /// The file to write
    pub file: PathBuf,
    /// Replace the file if it already exists
    #[arg(long)]
    pub overwrite: bool,
}

/// The source of `rookery restore`.
#[derive(Clone, Debug, Args)]
pub struct RestoreArgs {
    /// The backup to restore
    pub file: PathBuf,
    /// Restore it even if the check finds damage
    #[arg(long)]
    pub damaged: bool,
}

/// The file that `rookery check` reads.
#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// A backup to check [default: the journal that store.url names]
    pub file: Option<PathBuf>,
}
