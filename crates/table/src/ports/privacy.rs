//! Personal data in the store, and its deletion.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Page, PageRequest, StoreError};
use crate::{LeavePolicy, TableId, UserId};

/// An unfinished deletion of a person's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// Whose data is deleted.
    pub who: UserId,
    /// How their running games end.
    pub leave_policy: LeavePolicy,
    /// The tables that still name them, by name.
    pub tables: Vec<TableId>,
    /// Whether data that belongs to no table remains.
    pub rest: bool,
}

/// Finds and deletes the data of a person.
#[async_trait]
pub trait Privacy: Send + Sync {
    /// Returns the tables whose entries or cards name a person, by name.
    async fn tables_naming(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError>;
    /// Removes a person from a table; a [pseudonym](crate::pseudonym) remains. Only entries from before pseudonyms are
    /// changed, and a new entry records that ([`crate::redact`]).
    async fn replace_with_pseudonym(
        &self,
        who: UserId,
        table: TableId,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Deletes a whole table. Its name is never used again.
    async fn delete_table(&self, table: TableId) -> Result<(), StoreError>;
    /// Deletes the data of a person that belongs to no table: preferences, watched tables, blocks, ratings, annotations,
    /// the links they made, which stop working, and the browsers in which they are signed in.
    async fn delete_personal_rows(&self, who: UserId) -> Result<(), StoreError>;
    /// Stores what a deletion still has to do, in addition to what is stored for the same person. Each of the other
    /// functions removes from it what it does.
    async fn note_deletion(&self, deletion: &Deletion) -> Result<(), StoreError>;
    /// Returns the unfinished deletions, each with all its tables. The last page has those too that a damaged list could
    /// not take, so a person may come twice.
    async fn unfinished_deletions(
        &self,
        page: PageRequest<UserId>,
    ) -> Result<Page<Deletion, UserId>, StoreError>;
    /// Removes deleted data from the files beside the database.
    async fn scrub(&self) -> Result<(), StoreError>;
}

/// Returns the key of the note that stores when a person last got a digest. A deletion removes this note and the
/// [`challenge_note`]s that name the person.
pub fn digest_note(who: UserId) -> String {
    format!("digest-{}", who.0)
}

/// The prefix of the keys of all challenge notes.
pub const CHALLENGE_NOTES: &str = "challenge/";

/// Returns the key of the note about one person's challenges to another. It is deleted with either of them.
pub fn challenge_note(from: UserId, to: UserId) -> String {
    format!("{CHALLENGE_NOTES}{}/{}", from.0, to.0)
}
