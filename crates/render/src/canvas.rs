//! A picture under construction: tiles are laid on it by palette index.

use super::paint::Area;
use super::palette::{Lanes, Palette};
use super::picture::Picture;
use super::tile::{Ink, Source, Span, Tile};
use rookery_core::scene::Rgb;

/// Palette indices and the palette that grows with them.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    width: usize,
    height: usize,
    /// As in [`Picture`]: a zero byte before each row.
    lines: Vec<u8>,
    palette: Palette,
}

impl Canvas {
    /// A canvas of one colour. Both dimensions are in pixels, at least 1.
    pub(super) fn new(width: u32, height: u32, ground: Rgb) -> Canvas {
        let (width, height) = (width as usize, height as usize);
        Canvas { width, height, lines: vec![0; (width + 1) * height], palette: Palette::new(ground) }
    }

    pub(super) fn empty(&mut self) {
        self.lines.fill(0);
    }

    /// Restores an area from the canvas of the same size from which this one was copied.
    pub(super) fn restore(&mut self, area: Area, from: &Canvas) {
        let stride = self.width + 1;
        for y in area.top as usize..area.bottom as usize {
            let line = y * stride + 1 + area.left as usize..y * stride + 1 + area.right as usize;
            self.lines[line.clone()].copy_from_slice(&from.lines[line]);
        }
    }

    /// Copies the rows of areas to the same offsets in `before`, which is resized to all lines.
    pub(super) fn keep_rows(&self, areas: &[Area], before: &mut Vec<u8>) {
        before.resize(self.lines.len(), 0);
        let Some(all) = areas.iter().copied().reduce(Area::union) else { return };
        let rows = all.top as usize * (self.width + 1)..all.bottom as usize * (self.width + 1);
        before[rows.clone()].copy_from_slice(&self.lines[rows]);
    }

    /// The palette indices so far, with a zero byte before each row.
    pub(super) fn lines(&self) -> &[u8] {
        &self.lines
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// Approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lines.len() + size_of::<Canvas>() + Palette::BYTES
    }

    /// The colours so far.
    pub(super) fn colours(&self) -> &[Rgb] {
        self.palette.colours()
    }

    pub(super) fn area(&self) -> Area {
        Area { left: 0, top: 0, right: self.width as i32, bottom: self.height as i32 }
    }

    /// Lays a tile with its origin at a pixel, clipped to the canvas.
    pub(super) fn lay(&mut self, tile: &Tile, x: i32, y: i32) {
        self.lay_within(tile, x, y, &[self.area()]);
    }

    /// Lays the parts of a tile, with its origin at a pixel, that are inside non-overlapping areas of the canvas.
    pub(super) fn lay_within(&mut self, tile: &Tile, x: i32, y: i32, areas: &[Area]) {
        let whole = tile.area(x, y);
        let mut parts = areas.iter().filter_map(|area| whole.intersection(*area)).peekable();
        if parts.peek().is_some() {
            let opaque = self.opaque(tile);
            parts.for_each(|part| self.lay_part(tile, &opaque, whole, part));
        }
    }

    /// Lays the part of a tile at `whole` that is inside `part`. `opaque` contains the palette indices of the tile's
    /// colours.
    fn lay_part(&mut self, tile: &Tile, opaque: &[u8; 256], whole: Area, part: Area) {
        let rows = tile.rows((part.top - whole.top) as usize..(part.bottom - whole.top) as usize);
        let clip = (part.left - whole.left) as u16..(part.right - whole.left) as u16;
        let stride = self.width + 1;
        let lines = &mut self.lines[part.top as usize * stride..part.bottom as usize * stride];
        for (line, spans) in lines.chunks_exact_mut(stride).zip(rows) {
            let pixels = &mut line[1..][part.left as usize..part.right as usize];
            let left =
                if clip.start == 0 { 0 } else { spans.partition_point(|span| span.end() <= clip.start) };
            let met = &spans[left..];
            for span in met.iter().take_while(|span| span.x < clip.end) {
                let seen = span.x.max(clip.start)..span.end().min(clip.end);
                let skipped = usize::from(seen.start - span.x);
                let to =
                    &mut pixels[usize::from(seen.start - clip.start)..usize::from(seen.end - clip.start)];
                lay_span(&mut self.palette, tile, opaque, *span, skipped, to);
            }
        }
    }

    pub(super) fn finish(self) -> Picture {
        Picture {
            width: self.width as u32,
            height: self.height as u32,
            palette: self.palette.colours().to_vec(),
            lines: self.lines,
        }
    }

    /// The palette index of each opaque colour of a tile; translucent colours are resolved later.
    fn opaque(&mut self, tile: &Tile) -> [u8; 256] {
        let mut indices = [0; 256];
        for (source, index) in tile.sources.iter().zip(&mut indices) {
            let [r, g, b, share] = source.rgba;
            *index = match (share, source.flat) {
                (u8::MAX, true) => self.palette.exact(Rgb(r, g, b)),
                (u8::MAX, false) => self.palette.near(Lanes::of(Rgb(r, g, b))),
                _ => 0,
            };
        }
        indices
    }
}

/// Lays a span, clipped at the right, without the pixels skipped at the left.
#[inline]
fn lay_span(
    palette: &mut Palette,
    tile: &Tile,
    opaque: &[u8; 256],
    span: Span,
    skipped: usize,
    to: &mut [u8],
) {
    match span.ink {
        Ink::Plain(source) => to.fill(opaque[usize::from(source)]),
        Ink::Translucent(source) => lay_over(palette, tile.sources[usize::from(source)], to),
        Ink::PerPixel(at) => {
            let from = &tile.pixels[at as usize + skipped..][..to.len()];
            for (pixel, source) in to.iter_mut().zip(from) {
                let source = usize::from(*source);
                *pixel = if source < tile.opaque {
                    opaque[source]
                } else {
                    blend(palette, tile.sources[source], *pixel)
                };
            }
        }
    }
}

/// Blends a translucent source over pixels. Most pixels equal their neighbours.
fn lay_over(palette: &mut Palette, source: Source, mut pixels: &mut [u8]) {
    while let [under, ..] = *pixels {
        let (alike, rest) = pixels.split_at_mut(run(pixels));
        alike.fill(blend(palette, source, under));
        pixels = rest;
    }
}

/// The number of pixels from the start that have the same colour; at least one.
pub(super) fn run(pixels: &[u8]) -> usize {
    let alike = u64::from_le_bytes([pixels[0]; 8]);
    let (eights, last) = pixels.as_chunks::<8>();
    for (n, eight) in eights.iter().enumerate() {
        let differ = u64::from_le_bytes(*eight) ^ alike;
        if differ != 0 {
            return n * 8 + differ.trailing_zeros() as usize / 8;
        }
    }
    eights.len() * 8 + last.iter().take_while(|pixel| **pixel == pixels[0]).count()
}

/// The palette index of a colour blended over another.
#[inline]
fn blend(palette: &mut Palette, source: Source, under: u8) -> u8 {
    let mixed = palette.lanes(under).under(source.rgba);
    if source.flat && palette.is_flat(under) { palette.exact(mixed.rgb()) } else { palette.near(mixed) }
}
