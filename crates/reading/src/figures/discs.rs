//! How stacks of one height are drawn, level by level: each level shows the colour of its piece at the side, the top one its
//! face.

use rookery_games::amoeba::rules::{POINTS, Piece, Side, Stack, board};

use super::amoeba::Amoeba;
use super::easel::{Easel, Frame};
use super::sprite::{Tone, View, around, off, tone, values};
use super::trials::Figures;

/// The least squared difference to the empty board of a pixel that belongs to a stack of either side.
const BELONGS: f32 = 20.0 * 20.0;
/// The least squared difference of a pixel when the piece of a level is another side's.
const OF_LEVEL: f32 = 10.0 * 10.0;
/// Single pieces and Kernels of both sides.
const KINDS: usize = Piece::LETTERS.len();
/// The least share of a stack that is seen.
const LEAST_SEEN: f32 = 0.4;

/// Stacks of one height.
#[derive(Debug)]
pub(crate) struct Discs {
    height: usize,
    spots: Vec<Spot>,
}

/// A pixel of a stack.
#[derive(Clone, Copy, Debug)]
struct Spot {
    /// Its number in the frame.
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

impl Discs {
    /// Draws the stacks of all heights up to the tallest, 1 to 18; each height on a point of its own in every other row, where
    /// they don't overlap.
    pub(crate) fn drawn(easel: Easel<'_>, frame: Frame, tallest: usize) -> Vec<Discs> {
        let cells: Vec<_> =
            board().cells().filter(|cell| board().place(*cell).1 % 2 == 0).take(tallest).collect();
        let views = |stack: &dyn Fn(usize) -> Option<Stack>| {
            let mut stacks = [Stack::EMPTY; POINTS];
            for (n, cell) in cells.iter().enumerate() {
                stacks[cell.index()] = stack(n + 1).unwrap_or_default();
            }
            let drawing = easel.whole(&Amoeba::scene(&stacks, &easel.look.options));
            cells.iter().map(|cell| around(&drawing, easel.centre(*cell), frame)).collect::<Vec<_>>()
        };
        let empty = views(&|_| None);
        let variants: Vec<_> =
            (0..KINDS + tallest - 1).map(|n| views(&|height| variant(height, n))).collect();
        let discs = |height: usize| {
            let own: Vec<&[[f32; 3]]> =
                variants[..KINDS + height - 1].iter().map(|views| views[height - 1].as_slice()).collect();
            Discs { height, spots: spots(&empty[height - 1], &own) }
        };
        (1..=cells.len()).map(discs).collect()
    }

    /// The least that a stack of this height explains where it is drawn.
    pub(crate) fn full(&self) -> f32 {
        let of = |side: usize| self.spots.iter().map(|spot| f32::from(spot.full[side])).sum::<f32>();
        of(0).min(of(1))
    }

    /// The numbers of its pixels in the frame.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u16> + '_ {
        self.spots.iter().map(|spot| spot.at)
    }

    pub(crate) fn fit(&self, view: &View) -> Fit {
        let mut levels = vec![Sums::default(); self.height];
        let mut seen = 0;
        for spot in &self.spots {
            let Some((pixel, cost)) = view.pixel(spot.at) else { continue };
            seen += 1;
            let sums = &mut levels[usize::from(spot.level)];
            let is_top = usize::from(spot.level) + 1 == self.height;
            let kinds = if is_top { KINDS } else { 2 };
            for (by, tone) in sums.by.iter_mut().zip(spot.tones).take(kinds) {
                *by += cost - off(pixel, values(tone));
            }
            sums.full.iter_mut().zip(spot.full).for_each(|(sum, full)| *sum += f32::from(full));
            if is_top {
                let [a, b, k, l] = spot.tones.map(values);
                let differences = [off(a, k), off(b, l)];
                sums.kernel.iter_mut().zip(differences).for_each(|(sum, difference)| *sum += difference);
            }
        }
        let is_seen = seen as f32 >= LEAST_SEEN * self.spots.len() as f32;
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
fn spots(empty: &[[f32; 3]], variants: &[&[[f32; 3]]]) -> Vec<Spot> {
    let (kinds, levels) = variants.split_at(KINDS);
    let spot = |n: usize| {
        let tones: [Tone; KINDS] = std::array::from_fn(|kind| tone(kinds[kind][n]));
        let full: [f32; 2] = std::array::from_fn(|side| off(kinds[side][n], empty[n]));
        if kinds.iter().all(|drawn| off(drawn[n], empty[n]) < BELONGS) {
            return None;
        }
        let changes = levels.iter().map(|drawn| off(drawn[n], kinds[0][n])).enumerate();
        let most = changes.filter(|(_, by)| *by >= OF_LEVEL).max_by(|a, b| a.1.total_cmp(&b.1));
        let level = most.map_or(levels.len(), |(level, _)| level);
        Some(Spot { at: n as u16, level: level as u8, tones, full: full.map(|full| full as u16) })
    };
    (0..empty.len()).filter_map(spot).collect()
}
