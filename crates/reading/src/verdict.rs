//! What was read from a picture of any game.

use rookery_core::{Cell, Play};

use crate::Reading;
use crate::plane::Colours;
use crate::projection::Projection;

/// A position that was read, and how sure it is.
pub(crate) struct Verdict {
    /// A game that starts with the position.
    pub(crate) play: Box<dyn Play>,
    pub(crate) shown: Shown,
    /// Where the board is.
    pub(crate) projection: Projection,
    /// The mean difference of the cells to what was read, without the worst tenth: those are unclear.
    pub(crate) misfit: f32,
    /// The largest difference of a cell.
    worst: f32,
    /// The number of cells.
    cells: usize,
    /// The cells that may hold something else.
    pub(crate) unclear: Vec<Cell>,
    /// Whether what the cells look like is no position of the game, and this is the nearest one.
    pub(crate) is_mended: bool,
    /// The picture of the board in the size of the drawings, blurred as they are.
    pub(crate) flat: Colours,
    /// What the same cells are if the board is seen from the other end, and its letters and numbers, which would tell, are beyond
    /// the picture.
    pub(crate) turned: Option<Turned>,
}

/// What a picture shows besides what is on the cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// Whose turn it is.
    pub(crate) turn: bool,
    /// The points of all players, in games with points.
    pub(crate) points: bool,
}

/// A board seen from the other end.
pub(crate) struct Turned {
    pub(crate) play: Box<dyn Play>,
    pub(crate) shown: Shown,
    pub(crate) unclear: Vec<Cell>,
}

/// The difference at which a board is certain, and that of a cell which is unclear because nothing in a picture tells.
const CERTAIN: f32 = 30.0;
const EXPLAINED: f32 = 60.0;
/// The difference at which a board is there, and the share of its cells that may be unclear.
const SETTLED: f32 = 60.0;
const MAX_UNCLEAR: f32 = 0.1;

impl Verdict {
    /// Whether no other way of drawing the board explains it better.
    pub(crate) fn is_certain(&self) -> bool {
        self.misfit < CERTAIN && (self.unclear.is_empty() || self.worst < EXPLAINED)
    }

    /// Whether the board is there, in this theme and style, although some of its cells may be unclear.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_certain() || self.misfit < SETTLED && self.is_mostly_clear()
    }

    /// Whether at most a tenth of the cells are unclear.
    pub(crate) fn is_mostly_clear(&self) -> bool {
        self.unclear.len() as f32 <= MAX_UNCLEAR * self.cells as f32
    }

    /// What is reported, with the name of the board's theme.
    pub(crate) fn reading(self, theme: &'static str) -> Reading {
        let one = |play, shown: Shown, unclear, turned| Reading {
            play,
            is_turn_shown: shown.turn,
            are_points_shown: shown.points,
            theme,
            unclear,
            dependent: Vec::new(),
            turned,
        };
        let turned = self.turned.map(|it| Box::new(one(it.play, it.shown, it.unclear, None)));
        one(self.play, self.shown, self.unclear, turned)
    }

    /// A verdict with the differences of all cells.
    pub(crate) fn new(
        (play, shown): (Box<dyn Play>, Shown),
        projection: Projection,
        misfits: Vec<f32>,
        unclear: Vec<Cell>,
        flat: Colours,
    ) -> Verdict {
        let cells = misfits.len();
        let worst = misfits.iter().copied().fold(0.0, f32::max);
        let misfit = misfit_of_most(misfits);
        Verdict {
            play,
            shown,
            projection,
            misfit,
            worst,
            cells,
            unclear,
            is_mended: false,
            flat,
            turned: None,
        }
    }
}

/// The mean difference of cells without the worst tenth of them.
pub(crate) fn misfit_of_most(mut misfits: Vec<f32>) -> f32 {
    misfits.sort_by(f32::total_cmp);
    misfits.truncate(misfits.len() - misfits.len() / 10);
    misfits.iter().sum::<f32>() / misfits.len() as f32
}
