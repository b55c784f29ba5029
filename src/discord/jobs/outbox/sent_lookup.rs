//! Finds messages that Discord may have accepted without a note in the journal: the previous process died
//! before it could store them, or the response was lost. A nonce prevents duplicates only for some minutes.
//! Therefore the bot searches the channel before it posts such a row again, however old the row is.

use rookery_table::ports::DueItem;
use rookery_table::{ChannelId, MessageId, OutboxItem, TableId};

use super::{Outbox, delivery::nonce};
use crate::discord::actions::own_messages::{self, NONCE_TRUSTED};
use crate::discord::view::board_file_stem;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::sent_message::SentMessage;
use crate::discord::wire::snowflake::{CLOCK_MARGIN, first_id};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

impl Outbox {
    /// Returns the message that an earlier attempt of a row posted in a channel, if one is possible and
    /// found. `mark` distinguishes several messages of one row.
    ///
    /// # Errors
    /// If the channel cannot be searched at present.
    pub(super) async fn find_sent(
        &self,
        row: &DueItem,
        channel: ChannelId,
        post: &OutgoingMessage,
        mark: &str,
    ) -> Result<Option<MessageId>, DiscordError> {
        let nonce = nonce(row, mark);
        if !self.may_be_sent(row, &nonce) {
            return Ok(None);
        }
        let known = self.ctx.registry.journal().message_before(row.table, row.id).await;
        let known = known.map_err(|error| DiscordError::Outage(error.to_string()))?;
        let was_requeued = self.attempts.of(row, |attempts_of_row| attempts_of_row.was_requeued);
        let after = search_start(row, known, was_requeued);
        let is_it = |message: &SentMessage| is_sent(row, mark, post, message);
        let found = match own_messages::find(&self.ctx, channel, after, is_it).await {
            Err(fault) if fault.is_temporary() => return Err(fault),
            // A permanent error of the channel will also show when the row is posted.
            found => found.unwrap_or_default(),
        };
        self.attempts.of(row, |attempts_of_row| attempts_of_row.note_searched(nonce));
        if found.is_some() {
            tracing::info!(table = %row.table, say = row.item.key(), "already posted, but not recorded");
        }
        Ok(found)
    }

    fn may_be_sent(&self, row: &DueItem, nonce: &str) -> bool {
        let (now, inherited) = (self.ctx.registry.now(), self.is_inherited(row));
        self.attempts.of(row, |attempts_of_row| match attempts_of_row.unconfirmed_since(nonce) {
            Some(since) => now.duration_since(since) >= NONCE_TRUSTED,
            None => inherited && !attempts_of_row.was_searched(nonce),
        })
    }
}

/// Returns the id after which a row's message may be: the table's latest stored message, or the last id
/// before the row was due. In a busy channel there may be many messages between the two. A row that was queued again is due
/// since then, and may have been posted before.
fn search_start(row: &DueItem, noted: Option<MessageId>, was_requeued: bool) -> Option<MessageId> {
    let due = row.due_since.filter(|_| !was_requeued || noted.is_none());
    let due = due.map(|since| first_id(since - CLOCK_MARGIN));
    noted.max(due)
}

/// Whether a message is the one that a row would post now: a board is recognised by its file or its buttons, which name the
/// table and the ply, other messages by their buttons, or by their first line. The game may have gone on since the first
/// attempt: then the times below the first line differ, and the buttons are those of another turn or are gone.
fn is_sent(row: &DueItem, mark: &str, post: &OutgoingMessage, message: &SentMessage) -> bool {
    if let (OutboxItem::Board { ply }, "") = (&row.item, mark)
        && (message.custom_ids.iter().any(|id| is_board(id, row.table, *ply))
            || message.files.iter().any(|name| is_board_file(name, row.table, *ply)))
    {
        return true;
    }
    if row.item == OutboxItem::Announce && is_announcement(&post.content, &message.content, row.table) {
        return true;
    }
    let mut ids: Vec<&str> = post.rows.iter().flatten().map(|part| part.id()).collect();
    let mut theirs: Vec<&str> = message.custom_ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    theirs.sort_unstable();
    let same_first_line = own_messages::have_same_first_line(&post.content, &message.content);
    let (now, then) = (without_plies(&ids), without_plies(&theirs));
    (ids == theirs && !ids.is_empty())
        || (same_first_line && (now == then || now.is_empty() || then.is_empty()))
}

/// Whether two texts announce the same table: what follows its name changes when people join.
fn is_announcement(one: &str, other: &str, table: TableId) -> bool {
    let title = |content: &str| {
        let first_line = content.lines().next().unwrap_or_default();
        first_line.split_once(table.as_str()).map(|(title, _)| title.to_owned())
    };
    title(one).is_some_and(|own| title(other) == Some(own))
}

/// Returns ids of buttons without the turn at which they were made.
fn without_plies(ids: &[&str]) -> Vec<String> {
    let without_ply = |id: &&str| match TableButtonId::read(id) {
        Ok(TableButtonId { table, action, .. }) => format!("{table} {action:?}"),
        Err(_) => (*id).to_owned(),
    };
    ids.iter().map(without_ply).collect()
}

/// Whether a file is the picture of the board of a ply.
fn is_board_file(name: &str, table: TableId, ply: usize) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, _)| stem == board_file_stem(table, ply))
}

/// Whether a button belongs to the board of a ply.
fn is_board(custom_id: &str, table: TableId, ply: usize) -> bool {
    TableButtonId::read(custom_id) == Ok(TableButtonId::new(table, ply, ButtonAction::Text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::outgoing_message::{ButtonStyle, Component};
    use jiff::Timestamp;
    use rookery_table::UserId;

    fn due(item: OutboxItem) -> DueItem {
        DueItem { id: 7, table: "K7Q2AB".parse().unwrap(), item, tries: 0, due_since: None }
    }

    fn message(content: &str, custom_ids: &[&str]) -> SentMessage {
        let custom_ids = custom_ids.iter().map(|id| (*id).to_owned()).collect();
        SentMessage {
            id: MessageId(1),
            author: UserId(2),
            content: content.to_owned(),
            custom_ids,
            files: Vec::new(),
        }
    }

    #[test]
    fn a_board_is_known_by_its_table_and_turn_whatever_it_says() {
        let row = due(OutboxItem::Board { ply: 12 });
        let post = OutgoingMessage::text("what it would say now");
        let there = |id: &str| is_sent(&row, "", &post, &message("what it said", &["1:x", id]));
        assert!(there("1:K7Q2AB:12:text"));
        assert!(!there("1:K7Q2AB:13:text") && !there("1:K7Q2AC:12:text") && !there("1:K7Q2AB:12:more"));
        let with_file =
            |name: &str| SentMessage { files: vec![name.to_owned()], ..message("what it said", &[]) };
        let is_known = |name: &str| is_sent(&row, "", &post, &with_file(name));
        assert!(
            is_known("K7Q2AB-12.png") && is_known("K7Q2AB-12.gif"),
            "without buttons while the bot thinks"
        );
        assert!(!is_known("K7Q2AB-13.png") && !is_known("K7Q2AC-12.png") && !is_known("board.png"));
        let line = message("what it said", &["1:K7Q2AB:12:text"]);
        assert!(!is_sent(&row, "f", &post, &line), "the line for those who watch is another message");
    }

    #[test]
    fn the_search_starts_at_the_rows_own_age() {
        const SINCE: Timestamp = Timestamp::constant(1_800_000_000, 0);
        let due = |due_since| DueItem { due_since, ..due(OutboxItem::Result) };
        let start = first_id(SINCE - CLOCK_MARGIN);
        assert_eq!(search_start(&due(Some(SINCE)), None, false), Some(start));
        assert_eq!(search_start(&due(Some(SINCE)), Some(MessageId(start.0 - 1)), false), Some(start));
        assert_eq!(
            search_start(&due(Some(SINCE)), Some(MessageId(start.0 + 1)), false),
            Some(MessageId(start.0 + 1))
        );
        assert_eq!(search_start(&due(None), Some(MessageId(5)), false), Some(MessageId(5)));
        assert_eq!(search_start(&due(None), None, false), None);
        let noted = Some(MessageId(5));
        assert_eq!(
            search_start(&due(Some(SINCE)), noted, true),
            noted,
            "it may have been posted before it waited"
        );
    }

    #[test]
    fn anything_else_is_known_by_its_buttons_or_its_text() {
        let row = due(OutboxItem::PauseOver);
        let plain = OutgoingMessage::text("The game goes on.");
        assert!(is_sent(&row, "", &plain, &message("The game goes on.\n-# <@5>", &[])));
        assert!(!is_sent(&row, "", &plain, &message("The game goes on. Or not", &[])));
        assert!(!is_sent(&row, "", &OutgoingMessage::text(""), &message("", &[])));
        let buttons = plain.row([
            Component::button("Yes", ButtonStyle::Primary, "a"),
            Component::button("No", ButtonStyle::Primary, "b"),
        ]);
        assert!(is_sent(&row, "", &buttons, &message("in other words", &["b", "a"])));
        assert!(!is_sent(&row, "", &buttons, &message("The game goes on.", &["a"])));
        let time_given =
            |runs_out: u32| format!("I've added 12 minutes.\nTime: Ada runs out <t:{runs_out}:R>");
        assert!(is_sent(&row, "", &OutgoingMessage::text(time_given(7)), &message(&time_given(5), &[])));
        let board = |ply: usize| format!("1:K7Q2AB:{ply}:board");
        let button = Component::button("Board", ButtonStyle::Secondary, board(3));
        let announced = OutgoingMessage::text("Ada and Ben play.").row([button]);
        assert!(
            is_sent(&row, "", &announced, &message("Ada and Ben play.", &[&board(0)])),
            "of an earlier turn"
        );
        assert!(!is_sent(&row, "", &announced, &message("They play.", &[&board(0)])));
        let waiting = message("**Amoeba** · K7Q2AB · Ada wants to play. Press Join.", &["1:K7Q2AB:0:join"]);
        let begun = |table: &str| OutgoingMessage::text(format!("**Amoeba** · {table}\nBlue: Ada"));
        assert!(is_sent(&due(OutboxItem::Announce), "", &begun("K7Q2AB"), &waiting));
        assert!(!is_sent(&due(OutboxItem::Announce), "", &begun("K7Q2AC"), &waiting));
        let offer = message(
            "Ada wants to pause the game.\nBen, do you agree?",
            &["1:K7Q2AB:3:agree", "1:K7Q2AB:3:no"],
        );
        let outdated = OutgoingMessage::text("Ada wants to pause the game.");
        assert!(is_sent(&row, "", &outdated, &offer), "without the buttons that the offer had");
        assert!(!is_sent(&row, "", &OutgoingMessage::text("Ben wants to pause the game."), &offer));
        assert!(!is_sent(&row, "", &announced, &message("Ada and Ben play.", &["1:K7Q2AC:0:board"])));
    }
}
