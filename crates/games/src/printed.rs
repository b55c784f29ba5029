//! Pages to print and to play on: the board of a position, a line for each player, whose turn it is, and the goal.

use rookery_core::printed_page::{Layer, PrintedPage};
use rookery_core::scene::{
    Anchor, DrawOptions, Outline, Point, Rgb, Scene, Shape, Style, Theme, Weight, ink, pt,
};
use rookery_core::{GameRules, Play, Seat};

use crate::amoeba::Amoeba;
use crate::paper_penguins::{self, PaperPenguins};
use crate::penguin_soccer::PenguinSoccer;

/// The width and height of a page in units: those of A4 at a fifth of a millimetre a unit.
const PAGE: (f32, f32) = (1_050.0, 1_485.0);
/// The margin at both sides: a board and its coordinates stay within what printers can reach.
const MARGIN: f32 = 60.0;
/// The upper edge of the board.
const TOP: f32 = 140.0;
/// The largest height of a board; below it are the players and the notes.
const MAX_BOARD_HEIGHT: f32 = 1_060.0;
/// The distance between two lines of text.
const LINE: f32 = 36.0;
/// The width and height of an emblem.
const EMBLEM: f32 = 48.0;
/// About how many letters of the notes fit in a line.
const LETTERS_IN_LINE: usize = 70;

/// Where the sheet of Paper Pen-guins says whose turn it is, and about how many letters fit in a line there.
const BESIDE_TITLE: (f32, f32) = (600.0, 84.0);
const LETTERS_BESIDE_TITLE: usize = 22;

/// The themes with light grounds, which need little ink.
const LIGHT_THEMES: [&str; 3] = ["paper", "light", "day"];

static BLACK_ON_WHITE: Theme = Theme {
    name: "print",
    family: "page",
    sides: &[],
    colours: &[("page", Rgb::hex(0xFFFFFF)), ("text", Rgb::hex(0x222222)), ("line", Rgb::hex(0x555555))],
};

/// The words of a page.
#[derive(Clone, Debug)]
pub struct PageWords {
    /// The game's name.
    pub title: String,
    /// The names of the sides, by seat.
    pub sides: Vec<String>,
    /// What is written below: whose turn it is and the points so far, and on another line how one wins.
    pub notes: String,
}

/// The page of a position. Paper Pen-guins has a page of its own, on which it is played with a pencil.
pub fn printed_page(play: &dyn Play, words: &PageWords) -> PrintedPage {
    if let Some(page) = paper_penguins_page(play, words) {
        return page;
    }
    let board = printed_board(play);
    let scale = ((PAGE.0 - 2.0 * MARGIN) / board.width).min(MAX_BOARD_HEIGHT / board.height);
    let bottom = TOP + board.height * scale;
    let at = pt((PAGE.0 - board.width * scale) / 2.0, TOP);
    let mut ground = Scene::new(PAGE.0, PAGE.1, &BLACK_ON_WHITE, "page");
    write(&mut ground, &words.title, pt(MARGIN, 78.0), 52.0, Weight::Bold);
    let rows = write_players(&mut ground, words, bottom + 60.0);
    let notes = words.notes.lines().flat_map(|line| lines_of(line, LETTERS_IN_LINE));
    for (number, text) in notes.enumerate() {
        let y = bottom + 60.0 + 84.0 * rows as f32 + LINE * number as f32;
        write(&mut ground, &text, pt(MARGIN, y), 25.0, Weight::SemiBold);
    }
    let emblems = Seat::all(words.sides.len()).map(|seat| emblem(play, seat, &board, bottom + 60.0));
    let emblems: Vec<Layer> = emblems.collect();
    let layers = std::iter::once(Layer { scene: board, at, scale }).chain(emblems).collect();
    PrintedPage { title: words.title.clone(), ground, layers }
}

/// The board without its last move.
fn printed_board(play: &dyn Play) -> Scene {
    let info = play.info();
    let look = DrawOptions {
        theme: printed_theme(play).to_owned(),
        style: Style::Plain,
        // In grey, the dark and the light pieces of a stack would be too much alike.
        patterns: info.key == Amoeba::INFO.key,
        strip: false,
        ..DrawOptions::from_seat(Seat::FIRST)
    };
    // The compass of Penguin Soccer and its penguins off the ice belong to a full drawing. A game that begins with the
    // position has no last move.
    if info.key == PenguinSoccer::INFO.key
        && let Ok(begun) = PenguinSoccer::from_line(&play.line())
    {
        return PenguinSoccer::scene(&begun, &DrawOptions { style: Style::Full, ..look }, None);
    }
    play.scene(&look)
}

/// A side's emblem, before its name: a printer without colours prints no green or orange.
fn emblem(play: &dyn Play, seat: Seat, board: &Scene, top: f32) -> Layer {
    let stamp = play.emblem(seat);
    let half = stamp.half.0.max(stamp.half.1);
    let mut scene = Scene::new(2.0 * half, 2.0 * half, board.theme, board.ground.0);
    scene.stamp(stamp, pt(half, half));
    let at = place_of(seat.index(), top);
    Layer { scene, at: pt(at.x, at.y - EMBLEM / 2.0), scale: EMBLEM / (2.0 * half) }
}

/// The theme of a printed board, after which its sides are named.
pub fn printed_theme(play: &dyn Play) -> &'static str {
    let themes = crate::named(play.info().key).map_or(&[][..], |game| game.themes());
    themes.iter().map(|theme| theme.name).find(|name| LIGHT_THEMES.contains(name)).unwrap_or_default()
}

fn paper_penguins_page(play: &dyn Play, words: &PageWords) -> Option<PrintedPage> {
    let is_its = play.info().key == PaperPenguins::INFO.key;
    let state = PaperPenguins::from_line(&play.line()).ok().filter(|_| is_its)?;
    let mut ground = paper_penguins::sheet(&state);
    // A new game always begins with the same side, and its sheet is used for the whole game.
    if !state.floe().standing().is_empty() || state.floe().turn() != Seat::FIRST {
        write_stage(&mut ground, &words.notes);
    }
    Some(PrintedPage { title: words.title.clone(), ground, layers: Vec::new() })
}

/// Writes the first line of the notes, which says whose turn it is, beside the title of the sheet of Paper Pen-guins. The reader
/// of photographed sheets expects nothing there, and the sheet itself has the points and the goal.
fn write_stage(sheet: &mut Scene, notes: &str) {
    let lines = notes.lines().next().map(|line| lines_of(line, LETTERS_BESIDE_TITLE)).unwrap_or_default();
    for (number, text) in lines.into_iter().enumerate() {
        let at = pt(BESIDE_TITLE.0, BESIDE_TITLE.1 + LINE * number as f32);
        let outline = Outline::Text { text, at, size: 30.0, weight: Weight::SemiBold, anchor: Anchor::Left };
        sheet.shape(Shape::new(outline).fill(ink("number")));
    }
}

/// Where a player's line begins: two are beside each other.
fn place_of(number: usize, top: f32) -> Point {
    let column = (PAGE.0 - 2.0 * MARGIN) / 2.0;
    pt(MARGIN + column * (number % 2) as f32, top + 84.0 * (number / 2) as f32)
}

/// Writes a side and a line for its player's name, two beside each other; returns how many rows there are.
fn write_players(page: &mut Scene, words: &PageWords, top: f32) -> usize {
    let column = (PAGE.0 - 2.0 * MARGIN) / 2.0;
    for (number, side) in words.sides.iter().enumerate() {
        let Point { x, y } = place_of(number, top);
        write(page, side, pt(x + EMBLEM + 14.0, y), 32.0, Weight::SemiBold);
        let line = Shape::line(pt(x + EMBLEM + 150.0, y + 18.0), pt(x + column - 30.0, y + 18.0));
        page.shape(line.stroke(ink("line"), 2.5));
    }
    words.sides.len().div_ceil(2)
}

fn write(page: &mut Scene, text: &str, at: Point, size: f32, weight: Weight) {
    let outline = Outline::Text { text: text.to_owned(), at, size, weight, anchor: Anchor::Left };
    page.shape(Shape::new(outline).fill(ink("text")));
}

/// Breaks a text into lines of about `letters` at most.
fn lines_of(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;
    use rookery_core::scene::Item;

    fn words(play: &dyn Play) -> PageWords {
        PageWords {
            title: play.info().name.to_owned(),
            sides: play.info().sides.iter().take(play.seats()).map(|side| (*side).to_owned()).collect(),
            notes: format!(
                "White to move.\n{}",
                "Take more than the others do, and do it at once. ".repeat(3)
            ),
        }
    }

    fn texts(scene: &Scene) -> Vec<(String, Point)> {
        let text = |item: &Item| match item {
            Item::Shape(Shape { outline: Outline::Text { text, at, .. }, .. }) => Some((text.clone(), *at)),
            _ => None,
        };
        scene.items.iter().filter_map(text).collect()
    }

    #[test]
    fn every_game_and_number_of_seats_fits_on_its_page() {
        for game in crate::all() {
            for seats in game.info().seats {
                let play = game.start(&Setup::new(*seats).seeded(1)).unwrap();
                let page = printed_page(play.as_ref(), &words(play.as_ref()));
                assert_eq!((page.ground.width, page.ground.height), PAGE);
                for Layer { scene, at, scale } in &page.layers {
                    let (right, bottom) = (at.x + scene.width * scale, at.y + scene.height * scale);
                    assert!(at.x >= MARGIN - 0.1 && right <= PAGE.0 - MARGIN + 0.1, "{}", game.info().key);
                    assert!(bottom < PAGE.1 - MARGIN, "{}", game.info().key);
                }
                // The first layer is the board; emblems are beside the names.
                for Layer { scene, at, scale } in page.layers.iter().take(1) {
                    let bottom = at.y + scene.height * scale;
                    let below = texts(&page.ground).into_iter().skip(1);
                    assert!(below.clone().all(|(_, at)| at.y > bottom + 20.0 && at.y < PAGE.1 - MARGIN));
                    assert!(below.count() > *seats, "the players and the notes");
                    assert!(LIGHT_THEMES.contains(&scene.theme.name), "{}", scene.theme.name);
                }
            }
        }
    }

    fn stamps(page: &PrintedPage) -> Vec<String> {
        let items = page.layers.iter().flat_map(|layer| &layer.scene.items);
        let named = items.filter_map(|item| match item {
            Item::Stamp(stamp, _) => Some(stamp.name.clone()),
            _ => None,
        });
        named.collect()
    }

    #[test]
    fn a_sheet_of_penguin_soccer_has_the_compass_and_the_penguins_off_the_ice() {
        let mut play = crate::named("penguin_soccer").unwrap().start(&Setup::new(2)).unwrap();
        let first = play.moves().remove(0);
        play.play(&first).unwrap();
        let names = stamps(&printed_page(play.as_ref(), &words(play.as_ref())));
        let begin = |start: &str| names.iter().filter(|name| name.starts_with(start)).count();
        assert_eq!(begin("soccer/stash-"), 1, "{names:?}");
        let ground = names.iter().find(|name| name.starts_with("soccer/ground-")).unwrap();
        assert!(!ground.contains("plain"), "the compass is drawn: {ground}");
        let resumed = crate::named("penguin_soccer").unwrap().resume(&play.line()).unwrap();
        let again = stamps(&printed_page(resumed.as_ref(), &words(resumed.as_ref())));
        assert_eq!(names, again, "no last move");
    }

    #[test]
    fn sheets_tell_the_sides_apart_without_colours() {
        for key in ["amazons", "penguins", "amazon_penguins", "penguin_soccer", "amoeba"] {
            let play = crate::named(key).unwrap().start(&Setup::new(2).seeded(1)).unwrap();
            let page = printed_page(play.as_ref(), &words(play.as_ref()));
            let names = stamps(&page);
            for seat in Seat::all(2) {
                assert!(names.contains(&play.emblem(seat).name), "{key}: {names:?}");
            }
        }
        let play = crate::named("amoeba").unwrap().start(&Setup::new(2)).unwrap();
        let board = printed_board(play.as_ref());
        let plain = DrawOptions {
            theme: printed_theme(play.as_ref()).to_owned(),
            style: Style::Plain,
            ..DrawOptions::from_seat(Seat::FIRST)
        };
        assert_ne!(format!("{:?}", board.items), format!("{:?}", play.scene(&plain).items), "patterns");
    }

    #[test]
    fn every_line_of_the_notes_begins_a_line() {
        let play = crate::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
        let page = printed_page(play.as_ref(), &words(play.as_ref()));
        let texts: Vec<String> = texts(&page.ground).into_iter().map(|(text, _)| text).collect();
        assert!(texts.iter().any(|text| text == "White to move."), "{texts:?}");
        assert!(texts.iter().any(|text| text.starts_with("Take more than")), "{texts:?}");
    }

    #[test]
    fn paper_penguins_has_a_page_of_its_own() {
        let game = crate::named("paper_penguins").unwrap();
        let play = game.start(&Setup::new(2).with("layout", "classic")).unwrap();
        let page = printed_page(play.as_ref(), &words(play.as_ref()));
        assert!(page.layers.is_empty() && page.ground.theme.name == "print");
        assert!(texts(&page.ground).iter().all(|(text, _)| !text.contains("to move")), "a new game");
    }

    #[test]
    fn a_sheet_of_a_position_says_whose_turn_it_is() {
        let game = crate::named("paper_penguins").unwrap();
        let play = game.resume("12312/2.123/31231/12.12 a1,c3|b2,e4 1 move 0,0 any:2").unwrap();
        let page = printed_page(play.as_ref(), &words(play.as_ref()));
        let texts = texts(&page.ground);
        assert!(texts.iter().any(|(text, at)| text == "White to move." && at.y < TOP), "{texts:?}");
        assert!(texts.iter().all(|(text, _)| !text.starts_with("Take more")), "the sheet has its own rules");
    }

    #[test]
    fn long_goals_are_broken_at_words() {
        assert_eq!(lines_of("one two three", 8), ["one two", "three"]);
        assert_eq!(lines_of("incomprehensible one", 8), ["incomprehensible", "one"]);
        assert_eq!(lines_of("", 8), [""; 0]);
    }
}
