//! The actions in the viewer of a game, and the options of its board.

use rookery_core::Seat;

/// An action in the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewerAction {
    /// Go to the start of the game.
    First,
    /// Go back one turn.
    Back,
    /// Go forward one turn.
    Next,
    /// Go to the end of the game.
    Last,
    /// Go to the turn chosen in the select.
    Jump,
    /// Show the whole game as an animation.
    Play,
    /// Turn the board so that the next seat is at the bottom.
    Turn,
    /// Show or hide the tint of owned cells.
    Tint,
    /// Show the board as text.
    Text,
    /// Open a new game from this position.
    PlayFrom,
    /// Show the best moves at this position.
    Lines,
}

impl ViewerAction {
    const ALL: [(ViewerAction, &'static str); 11] = [
        (ViewerAction::First, "f"),
        (ViewerAction::Back, "b"),
        (ViewerAction::Next, "n"),
        (ViewerAction::Last, "l"),
        (ViewerAction::Jump, "j"),
        (ViewerAction::Play, "p"),
        (ViewerAction::Turn, "s"),
        (ViewerAction::Tint, "t"),
        (ViewerAction::Text, "x"),
        (ViewerAction::PlayFrom, "o"),
        (ViewerAction::Lines, "a"),
    ];

    pub(super) fn key(self) -> &'static str {
        ViewerAction::ALL.iter().find(|(step, _)| *step == self).map_or("", |(_, key)| key)
    }

    pub(super) fn named(key: &str) -> Option<ViewerAction> {
        ViewerAction::ALL.iter().find(|(_, known)| *known == key).map(|(step, _)| *step)
    }

    /// Returns whether the answer is a separate message instead of an edit of the viewer.
    pub fn answers_separately(self) -> bool {
        matches!(self, ViewerAction::Play | ViewerAction::Text | ViewerAction::PlayFrom)
    }
}

/// The options of the viewer's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewOptions {
    /// The seat at the bottom.
    pub side: Seat,
    /// Whether cells are tinted by their owner.
    pub tints: bool,
}

impl ViewOptions {
    /// Returns the options with this seat at the bottom and no tints.
    pub fn from(side: Seat) -> ViewOptions {
        ViewOptions { side, tints: false }
    }

    /// Returns the options with the next of `seats` seats at the bottom.
    #[must_use]
    pub fn turned(self, seats: usize) -> ViewOptions {
        let side = Seat::new((self.side.index() + 1) % seats.max(1)).unwrap_or(Seat::FIRST);
        ViewOptions { side, ..self }
    }
}
