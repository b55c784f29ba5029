//! Measures what a picture costs: `cargo bench --bench render`. Prints the memory of everything that a painter caches,
//! then times with sizes in bytes. The numbers are in `docs/pictures.md`.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it found")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion};
use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Cell, Game, Play, Seat};
use rookery_games::record::Record;
use rookery_render::{Painter, ReplaySettings, png};

#[path = "../tests/it/pictures/played.rs"]
mod played;

/// A whole game of the Amazons that level hard played against itself with 3,000 positions per move.
const GAME: &str = include_str!("amazons.txt");

/// The widths of a posted board and of a replay.
const BOARD_PX: u32 = 1_050;
const REPLAY_PX: u32 = 600;

/// The number of plies that are replayed, and the ply at which the game is half done.
const PLIES: usize = 90;
const MIDDLE: usize = 40;

fn main() {
    memory();
    let mut criterion = Criterion::default()
        .sample_size(40)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    first_pictures(&mut criterion);
    stills(&mut criterion);
    replays(&mut criterion);
    criterion.final_summary();
}

/// Draws every game in every theme, from both sides and at both widths, with one painter.
fn memory() {
    let plays: Vec<_> =
        rookery_games::all().iter().map(|kind| (*kind, played::game(*kind, 2, MIDDLE))).collect();
    let (painter, before) = (Painter::new(), resident_mib());
    for (kind, play) in &plays {
        for look in looks(*kind) {
            for width_px in [BOARD_PX, REPLAY_PX] {
                black_box(png(&painter.picture(&play.scene(&look), width_px)));
            }
        }
    }
    let kept = painter.kept_bytes() as f64 / f64::from(1 << 20);
    match (before, resident_mib()) {
        (Some(before), Some(after)) => {
            println!(
                "all looks of all games: {after:.1} MiB resident, {before:.1} before, {kept:.1} of art kept"
            );
        }
        _ => println!("all looks of all games: {kept:.1} MiB of art kept"),
    }
}

fn looks(kind: &dyn Game) -> Vec<DrawOptions> {
    let look = |name: &str, side| DrawOptions { theme: name.to_owned(), ..DrawOptions::from_seat(side) };
    kind.themes().iter().flat_map(|theme| Seat::all(2).map(move |side| look(theme.name, side))).collect()
}

/// Returns the resident memory of this process; `None` where `/proc` does not provide it.
fn resident_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}

/// Draws each board with a painter that has an empty cache.
fn first_pictures(c: &mut Criterion) {
    for (name, scene) in boards() {
        c.bench_function(&format!("first picture: {name}"), |b| {
            b.iter(|| png(&Painter::new().picture(black_box(&scene), BOARD_PX)));
        });
    }
}

fn stills(c: &mut Criterion) {
    let painter = Painter::new();
    for (name, scene) in boards() {
        let bytes = png(&painter.picture(&scene, BOARD_PX)).len();
        c.bench_function(&format!("draw: {name}"), |b| {
            b.iter(|| painter.picture(black_box(&scene), BOARD_PX));
        });
        c.bench_function(&format!("draw and encode: {name}, {bytes} bytes"), |b| {
            b.iter(|| png(&painter.picture(black_box(&scene), BOARD_PX)));
        });
    }
}

fn replays(c: &mut Criterion) {
    let mut plays = vec![("the Amazons' game".to_owned(), game())];
    let random =
        rookery_games::all().iter().map(|kind| (kind.info().key.to_owned(), played::game(*kind, 2, PLIES)));
    plays.extend(random);
    let painter = Painter::new();
    let pace = ReplaySettings { width_px: REPLAY_PX, ..ReplaySettings::default() };
    for (name, play) in plays {
        let scenes: Vec<Scene> = (0..=play.ply().min(PLIES)).map(|ply| scene(&*play.at_ply(ply))).collect();
        let bytes = painter.replay(scenes.clone(), pace).map_or(0, |file| file.len());
        c.bench_function(&format!("replay: {name}, {} plies, {bytes} bytes", scenes.len() - 1), |b| {
            let replay = |scenes| painter.replay(scenes, pace);
            b.iter_batched(|| scenes.clone(), replay, BatchSize::LargeInput);
        });
    }
}

/// Returns the boards to draw: the Amazons game half done and full; each game after random plies, with two seats and
/// with the most; and the fullest of all, hexagons with an owner each.
fn boards() -> Vec<(String, Scene)> {
    let game = game();
    let mut boards: Vec<_> = [MIDDLE, PLIES]
        .map(|ply| (format!("the Amazons' game, ply {ply}"), scene(&*game.at_ply(ply))))
        .into();
    for kind in rookery_games::all() {
        let about = kind.info();
        for seats in about.seats.iter().filter(|seats| **seats != 3) {
            let play = played::game(*kind, *seats, MIDDLE);
            boards.push((format!("{}, {seats} seats", about.key), scene(&*play)));
        }
    }
    let penguins =
        rookery_games::all().iter().find(|kind| kind.info().key == "penguins").expect("one of the games");
    let play = played::game(*penguins, 2, 18);
    boards.push(("penguins with owners".to_owned(), play.scene(&owned(&*play))));
    boards
}

fn game() -> Box<dyn Play> {
    Record::read(GAME).expect("a record").replay().expect("a legal game")
}

fn scene(play: &dyn Play) -> Scene {
    play.scene(&DrawOptions::from_seat(Seat::FIRST))
}

/// Marks every cell as owned, with owners and strengths that vary.
fn owned(play: &dyn Play) -> DrawOptions {
    let owner = |cell: Cell| {
        let seat = if cell.0.is_multiple_of(3) { Seat::SECOND } else { Seat::FIRST };
        (cell, seat, f32::from(cell.0 % 5) / 4.0)
    };
    DrawOptions { owners: play.board().cells().map(owner).collect(), ..DrawOptions::from_seat(Seat::FIRST) }
}
