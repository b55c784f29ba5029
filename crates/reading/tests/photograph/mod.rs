//! Sheets of Paper Pen-guins as people fill them in by hand and photograph them.

mod camera;
mod dice;
mod hand;
mod haste;
mod sensor;

use std::ops::RangeInclusive;

use image::RgbImage;
use rookery_core::rules::Setup;
use rookery_core::scene::{Item, Point, pt};
use rookery_core::{Cell, Play};
use rookery_games::printed::{PageWords, printed_page};
use rookery_reading::content_of;

use camera::Camera;
use dice::Dice;
use hand::{Hand, Paper, Pen};
use haste::Hasty;

/// The width of a sheet in units.
const PAGE: f32 = 1_050.0;

/// How people draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As they usually do.
    Usual,
    /// In a hurry, with other pens.
    Hasty,
}

enum Person {
    Usual(Hand),
    Hasty(Hasty),
}

impl Person {
    fn new(manner: Manner, dice: &mut Dice) -> Person {
        match manner {
            Manner::Usual => Person::Usual(Hand::new(dice)),
            Manner::Hasty => Person::Hasty(Hasty::new(dice)),
        }
    }

    fn pen(&mut self) -> &mut Pen {
        match self {
            Person::Usual(hand) => &mut hand.pen,
            Person::Hasty(hasty) => &mut hasty.pen,
        }
    }

    fn mark(&self, paper: &mut Paper, seat: usize, at: Point, cell: f32, dice: &mut Dice) {
        match self {
            Person::Usual(hand) => hand.mark(paper, seat, at, cell, dice),
            Person::Hasty(hasty) => hasty.mark(paper, seat, at, cell, dice),
        }
    }

    fn cross(&self, paper: &mut Paper, at: Point, cell: f32, dice: &mut Dice) {
        match self {
            Person::Usual(hand) => hand.cross(paper, at, cell, dice),
            Person::Hasty(hasty) => hasty.cross(paper, at, cell, dice),
        }
    }

    fn score(&self, paper: &mut Paper, at: Point, dice: &mut Dice) {
        match self {
            Person::Usual(hand) => hand.score(paper, at, dice),
            Person::Hasty(hasty) => hasty.score(paper, at, dice),
        }
    }
}

/// A photograph of a sheet, and what it shows.
pub(crate) struct Photograph {
    pub(crate) image: RgbImage,
    pub(crate) play: Box<dyn Play>,
    pub(crate) how: String,
}

impl Photograph {
    /// The cells of a reading that are wrong, each with what was read and what is there; all, if its board is another.
    pub(crate) fn wrong_cells(&self, read: &dyn Play) -> Vec<(Cell, String)> {
        let there = self.play.as_ref();
        let all = there.board().cells();
        if read.board().shape() != there.board().shape() {
            return all.map(|cell| (cell, format!("a board of {:?}", read.board().shape()))).collect();
        }
        let difference = |cell: Cell| {
            let (read, there) = (content_of(read, cell), content_of(there, cell));
            (read != there)
                .then(|| (cell, format!("{} {read:?} for {there:?}", self.play.board().name(cell))))
        };
        all.filter_map(difference).collect()
    }
}

/// Plays a random game on a sheet, partly before it was printed and partly by hand, and photographs it; all by a seed. The
/// sheet is `heights` pixels high.
pub(crate) fn photographed(seed: u64, heights: RangeInclusive<f32>, manner: Manner) -> Photograph {
    let mut dice = Dice::new(seed);
    let (mut play, size) = started(&mut dice, seed);
    let played = [0, 0, dice.below(40)][dice.below(3)];
    advance(&mut play, played, &mut dice, |_, _| {});
    let camera = Camera::new(heights, &mut dice);
    // Sheets that were printed before they said whose turn it is are read too.
    let notes = if seed.is_multiple_of(2) { "Circle to move." } else { "" };
    let words = PageWords { title: String::new(), sides: vec![String::new(); 2], notes: notes.to_owned() };
    let scene = printed_page(play.as_ref(), &words).ground;
    let printed = rookery_render::render(&scene, (PAGE * camera.scale()) as u32).to_image();
    let centres = centres(play.as_ref());
    let mut paper = Paper::new(printed, camera.scale());
    let mut people = [Person::new(manner, &mut dice), Person::new(manner, &mut dice)];
    if dice.below(2) == 0 {
        // One pen for both.
        *people[1].pen() = *people[0].pen();
    }
    let names = people.each_mut().map(|person| person.pen().name).join(" and ");
    let most = dice.below(70);
    let cell = centres.cell;
    advance(&mut play, most, &mut dice, |play, dice| {
        let text = play.record().pop().unwrap_or_default();
        let mover = play.movers().pop().map_or(0, |seat| seat.index());
        let at = |name: &str| play.board().named(name).map(|cell| centres.all[cell.index()]);
        let person = &people[mover];
        let mut steps = text.split('-').filter_map(at);
        let (first, second) = (steps.next(), steps.next());
        if let (Some(left), Some(_)) = (first, second) {
            person.cross(&mut paper, left, cell, dice);
        }
        if let Some(to) = second.or(first) {
            person.mark(&mut paper, mover, to, cell, dice);
        }
    });
    for (n, person) in people.iter().enumerate() {
        person.score(&mut paper, pt(150.0 + 470.0 * n as f32, 1_258.0), &mut dice);
    }
    let sheet = paper.finished();
    let image = camera.photograph(&sheet, &mut dice);
    let how = format!(
        "{size}, {}x{} pixels, {camera}, {names}, {played} printed and {} drawn moves",
        image.width(),
        image.height(),
        play.ply() - play.ply().min(played)
    );
    Photograph { image, play, how }
}

/// A new game on a board of any size, small and large ones seldom.
fn started(dice: &mut Dice, seed: u64) -> (Box<dyn Play>, String) {
    let size = match dice.below(8) {
        0..3 => "8x8".to_owned(),
        3 => "6x6".to_owned(),
        4 => "10x10".to_owned(),
        _ => format!("{}x{}", 3 + dice.below(10), 3 + dice.below(10)),
    };
    let (columns, rows) = size.split_once('x').expect("a size");
    let cells = columns.parse::<usize>().expect("columns") * rows.parse::<usize>().expect("rows");
    let pieces = 1 + dice.below(4.min(cells / 6));
    let setup = Setup::new(2).with("size", &size).with("pieces", &pieces.to_string()).seeded(seed);
    let game = rookery_games::named("paper_penguins").expect("the game");
    (game.start(&setup).expect("a start"), size)
}

/// Plays up to `most` random moves, and calls `after` after each.
fn advance(
    play: &mut Box<dyn Play>,
    most: usize,
    dice: &mut Dice,
    mut after: impl FnMut(&dyn Play, &mut Dice),
) {
    for _ in 0..most {
        if play.outcome().is_some() {
            return;
        }
        let moves = play.moves();
        play.play(&moves[dice.below(moves.len())]).expect("a legal move");
        after(play.as_ref(), dice);
    }
}

/// Where the cells of a sheet are, in units.
struct Centres {
    all: Vec<Point>,
    cell: f32,
}

/// The places of the numbers on a new sheet of the same size, on which each cell has one.
fn centres(play: &dyn Play) -> Centres {
    let words = PageWords { title: String::new(), sides: vec![String::new(); 2], notes: String::new() };
    let page = printed_page(play.at_ply(0).as_ref(), &words).ground;
    let number = |item: &Item| match item {
        Item::Stamp(stamp, at) if stamp.name.contains("/number-") => Some(*at),
        _ => None,
    };
    let all: Vec<Point> = page.items.iter().filter_map(number).collect();
    let cell = all[1].x - all[0].x;
    Centres { all, cell }
}
