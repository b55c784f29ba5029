//! Share cards: the last board and, beside it, the players, the result and the scores. 11:7, the widest ratio that
//! Discord shows at full height.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};

use super::canvas::Canvas;
use super::names::{LEADING, Line, Names, Rows, SHRUNK};
use super::paint::{MISSING, Place};
use super::painter::Painter;
use super::sheet::legible;
use rookery_core::scene::{Ink, Item, Point, Rgb, Scene, Shape, Stamp, Weight, ink, pt, tint};

/// The width of a card in pixels.
pub const CARD_WIDTH_PX: u32 = 1650;
/// The height of a card in pixels.
pub const CARD_HEIGHT_PX: u32 = 1050;

/// The width of the board at the left; the panel has the rest.
const BOARD: f32 = 1050.0;
const MARGIN: f32 = 45.0;
/// The left edge of the panel, clear of the board's coordinates, and its width.
const LEFT: f32 = BOARD + 30.0;
const PANEL: f32 = CARD_WIDTH_PX as f32 - LEFT - MARGIN;
/// The height of a player's chip, and the distance between chips.
const CHIP: f32 = 132.0;
const CHIP_STEP: f32 = 160.0;
/// Half the size of an emblem, and of its plate.
const EMBLEM: f32 = 46.0;
const PLATE: f32 = 52.0;
/// The ink of the plate, in themes that have it: a dark piece with a light halo on a dark chip looks like a light
/// piece.
const LIGHT: Ink = Ink("light");
/// The middle of the first line of the result, and the distance between its lines.
const RESULT: f32 = 166.0;
const GAP: f32 = 18.0;

/// The content of a card.
#[derive(Clone, Debug)]
pub struct Card<'a> {
    /// The final board.
    pub board: &'a Scene,
    /// The game and its identification: "Amazons · K7Q2".
    pub title: &'a str,
    /// The result in one or two lines: "Ada won", "White cannot move · 41 moves".
    pub result: &'a [String],
    /// The players in seat order: two to four.
    pub players: &'a [CardPlayer<'a>],
}

/// A player on a card.
#[derive(Clone, Debug)]
pub struct CardPlayer<'a> {
    /// Their name, in any script.
    pub name: &'a str,
    /// The fallback if no font shows the name: "Player 1", "White".
    pub seat: &'a str,
    /// A note under the name; empty for none.
    pub note: &'a str,
    /// Their piece or emblem, from the board's theme.
    pub emblem: Option<Stamp>,
    /// Their score, if the game has scores.
    pub score: Option<String>,
    /// Whether this player won or shared the victory.
    pub won: bool,
}

impl Painter {
    /// Draws a card, 1650 x 1050, as a PNG.
    #[must_use]
    pub fn card(&self, card: &Card, names: &Names) -> Vec<u8> {
        let mut image = self.pictures_of(card).finish().to_image();
        let ink = legible(card.board.theme, card.board.ground);
        let colour = card.board.theme.colour(ink).unwrap_or(MISSING);
        title_and_result(&mut image, names, card, colour);
        for (player, chip) in card.players.iter().zip(chips(card)) {
            names_of_player(&mut image, names, player, chip, colour);
        }
        packed(&image)
    }

    /// Draws everything except the text.
    fn pictures_of(&self, card: &Card) -> Canvas {
        let scene = card.board;
        let ground = scene.theme.colour(scene.ground).unwrap_or(MISSING);
        let mut canvas = Canvas::new(CARD_WIDTH_PX, CARD_HEIGHT_PX, ground);
        let scale = (BOARD / scene.width).min(BOARD / scene.height);
        let [x, y] = [scene.width, scene.height].map(|side| ((BOARD - side * scale) / 2.0).round());
        self.draw(&mut canvas, scene, Place { scale, x, y });
        let letters = legible(scene.theme, scene.ground);
        for (player, chip) in card.players.iter().zip(chips(card)) {
            self.chip(&mut canvas, scene, player, chip, letters);
        }
        canvas
    }

    fn chip(&self, canvas: &mut Canvas, scene: &Scene, player: &CardPlayer, corner: Point, letters: Ink) {
        let here = Place { scale: 1.0, x: corner.x, y: corner.y };
        let mut chip = Shape::rect(pt(0.0, 0.0), PANEL, CHIP, 29.0).fill(tint(letters.0, 0.1));
        if player.won {
            chip = chip.stroke(ink(letters.0), 6.0);
        }
        self.draw_item(canvas, &Item::Shape(chip), scene.theme, here);
        if let Some(emblem) = &player.emblem {
            let middle = CHIP / 2.0;
            if scene.theme.colour(LIGHT).is_some() {
                let corner = pt(middle - PLATE, middle - PLATE);
                let plate = Shape::rect(corner, 2.0 * PLATE, 2.0 * PLATE, 22.0).fill(ink(LIGHT.0));
                self.draw_item(canvas, &Item::Shape(plate), scene.theme, here);
            }
            let scale = EMBLEM / emblem.half.0.max(emblem.half.1);
            let place = Place { scale, x: corner.x + middle, y: corner.y + middle };
            self.draw_item(canvas, &Item::Stamp(emblem.clone(), pt(0.0, 0.0)), scene.theme, place);
        }
    }
}

/// The upper left corners of the players' chips at the bottom of the panel.
fn chips(card: &Card) -> impl Iterator<Item = Point> {
    let top = CARD_HEIGHT_PX as f32 - MARGIN - CHIP - CHIP_STEP * (card.players.len().max(1) - 1) as f32;
    (0..card.players.len()).map(move |n| pt(LEFT, top + CHIP_STEP * n as f32))
}

/// Draws the title and the lines of the result below it.
fn title_and_result(image: &mut RgbImage, names: &Names, card: &Card, colour: Rgb) {
    let line = |text, middle, size, weight, least, rows| Line {
        text,
        fallback_text: "",
        left: LEFT,
        middle,
        width: PANEL,
        size,
        least,
        rows: Rows::Down(rows),
        weight,
        colour,
    };
    names.draw(image, &line(card.title, 78.0, 34.0, Weight::SemiBold, SHRUNK, 1));
    let mut middle = RESULT;
    // With four chips there is room for two rows.
    let rows = if card.players.len() > 3 { 2 } else { 3 };
    for (n, text) in card.result.iter().enumerate() {
        let (_, high) = match n {
            0 => names.draw(image, &line(text, middle, 56.0, Weight::Bold, 0.75, 2)),
            _ => names.draw(image, &line(text, middle, 36.0, Weight::SemiBold, 1.0, rows)),
        };
        // The distance from the middle of the first row to the middle of all rows.
        let half = |size: f32| size * LEADING / 2.0;
        middle += high - half(if n == 0 { 56.0 } else { 36.0 }) + GAP + half(36.0);
    }
}

fn names_of_player(image: &mut RgbImage, names: &Names, player: &CardPlayer, chip: Point, colour: Rgb) {
    let middle = chip.y + CHIP / 2.0;
    let score = player.score.as_deref().unwrap_or("");
    let score_width = super::text_width(score, 60.0, Weight::Bold);
    let score_left = chip.x + PANEL - 36.0 - score_width;
    let left = if player.emblem.is_some() { chip.x + CHIP } else { chip.x + 36.0 };
    let line = |text, fallback_text, middle, size, rows| Line {
        text,
        fallback_text,
        left,
        middle,
        width: score_left - 24.0 - left,
        size,
        least: SHRUNK,
        rows,
        weight: Weight::SemiBold,
        colour,
    };
    if player.note.is_empty() {
        names.draw(image, &line(player.name, player.seat, middle, 48.0, Rows::Centred(2)));
    } else {
        names.draw(image, &line(player.name, player.seat, middle - 24.0, 44.0, Rows::Down(1)));
        names.draw(image, &line(player.note, "", middle + 28.0, 32.0, Rows::Down(1)));
    }
    let score = Line {
        left: score_left,
        width: score_width + 8.0,
        size: 60.0,
        ..line(score, "", middle, 60.0, Rows::Down(1))
    };
    names.draw(image, &Line { weight: Weight::Bold, ..score });
}

fn packed(image: &RgbImage) -> Vec<u8> {
    let mut file = Vec::new();
    PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Adaptive)
        .write_image(image.as_raw(), image.width(), image.height(), ExtendedColorType::Rgb8)
        .expect("writing a whole image to memory does not fail");
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::Theme;

    static THEME: Theme = Theme {
        name: "t",
        family: "card",
        sides: &[],
        colours: &[("ground", Rgb(30, 30, 40)), ("light", Rgb(240, 240, 230)), ("red", Rgb(220, 30, 20))],
    };

    fn board(height: f32) -> Scene {
        let mut scene = Scene::new(1050.0, height, &THEME, "ground");
        scene.shape(Shape::rect(pt(0.0, 0.0), 1050.0, height, 0.0).fill(ink("red")));
        scene
    }

    fn player(name: &str, won: bool) -> CardPlayer<'_> {
        let dot = || vec![Shape::circle(pt(0.0, 0.0), 10.0).fill(ink("red"))];
        let emblem = Some(Stamp::new("card/dot", (10.0, 10.0), dot));
        CardPlayer { name, seat: "Player", note: "", emblem, score: Some("17".to_owned()), won }
    }

    fn drawn(board: &Scene, players: &[CardPlayer]) -> RgbImage {
        let result = ["Ada wins".to_owned(), "17 to 12".to_owned()];
        let card = Card { board, title: "Penguins", result: &result, players };
        let file = Painter::new().card(&card, &Names::embedded());
        image::load_from_memory(&file).unwrap().to_rgb8()
    }

    fn count(image: &RgbImage, colour: [u8; 3], area: (u32, u32, u32, u32)) -> usize {
        let (x, y, w, h) = area;
        image::imageops::crop_imm(image, x, y, w, h).to_image().pixels().filter(|p| p.0 == colour).count()
    }

    const INK: [u8; 3] = [240, 240, 230];
    const RED: [u8; 3] = [220, 30, 20];

    #[test]
    fn a_card_holds_board_words_and_a_chip_a_player() {
        let card = drawn(&board(1050.0), &[player("Ada", true), player("Ольга", false)]);
        assert_eq!(card.dimensions(), (1650, 1050));
        assert_eq!(count(&card, RED, (0, 0, 1050, 1050)), 1050 * 1050, "the board fills its square");
        assert!(count(&card, INK, (1080, 40, 525, 300)) > 2000, "title and result");
        // Chips from the bottom: the second at 873 to 1005, the first 160 above it.
        for top in [713, 873] {
            assert!(count(&card, RED, (1090, top, 120, 132)) > 5000, "an emblem at {top}");
            assert!(count(&card, INK, (1216, top + 30, 360, 70)) > 800, "name and score at {top}");
        }
        let frame = |top: u32| count(&card, INK, (1200, top - 3, 200, 6));
        assert!(frame(713) >= 1000 && frame(873) == 0, "the winner's chip is framed");
    }

    #[test]
    fn a_low_board_is_centred_and_names_do_not_run_into_scores() {
        let long = "Maximiliane ".repeat(6);
        let card = drawn(&board(905.0), &[player(&long, false), player("B", false)]);
        assert_eq!(count(&card, RED, (0, 0, 1050, 73)), 0);
        assert_eq!(count(&card, RED, (0, 73, 1050, 905)), 1050 * 905);
        // A gap of 24 before the score, which is two tabular digits of 60 px wide and ends at 1569.
        let width = super::super::text_width("17", 60.0, Weight::Bold) as u32;
        assert_eq!(count(&card, INK, (1569 - width - 20, 713, 18, 132)), 0);
    }
}
