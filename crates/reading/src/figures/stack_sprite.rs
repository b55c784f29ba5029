//! How stacks of one height are drawn, level by level: each level shows the colour of its piece at the side, the top one its
//! face.

use rookery_games::amoeba::rules::{POINTS, Piece, Side, Stack, board};

use super::alternatives::Figures;
use super::amoeba::Amoeba;
use super::renderer::{Extent, Renderer};
use super::sprite::{Tone, Window, around, squared_difference, tone, values};

/// The least squared difference to the empty board of a pixel that belongs to a stack of either side.
const MIN_DIFFERENT: f32 = 20.0 * 20.0;
/// The least squared difference of a pixel when the piece of a level is another side's.
const MIN_DIFFERENT_LEVEL: f32 = 10.0 * 10.0;
/// Single pieces and Kernels of both sides.
const KINDS: usize = Piece::LETTERS.len();
/// The least share of a stack that is seen.
const MIN_SEEN: f32 = 0.4;

/// Stacks of one height.
#[derive(Debug)]
pub(crate) struct StackSprite {
    height: usize,
    pixels: Vec<SpritePixel>,
}

/// A pixel of a stack.
#[derive(Clone, Copy, Debug)]
struct SpritePixel {
    /// Its number in the window.
    at: u16,
    /// The level whose piece it shows, from 0 at the bottom.
    level: u8,
    /// Its colour with each kind of piece on that level; Kernels differ on top only.
    tones: [Tone; KINDS],
    /// The squared difference to the empty board with a piece of each side.
    full: [u16; 2],
}

/// How well stacks of one height explain a point.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// The best stack, without Kernels.
    pub(crate) stack: Stack,
    /// By how much the squared differences become less.
    pub(crate) by: f32,
    /// The same as a share of what it would be if the stack were drawn there.
    pub(crate) share: f32,
    /// How much more the top is like a Kernel than like none, -1 to 1.
    pub(crate) kernel: f32,
}

/// The sums over the pixels of a level.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    by: [f32; KINDS],
    full: [f32; 2],
    /// How much the Kernel of each side differs from another piece of it.
    kernel: [f32; 2],
}

fn piece(kind: usize) -> Piece {
    Piece::LETTERS[kind].1
}

/// Stacks of a height as they are drawn to learn them: first with each kind of piece on pieces of the same side, then of the
/// first side with each lower level of the other.
fn variant(height: usize, n: usize) -> Option<Stack> {
    let side = |level: usize| match n.checked_sub(KINDS) {
        None => Some(piece(n).side),
        Some(other) if other + 1 >= height => None,
        Some(other) if other == level => Some(Side::Top),
        Some(_) => Some(Side::Bottom),
    };
    let is_kernel = |level| n < KINDS && piece(n).kernel && level + 1 == height;
    (0..height).map(|level| Some(Piece { side: side(level)?, kernel: is_kernel(level) })).collect()
}

impl StackSprite {
    /// Draws the stacks of all heights up to the tallest, 1 to 18; each height on a point of its own in every other row, where
    /// they don't overlap.
    pub(crate) fn drawn(renderer: Renderer<'_>, extent: Extent, tallest: usize) -> Vec<StackSprite> {
        let cells: Vec<_> =
            board().cells().filter(|cell| board().place(*cell).1.is_multiple_of(2)).take(tallest).collect();
        let windows = |stack: &dyn Fn(usize) -> Option<Stack>| {
            let mut stacks = [Stack::EMPTY; POINTS];
            for (n, cell) in cells.iter().enumerate() {
                stacks[cell.index()] = stack(n + 1).unwrap_or_default();
            }
            let drawing = renderer.blurred_drawing(&Amoeba::scene(&stacks.into(), &renderer.look.options));
            cells.iter().map(|cell| around(&drawing, renderer.centre(*cell), extent)).collect::<Vec<_>>()
        };
        let empty = windows(&|_| None);
        let variants: Vec<_> =
            (0..KINDS + tallest - 1).map(|n| windows(&|height| variant(height, n))).collect();
        let sprite = |height: usize| {
            let own: Vec<&[[f32; 3]]> =
                variants[..KINDS + height - 1].iter().map(|windows| windows[height - 1].as_slice()).collect();
            StackSprite { height, pixels: pixels(&empty[height - 1], &own) }
        };
        (1..=cells.len()).map(sprite).collect()
    }

    /// The least that a stack of this height explains where it is drawn.
    pub(crate) fn full(&self) -> f32 {
        let of = |side: usize| self.pixels.iter().map(|pixel| f32::from(pixel.full[side])).sum::<f32>();
        of(0).min(of(1))
    }

    /// The numbers of its pixels in the window.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u16> + '_ {
        self.pixels.iter().map(|pixel| pixel.at)
    }

    pub(crate) fn fit(&self, window: &Window) -> Fit {
        let mut levels = vec![Sums::default(); self.height];
        let mut seen = 0;
        for drawn in &self.pixels {
            let Some((pixel, cost)) = window.pixel(drawn.at) else { continue };
            seen += 1;
            let sums = &mut levels[usize::from(drawn.level)];
            let is_top = usize::from(drawn.level) + 1 == self.height;
            let kinds = if is_top { KINDS } else { 2 };
            for (by, tone) in sums.by.iter_mut().zip(drawn.tones).take(kinds) {
                *by += cost - squared_difference(pixel, values(tone));
            }
            sums.full.iter_mut().zip(drawn.full).for_each(|(sum, full)| *sum += f32::from(full));
            if is_top {
                let [a, b, k, l] = drawn.tones.map(values);
                let differences = [squared_difference(a, k), squared_difference(b, l)];
                sums.kernel.iter_mut().zip(differences).for_each(|(sum, difference)| *sum += difference);
            }
        }
        let is_seen = seen as f32 >= MIN_SEEN * self.pixels.len() as f32;
        self.best(&levels, is_seen)
    }

    fn best(&self, levels: &[Sums], is_seen: bool) -> Fit {
        let (mut by, mut full, mut kernel) = (0.0, 0.0, 0.0);
        let mut pieces = Vec::new();
        for (level, sums) in levels.iter().enumerate() {
            let kinds = if level + 1 == self.height { KINDS } else { 2 };
            let best = (0..kinds).max_by(|a, b| sums.by[*a].total_cmp(&sums.by[*b])).unwrap_or_default();
            let side = best % 2;
            by += sums.by[best];
            full += sums.full[side];
            kernel = (sums.by[side + 2] - sums.by[side]) / sums.kernel[side].max(1.0);
            pieces.push(piece(side));
        }
        let share = if is_seen { by / full.max(1.0) } else { 0.0 };
        Fit { stack: pieces.into_iter().collect(), by, share, kernel }
    }
}

/// The pixels of stacks that differ from the empty board, with the level that each shows.
fn pixels(empty: &[[f32; 3]], variants: &[&[[f32; 3]]]) -> Vec<SpritePixel> {
    let (kinds, levels) = variants.split_at(KINDS);
    let pixel = |n: usize| {
        let tones: [Tone; KINDS] = std::array::from_fn(|kind| tone(kinds[kind][n]));
        let full: [f32; 2] = std::array::from_fn(|side| squared_difference(kinds[side][n], empty[n]));
        if kinds.iter().all(|drawn| squared_difference(drawn[n], empty[n]) < MIN_DIFFERENT) {
            return None;
        }
        let changes = levels.iter().map(|drawn| squared_difference(drawn[n], kinds[0][n])).enumerate();
        let most = changes.filter(|(_, by)| *by >= MIN_DIFFERENT_LEVEL).max_by(|a, b| a.1.total_cmp(&b.1));
        let level = most.map_or(levels.len(), |(level, _)| level);
        Some(SpritePixel { at: n as u16, level: level as u8, tones, full: full.map(|full| full as u16) })
    };
    (0..empty.len()).filter_map(pixel).collect()
}
