//! The colours of the field.
//!
//! Tokens: `ground` around the board, `shade` under it, `edge`, `square-light` and `square-dark`, `centre` and `circle`
//! in the middle, `label` and `dim` text, `far` (labels of the far edges), `panel` in the corners, `turn` (to move),
//! `lit` and `line` (last move), `mark` and `sign` (choosing), and those of [`COLOURS`].

use crate::art::penguin::COLOURS;
use rookery_core::scene::{Rgb, Theme};

type Colour = (&'static str, Rgb);

/// A theme's own colours followed by the shared ones.
const fn with_players(own: [Colour; 16]) -> [Colour; 24] {
    let mut all = [own[0]; 24];
    let mut i = 0;
    while i < 24 {
        all[i] = if i < 16 { own[i] } else { COLOURS[i - 16] };
        i += 1;
    }
    all
}

const fn theme(name: &'static str, colours: &'static [Colour; 24]) -> Theme {
    Theme { name, family: "soccer", sides: &[], colours }
}

/// All themes, the default first.
pub(in crate::penguin_soccer) static THEMES: &[&Theme] = &[&ICE, &NIGHT, &DAY, &CONTRAST];

/// Bright ice on a dark sea: the default.
static ICE: Theme = theme("ice", &ICE_COLOURS);
static NIGHT: Theme = theme("night", &NIGHT_COLOURS);
/// A light sea, for bright rooms.
static DAY: Theme = theme("day", &DAY_COLOURS);
static CONTRAST: Theme = theme("contrast", &CONTRAST_COLOURS);

const ICE_COLOURS: [Colour; 24] = with_players([
    ("ground", Rgb::hex(0x0E3350)),
    ("shade", Rgb::hex(0x092134)),
    ("edge", Rgb::hex(0x7FA9C6)),
    ("square-light", Rgb::hex(0xEDF6FC)),
    ("square-dark", Rgb::hex(0xCBE2F1)),
    ("centre", Rgb::hex(0x9CCBE8)),
    ("circle", Rgb::hex(0x5F98BC)),
    ("label", Rgb::hex(0xD3E8F6)),
    ("far", Rgb::hex(0x98B2C4)),
    ("dim", Rgb::hex(0x9CC3DD)),
    ("panel", Rgb::hex(0x123E60)),
    ("turn", Rgb::hex(0xFFC53D)),
    ("lit", Rgb::hex(0xFFC53D)),
    ("line", Rgb::hex(0x7A4E00)),
    ("mark", Rgb::hex(0x0B4F6C)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);

const NIGHT_COLOURS: [Colour; 24] = with_players([
    ("ground", Rgb::hex(0x15171C)),
    ("shade", Rgb::hex(0x0A0B0E)),
    ("edge", Rgb::hex(0x4C5666)),
    ("square-light", Rgb::hex(0xE4E9EF)),
    ("square-dark", Rgb::hex(0xBFCAD6)),
    ("centre", Rgb::hex(0x97ABC0)),
    ("circle", Rgb::hex(0x6E859D)),
    ("label", Rgb::hex(0xC9D3DE)),
    ("far", Rgb::hex(0x939BA4)),
    ("dim", Rgb::hex(0x9AA6B4)),
    ("panel", Rgb::hex(0x21252D)),
    ("turn", Rgb::hex(0xFFD24D)),
    ("lit", Rgb::hex(0xFFD24D)),
    ("line", Rgb::hex(0x6B4A00)),
    ("mark", Rgb::hex(0x2B3B52)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);

const DAY_COLOURS: [Colour; 24] = with_players([
    ("ground", Rgb::hex(0xCFE2EF)),
    ("shade", Rgb::hex(0xA9C6DA)),
    ("edge", Rgb::hex(0x5E8CAE)),
    ("square-light", Rgb::hex(0xFAFDFF)),
    ("square-dark", Rgb::hex(0xDCECF7)),
    ("centre", Rgb::hex(0xACD4EC)),
    ("circle", Rgb::hex(0x5F98BC)),
    ("label", Rgb::hex(0x1E435C)),
    ("far", Rgb::hex(0x395B72)),
    ("dim", Rgb::hex(0x325A75)),
    ("panel", Rgb::hex(0xB9D3E5)),
    ("turn", Rgb::hex(0x6A3F00)),
    ("lit", Rgb::hex(0xFFC53D)),
    ("line", Rgb::hex(0x7A4E00)),
    ("mark", Rgb::hex(0x0B4F6C)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);

const CONTRAST_COLOURS: [Colour; 24] = with_players([
    ("ground", Rgb::hex(0x000000)),
    ("shade", Rgb::hex(0x000000)),
    ("edge", Rgb::hex(0x8A97A3)),
    ("square-light", Rgb::hex(0xFFFFFF)),
    ("square-dark", Rgb::hex(0xD5DAE1)),
    ("centre", Rgb::hex(0xB9C2CE)),
    ("circle", Rgb::hex(0x39424D)),
    ("label", Rgb::hex(0xFFFFFF)),
    ("far", Rgb::hex(0xB2B2B2)),
    ("dim", Rgb::hex(0xD5DAE1)),
    ("panel", Rgb::hex(0x24272C)),
    ("turn", Rgb::hex(0xFFC20A)),
    ("lit", Rgb::hex(0xFFC61A)),
    ("line", Rgb::hex(0x3D2600)),
    ("mark", Rgb::hex(0x000000)),
    ("sign", Rgb::hex(0xFFFFFF)),
]);
