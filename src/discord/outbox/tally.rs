//! The message that tells how a team's vote stands: one, edited while that is easy.

use std::time::Duration;

use rookery_table::Table;
use rookery_table::ports::{Due, Posted};

use super::super::fault::Fault;
use super::super::in_place;
use super::super::post::Post;
use super::Outbox;

/// Votes that come within this time are told of together: Discord takes about one edit a second.
const GATHER: Duration = Duration::from_millis(700);
/// Rows looked through for a later one about the same vote.
const AHEAD: usize = 50;

impl Outbox {
    /// Brings a vote's message up to date. One that is too old to be edited often is posted anew in its
    /// place, without a sound; should the old one stay, its buttons vote as well.
    pub(super) async fn tally(&self, row: &Due, table: &Table, number: u64) -> Result<Option<Posted>, Fault> {
        let held = |table: &Table| table.ballot().is_some_and(|ballot| ballot.number == number);
        let old = self.posted(table, &row.say).await?;
        if held(table) && old.is_some() {
            tokio::time::sleep(GATHER).await;
        }
        if self.is_told_later(row).await? {
            return Ok(None);
        }
        let table = self.desk.hall.see(row.table).await.map_err(|why| Fault::Outage(why.to_string()))?;
        let post = self.desk.for_table(&table).await.layout().vote(&table, number);
        let Some(old) = old else {
            // What was over before it could be told of, the board tells.
            return self.post_home(row, &table, post.filter(|_| held(&table))).await;
        };
        match post {
            Some(post) if held(&table) => {
                let edit = self.edit_there(old, &post);
                let anew = self.post_home(row, &table, Some(post.clone()));
                in_place::renew(&self.desk, (old.channel, old.message), edit, anew).await
            }
            post => self.edit_once(row, old, &post.unwrap_or_else(Post::strip)).await,
        }
    }

    /// Whether a row that follows will tell of the same vote.
    async fn is_told_later(&self, row: &Due) -> Result<bool, Fault> {
        let due = self.desk.hall.journal().due_at(row.table, AHEAD).await;
        let due = due.map_err(|error| Fault::Outage(error.to_string()))?;
        Ok(due.iter().any(|due| due.id > row.id && due.say == row.say))
    }
}
