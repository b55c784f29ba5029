//! What is kept of people, and how it is taken out.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::{LeavePolicy, TableId, UserId};

/// A deletion of all that is kept of somebody, as far as it is not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// Who.
    pub who: UserId,
    /// What becomes of their running games.
    pub leave_policy: LeavePolicy,
    /// The tables that still name them, by rising name.
    pub tables: Vec<TableId>,
    /// Whether what is kept beside tables is still there.
    pub rest: bool,
}

/// What is kept of a person, and how it is taken out.
#[async_trait]
pub trait Privacy: Send + Sync {
    /// The tables whose entries or cards name a person, by rising name.
    async fn tables_naming(&self, who: UserId) -> Result<Vec<TableId>, StoreError>;
    /// Takes a person out of a table: a [pseudonym](crate::pseudonym) is left in their place. Only entries
    /// that were written before there were pseudonyms change, and say so then ([`crate::redact`]).
    async fn take_out(&self, who: UserId, table: TableId, now: Timestamp) -> Result<(), StoreError>;
    /// Deletes a table whole. No other is ever called by its name.
    async fn erase(&self, table: TableId) -> Result<(), StoreError>;
    /// Deletes what is kept of a person beside tables: what they chose, what they watch, whom
    /// they block, the links that they made, which stop working, and their ratings.
    async fn take_out_rest(&self, who: UserId) -> Result<(), StoreError>;
    /// Notes durably what a deletion has yet to do, beside what is noted for the same person already. Each of the
    /// other functions strikes out what it does.
    async fn note_deletion(&self, deletion: &Deletion) -> Result<(), StoreError>;
    /// All deletions that are not finished, by rising number of the person.
    async fn unfinished_deletions(&self) -> Result<Vec<Deletion>, StoreError>;
    /// Leaves no trace of what was taken out beside the file of the medium.
    async fn scrub(&self) -> Result<(), StoreError>;
}

/// Under which name it is noted when a person last got a digest. A deletion takes this note and the
/// [`challenge_note`]s that name the person.
pub fn digest_note(who: UserId) -> String {
    format!("digest-{}", who.0)
}

/// What the names of all challenge notes begin with.
pub const CHALLENGE_NOTES: &str = "challenge/";

/// The name of the note of what became of one person's challenges to another. It is deleted with either of them.
pub fn challenge_note(from: UserId, to: UserId) -> String {
    format!("{CHALLENGE_NOTES}{}/{}", from.0, to.0)
}

/// Whether a note is about a person's challenges, from or to them.
pub fn is_challenge_note_of(name: &str, who: UserId) -> bool {
    let pair = name.strip_prefix(CHALLENGE_NOTES).and_then(|pair| pair.split_once('/'));
    let number = who.0.to_string();
    pair.is_some_and(|(from, to)| from == number || to == number)
}
