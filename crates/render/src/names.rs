//! Lines of text in any script: shaped, right to left if the script is, with a fallback font for each letter, and never
//! a box for a missing letter.
//!
//! For names of people on share cards. Boards use `lettering`, which is faster.

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

use super::lettering;
use rookery_core::scene::{Rgb, Weight};

const ARABIC: &[u8] = include_bytes!("../../../fonts/NotoSansArabic-SemiBold.ttf");
const HEBREW: &[u8] = include_bytes!("../../../fonts/NotoSansHebrew-SemiBold.ttf");
const EMOJI: &[u8] = include_bytes!("../../../fonts/NotoEmoji-SemiBold.ttf");

/// The available fonts, and the cache of drawn names. Cheap to clone; clones share both.
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

/// A line of text and its position in pixels.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// The text. Line breaks count as spaces.
    pub(super) text: &'a str,
    /// The fallback if no font has any of its characters.
    pub(super) fallback_text: &'a str,
    /// The left end, regardless of the text's direction.
    pub(super) left: f32,
    /// The middle of the capitals: of the first row, or of all rows together.
    pub(super) middle: f32,
    /// The maximum width: a longer text shrinks, then takes more rows, then ends in an ellipsis.
    pub(super) width: f32,
    pub(super) size: f32,
    /// How far a single row may shrink, as a fraction of the size (1: not at all).
    pub(super) least: f32,
    /// The maximum number of rows.
    pub(super) rows: Rows,
    pub(super) weight: Weight,
    pub(super) colour: Rgb,
}

/// The maximum number of rows of a line, at least 1, and their placement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rows {
    /// Further rows are below the first.
    Down(usize),
    /// The rows are centred on the line's middle.
    Centred(usize),
}

impl Rows {
    fn most(self) -> usize {
        let (Rows::Down(most) | Rows::Centred(most)) = self;
        most
    }
}

/// How far a name may shrink in one row.
pub(super) const SHRUNK: f32 = 0.6;
/// The sizes that are tried in several rows, as fractions of the full size.
const SMALLER: [f32; 4] = [1.0, 0.8, 0.7, SHRUNK];
/// The distance between rows, as a multiple of the font size.
pub(super) const LEADING: f32 = 1.3;

impl Names {
    /// With the embedded fonts: Latin, Greek, Cyrillic, Arabic, Hebrew and emoji.
    #[must_use]
    pub fn embedded() -> Names {
        Names::of(embedded())
    }

    /// With those, the system's fonts and those in `folders`. The search takes some milliseconds; missing folders are
    /// skipped.
    pub fn found(folders: impl IntoIterator<Item = impl AsRef<Path>>) -> Names {
        let mut fonts = embedded();
        fonts.load_system_fonts();
        for folder in folders {
            fonts.load_fonts_dir(folder);
        }
        Names::of(fonts)
    }

    fn of(fonts: Database) -> Names {
        // The locale only affects the shapes of Chinese characters if nothing else determines them.
        let fonts = FontSystem::new_with_locale_and_db_and_fallback("en".to_owned(), fonts, FallbackFonts);
        Names { inner: Arc::new(Mutex::new(Inner { fonts, glyphs: SwashCache::new() })) }
    }

    /// Whether a font has every character of a text.
    pub fn shows(&self, text: &str) -> bool {
        let line = Line {
            text,
            fallback_text: "",
            left: 0.0,
            middle: 0.0,
            width: f32::MAX,
            size: 16.0,
            least: 1.0,
            rows: Rows::Down(1),
            weight: Weight::SemiBold,
            colour: Rgb(0, 0, 0),
        };
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        unshowable_parts(&mut inner.fonts, &line, text).is_empty()
    }

    /// Draws a line. Returns the width and height of its rows in pixels.
    pub(super) fn draw(&self, on: &mut RgbImage, line: &Line) -> (f32, f32) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { fonts, glyphs } = &mut *inner;
        let text = showable(fonts, line);
        let text = directed(fonts, line, text);
        let buffer = fitted(fonts, line, &text);
        paint(on, fonts, glyphs, line, &buffer)
    }
}

fn embedded() -> Database {
    let mut fonts = Database::new();
    for data in [lettering::SEMI_BOLD, lettering::BOLD, ARABIC, HEBREW, EMOJI] {
        fonts.load_font_source(Source::Binary(Arc::new(data)));
    }
    fonts
}

/// Fallback font families for characters that Inter lacks, after the usual ones for the script.
struct FallbackFonts;

impl Fallback for FallbackFonts {
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

/// The text without the parts that no font can show, either as such or as the plain letters that they stand for (`𝔇`
/// for D); the fallback text if nothing is left.
fn showable(fonts: &mut FontSystem, line: &Line) -> String {
    let text: String = line.text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect();
    let nfkc = ComposingNormalizerBorrowed::new_nfkc();
    let plain = replaced(fonts, line, text.trim(), |lost| nfkc.normalize(lost).into_owned());
    let kept = replaced(fonts, line, &plain, |_| String::new());
    if kept.trim().is_empty() { line.fallback_text.to_owned() } else { kept.trim().to_owned() }
}

/// Replaces each part of the text that no font can show.
fn replaced(fonts: &mut FontSystem, line: &Line, text: &str, by: impl Fn(&str) -> String) -> String {
    let (mut new, mut end) = (String::new(), 0);
    for range in unshowable_parts(fonts, line, text) {
        if range.start >= end {
            new += &text[end..range.start];
            new += &by(&text[range.clone()]);
            end = range.end;
        }
    }
    new + &text[end..]
}

/// The parts of a text that no font can show, in order.
fn unshowable_parts(fonts: &mut FontSystem, line: &Line, text: &str) -> Vec<Range<usize>> {
    let shaped = shape(fonts, line, text, line.size, Fit::Free);
    let shown: HashSet<usize> = glyphs(&shaped).filter(|glyph| !is_box(glyph)).map(|g| g.start).collect();
    let lost = glyphs(&shaped).filter(|glyph| !shown.contains(&glyph.start));
    let mut lost: Vec<_> = lost.map(|glyph| glyph.start..glyph.end).collect();
    lost.sort_by_key(|range| range.start);
    lost
}

/// Fonts show glyph 0 for missing characters. Marks that join or separate letters may have it too, beside the letter's
/// own glyph; they are not painted either.
fn is_box(glyph: &LayoutGlyph) -> bool {
    glyph.glyph_id == 0
}

fn is_break(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Prepends a direction mark to a right-to-left text that does not begin with a letter: without it the leading numbers
/// and signs are not laid out.
fn directed(fonts: &mut FontSystem, line: &Line, text: String) -> String {
    let free = shape(fonts, line, &text, line.size, Fit::Free);
    let is_rtl = free.layout_runs().next().is_some_and(|run| run.rtl);
    if is_rtl && !text.starts_with(char::is_alphabetic) { format!("\u{200f}{text}") } else { text }
}

/// How a text is fitted.
#[derive(Clone, Copy)]
enum Fit {
    /// In one row of any width.
    Free,
    /// In any number of rows of the line's width.
    Wrapped,
    /// In at most the line's maximum number of rows; the rest is cut off.
    Cut,
}

/// The text at the largest size at which it fits: in one row if possible, cut off if it fits at no size.
fn fitted(fonts: &mut FontSystem, line: &Line, text: &str) -> Buffer {
    let free = shape(fonts, line, text, line.size, Fit::Free);
    let share = line.width / width(&free).max(1.0);
    if share >= 1.0 {
        return free;
    }
    if share >= line.least {
        // No width limit: a limit equal to the text's width would cut it if rounding differs.
        let shrunk = shape(fonts, line, text, line.size * share, Fit::Free);
        if width(&shrunk) <= line.width + 1.0 {
            return shrunk;
        }
    }
    let most = line.rows.most();
    for share in SMALLER.into_iter().filter(|_| most > 1) {
        let wrapped = shape(fonts, line, text, line.size * share, Fit::Wrapped);
        if wrapped.layout_runs().count() <= most {
            return wrapped;
        }
    }
    shape(fonts, line, text, line.size * SHRUNK, Fit::Cut)
}

fn shape(fonts: &mut FontSystem, line: &Line, text: &str, size: f32, fit: Fit) -> Buffer {
    let mut buffer = Buffer::new_empty(Metrics::new(size, size * LEADING));
    let most = line.rows.most();
    buffer.set_wrap(match fit {
        Fit::Wrapped => Wrap::WordOrGlyph,
        Fit::Cut if most > 1 => Wrap::WordOrGlyph,
        Fit::Free | Fit::Cut => Wrap::None,
    });
    if matches!(fit, Fit::Cut) {
        buffer.set_ellipsize(Ellipsize::End(EllipsizeHeightLimit::Lines(most)));
    }
    buffer.set_size((!matches!(fit, Fit::Free)).then_some(line.width), None);
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
) -> (f32, f32) {
    let Rgb(r, g, b) = line.colour;
    let Metrics { font_size, line_height } = buffer.metrics();
    let rows = buffer.layout_runs().count();
    let first = match line.rows {
        Rows::Down(_) => line.middle,
        Rows::Centred(_) => line.middle - line_height * (rows.max(1) - 1) as f32 / 2.0,
    };
    for (n, row) in buffer.layout_runs().enumerate() {
        let middle = first + line_height * n as f32;
        let baseline = middle + lettering::HALF_CAP * font_size;
        // Stacked accents must not reach into the adjacent rows.
        let reach = if rows > 1 { line_height * 0.75 } else { line.size };
        let (top, bottom) = (middle - reach, middle + reach);
        let left = line.left - indent(row.text, row.glyphs);
        for glyph in row.glyphs.iter().filter(|glyph| !is_box(glyph)) {
            let glyph = glyph.physical((left, baseline), 1.0);
            cache.with_pixels(fonts, glyph.cache_key, Color::rgb(r, g, b), |x, y, colour| {
                let (x, y) = (glyph.x + x, glyph.y + y);
                if (top..bottom).contains(&(y as f32)) {
                    blend(on, x, y, colour);
                }
            });
        }
    }
    (width(buffer), line_height * rows as f32)
}

/// The width of the spaces at the start of a row: a cut row keeps the spaces after which the previous one ended.
fn indent(text: &str, row: &[LayoutGlyph]) -> f32 {
    let is_space =
        |glyph: &&LayoutGlyph| text.get(glyph.start..glyph.end).is_some_and(|t| t.trim().is_empty());
    let seen = row.iter().filter(|glyph| !is_space(glyph)).map(|glyph| glyph.x);
    seen.reduce(f32::min).unwrap_or(0.0)
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
mod tests;
