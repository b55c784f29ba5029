//! What a picture costs: `cargo bench --bench render`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rookery::render::{Painter, png};

#[path = "../tests/it/pictures/sample.rs"]
mod sample;

fn boards(c: &mut Criterion) {
    let painter = Painter::new();
    for stones in [36, 90] {
        let scene = sample::board(stones);
        c.bench_function(&format!("make the scene, {stones} stones"), |b| b.iter(|| sample::board(stones)));
        c.bench_function(&format!("draw, {stones} stones"), |b| {
            b.iter(|| painter.picture(black_box(&scene), 1050))
        });
        let picture = painter.picture(&scene, 1050);
        c.bench_function(&format!("encode, {stones} stones, {} bytes", png(&picture).len()), |b| {
            b.iter(|| png(black_box(&picture)));
        });
        c.bench_function(&format!("draw and encode, {stones} stones"), |b| {
            b.iter(|| png(&painter.picture(black_box(&scene), 1050)));
        });
    }
    c.bench_function("first picture", |b| b.iter(|| png(&Painter::new().picture(&sample::board(36), 1050))));
}

criterion_group!(benches, boards);
criterion_main!(benches);
