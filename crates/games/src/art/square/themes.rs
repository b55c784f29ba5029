//! The colours of boards of squares.
//!
//! Tokens: `frame`, `edge`, `coordinates` around the board; `light` and `dark` squares, and the same with `-lit` for
//! the last move; `block-top`, `-face`, `-foot`; `white-` and `black-` `fill` and `line` of pieces; `lit` (a separate
//! highlight), `line` (the last move's path, selection marks), `shot`, and `sign` (text on blocks and marks).

use rookery_core::scene::{Rgb, Theme};

/// Warm wood: the default.
pub static WALNUT: Theme = Theme {
    name: "walnut",
    family: "square",
    sides: &[],
    colours: &[
        ("frame", Rgb::hex(0x2B211C)),
        ("edge", Rgb::hex(0x4B392E)),
        ("coordinates", Rgb::hex(0xE3CDAA)),
        ("light", Rgb::hex(0xF0DDBC)),
        ("dark", Rgb::hex(0xC79E70)),
        ("block-top", Rgb::hex(0x655044)),
        ("block-face", Rgb::hex(0x46372E)),
        ("block-foot", Rgb::hex(0x2E231D)),
        ("white-fill", Rgb::hex(0xFFF9EC)),
        ("white-line", Rgb::hex(0x2A1F19)),
        ("black-fill", Rgb::hex(0x2A211D)),
        ("black-line", Rgb::hex(0xFFF4DE)),
        ("light-lit", Rgb::hex(0xF1CC65)),
        ("dark-lit", Rgb::hex(0xE2B448)),
        ("lit", Rgb::hex(0xF2C230)),
        ("line", Rgb::hex(0x664200)),
        ("shot", Rgb::hex(0x9E1C08)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};

/// A theme of cool greys.
pub static SLATE: Theme = Theme {
    name: "slate",
    family: "square",
    sides: &[],
    colours: &[
        ("frame", Rgb::hex(0x161B26)),
        ("edge", Rgb::hex(0x2A3346)),
        ("coordinates", Rgb::hex(0xB7C3D6)),
        ("light", Rgb::hex(0xE9EEF5)),
        ("dark", Rgb::hex(0xAFBFD3)),
        ("block-top", Rgb::hex(0x52607B)),
        ("block-face", Rgb::hex(0x3B465C)),
        ("block-foot", Rgb::hex(0x262F40)),
        ("white-fill", Rgb::hex(0xFFFFFF)),
        ("white-line", Rgb::hex(0x141A26)),
        ("black-fill", Rgb::hex(0x18202E)),
        ("black-line", Rgb::hex(0xFFFFFF)),
        ("light-lit", Rgb::hex(0xF8D37C)),
        ("dark-lit", Rgb::hex(0xE4C370)),
        ("lit", Rgb::hex(0xFFC53D)),
        ("line", Rgb::hex(0x704600)),
        ("shot", Rgb::hex(0xB3161F)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};

/// Light, for printing and bright rooms.
pub static PAPER: Theme = Theme {
    name: "paper",
    family: "square",
    sides: &[],
    colours: &[
        ("frame", Rgb::hex(0xF3EDE2)),
        ("edge", Rgb::hex(0xB9A88F)),
        ("coordinates", Rgb::hex(0x4A3C2E)),
        ("light", Rgb::hex(0xFBF6EB)),
        ("dark", Rgb::hex(0xD9C7A6)),
        ("block-top", Rgb::hex(0x7E6E60)),
        ("block-face", Rgb::hex(0x5C5045)),
        ("block-foot", Rgb::hex(0x3F352D)),
        ("white-fill", Rgb::hex(0xFFFFFF)),
        ("white-line", Rgb::hex(0x2A1F19)),
        ("black-fill", Rgb::hex(0x2A211D)),
        ("black-line", Rgb::hex(0xFFFDF6)),
        ("light-lit", Rgb::hex(0xF5D677)),
        ("dark-lit", Rgb::hex(0xE8C45D)),
        ("lit", Rgb::hex(0xF2C230)),
        ("line", Rgb::hex(0x6E4600)),
        ("shot", Rgb::hex(0xC22B12)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};

/// Maximum contrast: tokens, crossed blocks.
pub static CONTRAST: Theme = Theme {
    name: "contrast",
    family: "square",
    sides: &[("white", "yellow"), ("black", "blue")],
    colours: &[
        ("frame", Rgb::hex(0x000000)),
        ("edge", Rgb::hex(0x3A3A3A)),
        ("coordinates", Rgb::hex(0xFFFFFF)),
        ("light", Rgb::hex(0xFFFFFF)),
        ("dark", Rgb::hex(0xD5DAE1)),
        ("block-top", Rgb::hex(0x4A4F57)),
        ("block-face", Rgb::hex(0x4A4F57)),
        ("block-foot", Rgb::hex(0x24272C)),
        ("white-fill", Rgb::hex(0xFFC20A)),
        ("white-line", Rgb::hex(0x000000)),
        ("black-fill", Rgb::hex(0x0A3F8F)),
        ("black-line", Rgb::hex(0xFFFFFF)),
        ("light-lit", Rgb::hex(0x9BE3DC)),
        ("dark-lit", Rgb::hex(0x9BE3DC)),
        ("lit", Rgb::hex(0x9BE3DC)),
        ("line", Rgb::hex(0x006B62)),
        ("shot", Rgb::hex(0xB3002D)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};
