//! The colours of the paper.
//!
//! Tokens: `sheet`, `strip`, `grid`, `coordinates`, `cell-1` to `cell-3` and `number` of free cells,
//! `gone` and `cross` of crossed-out ones, `square-` and `circle-` `line`, `fill` and `number` of the
//! two sides, `lit` and `lit-line` (last move), `mark` and `sign` (choosing), `chip`, `chip-text`,
//! `turn` (to move).

use rookery_core::scene::{Rgb, Theme};

/// The themes, the default first.
pub(in super::super) static THEMES: &[&Theme] = &[&PAPER, &DARK, &CONTRAST];

/// Cream paper, dark pencil.
static PAPER: Theme = Theme {
    name: "paper",
    family: "paper",
    sides: &[],
    colours: &[
        ("sheet", Rgb::hex(0xF6F0E3)),
        ("strip", Rgb::hex(0xEDE4D2)),
        ("grid", Rgb::hex(0x9A8C76)),
        ("coordinates", Rgb::hex(0x5B4C3B)),
        ("cell-1", Rgb::hex(0xFFFCF4)),
        ("cell-2", Rgb::hex(0xF7EBCF)),
        ("cell-3", Rgb::hex(0xEFD9A8)),
        ("number", Rgb::hex(0x3A2F25)),
        ("gone", Rgb::hex(0xE3DACA)),
        ("cross", Rgb::hex(0x82745F)),
        ("square-line", Rgb::hex(0xA03F00)),
        ("square-fill", Rgb::hex(0xFFE9DA)),
        ("square-number", Rgb::hex(0x6E2B00)),
        ("circle-line", Rgb::hex(0x0064A0)),
        ("circle-fill", Rgb::hex(0xDDF0FC)),
        ("circle-number", Rgb::hex(0x003E66)),
        ("lit", Rgb::hex(0xFFDB70)),
        ("lit-line", Rgb::hex(0x7A4E00)),
        ("mark", Rgb::hex(0x17594A)),
        ("sign", Rgb::hex(0xFFFFFF)),
        ("chip", Rgb::hex(0xFBF7EE)),
        ("chip-text", Rgb::hex(0x3A2F25)),
        ("turn", Rgb::hex(0x7A4E00)),
    ],
};

/// Chalk on slate, for dark chats.
static DARK: Theme = Theme {
    name: "dark",
    family: "paper",
    sides: &[],
    colours: &[
        ("sheet", Rgb::hex(0x1B2129)),
        ("strip", Rgb::hex(0x151A21)),
        ("grid", Rgb::hex(0x55606E)),
        ("coordinates", Rgb::hex(0xC6CDD6)),
        ("cell-1", Rgb::hex(0x2A323D)),
        ("cell-2", Rgb::hex(0x323D49)),
        ("cell-3", Rgb::hex(0x3C4A58)),
        ("number", Rgb::hex(0xF2EFE6)),
        ("gone", Rgb::hex(0x171C23)),
        ("cross", Rgb::hex(0x6E7A88)),
        ("square-line", Rgb::hex(0xFFA263)),
        ("square-fill", Rgb::hex(0x4A2A14)),
        ("square-number", Rgb::hex(0xFFE3D0)),
        ("circle-line", Rgb::hex(0x79C9F7)),
        ("circle-fill", Rgb::hex(0x12354D)),
        ("circle-number", Rgb::hex(0xDDF1FF)),
        ("lit", Rgb::hex(0x544209)),
        ("lit-line", Rgb::hex(0xFFD24D)),
        ("mark", Rgb::hex(0x5FD6B5)),
        ("sign", Rgb::hex(0x10221D)),
        ("chip", Rgb::hex(0x2A323D)),
        ("chip-text", Rgb::hex(0xFFFFFF)),
        ("turn", Rgb::hex(0xFFD24D)),
    ],
};

/// Black and white, the pieces filled.
static CONTRAST: Theme = Theme {
    name: "contrast",
    family: "paper",
    sides: &[],
    colours: &[
        ("sheet", Rgb::hex(0xFFFFFF)),
        ("strip", Rgb::hex(0xFFFFFF)),
        ("grid", Rgb::hex(0x000000)),
        ("coordinates", Rgb::hex(0x000000)),
        ("cell-1", Rgb::hex(0xFFFFFF)),
        ("cell-2", Rgb::hex(0xFFFFFF)),
        ("cell-3", Rgb::hex(0xFFFFFF)),
        ("number", Rgb::hex(0x000000)),
        ("gone", Rgb::hex(0x2B2B2B)),
        ("cross", Rgb::hex(0xB5B5B5)),
        ("square-line", Rgb::hex(0x000000)),
        ("square-fill", Rgb::hex(0xFFC20A)),
        ("square-number", Rgb::hex(0x000000)),
        ("circle-line", Rgb::hex(0x000000)),
        ("circle-fill", Rgb::hex(0x0A3F8F)),
        ("circle-number", Rgb::hex(0xFFFFFF)),
        ("lit", Rgb::hex(0x9BE3DC)),
        ("lit-line", Rgb::hex(0x00544D)),
        ("mark", Rgb::hex(0xB3002D)),
        ("sign", Rgb::hex(0xFFFFFF)),
        ("chip", Rgb::hex(0xFFFFFF)),
        ("chip-text", Rgb::hex(0x000000)),
        ("turn", Rgb::hex(0xB3002D)),
    ],
};
