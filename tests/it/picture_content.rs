//! What pictures must and must not show, checked on scenes and pixels.
use rookery_core::rules::Setup;
use rookery_core::scene::{DrawOptions, Ink, Item, Rgb, Scene, Style};
use rookery_core::{Play, Seat};
use rookery_games::art::ice;
use rookery_render::contrast::contrast;
use rookery_render::render;

use crate::pictures::played;

/// Returns the name of a stamp.
fn name(item: &Item) -> Option<&str> {
    match item {
        Item::Stamp(stamp, _) => Some(stamp.name.as_str()),
        Item::Shape(_) => None,
    }
}

/// Returns the names of the stamps that mark whose turn it is.
fn turns(scene: &Scene) -> Vec<&str> {
    let tells = |name: &&str| {
        let chip = name.contains("chip-") && !name.contains("number");
        name.contains("turn") || (chip && name.ends_with("-true"))
    };
    scene.items.iter().filter_map(name).filter(tells).collect()
}

/// After a resignation or a loss on time the rules would continue, but nobody is to move.
#[test]
fn picture_marks_nobody_to_move_after_the_end() {
    for kind in rookery_games::all().iter().filter(|kind| kind.info().key != "amazons") {
        let play = played::game(*kind, 2, 24);
        assert!(play.outcome().is_none());
        let told = |over| play.scene(&DrawOptions { over, ..DrawOptions::from_seat(Seat::FIRST) });
        assert!(!turns(&told(false)).is_empty(), "{}", kind.info().key);
        assert_eq!(turns(&told(true)), [""; 0], "{}", kind.info().key);
    }
}

/// A share card shows the points once, beside the board.
#[test]
fn picture_can_leave_out_the_points() {
    for kind in rookery_games::all().iter().filter(|kind| kind.info().key != "amazons") {
        let play = played::game(*kind, 2, 24);
        let scene = play.scene(&DrawOptions { strip: false, ..DrawOptions::from_seat(Seat::FIRST) });
        let left: Vec<_> =
            scene.items.iter().filter_map(name).filter(|name| name.contains("/chip")).collect();
        assert!(left.is_empty(), "{}: {left:?}", kind.info().key);
    }
}

/// At every width, no line of the board's edge may show between two squares.
#[test]
fn picture_shows_no_seams_between_squares() {
    let game = rookery_games::named("amazons").unwrap();
    for size in ["10x10", "8x8", "6x6"] {
        let play = game.start(&Setup::new(2).with("size", size)).unwrap();
        for theme in ["walnut", "paper"] {
            let look = DrawOptions {
                theme: theme.into(),
                style: Style::Plain,
                ..DrawOptions::from_seat(Seat::FIRST)
            };
            let scene = play.scene(&look);
            let shade = |token| scene.theme.colour(Ink(token)).unwrap();
            let (light, dark) = (shade("light"), shade("dark"));
            for width in [350, 600, 700, 840, 1000, 1050] {
                let image = render(&scene, width).to_image();
                // The fourth rank from below is empty on all of these boards, so its row of pixels crosses no piece.
                let row = rank(&*play, width, size);
                let inside = (width / 12)..(width - width / 12);
                for (x, y) in inside.map(|x| (x, row)) {
                    let [r, g, b] = image.get_pixel(x, y).0;
                    let between = |low: u8, high: u8, found: u8| {
                        (i16::from(low.min(high)) - 6..=i16::from(low.max(high)) + 6).contains(&found.into())
                    };
                    let Rgb(lr, lg, lb) = light;
                    let Rgb(dr, dg, db) = dark;
                    let fits = between(dr, lr, r) && between(dg, lg, g) && between(db, lb, b);
                    assert!(fits, "{size} {theme} at {width}: {r} {g} {b} on {x},{y}");
                }
            }
        }
    }
}

/// Returns the pixel row through the middle of a rank without pieces.
fn rank(play: &dyn Play, width: u32, size: &str) -> u32 {
    let rows = play.board().cells().map(|cell| play.board().place(cell).1).max().unwrap() + 1;
    let rank = match size {
        "10x10" => 5,
        "8x8" => 4,
        _ => 3,
    };
    let cell = (960.0 / f32::from(rows)).floor();
    let margin = ((1050.0 - cell * f32::from(rows)) / 2.0).floor();
    let y = margin + (f32::from(rows - rank) + 0.5) * cell;
    (y * width as f32 / 1050.0) as u32
}

/// Names and fish keep their contrast on tiles tinted for any owner.
#[test]
fn picture_keeps_names_and_fish_readable_on_tinted_tiles() {
    let mut wrong = Vec::new();
    for theme in ice::THEMES {
        let colour = |token: &'static str| theme.colour(Ink(token)).unwrap();
        for (ink, least) in [("name", 4.3), ("fish", 3.2)] {
            for owned in ["owned-1", "owned-2", "owned-3", "owned-4"] {
                for tile in ["tile-1", "tile-2", "tile-3"] {
                    for quarters in 1..=4_u8 {
                        let share = ice::OWNED * f32::from(quarters);
                        let ground = mixed(colour(owned), colour(tile), share);
                        let found = contrast(colour(ink), ground);
                        if found < least {
                            wrong.push(format!("{}: {ink} on {owned}, {tile}: {found:.2}", theme.name));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Mixes a share of one colour over another.
fn mixed(over: Rgb, under: Rgb, share: f32) -> Rgb {
    let mix =
        |over: u8, under: u8| (f32::from(over) * share + f32::from(under) * (1.0 - share)).round() as u8;
    Rgb(mix(over.0, under.0), mix(over.1, under.1), mix(over.2, under.2))
}
