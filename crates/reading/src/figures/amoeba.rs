//! Amoeba: stacks of discs, whose levels are visible at the side.

use rayon::prelude::*;
use rookery_core::position::LastMove;
use rookery_core::rules::GameRules;
use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Cell, Play};
use rookery_games::amoeba::rules::{Move, PIECES, POINTS, Piece, Side, Stack, board};
use rookery_games::amoeba::{Amoeba as Game, AmoebaPosition};

use super::alternatives::{Alternative, Figures, Guess, preferences};
use super::kernels;
use super::marks::Marks;
use super::renderer::{Extent, Renderer};
use super::sprite::{Residual, Sprite, Window};
use super::stack_sprite::{Fit, StackSprite};
use crate::compare::{Patch, whole_preference};
use crate::content::with_piece;
use crate::look::Look;
use crate::plane::Colours;

/// How far a stack reaches from its point, in board units: to the sides, up, and down.
const ASIDE: f32 = 48.0;
const UP: f32 = 79.0;
const DOWN: f32 = 89.0;
/// The tallest stack that is read. Higher ones hardly differ in pictures of usual sizes.
const TALLEST: usize = 12;
/// A stack is there if it explains this share of what it would cover.
const PRESENT: f32 = 0.45;
/// Where all of the picture that is unexplained is less than this share of the lowest stack, there is none.
const MIN_SHARE_OF_STACK: f32 = 0.25;
/// How many heights of a stack are compared in whole drawings.
const MAX_HEIGHTS: usize = 3;
/// How many points are tried as the start and as the end of the last move: those that are explained worst without it.
const MAX_MARKED: usize = 5;
/// If the game has no such position: the most faults that are mended, on how many points, and the preference for what was read below
/// which another point that would do as well is unclear too.
const MAX_FAULTS: usize = 6;
const MAX_MENDED: usize = 3;
const ALSO_UNCLEAR: f32 = 0.7;
/// A last move is shown if the picture is that much more like the drawing with it.
const SHOWN: f32 = 0.4;

/// The stacks of all points.
pub(crate) type Stacks = [Stack; POINTS];

/// What a picture shows: the stacks, and the last move if it is marked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(super) stacks: Stacks,
    last_move: Option<Move>,
}

impl From<Stacks> for Seen {
    fn from(stacks: Stacks) -> Seen {
        Seen { stacks, last_move: None }
    }
}

/// The drawings of stacks.
#[derive(Debug)]
pub(crate) struct Amoeba {
    pub(super) extent: Extent,
    /// Stacks by their height, the lowest first.
    sprites: Vec<StackSprite>,
    /// The sign of a buried Kernel of each side.
    pub(super) signs: [Sprite; 2],
    /// Less than this is explained by no stack.
    least: f32,
}

impl Figures for Amoeba {
    type Position = Seen;
    /// The likeliest stacks of each point.
    type Ranking = Vec<Vec<Stack>>;

    fn new(renderer: Renderer<'_>) -> Amoeba {
        let unit = renderer.look.geometry.unit;
        let extent = Extent::new(ASIDE * unit, UP * unit, DOWN * unit);
        let sprites = StackSprite::drawn(renderer, extent, TALLEST);
        let signs = Side::BOTH.map(|side| kernels::sign(renderer, extent, side));
        let least = sprites.iter().map(StackSprite::full).fold(f32::MAX, f32::min) * MIN_SHARE_OF_STACK;
        Amoeba { extent, sprites, signs, least }
    }

    fn empty() -> Seen {
        [Stack::EMPTY; POINTS].into()
    }

    /// Without the numbers of stacks: they would say the orientation, but for the mark of the side to move, which isn't known.
    fn scene(seen: &Seen, options: &DrawOptions) -> Scene {
        let options = DrawOptions { strip: false, ..options.clone() };
        let position = AmoebaPosition::new(seen.stacks, Side::Bottom);
        let last = seen.last_move.map(|played| LastMove::alone(&position, played));
        Game::scene(&position, &options, last)
    }

    fn turned(seen: &Seen) -> Seen {
        let mut stacks = seen.stacks;
        stacks.reverse();
        let opposite = |cell: Cell| Cell((POINTS - 1 - cell.index()) as u8);
        let last_move = seen.last_move.map(|played| match played {
            Move::Go { from, to, split } => Move::Go { from: opposite(from), to: opposite(to), split },
            Move::Swap => Move::Swap,
        });
        Seen { stacks, last_move }
    }

    /// From the front row to the back: stacks cover parts of those behind them.
    fn guess(&self, renderer: Renderer<'_>, flat: &Colours) -> Guess<Amoeba> {
        let empty = renderer.blurred_drawing(&Amoeba::scene(&Amoeba::empty(), &renderer.look.options));
        let mut residual =
            Residual::new(flat, Amoeba::marks(renderer.look).costs(flat, &empty, &[]), self.extent);
        let mut cells: Vec<Cell> = board().cells().collect();
        cells.sort_by(|a, b| renderer.centre(*b).y.total_cmp(&renderer.centre(*a).y));
        let mut stacks = Amoeba::empty().stacks;
        let mut ranking = vec![Vec::new(); POINTS];
        let mut tops: Vec<(Cell, f32)> = Vec::new();
        for cell in cells {
            let at = renderer.centre(cell);
            let fits = self.fits(&residual.window(at));
            ranking[cell.index()] = fits.iter().take(MAX_HEIGHTS).map(|fit| fit.stack).collect();
            // Where a stack explains less, whole drawings tell whether it is there.
            let Some(best) = fits.first().filter(|best| best.share >= PRESENT) else { continue };
            stacks[cell.index()] = best.stack;
            tops.push((cell, best.kernel));
            residual.take(at, self.sprites[best.stack.height() - 1].numbers());
        }
        // A side has one Kernel: the top that is most like it, if any is.
        tops.sort_by(|a, b| b.1.total_cmp(&a.1));
        for side in Side::BOTH {
            let best = tops.iter().find(|(cell, _)| stacks[cell.index()].owner() == Some(side));
            if let Some((cell, _)) = best.filter(|(_, kernel)| *kernel > 0.0) {
                stacks[cell.index()] = topped(stacks[cell.index()], Piece { side, kernel: true });
            }
        }
        Guess { position: stacks.into(), ranking, doubtful: Vec::new() }
    }

    fn alternatives(
        &self,
        renderer: Renderer<'_>,
        now: &Seen,
        ranking: &Vec<Vec<Stack>>,
    ) -> Vec<Alternative<Amoeba>> {
        self.with_other_stacks(renderer, now, |cell| others(now.stacks[cell.index()], &ranking[cell.index()]))
    }

    fn merged(now: &Seen, better: &[(Cell, f32, &Alternative<Amoeba>)]) -> Seen {
        let mut merged = *now;
        for (cell, _, alternative) in better {
            merged.stacks[cell.index()] = alternative.position.stacks[cell.index()];
        }
        merged
    }

    fn with_last_move(&self, renderer: Renderer<'_>, flat: &Colours, seen: &Seen) -> Option<Seen> {
        let marks = Amoeba::marks(renderer.look);
        let plain = renderer.blurred_drawing(&Amoeba::scene(seen, &renderer.look.options));
        let residual = Residual::new(flat, marks.costs(flat, &plain, &[]), self.extent);
        let unexplained = |cell: &Cell| residual.window(renderer.centre(*cell)).unexplained();
        let mut cells: Vec<(Cell, f32)> = board().cells().map(|cell| (cell, unexplained(&cell))).collect();
        cells.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (from, to): (Vec<Cell>, Vec<Cell>) =
            cells.iter().map(|(cell, _)| *cell).partition(|cell| seen.stacks[cell.index()].is_empty());
        let pairs = from
            .into_iter()
            .take(MAX_MARKED)
            .flat_map(|from| to.iter().take(MAX_MARKED).map(move |to| (from, *to)));
        let moves: Vec<Move> = pairs.flat_map(|(from, to)| moves_between(&seen.stacks, from, to)).collect();
        let drawn = moves.into_par_iter().map(|played| {
            let seen = Seen { last_move: Some(played), ..*seen };
            let drawn = renderer.blurred_drawing(&Amoeba::scene(&seen, &renderer.look.options));
            (marks.costs(flat, &drawn, &[]).values.iter().sum::<f32>(), seen, drawn)
        });
        let (_, best, drawn) = drawn.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (whole_preference(flat, &drawn, &plain) >= SHOWN).then_some(best)
    }

    fn completed(&self, renderer: Renderer<'_>, flat: &Colours, seen: &Seen) -> Option<(Seen, Vec<Cell>)> {
        kernels::completed(self, renderer, flat, seen)
    }

    fn permitted(
        &self,
        renderer: Renderer<'_>,
        flat: &Colours,
        seen: &Seen,
        ranking: &Vec<Vec<Stack>>,
    ) -> Option<(Seen, Vec<Cell>)> {
        let faults = faults(&seen.stacks);
        if faults == 0 || faults > MAX_FAULTS {
            return None;
        }
        let alternatives = self.with_other_stacks(renderer, seen, |cell| {
            let now = seen.stacks[cell.index()];
            let kernels = Side::BOTH.into_iter().flat_map(|side| kernels::buried(now, &[side]));
            others(now, &ranking[cell.index()]).into_iter().chain(kernels).collect()
        });
        let changes = preferences(renderer, flat, seen, &alternatives).into_iter();
        let changes = changes.map(|(cell, preference, there)| {
            let stack = there.position.stacks[cell.index()];
            Change { cell, stack, preference }
        });
        let changes: Vec<Change> = changes.collect();
        let (stacks, unclear) = mended(&seen.stacks, &changes)?;
        Some((Seen { stacks, ..*seen }, unclear))
    }

    /// If the last move is shown, the other side is to move.
    fn play(seen: &Seen) -> Option<Box<dyn Play>> {
        let moved = seen.last_move.and_then(|played| match played {
            Move::Go { to, .. } => seen.stacks[to.index()].owner(),
            Move::Swap => None,
        });
        let to_move = moved.map_or(Side::Bottom, Side::other);
        let line = Game::to_line(&AmoebaPosition::new(seen.stacks, to_move));
        rookery_games::named(Game::INFO.key)?.resume(&line).ok()
    }

    fn has_last_move(seen: &Seen) -> bool {
        seen.last_move.is_some()
    }

    fn misfit(look: &Look, seen: &Patch, drawn: &Patch) -> f32 {
        Amoeba::marks(look).misfit(seen, drawn)
    }
}

impl Amoeba {
    pub(super) fn marks(look: &Look) -> Marks {
        Marks::of(Game::themes(), &look.options.theme)
    }

    /// Positions with another stack on each point, as many as there are such stacks.
    fn with_other_stacks(
        &self,
        renderer: Renderer<'_>,
        now: &Seen,
        others: impl Fn(Cell) -> Vec<Stack>,
    ) -> Vec<Alternative<Amoeba>> {
        let all: Vec<(Cell, Vec<Stack>)> = board().cells().map(|cell| (cell, others(cell))).collect();
        let most = all.iter().map(|(_, others)| others.len()).max().unwrap_or_default();
        let mut alternatives = Vec::new();
        // Stacks of neighbouring rows overlap.
        for (n, parity) in (0..most).flat_map(|n| [(n, 0), (n, 1)]) {
            let (mut position, mut cells) = (*now, Vec::new());
            for (cell, others) in all.iter().filter(|(cell, _)| board().place(*cell).1 % 2 == parity) {
                if let Some(other) = others.get(n) {
                    position.stacks[cell.index()] = *other;
                    cells.push((*cell, renderer.area(renderer.centre(*cell), self.extent)));
                }
            }
            alternatives.extend((!cells.is_empty()).then_some(Alternative { position, cells }));
        }
        alternatives
    }

    /// How well stacks of each height explain a point, the best first; none if nothing is there.
    fn fits(&self, window: &Window) -> Vec<Fit> {
        if window.unexplained() < self.least {
            return Vec::new();
        }
        let mut fits: Vec<Fit> = self.sprites.iter().map(|sprite| sprite.fit(window)).collect();
        fits.sort_by(|a, b| b.by.total_cmp(&a.by));
        fits
    }
}

/// Another stack on a point, and how much more the picture is like the one that was read there.
struct Change {
    cell: Cell,
    stack: Stack,
    preference: f32,
}

/// How many pieces have to change until the game has the stacks: a side has one Kernel and a limited number of other pieces.
fn faults(stacks: &Stacks) -> usize {
    let of_side = |side| {
        let own = stacks.iter().flat_map(|stack| stack.pieces()).filter(|piece| piece.side == side);
        let (kernels, others): (Vec<Piece>, Vec<Piece>) = own.partition(|piece| piece.kernel);
        kernels.len().abs_diff(1) + others.len().saturating_sub(PIECES / 2 - 1)
    };
    Side::BOTH.into_iter().map(of_side).sum()
}

/// The stacks without faults after a few of some changes, those that mend most for how unlikely they are; and the points where the
/// picture hardly tells whether they, or others that would do as well, are right. `None` if so few don't mend the faults.
fn mended(stacks: &Stacks, changes: &[Change]) -> Option<(Stacks, Vec<Cell>)> {
    let after = |stacks: &Stacks, change: &Change| {
        let mut after = *stacks;
        after[change.cell.index()] = change.stack;
        after
    };
    let mends = |stacks: &Stacks, change: &Change| {
        faults(stacks).checked_sub(faults(&after(stacks, change))).filter(|count| *count > 0)
    };
    let others = changes.iter().filter(|change| change.preference < ALSO_UNCLEAR);
    let others = others.filter(|change| mends(stacks, change).is_some());
    let mut unclear: Vec<Cell> = others.map(|change| change.cell).collect();
    let mut stacks = *stacks;
    for _ in 0..MAX_MENDED {
        let costs = changes
            .iter()
            .filter_map(|change| Some(((1.0 + change.preference) / mends(&stacks, change)? as f32, change)));
        let Some((_, change)) = costs.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        stacks = after(&stacks, change);
        unclear.push(change.cell);
    }
    (faults(&stacks) == 0).then_some((stacks, unclear))
}

/// The moves from a point to another that the stacks may be after.
fn moves_between(stacks: &Stacks, from: Cell, to: Cell) -> Vec<Move> {
    let Some(dir) = board().lines().direction(from, to) else { return Vec::new() };
    let way = board().lines().walk(from, dir).take_while(|cell| *cell != to);
    let way: Vec<Cell> = way.collect();
    let may_split = !way.is_empty() && way.iter().all(|cell| !stacks[cell.index()].is_empty());
    let manners = [false, true].into_iter().filter(|split| !split || may_split);
    manners.map(|split| Move::Go { from, to, split }).collect()
}

/// The stack with another piece on top.
pub(super) fn topped(stack: Stack, top: Piece) -> Stack {
    stack.pieces().take(stack.height().saturating_sub(1)).chain([top]).collect()
}

/// What may be on a point instead: nothing, other heights, another side's piece on each level, a Kernel on top or none.
fn others(now: Stack, likely: &[Stack]) -> Vec<Stack> {
    let is_kernel = |piece: Piece| now.pieces().next_back().is_some_and(|top| top == piece && top.kernel);
    let likely = likely.iter().filter(|stack| stack.height() != now.height()).map(|stack| {
        // The Kernel that is on top stays there.
        let kernel = stack.owner().map(|side| Piece { side, kernel: true }).filter(|piece| is_kernel(*piece));
        kernel.map_or(*stack, |kernel| topped(*stack, kernel))
    });
    let recoloured = now.pieces().enumerate().map(|(level, piece)| {
        with_piece(now, level, Piece { side: piece.side.other(), kernel: piece.kernel })
    });
    let crowned = now.pieces().next_back().map(|top| topped(now, Piece { kernel: !top.kernel, ..top }));
    let nothing = (!now.is_empty()).then_some(Stack::EMPTY);
    let single = Side::BOTH.map(|side| Stack::of(Piece { side, kernel: false }));
    let single = single.into_iter().filter(|_| now.is_empty());
    nothing.into_iter().chain(likely).chain(recoloured).chain(crowned).chain(single).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stacks(line: &str) -> Stacks {
        let position = Game::from_line(line).unwrap();
        std::array::from_fn(|point| position.stack(Cell(point as u8)))
    }

    fn stack(letters: &str) -> Stack {
        letters.chars().map(|letter| Piece::of(letter).unwrap()).collect()
    }

    fn change(cell: u8, letters: &str, preference: f32) -> Change {
        Change { cell: Cell(cell), stack: stack(letters), preference }
    }

    #[test]
    fn what_the_game_lacks_is_mended_where_it_is_likeliest() {
        let right = stacks("B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,A,A,A,A/2,K,2/A,A,A,A 1");
        let at = |letters: &str| (0..POINTS).find(|point| right[*point] == stack(letters)).unwrap() as u8;
        let (piece, kernel) = (at("B"), at("L"));
        let mut seen = right;
        assert_eq!(faults(&seen), 0);
        // One side has a piece too many and the other one too few.
        seen[usize::from(at("A"))] = stack("B");
        assert_eq!(faults(&seen), 1);
        let changes = [change(at("A"), "A", 0.1), change(piece, "A", 0.6), change(kernel, "K", -0.5)];
        let (mended_stacks, unclear) = mended(&seen, &changes).unwrap();
        assert_eq!(mended_stacks, right);
        assert_eq!(unclear, [Cell(at("A")), Cell(piece), Cell(at("A"))], "the other one would do as well");
        // A Kernel is missing.
        seen = right;
        seen[usize::from(kernel)] = stack("B");
        assert_eq!(faults(&seen), 2, "one of the pieces is too many");
        let changes = [change(piece, "L", 0.9), change(kernel, "L", 0.8), change(piece, "", -0.1)];
        assert_eq!(mended(&seen, &changes).unwrap().0, right);
        assert!(mended(&seen, &changes[2..]).is_none(), "without a piece there is still no Kernel");
    }
}
