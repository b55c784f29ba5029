//! Games whose pieces cover more than their cell: Penguin Soccer and Amoeba.
//!
//! Drawings of each figure alone say where one explains the picture better than the empty board does (`sprite`, `discs`), which
//! makes a first reading (`soccer`, `amoeba`). Then whole positions are drawn, with what was read and with the next best on each
//! cell, and compared (`trials`). Marks of a last move count as explained (`marks`). `soccer_cells` and `amoeba_cells` say in a
//! position's own terms what is on a cell and what else might be.

mod amoeba;
mod amoeba_cells;
mod discs;
mod easel;
mod kernels;
mod marks;
mod soccer;
mod soccer_cells;
mod sprite;
mod trials;

use std::sync::OnceLock;

use rookery_core::{Cell, Play};
use rookery_render::Painter;

use crate::align::{Alignment, Freedom, aligned};
use crate::content::Content;
use crate::decide::Verdict;
use crate::look::{Look, whole_preference};
use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;
use amoeba::Amoeba;
use easel::Easel;
use soccer::Soccer;
use trials::{Figures, tried};

/// A cell that differs this much from its drawing was read wrongly.
const STRANGE: f32 = 350.0;
/// The least preference for one orientation over the other.
const ORIENTED: f32 = 0.3;

/// The figures of a look, drawn when a picture of their game is read.
#[derive(Debug, Default)]
pub(crate) struct Sprites {
    soccer: OnceLock<Soccer>,
    amoeba: OnceLock<Amoeba>,
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
            "penguin_soccer" => Some(FigureGame::Soccer),
            "amoeba" => Some(FigureGame::Amoeba),
            _ => None,
        }
    }

    /// What is on each cell of a position of the game.
    pub(crate) fn contents(self, play: &dyn Play) -> Vec<Content> {
        match self {
            FigureGame::Soccer => soccer_cells::contents(play),
            FigureGame::Amoeba => amoeba_cells::contents(play),
        }
    }

    /// A game that starts with the position with another content of a cell; `None` if the game doesn't permit it there.
    pub(crate) fn with_content(
        self,
        play: &dyn Play,
        cell: Cell,
        content: &Content,
    ) -> Option<Box<dyn Play>> {
        match self {
            FigureGame::Soccer => soccer_cells::with_content(play, cell, content),
            FigureGame::Amoeba => amoeba_cells::with_content(play, cell, content),
        }
    }

    /// What is on a cell, and what it may be mistaken for, the likeliest first.
    pub(crate) fn alternatives(self, play: &dyn Play, cell: Cell) -> Vec<Content> {
        match self {
            FigureGame::Soccer => soccer_cells::alternatives(play, cell),
            FigureGame::Amoeba => amoeba_cells::alternatives(play, cell),
        }
    }

    /// Reads a board at a rough place. The looks are those of the first and the second seat. `None` if the picture shows no
    /// position of the game, or neither side of the board is at the bottom.
    pub(crate) fn read(
        self,
        looks: [&Look; 2],
        picture: &Pyramid,
        rough: Projection,
        painter: &Painter,
    ) -> Option<Verdict> {
        let easels = looks.map(|look| Easel { look, painter });
        match self {
            FigureGame::Soccer => read::<Soccer>(easels, picture, rough),
            FigureGame::Amoeba => read::<Amoeba>(easels, picture, rough),
        }
    }
}

/// Reads a board as the side sees it that its empty drawing is more like, or else as the other side does.
fn read<F: Figures>(easels: [Easel<'_>; 2], picture: &Pyramid, rough: Projection) -> Option<Verdict> {
    let flat = easels[0].look.flattened(picture, &rough).blurred(1);
    let empty = easels.map(|easel| drawn::<F>(easel, &F::empty()));
    let [first, second] = easels;
    let is_second = whole_preference(&flat, &empty[0], &empty[1]) < 0.0;
    let sides =
        if is_second { [(second, first), (first, second)] } else { [(first, second), (second, first)] };
    for (easel, opposite) in sides {
        let (verdict, preference) = read_as::<F>(easel, opposite, picture, rough)?;
        if preference >= ORIENTED {
            return Some(verdict);
        }
        if preference > -ORIENTED {
            return None;
        }
    }
    None
}

fn drawn<F: Figures>(easel: Easel<'_>, position: &F::Position) -> Colours {
    easel.whole(&F::scene(position, &easel.look.options))
}

/// Reads a board as one side sees it; also how much more the picture is like its drawing than like that for the other side,
/// -1 to 1. `None` if it is no position of the game.
fn read_as<F: Figures>(
    easel: Easel<'_>,
    opposite: Easel<'_>,
    picture: &Pyramid,
    rough: Projection,
) -> Option<(Verdict, f32)> {
    let figures = F::of(easel);
    let flat = easel.look.flattened(picture, &rough).blurred(1);
    let guess = figures.guess(easel, &flat);
    let how = Alignment { freedom: Freedom::Projective, blur: 1, step: 3, most: 12 };
    let place = aligned(rough, picture, &drawn::<F>(easel, &guess.position), None, how);
    let flat = easel.look.flattened(picture, &place.projection).blurred(1);
    let (position, mut unclear) = tried(figures, easel, &flat, figures.guess(easel, &flat));
    let (position, doubtful) = figures.completed(easel, &flat, position);
    unclear.extend(doubtful);
    let here = drawn::<F>(easel, &position);
    // Both differ in what is around the figures alone.
    let preference = whole_preference(&flat, &here, &drawn::<F>(opposite, &F::turned(&position)));
    let cells = easel.look.geometry.board.cells();
    let misfit = |cell| {
        let [seen, drawn] = [&flat, &here].map(|picture| easel.look.patch(picture, cell));
        (cell, F::misfit(easel.look, &seen, &drawn))
    };
    let misfits: Vec<(Cell, f32)> = cells.map(misfit).collect();
    unclear.extend(misfits.iter().filter(|(_, misfit)| *misfit > STRANGE).map(|(cell, _)| *cell));
    unclear.sort();
    unclear.dedup();
    let misfits = misfits.into_iter().map(|(_, misfit)| misfit).collect();
    Some((Verdict::new(F::play(&position)?, place.projection, misfits, unclear), preference))
}
