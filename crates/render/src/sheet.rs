//! Contact sheets: several positions of a game in one picture, each with a caption.

use super::canvas::Canvas;
use super::contrast;
use super::paint::{MISSING, Place};
use super::painter::Painter;
use super::picture::Picture;
use rookery_core::scene::{Ink, Item, Scene, Shape, Theme, Weight, ink, pt};

/// The layout of a contact sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Boards per row, at least 1.
    pub columns: usize,
    /// Width of a board in pixels, at least 1.
    pub board_px: u32,
}

/// The space between and around boards, as a fraction of a board's width.
const GAP: f32 = 0.04;

/// The size of the captions' text, as a fraction of a board's width. A sheet is shown as wide as a phone's message,
/// however many boards are side by side, so boards and captions shrink with their number.
fn text_size(columns: usize) -> f32 {
    if columns > 2 { 0.1 } else { 0.05 }
}

/// The height of the strip for a caption, as a fraction of a board's width.
fn strip(columns: usize) -> f32 {
    text_size(columns) * if columns > 2 { 1.6 } else { 2.0 }
}

/// The size of a caption's text that leaves it within a board's width, as a fraction of that width. On average a letter
/// is six tenths as wide as the text is high.
fn fitting(caption: &str, columns: usize) -> f32 {
    let letters = caption.chars().count().max(1) as f32;
    text_size(columns).min(1.0 / (0.6 * letters))
}

impl Painter {
    /// Draws scenes of one size and theme in rows, each above its caption (a few words in Latin, Greek or Cyrillic
    /// letters). `None` if there is no scene.
    #[must_use]
    pub fn sheet(&self, boards: &[(Scene, String)], grid: Grid) -> Option<Picture> {
        let (first, _) = boards.first()?;
        let cells = Cells::new(first, boards.len(), grid);
        let ground = ground(first);
        let letters = legible(first.theme, ground);
        let ground = first.theme.colour(ground).unwrap_or(MISSING);
        let mut canvas = Canvas::new(cells.width(), cells.height(), ground);
        for (n, (scene, caption)) in boards.iter().enumerate() {
            let place = cells.place(n);
            if scene.theme.family != first.theme.family || scene.theme.name != first.theme.name {
                // Its coordinates are meant for its own ground.
                let own = Shape::rect(pt(0.0, 0.0), scene.width, scene.height, 0.0);
                let own = own.fill(ink(self::ground(scene).0));
                self.draw_item(&mut canvas, &Item::Shape(own), scene.theme, place);
            }
            self.draw(&mut canvas, scene, place);
            let at = pt(scene.width / 2.0, scene.height + scene.width * strip(cells.columns) / 2.0);
            let size = scene.width * fitting(caption, cells.columns);
            let text = Shape::text(caption, at, size, Weight::SemiBold);
            self.draw_item(&mut canvas, &Item::Shape(text.fill(ink(letters.0))), scene.theme, place);
        }
        Some(canvas.finish())
    }
}

/// The ground of a sheet: that of the strip above the boards if there is one, which would otherwise be visible as a
/// rectangle.
fn ground(scene: &Scene) -> Ink {
    let strip = Ink("strip");
    scene.theme.colour(strip).map_or(scene.ground, |_| strip)
}

/// The theme's colour with the highest contrast on another of its colours.
pub(super) fn legible(theme: &Theme, ground: Ink) -> Ink {
    let ground = theme.colour(ground).unwrap_or(MISSING);
    let contrast = |(_, rgb): &&(&str, _)| (contrast::contrast(*rgb, ground) * 1000.0) as u32;
    theme.colours.iter().max_by_key(contrast).map_or(Ink(""), |(token, _)| Ink(token))
}

/// The layout of a sheet's boards in pixels.
struct Cells {
    columns: usize,
    rows: usize,
    scale: f32,
    board: (f32, f32),
    gap: f32,
    caption: f32,
}

impl Cells {
    fn new(scene: &Scene, count: usize, grid: Grid) -> Cells {
        let columns = grid.columns.clamp(1, count);
        let width = grid.board_px.max(1) as f32;
        let scale = width / scene.width;
        Cells {
            columns,
            rows: count.div_ceil(columns),
            scale,
            board: (width, scene.height * scale),
            gap: (width * GAP).round(),
            caption: (width * strip(columns)).round(),
        }
    }

    fn width(&self) -> u32 {
        (self.gap + (self.board.0 + self.gap) * self.columns as f32) as u32
    }

    fn height(&self) -> u32 {
        (self.gap + (self.board.1 + self.caption) * self.rows as f32).ceil() as u32
    }

    fn place(&self, n: usize) -> Place {
        let (column, row) = ((n % self.columns) as f32, (n / self.columns) as f32);
        Place {
            scale: self.scale,
            x: self.gap + column * (self.board.0 + self.gap),
            y: (self.gap + row * (self.board.1 + self.caption)).round(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;
    use rookery_core::scene::Rgb;

    static THEME: Theme = Theme {
        name: "t",
        family: "sheet",
        sides: &[],
        colours: &[("ground", Rgb(20, 20, 30)), ("dim", Rgb(90, 90, 90)), ("bright", Rgb(250, 250, 240))],
    };

    fn board(n: f32) -> Scene {
        let mut scene = Scene::new(100.0, 80.0, &THEME, "ground");
        scene.shape(Shape::rect(pt(0.0, 0.0), 100.0, 80.0, 0.0).fill(ink("dim")));
        scene.shape(Shape::circle(pt(20.0 + 10.0 * n, 40.0), 15.0).fill(ink("bright")));
        scene
    }

    #[test]
    fn every_board_stands_in_its_cell_with_words_under_it() {
        let boards: Vec<_> = [0.0, 2.0, 4.0].map(|n| (board(n), format!("ply {n}"))).to_vec();
        let sheet = Painter::new().sheet(&boards, Grid { columns: 2, board_px: 200 }).expect("boards");
        // Gaps of 8, boards of 200 x 160, captions of 20.
        assert_eq!((sheet.width(), sheet.height()), (8 + 2 * 208, 8 + 2 * 180));
        let image = sheet.to_image();
        for (n, (scene, _)) in boards.iter().enumerate() {
            let (x, y) = (8 + 208 * (n as u32 % 2), 8 + 180 * (n as u32 / 2));
            let cut = image::imageops::crop_imm(&image, x, y, 200, 160).to_image();
            let alone = render(scene, 200).to_image();
            let worst = cut.as_raw().iter().zip(alone.as_raw()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst < Some(24), "board {n}: {worst:?}");
            let words = image::imageops::crop_imm(&image, x, y + 160, 200, 20).to_image();
            assert!(words.pixels().any(|p| p.0 == [250, 250, 240]), "a caption under board {n}");
        }
    }

    /// Shown 350 pixels wide, as on a phone, small letters of a caption under one of three boards are still 5 pixels high.
    #[test]
    fn captions_stay_legible_with_three_boards_side_by_side() {
        let boards: Vec<_> = (0..6).map(|n| (board(n as f32), "Paper Pen-guins".to_owned())).collect();
        let sheet = Painter::new().sheet(&boards, Grid { columns: 3, board_px: 600 }).expect("boards");
        let shown = 350.0 / sheet.width() as f32;
        let x_height = 0.546 * 600.0 * fitting("Paper Pen-guins", 3) * shown;
        assert!(x_height > 5.0, "{x_height}");
        let image = sheet.to_image();
        let strip = image::imageops::crop_imm(&image, 0, 24 + 480, sheet.width(), 96).to_image();
        let written = |x: u32| (0..strip.height()).any(|y| strip.get_pixel(x, y).0 == [250, 250, 240]);
        let edges = [24, 24 + 600, 24 + 624, 24 + 1224];
        assert!(edges.iter().all(|x| !written(*x)), "captions stay under their boards");
        assert!((24..624).any(written), "and there are some");
    }

    /// A board in a theme of its own keeps its ground, which the sheet has from its first board.
    #[test]
    fn every_board_keeps_its_own_ground() {
        static OTHER: Theme = Theme {
            name: "o",
            family: "sheet",
            sides: &[],
            colours: &[("ground", Rgb(200, 210, 90)), ("bright", Rgb(0, 0, 0))],
        };
        let other = Scene::new(100.0, 80.0, &OTHER, "ground");
        let boards = [(board(0.0), "one".to_owned()), (other, "two".to_owned())];
        let sheet = Painter::new().sheet(&boards, Grid { columns: 2, board_px: 200 }).expect("boards");
        let image = sheet.to_image();
        assert_eq!(image.get_pixel(8 + 208 + 100, 8 + 80).0, [200, 210, 90]);
        assert_eq!(image.get_pixel(2, 2).0, [20, 20, 30]);
    }

    #[test]
    fn captions_take_the_colour_that_reads_best() {
        assert_eq!(legible(&THEME, Ink("ground")), Ink("bright"));
        assert_eq!(legible(&THEME, Ink("bright")), Ink("ground"));
    }
}
