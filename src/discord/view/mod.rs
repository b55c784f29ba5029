//! What is posted and answered, as plain data: tables in, [posts](crate::discord::wire::outgoing_message::OutgoingMessage) out. Nothing here waits or sends.

mod blocking;
mod board;
mod challenge;
mod clock;
mod context;
pub mod digest;
mod hint;
mod lesson;
pub mod lesson_step;
pub mod lists;
mod lobby;
pub mod move_completion;
mod notifications;
mod offer;
pub mod panel;
pub mod plan;
mod proof;
pub mod ratings;
mod review;
mod share;
mod step_buttons;
#[cfg(test)]
mod tests;
mod thinking_queue;
mod tv;
mod user_install;
pub mod viewer;
mod vote;
mod watchers;

use rookery_core::scene::{DrawOptions, Mark};
use rookery_core::{Play, Seat};
use rookery_i18n::Localizer;
use rookery_table::preferences::Orientation;
use rookery_table::{Person, Table, posted_boards};

use crate::discord::state::display_preferences::DisplayPreferences;
use crate::discord::wire::outgoing_message::Picture;

/// The latest turns that a board names, and marks where its game shows several.
const TURNS_TOLD: usize = 8;

/// What every layout needs: the words, and how boards look where nobody chose otherwise.
#[derive(Clone, Copy)]
pub struct MessageView<'a> {
    /// The sentences.
    pub words: &'a Localizer,
    /// How boards look to whoever sees them.
    pub display: &'a DisplayPreferences,
    /// Whether messages in a table's thread are read without being addressed to us.
    pub reads_all: bool,
    /// Hours after which a challenge that nobody took runs out.
    pub challenge_hours: u32,
    /// Where games can be watched in a browser, without a slash at the end.
    pub web: Option<&'a str>,
}

impl MessageView<'_> {
    /// A board's picture as seen from a seat, with cells marked.
    pub fn picture(&self, table: &Table, play: &dyn Play, side: Seat, marks: Vec<Mark>) -> Picture {
        let look = DrawOptions { marks, ..self.look_at(table, play, side) };
        let alt = self.words.alt(&self.words.board(table, play, Some(&look)));
        Picture::still(play.scene(&look), alt)
    }

    /// The same with every turn that is told with it marked: all that were taken since the board before.
    pub(in crate::discord) fn picture_with_text(
        &self,
        table: &Table,
        play: &dyn Play,
        side: Seat,
    ) -> Picture {
        let earlier =
            posted_boards::turns_on_board(table, play.ply()).len().min(TURNS_TOLD).saturating_sub(1);
        let look = DrawOptions { earlier, ..self.look_at(table, play, side) };
        let alt = self.words.alt(&self.words.board(table, play, Some(&look)));
        Picture::still(play.scene(&look), alt)
    }

    /// How a position of a table is drawn, seen from a seat.
    fn look_at(&self, table: &Table, play: &dyn Play, side: Seat) -> DrawOptions {
        DrawOptions { over: table.ends_with(play), ..self.display.look(side) }
    }

    /// The seat at the bottom for somebody: their own, unless they like boards as they are in records.
    fn side_for(&self, table: &Table, who: Person) -> Seat {
        let own = table.seat_of(who).filter(|_| self.display.orientation == Orientation::Own);
        own.unwrap_or(Seat::FIRST)
    }

    /// The board of a table that has begun, seen by somebody: from their seat, or from the first.
    fn picture_for(&self, table: &Table, who: Option<Person>) -> Option<Picture> {
        let side = who.map_or(Seat::FIRST, |who| self.side_for(table, who));
        table.play().map(|play| self.picture_with_text(table, play, side))
    }
}
