//! Measures the speed of the players: `cargo bench --bench search`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rookery_core::player::{Level, Limits, SearchRequest};
use rookery_core::rules::Setup;
use rookery_lab::signature;

/// Searches 50,000 positions at the start, in the middle and near the end of a game of the Amazons.
fn amazons(criterion: &mut Criterion) {
    let game = rookery_games::named("amazons").expect("the Amazons are among the games");
    let start = game.start(&Setup::new(2)).expect("the usual start needs no options");
    let mut group = criterion.benchmark_group("amazons think");
    group.throughput(Throughput::Elements(50_000)).sample_size(10);
    for play in signature::positions(&*start, 1, 20) {
        let limits = Limits { nodes: Some(50_000), ..Limits::default() };
        let ask = SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) };
        group.bench_function(format!("ply {}", play.ply()), |b| b.iter(|| black_box(play.think(&ask))));
    }
    group.finish();
}

criterion_group!(benches, amazons);
criterion_main!(benches);
