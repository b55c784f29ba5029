//! The colours of the ice.
//!
//! Tokens: `sea`, `strip` (behind the chips), `tile-1` to `tile-3` by their fish, `foot` of tiles,
//! `fish`, `eye`, `name` on tiles, `gone` and `gone-name` of removed ones, `row` (coordinates beside
//! the board), `chip`, `chip-text`, `chip-dim`, `chip-fish`, `chip-tile`, `turn` (to move), `lit` and
//! `lit-line` (last move), `mark` and `sign` (choosing), `owned-1` to `owned-4` (tints), and those of [`crate::art::penguin::COLOURS`].

use crate::art::penguin::COLOURS;
use rookery_core::scene::{Rgb, Theme};

type Colour = (&'static str, Rgb);

/// The tints of each player's tiles: pale, so that names and fish keep their contrast.
const OWNED: [Colour; 4] = [
    ("owned-1", Rgb::hex(0xFFCDA8)),
    ("owned-2", Rgb::hex(0xA8DDFF)),
    ("owned-3", Rgb::hex(0xFFF38F)),
    ("owned-4", Rgb::hex(0xFAC9DA)),
];

/// A theme's own colours followed by the shared ones.
const fn with_players(own: [Colour; 22]) -> [Colour; 34] {
    let mut all = [own[0]; 34];
    let mut i = 0;
    while i < 34 {
        all[i] = match i {
            0..22 => own[i],
            22..30 => COLOURS[i - 22],
            _ => OWNED[i - 30],
        };
        i += 1;
    }
    all
}

const fn theme(name: &'static str, colours: &'static [Colour; 34]) -> Theme {
    Theme { name, family: "ice", sides: &[], colours }
}

/// Bright ice on a dark sea: the default.
pub static ICE: Theme = theme("ice", &ICE_COLOURS);
/// A darker variant, for dark chats.
pub static DEEP: Theme = theme("deep", &DEEP_COLOURS);
/// A light sea, for bright rooms.
pub static LIGHT: Theme = theme("light", &LIGHT_COLOURS);
/// Maximum contrast: white tiles with numerals on black.
pub static CONTRAST: Theme = theme("contrast", &CONTRAST_COLOURS);

const ICE_COLOURS: [Colour; 34] = with_players([
    ("sea", Rgb::hex(0x0E3350)),
    ("strip", Rgb::hex(0x0B2A43)),
    ("tile-1", Rgb::hex(0xF3FAFE)),
    ("tile-2", Rgb::hex(0xD5EAF7)),
    ("tile-3", Rgb::hex(0xB4D7EE)),
    ("foot", Rgb::hex(0x7FA9C6)),
    ("fish", Rgb::hex(0xBF4D0E)),
    ("eye", Rgb::hex(0xFFFFFF)),
    ("name", Rgb::hex(0x33607F)),
    ("gone", Rgb::hex(0x1B4668)),
    ("gone-name", Rgb::hex(0x547B98)),
    ("row", Rgb::hex(0xD3E8F6)),
    ("chip", Rgb::hex(0x233F56)),
    ("chip-text", Rgb::hex(0xFFFFFF)),
    ("chip-dim", Rgb::hex(0xBFDDF0)),
    ("chip-fish", Rgb::hex(0xFF9A4D)),
    ("chip-tile", Rgb::hex(0xD5EAF7)),
    ("turn", Rgb::hex(0xFFC53D)),
    ("lit", Rgb::hex(0xFFC53D)),
    ("lit-line", Rgb::hex(0x5E3C00)),
    ("mark", Rgb::hex(0x0B4F6C)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);

const DEEP_COLOURS: [Colour; 34] = with_players([
    ("sea", Rgb::hex(0x12202B)),
    ("strip", Rgb::hex(0x0C161E)),
    ("tile-1", Rgb::hex(0xDCE6EC)),
    ("tile-2", Rgb::hex(0xB6CBD8)),
    ("tile-3", Rgb::hex(0x8FB0C3)),
    ("foot", Rgb::hex(0x4E6475)),
    ("fish", Rgb::hex(0x983000)),
    ("eye", Rgb::hex(0xFFFFFF)),
    ("name", Rgb::hex(0x2A4657)),
    ("gone", Rgb::hex(0x243744)),
    ("gone-name", Rgb::hex(0x566B79)),
    ("row", Rgb::hex(0xC4D3DD)),
    ("chip", Rgb::hex(0x242D35)),
    ("chip-text", Rgb::hex(0xFFFFFF)),
    ("chip-dim", Rgb::hex(0xB6CBD8)),
    ("chip-fish", Rgb::hex(0xFF9A4D)),
    ("chip-tile", Rgb::hex(0xB6CBD8)),
    ("turn", Rgb::hex(0xFFD24D)),
    ("lit", Rgb::hex(0xFFD24D)),
    ("lit-line", Rgb::hex(0x3D2A00)),
    ("mark", Rgb::hex(0x0B3A4F)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);

const LIGHT_COLOURS: [Colour; 34] = with_players([
    ("sea", Rgb::hex(0x74A6C6)),
    ("strip", Rgb::hex(0x6899BA)),
    ("tile-1", Rgb::hex(0xFAFDFF)),
    ("tile-2", Rgb::hex(0xE4F1FA)),
    ("tile-3", Rgb::hex(0xCDE3F2)),
    ("foot", Rgb::hex(0x4A7C9E)),
    ("fish", Rgb::hex(0xBF4D0E)),
    ("eye", Rgb::hex(0xFFFFFF)),
    ("name", Rgb::hex(0x2C5875)),
    ("gone", Rgb::hex(0x5E91B2)),
    ("gone-name", Rgb::hex(0x376785)),
    ("row", Rgb::hex(0x0B2A43)),
    ("chip", Rgb::hex(0xE9F3FA)),
    ("chip-text", Rgb::hex(0x0B2A43)),
    ("chip-dim", Rgb::hex(0x2C5875)),
    ("chip-fish", Rgb::hex(0xBF4D0E)),
    ("chip-tile", Rgb::hex(0x4A7C9E)),
    ("turn", Rgb::hex(0x7A4E00)),
    ("lit", Rgb::hex(0xFFC53D)),
    ("lit-line", Rgb::hex(0x5E3C00)),
    ("mark", Rgb::hex(0x0B4F6C)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);

const CONTRAST_COLOURS: [Colour; 34] = with_players([
    ("sea", Rgb::hex(0x000000)),
    ("strip", Rgb::hex(0x000000)),
    ("tile-1", Rgb::hex(0xFFFFFF)),
    ("tile-2", Rgb::hex(0xFFFFFF)),
    ("tile-3", Rgb::hex(0xFFFFFF)),
    ("foot", Rgb::hex(0x8A97A3)),
    ("fish", Rgb::hex(0x000000)),
    ("eye", Rgb::hex(0xFFFFFF)),
    ("name", Rgb::hex(0x2B3640)),
    ("gone", Rgb::hex(0x3A444D)),
    ("gone-name", Rgb::hex(0x8A97A3)),
    ("row", Rgb::hex(0xFFFFFF)),
    ("chip", Rgb::hex(0x1E2226)),
    ("chip-text", Rgb::hex(0xFFFFFF)),
    ("chip-dim", Rgb::hex(0xFFFFFF)),
    ("chip-fish", Rgb::hex(0xFFFFFF)),
    ("chip-tile", Rgb::hex(0xFFFFFF)),
    ("turn", Rgb::hex(0xFFC20A)),
    ("lit", Rgb::hex(0xFFC20A)),
    ("lit-line", Rgb::hex(0x000000)),
    ("mark", Rgb::hex(0x006B62)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);
