//! Facts about a position, from which `i18n` makes descriptions.

use super::{Cell, Seat};

/// One fact about a position: "White a4 d1 g2 h4", "Blocked: ...".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Key of the sentence, `fact-<key>`: shared ones are `pieces` and `gone`.
    pub key: &'static str,
    /// The seat that it is about.
    pub seat: Option<Seat>,
    /// The cells it is about; written as ranges where they are in rows.
    pub cells: Vec<Cell>,
    /// Words that go into the sentence as they are (heights of stacks, facings, numbers).
    pub words: Vec<String>,
}

impl Fact {
    /// Where the pieces of a seat stand.
    pub fn pieces(seat: Seat, cells: impl IntoIterator<Item = Cell>) -> Fact {
        Fact { key: "pieces", seat: Some(seat), cells: cells.into_iter().collect(), words: Vec::new() }
    }

    /// Which cells are gone for good.
    pub fn gone(cells: impl IntoIterator<Item = Cell>) -> Fact {
        Fact { key: "gone", seat: None, cells: cells.into_iter().collect(), words: Vec::new() }
    }

    /// Any other fact about cells.
    pub fn cells(key: &'static str, cells: impl IntoIterator<Item = Cell>) -> Fact {
        Fact { key, seat: None, cells: cells.into_iter().collect(), words: Vec::new() }
    }

    /// Any other fact in words.
    pub fn words(key: &'static str, seat: Option<Seat>, words: Vec<String>) -> Fact {
        Fact { key, seat, cells: Vec::new(), words }
    }
}
