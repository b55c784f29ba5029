//! Measures what the rules of each game cost, on one core: `cargo bench --bench rules`. Prints perft counts, the speed
//! of random games, and the size of a position.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it found")]

use std::time::{Duration, Instant};

use rookery_core::rules::Setup;
use rookery_core::rules::legal;
use rookery_core::seed::SeededRng;
use rookery_core::{GameRules, Position};
use rookery_games::{amazon_penguins, amazons, amoeba, paper_penguins, penguin_soccer, penguins};

/// How long random games are played in each game.
const GAMES_FOR: Duration = Duration::from_secs(2);

fn main() {
    println!("{:<16} {:>7} {:>16} {:>10} {:>14}", "game", "bytes", "perft", "s", "nodes/s");
    print_row::<amazons::Amazons>(2);
    print_row::<amazons::Amazons>(3);
    print_row::<penguins::Penguins>(5);
    print_row::<amazon_penguins::AmazonPenguins>(4);
    print_row::<paper_penguins::PaperPenguins>(5);
    print_row::<penguin_soccer::PenguinSoccer>(6);
    print_row::<amoeba::Amoeba>(5);
}

fn print_row<R: GameRules>(depth: u32) {
    let start = R::start(&Setup::new(R::INFO.fewest()).seeded(1)).expect("the plain game starts");
    let since = Instant::now();
    let count = start.sequences(depth);
    let took = since.elapsed().as_secs_f64();
    println!(
        "{:<16} {:>7} {count:>16} {took:>10.4} {:>14.0}   {:.0} random games/s, {:.0} moves listed/s, {:.0} positions made/s",
        R::INFO.key,
        size_of::<R::Position>(),
        count as f64 / took,
        games_a_second::<R>(),
        listed_a_second::<R>(&start),
        made_a_second::<R>(&start),
    );
}

/// Lists the moves of the first position repeatedly.
fn listed_a_second<R: GameRules>(start: &R::Position) -> f64 {
    let (since, mut listed, mut moves) = (Instant::now(), 0, Vec::new());
    while since.elapsed() < GAMES_FOR / 4 {
        for _ in 0..100 {
            moves.clear();
            start.moves(&mut moves);
            listed += std::hint::black_box(&moves).len();
        }
    }
    listed as f64 / since.elapsed().as_secs_f64()
}

/// Makes the positions after two turns, each from a copy of the one before it.
fn made_a_second<R: GameRules>(start: &R::Position) -> f64 {
    let (since, mut made) = (Instant::now(), 0);
    while since.elapsed() < GAMES_FOR / 4 {
        for next in after::<R>(start) {
            made += after::<R>(&next).inspect(|last| _ = std::hint::black_box(last)).count();
        }
    }
    made as f64 / since.elapsed().as_secs_f64()
}

fn after<R: GameRules>(position: &R::Position) -> impl Iterator<Item = R::Position> {
    legal::<R>(position).into_iter().map(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next
    })
}

fn games_a_second<R: GameRules>() -> f64 {
    let mut rng = SeededRng::new(1);
    let (since, mut games) = (Instant::now(), 0u32);
    while since.elapsed() < GAMES_FOR {
        let setup = Setup::new(R::INFO.fewest()).seeded(games.into());
        let mut position = R::start(&setup).expect("the plain game starts");
        // A game of Penguin Soccer may never end, so it is cut after a thousand turns.
        for _ in 0..1_000 {
            let moves = legal::<R>(&position);
            let Some(m) = rng.pick(&moves) else { break };
            position.play_unchecked(*m);
        }
        games += 1;
    }
    f64::from(games) / since.elapsed().as_secs_f64()
}
