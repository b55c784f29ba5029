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

    /// Wipes the canvas for another scene on the same ground; the palette stays and grows on. What was
    /// on it is left in `before`, whose memory is taken instead.
    pub(super) fn turn_over(&mut self, before: &mut Vec<u8>) {
        std::mem::swap(&mut self.lines, before);
        self.lines.clear();
        self.lines.resize((self.width + 1) * self.height, 0);
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
        let (left, top) = (x + tile.left, y + tile.top);
        let opaque = self.opaque(tile);
        for (row, runs) in tile.rows().enumerate() {
            let Ok(y) = usize::try_from(top + row as i32) else { continue };
            if y >= self.height {
                break;
            }
            let line = &mut self.lines[y * (self.width + 1) + 1..(y + 1) * (self.width + 1)];
            for run in runs {
                let source = tile.sources[usize::from(run.source)];
                let pixels = &mut line[span(*run, left, self.width)];
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

/// Where a run lies on a line so wide, once it is cut off at both ends.
fn span(run: Run, left: i32, width: usize) -> Range<usize> {
    let start = left + i32::from(run.x);
    let end = start + i32::from(run.len);
    start.clamp(0, width as i32) as usize..end.clamp(0, width as i32) as usize
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
