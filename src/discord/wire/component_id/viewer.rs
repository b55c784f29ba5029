//! What is done in the viewer of a game, and how the board is looked at there.

use rookery_core::Seat;

/// What is done in the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewerAction {
    /// To the beginning.
    First,
    /// One turn back.
    Back,
    /// One turn on.
    Next,
    /// To the end.
    Last,
    /// To a turn chosen from the list.
    Jump,
    /// Show the whole game as a moving picture.
    Play,
    /// Look from the next seat.
    Turn,
    /// Show or hide whose cells are.
    Tint,
    /// Show the board in plain characters.
    Text,
    /// Play on from here.
    PlayFrom,
}

impl ViewerAction {
    const ALL: [(ViewerAction, &'static str); 10] = [
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
    ];

    pub(super) fn key(self) -> &'static str {
        ViewerAction::ALL.iter().find(|(step, _)| *step == self).map_or("", |(_, key)| key)
    }

    pub(super) fn named(key: &str) -> Option<ViewerAction> {
        ViewerAction::ALL.iter().find(|(_, known)| *known == key).map(|(step, _)| *step)
    }

    /// Whether the answer comes beside the viewer rather than in its place.
    pub fn stands_beside(self) -> bool {
        matches!(self, ViewerAction::Play | ViewerAction::Text | ViewerAction::PlayFrom)
    }
}

/// How somebody looks at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewOptions {
    /// Who sits at the bottom.
    pub side: Seat,
    /// Whether cells are tinted by whose they are.
    pub tints: bool,
}

impl ViewOptions {
    /// From a seat, without more.
    pub fn from(side: Seat) -> ViewOptions {
        ViewOptions { side, tints: false }
    }

    /// The same from the next seat, of this number of seats.
    #[must_use]
    pub fn turned(self, seats: usize) -> ViewOptions {
        let side = Seat::new((self.side.index() + 1) % seats.max(1)).unwrap_or(Seat::FIRST);
        ViewOptions { side, ..self }
    }
}
