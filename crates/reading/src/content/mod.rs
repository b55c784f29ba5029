//! What is on a cell, in the terms of the position editor.

mod amoeba;
mod position;
mod soccer;

pub use position::{content_of, with_content};

pub(crate) use amoeba::with_piece;
pub(crate) use position::{changed, contents, likely_contents};

use rookery_core::rules::GameRules;
use rookery_core::{Dir, EditorPiece, Play};
use rookery_games::amoeba::Amoeba;
use rookery_games::penguin_soccer::PenguinSoccer;

/// The contents of a cell: the signs of the pieces that are put there in a position's editor one after another, none if it is
/// empty. A penguin of Penguin Soccer is put there until it faces its direction ([`Manner`]), and a stack from below.
pub type Content = Vec<&'static str>;

/// A piece of a content, or several that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The piece in the editor.
    pub piece: EditorPiece,
    /// How it is there.
    pub manner: Manner,
}

/// How a piece is on its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It is alone of its kind, and has no direction.
    Plain,
    /// A penguin of Penguin Soccer stands upright.
    Upright,
    /// A penguin of Penguin Soccer is lying, with its beak in this direction.
    Facing(Dir),
    /// This many (2 or more) are on top of each other.
    Times(usize),
}

/// A game whose pieces cover more than their cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureGame {
    /// Penguin Soccer.
    Soccer,
    /// Amoeba.
    Amoeba,
}

impl FigureGame {
    /// The game with this key; `None` if its pieces stay within their cells.
    pub(crate) fn named(key: &str) -> Option<FigureGame> {
        match key {
            _ if key == PenguinSoccer::INFO.key => Some(FigureGame::Soccer),
            _ if key == Amoeba::INFO.key => Some(FigureGame::Amoeba),
            _ => None,
        }
    }
}

/// The pieces of a content: from below in a stack, otherwise in the order in which they are put there. Unknown signs are left
/// out.
#[must_use]
pub fn parts(play: &dyn Play, content: &Content) -> Vec<Part> {
    let pieces = play.editor_pieces();
    let has_directions = FigureGame::named(play.info().key) == Some(FigureGame::Soccer);
    let part = |run: &[&'static str]| {
        let piece = *pieces.iter().find(|piece| piece.sign == run[0])?;
        let manner = match run.len() {
            1 if has_directions && piece.seat.is_some() => Manner::Upright,
            1 => Manner::Plain,
            count if has_directions => Manner::Facing(count - 2),
            count => Manner::Times(count),
        };
        Some(Part { piece, manner })
    };
    content.chunk_by(|a, b| a == b).filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use rookery_core::rules::Setup;

    use super::*;

    #[test]
    fn runs_of_signs_are_directions_or_levels() {
        let manners = |game: &str, content: &[&'static str]| -> Vec<(&str, Manner)> {
            let play = rookery_games::named(game).unwrap().start(&Setup::new(2)).unwrap();
            let parts = parts(play.as_ref(), &content.to_vec()).into_iter();
            parts.map(|part| (part.piece.sign, part.manner)).collect()
        };
        assert_eq!(manners("penguin_soccer", &["B1", "o"]), [("B1", Manner::Upright), ("o", Manner::Plain)]);
        assert_eq!(manners("penguin_soccer", &["M2", "M2", "M2"]), [("M2", Manner::Facing(1))]);
        let stack = [("A", Manner::Times(2)), ("K", Manner::Plain), ("B", Manner::Plain)];
        assert_eq!(manners("amoeba", &["A", "A", "K", "B"]), stack);
        assert_eq!(manners("amazons", &["Q"]), [("Q", Manner::Plain)]);
    }
}
