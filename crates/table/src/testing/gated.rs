//! A journal with a gate before its writing, where trials make it slow or broken, or take its time.

use async_trait::async_trait;

use crate::moderation::ModerationStore;
use crate::ports::{
    Batch, Card, Due, DueTable, Entry, Fate, Filter, Follows, Job, Journal, JournalError, OpenTables, Posted,
    Preferences, Privacy, Ratings, ShareLinks,
};
use crate::preferences::{Personal, Server};
use crate::seal::Chain;
use crate::{Person, Say, TableId};

/// What stands between the tables and a journal when they write.
#[async_trait]
pub trait Gate: Send + Sync {
    /// Writes a batch to the journal behind, or does not.
    ///
    /// # Errors
    /// The journal's, or those of the trial.
    async fn append(&self, journal: &dyn Journal, batch: &Batch) -> Result<(), JournalError>;

    /// Lets it be kept that a row of the outbox was said, or does not.
    ///
    /// # Errors
    /// Those of the trial.
    fn said(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Lets a note be kept under a name, or does not.
    ///
    /// # Errors
    /// Those of the trial.
    fn keeps_note(&self, _key: &str) -> Result<(), JournalError> {
        Ok(())
    }

    /// Lets it be looked up at which tables something is due, or does not.
    ///
    /// # Errors
    /// Those of the trial.
    fn scans(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Lets a table be read, or does not.
    ///
    /// # Errors
    /// Those of the trial.
    fn loads(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Lets a health check write, or does not.
    ///
    /// # Errors
    /// Those of the trial.
    fn probes(&self) -> Result<(), JournalError> {
        Ok(())
    }

    /// Hears of what is listed.
    fn lists(&self, _filter: &Filter) {}

    /// Lets what a person chose be read, or does not.
    ///
    /// # Errors
    /// Those of the trial.
    fn reads_person(&self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// A journal behind a gate; all but writing tables goes straight through, though the gate may hear of it.
#[derive(Default)]
pub struct Gated<J, G> {
    /// The journal.
    pub kept: J,
    /// The gate.
    pub gate: G,
}

#[async_trait]
impl<J: Journal, G: Gate> Journal for Gated<J, G> {
    async fn append(&self, batch: &Batch) -> Result<(), JournalError> {
        self.gate.append(&self.kept, batch).await
    }
    async fn load(&self, table: TableId) -> Result<Vec<Entry>, JournalError> {
        self.gate.loads()?;
        self.kept.load(table).await
    }
    async fn chain(&self, table: TableId) -> Result<Chain, JournalError> {
        self.kept.chain(table).await
    }
    async fn list(&self, filter: &Filter) -> Result<Vec<Card>, JournalError> {
        self.gate.lists(filter);
        self.kept.list(filter).await
    }
    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, JournalError> {
        self.kept.count_open(which, most).await
    }
    async fn servers_playing(&self) -> Result<Vec<u64>, JournalError> {
        self.kept.servers_playing().await
    }
    async fn moments(&self, until_ms: i64) -> Result<Vec<(TableId, i64)>, JournalError> {
        self.kept.moments(until_ms).await
    }
    async fn owing_proof(&self) -> Result<Vec<(TableId, usize)>, JournalError> {
        self.kept.owing_proof().await
    }
    async fn due(&self, after: i64, most: usize) -> Result<Vec<Due>, JournalError> {
        self.kept.due(after, most).await
    }
    async fn oldest_due_ms(&self) -> Result<Option<i64>, JournalError> {
        self.kept.oldest_due_ms().await
    }
    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, JournalError> {
        self.gate.scans()?;
        self.kept.due_tables(after, most).await
    }
    async fn last_row(&self) -> Result<i64, JournalError> {
        self.kept.last_row().await
    }
    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<Due>, JournalError> {
        self.kept.due_at(table, most).await
    }
    async fn said(&self, id: i64, posted: Option<Posted>) -> Result<(), JournalError> {
        self.gate.said()?;
        self.kept.said(id, posted).await
    }
    async fn unsaid(&self, id: i64, why: &str, fate: Fate) -> Result<(), JournalError> {
        self.kept.unsaid(id, why, fate).await
    }
    async fn resay(&self, id: i64, now_ms: i64) -> Result<(), JournalError> {
        self.kept.resay(id, now_ms).await
    }
    async fn barred(&self) -> Result<Vec<Due>, JournalError> {
        self.kept.barred().await
    }
    async fn posted(&self, table: TableId, say: &Say) -> Result<Option<Posted>, JournalError> {
        self.kept.posted(table, say).await
    }
    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<u64>, JournalError> {
        self.kept.message_before(table, row).await
    }
    async fn latest(&self, table: TableId, say: &Say) -> Result<Option<(i64, bool)>, JournalError> {
        self.kept.latest(table, say).await
    }
    async fn table_of(&self, message: u64) -> Result<Option<TableId>, JournalError> {
        self.kept.table_of(message).await
    }
    async fn said_as(&self, message: u64) -> Result<Option<(TableId, Option<Say>)>, JournalError> {
        self.kept.said_as(message).await
    }
    async fn prune_outbox(&self, before_ms: i64, most: usize) -> Result<usize, JournalError> {
        self.kept.prune_outbox(before_ms, most).await
    }
    fn unreadable(&self) -> usize {
        self.kept.unreadable()
    }
    async fn jobs(&self) -> Result<Vec<Job>, JournalError> {
        self.kept.jobs().await
    }
    async fn note(&self, key: &str) -> Result<Option<String>, JournalError> {
        self.kept.note(key).await
    }
    async fn keep_note(&self, key: &str, value: &str) -> Result<(), JournalError> {
        self.gate.keeps_note(key)?;
        self.kept.keep_note(key, value).await
    }
    async fn probe(&self) -> Result<(), JournalError> {
        self.gate.probes()?;
        self.kept.probe().await
    }
    fn follows(&self) -> &dyn Follows {
        self.kept.follows()
    }
    fn preferences(&self) -> &dyn Preferences {
        self
    }
    fn share_links(&self) -> &dyn ShareLinks {
        self.kept.share_links()
    }
    fn ratings(&self) -> &dyn Ratings {
        self.kept.ratings()
    }
    fn privacy(&self) -> &dyn Privacy {
        self.kept.privacy()
    }
    fn moderation(&self) -> &dyn ModerationStore {
        self.kept.moderation()
    }
}

#[async_trait]
impl<J: Journal, G: Gate> Preferences for Gated<J, G> {
    async fn personal(&self, who: Person) -> Result<Option<Personal>, JournalError> {
        self.gate.reads_person()?;
        self.kept.preferences().personal(who).await
    }
    async fn keep_personal(&self, who: Person, personal: &Personal) -> Result<(), JournalError> {
        self.kept.preferences().keep_personal(who, personal).await
    }
    async fn forget_personal(&self, who: Person) -> Result<(), JournalError> {
        self.kept.preferences().forget_personal(who).await
    }
    async fn server(&self, guild: u64) -> Result<Option<Server>, JournalError> {
        self.kept.preferences().server(guild).await
    }
    async fn keep_server(&self, guild: u64, server: &Server) -> Result<(), JournalError> {
        self.kept.preferences().keep_server(guild, server).await
    }
    async fn resting(&self) -> Result<Vec<Person>, JournalError> {
        self.kept.preferences().resting().await
    }
    async fn servers_with_lobby(&self) -> Result<Vec<u64>, JournalError> {
        self.kept.preferences().servers_with_lobby().await
    }
}
