//! What is posted and answered, as plain data: tables in, [posts](super::post::Post) out. Nothing here waits or sends.

mod board;
mod challenge;
mod lists;
mod offer;
mod pads;
pub mod panel;
mod proof;
pub mod ratings;
#[cfg(test)]
mod tests;

use crate::kit::scene::{Look, Mark};
use crate::kit::{Play, Seat};
use crate::table::{Person, Table};
use crate::words::{self, Words};

use super::post::Picture;

/// What every layout needs: the words, and how boards look where nobody chose otherwise.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    /// The sentences.
    pub words: &'a Words,
    /// The theme's name.
    pub theme: &'a str,
    /// Whether messages in a table's thread are read without being addressed to us.
    pub reads_all: bool,
    /// Hours after which a challenge that nobody took runs out.
    pub challenge_hours: u32,
}

impl Layout<'_> {
    /// A board's picture as seen from a seat, with cells marked.
    pub fn picture(&self, table: &Table, play: &dyn Play, side: Seat, marks: Vec<Mark>) -> Picture {
        let look = Look { theme: self.theme.to_owned(), marks, ..Look::from_seat(side) };
        let scene = words::Scene { table: table.id(), play };
        Picture::still(play.scene(&look), self.words.alt(scene))
    }

    /// The board of a table that has begun, seen by somebody: from their seat, or from the first.
    fn picture_for(&self, table: &Table, who: Option<Person>) -> Option<Picture> {
        let side = who.and_then(|who| table.seat_of(who)).unwrap_or(Seat::FIRST);
        table.play().map(|play| self.picture(table, play, side, Vec::new()))
    }
}
