//! The colours of the dish.
//!
//! Tokens: `ground` round the dish, `shade` under it, `rim`, `dish`, `net` (lines), `point`, `label`;
//! of each side `a-` and `b-` `face`, `ink` (numeral, Kernel), `side`, `edge` (outline), `ring`, and
//! `kernel` (its mark on the side);
//! `panel`, `panel-text`, `turn`; `lit` and `line` (last move), `mark` and `sign` (choosing).

use rookery_core::scene::{Rgb, Theme};

/// All themes, the default first.
pub(in crate::amoeba) static THEMES: &[&Theme] = &[&PETRI, &SLATE, &PAPER, &CONTRAST];

/// A dish under a lamp: the default.
static PETRI: Theme = Theme {
    name: "petri",
    family: "amoeba",
    sides: &[("dark", "blue"), ("light", "orange")],
    colours: &[
        ("ground", Rgb::hex(0x10272B)),
        ("shade", Rgb::hex(0x091518)),
        ("rim", Rgb::hex(0x9DBBAE)),
        ("dish", Rgb::hex(0xE8F1EA)),
        ("net", Rgb::hex(0x6A8B7D)),
        ("point", Rgb::hex(0x5F8474)),
        ("label", Rgb::hex(0x35564C)),
        ("a-face", Rgb::hex(0x0B6E8A)),
        ("a-ink", Rgb::hex(0xFFFFFF)),
        ("a-side", Rgb::hex(0x063F50)),
        ("a-edge", Rgb::hex(0x063F50)),
        ("a-ring", Rgb::hex(0x4F97AB)),
        ("a-kernel", Rgb::hex(0xFFFFFF)),
        ("b-face", Rgb::hex(0xF2A03D)),
        ("b-ink", Rgb::hex(0x3A2200)),
        ("b-side", Rgb::hex(0x8A5208)),
        ("b-edge", Rgb::hex(0x8A5208)),
        ("b-ring", Rgb::hex(0xBE7D2C)),
        ("b-kernel", Rgb::hex(0xFFE6C2)),
        ("panel", Rgb::hex(0x1A3A3F)),
        ("panel-text", Rgb::hex(0xFFFFFF)),
        ("turn", Rgb::hex(0xFFC53D)),
        ("lit", Rgb::hex(0xFFC53D)),
        ("line", Rgb::hex(0x6E4600)),
        ("mark", Rgb::hex(0x12343B)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};

/// Black and white on cool grey.
static SLATE: Theme = Theme {
    name: "slate",
    family: "amoeba",
    sides: &[("dark", "black"), ("light", "white")],
    colours: &[
        ("ground", Rgb::hex(0x161B26)),
        ("shade", Rgb::hex(0x0B0E15)),
        ("rim", Rgb::hex(0xA9B8CC)),
        ("dish", Rgb::hex(0xE9EEF5)),
        ("net", Rgb::hex(0x70829D)),
        ("point", Rgb::hex(0x64779A)),
        ("label", Rgb::hex(0x3F4F67)),
        ("a-face", Rgb::hex(0x1D2636)),
        ("a-ink", Rgb::hex(0xFFFFFF)),
        ("a-side", Rgb::hex(0x5C6A82)),
        ("a-edge", Rgb::hex(0x06090F)),
        ("a-ring", Rgb::hex(0x5C6A82)),
        ("a-kernel", Rgb::hex(0xFFFFFF)),
        ("b-face", Rgb::hex(0xFFFFFF)),
        ("b-ink", Rgb::hex(0x1D2636)),
        ("b-side", Rgb::hex(0xAEBACB)),
        ("b-edge", Rgb::hex(0x1D2636)),
        ("b-ring", Rgb::hex(0xAEBACB)),
        ("b-kernel", Rgb::hex(0x0B5FD6)),
        ("panel", Rgb::hex(0x232B3B)),
        ("panel-text", Rgb::hex(0xFFFFFF)),
        ("turn", Rgb::hex(0xFFC53D)),
        ("lit", Rgb::hex(0xFFC53D)),
        ("line", Rgb::hex(0x6E4600)),
        ("mark", Rgb::hex(0x23406E)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};

/// Light, for printing and bright rooms.
static PAPER: Theme = Theme {
    name: "paper",
    family: "amoeba",
    sides: &[("dark", "green"), ("light", "orange")],
    colours: &[
        ("ground", Rgb::hex(0xF3EDE2)),
        ("shade", Rgb::hex(0xDDD2BF)),
        ("rim", Rgb::hex(0xB9A88F)),
        ("dish", Rgb::hex(0xFFFDF6)),
        ("net", Rgb::hex(0x9A876B)),
        ("point", Rgb::hex(0x94836B)),
        ("label", Rgb::hex(0x5B4A39)),
        ("a-face", Rgb::hex(0x2F5D50)),
        ("a-ink", Rgb::hex(0xFFFFFF)),
        ("a-side", Rgb::hex(0x18372F)),
        ("a-edge", Rgb::hex(0x18372F)),
        ("a-ring", Rgb::hex(0x6C988B)),
        ("a-kernel", Rgb::hex(0xFFFFFF)),
        ("b-face", Rgb::hex(0xF0AC5E)),
        ("b-ink", Rgb::hex(0x3A2200)),
        ("b-side", Rgb::hex(0x9A6A2B)),
        ("b-edge", Rgb::hex(0x7A4E17)),
        ("b-ring", Rgb::hex(0xC0843A)),
        ("b-kernel", Rgb::hex(0xFFF0DA)),
        ("panel", Rgb::hex(0xE2D6C2)),
        ("panel-text", Rgb::hex(0x2A211D)),
        ("turn", Rgb::hex(0x7C4F00)),
        ("lit", Rgb::hex(0xF2B130)),
        ("line", Rgb::hex(0x6E4600)),
        ("mark", Rgb::hex(0x23406E)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};

static CONTRAST: Theme = Theme {
    name: "contrast",
    family: "amoeba",
    sides: &[("dark", "blue"), ("light", "yellow")],
    colours: &[
        ("ground", Rgb::hex(0x000000)),
        ("shade", Rgb::hex(0x000000)),
        ("rim", Rgb::hex(0xFFFFFF)),
        ("dish", Rgb::hex(0xFFFFFF)),
        ("net", Rgb::hex(0x6B7480)),
        ("point", Rgb::hex(0x39424D)),
        ("label", Rgb::hex(0x000000)),
        ("a-face", Rgb::hex(0x0A3F8F)),
        ("a-ink", Rgb::hex(0xFFFFFF)),
        ("a-side", Rgb::hex(0x86AEEE)),
        ("a-edge", Rgb::hex(0x000000)),
        ("a-ring", Rgb::hex(0xFFFFFF)),
        ("a-kernel", Rgb::hex(0xB3002D)),
        ("b-face", Rgb::hex(0xFFC20A)),
        ("b-ink", Rgb::hex(0x000000)),
        ("b-side", Rgb::hex(0x6B4E00)),
        ("b-edge", Rgb::hex(0x000000)),
        ("b-ring", Rgb::hex(0x6B4E00)),
        ("b-kernel", Rgb::hex(0xFFD95C)),
        ("panel", Rgb::hex(0x24272C)),
        ("panel-text", Rgb::hex(0xFFFFFF)),
        ("turn", Rgb::hex(0xFFC20A)),
        ("lit", Rgb::hex(0x9BE3DC)),
        ("line", Rgb::hex(0x005A52)),
        ("mark", Rgb::hex(0x000000)),
        ("sign", Rgb::hex(0xFFFFFF)),
    ],
};
