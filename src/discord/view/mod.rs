//! Messages as plain data: tables in, [messages](crate::discord::wire::outgoing_message::OutgoingMessage)
//! out. Nothing here waits or sends.

mod board;
mod challenge;
mod clock;
mod compass;
mod context;
pub mod digest;
mod help;
mod hint;
mod last_move;
mod lesson;
mod lesson_offers;
pub mod lesson_step;
pub mod lists;
mod lobby;
pub mod move_completion;
mod notifications;
mod off_thread;
mod offer;
pub mod panel;
pub mod plan;
mod proof;
pub mod ratings;
mod review;
mod rules;
mod share;
pub mod start;
mod step_buttons;
#[cfg(test)]
mod tests;
mod thinking_queue;
mod tv;
mod user_install;
pub mod viewer;
mod vote;
mod watchers;

pub use board::board_file_stem;

use rookery_core::scene::{DrawOptions, Mark, MarkKind};
use rookery_core::{Cell, Play, Seat};
use rookery_i18n::Localizer;
use rookery_table::{Table, UserId, posted_boards};

use crate::discord::state::display_preferences::DisplayPreferences;
use crate::discord::wire::outgoing_message::Picture;

/// The most turns that a board lists, and marks if its game shows several.
const MAX_LISTED_TURNS: usize = 8;

/// The inputs of every message: sentences, display preferences and settings.
#[derive(Clone, Copy)]
pub struct MessageView<'a> {
    /// The sentences of the reader's language.
    pub words: &'a Localizer,
    /// The display preferences of the reader.
    pub display: &'a DisplayPreferences,
    /// Whether the bot receives the content of messages in a table's thread without a mention.
    pub reads_all: bool,
    /// Hours after which an open challenge expires.
    pub challenge_hours: u32,
    /// The public address of the web pages, without a slash at the end.
    pub web: Option<&'a str>,
}

impl MessageView<'_> {
    /// Draws a board as seen from a seat, with marked cells.
    pub fn picture(&self, table: &Table, play: &dyn Play, side: Seat, marks: Vec<Mark>) -> Picture {
        let look = DrawOptions { marks, ..self.look_at(table, play, side) };
        let alt = self.words.alt(&self.words.board(table, play, Some(&look)));
        Picture::still(play.scene(&look), alt)
    }

    /// Draws a board with all turns marked that its text lists: those since the previous board.
    pub(in crate::discord) fn picture_with_text(
        &self,
        table: &Table,
        play: &dyn Play,
        side: Seat,
    ) -> Picture {
        let earlier =
            posted_boards::turns_on_board(table, play.ply()).len().min(MAX_LISTED_TURNS).saturating_sub(1);
        let look = DrawOptions { earlier, ..self.look_at(table, play, side) };
        let alt = self.words.alt(&self.words.board(table, play, Some(&look)));
        Picture::still(play.scene(&look), alt)
    }

    /// Draws a position that belongs to no table, as seen from a seat.
    fn position_picture(&self, play: &dyn Play, side: Seat, marks: Vec<Mark>) -> Picture {
        let look = DrawOptions { marks, ..self.display.look(side) };
        Picture::still(play.scene(&look), self.words.position(play, &look))
    }

    /// Draws a position that belongs to no table, with marks on the cells that a question is about.
    pub fn marked_board(&self, play: &dyn Play, cells: impl IntoIterator<Item = Cell>) -> Picture {
        let marks = cells.into_iter().map(|cell| Mark { cell, kind: MarkKind::Chosen }).collect();
        self.position_picture(play, Seat::FIRST, marks)
    }

    /// Returns the drawing options for a position of a table, as seen from a seat.
    fn look_at(&self, table: &Table, play: &dyn Play, side: Seat) -> DrawOptions {
        DrawOptions { over: table.ends_with(play), ..self.display.look(side) }
    }

    /// Returns how a person sees the board of a table.
    pub fn look_for(&self, table: &Table, who: UserId) -> DrawOptions {
        self.display.look(self.side_for(table, who))
    }

    /// Returns how a person sees a board on which they have no seat.
    pub fn look_from(&self, side: Seat) -> DrawOptions {
        self.display.look(side)
    }

    /// Returns the seat at the bottom for a person: their own, unless they prefer the standard orientation.
    fn side_for(&self, table: &Table, who: UserId) -> Seat {
        let own = table.seat_of(who).filter(|_| self.display.turns_board(table));
        own.unwrap_or(Seat::FIRST)
    }

    /// Draws the board of a started table for a person: from their seat, or else from the first.
    fn picture_for(&self, table: &Table, who: Option<UserId>) -> Option<Picture> {
        let side = who.map_or(Seat::FIRST, |who| self.side_for(table, who));
        table.play().map(|play| self.picture_with_text(table, play, side))
    }
}
