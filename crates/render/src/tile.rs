//! Tiles: painted art as spans of pixels, to be laid on canvases many times.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::paint::{Area, Layer};

/// Most colours of a tile; an index is one byte.
const MAX_COLOURS: usize = 256;

/// A colour in a run of this many pixels is a flat area, not a blend along an edge.
const FLAT_RUN: usize = 6;

/// The maximum difference in each channel at which two edge colours are merged.
const NEAR: u8 = 5;

/// A pixel with less alpha is omitted; above the complement it is opaque: one part in 85 is invisible.
const FAINT: u8 = 3;

/// A run of this length is a separate span; laying shorter ones pixel by pixel costs less than starting a span.
const LONG: u16 = 16;

/// A colour of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Red, green and blue, premultiplied by alpha, and alpha.
    pub(super) rgba: [u8; 4],
    /// Whether it covers areas (kept exact) or only edges (may be approximated).
    pub(super) flat: bool,
}

/// Adjacent pixels that are laid in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// First pixel, from the left edge of the tile.
    pub(super) x: u16,
    pub(super) len: u16,
    /// The colours of its pixels.
    pub(super) ink: Ink,
}

impl Span {
    /// The pixel after the last one.
    pub(super) fn end(self) -> u16 {
        self.x + self.len
    }
}

/// The colours of a span's pixels, by index among the tile's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Plain(u8),
    /// One translucent colour.
    Translucent(u8),
    /// A colour for each pixel, in [`Tile::pixels`] from this index on.
    PerPixel(u32),
}

/// Painted art without its transparent pixels.
#[derive(Debug)]
pub(super) struct Tile {
    /// The distance from the origin of the art to the left edge, in pixels.
    pub(super) left: i32,
    /// The distance from the origin of the art to the top edge, in pixels.
    pub(super) top: i32,
    width: u32,
    /// The colours, the opaque ones first.
    pub(super) sources: Vec<Source>,
    /// The number of opaque colours.
    pub(super) opaque: usize,
    spans: Vec<Span>,
    /// The end of each row in the list of spans.
    ends: Vec<u32>,
    /// Colours of pixels, by index among the sources, for spans with several colours.
    pub(super) pixels: Vec<u8>,
}

impl Tile {
    /// An empty tile, for art without ink.
    pub(super) fn empty() -> Tile {
        Tile::blank(0, 0, 0, Vec::new())
    }

    /// The tile of a painted layer.
    pub(super) fn new(layer: &Layer) -> Tile {
        let raw = RawRuns::read(layer);
        let (sources, index_of) = reduce(&raw.counted());
        let mut tile = Tile::blank(layer.left, layer.top, layer.pixels.width(), sources);
        let mut start = 0;
        for end in raw.ends {
            let row = &raw.runs[start as usize..end as usize];
            tile.add_row(row.iter().map(|(x, len, rgba)| (*x, *len, index_of[rgba])));
            start = end;
        }
        tile
    }

    /// A tile without rows yet. The opaque sources come first.
    fn blank(left: i32, top: i32, width: u32, sources: Vec<Source>) -> Tile {
        let opaque = sources.iter().take_while(|source| source.rgba[3] == u8::MAX).count();
        let (spans, ends, pixels) = Default::default();
        Tile { left, top, width, sources, opaque, spans, ends, pixels }
    }

    /// Appends a row, as runs: first pixel, length, source.
    fn add_row(&mut self, runs: impl Iterator<Item = (u16, u16, u8)>) {
        let row = self.spans.len();
        for (x, len, source) in runs {
            if len >= LONG {
                let is_opaque = usize::from(source) < self.opaque;
                let ink = if is_opaque { Ink::Plain(source) } else { Ink::Translucent(source) };
                self.spans.push(Span { x, len, ink });
                continue;
            }
            let at = self.pixels.len() as u32;
            self.pixels.extend(std::iter::repeat_n(source, usize::from(len)));
            match self.spans[row..].last_mut() {
                Some(last @ Span { ink: Ink::PerPixel(_), .. }) if last.end() == x => last.len += len,
                _ => self.spans.push(Span { x, len, ink: Ink::PerPixel(at) }),
            }
        }
        self.ends.push(self.spans.len() as u32);
    }

    /// The spans of some rows, counted from the top.
    pub(super) fn rows(&self, rows: Range<usize>) -> impl Iterator<Item = &[Span]> {
        let mut start = if rows.start == 0 { 0 } else { self.ends[rows.start - 1] };
        self.ends[rows].iter().map(move |end| {
            let row = &self.spans[start as usize..*end as usize];
            start = *end;
            row
        })
    }

    /// The area covered when its origin is at a pixel.
    pub(super) fn area(&self, x: i32, y: i32) -> Area {
        let (left, top) = (x + self.left, y + self.top);
        Area { left, top, right: left + self.width as i32, bottom: top + self.ends.len() as i32 }
    }

    /// Approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Tile>()
            + self.spans.capacity() * size_of::<Span>()
            + self.pixels.capacity()
            + self.ends.capacity() * size_of::<u32>()
            + self.sources.capacity() * size_of::<Source>()
    }
}

/// A map keyed by colour.
type Colours<T> = HashMap<[u8; 4], T, BuildHasherDefault<Mixer>>;

/// A hash for four bytes. A tile computes one for each run: loose shapes are packed while people wait.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// Runs before their colours are reduced to one byte.
struct RawRuns {
    runs: Vec<(u16, u16, [u8; 4])>,
    ends: Vec<u32>,
}

impl RawRuns {
    fn read(layer: &Layer) -> RawRuns {
        let mut raw = RawRuns { runs: Vec::new(), ends: Vec::new() };
        let (pixels, _) = layer.pixels.data().as_chunks::<4>();
        for row in pixels.chunks_exact(layer.pixels.width() as usize) {
            raw.row(row);
        }
        raw
    }

    fn row(&mut self, row: &[[u8; 4]]) {
        let mut x = blank(row);
        for run in row[x..].chunk_by(|a, b| a == b) {
            if run[0][3] >= FAINT {
                self.runs.push((x as u16, run.len() as u16, solid(run[0])));
            }
            x += run.len();
        }
        self.ends.push(self.runs.len() as u32);
    }

    /// Each colour once, the most frequent first, and whether it is flat.
    fn counted(&self) -> Vec<([u8; 4], bool)> {
        let mut counts: Colours<(usize, bool)> = Colours::default();
        for (_, len, rgba) in &self.runs {
            let (count, flat) = counts.entry(*rgba).or_default();
            *count += usize::from(*len);
            *flat |= usize::from(*len) >= FLAT_RUN;
        }
        let mut counted: Vec<_> =
            counts.into_iter().map(|(rgba, (count, flat))| (flat, count, rgba)).collect();
        // Flat colours first: they are never merged. The colour itself makes the order total.
        counted.sort_unstable_by_key(|entry| std::cmp::Reverse(*entry));
        counted.into_iter().map(|(flat, _, rgba)| (rgba, flat)).collect()
    }
}

/// The number of transparent pixels from the left, in multiples of eight: most of the bounding box of a slanted line.
fn blank(row: &[[u8; 4]]) -> usize {
    row.as_chunks::<8>().0.iter().take_while(|eight| **eight == [[0; 4]; 8]).count() * 8
}

fn solid(rgba: [u8; 4]) -> [u8; 4] {
    let opaque = rgba[3] > u8::MAX - FAINT;
    if opaque { [rgba[0], rgba[1], rgba[2], u8::MAX] } else { rgba }
}

/// Reduces the colours to at most [`MAX_COLOURS`]: flat ones stay, edge ones are merged with similar ones. Opaque ones
/// come first.
fn reduce(counted: &[([u8; 4], bool)]) -> (Vec<Source>, Colours<u8>) {
    let mut sources: Vec<Source> = Vec::new();
    let mut index_of = Colours::default();
    for (rgba, flat) in counted {
        let near = nearest(&sources, *rgba);
        let index = match near {
            Some((index, far)) if sources.len() == MAX_COLOURS || (!flat && far <= NEAR) => index,
            _ => {
                sources.push(Source { rgba: *rgba, flat: *flat });
                sources.len() - 1
            }
        };
        index_of.insert(*rgba, index as u8);
    }
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|index| sources[*index].rgba[3] != u8::MAX);
    let mut moved = [0; MAX_COLOURS];
    order.iter().enumerate().for_each(|(to, from)| moved[*from] = to as u8);
    index_of.values_mut().for_each(|index| *index = moved[usize::from(*index)]);
    (order.into_iter().map(|index| sources[index]).collect(), index_of)
}

/// The source with the smallest maximum channel difference, and that difference.
fn nearest(sources: &[Source], rgba: [u8; 4]) -> Option<(usize, u8)> {
    let far = |source: &Source| {
        source.rgba.iter().zip(rgba).map(|(a, b)| a.abs_diff(b)).max().expect("a colour has four channels")
    };
    sources.iter().map(far).enumerate().min_by_key(|(_, far)| *far)
}

#[cfg(test)]
mod tests {
    use super::super::paint::{Place, paint};
    use super::*;
    use rookery_core::scene::{Rgb, Shape, Theme, ink, pt, tint};

    static THEME: Theme = Theme {
        name: "t",
        family: "t",
        sides: &[],
        colours: &[("red", Rgb(200, 10, 10)), ("blue", Rgb(0, 0, 200))],
    };
    const ALL: Area = Area { left: -100, top: -100, right: 100, bottom: 100 };
    const HERE: Place = Place { scale: 1.0, x: 0.0, y: 0.0 };

    fn tile(shapes: &[Shape]) -> Tile {
        Tile::new(&paint(shapes, &THEME, HERE, ALL).expect("ink"))
    }

    #[test]
    fn a_square_is_one_run_a_row() {
        let tile = tile(&[Shape::rect(pt(-10.0, -10.0), 20.0, 20.0, 0.0).fill(ink("red"))]);
        assert_eq!((tile.left, tile.top), (-10, -10));
        assert_eq!(tile.sources, [Source { rgba: [200, 10, 10, 255], flat: true }]);
        let rows: Vec<_> = tile.rows(0..20).collect();
        assert_eq!(rows.len(), 20);
        assert!(rows.iter().all(|row| *row == [Span { x: 0, len: 20, ink: Ink::Plain(0) }]));
    }

    #[test]
    fn a_tint_keeps_its_share_and_a_disc_has_flat_inside_and_edges() {
        let tinted = tile(&[Shape::rect(pt(0.0, 0.0), 20.0, 20.0, 0.0).fill(tint("red", 0.5))]);
        assert_eq!(tinted.sources[0].rgba[3], 128);
        let disc = tile(&[Shape::circle(pt(0.0, 0.0), 40.0).fill(ink("blue"))]);
        assert!(disc.sources[0].flat && disc.sources[0].rgba == [0, 0, 200, 255]);
        assert!(disc.sources.len() > 4 && disc.sources.len() < 64, "{}", disc.sources.len());
        let inked: usize = disc.rows(0..disc.ends.len()).flatten().map(|span| usize::from(span.len)).sum();
        assert!((5000..5300).contains(&inked), "pi r^2 is 5027, edges on top: {inked}");
    }
}
