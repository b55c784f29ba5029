//! Amoeba's Kernels: each side has one, on top of a stack or buried in one. A buried one has a sign beside its stack, and a mark
//! on the side of its disc.

use rayon::prelude::*;
use rookery_core::Cell;
use rookery_core::scene::{Item, Point};
use rookery_games::amoeba::rules::{Piece, Side, Stack, board};

use super::alternatives::{Figures, patch};
use super::amoeba::{Amoeba, Seen, topped};
use super::renderer::{Extent, Renderer};
use super::sprite::{Residual, Sprite, around};
use crate::compare::{CLEAR, Patch, best_match, preference};
use crate::content::with_piece;
use crate::plane::Colours;

/// A sign is there if it explains this share of what it would cover.
const PRESENT: f32 = 0.45;
/// How far a sign reaches from its centre, in board units.
const RADIUS: f32 = 23.0;
/// The beginning of the names of the signs' stamps.
const SIGN: &str = "amoeba/buried-";

/// The sign of a buried Kernel.
#[derive(Clone, Copy, Debug)]
struct Sign {
    side: Side,
    cell: Cell,
    /// How many signs are before it beside the stack: those of Kernels nearer to the top.
    place: usize,
    share: f32,
}

fn piece(side: Side, kernel: bool) -> Piece {
    Piece { side, kernel }
}

/// The drawing of the sign of a side.
pub(super) fn sign(renderer: Renderer<'_>, extent: Extent, side: Side) -> Sprite {
    let options = &renderer.look.options;
    let drawn = |kernel: bool| {
        let mut seen = Amoeba::empty();
        seen.stacks[0] = [piece(side, kernel), piece(side, false)].into_iter().collect();
        Amoeba::scene(&seen, options)
    };
    let at = places(renderer, Cell(0))[0];
    let [mut with, without] =
        [true, false].map(|kernel| around(&renderer.blurred_drawing(&drawn(kernel)), at, extent));
    // The Kernel's mark on the stack is elsewhere in other stacks.
    let radius = RADIUS * renderer.look.geometry.unit;
    let rows = extent.rows().into_iter();
    let steps =
        rows.flat_map(|row| (row.left..).take(row.count).map(move |dx| (dx as f32).hypot(row.y as f32)));
    for ((with, without), distance) in with.iter_mut().zip(&without).zip(steps) {
        if distance > radius {
            *with = *without;
        }
    }
    Sprite::new(&with, &without)
}

/// Where the signs beside a stack on a cell are, in pixels: the first, and the second if there are two.
fn places(renderer: Renderer<'_>, cell: Cell) -> Vec<Point> {
    let mut seen = Amoeba::empty();
    let both = Side::BOTH.map(|side| piece(side, true));
    seen.stacks[cell.index()] = both.into_iter().chain([piece(Side::Bottom, false)]).collect();
    let unit = renderer.look.geometry.unit;
    let items = Amoeba::scene(&seen, &renderer.look.options).items.into_iter();
    let sign = |item: Item| match item {
        Item::Stamp(stamp, at) if stamp.name.starts_with(SIGN) => {
            Some(Point { x: at.x * unit, y: at.y * unit })
        }
        _ => None,
    };
    items.filter_map(sign).collect()
}

/// The stacks with one Kernel of each side, and the cells where it is unclear which piece is one; `None` if they have it already.
pub(super) fn completed(
    figures: &Amoeba,
    renderer: Renderer<'_>,
    flat: &Colours,
    seen: &Seen,
) -> Option<(Seen, Vec<Cell>)> {
    let mut seen = *seen;
    let stacks = &mut seen.stacks;
    let mut doubtful = Vec::new();
    let mut missing = Vec::new();
    for side in Side::BOTH {
        let is_top = |cell: &Cell| stacks[cell.index()].pieces().next_back() == Some(piece(side, true));
        let tops: Vec<Cell> = board().cells().filter(is_top).collect();
        match tops[..] {
            [] => missing.push(side),
            [_] => {}
            [_, ref others @ ..] => {
                for cell in others {
                    stacks[cell.index()] = topped(stacks[cell.index()], piece(side, false));
                }
                doubtful.extend(&tops);
            }
        }
    }
    if missing.is_empty() && doubtful.is_empty() {
        return None;
    }
    let signs = signs(figures, renderer, flat, &seen, &missing);
    doubtful.extend(signs.iter().filter(|sign| sign.share < PRESENT).map(|sign| sign.cell));
    for cell in board().cells() {
        let mut own: Vec<Sign> = signs.iter().filter(|sign| sign.cell == cell).copied().collect();
        own.sort_by_key(|sign| sign.place);
        let sides: Vec<Side> = own.iter().map(|sign| sign.side).collect();
        let all = buried(seen.stacks[cell.index()], &sides);
        if sides.is_empty() || all.is_empty() {
            continue;
        }
        let (stack, is_clear) = likeliest(figures, renderer, flat, (&seen, cell), &all);
        seen.stacks[cell.index()] = stack;
        doubtful.extend((!is_clear).then_some(cell));
    }
    Some((seen, doubtful))
}

/// The one of some stacks on a cell that a picture is most like, and whether that is clear. Drawings of older versions don't show
/// which piece is the Kernel.
fn likeliest(
    figures: &Amoeba,
    renderer: Renderer<'_>,
    flat: &Colours,
    (seen, cell): (&Seen, Cell),
    stacks: &[Stack],
) -> (Stack, bool) {
    let area = renderer.area(renderer.centre(cell), figures.extent);
    let drawn = stacks.par_iter().map(|stack| {
        let mut seen = *seen;
        seen.stacks[cell.index()] = *stack;
        let drawing = renderer.drawing(&Amoeba::scene(&seen, &renderer.look.options));
        patch(Colours::drawn_part(&drawing, area))
    });
    let drawn: Vec<Patch> = drawn.collect();
    let picture = patch(flat.cut(area));
    let (best, least) = best_match(drawn.len(), |a, b| preference(&picture, &drawn[a], &drawn[b]));
    (stacks[best], least >= CLEAR)
}

/// The likeliest sign of each side whose Kernel isn't on top.
fn signs(
    figures: &Amoeba,
    renderer: Renderer<'_>,
    flat: &Colours,
    seen: &Seen,
    missing: &[Side],
) -> Vec<Sign> {
    if missing.is_empty() {
        return Vec::new();
    }
    let drawn = renderer.blurred_drawing(&Amoeba::scene(seen, &renderer.look.options));
    let residual = Residual::new(flat, Amoeba::marks(renderer.look).costs(flat, &drawn, &[]), figures.extent);
    let mut best: Vec<Sign> = Vec::new();
    for cell in board().cells() {
        let sides =
            missing.iter().copied().filter(|side| !buried(seen.stacks[cell.index()], &[*side]).is_empty());
        let sides: Vec<Side> = sides.collect();
        if sides.is_empty() {
            continue;
        }
        for (place, at) in places(renderer, cell).into_iter().enumerate().take(missing.len()) {
            let window = residual.window(at);
            for side in sides.iter().copied() {
                let share = window.gain(&figures.signs[side.index()]).share();
                let sign = Sign { side, cell, place, share };
                match best.iter_mut().find(|known| known.side == side) {
                    Some(known) if known.share < share => *known = sign,
                    Some(_) => {}
                    None => best.push(sign),
                }
            }
        }
    }
    best
}

/// The stacks that this one may be if Kernels of these sides are buried in it, that of the first side nearest to the top.
pub(super) fn buried(stack: Stack, sides: &[Side]) -> Vec<Stack> {
    let mut all = vec![(stack, stack.height().saturating_sub(1))];
    for side in sides {
        let next = all.into_iter().flat_map(|(stack, below)| {
            let levels = (0..below).rev().filter(move |level| stack.piece(*level) == piece(*side, false));
            levels.map(move |level| (with_piece(stack, level, piece(*side, true)), level))
        });
        all = next.collect();
    }
    all.into_iter().map(|(stack, _)| stack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(letters: &str) -> Stack {
        letters.chars().map(|letter| Piece::of(letter).unwrap()).collect()
    }

    #[test]
    fn a_buried_kernel_is_a_lower_piece_of_its_side() {
        let all = |letters, sides: &[Side]| -> Vec<String> {
            let all = buried(stack(letters), sides).into_iter();
            all.map(|stack| stack.pieces().map(Piece::letter).collect()).collect()
        };
        assert_eq!(all("ABAA", &[Side::Bottom]), ["ABKA", "KBAA"]);
        assert_eq!(all("BAA", &[Side::Top]), ["LAA"]);
        assert_eq!(all("ABAA", &[Side::Top, Side::Bottom]), ["KLAA"]);
        assert_eq!(all("BBA", &[Side::Bottom]), [""; 0]);
    }
}
