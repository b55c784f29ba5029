//! Reads many spoiled pictures of boards and counts how they were read:
//! `cargo run --release -p rookery-reading --example read_spoiled -- [FIRST [COUNT]]`.

#![allow(clippy::print_stdout)]

#[path = "../tests/spoil/mod.rs"]
mod spoil;

use std::time::{Duration, Instant};

use rookery_reading::Reader;

#[derive(Default)]
struct Counts {
    right: usize,
    asked: usize,
    refused: usize,
    wrong: usize,
    times: Vec<Duration>,
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>().expect("a number"));
    let (first, count) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(100));
    let reader = Reader::new();
    for game in ["amazons", "penguins", "amazon_penguins", "paper_penguins"] {
        let mut counts = Counts::default();
        for seed in first..first + count {
            let picture = spoil::spoiled(game, seed);
            let begun = Instant::now();
            let reading = reader.read(&picture.image);
            counts.times.push(begun.elapsed());
            match reading {
                Err(_) => {
                    counts.refused += 1;
                    println!("{game} {seed} refused: {}", picture.how);
                }
                Ok(reading) if !reading.unclear.is_empty() => {
                    counts.asked += 1;
                    println!("{game} {seed} asked about {}: {}", reading.unclear.len(), picture.how);
                }
                Ok(reading) if reading.play.text_board() == picture.play.text_board() => counts.right += 1,
                Ok(_) => {
                    counts.wrong += 1;
                    println!("{game} {seed} WRONG: {}", picture.how);
                }
            }
        }
        counts.times.sort();
        println!(
            "{game}: {} right, {} asked, {} refused, {} wrong without a question; median {:.0?}, longest {:.0?}",
            counts.right,
            counts.asked,
            counts.refused,
            counts.wrong,
            counts.times[counts.times.len() / 2],
            counts.times[counts.times.len() - 1],
        );
    }
}
