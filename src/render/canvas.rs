//! A picture being made: tiles are laid on it, palette index by palette index.

use std::ops::Range;

use super::paint::Area;
use super::palette::Palette;
use super::picture::Picture;
use super::tile::{Run, Source, Tile};
use crate::kit::scene::Rgb;

/// Palette indices and the palette they grow.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    /// As in [`Picture`]: each row after a zero byte.
    lines: Vec<u8>,
    palette: Palette,
}

impl Canvas {
    /// A canvas of one colour. Both sides are in pixels, at least 1.
    pub(super) fn new(width: u32, height: u32, ground: Rgb) -> Canvas {
        let (width, height) = (width as usize, height as usize);
        Canvas { width, height, lines: vec![0; (width + 1) * height], palette: Palette::new(ground) }
    }

    /// Brings an area back to the ground.
    pub(super) fn wipe(&mut self, area: Area) {
        for line in self.lines_of(area) {
            line[area.left as usize..area.right as usize].fill(0);
        }
    }

    /// Copies the rows of areas to their places in `before`, which becomes as large as all lines.
    pub(super) fn keep_rows(&self, areas: &[Area], before: &mut Vec<u8>) {
        before.resize(self.lines.len(), 0);
        let Some(all) = areas.iter().copied().reduce(Area::union) else { return };
        let rows = all.top as usize * (self.width + 1)..all.bottom as usize * (self.width + 1);
        before[rows.clone()].copy_from_slice(&self.lines[rows]);
    }

    /// The pixels of the rows of an area that lies on the canvas.
    fn lines_of(&mut self, area: Area) -> impl Iterator<Item = &mut [u8]> {
        let stride = self.width + 1;
        let rows = &mut self.lines[area.top as usize * stride..area.bottom as usize * stride];
        rows.chunks_exact_mut(stride).map(|line| &mut line[1..])
    }

    /// Palette indices so far, each row after a zero byte.
    pub(super) fn lines(&self) -> &[u8] {
        &self.lines
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// The colours so far.
    pub(super) fn colours(&self) -> &[Rgb] {
        self.palette.colours()
    }

    /// All of it.
    pub(super) fn area(&self) -> Area {
        Area { left: 0, top: 0, right: self.width as i32, bottom: self.height as i32 }
    }

    /// Lays a tile with its origin at a pixel. What sticks out is cut off.
    pub(super) fn lay(&mut self, tile: &Tile, x: i32, y: i32) {
        self.lay_within(tile, x, y, &[self.area()]);
    }

    /// Lays a tile with its origin at a pixel, as far as it touches areas of the canvas that do not overlap.
    pub(super) fn lay_within(&mut self, tile: &Tile, x: i32, y: i32, areas: &[Area]) {
        let whole = tile.area(x, y);
        let mut parts = areas.iter().filter_map(|area| whole.intersection(*area)).peekable();
        if parts.peek().is_some() {
            let opaque = self.opaque(tile);
            parts.for_each(|part| self.lay_part(tile, &opaque, whole, part));
        }
    }

    /// Lays what of a tile, lying on `whole`, is in a part of it. `opaque` are its colours' indices.
    fn lay_part(&mut self, tile: &Tile, opaque: &[u8; 256], whole: Area, part: Area) {
        let rows = tile.rows((part.top - whole.top) as usize..(part.bottom - whole.top) as usize);
        let stride = self.width + 1;
        let lines = &mut self.lines[part.top as usize * stride..part.bottom as usize * stride];
        for (line, runs) in lines.chunks_exact_mut(stride).zip(rows) {
            let is_left = |run: &&Run| whole.left + i32::from(run.x + run.len) <= part.left;
            let met = runs.iter().skip_while(is_left);
            for run in met.take_while(|run| whole.left + i32::from(run.x) < part.right) {
                let source = tile.sources[usize::from(run.source)];
                let pixels = &mut line[1..][span(*run, whole.left, part)];
                match source.rgba[3] {
                    u8::MAX => fill(pixels, opaque[usize::from(run.source)]),
                    _ => lay_over(&mut self.palette, source, pixels),
                }
            }
        }
    }

    /// The picture as it is now.
    pub(super) fn finish(self) -> Picture {
        Picture {
            width: self.width as u32,
            height: self.height as u32,
            palette: self.palette.colours().to_vec(),
            lines: self.lines,
        }
    }

    /// The palette's index for each opaque colour of a tile; what shines through is found later.
    fn opaque(&mut self, tile: &Tile) -> [u8; 256] {
        let mut indices = [0; 256];
        for (source, index) in tile.sources.iter().zip(&mut indices) {
            let [r, g, b, share] = source.rgba;
            *index = match (share, source.flat) {
                (u8::MAX, true) => self.palette.exact(Rgb(r, g, b)),
                (u8::MAX, false) => self.palette.near(Rgb(r, g, b)),
                _ => 0,
            };
        }
        indices
    }
}

/// Where a run lies on a line, once it is cut off at both ends.
fn span(run: Run, left: i32, clip: Area) -> Range<usize> {
    let start = left + i32::from(run.x);
    let end = start + i32::from(run.len);
    start.clamp(clip.left, clip.right) as usize..end.clamp(clip.left, clip.right) as usize
}

/// Fills pixels. Edges are one or two: a store each, not a call.
fn fill(pixels: &mut [u8], index: u8) {
    match pixels {
        [a] => *a = index,
        [a, b] => (*a, *b) = (index, index),
        _ => pixels.fill(index),
    }
}

/// Lays what is not opaque over pixels; neighbours are often alike.
fn lay_over(palette: &mut Palette, source: Source, pixels: &mut [u8]) {
    let mut last = None;
    for pixel in pixels {
        let over = match last {
            Some((under, over)) if under == *pixel => over,
            _ => blend(palette, source, *pixel),
        };
        last = Some((*pixel, over));
        *pixel = over;
    }
}

/// The index of a colour laid over another.
fn blend(palette: &mut Palette, source: Source, under: u8) -> u8 {
    let [r, g, b, share] = source.rgba;
    let Rgb(ur, ug, ub) = palette.colour(under);
    let through = u32::from(u8::MAX - share);
    let mix = |over: u8, under: u8| over.saturating_add(((u32::from(under) * through + 127) / 255) as u8);
    let mixed = Rgb(mix(r, ur), mix(g, ug), mix(b, ub));
    if source.flat && palette.is_flat(under) { palette.exact(mixed) } else { palette.near(mixed) }
}
