//! Pages to print: drawings placed on a sheet of paper.

use super::scene::{Point, Scene};

/// A drawing on a page.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The drawing.
    pub scene: Scene,
    /// Where its upper left corner is, in units of the page.
    pub at: Point,
    /// Units of the page per unit of the drawing.
    pub scale: f32,
}

/// A page, and the drawings on it.
#[derive(Clone, Debug)]
pub struct PrintedPage {
    /// The title of the document.
    pub title: String,
    /// The page itself: its width and height are those of the paper's proportions, about 1 to 1.4.
    pub ground: Scene,
    /// What is drawn on it, in order.
    pub layers: Vec<Layer>,
}

/// A size of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperSize {
    /// ISO 216: 210 x 297 mm.
    A4,
    /// ANSI/ASME Y14.1: 8.5 x 11 inches.
    Letter,
}

impl PaperSize {
    /// All sizes; the first is the default.
    pub const ALL: [PaperSize; 2] = [PaperSize::A4, PaperSize::Letter];

    /// The name by which people choose it.
    pub fn key(self) -> &'static str {
        match self {
            PaperSize::A4 => "a4",
            PaperSize::Letter => "letter",
        }
    }

    /// The size that people choose by this name.
    pub fn named(key: &str) -> Option<PaperSize> {
        PaperSize::ALL.into_iter().find(|size| size.key() == key)
    }

    /// The width and height in millimetres.
    pub fn millimetres(self) -> (f32, f32) {
        match self {
            PaperSize::A4 => (210.0, 297.0),
            PaperSize::Letter => (215.9, 279.4),
        }
    }

    /// Where a page of a width and height in units lies on this paper if it fills it without distortion: the scale in
    /// millimetres per unit, and its upper left corner in millimetres.
    pub fn fit(self, width: f32, height: f32) -> (f32, Point) {
        let (across, down) = self.millimetres();
        let scale = (across / width).min(down / height);
        (scale, Point { x: (across - width * scale) / 2.0, y: (down - height * scale) / 2.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_centred_on_its_paper() {
        let (scale, corner) = PaperSize::A4.fit(1_050.0, 1_485.0);
        assert!((scale - 0.2).abs() < 1e-6 && corner.x.abs() < 1e-3 && corner.y.abs() < 1e-3);
        let (scale, corner) = PaperSize::Letter.fit(1_050.0, 1_485.0);
        assert!((scale - 279.4 / 1_485.0).abs() < 1e-6 && corner.y.abs() < 1e-3);
        assert!(
            (corner.x * 2.0 + 1_050.0 * scale - 215.9).abs() < 1e-3,
            "as much paper on the left as on the right"
        );
    }
}
