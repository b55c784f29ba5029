//! The colours of the themes, and where in a picture they are.

use std::collections::HashMap;

use image::RgbImage;
use rookery_core::rules::Setup;
use rookery_core::scene::{DrawOptions, Rgb, Theme};
use rookery_core::{Game, Seat};
use rookery_render::Painter;

/// The width at which boards are drawn to count their colours.
const DRAWN: u32 = 350;
/// A colour with a smaller share of a board is an edge between others.
const MIN_SHARE: f32 = 0.025;
/// The largest difference in a channel from a theme's colour: what JPEG of quality 60 leaves in flat areas.
const TOLERANCE: u8 = 14;
/// About this many pixels across the picture are sampled.
const POINTS: usize = 224;
/// Pixels across a block.
const BLOCK: usize = 4;
/// The power of a part's number of blocks in its rank. A part that is larger than the board has less of the board's colours; one
/// that is smaller may have as much.
const SIZE_COUNTS: f32 = 0.25;
/// The ratio of the sizes of parts that are tried, the smallest one against the picture, and the blocks from one to the next.
const SIZE_STEP: f32 = 1.12;
const MIN_SIZE: f32 = 0.25;
const PLACE_STEP: usize = 2;
/// The colours that are counted to tell a drawing from a photograph, and the least share of a picture's pixels that have one of
/// them in a drawing. Light and noise give a photograph many shades of each colour.
const COMMON: usize = 4;
const COMMON_SHARE: f32 = 0.2;
/// By how much pixels of one colour may differ, and the least share of them that don't in a drawing. With both shares 6 of 240 drawings
/// (blurred by JPEG) are taken for photographs and 10 of 234 photographs for drawings; without the second one it was 8 and 25.
const NEARLY_EQUAL: u8 = 8;
const EQUAL_SHARE: f32 = 0.5;

/// The colours of one theme of a game.
pub(crate) struct Palette {
    pub(crate) game: &'static dyn Game,
    pub(crate) theme: &'static Theme,
    /// The width of a board's drawing over its height.
    ratio: f32,
    colours: Vec<([u8; 3], f32)>,
}

/// A part of a picture, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// How well a theme explains a part of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    /// The share of the theme's colours that are there, times a power of the size: a small part has the colours of some theme
    /// by chance.
    pub(crate) rank: f32,
    /// The part with an edge, where a board may end.
    pub(crate) area: Area,
    /// The width of the part alone in pixels, about that of the board's drawing.
    pub(crate) width: f32,
}

impl Palette {
    pub(crate) fn new(game: &'static dyn Game, theme: &'static Theme, painter: &Painter) -> Option<Palette> {
        let options = DrawOptions { theme: theme.name.to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
        let mut play = game.start(&Setup::new(game.info().seats[0])).ok()?;
        let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
        let (mut all, mut ratio) = (0, 1.0);
        // The first position, one in the middle and a late one.
        for _ in 0..3 {
            let picture = painter.picture(&play.scene(&options), DRAWN);
            let mut by_index = [0; 256];
            picture.rows().flatten().for_each(|index| by_index[usize::from(*index)] += 1);
            for (Rgb(r, g, b), count) in picture.palette().iter().zip(by_index) {
                *counts.entry([*r, *g, *b]).or_default() += count;
            }
            all += picture.width() * picture.height();
            ratio = picture.width() as f32 / picture.height() as f32;
            for _ in 0..30 {
                let moves = play.moves();
                let Some(choice) = moves.get(moves.len() / 3) else { break };
                play.play(choice).ok()?;
            }
        }
        let shares = counts.into_iter().map(|(colour, count)| (colour, count as f32 / all as f32));
        let mut colours: Vec<_> = shares.filter(|(_, share)| *share >= MIN_SHARE).collect();
        colours.sort_by(|a, b| b.1.total_cmp(&a.1));
        Some(Palette { game, theme, ratio, colours })
    }

    /// The part of the picture that has the theme's colours in the shares of a board.
    pub(crate) fn fit(&self, pixels: &SampledPixels) -> Option<Fit> {
        let counts = Counts::new(pixels, self.colours.len(), &self.nearest(pixels));
        let known: f32 = self.colours.iter().map(|(_, share)| share).sum();
        let score = |at: Blocks| {
            let all = (at.width() * at.height() * BLOCK * BLOCK) as f32;
            let shares = self.colours.iter().enumerate();
            let met = shares.map(|(n, (_, share))| (counts.of(n, at) as f32 / all).min(*share));
            met.sum::<f32>() / known
        };
        let rank = |at: Blocks| score(at) * ((at.width() * at.height()) as f32).powf(SIZE_COUNTS);
        let ranked = counts.boards(self.ratio).map(|part| (rank(part), part));
        let (_, rough) = ranked.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let best = counts.refined(rough, rank);
        // With an edge, since blocks at the border may be of another colour.
        let edge = best.width().max(best.height()) / 20 + 1;
        let size = |blocks: usize| blocks * BLOCK * pixels.step;
        let (left, top) = (best.left.saturating_sub(edge), best.top.saturating_sub(edge));
        let (width, height) = (best.right + edge - left, best.bottom + edge - top);
        let area = Area { left: size(left), top: size(top), width: size(width), height: size(height) };
        Some(Fit { rank: rank(best), area, width: size(best.width()) as f32 })
    }

    /// The number of the theme's colour that each point has, or the number of colours if it has none.
    fn nearest(&self, pixels: &SampledPixels) -> Vec<u8> {
        let [red, green, blue] = &pixels.channels;
        let mut nearest = vec![self.colours.len() as u8; red.len()];
        let mut least = vec![TOLERANCE + 1; red.len()];
        for (number, ([r, g, b], _)) in (0..).zip(&self.colours) {
            // One colour against all pixels: the processor compares many at once.
            let sampled = red.iter().zip(green).zip(blue).zip(nearest.iter_mut().zip(&mut least));
            for (((red, green), blue), (nearest, least)) in sampled {
                let apart = red.abs_diff(*r).max(green.abs_diff(*g)).max(blue.abs_diff(*b));
                *nearest = if apart < *least { number } else { *nearest };
                *least = apart.min(*least);
            }
        }
        nearest
    }
}

/// Pixels of a picture at equal distances.
pub(crate) struct SampledPixels {
    step: usize,
    across: usize,
    down: usize,
    /// The red, green and blue of each.
    channels: [Vec<u8>; 3],
}

impl SampledPixels {
    pub(crate) fn of(image: &RgbImage) -> SampledPixels {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let step = (width.max(height) / POINTS).max(1);
        let (across, down) = (width.div_ceil(step), height.div_ceil(step));
        let colour = |n: usize| image.get_pixel((n % across * step) as u32, (n / across * step) as u32).0;
        let channels = [0, 1, 2].map(|channel| (0..across * down).map(|n| colour(n)[channel]).collect());
        SampledPixels { step, across, down, channels }
    }

    /// Whether few colours make up much of the picture, and pixels beside each other are alike or differ much, as in drawings.
    pub(crate) fn are_drawn(&self) -> bool {
        self.common_share() >= COMMON_SHARE && self.equal_share() >= EQUAL_SHARE
    }

    /// Of the pixels that hardly differ from the next one, the share of those that don't at all.
    fn equal_share(&self) -> f32 {
        let differences = (1..self.across * self.down).filter(|n| !n.is_multiple_of(self.across)).map(|n| {
            let of_channel = |channel: &Vec<u8>| channel[n].abs_diff(channel[n - 1]);
            self.channels.iter().map(of_channel).fold(0, u8::max)
        });
        let (equal, near) = differences.fold((0_u32, 0_u32), |(equal, near), difference| {
            (equal + u32::from(difference == 0), near + u32::from(difference <= NEARLY_EQUAL))
        });
        equal as f32 / near.max(1) as f32
    }

    /// The share of the pixels that have one of the most common colours.
    fn common_share(&self) -> f32 {
        let [red, green, blue] = &self.channels;
        let mut colours: Vec<[u8; 3]> =
            red.iter().zip(green).zip(blue).map(|((red, green), blue)| [*red, *green, *blue]).collect();
        colours.sort_unstable();
        let mut counts: Vec<usize> = colours.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
        counts.sort_unstable();
        let common: usize = counts.iter().rev().take(COMMON).sum();
        common as f32 / colours.len() as f32
    }
}

/// A part of a picture in blocks, the right and bottom sides excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Blocks {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Blocks {
    fn width(&self) -> usize {
        self.right - self.left
    }

    fn height(&self) -> usize {
        self.bottom - self.top
    }
}

/// How many pixels of each colour are in the blocks above and to the left of each corner of a block, so that those of any part
/// are the sum of four.
struct Counts {
    across: usize,
    down: usize,
    sums: Vec<Vec<u32>>,
}

impl Counts {
    /// `nearest` has the number of each point's colour; other numbers are of none.
    fn new(pixels: &SampledPixels, colours: usize, nearest: &[u8]) -> Counts {
        let (across, down) = (pixels.across.div_ceil(BLOCK), pixels.down.div_ceil(BLOCK));
        let mut sums = vec![vec![0; (across + 1) * (down + 1)]; colours];
        for (y, line) in nearest.chunks_exact(pixels.across).enumerate() {
            for (x, colour) in line.iter().enumerate() {
                if let Some(sums) = sums.get_mut(usize::from(*colour)) {
                    sums[(y / BLOCK + 1) * (across + 1) + x / BLOCK + 1] += 1;
                }
            }
        }
        for sums in &mut sums {
            for y in 1..=down {
                for x in 1..=across {
                    let at = y * (across + 1) + x;
                    sums[at] += sums[at - 1] + sums[at - across - 1] - sums[at - across - 2];
                }
            }
        }
        Counts { across, down, sums }
    }

    /// The number of pixels of a colour.
    fn of(&self, colour: usize, at: Blocks) -> u32 {
        let sum = |x: usize, y: usize| self.sums[colour][y * (self.across + 1) + x];
        sum(at.right, at.bottom) + sum(at.left, at.top) - sum(at.left, at.bottom) - sum(at.right, at.top)
    }

    /// Parts in the ratio of width to height of a board, of all sizes, and the whole.
    fn boards(&self, ratio: f32) -> impl Iterator<Item = Blocks> {
        let (across, down) = (self.across, self.down);
        let widest = (down as f32 * ratio).min(across as f32);
        let sizes = std::iter::successors(Some(widest), |width| Some(width / SIZE_STEP));
        let sizes = sizes.take_while(move |width| *width >= MIN_SIZE * across.max(down) as f32);
        let parts = sizes.flat_map(move |size| {
            let width = (size.round() as usize).clamp(1, across);
            let height = ((size / ratio).round() as usize).clamp(1, down);
            let tops = (0..=down - height).step_by(PLACE_STEP);
            tops.flat_map(move |top| {
                let lefts = (0..=across - width).step_by(PLACE_STEP);
                lefts.map(move |left| Blocks { left, top, right: left + width, bottom: top + height })
            })
        });
        parts.chain([Blocks { left: 0, top: 0, right: across, bottom: down }])
    }

    /// The part after its sides were moved as long as its rank grows.
    fn refined(&self, rough: Blocks, rank: impl Fn(Blocks) -> f32) -> Blocks {
        let mut best = rough;
        loop {
            let Blocks { left, top, right, bottom } = best;
            let moved = [
                Blocks { left: left.saturating_sub(1), ..best },
                Blocks { left: (left + 1).min(right - 1), ..best },
                Blocks { top: top.saturating_sub(1), ..best },
                Blocks { top: (top + 1).min(bottom - 1), ..best },
                Blocks { right: (right + 1).min(self.across), ..best },
                Blocks { right: (right - 1).max(left + 1), ..best },
                Blocks { bottom: (bottom + 1).min(self.down), ..best },
                Blocks { bottom: (bottom - 1).max(top + 1), ..best },
            ];
            let ranked = moved.into_iter().map(|part| (rank(part), part));
            match ranked.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(next, _)| *next > rank(best)) {
                Some((_, next)) => best = next,
                None => return best,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn uneven_light_tells_a_photograph_from_a_drawing() {
        let colours = [[240, 220, 180], [180, 140, 100], [30, 30, 30]];
        let drawn = RgbImage::from_fn(400, 300, |x, y| Rgb(colours[((x / 40 + y / 40) % 3) as usize]));
        assert!(SampledPixels::of(&drawn).are_drawn());
        let darker = |value: u8, x: u32| (f32::from(value) * (1.0 - x as f32 / 1_000.0)) as u8;
        let lit = RgbImage::from_fn(400, 300, |x, y| Rgb(drawn.get_pixel(x, y).0.map(|v| darker(v, x))));
        assert!(!SampledPixels::of(&lit).are_drawn());
    }

    #[test]
    fn noise_tells_a_photograph_from_a_drawing() {
        let colours = [[240, 220, 180], [180, 140, 100], [30, 30, 30]];
        let shaded = |noise: fn(u32) -> u8| {
            RgbImage::from_fn(400, 300, |x, y| {
                Rgb(colours[((x / 40 + y / 40) % 3) as usize].map(|v: u8| v + noise(x * 7 + y * 5)))
            })
        };
        assert!(SampledPixels::of(&shaded(|_| 0)).are_drawn());
        // Four shades of each colour: four colours are still a third of the picture.
        let noisy = SampledPixels::of(&shaded(|n| (n % 4) as u8));
        assert!(noisy.common_share() > COMMON_SHARE && !noisy.are_drawn());
    }
}
