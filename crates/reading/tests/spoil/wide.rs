//! All kinds of boards, from all seats, spoiled in all ways that people spoil pictures.

use rookery_core::Seat;
use rookery_core::rules::Setup;
use rookery_core::scene::DrawOptions;

use super::dice::Dice;
use super::{Around, DRAWN, Spoiled, advance, look, maybe_packed, resized, screen, surrounded};

/// How often each thing happens: photographs of screens more often, since they differ most from each other.
const AROUND: [Around; 6] =
    [Around::Nothing, Around::Cropped, Around::Chat, Around::Turned, Around::Screen, Around::Screen];

/// Draws a position of a random game of any kind and spoils the picture, both by a seed.
pub(crate) fn spoiled_widely(game: &str, seed: u64) -> Spoiled {
    // The same seed gives each game other sizes, views and light.
    let own = game.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut dice = Dice::new(own);
    let rules = rookery_games::named(game).expect("a game");
    let (setup, board) = kind(game, &mut dice);
    let seats = setup.seats;
    let mut play = rules.start(&setup.seeded(seed + 1_000)).expect("a start");
    advance(play.as_mut(), &mut dice);
    let (theme, style) = look(rules.themes(), &mut dice);
    let patterns = dice.below(6) == 0;
    let seat = if dice.below(3) > 0 { 0 } else { dice.below(seats) };
    let side = Seat::new(seat).expect("a seat");
    let options = DrawOptions { theme: theme.to_owned(), style, patterns, ..DrawOptions::from_seat(side) };
    let drawn = rookery_render::render(&play.scene(&options), DRAWN).to_image();
    let around = AROUND[dice.below(AROUND.len())];
    let (image, happened) = if around == Around::Screen {
        screen::photographed(&drawn, &mut dice)
    } else {
        let (image, scale) = resized(&drawn, &mut dice);
        let (image, quality) = maybe_packed(surrounded(image, around, &mut dice), &mut dice);
        let quality = quality.map_or("no JPEG".to_owned(), |quality| format!("JPEG {quality}"));
        (image, format!("x{scale:.2}, {around:?}, {quality}"))
    };
    let patterns = if patterns { "with" } else { "without" };
    let how = format!(
        "{board}, {seats} seats, {theme} {style:?} {patterns} patterns, from seat {}, {happened}, ply {}",
        side.number(),
        play.ply()
    );
    Spoiled { image, play, how, around }
}

/// A kind of board that people play a game on, the usual one in half of all cases; with its name.
fn kind(game: &str, dice: &mut Dice) -> (Setup, &'static str) {
    let (usual, others): (&str, &[&str]) = match game {
        "amazons" => ("10x10", &["8x8", "6x6"]),
        "amazon_penguins" => ("8x8", &["6x6", "7x7", "10x10", "hex60"]),
        "paper_penguins" => ("8x8", &["6x6", "7x7", "10x10"]),
        _ => ("the board", &[]),
    };
    let more_seats: &[usize] = match game {
        "penguins" => &[3, 4],
        "penguin_soccer" => &[4],
        _ => &[],
    };
    let is_usual = dice.below(2) == 0;
    let mut pick = |most: usize| (!is_usual && most > 0).then(|| dice.below(most));
    let board = pick(others.len()).map_or(usual, |n| others[n]);
    let setup = Setup::new(pick(more_seats.len()).map_or(2, |n| more_seats[n]));
    let setup = match board {
        "the board" => setup,
        "hex60" => setup.with("board", board),
        _ => setup.with("size", board),
    };
    (setup, board)
}
