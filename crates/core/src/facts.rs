//! Facts about a position; `i18n` makes descriptions from them.

use super::{Cell, Seat};

/// The key of [`Fact::home`].
const HOME: &str = "home";

/// One fact about a position, such as "White a4 d1 g2 h4" or "Blocked: ...".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Key of the sentence, `fact-<key>`: shared ones are `pieces`, `gone` and `home`.
    pub key: &'static str,
    /// The seat that the fact is about, if any.
    pub seat: Option<Seat>,
    /// The cells that the fact is about; written as ranges where they are contiguous.
    pub cells: Vec<Cell>,
    /// Words inserted into the sentence unchanged (stack heights, facings, numbers).
    pub words: Vec<String>,
}

impl Fact {
    /// The cells of a seat's pieces.
    pub fn pieces(seat: Seat, cells: impl IntoIterator<Item = Cell>) -> Fact {
        Fact { key: "pieces", seat: Some(seat), cells: cells.into_iter().collect(), words: Vec::new() }
    }

    /// The cells that are permanently gone.
    pub fn gone(cells: impl IntoIterator<Item = Cell>) -> Fact {
        Fact { key: "gone", seat: None, cells: cells.into_iter().collect(), words: Vec::new() }
    }

    /// The cell that is a seat's home, with or without a piece on it.
    pub fn home(seat: Seat, cell: Cell) -> Fact {
        Fact { key: HOME, seat: Some(seat), cells: vec![cell], words: Vec::new() }
    }

    /// Whether it says whose cells are, with or without a piece on them.
    pub fn is_home(&self) -> bool {
        self.key == HOME
    }

    /// Whether it says where a seat's pieces are.
    pub fn is_about_pieces(&self) -> bool {
        self.seat.is_some() && !self.is_home()
    }

    /// A fact about cells.
    pub fn cells(key: &'static str, cells: impl IntoIterator<Item = Cell>) -> Fact {
        Fact { key, seat: None, cells: cells.into_iter().collect(), words: Vec::new() }
    }

    /// A fact in words.
    pub fn words(key: &'static str, seat: Option<Seat>, words: Vec<String>) -> Fact {
        Fact { key, seat, cells: Vec::new(), words }
    }
}
