//! Sides are called by what they look like: in every theme their names are distinct and fit the colours that it paints
//! them in.

use rookery_core::Seat;
use rookery_core::rules::Setup;
use rookery_core::scene::Rgb;
use rookery_i18n::Localizer;

use crate::themes::{colour, family};

/// The sides that are called by their shapes, which are the same in every theme.
const SHAPES: [&str; 2] = ["circle", "square"];

/// A colour as people describe it: its hue in degrees, its saturation and its lightness in percent.
struct Hsl {
    hue: f64,
    saturation: f64,
    lightness: f64,
}

impl Hsl {
    fn of(rgb: Rgb) -> Hsl {
        let [r, g, b] = [rgb.0, rgb.1, rgb.2].map(|part| f64::from(part) / 255.0);
        let (most, least) = (r.max(g).max(b), r.min(g).min(b));
        let (span, sum) = (most - least, most + least);
        let sixths = match most {
            _ if span == 0.0 => 0.0,
            red if red == r => ((g - b) / span).rem_euclid(6.0),
            green if green == g => (b - r) / span + 2.0,
            _ => (r - g) / span + 4.0,
        };
        let saturation = if span == 0.0 { 0.0 } else { span / (1.0 - (sum - 1.0).abs()) };
        Hsl { hue: sixths * 60.0, saturation: saturation * 100.0, lightness: sum * 50.0 }
    }

    /// Whether people would call it that.
    fn is_called(&self, name: &str) -> bool {
        let coloured = |hues: std::ops::Range<f64>| {
            self.saturation >= 30.0 && (15.0..80.0).contains(&self.lightness) && hues.contains(&self.hue)
        };
        match name {
            "white" => self.lightness >= 92.0,
            "black" => self.lightness <= 18.0 && self.saturation < 40.0,
            "orange" => coloured(20.0..40.0),
            "yellow" => coloured(44.0..66.0),
            "green" => coloured(90.0..170.0),
            "blue" => coloured(190.0..250.0),
            "claret" => coloured(330.0..350.0) && self.lightness < 40.0,
            other => panic!("no colours are given for {other}"),
        }
    }
}

#[test]
fn sides_are_called_by_the_colours_of_every_theme() {
    let mut wrong = Vec::new();
    for game in rookery_games::all() {
        for theme in game.themes() {
            let names = game.info().sides.iter().map(|own| theme.side(own));
            for (name, tokens) in names.zip(family(theme).players) {
                if SHAPES.contains(&name) {
                    continue;
                }
                let paint = colour(theme, tokens[0]);
                if !Hsl::of(paint).is_called(name) {
                    wrong.push(format!("{} {}: {name} is {paint:?}", game.info().key, theme.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sides_are_renamed_only_where_a_game_has_them() {
    for theme in rookery_games::all().iter().flat_map(|game| game.themes()) {
        let has = |own| rookery_games::all().iter().any(|game| game.info().sides.contains(own));
        assert!(theme.sides.iter().all(|(own, _)| has(own)), "{} {}", theme.family, theme.name);
    }
}

#[test]
fn sides_of_one_theme_have_different_names() {
    for game in rookery_games::all() {
        for theme in game.themes() {
            for seats in game.info().seats.iter().copied() {
                let play = game.start(&Setup::new(seats).seeded(1)).unwrap();
                let words = Localizer::english().in_theme(theme.name);
                let mut names: Vec<_> =
                    Seat::all(seats).map(|seat| words.side(play.as_ref(), seat)).collect();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), seats, "{} {}: {names:?}", game.info().key, theme.name);
            }
        }
    }
}

#[test]
fn sides_follow_the_theme_of_the_picture_and_not_the_record() {
    let side = |game: &str, theme: &str| {
        let game = rookery_games::named(game).unwrap();
        let play = game.start(&Setup::new(2)).unwrap();
        Localizer::english().in_theme(theme).side(play.as_ref(), Seat::FIRST)
    };
    assert_eq!(side("amoeba", "slate"), "Black");
    assert_eq!(side("amoeba", "paper"), "Green");
    assert_eq!(side("amoeba", "walnut"), "Blue", "without such a theme, Amoeba is drawn in its first");
    assert_eq!(side("amoeba", "of 1999"), "Blue");
    assert_eq!(side("amazons", "walnut"), "White");
    assert_eq!(side("amazons", "contrast"), "Yellow");
    let words = Localizer::english();
    let changed = words.in_theme("slate").in_theme("paper");
    assert!(std::ptr::eq(changed, words.in_theme("paper")), "a theme does not add to another");
    let plain = rookery_games::named("amoeba").unwrap().start(&Setup::new(2)).unwrap();
    assert_eq!(words.side(plain.as_ref(), Seat::FIRST), "Dark", "without a picture, as records call it");
}
