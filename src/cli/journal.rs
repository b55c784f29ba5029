//! Arguments of the commands that maintain the journal.

use std::path::PathBuf;

use clap::Args;
use rookery_store::StoreAddress;

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

/// The stores between which `rookery move-store` moves a journal.
#[derive(Clone, Debug, Args)]
pub struct MoveStoreArgs {
    /// The store to read: sqlite:PATH or postgres://user:password@host:5432/database
    pub from: StoreAddress,
    /// The store to fill, which must be empty: a new file, or a database without a journal
    pub to: StoreAddress,
}
