//! A table as a single message that is edited, for channels in which the bot cannot post.

use rookery_i18n::clip;
use rookery_table::{Note, Status, Table};

use super::MessageView;
use crate::discord::wire::limits::{MAX_CONTENT_CHARS, MAX_ROWS};
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl MessageView<'_> {
    /// Builds the message that all players should see now: the challenge, the board with pending questions,
    /// or the last board with the result.
    pub fn user_install(&self, table: &Table) -> OutgoingMessage {
        let mut post = match table.status() {
            Status::Running => self.user_install_board(table),
            Status::Over(_) if table.play().is_some() => {
                let board = self.board(table, table.ply()).unwrap_or_default();
                self.result(table).into_iter().fold(board, with)
            }
            _ => self.announcement(table),
        };
        let note = self.words.word("brought-note");
        post.content = clip(&post.content, MAX_CONTENT_CHARS - note.chars().count() - 1);
        post.content = format!("{}\n{note}", post.content);
        post.rows.truncate(MAX_ROWS);
        post
    }

    fn user_install_board(&self, table: &Table) -> OutgoingMessage {
        let board = self.board(table, table.ply()).unwrap_or_default();
        let offered = table.offer().map(|offer| self.offered(table, offer.offer, offer.by, table.ply()));
        let proven = table.proof_stands().then(|| self.proven(table)).flatten();
        let mover = table.to_move().filter(|_| table.clock().is_some_and(|clock| clock.is_flagged()));
        let time_up = mover.map(|seat| self.time_up(table, seat, table.ply()));
        let paused = table.is_paused().then(|| self.paused(table));
        let away = table.substitutions().iter().map(|(seat, _)| self.note(table, Note::Substituted, *seat));
        let declined = self.declined_offers(table);
        let more = declined.into_iter().chain(offered).chain(proven).chain(time_up).chain(paused).chain(away);
        let mut post = more.fold(board, with);
        // The text under the board already includes the vote.
        post.rows.extend(table.team_vote().map(|vote| self.vote_buttons(table, vote)).unwrap_or_default());
        post
    }
}

/// Appends another message's text and buttons.
fn with(mut post: OutgoingMessage, more: OutgoingMessage) -> OutgoingMessage {
    post.content = format!("{}\n{}", post.content, more.content);
    let known: Vec<String> = post.rows.iter().flatten().map(|part| part.id().to_owned()).collect();
    for mut row in more.rows {
        // The board already has the button with which an absent player takes the seat back.
        row.retain(|part| !known.iter().any(|id| id == part.id()));
        post.rows.extend((!row.is_empty()).then_some(row));
    }
    post.ping(more.pings)
}
