//! The state of the whole bot, for its operators.

use std::future::ready;

use futures_util::{StreamExt, TryStreamExt};
use jiff::Timestamp;

use super::TableRegistry;
use crate::ports::{OpenTables, ProcessInfo, StoreError, walk_pages};

/// The most tables and waiting messages that are counted.
pub const MAX_COUNTED: usize = 10_000;

/// The state of the whole bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotStatus {
    /// The number of unfinished tables, at most [`MAX_COUNTED`].
    pub open_tables: usize,
    /// The number of messages that wait to be posted, at most [`MAX_COUNTED`].
    pub due_items: usize,
    /// Since when the oldest of them waits.
    pub oldest_due: Option<Timestamp>,
    /// The number of turns that the bot owes, at most [`MAX_COUNTED`].
    pub owed_turns: usize,
    /// The processes that use the store, by name; none if one process has it alone.
    pub processes: Vec<ProcessInfo>,
    /// The number of shards of the gateway.
    pub shards: u32,
    /// The shards that no process has connected, by number.
    pub silent_shards: Vec<u32>,
}

impl TableRegistry {
    /// Returns the state of the whole bot.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn status(&self) -> Result<BotStatus, StoreError> {
        let journal = self.journal();
        let processes = match self.cluster() {
            Some(cluster) => {
                self.find_silent_shards(cluster).await?;
                cluster.processes().await?
            }
            None => Vec::new(),
        };
        Ok(BotStatus {
            open_tables: journal.count_open(OpenTables::Everywhere, MAX_COUNTED).await?,
            due_items: journal.due_tables(0, MAX_COUNTED).await?.len(),
            oldest_due: journal.oldest_due().await?,
            owed_turns: self.owed_turns().await?,
            processes,
            shards: self.timers.shard_count().unwrap_or(1),
            silent_shards: self.timers.silent_shards(),
        })
    }

    async fn owed_turns(&self) -> Result<usize, StoreError> {
        let jobs = walk_pages(|page| self.journal().jobs(page)).take(MAX_COUNTED);
        jobs.try_fold(0, |count, _| ready(Ok(count + 1))).await
    }
}
