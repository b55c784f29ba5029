//! Lines in many scripts.

use super::*;

const INK: Rgb = Rgb(255, 255, 255);

fn line<'a>(text: &'a str, width: f32) -> Line<'a> {
    Line {
        text,
        fallback_text: "Player 1",
        left: 10.0,
        middle: 40.0,
        width,
        size: 40.0,
        least: SHRUNK,
        rows: Rows::Down(1),
        weight: Weight::SemiBold,
        colour: INK,
    }
}

fn drawn(names: &Names, text: &str, width: f32) -> (f32, RgbImage) {
    let mut image = RgbImage::new(700, 80);
    let (wide, _) = names.draw(&mut image, &line(text, width));
    (wide, image)
}

fn ink(image: &RgbImage) -> u64 {
    image.as_raw().iter().map(|v| u64::from(*v)).sum()
}

#[test]
fn every_script_that_is_carried_is_shown() {
    let names = Names::embedded();
    let (_, instead) = drawn(&names, "Player 1", 600.0);
    for text in ["Anna-Lena Müßig", "Łukasz", "Ольга", "Ελένη", "محمد علي", "אברהם", "🐧🏆", "Bob 👑"]
    {
        let (wide, image) = drawn(&names, text, 600.0);
        assert!(wide > 40.0 && ink(&image) > 10_000, "{text}");
        assert!(image != instead, "{text} is shown, not replaced");
    }
}

#[test]
fn unshowable_characters_are_dropped_and_empty_names_replaced() {
    let names = Names::embedded();
    assert!(drawn(&names, "李小龍", 600.0) == drawn(&names, "Player 1", 600.0));
    assert!(drawn(&names, "Bob 李", 600.0) == drawn(&names, "Bob", 600.0));
    assert!(drawn(&names, " \n\u{2028} ", 600.0) == drawn(&names, "Player 1", 600.0));
}

#[test]
fn letters_in_fancy_dress_become_plain_where_no_font_has_them() {
    let names = Names::embedded();
    assert!(drawn(&names, "x_𝔇𝔞𝔯𝔨_x", 600.0) == drawn(&names, "x_Dark_x", 600.0));
    assert!(drawn(&names, "ﬁｎｅ ①", 600.0).0 > drawn(&names, "fn", 600.0).0);
    assert!(drawn(&names, "𝕭李", 600.0) == drawn(&names, "B", 600.0));
}

/// The program embeds no font for these scripts: such a font is as large as all others together.
#[test]
fn chinese_japanese_and_korean_are_shown_with_a_font_of_the_machine() {
    let names = Names::found(Vec::<&Path>::new());
    for text in ["李小龍", "さくら", "김민준"] {
        let (wide, image) = drawn(&names, text, 600.0);
        if image == drawn(&names, "Player 1", 600.0).1 {
            let required = std::env::var("ROOKERY_FONTS").is_ok_and(|value| value == "required");
            assert!(!required, "no font of this machine has {text}; fonts-noto-cjk has");
            eprintln!("skipped: no font of this machine has {text}");
            continue;
        }
        assert!((90.0..130.0).contains(&wide), "three letters as wide as high: {text} {wide}");
        assert!(ink(&image) > 100_000, "{text}");
        let reversed: String = text.chars().rev().collect();
        assert!(image != drawn(&names, &reversed, 600.0).1, "{text} is letters, not boxes");
        let (mixed, _) = drawn(&names, &format!("Bob {text}"), 600.0);
        let (bob, _) = drawn(&names, "Bob ", 600.0);
        assert!(mixed > bob + 0.9 * wide, "beside Latin letters too: {mixed} {bob} {wide}");
    }
}

#[test]
fn arabic_is_joined_and_goes_right_to_left() {
    let names = Names::embedded();
    // Joined letters are narrower than the same letters apart.
    let (joined, _) = drawn(&names, "ببب", 600.0);
    let (apart, _) = drawn(&names, "ب\u{200c}ب\u{200c}ب", 600.0);
    assert!(joined < apart * 0.9, "{joined} {apart}");
    // In a right-to-left line the first letter is last: final alef is to the left.
    let (_, ab) = drawn(&names, "אי", 600.0);
    let (_, ba) = drawn(&names, "יא", 600.0);
    let left_half = |image: &RgbImage| {
        image.enumerate_pixels().filter(|(x, ..)| *x < 25).map(|(.., p)| u64::from(p.0[0])).sum::<u64>()
    };
    assert!(left_half(&ba) > left_half(&ab), "wide alef to the left when it is last");
}

#[test]
fn long_names_shrink_then_end_in_an_ellipsis() {
    let names = Names::embedded();
    let (free, _) = drawn(&names, "Maximiliane", 600.0);
    let (shrunk, _) = drawn(&names, "Maximiliane", free * 0.9);
    assert!(shrunk <= free * 0.9 + 1.0 && shrunk > free * 0.85, "{free} {shrunk}");
    let (cut, image) = drawn(&names, &"Maximiliane ".repeat(9), 300.0);
    assert!(cut <= 301.0, "{cut}");
    assert!(image.enumerate_pixels().all(|(x, _, p)| x < 314 || p.0 == [0, 0, 0]), "nothing sticks out");
}

/// The characters before the first letter of a right-to-left name are drawn too: without the direction mark its numbers
/// were left out.
#[test]
fn numbers_before_names_from_right_to_left_are_drawn() {
    let names = Names::embedded();
    for (name, number) in [("אברהם", "42"), ("محمد", "7"), ("שלום", "123"), ("שלום", "99 !")]
    {
        let (bare, _) = drawn(&names, name, 600.0);
        let (alone, _) = drawn(&names, number, 600.0);
        let (both, _) = drawn(&names, &format!("{number} {name}"), 600.0);
        assert!(both > bare + 0.9 * alone, "{number} {name}: {both}, without {bare}");
    }
}

/// Shrunk to fit exactly without being cut: as wide as the name at that size.
#[test]
fn a_name_that_fits_when_shrunk_is_whole() {
    let names = Names::embedded();
    for text in ["John Smith Jr 17", "Alexander Hamil", "Ада Лавлейс 77", "Anna-Lena Müßig 🐧"]
    {
        let (free, _) = drawn(&names, text, 2000.0);
        for share in [0.97, 0.9, 0.83, 0.71, 0.62] {
            let mut whole = RgbImage::new(700, 80);
            let small = Line { size: 40.0 * share, ..line(text, 2000.0) };
            names.draw(&mut whole, &small);
            let (_, image) = drawn(&names, text, free * share);
            let (a, b) = (ink(&image) as f64, ink(&whole) as f64);
            assert!((a / b - 1.0).abs() < 0.02, "{text} at {share}: {a} {b}");
        }
    }
}

#[test]
fn long_names_wrap_before_they_are_cut() {
    let names = Names::embedded();
    let text = "Maximiliane von Weitersheim";
    let draw = |rows| {
        let mut image = RgbImage::new(700, 200);
        let extent = names.draw(&mut image, &Line { middle: 90.0, rows, ..line(text, 330.0) });
        (extent, image)
    };
    let (one, _) = draw(Rows::Down(1));
    let (two, image) = draw(Rows::Centred(2));
    assert!(two.1 > 1.5 * one.1 && two.0 <= 331.0, "{one:?} {two:?}");
    // As much above the middle as below it.
    let half = |rows: std::ops::Range<u32>| {
        image.enumerate_pixels().filter(|(_, y, _)| rows.contains(y)).map(|(.., p)| u64::from(p.0[0])).sum()
    };
    let (above, below): (u64, u64) = (half(0..90), half(90..200));
    assert!(above > 10_000 && below > 10_000, "{above} {below}");
}

/// A right-to-left name inside a sentence has the same place as any other name, and does not change the direction of
/// the sentence.
#[test]
fn a_name_from_right_to_left_leaves_our_sentences_alone() {
    let names = Names::embedded();
    let crop =
        |image: &RgbImage, wide: f32| image::imageops::crop_imm(image, 0, 0, wide as u32, 80).to_image();
    let (name, alone) = drawn(&names, "אברהם", 600.0);
    let (all, sentence) = drawn(&names, "\u{200e}\u{2068}אברהם\u{2069} won", 600.0);
    assert!(all > name + 50.0, "{all} {name}");
    assert!(crop(&sentence, 10.0 + name) == crop(&alone, 10.0 + name), "the name comes first");
    let (_, turned) = drawn(&names, "אברהם won", 600.0);
    assert!(crop(&turned, 10.0 + name) != crop(&alone, 10.0 + name), "without the marks it does not");
}
