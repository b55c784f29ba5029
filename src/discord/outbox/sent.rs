//! Messages that Discord may have taken without the journal knowing: an earlier process died before it could note
//! them, or the answer was lost. A nonce keeps a message from appearing twice for some minutes only, so that they are
//! looked for in the channel before they are posted again, however old they are.

use rookery_table::ports::Due;
use rookery_table::{Say, TableId};

use super::super::api::SentMessage;
use super::super::fault::Fault;
use super::super::in_place::first_id;
use super::super::post::{PING_LINE, Post};
use super::super::press::{Deed, Press};
use super::{Outbox, say::nonce};

/// For how long after a request whose answer was lost its nonce is trusted, in milliseconds.
const NONCE_TRUSTED_MS: i64 = 60_000;
/// How far our clock may be ahead of Discord's, in milliseconds.
const CLOCK_MARGIN_MS: i64 = 60_000;
/// Pages of messages that are looked through.
const MAX_PAGES: usize = 5;

impl Outbox {
    /// The message that an earlier try of a row made in a channel, if there may be one and it is there. `mark` tells
    /// several messages of one row apart.
    ///
    /// # Errors
    /// If the channel cannot be looked through for the moment.
    pub(super) async fn find_sent(
        &self,
        row: &Due,
        channel: u64,
        post: &Post,
        mark: &str,
    ) -> Result<Option<u64>, Fault> {
        let nonce = nonce(row, mark);
        if !self.may_be_sent(row, &nonce) {
            return Ok(None);
        }
        let known = self.desk.hall.journal().message_before(row.table, row.id).await;
        let after = search_start(row, known.map_err(|error| Fault::Outage(error.to_string()))?);
        let is_it = |message: &SentMessage| is_sent(row, mark, post, message);
        let found = match self.look_through(channel, after, is_it).await {
            Err(fault) if fault.passes() => return Err(fault),
            // To post will tell what is wrong with the channel.
            found => found.unwrap_or_default(),
        };
        self.begun.of(row, |deeds| deeds.looked_for(nonce));
        if found.is_some() {
            tracing::info!(table = %row.table, say = row.say.key(), "was posted before, and not noted");
        }
        Ok(found)
    }

    fn may_be_sent(&self, row: &Due, nonce: &str) -> bool {
        let (now_ms, inherited) = (self.desk.hall.now_ms(), self.is_inherited(row));
        self.begun.of(row, |deeds| match deeds.unsure_since_ms(nonce) {
            Some(since_ms) => now_ms - since_ms >= NONCE_TRUSTED_MS,
            None => inherited && !deeds.has_looked_for(nonce),
        })
    }

    /// Our own messages after another are looked through, the oldest first; without one, the latest.
    async fn look_through(
        &self,
        channel: u64,
        mut after: Option<u64>,
        is_it: impl Fn(&SentMessage) -> bool,
    ) -> Result<Option<u64>, Fault> {
        let me = self.desk.me().0;
        for _ in 0..MAX_PAGES {
            let page = self.desk.api.messages(channel, after).await?;
            if let Some(found) = page.messages.iter().find(|it| it.author == me && is_it(it)) {
                return Ok(Some(found.id));
            }
            match page.messages.iter().map(|it| it.id).max() {
                Some(last) if page.is_full && after.is_some() => after = Some(last),
                _ => break,
            }
        }
        Ok(None)
    }
}

/// The message after which a row's own can be: the latest that was noted of its table, or the last one before the row
/// was due. In a busy channel there may be many between these two.
fn search_start(row: &Due, noted: Option<u64>) -> Option<u64> {
    let due = row.due_since_ms.map(|since_ms| first_id(since_ms - CLOCK_MARGIN_MS));
    noted.max(due)
}

/// Whether a message is what a row would post now: a board is known by its table and turn, anything else by its
/// buttons, or by its text where it has none.
fn is_sent(row: &Due, mark: &str, post: &Post, message: &SentMessage) -> bool {
    if let (Say::Board { ply }, "") = (&row.say, mark)
        && message.custom_ids.iter().any(|id| is_board(id, row.table, *ply))
    {
        return true;
    }
    let mut ids: Vec<&str> = post.rows.iter().flatten().map(|part| part.id()).collect();
    let mut theirs: Vec<&str> = message.custom_ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    theirs.sort_unstable();
    // Who is called by it changes with the time of day.
    let text = |content: &str| content.split(PING_LINE).next().unwrap_or_default().to_owned();
    let same_text = !post.content.is_empty() && text(&post.content) == text(&message.content);
    ids == theirs && (!ids.is_empty() || same_text)
}

/// Whether a button stands under the board of a turn.
fn is_board(custom_id: &str, table: TableId, ply: usize) -> bool {
    Press::read(custom_id) == Ok(Press::new(table, ply, Deed::Text))
}

#[cfg(test)]
mod tests {
    use super::super::super::post::{Part, Tone};
    use super::*;

    fn due(say: Say) -> Due {
        Due { id: 7, table: "K7Q2AB".parse().unwrap(), say, tries: 0, due_since_ms: None }
    }

    fn message(content: &str, custom_ids: &[&str]) -> SentMessage {
        let custom_ids = custom_ids.iter().map(|id| (*id).to_owned()).collect();
        SentMessage { id: 1, author: 2, content: content.to_owned(), custom_ids }
    }

    #[test]
    fn a_board_is_known_by_its_table_and_turn_whatever_it_says() {
        let row = due(Say::Board { ply: 12 });
        let post = Post::text("what it would say now");
        let there = |id: &str| is_sent(&row, "", &post, &message("what it said", &["1:x", id]));
        assert!(there("1:K7Q2AB:12:text"));
        assert!(!there("1:K7Q2AB:13:text") && !there("1:K7Q2AC:12:text") && !there("1:K7Q2AB:12:more"));
        let line = message("what it said", &["1:K7Q2AB:12:text"]);
        assert!(!is_sent(&row, "f", &post, &line), "the line for those who watch is another message");
    }

    #[test]
    fn the_search_starts_at_the_rows_own_age() {
        const SINCE_MS: i64 = 1_800_000_000_000;
        let due = |due_since_ms| Due { due_since_ms, ..due(Say::Result) };
        let start = first_id(SINCE_MS - CLOCK_MARGIN_MS);
        assert_eq!(search_start(&due(Some(SINCE_MS)), None), Some(start));
        assert_eq!(search_start(&due(Some(SINCE_MS)), Some(start - 1)), Some(start));
        assert_eq!(search_start(&due(Some(SINCE_MS)), Some(start + 1)), Some(start + 1));
        assert_eq!(search_start(&due(None), Some(5)), Some(5));
        assert_eq!(search_start(&due(None), None), None);
    }

    #[test]
    fn anything_else_is_known_by_its_buttons_or_its_text() {
        let row = due(Say::PauseOver);
        let plain = Post::text("The game goes on.");
        assert!(is_sent(&row, "", &plain, &message("The game goes on.\n-# <@5>", &[])));
        assert!(!is_sent(&row, "", &plain, &message("The game goes on. Or not", &[])));
        assert!(!is_sent(&row, "", &Post::text(""), &message("", &[])));
        let buttons = plain.row([Part::button("Yes", Tone::Main, "a"), Part::button("No", Tone::Main, "b")]);
        assert!(is_sent(&row, "", &buttons, &message("in other words", &["b", "a"])));
        assert!(!is_sent(&row, "", &buttons, &message("The game goes on.", &["a"])));
    }
}
