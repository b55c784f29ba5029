//! The colours of the themes, and where in a picture they are.

use std::collections::HashMap;

use image::RgbImage;
use rookery_core::rules::Setup;
use rookery_core::scene::{DrawOptions, Theme};
use rookery_core::{Game, Seat};
use rookery_render::Painter;

/// The width at which boards are drawn to count their colours.
const DRAWN: u32 = 350;
/// A colour with a smaller share of a board is an edge between others.
const LEAST_SHARE: f32 = 0.025;
/// The largest difference in a channel from a theme's colour: what JPEG of quality 60 leaves in flat areas.
const TOLERANCE: i32 = 14;
/// The picture is looked at in about this many points across.
const POINTS: usize = 224;
/// Points across a block.
const BLOCK: usize = 4;

/// The colours of one theme of a game.
pub(crate) struct Palette {
    pub(crate) game: &'static dyn Game,
    pub(crate) theme: &'static Theme,
    colours: Vec<([i32; 3], f32)>,
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
    /// 0 to 1.
    pub(crate) score: f32,
    pub(crate) area: Area,
}

impl Fit {
    /// A small part has the colours of some theme by chance, so size counts as well.
    pub(crate) fn rank(&self) -> f32 {
        self.score * ((self.area.width * self.area.height) as f32).sqrt()
    }
}

impl Palette {
    pub(crate) fn new(game: &'static dyn Game, theme: &'static Theme, painter: &Painter) -> Option<Palette> {
        let options = DrawOptions { theme: theme.name.to_owned(), ..DrawOptions::from_seat(Seat::FIRST) };
        let mut play = game.start(&Setup::new(game.info().seats[0])).ok()?;
        let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
        let mut all = 0;
        // The first position, one in the middle and a late one.
        for _ in 0..3 {
            let image = painter.picture(&play.scene(&options), DRAWN).to_image();
            image.pixels().for_each(|pixel| *counts.entry(pixel.0).or_default() += 1);
            all += image.width() * image.height();
            for _ in 0..30 {
                let moves = play.moves();
                let Some(choice) = moves.get(moves.len() / 3) else { break };
                play.play(choice).ok()?;
            }
        }
        let shares =
            counts.into_iter().map(|(colour, count)| (colour.map(i32::from), count as f32 / all as f32));
        let mut colours: Vec<_> = shares.filter(|(_, share)| *share >= LEAST_SHARE).collect();
        colours.sort_by(|a, b| b.1.total_cmp(&a.1));
        Some(Palette { game, theme, colours })
    }

    /// The part of the picture that has the theme's colours.
    pub(crate) fn fit(&self, points: &Points) -> Option<Fit> {
        let nearest: Vec<Option<usize>> = points.colours.iter().map(|colour| self.nearest(colour)).collect();
        let (across, down) = (points.across.div_ceil(BLOCK), points.down.div_ceil(BLOCK));
        let mut blocks = vec![0_usize; across * down];
        for (n, near) in nearest.iter().enumerate() {
            if near.is_some() {
                blocks[n / points.across / BLOCK * across + n % points.across / BLOCK] += 1;
            }
        }
        let full: Vec<bool> = blocks.iter().map(|count| *count * 2 >= BLOCK * BLOCK).collect();
        let (part, (left, top, right, bottom)) = largest(&full, across, down)?;
        // The shares of the colours in the part, against those on a board.
        let mut counts = vec![0_usize; self.colours.len()];
        let mut total = 0;
        for (n, near) in nearest.iter().enumerate() {
            if part[n / points.across / BLOCK * across + n % points.across / BLOCK] {
                total += 1;
                near.iter().for_each(|colour| counts[*colour] += 1);
            }
        }
        let shares = counts
            .iter()
            .zip(&self.colours)
            .map(|(count, (_, share))| (*count as f32 / total as f32).min(*share));
        let known: f32 = self.colours.iter().map(|(_, share)| share).sum();
        // With an edge, since blocks at the border may be of another colour.
        let edge = (right - left).max(bottom - top) / 20 + 1;
        let pixels = |blocks: usize| blocks * BLOCK * points.step;
        let (left, top) = (left.saturating_sub(edge), top.saturating_sub(edge));
        let (width, height) = (right + edge - left, bottom + edge - top);
        let area =
            Area { left: pixels(left), top: pixels(top), width: pixels(width), height: pixels(height) };
        Some(Fit { score: shares.sum::<f32>() / known, area })
    }

    fn nearest(&self, colour: &[i32; 3]) -> Option<usize> {
        let apart = |other: &[i32; 3]| (0..3).map(|n| (colour[n] - other[n]).abs()).max().unwrap_or_default();
        let distances = self.colours.iter().enumerate().map(|(n, (other, _))| (apart(other), n));
        distances.min().filter(|(apart, _)| *apart <= TOLERANCE).map(|(_, n)| n)
    }
}

/// Points of a picture at equal distances.
pub(crate) struct Points {
    step: usize,
    across: usize,
    down: usize,
    colours: Vec<[i32; 3]>,
}

impl Points {
    pub(crate) fn of(image: &RgbImage) -> Points {
        let (width, height) = (image.width() as usize, image.height() as usize);
        let step = (width.max(height) / POINTS).max(1);
        let (across, down) = (width.div_ceil(step), height.div_ceil(step));
        let colour = |n: usize| {
            image.get_pixel((n % across * step) as u32, (n / across * step) as u32).0.map(i32::from)
        };
        Points { step, across, down, colours: (0..across * down).map(colour).collect() }
    }
}

type Bounds = (usize, usize, usize, usize);

/// The largest connected part of a grid, and its bounds: left, top, right, bottom.
fn largest(full: &[bool], across: usize, down: usize) -> Option<(Vec<bool>, Bounds)> {
    let mut seen = vec![false; full.len()];
    let mut best: Vec<usize> = Vec::new();
    for start in 0..full.len() {
        if !full[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut next = 0;
        while next < part.len() {
            let (x, y) = (part[next] % across, part[next] / across);
            next += 1;
            let sides = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            for (x, y) in sides.into_iter().filter(|(x, y)| *x < across && *y < down) {
                let at = y * across + x;
                if full[at] && !seen[at] {
                    seen[at] = true;
                    part.push(at);
                }
            }
        }
        if part.len() > best.len() {
            best = part;
        }
    }
    let mut mask = vec![false; full.len()];
    best.iter().for_each(|at| mask[*at] = true);
    let columns = best.iter().map(|at| at % across);
    let rows = best.iter().map(|at| at / across);
    Some((mask, (columns.clone().min()?, rows.clone().min()?, columns.max()? + 1, rows.max()? + 1)))
}
