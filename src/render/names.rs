//! Lines of text in any script: shaped, right to left where the script is, with a font for every
//! letter that some font has, and never a box for one that none has.
//!
//! For names of people on share cards. Boards are lettered by [`super::letters`], which is quicker.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use cosmic_text::fontdb::{Database, Source};
use cosmic_text::{
    Align, Attrs, Buffer, Color, Ellipsize, EllipsizeHeightLimit, Fallback, Family, FontSystem, LayoutGlyph,
    Metrics, PlatformFallback, Shaping, SwashCache, Wrap,
};
use icu_normalizer::ComposingNormalizerBorrowed;
use image::{Rgb as Pixel, RgbImage};
use unicode_script::Script;

use super::letters;
use crate::kit::scene::{Rgb, Weight};

const ARABIC: &[u8] = include_bytes!("../../fonts/NotoSansArabic-SemiBold.ttf");
const HEBREW: &[u8] = include_bytes!("../../fonts/NotoSansHebrew-SemiBold.ttf");
const EMOJI: &[u8] = include_bytes!("../../fonts/NotoEmoji-SemiBold.ttf");

/// The fonts there are, and what was drawn with them. Cheap to clone; the clones share.
#[derive(Clone)]
pub struct Names {
    inner: Arc<Mutex<Inner>>,
}

struct Inner {
    fonts: FontSystem,
    glyphs: SwashCache,
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Names")
    }
}

/// A line of text and where it goes, in pixels.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// What it says. Line breaks count as spaces.
    pub(super) text: &'a str,
    /// What it says instead if no font has any of it.
    pub(super) instead: &'a str,
    /// Its left end, whatever its direction.
    pub(super) left: f32,
    /// The middle of its capitals.
    pub(super) middle: f32,
    /// The widest it may be: then it shrinks, then it ends in an ellipsis.
    pub(super) width: f32,
    /// Font size.
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) colour: Rgb,
}

/// How far a line that is too wide may shrink before it is cut.
const SHRUNK: f32 = 0.6;

impl Names {
    /// With the fonts this program carries: Latin, Greek, Cyrillic, Arabic, Hebrew and emoji.
    #[must_use]
    pub fn carried() -> Names {
        Names::of(carried())
    }

    /// With those and whatever the machine has in its usual places and in `folders`. Takes some
    /// milliseconds to look; a folder that is not there is passed over.
    pub fn found(folders: impl IntoIterator<Item = impl AsRef<Path>>) -> Names {
        let mut fonts = carried();
        fonts.load_system_fonts();
        for folder in folders {
            fonts.load_fonts_dir(folder);
        }
        Names::of(fonts)
    }

    fn of(fonts: Database) -> Names {
        // The locale only decides whose shapes Chinese characters take when nothing else does.
        let fonts = FontSystem::new_with_locale_and_db_and_fallback("en".to_owned(), fonts, Faces);
        Names { inner: Arc::new(Mutex::new(Inner { fonts, glyphs: SwashCache::new() })) }
    }

    /// Draws a line. Returns how wide it became, in pixels.
    pub(super) fn draw(&self, on: &mut RgbImage, line: &Line) -> f32 {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { fonts, glyphs } = &mut *inner;
        let text = showable(fonts, line);
        let buffer = fitted(fonts, line, &text);
        paint(on, fonts, glyphs, line, &buffer)
    }
}

fn carried() -> Database {
    let mut fonts = Database::new();
    for data in [letters::SEMI_BOLD, letters::BOLD, ARABIC, HEBREW, EMOJI] {
        fonts.load_font_source(Source::Binary(Arc::new(data)));
    }
    fonts
}

/// Which families to try for what Inter lacks, after those usual for the script.
struct Faces;

impl Fallback for Faces {
    fn common_fallback(&self) -> &[&'static str] {
        &["Noto Color Emoji", "Noto Emoji", "Noto Sans", "DejaVu Sans", "Noto Sans Symbols2"]
    }

    fn forbidden_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn script_fallback(&self, script: Script, locale: &str) -> &[&'static str] {
        PlatformFallback.script_fallback(script, locale)
    }
}

/// The text without what no font can show, neither by itself nor by the plain letters that it stands for
/// (`𝔇` for D); the other text if nothing is left.
fn showable(fonts: &mut FontSystem, line: &Line) -> String {
    let text: String = line.text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect();
    let nfkc = ComposingNormalizerBorrowed::new_nfkc();
    let plain = replaced(fonts, line, text.trim(), |lost| nfkc.normalize(lost).into_owned());
    let kept = replaced(fonts, line, &plain, |_| String::new());
    if kept.trim().is_empty() { line.instead.to_owned() } else { kept.trim().to_owned() }
}

/// The text with something else for each part that no font can show.
fn replaced(fonts: &mut FontSystem, line: &Line, text: &str, by: impl Fn(&str) -> String) -> String {
    let (mut new, mut end) = (String::new(), 0);
    for range in lost(fonts, line, text) {
        if range.start >= end {
            new += &text[end..range.start];
            new += &by(&text[range.clone()]);
            end = range.end;
        }
    }
    new + &text[end..]
}

/// The parts of a text that no font can show, in their order.
fn lost(fonts: &mut FontSystem, line: &Line, text: &str) -> Vec<Range<usize>> {
    let shaped = shape(fonts, line, text, line.size, None);
    let shown: HashSet<usize> = glyphs(&shaped).filter(|glyph| !is_box(glyph)).map(|g| g.start).collect();
    let lost = glyphs(&shaped).filter(|glyph| !shown.contains(&glyph.start));
    let mut lost: Vec<_> = lost.map(|glyph| glyph.start..glyph.end).collect();
    lost.sort_by_key(|range| range.start);
    lost
}

/// Glyph 0 is what a font shows for what it lacks. Marks that join or part letters may have it too,
/// beside the letter's own glyph; they are not painted either.
fn is_box(glyph: &LayoutGlyph) -> bool {
    glyph.glyph_id == 0
}

fn is_break(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The text at the size at which it fits, cut if it fits at none.
fn fitted(fonts: &mut FontSystem, line: &Line, text: &str) -> Buffer {
    let free = shape(fonts, line, text, line.size, None);
    let width = width(&free);
    if width <= line.width {
        return free;
    }
    let size = line.size * (line.width / width).max(SHRUNK);
    shape(fonts, line, text, size, Some(line.width))
}

fn shape(fonts: &mut FontSystem, line: &Line, text: &str, size: f32, width: Option<f32>) -> Buffer {
    let mut buffer = Buffer::new_empty(Metrics::new(size, size * 1.5));
    buffer.set_wrap(Wrap::None);
    if width.is_some() {
        buffer.set_ellipsize(Ellipsize::End(EllipsizeHeightLimit::Lines(1)));
    }
    buffer.set_size(width, None);
    let weight = match line.weight {
        Weight::SemiBold => cosmic_text::Weight::SEMIBOLD,
        Weight::Bold => cosmic_text::Weight::BOLD,
    };
    let attrs = Attrs::new().family(Family::Name("Inter")).weight(weight);
    buffer.set_text(text, &attrs, Shaping::Advanced, Some(Align::Left));
    buffer.shape_until_scroll(fonts, false);
    buffer
}

fn glyphs(buffer: &Buffer) -> impl Iterator<Item = &LayoutGlyph> {
    buffer.layout_runs().flat_map(|run| run.glyphs)
}

fn width(buffer: &Buffer) -> f32 {
    buffer.layout_runs().map(|run| run.line_w).fold(0.0, f32::max)
}

fn paint(
    on: &mut RgbImage,
    fonts: &mut FontSystem,
    cache: &mut SwashCache,
    line: &Line,
    buffer: &Buffer,
) -> f32 {
    let Rgb(r, g, b) = line.colour;
    let baseline = line.middle + letters::HALF_CAP * buffer.metrics().font_size;
    // Stacked accents may not climb into the neighbours.
    let (top, bottom) = (line.middle - line.size, line.middle + line.size);
    for glyph in glyphs(buffer).filter(|glyph| !is_box(glyph)) {
        let glyph = glyph.physical((line.left, baseline), 1.0);
        cache.with_pixels(fonts, glyph.cache_key, Color::rgb(r, g, b), |x, y, colour| {
            let (x, y) = (glyph.x + x, glyph.y + y);
            if (top..bottom).contains(&(y as f32)) {
                blend(on, x, y, colour);
            }
        });
    }
    width(buffer)
}

fn blend(on: &mut RgbImage, x: i32, y: i32, colour: Color) {
    let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
    let Some(Pixel(under)) = on.get_pixel_mut_checked(x, y) else { return };
    let share = u32::from(colour.a());
    for (under, over) in under.iter_mut().zip([colour.r(), colour.g(), colour.b()]) {
        *under = ((u32::from(over) * share + u32::from(*under) * (255 - share) + 127) / 255) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Rgb = Rgb(255, 255, 255);

    fn line<'a>(text: &'a str, width: f32) -> Line<'a> {
        Line {
            text,
            instead: "Player 1",
            left: 10.0,
            middle: 40.0,
            width,
            size: 40.0,
            weight: Weight::SemiBold,
            colour: INK,
        }
    }

    fn drawn(names: &Names, text: &str, width: f32) -> (f32, RgbImage) {
        let mut image = RgbImage::new(700, 80);
        let wide = names.draw(&mut image, &line(text, width));
        (wide, image)
    }

    fn ink(image: &RgbImage) -> u64 {
        image.as_raw().iter().map(|v| u64::from(*v)).sum()
    }

    #[test]
    fn every_script_that_is_carried_is_shown() {
        let names = Names::carried();
        let (_, instead) = drawn(&names, "Player 1", 600.0);
        for text in ["Anna-Lena Müßig", "Łukasz", "Ольга", "Ελένη", "محمد علي", "אברהם", "🐧🏆", "Bob 👑"]
        {
            let (wide, image) = drawn(&names, text, 600.0);
            assert!(wide > 40.0 && ink(&image) > 10_000, "{text}");
            assert!(image != instead, "{text} is shown, not replaced");
        }
    }

    #[test]
    fn what_no_font_has_is_left_out_and_a_name_of_nothing_replaced() {
        let names = Names::carried();
        assert!(drawn(&names, "李小龍", 600.0) == drawn(&names, "Player 1", 600.0));
        assert!(drawn(&names, "Bob 李", 600.0) == drawn(&names, "Bob", 600.0));
        assert!(drawn(&names, " \n\u{2028} ", 600.0) == drawn(&names, "Player 1", 600.0));
    }

    #[test]
    fn letters_in_fancy_dress_become_plain_where_no_font_has_them() {
        let names = Names::carried();
        assert!(drawn(&names, "x_𝔇𝔞𝔯𝔨_x", 600.0) == drawn(&names, "x_Dark_x", 600.0));
        assert!(drawn(&names, "ﬁｎｅ ①", 600.0).0 > drawn(&names, "fn", 600.0).0);
        assert!(drawn(&names, "𝕭李", 600.0) == drawn(&names, "B", 600.0));
    }

    /// Of these scripts the program carries no font: they are as large as all others together.
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
        let names = Names::carried();
        // Joined letters are narrower than the same letters kept apart.
        let (joined, _) = drawn(&names, "ببب", 600.0);
        let (apart, _) = drawn(&names, "ب\u{200c}ب\u{200c}ب", 600.0);
        assert!(joined < apart * 0.9, "{joined} {apart}");
        // In a line from right to left the first letter stands last: final alef is to the left.
        let (_, ab) = drawn(&names, "אי", 600.0);
        let (_, ba) = drawn(&names, "יא", 600.0);
        let left_half = |image: &RgbImage| {
            image.enumerate_pixels().filter(|(x, ..)| *x < 25).map(|(.., p)| u64::from(p.0[0])).sum::<u64>()
        };
        assert!(left_half(&ba) > left_half(&ab), "wide alef to the left when it is last");
    }

    #[test]
    fn long_names_shrink_then_end_in_an_ellipsis() {
        let names = Names::carried();
        let (free, _) = drawn(&names, "Maximiliane", 600.0);
        let (shrunk, _) = drawn(&names, "Maximiliane", free * 0.9);
        assert!(shrunk <= free * 0.9 + 1.0 && shrunk > free * 0.85, "{free} {shrunk}");
        let (cut, image) = drawn(&names, &"Maximiliane ".repeat(9), 300.0);
        assert!(cut <= 301.0, "{cut}");
        assert!(image.enumerate_pixels().all(|(x, _, p)| x < 314 || p.0 == [0, 0, 0]), "nothing sticks out");
    }
}
