//! Reads many photographs of sheets that were filled in by hand, and counts how they were read:
//! `cargo run --release -p rookery-reading --example read_sheets -- [FIRST [COUNT [FOLDER]]]`. With a folder, it also writes
//! the pictures there.

#![allow(clippy::print_stdout)]

#[path = "../tests/photograph/mod.rs"]
mod photograph;

use std::time::{Duration, Instant};

use photograph::photographed;
use rookery_reading::Reader;

/// The heights of the sheets in pixels.
const HEIGHTS: std::ops::RangeInclusive<f32> = 700.0..=2_500.0;

#[derive(Default)]
struct Counts {
    right: usize,
    asked: usize,
    refused: usize,
    wrong: usize,
    questions: usize,
    times: Vec<Duration>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |n: usize, usual| arguments.get(n).map_or(usual, |text| text.parse::<u64>().expect("a number"));
    let (first, count) = (number(0, 0), number(1, 20));
    let reader = Reader::new();
    let mut counts = Counts::default();
    for seed in first..first + count {
        let sheet = photographed(seed, HEIGHTS);
        if let Some(folder) = arguments.get(2) {
            sheet.image.save(format!("{folder}/{seed}.png")).expect("a file");
        }
        let begun = Instant::now();
        let reading = reader.read(&sheet.image);
        counts.times.push(begun.elapsed());
        let Ok(reading) = reading else {
            counts.refused += 1;
            println!("{seed} refused: {}", sheet.how);
            continue;
        };
        let wrong = sheet.wrong_cells(&reading);
        let silent = wrong.iter().any(|(cell, _)| !reading.unclear.contains(cell));
        let names: Vec<&str> = reading.unclear.iter().map(|cell| reading.play.board().name(*cell)).collect();
        let wrong: Vec<String> = wrong.into_iter().map(|(_, difference)| difference).collect();
        if silent {
            counts.wrong += 1;
            println!("{seed} WRONG: {}; asked about {}: {}", wrong.join(", "), names.join(", "), sheet.how);
        } else if names.is_empty() {
            counts.right += 1;
        } else {
            counts.asked += 1;
            counts.questions += names.len();
            println!("{seed} asked about {}, wrong: {}: {}", names.join(", "), wrong.join(", "), sheet.how);
        }
    }
    counts.times.sort();
    println!(
        "{} right, {} asked about {} cells, {} refused, {} wrong without a question; median {:.0?}, longest {:.0?}",
        counts.right,
        counts.asked,
        counts.questions,
        counts.refused,
        counts.wrong,
        counts.times[counts.times.len() / 2],
        counts.times[counts.times.len() - 1],
    );
}
