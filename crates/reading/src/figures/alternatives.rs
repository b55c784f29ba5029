//! What was read, against whole drawings with something else in its place.

use rayon::prelude::*;
use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Cell, Play};

use super::renderer::Renderer;
use crate::compare::{CLEAR, Patch, preference};
use crate::look::Look;
use crate::palette::Area;
use crate::plane::Colours;

/// How often what was read is replaced by something that fits better.
const ROUNDS: usize = 4;

/// The drawings of the figures of a game in a look.
pub(crate) trait Figures: Sized + Sync {
    /// All figures, and where they are. It need not be a position of the game.
    type Position: Clone + Sync;
    /// What else may be on the cells, as far as single figures say it.
    type Ranking;

    /// Draws the figures.
    fn new(renderer: Renderer<'_>) -> Self;
    /// The board without figures.
    fn empty() -> Self::Position;
    /// The drawing of a position.
    fn scene(position: &Self::Position, options: &DrawOptions) -> Scene;
    /// The same figures from the other end of the board.
    fn turned(position: &Self::Position) -> Self::Position;
    /// Reads a picture by single figures.
    fn guess(&self, renderer: Renderer<'_>, flat: &Colours) -> Guess<Self>;
    /// What may be there instead.
    fn alternatives(
        &self,
        renderer: Renderer<'_>,
        now: &Self::Position,
        ranking: &Self::Ranking,
    ) -> Vec<Alternative<Self>>;
    /// The position with what fits better: the cells where it does, how much worse they are now (-1 to 0), and the alternatives.
    fn merged(now: &Self::Position, better: &[(Cell, f32, &Alternative<Self>)]) -> Self::Position;
    /// The position with the last move, if the picture shows it.
    fn with_last_move(
        &self,
        renderer: Renderer<'_>,
        flat: &Colours,
        position: &Self::Position,
    ) -> Option<Self::Position>;
    /// The position with what single figures don't show, and the cells where that is unclear; `None` if they show all.
    fn completed(
        &self,
        renderer: Renderer<'_>,
        flat: &Colours,
        position: &Self::Position,
    ) -> Option<(Self::Position, Vec<Cell>)>;
    /// The nearest position that the game has, if only a few cells say more than it permits: the position, and the cells that are
    /// unclear for that. `None` if the game has the position that was read, or no such position is near.
    fn permitted(
        &self,
        _renderer: Renderer<'_>,
        _flat: &Colours,
        _position: &Self::Position,
        _ranking: &Self::Ranking,
    ) -> Option<(Self::Position, Vec<Cell>)> {
        None
    }
    /// The game that starts with the position; `None` if the game has no such position.
    fn play(position: &Self::Position) -> Option<Box<dyn Play>>;
    /// Whether the position was read with its last move.
    fn has_last_move(position: &Self::Position) -> bool;
    /// How badly a position explains the pixels of a cell.
    fn misfit(look: &Look, seen: &Patch, drawn: &Patch) -> f32;
}

/// A first reading.
pub(crate) struct Guess<F: Figures> {
    pub(crate) position: F::Position,
    pub(crate) ranking: F::Ranking,
    /// The cells where it is unsure whether there is anything.
    pub(crate) doubtful: Vec<Cell>,
}

/// A position with something else on some cells, which are compared each by itself.
pub(crate) struct Alternative<F: Figures> {
    pub(crate) position: F::Position,
    /// The cells, and the part of the drawing that tells for each.
    pub(crate) cells: Vec<(Cell, Area)>,
}

/// What a guess leads to.
pub(crate) struct Improved<F: Figures> {
    /// With the last move and what single figures don't show.
    pub(crate) position: F::Position,
    /// The cells where it is unclear.
    pub(crate) unclear: Vec<Cell>,
    /// Whether what was seen is no position of the game, and this is the nearest one.
    pub(crate) is_mended: bool,
}

/// The position that a guess leads to.
pub(crate) fn improved<F: Figures>(
    figures: &F,
    renderer: Renderer<'_>,
    flat: &Colours,
    guess: Guess<F>,
) -> Improved<F> {
    let Guess { position, ranking, doubtful } = guess;
    let (mut position, mut unclear) = improved_by(figures, renderer, flat, position, &ranking);
    // Its marks hide parts of the figures that they are on.
    if let Some(marked) = figures.with_last_move(renderer, flat, &position) {
        (position, unclear) = improved_by(figures, renderer, flat, marked, &ranking);
    }
    if let Some((completed, others)) = figures.completed(renderer, flat, &position) {
        let alternatives = figures.alternatives(renderer, &completed, &ranking);
        unclear = unclear_cells(&least_preferences(renderer, flat, &completed, &alternatives));
        unclear.extend(others);
        position = completed;
    }
    unclear.extend(doubtful);
    match figures.permitted(renderer, flat, &position, &ranking) {
        Some((position, others)) => {
            unclear.extend(others);
            Improved { position, unclear, is_mended: true }
        }
        None => Improved { position, unclear, is_mended: false },
    }
}

/// The position after better ones were tried, and the cells where it is unclear.
fn improved_by<F: Figures>(
    figures: &F,
    renderer: Renderer<'_>,
    flat: &Colours,
    mut position: F::Position,
    ranking: &F::Ranking,
) -> (F::Position, Vec<Cell>) {
    let mut unclear = Vec::new();
    for round in 1..=ROUNDS {
        let alternatives = figures.alternatives(renderer, &position, ranking);
        let least = least_preferences(renderer, flat, &position, &alternatives);
        unclear = unclear_cells(&least);
        let better: Vec<_> = least.into_iter().filter(|(_, preference, _)| *preference < 0.0).collect();
        if better.is_empty() || round == ROUNDS {
            break;
        }
        position = F::merged(&position, &better);
    }
    (position, unclear)
}

/// The cells where an alternative may be there instead.
fn unclear_cells<F: Figures>(least: &[(Cell, f32, &Alternative<F>)]) -> Vec<Cell> {
    least.iter().filter(|(_, preference, _)| *preference < CLEAR).map(|(cell, ..)| *cell).collect()
}

/// For each cell how much more the picture is like what was read than like the best alternative, and that alternative.
fn least_preferences<'a, F: Figures>(
    renderer: Renderer<'_>,
    flat: &Colours,
    position: &F::Position,
    alternatives: &'a [Alternative<F>],
) -> Vec<(Cell, f32, &'a Alternative<F>)> {
    let mut least: Vec<(Cell, f32, &Alternative<F>)> = Vec::new();
    for (cell, preference, alternative) in preferences(renderer, flat, position, alternatives) {
        match least.iter_mut().find(|(known, ..)| *known == cell) {
            Some(known) if known.1 > preference => *known = (cell, preference, alternative),
            Some(_) => {}
            None => least.push((cell, preference, alternative)),
        }
    }
    least
}

/// For each cell of each alternative how much more the picture is like what was read.
pub(super) fn preferences<'a, F: Figures>(
    renderer: Renderer<'_>,
    flat: &Colours,
    position: &F::Position,
    alternatives: &'a [Alternative<F>],
) -> Vec<(Cell, f32, &'a Alternative<F>)> {
    let here = renderer.blurred_drawing(&F::scene(position, &renderer.look.options));
    let preferences = alternatives.par_iter().map(|alternative| {
        let there = renderer.drawing(&F::scene(&alternative.position, &renderer.look.options));
        let preferences = alternative.cells.iter().map(|(cell, area)| {
            let [seen, here] = [flat, &here].map(|whole| patch(whole.cut(*area)));
            (*cell, preference(&seen, &here, &patch(Colours::drawn_part(&there, *area))), alternative)
        });
        preferences.collect::<Vec<_>>()
    });
    preferences.flatten_iter().collect()
}

/// The pixels of a part of a picture.
pub(super) fn patch(part: Colours) -> Patch {
    part.planes.map(|plane| plane.values)
}
