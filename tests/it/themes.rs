//! The themes of all games, measured by their colours: texts are readable, pieces stand out, and players can be
//! distinguished with colour vision deficiencies.

use rookery::config::{Key, ValueKind};
use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Ink, Rgb, Scene, Theme};
use rookery_render::contrast::{Deficiency, contrast, difference, simulate};
use rookery_render::render;
use std::collections::BTreeSet;

use crate::pictures::played;

/// The least contrast of text on its ground.
pub(crate) const TEXT: f64 = 4.3;
/// The least contrast of a piece against each ground that it stands on.
const PIECE: f64 = 4.5;
/// The least contrast of the two tones in which the last move and selectable cells are drawn: people read them at a
/// glance, like text.
pub(crate) const MARK: f64 = 4.3;
/// The least contrast of graphics that are not text and also have a distinct shape: a little over the
/// requirement of WCAG 1.4.11.
const SIGN: f64 = 3.2;
/// The least distance of two players' colours in L*a*b*; about 2 is just noticeable.
pub(crate) const APART: f64 = 25.0;

/// A pattern: its mark, its ground, and the tint of that ground with its opacity.
type Pattern = (&'static str, &'static str, Option<(&'static str, f64)>);

/// The tokens of one family of themes, by what they must contrast with.
pub(crate) struct Family {
    name: &'static str,
    /// Pairs of ink and ground.
    text: &'static [(&'static str, &'static str)],
    /// The part of a piece that carries its shape, and its ground.
    pieces: &'static [(&'static str, &'static str)],
    marks: &'static [(&'static str, &'static str)],
    signs: &'static [(&'static str, &'static str)],
    /// Lines of two tones over grounds of all kinds: at least one tone stands out on each.
    lines: &'static [([&'static str; 2], &'static [&'static str])],
    /// The marks of patterns, their grounds, and a side's ink with the opacity with which it tints that
    /// ground.
    patterns: &'static [Pattern],
    /// Each player's colours, in the same order for all: two players differ if they do in one of them.
    pub(crate) players: &'static [&'static [&'static str]],
}

/// White marks on three of the players' colours, a dark mark on yellow.
const PENGUINS: &[Pattern] = &[
    ("belly", "player-1", None),
    ("belly", "player-2", None),
    ("dark", "player-3", None),
    ("belly", "player-4", None),
];

const FAMILIES: &[Family] = &[
    Family {
        name: "square",
        text: &[("coordinates", "frame"), ("sign", "line"), ("sign", "block-face")],
        // White's shape is its outline, Black's is its body.
        pieces: &[
            ("white-line", "light"),
            ("white-line", "dark"),
            ("black-fill", "light"),
            ("black-fill", "dark"),
            ("white-line", "white-fill"),
            ("black-line", "black-fill"),
            ("white-line", "light-lit"),
            ("white-line", "dark-lit"),
            ("black-fill", "light-lit"),
            ("black-fill", "dark-lit"),
            ("block-face", "light"),
            ("block-face", "dark"),
        ],
        marks: &[("line", "light-lit"), ("line", "dark-lit")],
        signs: &[("shot", "light"), ("shot", "dark"), ("line", "light"), ("line", "dark")],
        lines: &[],
        patterns: &[
            ("white-line", "white-fill", None),
            ("black-line", "black-fill", None),
            ("white-line", "light", Some(("white-fill", 0.24))),
            ("white-line", "dark", Some(("white-fill", 0.24))),
            ("black-fill", "light", Some(("black-fill", 0.24))),
            ("black-fill", "dark", Some(("black-fill", 0.24))),
        ],
        players: &[&["white-fill"], &["black-fill"]],
    },
    Family {
        name: "ice",
        text: &[
            ("name", "tile-1"),
            ("name", "tile-2"),
            ("name", "tile-3"),
            ("row", "sea"),
            ("chip-text", "chip"),
            ("chip-dim", "chip"),
            ("turn", "chip"),
            ("sign", "mark"),
            ("gone-name", "sea"),
        ],
        // The rim of every disc is intentionally white; the body stands out. Tiles are the prize, and beyond
        // their edges no penguin can go.
        pieces: &[
            ("body", "tile-1"),
            ("body", "tile-2"),
            ("body", "tile-3"),
            ("body", "belly"),
            ("tile-1", "sea"),
            ("tile-2", "sea"),
            ("tile-3", "sea"),
        ],
        marks: &[("lit", "lit-line"), ("mark", "tile-1"), ("mark", "tile-2"), ("mark", "tile-3")],
        // Fish are 50 units long, and their number also shows in the tile's shade.
        signs: &[("fish", "tile-1"), ("fish", "tile-2"), ("fish", "tile-3"), ("chip-fish", "chip")],
        lines: &[(["lit", "lit-line"], &["sea", "tile-1", "tile-2", "tile-3"])],
        patterns: PENGUINS,
        players: &[&["player-1"], &["player-2"], &["player-3"], &["player-4"]],
    },
    Family {
        name: "paper",
        text: &[
            ("coordinates", "sheet"),
            ("number", "cell-1"),
            ("number", "cell-2"),
            ("number", "cell-3"),
            ("square-number", "square-fill"),
            ("circle-number", "circle-fill"),
            ("chip-text", "chip"),
            ("turn", "chip"),
            ("sign", "mark"),
        ],
        // A piece is the line around its number.
        pieces: &[
            ("square-line", "cell-1"),
            ("square-line", "cell-2"),
            ("square-line", "cell-3"),
            ("circle-line", "cell-1"),
            ("circle-line", "cell-2"),
            ("circle-line", "cell-3"),
            ("square-line", "lit"),
            ("circle-line", "lit"),
        ],
        marks: &[
            ("lit-line", "lit"),
            ("lit-line", "cell-1"),
            ("lit-line", "cell-3"),
            ("mark", "cell-1"),
            ("mark", "cell-3"),
        ],
        signs: &[("cross", "gone")],
        lines: &[],
        patterns: &[("square-number", "square-fill", None), ("circle-number", "circle-fill", None)],
        players: &[&["square-line", "square-fill"], &["circle-line", "circle-fill"]],
    },
    Family {
        name: "soccer",
        text: &[
            ("label", "ground"),
            ("far", "ground"),
            ("label", "panel"),
            ("dim", "panel"),
            ("turn", "panel"),
            ("sign", "mark"),
        ],
        // An emblem stands for a player as the body does; on vermillion it counts as a sign, see there.
        pieces: &[
            ("body", "square-light"),
            ("body", "square-dark"),
            ("body", "lit"),
            ("body", "centre"),
            ("belly", "player-2"),
            ("dark", "player-3"),
            ("belly", "player-4"),
        ],
        marks: &[
            ("line", "lit"),
            ("line", "square-light"),
            ("line", "square-dark"),
            ("mark", "square-light"),
            ("mark", "square-dark"),
            ("mark", "centre"),
        ],
        // White on the vermillion of Okabe and Ito has a contrast of 3.9. The mark is a disc 18 units wide and not a
        // letter, and a darker vermillion would be too close to claret for protanopia.
        signs: &[("belly", "player-1")],
        lines: &[(["lit", "body"], &["player-1", "player-2", "player-3", "player-4"])],
        patterns: PENGUINS,
        players: &[&["player-1"], &["player-2"], &["player-3"], &["player-4"]],
    },
    Family {
        name: "amoeba",
        text: &[
            ("label", "dish"),
            ("a-ink", "a-face"),
            ("b-ink", "b-face"),
            ("panel-text", "panel"),
            ("sign", "mark"),
        ],
        // A disc's shape is its edge.
        pieces: &[("a-edge", "dish"), ("b-edge", "dish")],
        marks: &[("mark", "dish"), ("line", "dish"), ("line", "lit"), ("turn", "panel")],
        signs: &[("net", "dish"), ("point", "dish")],
        lines: &[],
        patterns: &[
            ("a-ink", "a-face", None),
            ("b-ink", "b-face", None),
            ("a-edge", "dish", Some(("a-face", 0.4))),
            ("b-edge", "dish", Some(("b-face", 0.4))),
        ],
        players: &[&["a-face"], &["b-face"]],
    },
];

impl Family {
    /// Returns every kind of pair with its least contrast.
    fn bounds(&self) -> [(&'static [(&'static str, &'static str)], f64); 4] {
        [(self.text, TEXT), (self.pieces, PIECE), (self.marks, MARK), (self.signs, SIGN)]
    }
}

/// A family, its theme (all of them if none), the pair of inks, and its own least contrast.
type Exception = (&'static str, Option<&'static str>, (&'static str, &'static str), f64);

/// Pairs that may have less contrast, and why.
const EXCEPTIONS: &[Exception] = &[
    // Names of removed tiles are only a reminder: they must not look selectable.
    ("ice", None, ("gone-name", "sea"), 2.0),
    // The side of a tile, darker than the tile and the sea, carries the edge in the light theme.
    ("ice", Some("light"), ("tile-1", "sea"), 2.5),
    ("ice", Some("light"), ("tile-2", "sea"), 2.2),
    ("ice", Some("light"), ("tile-3", "sea"), 1.9),
];

pub(crate) fn family(theme: &Theme) -> &'static Family {
    let found = FAMILIES.iter().find(|family| family.name == theme.family);
    found.unwrap_or_else(|| panic!("nobody has said what must be told apart on {} boards", theme.family))
}

/// Returns the themes of all games, each once.
fn themes() -> Vec<&'static Theme> {
    let mut seen = BTreeSet::new();
    let all = rookery_games::all().iter().flat_map(|game| game.themes().iter().copied());
    all.filter(|theme| seen.insert((theme.family, theme.name))).collect()
}

pub(crate) fn colour(theme: &Theme, token: &'static str) -> Rgb {
    theme.colour(Ink(token)).unwrap_or_else(|| panic!("{} {} has no {token}", theme.family, theme.name))
}

fn enough(theme: &Theme, pair: (&str, &str), usual: f64) -> f64 {
    let excepted = EXCEPTIONS.iter().find(|(family, name, tokens, _)| {
        *family == theme.family && name.is_none_or(|name| name == theme.name) && *tokens == pair
    });
    excepted.map_or(usual, |(.., least)| *least)
}

#[test]
fn themes_of_every_game_include_high_contrast() {
    for game in rookery_games::all() {
        let names: BTreeSet<_> = game.themes().iter().map(|theme| theme.name).collect();
        let key = game.info().key;
        assert_eq!(names.len(), game.themes().len(), "{key}: a name twice");
        assert!(names.len() >= 3 && names.contains("contrast"), "{key}: {names:?}");
    }
}

#[test]
fn themes_can_each_be_the_default() {
    let key = Key::find("render", "theme").unwrap();
    let ValueKind::Word(names) = key.kind else { panic!("{:?}", key.kind) };
    let all: BTreeSet<_> = themes().iter().map(|theme| theme.name).collect();
    assert_eq!(BTreeSet::from_iter(names.iter().copied()), all);
}

#[test]
fn themes_keep_signs_distinguishable() {
    let mut wrong = Vec::new();
    for theme in themes() {
        let family = family(theme);
        for (pairs, usual) in family.bounds() {
            for (a, b) in pairs {
                let (found, least) =
                    (contrast(colour(theme, a), colour(theme, b)), enough(theme, (a, b), usual));
                if found < least {
                    wrong.push(format!(
                        "{} {}: {a} on {b} is {found:.2}, wanted {least}",
                        theme.family, theme.name
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn themes_show_two_tone_lines_on_every_ground() {
    let mut wrong = Vec::new();
    for theme in themes() {
        for (tones, grounds) in family(theme).lines {
            for ground in *grounds {
                let shown = tones.map(|tone| contrast(colour(theme, tone), colour(theme, ground)));
                if shown.iter().all(|found| *found < SIGN) {
                    wrong
                        .push(format!("{} {}: {tones:?} on {ground}: {shown:.2?}", theme.family, theme.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An exception that is no longer needed must be removed.
#[test]
fn themes_exceptions_are_needed() {
    for (family_name, name, (a, b), least) in EXCEPTIONS {
        let usual = |theme: &Theme| {
            let held = family(theme).bounds().into_iter().find(|(pairs, _)| pairs.contains(&(*a, *b)));
            held.unwrap_or_else(|| panic!("nothing holds {a} on {b}")).1
        };
        let concerned =
            |theme: &&Theme| theme.family == *family_name && name.is_none_or(|name| name == theme.name);
        let needed = themes().into_iter().filter(concerned).any(|theme| {
            let pair = [a, b].map(|token| colour(theme, token));
            let found = contrast(pair[0], pair[1]);
            assert!(found >= *least, "{}: {a} on {b}", theme.name);
            found < usual(theme)
        });
        assert!(needed, "{family_name}: {a} on {b} is well without an exception");
    }
}

/// The test covers all colour vision deficiencies. Without any colour, emblems, outlines and shapes remain;
/// only the sides of two-player games must differ in grey as well.
#[test]
fn themes_keep_players_apart_for_every_colour_vision() {
    let mut wrong = Vec::new();
    for theme in themes() {
        let players = family(theme).players;
        let pairs = (0..players.len()).flat_map(|a| (0..a).map(move |b| (players[a], players[b])));
        for (a, b) in pairs {
            for (eye, found) in VISIONS.map(|eye| (eye, apart(theme, a, b, eye))) {
                if found < APART {
                    wrong.push(format!("{} {}: {a:?} {b:?}, {eye:?}: {found:.0}", theme.family, theme.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Normal vision, and each kind of dichromacy.
pub(crate) const VISIONS: [Option<Deficiency>; 4] =
    [None, Some(Deficiency::Protan), Some(Deficiency::Deutan), Some(Deficiency::Tritan)];

/// Returns the largest distance between two players' colours, for this vision.
pub(crate) fn apart(theme: &Theme, a: &[&'static str], b: &[&'static str], eye: Option<Deficiency>) -> f64 {
    let seen = |token| {
        let rgb = colour(theme, token);
        eye.map_or(rgb, |kind| simulate(rgb, kind))
    };
    a.iter().zip(b).map(|(a, b)| difference(seen(a), seen(b))).fold(0.0, f64::max)
}

/// Two sides without an emblem beside their colour must differ in grey too.
#[test]
fn themes_keep_queens_apart_in_grey() {
    for theme in themes().into_iter().filter(|theme| theme.family == "square") {
        let [white, black] =
            ["white-fill", "black-fill"].map(|token| simulate(colour(theme, token), Deficiency::Grey));
        assert!(difference(white, black) >= 40.0, "{}", theme.name);
    }
}

/// The marks of patterns stand out on their grounds, also with the strongest tint.
#[test]
fn patterns_show_on_their_grounds() {
    let mut wrong = Vec::new();
    for theme in themes() {
        for (mark, ground, tinted) in family(theme).patterns {
            let bare = colour(theme, ground);
            let ground_now = tinted.map_or(bare, |(tint, share)| mixed(colour(theme, tint), bare, share));
            let found = contrast(colour(theme, mark), ground_now);
            if found < SIGN {
                wrong.push(format!("{} {}: {mark} on {ground} is {found:.2}", theme.family, theme.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Mixes a share of one colour over another.
fn mixed(over: Rgb, under: Rgb, share: f64) -> Rgb {
    let mix =
        |over: u8, under: u8| (f64::from(over) * share + f64::from(under) * (1.0 - share)).round() as u8;
    Rgb(mix(over.0, under.0), mix(over.1, under.1), mix(over.2, under.2))
}

/// The width at which Discord shows a board on a small screen.
const SMALL_PX: u32 = 300;

/// If all players have the colours of the first, patterns still show whose the cells are: a good part of the
/// picture differs, in grey, on a small screen.
#[test]
fn patterns_tell_owners_apart_without_colour() {
    for game in rookery_games::all() {
        let most = game.info().seats.last().copied().unwrap();
        let play = played::game(*game, most, 24);
        let gone: Vec<_> =
            play.facts().into_iter().filter(|fact| fact.key == "gone").flat_map(|fact| fact.cells).collect();
        let owned_by = |seat: Seat, theme: &Theme| {
            let cells = play.board().cells().filter(|cell| !gone.contains(cell));
            let owners = cells.map(|cell| (cell, seat, 0.5)).collect();
            let theme = theme.name.to_owned();
            let mut scene = play.scene(&DrawOptions {
                theme,
                patterns: true,
                owners,
                ..DrawOptions::from_seat(Seat::FIRST)
            });
            scene.theme = colourless(scene.theme);
            greys(&scene)
        };
        for theme in game.themes() {
            let all: Vec<_> = Seat::all(most).map(|seat| owned_by(seat, theme)).collect();
            for (a, b) in (0..most).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let differ = all[a].iter().zip(&all[b]).filter(|(a, b)| a.abs_diff(**b) > 40).count();
                let share = differ as f64 / all[a].len() as f64;
                let name = format!("{} {}: {a} and {b}", game.info().key, theme.name);
                assert!(share > 0.02, "{name} differ in {:.2} % of the picture", share * 100.0);
            }
        }
    }
}

/// Returns the theme with the first player's colours for all.
fn colourless(theme: &'static Theme) -> &'static Theme {
    let players = family(theme).players;
    let prefix = |token: &'static str| token.split('-').next().unwrap_or(token);
    let first = players[0][0];
    let same = |(token, rgb): &(&'static str, Rgb)| {
        let other = players.iter().skip(1).any(|player| {
            if first.starts_with("player") {
                player.contains(token)
            } else {
                prefix(player[0]) == prefix(token)
            }
        });
        let own = match first.starts_with("player") {
            true => first.to_owned(),
            false => token.replacen(prefix(token), prefix(first), 1),
        };
        let as_first = theme.colours.iter().find(|(known, _)| *known == own).map(|(_, rgb)| *rgb);
        (*token, if other { as_first.unwrap_or(*rgb) } else { *rgb })
    };
    let colours: Vec<_> = theme.colours.iter().map(same).collect();
    let name = Box::leak(format!("{} without colour", theme.name).into_boxed_str());
    let colours = Box::leak(colours.into_boxed_slice());
    Box::leak(Box::new(Theme { name, family: theme.family, sides: theme.sides, colours }))
}

/// Returns a picture's pixels in grey.
fn greys(scene: &Scene) -> Vec<u8> {
    let picture = render(scene, SMALL_PX).to_image();
    picture
        .pixels()
        .map(|pixel| simulate(Rgb(pixel.0[0], pixel.0[1], pixel.0[2]), Deficiency::Grey).0)
        .collect()
}
