//! Moves as sequences of steps, for panels and for completion while typing.

use super::Cell;

/// The subject of a move's step; the key of its name in sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// Which piece (by its cell).
    Piece,
    /// Where a piece is placed, or a tile laid.
    Place,
    /// The cell that the piece moves to.
    Goal,
    /// Where the arrow lands.
    Arrow,
    /// Where the spear lands.
    Spear,
    /// The direction of a slide or kick.
    Direction,
    /// How far it is turned.
    Spin,
    /// Whether a stack moves or splits.
    Mode,
}

/// One step of a move.
///
/// The texts of a move's steps, one after the other, are its canonical spelling:
/// `d1` + `-d7` + `/g7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The kind of choice that the step makes.
    pub part: StepKind,
    /// The canonical text it adds, separators included: `-d7`. Not empty.
    pub text: String,
    /// The cell to tap for it, if it is one.
    pub cell: Option<Cell>,
}

impl Step {
    /// A step to a cell, written with a separator before the cell's name.
    pub fn cell(part: StepKind, before: &str, cell: Cell, name: &str) -> Step {
        Step { part, text: format!("{before}{name}"), cell: Some(cell) }
    }

    /// A step that is no cell, such as a direction or a spin.
    pub fn sign(part: StepKind, text: impl Into<String>) -> Step {
        Step { part, text: text.into(), cell: None }
    }

    /// The label of a button: the text without its separator.
    pub fn label(&self) -> &str {
        let bare = self.text.trim_start_matches(['-', '/', '>']);
        if bare.is_empty() { &self.text } else { bare }
    }
}

/// The possible next steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Menu {
    /// The steps make a whole move: its canonical spelling.
    Done(String),
    /// Steps to choose from, sorted by part, then as the game lists them; one at least.
    Choose(Vec<Choice>),
    /// No legal move begins so.
    Nothing,
}

/// One step to choose, with how many legal moves lie behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The step that this choice adds.
    pub step: Step,
    /// Legal moves that begin with the steps so far and this one; 1 or more.
    pub moves: usize,
}
