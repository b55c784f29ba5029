//! Moves as sequences of steps, for panels and autocomplete.

use super::Cell;

/// The subject of a move's step; the key of its name in sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// The piece, by its cell.
    Piece,
    /// The cell on which a piece is placed or a tile laid.
    Place,
    /// The cell that the piece moves to.
    Goal,
    /// The cell where the arrow lands.
    Arrow,
    /// The cell where the spear lands.
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
/// The concatenated texts of a move's steps are its canonical spelling: `d1` + `-d7` + `/g7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The kind of choice that the step makes.
    pub part: StepKind,
    /// The canonical text that the step adds, separators included: `-d7`. Not empty.
    pub text: String,
    /// The cell to tap, if the step is a cell.
    pub cell: Option<Cell>,
}

impl Step {
    /// A step to a cell, written with a separator before the cell's name.
    pub fn cell(part: StepKind, before: &str, cell: Cell, name: &str) -> Step {
        Step { part, text: format!("{before}{name}"), cell: Some(cell) }
    }

    /// A step that is not a cell, such as a direction or a spin.
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
    /// The steps are a complete move; holds its canonical spelling.
    Done(String),
    /// The possible steps, sorted by part, then in the order of the game; at least one.
    Choose(Vec<Choice>),
    /// No legal move begins like this.
    Nothing,
}

/// A possible step and the number of legal moves that continue with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The step that this choice adds.
    pub step: Step,
    /// Legal moves that begin with the steps so far and this one; 1 or more.
    pub moves: usize,
}
