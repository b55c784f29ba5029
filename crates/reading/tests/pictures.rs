//! Pictures of boards are read, and others are refused.

#![allow(clippy::unwrap_used)]

mod spoil;

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, imageops};
use rookery_core::rules::Setup;
use rookery_core::scene::{DrawOptions, Style};
use rookery_core::{Cell, Play, PositionEdit, Seat};
use rookery_reading::{ReadError, Reader, Reading, unpack};

/// Pictures of each game. The example `read_spoiled` tries any number.
const PICTURES: u64 = 4;

fn reader() -> Reader {
    static READER: std::sync::LazyLock<Reader> = std::sync::LazyLock::new(Reader::new);
    READER.clone()
}

/// Pictures in all sizes, qualities and surroundings are read without a question.
fn read_pictures(game: &str) {
    // Its own, since it keeps the drawings of one game at a time.
    let reader = Reader::new();
    for seed in 0..PICTURES {
        let picture = spoil::spoiled(game, seed);
        let outcome = picture.outcome(reader.read(&picture.image).ok().as_ref());
        assert_eq!(outcome, spoil::Outcome::Right, "{game} {seed}, {}", picture.how);
    }
}

#[test]
fn pictures_of_amazons_are_read() {
    read_pictures("amazons");
}

#[test]
fn pictures_of_penguins_are_read() {
    read_pictures("penguins");
}

#[test]
fn pictures_of_amazon_penguins_are_read() {
    read_pictures("amazon_penguins");
}

#[test]
fn pictures_of_paper_penguins_are_read() {
    read_pictures("paper_penguins");
}

#[test]
fn pictures_of_penguin_soccer_are_read() {
    read_pictures("penguin_soccer");
}

#[test]
fn pictures_of_amoeba_are_read() {
    read_pictures("amoeba");
}

/// Threads that read at once with a reader that knows nothing yet make the same drawings. None waits for ever for another, and
/// all read what one alone does.
#[test]
fn several_pictures_are_read_at_once() {
    let reader = Reader::new();
    let pictures = ["amazons", "penguin_soccer"].map(|game| spoil::spoiled(game, 0).image);
    let read = |image: &RgbImage| reader.read(image).map(|reading| reading.play.text_board());
    let at_once = std::thread::scope(|scope| {
        let threads: Vec<_> =
            pictures.iter().cycle().take(4).map(|image| scope.spawn(|| read(image))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a reading")).collect::<Vec<_>>()
    });
    let alone = pictures.each_ref().map(read);
    assert!(alone[0].is_ok(), "the picture of Amazons is read");
    for (read, alone) in at_once.iter().zip(alone.iter().cycle()) {
        assert_eq!(read, alone);
    }
}

/// Photographs of a screen, from an angle and in other light: some are read, and none is read wrongly without a question.
#[test]
fn photographs_of_screens_are_read() {
    let mut read = 0;
    for game in ["amazons", "penguins", "paper_penguins", "penguin_soccer"] {
        let all = (300..).map(|seed| spoil::wide::spoiled_widely(game, seed));
        let photographs = all.filter(|it| it.around == spoil::Around::Screen);
        for picture in photographs.take(2) {
            let outcome = picture.outcome(reader().read(&picture.image).ok().as_ref());
            assert_ne!(outcome, spoil::Outcome::Wrong, "{}", picture.how);
            read += usize::from(outcome == spoil::Outcome::Right);
        }
    }
    assert!(read >= 4, "{read} of 8");
}

/// Photographs of screens that were refused once.
#[test]
fn photographs_in_all_looks_are_read() {
    for (game, seed, look) in [
        ("amazons", 30017, "Full with patterns, from seat 2"),
        ("penguins", 30004, "light Large"),
        ("amazon_penguins", 30001, "contrast Full"),
        ("amazon_penguins", 30012, "deep Large"),
        ("amazon_penguins", 97013, "ice Full with patterns"),
        ("penguins", 97010, "contrast Full with patterns"),
        ("paper_penguins", 102018, "paper Plain"),
        ("amazons", 105022, "paper Full"),
        ("penguins", 97006, "deep Full"),
        ("amoeba", 102023, "paper Plain with patterns"),
    ] {
        let spoil::Spoiled { image, play, how, .. } = spoil::wide::spoiled_widely(game, seed);
        assert!(how.contains(look), "{how}");
        let reading = reader().read(&image).unwrap_or_else(|why| panic!("{how}: {why}"));
        assert_eq!(reading.play.text_board(), play.text_board(), "{how}");
    }
}

/// Drawings that were refused once: most of what is around the cells is cut off, and with it the letters.
#[test]
fn cropped_drawings_are_read() {
    for (game, seed, look) in [
        ("amazon_penguins", 70_021, "ice Plain from seat Seat(1), x0.49, Cropped"),
        ("amazon_penguins", 70_025, "ice Plain from seat Seat(0), x0.80, Cropped"),
        ("paper_penguins", 60_197, "contrast Plain from seat Seat(1), x0.80, Cropped"),
        ("paper_penguins", 60_328, "contrast Plain from seat Seat(1), x1.15, Cropped"),
    ] {
        read_without_question(game, seed, look);
    }
}

/// Drawings that were read wrongly without a question: the board turned out to be a little beside where its cells had been looked for,
/// or it was taken for one of a third player without penguins.
#[test]
fn boards_that_are_beside_their_first_place_are_read() {
    for (seed, look) in [
        (97_051, "ice Large from seat Seat(1), x0.46, Turned"),
        (99_190, "light Large from seat Seat(0), x0.41, Cropped"),
        (60_224, "light Plain from seat Seat(0), x0.33, Turned"),
    ] {
        let (reading, play) = read_without_question("penguins", seed, look);
        assert_eq!(reading.play.seats(), play.seats(), "{look}");
    }
}

/// Reads a drawing that was spoiled in this way; returns the game that was drawn, too.
fn read_without_question(game: &str, seed: u64, look: &str) -> (Reading, Box<dyn Play>) {
    let spoil::Spoiled { image, play, how, .. } = spoil::spoiled(game, seed);
    assert!(how.contains(look), "{how}");
    let reading = reader().read(&image).unwrap_or_else(|why| panic!("{how}: {why}"));
    assert_eq!(reading.play.text_board(), play.text_board(), "{how}");
    assert!(reading.unclear.is_empty(), "{how}: {:?}", reading.unclear);
    (reading, play)
}

/// Drawings that were refused or asked about once: the piece covers most of the mark where the last move ended, a ring hides a part of
/// the stack that moved, or points that were taken for letters told the wrong end.
#[test]
fn drawings_with_marks_and_points_are_read() {
    for (game, seed, look) in [
        ("amazons", 90_276, "contrast Large from seat Seat(0), x0.80, Nothing"),
        ("amazons", 90_239, "contrast Full from seat Seat(1), x1.15, Cropped"),
        ("amoeba", 90_009, "slate Full from seat Seat(0), x1.05, Chat"),
        ("amoeba", 90_010, "slate Full from seat Seat(1), x0.53, Nothing"),
        ("amazon_penguins", 90_060, "light Full from seat Seat(0), x0.63, Chat"),
        ("amazon_penguins", 90_281, "light Full from seat Seat(0), x1.03, Turned"),
    ] {
        let (reading, play) = read_without_question(game, seed, look);
        assert!(reading.is_turn_shown && reading.play.turn() == play.turn(), "{game} {seed}");
    }
}

/// Whose turn it is is read from the last move or from the mark of the player to move; plain boards show neither.
#[test]
fn whose_turn_it_is_is_read() {
    for (game, seats) in
        rookery_games::all().iter().flat_map(|game| game.info().seats.iter().map(move |seats| (game, *seats)))
    {
        let mut play = game.start(&Setup::new(seats).seeded(7)).unwrap();
        for turn in 0..14 {
            let moves = play.moves();
            play.play(&moves[turn * 7 % moves.len()]).unwrap();
            if turn < 12 {
                continue;
            }
            for style in [Style::Full, Style::Plain] {
                let look = DrawOptions { style, ..DrawOptions::from_seat(Seat::FIRST) };
                let image = rookery_render::render(&play.scene(&look), 600).to_image();
                let reading = reader().read(&image).unwrap();
                let case = format!("{} {style:?}: {}", game.info().key, play.line());
                assert_eq!(reading.is_turn_shown, style == Style::Full, "{case}");
                assert!(!reading.is_turn_shown || reading.play.turn() == play.turn(), "{case}");
            }
        }
    }
}

/// The numbers above the board are read, in games that have some; plain boards show none.
#[test]
fn points_and_tiles_are_read() {
    for (game, seats) in
        rookery_games::all().iter().flat_map(|game| game.info().seats.iter().map(move |seats| (game, *seats)))
    {
        let mut play = game.start(&Setup::new(seats).seeded(3)).unwrap();
        let has_points = play.scores().is_some() && play.info().key != "amoeba";
        for turn in 0..28 {
            if [0, 9, 21, 27].contains(&turn) {
                for style in [Style::Full, Style::Plain] {
                    let look = DrawOptions { style, ..DrawOptions::from_seat(Seat::FIRST) };
                    let image = rookery_render::render(&play.scene(&look), 600).to_image();
                    let reading = reader().read(&image).unwrap();
                    let case = format!("{} {style:?}: {}", game.info().key, play.line());
                    assert_eq!(reading.are_points_shown, has_points && style == Style::Full, "{case}");
                    assert!(!reading.are_points_shown || reading.play.scores() == play.scores(), "{case}");
                }
            }
            let moves = play.moves();
            let Some(choice) = moves.get(turn * 7 % moves.len().max(1)) else { break };
            play.play(choice).unwrap();
        }
    }
}

/// A position may be set up with any points, also with more than its board can have given.
#[test]
fn numbers_that_the_board_can_not_have_given_are_not_read() {
    let start = rookery_games::named("penguins").unwrap().start(&Setup::new(2)).unwrap();
    let points = |points| start.edited(&PositionEdit::Points { seat: Seat::FIRST, points }).unwrap();
    for (number, is_read) in [(7, true), (12, false), (128, false)] {
        let play = points(number);
        let image = rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 600).to_image();
        let reading = reader().read(&image).unwrap();
        assert_eq!(reading.are_points_shown, is_read, "{number}");
        assert!(!is_read || reading.play.scores() == play.scores(), "{number}");
    }
}

/// A player who resigns has no turn any more, and may have fewer penguins than the others, or none. A position in which penguins are
/// missing goes on with placing them, whatever the picture says about the turn.
#[test]
fn boards_with_a_player_who_resigned_are_read() {
    for (seats, resigned_at, all_placed) in
        [(3, 1, false), (3, 4, false), (3, 10, true), (4, 2, false), (4, 7, false), (4, 14, true)]
    {
        let mut play = rookery_games::named("penguins").unwrap().start(&Setup::new(seats).seeded(9)).unwrap();
        for turn in 0..26 {
            if turn == resigned_at {
                play.retire(play.turn());
            }
            let moves = play.moves();
            play.play(&moves[turn * 7 % moves.len()]).unwrap();
        }
        let image = rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 700).to_image();
        let reading = reader().read(&image).unwrap();
        let case = format!("{seats} {resigned_at}: {} and {}", play.line(), reading.play.line());
        assert_eq!(reading.play.text_board(), play.text_board(), "{case}");
        if all_placed {
            assert!(reading.unclear.is_empty(), "{case}");
            assert!(reading.is_turn_shown && reading.play.turn() == play.turn(), "{case}");
            // On boards for four the numbers of tiles are small, and some aren't clear.
            assert!(reading.are_points_shown || seats == 4, "{case}");
            assert!(!reading.are_points_shown || reading.play.scores() == play.scores(), "{case}");
        }
    }
}

/// The last move left a tile of one fish, which is gone. It is taken for one of two, like the tile where it went, but the points say
/// that it had one.
#[test]
fn points_count_more_than_a_guess_about_the_last_move() {
    let (reading, play) =
        read_without_question("penguins", 60_141, "deep Full from seat Seat(1), x0.79, Chat");
    assert!(reading.are_points_shown && reading.is_turn_shown);
    assert_eq!((reading.play.scores(), reading.play.turn()), (play.scores(), play.turn()));
}

/// A plain board, turned and cut: a few pixels where a mark would begin look like one.
#[test]
fn a_turn_is_not_read_where_its_mark_is_cut_off() {
    let picture = spoil::spoiled("penguins", 96_051);
    let reading = reader().read(&picture.image).unwrap();
    assert!(!reading.is_turn_shown, "{}", picture.how);
    assert_eq!(reading.play.text_board(), picture.play.text_board());
}

/// The drawing of a position after some moves, 600 pixels wide.
fn drawn(game: &str, line: &str, moves: &[&str], side: Seat) -> RgbImage {
    let mut play = rookery_games::named(game).unwrap().resume(line).unwrap();
    for text in moves {
        play.play(text).unwrap();
    }
    rookery_render::render(&play.scene(&DrawOptions::from_seat(side)), 600).to_image()
}

fn amazons() -> RgbImage {
    drawn("amazons", "5Q/2q3/*5/6/3Q2/**4 w - - 0 7", &[], Seat::FIRST)
}

fn line(reading: Result<Reading, ReadError>) -> String {
    reading.map(|reading| reading.play.line()).unwrap()
}

/// A page shows letters and numbers in the browser's own font. Here they are bolder than they are drawn.
#[test]
fn a_board_with_other_letters_around_it_is_read() {
    let play = rookery_games::named("amazons").unwrap();
    let play = play.resume("3q2q3/10/10/q8q/10/9Q/Q8*/10/10/3Q2Q3 b - - 0 2").unwrap();
    let (theme, style) = ("contrast".to_owned(), Style::Large);
    let options = DrawOptions { theme, style, strip: false, ..DrawOptions::from_seat(Seat::FIRST) };
    let drawn = rookery_render::render(&play.scene(&options), 700).to_image();
    let is_around = |x: u32, y: u32| [x, y].iter().any(|at| !(42..658).contains(at));
    let lightest = |x: u32, y: u32| {
        let near = |at: u32, size: u32| at.saturating_sub(1)..(at + 2).min(size);
        let pixels = near(y, drawn.height()).flat_map(|y| near(x, 700).map(move |x| (x, y)));
        pixels
            .filter(|(x, y)| is_around(*x, *y))
            .map(|(x, y)| *drawn.get_pixel(x, y))
            .max_by_key(|it| it.0[0])
    };
    let image = RgbImage::from_fn(700, drawn.height(), |x, y| {
        let lightest = if is_around(x, y) { lightest(x, y) } else { None };
        lightest.unwrap_or(*drawn.get_pixel(x, y))
    });
    let reading = reader().read(&image).unwrap();
    assert_eq!(reading.play.text_board(), play.text_board());
    assert!(reading.unclear.is_empty(), "{:?}", reading.unclear);
}

/// Draws a frame as the page has it around a cell of a board of 10x10, in a drawing of 700 pixels in large print.
fn frame(image: &mut RgbImage, (col, row): (u8, u8), colour: Rgb<u8>) {
    let cell = 616.0 / 10.0;
    let (left, top) = (42.0 + f32::from(col) * cell, 42.0 + f32::from(9 - row) * cell);
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        let [x, y] = [x as f32 + 0.5 - left, y as f32 + 0.5 - top];
        let is_within = |inset: f32| [x, y].iter().all(|at| (inset..=cell - inset).contains(at));
        if is_within(cell * 0.01) && !is_within(cell * 0.07) {
            *pixel = colour;
        }
    }
}

/// A page has frames around the pieces that can move.
#[test]
fn framed_pieces_are_read() {
    let play = rookery_games::named("amazons").unwrap();
    let play = play.resume("3q2q3/10/10/q8q/10/9Q/Q8*/10/10/3Q2Q3 b - - 0 2").unwrap();
    for theme in ["contrast", "walnut", "slate"] {
        let (theme_name, style) = (theme.to_owned(), Style::Large);
        let options =
            DrawOptions { theme: theme_name, style, strip: false, ..DrawOptions::from_seat(Seat::FIRST) };
        let mut image = rookery_render::render(&play.scene(&options), 700).to_image();
        for cell in ["d10", "g10", "a7", "j7"] {
            frame(&mut image, play.board().place(play.board().named(cell).unwrap()), Rgb([255, 197, 61]));
        }
        let reading = reader().read(&image).unwrap();
        assert_eq!(reading.play.text_board(), play.text_board(), "{theme}");
        assert!(reading.unclear.is_empty(), "{theme}: {:?}", reading.unclear);
    }
}

#[test]
fn a_drawing_is_read_as_it_is() {
    assert!(line(reader().read(&amazons())).starts_with("5Q/2q3/*5/6/3Q2/**4 "));
}

/// Beside the marks of a last move, in both orientations.
#[test]
fn penguins_and_the_ball_are_read() {
    for (start, last, read) in [
        ("-,-,-|-,-,- - 1", None, "-,-,-|-,-,- - "),
        ("c3NE,-,a1U|h8S,f3U,- d6 1", Some("c3NE."), "f6NE,-,a1U|h8S,f3U,- d6 "),
        ("c3U,e5U,-|-,d7S,- e5 1", Some("e5SW"), "c3U,e5SW,-|-,d7S,- c3 "),
        ("b5E,-,f5U|d5U,e5N,- d5 1", Some("b5E."), "d5U,-,g5E|e5E,f5E,- d5 "),
        ("c3NE,c4SW,d3W|d6U,e6NW,g2E d6 1", Some("c3U"), "c3U,c4SW,d3W|d6U,e6NW,g2E d6 "),
    ] {
        for side in [Seat::FIRST, Seat::SECOND] {
            let reading = reader().read(&drawn("penguin_soccer", start, last.as_slice(), side)).unwrap();
            assert!(reading.play.line().starts_with(read), "{} is {read}", reading.play.line());
            assert!(reading.unclear.is_empty(), "{read} {:?}", reading.unclear);
        }
    }
}

/// Four families have other Homes, and penguins in colours that two don't have. Each of them sees its own Home below.
#[test]
fn four_families_are_read_from_all_sides() {
    let line = "c3NE,-,-|b6U,-,-|-,f6S,-|g2U,-,- d4 1";
    for side in Seat::all(4) {
        let reading = reader().read(&drawn("penguin_soccer", line, &[], side)).unwrap();
        assert_eq!((reading.play.line().as_str(), reading.unclear), (line, Vec::new()), "{side:?}");
    }
}

/// The points beside the board and the penguins say how many play.
#[test]
fn penguins_of_three_and_four_are_read() {
    let game = rookery_games::named("penguins").unwrap();
    for seats in [3, 4] {
        let mut play = game.start(&Setup::new(seats).seeded(5)).unwrap();
        for _ in 0..11 {
            let first = play.moves().swap_remove(0);
            play.play(&first).unwrap();
        }
        let image = rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 600).to_image();
        let reading = reader().read(&image).unwrap();
        assert_eq!((reading.play.seats(), reading.unclear), (seats, Vec::new()));
        assert_eq!(reading.play.text_board(), play.text_board());
    }
}

/// A plain board has no points, so its penguins alone say how many play.
#[test]
fn plain_penguins_of_three_are_read() {
    let mut play = rookery_games::named("penguins").unwrap().start(&Setup::new(3).seeded(5)).unwrap();
    for _ in 0..14 {
        let first = play.moves().swap_remove(0);
        play.play(&first).unwrap();
    }
    let look = DrawOptions { style: Style::Plain, ..DrawOptions::from_seat(Seat::FIRST) };
    let reading = reader().read(&rookery_render::render(&play.scene(&look), 600).to_image()).unwrap();
    assert_eq!(reading.play.seats(), 3);
    assert_eq!(reading.play.text_board(), play.text_board());
}

/// Patterns are drawn on pieces in themes that have none.
#[test]
fn patterned_pieces_are_read() {
    let play = rookery_games::named("amazons").unwrap().resume("5Q/2q3/*5/6/3Q2/**4 w - - 0 7").unwrap();
    let look = DrawOptions { patterns: true, ..DrawOptions::from_seat(Seat::FIRST) };
    let image = rookery_render::render(&play.scene(&look), 600).to_image();
    assert!(line(reader().read(&image)).starts_with("5Q/2q3/*5/6/3Q2/**4 "));
}

/// A smaller board would fit within a larger one.
#[test]
fn all_sizes_that_are_offered_are_read() {
    for game in ["amazon_penguins", "paper_penguins"] {
        for size in ["6x6", "7x7", "8x8", "10x10"] {
            let rules = rookery_games::named(game).unwrap();
            let play = rules.start(&Setup::new(2).with("size", size).seeded(3)).unwrap();
            let image = rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 600);
            let reading = reader().read(&image.to_image()).unwrap();
            assert_eq!(reading.play.text_board(), play.text_board(), "{game} {size}");
        }
    }
}

#[test]
fn stacks_are_read() {
    for (start, last, read) in [
        ("B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,A,A,A,A/2,K,2/A,A,A,A 1", None, "B,B,B,B/2,L,2/B,B,B,B,B,B/7/"),
        (
            "B,3/2,ABBAL,2/BBABAAB,ABAB,4/7/6/2,K,2/A,3 1",
            Some("a1-b2"),
            "B,3/2,ABBAL,2/BBABAAB,ABAB,4/7/6/1,A,K,2/4 ",
        ),
        (
            "4/1,B,L,2/6/2,BAAB,ABA,3/6/2,K,2/AA,A,2 1",
            Some("a1-c3"),
            "4/1,B,L,2/6/2,BAAB,ABA,3/2,AA,3/2,K,2/1,A,2 ",
        ),
    ] {
        for side in [Seat::FIRST, Seat::SECOND] {
            let reading = reader().read(&drawn("amoeba", start, last.as_slice(), side)).unwrap();
            assert!(reading.play.line().starts_with(read), "{} is {read}", reading.play.line());
            assert!(reading.unclear.is_empty(), "{read} {:?}", reading.unclear);
        }
    }
}

/// A disc that hides a point looks like a tall stack, with more pieces than the game has.
#[test]
fn a_covered_point_of_amoeba_is_read_or_asked_about() {
    for (line, is_known) in [
        ("B,B,B,B/1,B,L,2/A,2,B,B,B/1,BB,3,A,1/1,A,A,A,A,1/2,K,2/A,A,A,A 1", true),
        ("B,B,B,B/1,B,L,2/A,2,B,B,B/1,B,1,B,1,A,1/1,A,A,A,A,1/2,K,2/A,A,A,A 1", false),
    ] {
        let play = rookery_games::named("amoeba").unwrap().resume(line).unwrap();
        let mut image =
            rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 600).to_image();
        for (x, y, pixel) in image.enumerate_pixels_mut() {
            let (across, down) = (x as f32 - 300.0, y as f32 - 300.0);
            if across.hypot(down) < 40.0 {
                *pixel = Rgb([205, 50, 50]);
            }
        }
        let reading = reader().read(&image).unwrap();
        let covered = play.board().named("d4").unwrap();
        if is_known {
            assert_eq!(reading.play.text_board(), play.text_board(), "all pieces are elsewhere");
        } else {
            assert!(reading.unclear.contains(&covered), "{:?}", reading.unclear);
        }
    }
}

/// A mark on the side of a stack says which of its pieces is the Kernel.
#[test]
fn a_buried_kernel_is_read() {
    for stack in ["AKBA", "KABA", "BKA", "AKAAB", "KAAAB", "AAKAA"] {
        let line = format!("B,3/2,L,2/6/3,{stack},3/6/5/A,3 1");
        let reading = reader().read(&drawn("amoeba", &line, &[], Seat::FIRST)).unwrap();
        assert!(reading.play.line().starts_with(&line[..line.len() - 2]), "{line}: {}", reading.play.line());
        assert!(reading.unclear.is_empty(), "{stack}: {:?}", reading.unclear);
    }
}

/// A point that can only be empty, because all pieces are elsewhere, isn't unclear when something is painted over it. The picture is
/// from before buried Kernels had a mark that says their level, so that is asked.
#[test]
fn a_point_with_one_possible_content_is_clear() {
    let mut image =
        image::load_from_memory(include_bytes!("data/kernel_without_level.png")).unwrap().into_rgb8();
    let stripes =
        RgbImage::from_fn(
            20,
            20,
            |x, _| if x / 4 % 2 == 0 { Rgb([0, 160, 60]) } else { Rgb([230, 60, 230]) },
        );
    imageops::overlay(&mut image, &stripes, 120, 218);
    let reading = reader().read(&image).unwrap();
    let names =
        |cells: &[Cell]| -> Vec<&str> { cells.iter().map(|cell| reading.play.board().name(*cell)).collect() };
    assert_eq!(names(&reading.unclear), ["e1"], "the level of a Kernel, but not b2");
    assert_eq!(names(&reading.dependent), ["b2"], "a piece of e1 may be there instead");
}

/// A replay ends with the newest position.
#[test]
fn an_animation_is_read_as_its_last_frame() {
    let empty = drawn("amazons", "6/6/6/6/3Q2/5q w - - 0 7", &[], Seat::FIRST);
    let mut gif = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new_with_speed(&mut gif, 30);
    for frame in [empty, amazons()] {
        let frame = DynamicImage::ImageRgb8(frame).into_rgba8();
        encoder.encode_frame(image::Frame::new(frame)).unwrap();
    }
    drop(encoder);
    let file = reader().read_file(&gif).unwrap();
    assert_eq!(file.frames, 2);
    assert!(file.reading.play.line().starts_with("5Q/2q3/*5/6/3Q2/**4 "), "{}", file.reading.play.line());
}

#[test]
fn a_picture_that_was_cut_off_is_not_blamed_for_its_board() {
    let mut jpeg = Vec::new();
    DynamicImage::ImageRgb8(amazons()).write_to(&mut Cursor::new(&mut jpeg), ImageFormat::Jpeg).unwrap();
    let read = |length: usize| reader().read_file(&jpeg[..length]).map(|file| file.reading.play.line());
    assert_eq!(read(jpeg.len() / 3), Err(ReadError::Broken));
    assert!(read(jpeg.len() - 2).unwrap().starts_with("5Q/2q3/*5/6/3Q2/**4 "), "all but the end marker");
}

#[test]
fn a_very_large_picture_is_read() {
    let large = imageops::resize(&amazons(), 4_000, 4_000, imageops::FilterType::Triangle);
    assert!(line(reader().read(&large)).starts_with("5Q/2q3/*5/6/3Q2/**4 "));
}

/// A queen that is painted over with the colours of nothing is asked about.
#[test]
fn what_was_painted_over_is_unclear() {
    let mut image = amazons();
    let stripes =
        RgbImage::from_fn(
            70,
            70,
            |x, _| if x / 7 % 2 == 0 { Rgb([0, 160, 60]) } else { Rgb([230, 60, 230]) },
        );
    // On d2 of a board with margins of 26 pixels and cells of 91.
    imageops::overlay(&mut image, &stripes, 26 + 3 * 91 + 10, 26 + 4 * 91 + 10);
    let reading = reader().read(&image).unwrap();
    let unclear: Vec<&str> = reading.unclear.iter().map(|cell| reading.play.board().name(*cell)).collect();
    assert_eq!(unclear, ["d2"]);
}

/// Of any size and shape, with parts of boards in them: whatever they are read as, nothing panics.
/// A square of Penguin Soccer that was painted over is unclear. The penguins, which differ in their size, are not.
#[test]
fn only_the_square_that_was_painted_over_is_asked_about() {
    let play = rookery_games::named("penguin_soccer").unwrap();
    let play = play.resume("c3NE,g2U,a1U|b6U,h7S,e8U a1 1").unwrap();
    let mut image = rookery_render::render(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), 640).to_image();
    imageops::overlay(&mut image, &RgbImage::from_pixel(30, 30, Rgb([230, 60, 230])), 240, 385);
    let reading = reader().read(&image).unwrap();
    assert_eq!(reading.unclear.len(), 1, "{:?}", reading.unclear);
    assert_eq!(reading.play.text_board(), play.text_board());
}

#[test]
fn odd_pictures_are_read_or_refused() {
    let boards = [amazons(), drawn("penguin_soccer", "-,-,-|-,-,- - 1", &[], Seat::FIRST)];
    for (n, (width, height)) in
        [(150, 150), (150, 2_200), (2_000, 151), (333, 777), (601, 599)].into_iter().enumerate()
    {
        let mut image = RgbImage::from_pixel(width, height, Rgb([49, 51, 56]));
        for (m, board) in boards.iter().enumerate() {
            let side = 90 + 130 * (n + m) as u32;
            let board = imageops::resize(board, side, side / 2 + 60, imageops::FilterType::Triangle);
            let at = [-30, 40][(n + m) % 2];
            imageops::overlay(&mut image, &board, at, at * m as i64);
        }
        if let Ok(reading) = reader().read(&image) {
            assert!(!reading.play.line().is_empty());
        }
    }
}

#[test]
fn other_pictures_are_refused() {
    let noise = RgbImage::from_fn(500, 400, |x, y| {
        Rgb([(x * 37 % 251) as u8, (y * 91 % 241) as u8, (x * y % 239) as u8])
    });
    for (name, image) in [
        ("black", RgbImage::new(600, 600)),
        ("noise", noise),
        (
            "squares",
            RgbImage::from_fn(640, 640, |x, y| {
                if (x / 80 + y / 80) % 2 == 0 { Rgb([240; 3]) } else { Rgb([70, 110, 70]) }
            }),
        ),
        ("half a board", imageops::crop_imm(&amazons(), 0, 0, 300, 600).to_image()),
    ] {
        assert_eq!(reader().read(&image).err(), Some(ReadError::NoBoard), "{name}");
    }
    assert_eq!(reader().read(&RgbImage::new(149, 600)).err(), Some(ReadError::TooSmall));
}

/// The whole board is there, but it is so blurred that nobody could say what is on it.
#[test]
fn a_board_that_is_too_blurred_is_unclear() {
    let blurred = imageops::blur(&amazons(), 16.0);
    assert_eq!(reader().read(&blurred).err(), Some(ReadError::Unclear));
}

/// Without its letters and numbers a board may be seen from either end. The position from the other end was turned by hand.
#[test]
fn a_board_without_letters_is_read_from_both_ends() {
    // The squares of a board of six are 97 of 640 pixels wide, after a border of 29.
    let [border, squares] = [29, 6 * 97].map(|length| length * amazons().width() / 640);
    let image = imageops::crop_imm(&amazons(), border, border, squares, squares).to_image();
    let reading = reader().read(&image).expect("a board");
    let turned = reading.turned.expect("the same board from the other end");
    let lines = [reading.play.line(), turned.play.line()];
    assert!(lines[0].starts_with("5Q/2q3/*5/6/3Q2/**4 "), "{lines:?}");
    assert!(lines[1].starts_with("4**/2Q3/6/5*/3q2/Q5 "), "{lines:?}");
}

/// Phones save pictures as the camera was held, and write into the file how they are to be turned.
#[test]
fn a_picture_is_turned_as_its_file_says() {
    let mut jpeg = Vec::new();
    let lying = DynamicImage::ImageRgb8(imageops::rotate270(&amazons()));
    lying.write_to(&mut Cursor::new(&mut jpeg), ImageFormat::Jpeg).unwrap();
    // A segment of Exif 2.32 (JEITA CP-3451, 4.5.4 and 4.6.4): one entry, the orientation (0x0112), a short number, which is 6: a
    // quarter turn clockwise.
    let exif = [
        &[0xff, 0xe1, 0, 34][..],
        b"Exif\0\0",
        b"II\x2a\0\x08\0\0\0",
        &[1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0],
        &[0; 4],
    ]
    .concat();
    assert_eq!(exif.len(), 2 + 34, "the length counts itself, but not the marker");
    let marked = [&jpeg[..2], &exif, &jpeg[2..]].concat();
    assert!(line(reader().read(&unpack(&marked).unwrap().image)).starts_with("5Q/2q3/*5/6/3Q2/**4 "));
}

#[test]
fn files_that_are_no_pictures_are_refused() {
    for bytes in [&b""[..], b"GIF89a", b"\x89PNG\r\n\x1a\n", b"hello", &[0xff, 0xd8, 0xff, 0xe0, 0, 16]] {
        assert_eq!(unpack(bytes).err(), Some(ReadError::NotAPicture), "{bytes:?}");
    }
}
