//! A table as one message that changes in its place, where nothing can be posted.

use rookery_table::{Note, Status, Table};

use super::super::limits::{CONTENT_MOST, ROWS_MOST};
use super::super::post::Post;
use super::Layout;
use rookery_i18n::clip;

impl Layout<'_> {
    /// All that everybody at a table should see now: the challenge, the board with what waits for an answer, or
    /// the last board with the result.
    pub fn brought(&self, table: &Table) -> Post {
        let mut post = match table.status() {
            Status::Running => self.brought_board(table),
            Status::Over(_) if table.play().is_some() => {
                let board = self.board(table, table.ply()).unwrap_or_default();
                self.result(table).into_iter().fold(board, with)
            }
            _ => self.announcement(table),
        };
        let note = self.words.word("brought-note");
        post.content = clip(&post.content, CONTENT_MOST - note.chars().count() - 1);
        post.content = format!("{}\n{note}", post.content);
        post.rows.truncate(ROWS_MOST);
        post
    }

    fn brought_board(&self, table: &Table) -> Post {
        let board = self.board(table, table.ply()).unwrap_or_default();
        let offered = table.offer().map(|offer| self.offered(table, offer.offer, offer.by, table.ply()));
        let proven = table.proof_stands().then(|| self.proven(table)).flatten();
        let mover = table.to_move().filter(|_| table.clock().is_some_and(|clock| clock.is_marked_up()));
        let time_up = mover.map(|seat| self.time_up(table, seat, table.ply()));
        let paused = table.is_paused().then(|| self.paused(table));
        let away = table.away().iter().map(|(seat, _)| self.note(table, Note::StandsIn, *seat));
        let more = offered.into_iter().chain(proven).chain(time_up).chain(paused).chain(away);
        let mut post = more.fold(board, with);
        // How the vote stands is told under the board already.
        post.rows.extend(table.ballot().map(|vote| self.vote_buttons(table, vote)).unwrap_or_default());
        post
    }
}

/// A message with what another says under it, and its buttons.
fn with(mut post: Post, more: Post) -> Post {
    post.content = format!("{}\n{}", post.content, more.content);
    let known: Vec<String> = post.rows.iter().flatten().map(|part| part.id().to_owned()).collect();
    for mut row in more.rows {
        // Whoever has left takes their own seat back, with the same button.
        row.retain(|part| !known.iter().any(|id| id == part.id()));
        post.rows.extend((!row.is_empty()).then_some(row));
    }
    post.ping(more.pings)
}
