//! The palette of one picture, built while it is drawn: flat areas keep their exact colours, blends along edges share
//! nearby ones.

use rookery_core::scene::Rgb;

/// Maximum number of colours of a picture. GIF needs the 256th; PNG can do without it.
pub(super) const MAX_COLOURS: usize = 255;

/// Blends use at most this many, so that a later flat area still gets its exact colour.
const MAX_BLENDS: usize = 232;

/// Marks a cell of the colour cube that has no colour yet.
const NONE: u8 = u8::MAX;

/// Cache slots for flat colours.
const SLOTS: usize = 1 << 10;

/// A colour as a word with gaps between its channels, so that one operation works on all three: red, green and blue
/// from the lowest bits up, sixteen bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lanes(u64);

impl Lanes {
    pub(super) fn of(Rgb(r, g, b): Rgb) -> Lanes {
        Lanes(u64::from(r) | u64::from(g) << 16 | u64::from(b) << 32)
    }

    pub(super) fn rgb(self) -> Rgb {
        Rgb(self.0 as u8, (self.0 >> 16) as u8, (self.0 >> 32) as u8)
    }

    /// Blends another colour over this one; its channels are premultiplied by its alpha.
    #[inline]
    pub(super) fn under(self, [r, g, b, share]: [u8; 4]) -> Lanes {
        const ONE: u64 = 1 << 32 | 1 << 16 | 1;
        // The remaining part of each channel, rounded: x / 255 is (x + 1 + x / 256) / 256 for all x that occur, and no
        // sum exceeds 255, since no channel of the other colour exceeds its alpha.
        let left = self.0 * u64::from(u8::MAX - share) + 127 * ONE;
        let left = ((left + ONE + ((left >> 8) & (0xFF * ONE))) >> 8) & (0xFF * ONE);
        Lanes(left + Lanes::of(Rgb(r, g, b)).0)
    }

    /// The index among the 32 x 32 x 32 cells of the colour cube.
    fn cell(self) -> usize {
        ((self.0 & 0xF8) << 7 | (self.0 >> 14 & 0x3E0) | (self.0 >> 35 & 0x1F)) as usize
    }
}

/// A growing palette. The same requests in the same order give the same palette.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    colours: Vec<Rgb>,
    /// The same colours in a form for blending.
    lanes: [Lanes; MAX_COLOURS + 1],
    flat: [bool; MAX_COLOURS + 1],
    /// For each 5-bit cell of the colour cube, the palette index of blends in it.
    cells: Box<[u8; 1 << 15]>,
    /// The last query for a flat colour in each slot, and its answer.
    exact_cache: Box<[(Rgb, u8); SLOTS]>,
}

impl Palette {
    /// Heap bytes of a palette.
    pub(super) const BYTES: usize =
        (1 << 15) + MAX_COLOURS * size_of::<Rgb>() + SLOTS * size_of::<(Rgb, u8)>();

    pub(super) fn new(ground: Rgb) -> Palette {
        let mut palette = Palette {
            colours: Vec::with_capacity(MAX_COLOURS),
            lanes: [Lanes::default(); MAX_COLOURS + 1],
            flat: [false; MAX_COLOURS + 1],
            cells: Box::new([NONE; 1 << 15]),
            exact_cache: Box::new([(ground, NONE); SLOTS]),
        };
        palette.exact(ground);
        palette
    }

    pub(super) fn colours(&self) -> &[Rgb] {
        &self.colours
    }

    /// The colour of an index, for blending.
    pub(super) fn lanes(&self, index: u8) -> Lanes {
        self.lanes[usize::from(index)]
    }

    /// Whether an index stands for a flat area rather than a blend along an edge.
    pub(super) fn is_flat(&self, index: u8) -> bool {
        self.flat[usize::from(index)]
    }

    /// The index of a flat colour: the exact one while there is room, otherwise the nearest.
    pub(super) fn exact(&mut self, rgb: Rgb) -> u8 {
        // Usually it was requested before; the answer stays the same, even if it is only the nearest.
        match self.exact_cache[slot(rgb)] {
            (known, index) if known == rgb && index != NONE => index,
            _ => self.admit(rgb),
        }
    }

    #[cold]
    fn admit(&mut self, rgb: Rgb) -> u8 {
        let index = match self.colours.iter().position(|known| *known == rgb) {
            Some(index) => index as u8,
            None if self.colours.len() < MAX_COLOURS => self.push(rgb),
            None => self.nearest(rgb).0,
        };
        self.flat[usize::from(index)] = true;
        self.exact_cache[slot(rgb)] = (rgb, index);
        index
    }

    /// The index of a colour near a blend.
    #[inline]
    pub(super) fn near(&mut self, blend: Lanes) -> u8 {
        match self.cells[blend.cell()] {
            NONE => self.settle(blend),
            index => index,
        }
    }

    #[cold]
    fn settle(&mut self, blend: Lanes) -> u8 {
        let (index, distance) = self.nearest(blend.rgb());
        let index = if distance <= self.tolerance() { index } else { self.push(blend.rgb()) };
        self.cells[blend.cell()] = index;
        index
    }

    /// The maximum squared error of a blend: small while there is room, unlimited when there is none.
    fn tolerance(&self) -> u32 {
        match self.colours.len() {
            0..96 => 10 * 10,
            96..160 => 16 * 16,
            160..MAX_BLENDS => 24 * 24,
            _ => u32::MAX,
        }
    }

    fn nearest(&self, rgb: Rgb) -> (u8, u32) {
        let mut best = (0, u32::MAX);
        for (index, known) in self.colours.iter().enumerate() {
            let distance = distance(*known, rgb);
            if distance < best.1 {
                best = (index as u8, distance);
            }
        }
        best
    }

    fn push(&mut self, rgb: Rgb) -> u8 {
        let (index, lanes) = (self.colours.len() as u8, Lanes::of(rgb));
        self.colours.push(rgb);
        self.lanes[usize::from(index)] = lanes;
        if self.cells[lanes.cell()] == NONE {
            self.cells[lanes.cell()] = index;
        }
        index
    }
}

/// The squared distance of two colours.
fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(a.0, b.0) + square(a.1, b.1) + square(a.2, b.2)
}

/// The slot of a flat colour; unlike cells, slots separate similar colours.
fn slot(Rgb(r, g, b): Rgb) -> usize {
    let rgb = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b);
    (rgb.wrapping_mul(0x9E37_79B1) >> 22) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Rgb = Rgb(255, 255, 255);

    fn lanes(r: u8, g: u8, b: u8) -> Lanes {
        Lanes::of(Rgb(r, g, b))
    }

    #[test]
    fn a_blend_is_each_channel_by_its_own() {
        for share in 0..=255_u8 {
            for under in 0..=255_u8 {
                let left = u8::try_from((u32::from(under) * u32::from(255 - share) + 127) / 255).unwrap();
                let under = lanes(under, 255 - under, 7);
                assert_eq!(under.under([share, 0, share / 2, share]).rgb().0, left + share);
            }
            let over = lanes(9, 200, 255).under([0, share, 0, share]).rgb();
            let left = |channel: u32| ((channel * u32::from(255 - share) + 127) / 255) as u8;
            assert_eq!(over, Rgb(left(9), left(200) + share, left(255)));
        }
    }

    #[test]
    fn flat_colours_are_exact_even_next_to_each_other() {
        let mut palette = Palette::new(WHITE);
        let a = palette.exact(Rgb(100, 100, 100));
        let b = palette.exact(Rgb(101, 100, 100));
        assert_ne!(a, b);
        assert_eq!(palette.lanes(b).rgb(), Rgb(101, 100, 100));
        assert_eq!(palette.exact(Rgb(100, 100, 100)), a, "asked again, the same");
    }

    #[test]
    fn blends_take_what_is_near() {
        let mut palette = Palette::new(WHITE);
        let a = palette.near(lanes(100, 100, 100));
        assert_eq!(palette.near(lanes(104, 98, 101)), a);
        assert_ne!(palette.near(lanes(160, 100, 100)), a);
        assert!(!palette.is_flat(a));
    }

    #[test]
    fn ten_thousand_blends_leave_room_for_flat_colours() {
        let mut palette = Palette::new(WHITE);
        for n in 0..10_000_u32 {
            palette.near(lanes((n * 7) as u8, (n * 31 / 5) as u8, (n * 13 / 3) as u8));
        }
        assert!(palette.colours().len() <= MAX_BLENDS);
        let late = palette.exact(Rgb(1, 2, 3));
        assert_eq!(palette.lanes(late).rgb(), Rgb(1, 2, 3));
        for n in 0..300_u32 {
            palette.exact(Rgb(n as u8, (n / 2) as u8, 250));
        }
        assert_eq!(palette.colours().len(), MAX_COLOURS);
    }

    #[test]
    fn a_blend_is_never_far_from_its_colour() {
        let mut palette = Palette::new(WHITE);
        for n in 0..150_u32 {
            let rgb = Rgb((n * 37) as u8, (n * 91) as u8, (n * 53) as u8);
            let index = palette.near(Lanes::of(rgb));
            // A cell is 8 wide in each channel; the tolerance is added to that.
            assert!(distance(palette.lanes(index).rgb(), rgb) <= 40 * 40, "{rgb:?}");
        }
    }
}
