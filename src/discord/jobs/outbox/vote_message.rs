//! The message with the state of a team's vote: one per vote, edited while that is possible.

use std::time::Duration;

use rookery_table::Table;
use rookery_table::ports::{DueItem, Posted};

use super::Outbox;
use crate::discord::actions::live_message;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Votes within this time share one edit: Discord allows about one edit a second.
const VOTE_BATCH_WINDOW: Duration = Duration::from_millis(700);
/// The number of rows examined for a later one about the same vote.
const AHEAD: usize = 50;

impl Outbox {
    /// Updates a vote's message. A message too old for frequent edits is replaced by a new silent one; if the
    /// old one stays, its buttons still work.
    pub(super) async fn update_vote_message(
        &self,
        row: &DueItem,
        table: &Table,
        number: u64,
    ) -> Result<Option<Posted>, DiscordError> {
        let held = |table: &Table| table.team_vote().is_some_and(|team_vote| team_vote.number == number);
        let old = self.posted(table, &row.item).await?;
        if held(table) && old.is_some() {
            tokio::time::sleep(VOTE_BATCH_WINDOW).await;
        }
        if self.has_later_update(row).await? {
            return Ok(None);
        }
        let table =
            self.ctx.registry.table(row.table).await.map_err(|why| DiscordError::Outage(why.to_string()))?;
        let post = self.ctx.for_table(&table).await.view().vote(&table, number);
        let Some(old) = old else {
            // If the vote ended before its message was posted, the board reports the result.
            return self.post_in_board_channel(row, &table, post.filter(|_| held(&table))).await;
        };
        match post {
            Some(post) if held(&table) => {
                let edit = self.edit_there(old, &post);
                let anew = self.post_in_board_channel(row, &table, Some(post.clone()));
                live_message::update_or_repost(&self.ctx, (old.channel, old.message), edit, anew).await
            }
            post => {
                self.edit_once(row, old, &post.unwrap_or_else(OutgoingMessage::edit_without_buttons)).await
            }
        }
    }

    /// Whether a later row updates the same vote.
    async fn has_later_update(&self, row: &DueItem) -> Result<bool, DiscordError> {
        let due = self.ctx.registry.journal().due_at(row.table, AHEAD).await;
        let due = due.map_err(|error| DiscordError::Outage(error.to_string()))?;
        Ok(due.iter().any(|due| due.id > row.id && due.item == row.item))
    }
}
