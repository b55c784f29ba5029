//! Reads many photographs of sheets that were filled in by hand, and counts how they were read:
//! `cargo run --release -p rookery-reading --example read_sheets -- [usual|hasty [FIRST [COUNT [FOLDER]]]]`. With a folder, it
//! also writes the pictures there.

#![allow(clippy::print_stdout)]

#[path = "../tests/photograph/mod.rs"]
mod photograph;

use std::time::{Duration, Instant};

use photograph::{Manner, Photograph, photographed};
use rookery_reading::{ReadError, Reader, Reading, content_of};

/// The heights of the sheets in pixels.
const HEIGHTS: std::ops::RangeInclusive<f32> = 700.0..=2_500.0;

#[derive(Default)]
struct Counts {
    right: usize,
    asked: usize,
    refused: usize,
    wrong: usize,
    /// The cells of the sheets that were read, those that are asked about, those of them that are wrong, and those whose
    /// contents aren't among the choices.
    cells: usize,
    questions: usize,
    mistaken: usize,
    missing: usize,
    times: Vec<Duration>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let manner =
        if arguments.first().is_some_and(|it| it == "hasty") { Manner::Hasty } else { Manner::Usual };
    let number =
        |n: usize, usual| arguments.get(n).map_or(usual, |text| text.parse::<u64>().expect("a number"));
    let (first, count) = (number(1, 0), number(2, 20));
    let reader = Reader::new();
    let mut counts = Counts::default();
    for seed in first..first + count {
        let sheet = photographed(seed, HEIGHTS, manner);
        if let Some(folder) = arguments.get(3) {
            sheet.image.save(format!("{folder}/{seed}.png")).expect("a file");
        }
        let begun = Instant::now();
        let reading = reader.read(&sheet.image);
        counts.times.push(begun.elapsed());
        if let Some(text) = counts.add(&reader, &sheet, reading) {
            println!("{seed} {text}: {}", sheet.how);
        }
    }
    counts.print();
}

impl Counts {
    /// Counts a reading; what to say about it, if it is not right.
    fn add(
        &mut self,
        reader: &Reader,
        sheet: &Photograph,
        reading: Result<Reading, ReadError>,
    ) -> Option<String> {
        let Ok(Reading { play, unclear, .. }) = &reading else {
            self.refused += 1;
            return Some("refused".to_owned());
        };
        let wrong = sheet.wrong_cells(play.as_ref());
        let is_asked = |cell| unclear.contains(cell);
        self.cells += sheet.play.board().len();
        self.questions += unclear.len();
        self.mistaken += wrong.iter().filter(|(cell, _)| is_asked(cell)).count();
        let is_missing = |cell: &&_| {
            !reader.choices(play.as_ref(), **cell).contains(&content_of(sheet.play.as_ref(), **cell))
        };
        self.missing += unclear.iter().filter(is_missing).count();
        let silent = wrong.iter().any(|(cell, _)| !is_asked(cell));
        let names: Vec<&str> = unclear.iter().map(|cell| play.board().name(*cell)).collect();
        let wrong: Vec<String> = wrong.into_iter().map(|(_, difference)| difference).collect();
        let (names, wrong) = (names.join(", "), wrong.join(", "));
        if silent {
            self.wrong += 1;
            return Some(format!("WRONG: {wrong}; asked about {names}"));
        }
        if names.is_empty() {
            self.right += 1;
            return None;
        }
        self.asked += 1;
        Some(format!("asked about {names}, wrong: {wrong}"))
    }

    fn print(mut self) {
        self.times.sort();
        let time = |share: f32| {
            let last = self.times.len().saturating_sub(1);
            self.times.get((last as f32 * share) as usize).copied().unwrap_or_default()
        };
        println!(
            "{} right, {} asked, {} refused, {} wrong without a question",
            self.right, self.asked, self.refused, self.wrong
        );
        println!(
            "{} of {} cells asked about, {} of them wrong, {} whose contents aren't among the choices",
            self.questions, self.cells, self.mistaken, self.missing
        );
        println!("median {:.0?}, 95 % within {:.0?}, longest {:.0?}", time(0.5), time(0.95), time(1.0));
    }
}
