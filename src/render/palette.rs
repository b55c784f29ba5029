//! The colours of one picture, found while it is drawn: flat areas keep their exact colour, the
//! blends along edges share what is near enough.

use crate::kit::scene::Rgb;

/// Most colours of a picture. GIF needs the 256th; PNG does not miss it.
pub(super) const MOST: usize = 255;

/// Blends stop here, so that a flat area met late still gets its exact colour.
const MOST_BLENDS: usize = 232;

/// Marks a cell of the cube that has no colour yet.
const NONE: u8 = u8::MAX;

/// Slots for flat colours that were asked for.
const SLOTS: usize = 1 << 10;

/// A palette that grows. The same requests in the same order give the same palette.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    colours: Vec<Rgb>,
    flat: [bool; MOST + 1],
    /// For each 5-bit cell of the colour cube, the colour that stands for blends in it.
    cells: Box<[u8; 1 << 15]>,
    /// What was last answered for the flat colours of each slot.
    asked: [u8; SLOTS],
}

impl Palette {
    pub(super) fn new(ground: Rgb) -> Palette {
        let mut palette = Palette {
            colours: Vec::with_capacity(MOST),
            flat: [false; MOST + 1],
            cells: Box::new([NONE; 1 << 15]),
            asked: [NONE; SLOTS],
        };
        palette.exact(ground);
        palette
    }

    pub(super) fn colours(&self) -> &[Rgb] {
        &self.colours
    }

    pub(super) fn colour(&self, index: u8) -> Rgb {
        self.colours[usize::from(index)]
    }

    /// Whether an index stands for a flat area rather than for the blend along an edge.
    pub(super) fn is_flat(&self, index: u8) -> bool {
        self.flat[usize::from(index)]
    }

    /// The index of a flat colour: exactly this one while there is room, else the nearest.
    pub(super) fn exact(&mut self, rgb: Rgb) -> u8 {
        // Mostly it was asked for before.
        let likely = self.asked[slot(rgb)];
        if self.colours.get(usize::from(likely)) == Some(&rgb) && self.flat[usize::from(likely)] {
            return likely;
        }
        let index = match self.colours.iter().position(|known| *known == rgb) {
            Some(index) => index as u8,
            None if self.colours.len() < MOST => self.push(rgb),
            None => self.nearest(rgb).0,
        };
        self.flat[usize::from(index)] = true;
        self.asked[slot(rgb)] = index;
        index
    }

    /// The index of a colour near a blend.
    pub(super) fn near(&mut self, rgb: Rgb) -> u8 {
        match self.cells[cell(rgb)] {
            NONE => self.settle(rgb),
            index => index,
        }
    }

    fn settle(&mut self, rgb: Rgb) -> u8 {
        let (index, distance) = self.nearest(rgb);
        let index = if distance <= self.tolerance() { index } else { self.push(rgb) };
        self.cells[cell(rgb)] = index;
        index
    }

    /// How far off, squared, a blend may be: little while there is room, anything when there is none.
    fn tolerance(&self) -> u32 {
        match self.colours.len() {
            0..96 => 10 * 10,
            96..160 => 16 * 16,
            160..MOST_BLENDS => 24 * 24,
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
        let index = self.colours.len() as u8;
        self.colours.push(rgb);
        if self.cells[cell(rgb)] == NONE {
            self.cells[cell(rgb)] = index;
        }
        index
    }
}

/// Squared distance of two colours.
fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(a.0, b.0) + square(a.1, b.1) + square(a.2, b.2)
}

/// Which of the 32 x 32 x 32 cells a colour lies in.
fn cell(Rgb(r, g, b): Rgb) -> usize {
    usize::from(r >> 3) << 10 | usize::from(g >> 3) << 5 | usize::from(b >> 3)
}

/// Which slot a flat colour has; unlike cells, these part colours that are near each other.
fn slot(Rgb(r, g, b): Rgb) -> usize {
    let rgb = u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b);
    (rgb.wrapping_mul(0x9E37_79B1) >> 22) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Rgb = Rgb(255, 255, 255);

    #[test]
    fn flat_colours_are_exact_even_next_to_each_other() {
        let mut palette = Palette::new(WHITE);
        let a = palette.exact(Rgb(100, 100, 100));
        let b = palette.exact(Rgb(101, 100, 100));
        assert_ne!(a, b);
        assert_eq!(palette.colour(b), Rgb(101, 100, 100));
        assert_eq!(palette.exact(Rgb(100, 100, 100)), a, "asked again, the same");
    }

    #[test]
    fn blends_take_what_is_near() {
        let mut palette = Palette::new(WHITE);
        let a = palette.near(Rgb(100, 100, 100));
        assert_eq!(palette.near(Rgb(104, 98, 101)), a);
        assert_ne!(palette.near(Rgb(160, 100, 100)), a);
        assert!(!palette.is_flat(a));
    }

    #[test]
    fn ten_thousand_blends_leave_room_for_flat_colours() {
        let mut palette = Palette::new(WHITE);
        for n in 0..10_000_u32 {
            palette.near(Rgb((n * 7) as u8, (n * 31 / 5) as u8, (n * 13 / 3) as u8));
        }
        assert!(palette.colours().len() <= MOST_BLENDS);
        let late = palette.exact(Rgb(1, 2, 3));
        assert_eq!(palette.colour(late), Rgb(1, 2, 3));
        for n in 0..300_u32 {
            palette.exact(Rgb(n as u8, (n / 2) as u8, 250));
        }
        assert_eq!(palette.colours().len(), MOST);
    }

    #[test]
    fn a_blend_is_never_far_from_its_colour() {
        let mut palette = Palette::new(WHITE);
        for n in 0..150_u32 {
            let rgb = Rgb((n * 37) as u8, (n * 91) as u8, (n * 53) as u8);
            let index = palette.near(rgb);
            // A cell is 8 wide in each channel; the tolerance is on top.
            assert!(distance(palette.colour(index), rgb) <= 40 * 40, "{rgb:?}");
        }
    }
}
