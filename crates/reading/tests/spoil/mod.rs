//! Boards as people send them: smaller or larger, cropped, in a chat, turned, packed as JPEG.

#[path = "../photograph/dice.rs"]
mod dice;
mod screen;
#[path = "../photograph/sensor.rs"]
mod sensor;
pub(crate) mod wide;

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use imageproc::geometric_transformations::{Border, Interpolation, rotate_about_center};
use rookery_core::rules::Setup;
use rookery_core::scene::{
    Anchor, DrawOptions, Outline, Rgb as Ink, Scene, Shape, Style, Theme, Weight, ink, pt,
};
use rookery_core::{Play, Seat};
use rookery_reading::Reading;

use dice::Dice;
use sensor::packed;

/// The width of a board as it is drawn.
const DRAWN: u32 = 1_050;
/// The height of a line in a chat.
const LINE: u32 = 22;

static DARK_CHAT: Theme = Theme {
    name: "dark",
    family: "chat",
    sides: &[],
    colours: &[("ground", Ink(49, 51, 56)), ("text", Ink(219, 222, 225))],
};
static LIGHT_CHAT: Theme = Theme {
    name: "light",
    family: "chat",
    sides: &[],
    colours: &[("ground", Ink(255, 255, 255)), ("text", Ink(49, 51, 56))],
};
const WORDS: [&str; 8] =
    ["well played", "Ada", "d4-e5", "your move", "hm", "what about the corner", "12:04", "ok then"];

/// What happens to a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    Nothing,
    Cropped,
    Chat,
    Turned,
    /// Photographed from a screen, which only [`wide::spoiled_widely`] does.
    Screen,
}

/// A picture, and what it shows.
pub(crate) struct Spoiled {
    pub(crate) image: RgbImage,
    pub(crate) play: Box<dyn Play>,
    pub(crate) how: String,
    #[allow(dead_code, reason = "only the example counts by it")]
    pub(crate) around: Around,
}

/// How a picture was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Right,
    /// A cell is unclear, or from which end the board is seen.
    Asked,
    Refused,
    Wrong,
}

impl Spoiled {
    pub(crate) fn outcome(&self, reading: Option<&Reading>) -> Outcome {
        let Some(reading) = reading else { return Outcome::Refused };
        // After the end nobody is to move.
        let has_turn = |reading: &Reading| {
            let is_shown = reading.is_turn_shown && self.play.outcome().is_none();
            !is_shown || reading.play.turn() == self.play.turn()
        };
        let has_points =
            |reading: &Reading| !reading.are_points_shown || reading.play.scores() == self.play.scores();
        let is_right = |reading: &Reading| {
            reading.play.text_board() == self.play.text_board() && has_turn(reading) && has_points(reading)
        };
        let is_unclear = !reading.unclear.is_empty();
        match &reading.turned {
            None if is_unclear => Outcome::Asked,
            None if is_right(reading) => Outcome::Right,
            Some(turned) if is_unclear || is_right(reading) || is_right(turned) => Outcome::Asked,
            _ => Outcome::Wrong,
        }
    }
}

/// Draws a position of a random game and spoils the picture, both by a seed.
pub(crate) fn spoiled(game: &str, seed: u64) -> Spoiled {
    let mut dice = Dice::new(seed);
    let rules = rookery_games::named(game).expect("a game");
    let setup = match game {
        "amazons" => Setup::new(2).with("size", ["10x10", "8x8", "6x6"][dice.below(3)]),
        _ => Setup::new(2),
    };
    let mut play = rules.start(&setup.seeded(seed + 1_000)).expect("a start");
    advance(play.as_mut(), &mut dice);
    let (theme, style) = look(rules.themes(), &mut dice);
    let side = if dice.below(3) == 0 { Seat::SECOND } else { Seat::FIRST };
    let look = DrawOptions { theme: theme.to_owned(), style, ..DrawOptions::from_seat(side) };
    let board = rookery_render::render(&play.scene(&look), DRAWN).to_image();
    let (image, scale) = resized(&board, &mut dice);
    let around = [Around::Nothing, Around::Cropped, Around::Chat, Around::Turned][dice.below(4)];
    let image = surrounded(image, around, &mut dice);
    let (image, quality) = maybe_packed(image, &mut dice);
    let how = format!(
        "{theme} {style:?} from seat {side:?}, x{scale:.2}, {around:?}, JPEG {quality:?}, ply {}",
        play.ply()
    );
    Spoiled { image, play, how, around }
}

/// Plays up to 59 random moves.
fn advance(play: &mut dyn Play, dice: &mut Dice) {
    for _ in 0..dice.below(60) {
        if play.outcome().is_some() {
            break;
        }
        let moves = play.moves();
        play.play(&moves[dice.below(moves.len())]).expect("a legal move");
    }
}

fn look(themes: &[&'static Theme], dice: &mut Dice) -> (&'static str, Style) {
    let theme = themes[dice.below(themes.len())].name;
    (theme, [Style::Full, Style::Full, Style::Plain, Style::Large][dice.below(4)])
}

/// A board in another size, and its scale.
fn resized(board: &RgbImage, dice: &mut Dice) -> (RgbImage, f32) {
    let scale = dice.between(0.3_f32.ln(), 2.0_f32.ln()).exp();
    let size = |n: u32| (n as f32 * scale) as u32;
    let filter = [FilterType::Triangle, FilterType::Lanczos3][dice.below(2)];
    (imageops::resize(board, size(board.width()), size(board.height()), filter), scale)
}

/// Two of three pictures as a JPEG of this quality.
fn maybe_packed(image: RgbImage, dice: &mut Dice) -> (RgbImage, Option<u8>) {
    let quality = (dice.below(3) > 0).then(|| 60 + dice.below(36) as u8);
    (quality.map_or_else(|| image.clone(), |quality| packed(&image, quality)), quality)
}

fn surrounded(image: RgbImage, around: Around, dice: &mut Dice) -> RgbImage {
    let (width, height) = image.dimensions();
    match around {
        Around::Nothing | Around::Screen => image,
        Around::Cropped => {
            let mut cut = |size: u32| (size as f32 * dice.between(0.0, 0.035)) as u32;
            let (left, top, right, bottom) = (cut(width), cut(height), cut(width), cut(height));
            imageops::crop_imm(&image, left, top, width - left - right, height - top - bottom).to_image()
        }
        Around::Chat => {
            let wider = (width as f32 * dice.between(1.1, 1.9)) as u32;
            let higher = (height as f32 * dice.between(1.1, 1.7)) as u32;
            let mut chat = chat(wider, higher, dice);
            let left = dice.below((wider - width) as usize + 1);
            let top = dice.below((higher - height) as usize + 1);
            imageops::overlay(&mut chat, &image, left as i64, top as i64);
            chat
        }
        Around::Turned => {
            let angle = dice.between(-4.0, 4.0).to_radians();
            rotate_about_center(&image, angle, Interpolation::Bilinear, Border::Constant(Rgb([90, 90, 90])))
        }
    }
}

/// A window full of messages.
fn chat(width: u32, height: u32, dice: &mut Dice) -> RgbImage {
    let theme = [&DARK_CHAT, &LIGHT_CHAT][dice.below(2)];
    let mut scene = Scene::new(width as f32, height as f32, theme, "ground");
    for line in 0..height / LINE {
        let text: Vec<&str> = (0..dice.below(12)).map(|_| WORDS[dice.below(WORDS.len())]).collect();
        if text.is_empty() {
            continue;
        }
        let outline = Outline::Text {
            text: text.join(" "),
            at: pt(16.0, (line as f32 + 0.5) * LINE as f32),
            size: 16.0,
            weight: Weight::SemiBold,
            anchor: Anchor::Left,
        };
        scene.shape(Shape::new(outline).fill(ink("text")));
    }
    rookery_render::render(&scene, width).to_image()
}
