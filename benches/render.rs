//! What a picture costs: `cargo bench --bench render`. Sizes in bytes are printed with the names.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rookery::games;
use rookery::kit::scene::{Look, Scene};
use rookery::kit::{Play, Seat};
use rookery::render::{Pace, Painter, png};

#[path = "../tests/it/pictures/played.rs"]
mod played;
#[path = "../tests/it/pictures/sample.rs"]
mod sample;

/// The sample half full and full, and each game after 40 random plies.
fn boards() -> Vec<(String, Scene)> {
    let sample = [36, 90].map(|stones| (format!("sample of {stones} stones"), sample::board(stones)));
    let played = games::ALL.iter().map(|kind| {
        let scene = scenes_of(&*played::game(*kind, 2, 40)).pop().expect("a start at least");
        (kind.about().key.to_owned(), scene)
    });
    sample.into_iter().chain(played).collect()
}

fn stills(c: &mut Criterion) {
    let painter = Painter::new();
    for (name, scene) in boards() {
        let picture = painter.picture(&scene, 1050);
        let bytes = png(&picture).len();
        c.bench_function(&format!("draw {name}"), |b| b.iter(|| painter.picture(black_box(&scene), 1050)));
        c.bench_function(&format!("encode {name}, {bytes} bytes"), |b| b.iter(|| png(black_box(&picture))));
        c.bench_function(&format!("draw and encode {name}"), |b| {
            b.iter(|| png(&painter.picture(black_box(&scene), 1050)));
        });
    }
    c.bench_function("first picture", |b| b.iter(|| png(&Painter::new().picture(&sample::board(36), 1050))));
}

fn replays(c: &mut Criterion) {
    let painter = Painter::new();
    let scenes = scenes_of(&*played::game(games::ALL[0], 2, 90));
    let bytes = painter.replay(scenes.clone(), Pace::default()).map_or(0, |file| file.len());
    c.bench_function(&format!("replay of {} scenes, {bytes} bytes", scenes.len()), |b| {
        b.iter_batched(
            || scenes.clone(),
            |scenes| painter.replay(scenes, Pace::default()),
            BatchSize::LargeInput,
        );
    });
}

/// The board at every ply from the start to now, seen from the first seat.
fn scenes_of(play: &dyn Play) -> Vec<Scene> {
    let look = Look::from_seat(Seat::all(play.seats()).next().expect("somebody plays"));
    (0..=play.ply()).map(|ply| play.at_ply(ply).scene(&look)).collect()
}

criterion_group!(benches, stills, replays);
criterion_main!(benches);
