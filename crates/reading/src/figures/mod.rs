//! Games whose pieces cover more than their cell: Penguin Soccer and Amoeba.
//!
//! Sprites, the drawings of each figure alone, say where one explains the picture better than the empty board does (`sprite`,
//! `stack_sprite`), which makes a first reading (`soccer`, `amoeba`). Then whole positions are drawn, with what was read and
//! with the next best on each cell, and compared (`alternatives`). Marks of a last move count as explained (`marks`).

mod alternatives;
mod amoeba;
mod kernels;
mod marks;
mod renderer;
mod soccer;
mod sprite;
mod stack_sprite;

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use rookery_core::Cell;
use rookery_render::Painter;

use crate::align::{Alignment, Freedom, aligned};
use crate::compare::{as_far_as_shown, faint_preference, whole_preference};
use crate::content::FigureGame;
use crate::look::Look;
use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;
use crate::turn::with_shown_turn;
use crate::verdict::{Shown, Verdict};
use alternatives::{Figures, Improved, improved};
use amoeba::Amoeba;
use renderer::Renderer;
use soccer::Soccer;

/// A cell that differs this much from its drawing was read wrongly.
const STRANGE: f32 = 350.0;
/// The least preference for one orientation over the other.
const ORIENTED: f32 = 0.3;
/// The same for the empty board, before the figures are found: finding them takes long. Of 91 boards that were there and could be
/// read the least had 0.16; with another number of players, or in another style, most have less than 0.1.
const ORIENTED_EMPTY: f32 = 0.12;

/// The sprites of a look, drawn when a picture of their game is read.
#[derive(Debug, Default)]
pub(crate) struct Sprites {
    soccer: OnceLock<Soccer<2>>,
    soccer_of_four: OnceLock<Soccer<4>>,
    amoeba: OnceLock<Amoeba>,
}

/// A side from which a board may be drawn.
pub(crate) type Side = (Arc<Look>, Arc<Sprites>);

/// Reads a board at a rough place. The sides are those of the seats in their order, each opposite to the one half the list
/// away. Also the number of the side at the bottom. `None` if the picture shows no position of the game, or no side of the board
/// is at the bottom.
pub(crate) fn read(
    game: FigureGame,
    sides: &[Side],
    picture: &Pyramid,
    rough: Projection,
    painter: &Painter,
) -> Option<(usize, Verdict)> {
    match (game, sides.len()) {
        (FigureGame::Amoeba, _) => read_board(sides, |sprites| &sprites.amoeba, picture, rough, painter),
        (FigureGame::Soccer, 4) => {
            read_board(sides, |sprites| &sprites.soccer_of_four, picture, rough, painter)
        }
        (FigureGame::Soccer, _) => read_board(sides, |sprites| &sprites.soccer, picture, rough, painter),
    }
}

/// Reads a board as the side sees it that its empty drawing is more like. In 538 readings of photographs and 184 of drawings none was
/// that of the opposite side.
fn read_board<F: Figures>(
    sides: &[Side],
    kept: impl Fn(&Sprites) -> &OnceLock<F>,
    picture: &Pyramid,
    rough: Projection,
    painter: &Painter,
) -> Option<(usize, Verdict)> {
    let renderer = |side: usize| Renderer { look: &sides[side].0, painter };
    let flat = sides.first()?.0.flattened(picture, &rough).blurred(1);
    let empty = (0..sides.len()).into_par_iter().map(|side| drawn::<F>(renderer(side), &F::empty()));
    let empty: Vec<Colours> = empty.collect();
    let first = empty.first()?.clone();
    let shown = empty.into_iter().map(|drawn| as_far_as_shown(drawn, &first, picture, &rough));
    let empty: Vec<Colours> = shown.collect();
    let preference = |side: usize, other: usize| whole_preference(&flat, &empty[side], &empty[other]);
    let likelier = |best, side| if preference(side, best) > 0.0 { side } else { best };
    let likeliest = (1..sides.len()).fold(0, likelier);
    let opposite = |side: usize| (side + sides.len() / 2) % sides.len();
    if preference(likeliest, opposite(likeliest)) < ORIENTED_EMPTY {
        return None;
    }
    let figures = made_once(kept(&sides[likeliest].1), || F::new(renderer(likeliest)));
    let read = read_as(figures, renderer(likeliest), renderer(opposite(likeliest)), picture, rough);
    let (verdict, preference) = read?;
    (preference >= ORIENTED).then_some((likeliest, verdict))
}

/// What is in a cell, or is now made for it. Not within `get_or_init`: while a thread waits there for a part of its work, it may
/// take on other work that needs the same cell.
fn made_once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    match cell.get() {
        Some(known) => known,
        None => {
            let made = make();
            cell.get_or_init(|| made)
        }
    }
}

fn drawn<F: Figures>(renderer: Renderer<'_>, position: &F::Position) -> Colours {
    renderer.blurred_drawing(&F::scene(position, &renderer.look.options))
}

/// Reads a board as one side sees it; also how much more the picture is like its drawing than like that for the other side,
/// -1 to 1. `None` if it is no position of the game.
fn read_as<F: Figures>(
    figures: &F,
    renderer: Renderer<'_>,
    opposite: Renderer<'_>,
    picture: &Pyramid,
    rough: Projection,
) -> Option<(Verdict, f32)> {
    let flat = renderer.look.flattened(picture, &rough).blurred(1);
    let guess = figures.guess(renderer, &flat);
    let how = Alignment { freedom: Freedom::Projective, blur: 1, step: 3, most: 12 };
    let guessed = drawn::<F>(renderer, &guess.position);
    let exact = aligned(rough, picture, &guessed.planes[0], None, how).projection;
    let (projection, flat, guess) = if renderer.look.is_still(&rough, &exact) {
        (rough, flat, guess)
    } else {
        let flat = renderer.look.flattened(picture, &exact).blurred(1);
        let guess = figures.guess(renderer, &flat);
        (exact, flat, guess)
    };
    let Improved { position, mut unclear, is_mended } = improved(figures, renderer, &flat, guess);
    let here = drawn::<F>(renderer, &position);
    // Both differ in what is around the figures alone.
    let there = drawn::<F>(opposite, &F::turned(&position));
    let there = as_far_as_shown(there, &here, picture, &projection);
    let preference = faint_preference(&flat, &here, &there);
    let cells = renderer.look.geometry.board.cells();
    let misfit = |cell| {
        let [seen, drawn] = [&flat, &here].map(|picture| renderer.look.patch(picture, cell));
        (cell, F::misfit(renderer.look, &seen, &drawn))
    };
    let misfits: Vec<(Cell, f32)> = cells.map(misfit).collect();
    unclear.extend(misfits.iter().filter(|(_, misfit)| *misfit > STRANGE).map(|(cell, _)| *cell));
    unclear.sort();
    unclear.dedup();
    let misfits = misfits.into_iter().map(|(_, misfit)| misfit).collect();
    let play = F::play(&position)?;
    let shown =
        with_shown_turn(play.as_ref(), renderer.look, (picture, &flat, &projection), renderer.painter);
    let is_turn_shown = shown.is_some() || F::has_last_move(&position);
    let play = (shown.unwrap_or(play), Shown { turn: is_turn_shown, ..Shown::default() });
    let mut verdict = Verdict::new(play, projection, misfits, unclear, flat);
    verdict.is_mended = is_mended;
    Some((verdict, preference))
}
