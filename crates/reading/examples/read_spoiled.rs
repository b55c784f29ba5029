//! Reads many spoiled pictures of boards and counts how they were read:
//! `cargo run --release -p rookery-reading --example read_spoiled -- [FIRST [COUNT [GAME...]]]`.

#![allow(clippy::print_stdout)]

#[path = "../tests/spoil/mod.rs"]
mod spoil;

use std::time::Duration;

use rookery_core::Play;
use rookery_reading::Reader;

const GAMES: [&str; 6] =
    ["amazons", "penguins", "amazon_penguins", "paper_penguins", "penguin_soccer", "amoeba"];

/// The time that this thread has run, without waiting for a busy machine; zero where the system doesn't say it.
fn processor_time() -> Duration {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(counts.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or_default())
}

#[derive(Default)]
struct Counts {
    right: usize,
    asked: usize,
    refused: usize,
    wrong: usize,
    times: Vec<Duration>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize| words.get(n).map(|number| number.parse::<u64>().expect("a number"));
    let (first, count) = (number(0).unwrap_or(0), number(1).unwrap_or(100));
    let named: Vec<&str> = words.iter().skip(2).map(String::as_str).collect();
    let reader = Reader::new();
    for game in GAMES.into_iter().filter(|game| named.is_empty() || named.contains(game)) {
        let [mut open, mut buried] = [Counts::default(), Counts::default()];
        for seed in first..first + count {
            let picture = spoil::spoiled(game, seed);
            let counts = if has_buried_kernel(picture.play.as_ref()) { &mut buried } else { &mut open };
            counts.add(&reader, game, seed, &picture);
        }
        open.print(game);
        buried.print(&format!("{game} with a buried Kernel"));
    }
}

/// Whether a Kernel of Amoeba is below another piece, where its level isn't visible.
fn has_buried_kernel(play: &dyn Play) -> bool {
    let line = play.line();
    let mut stacks = line.split([',', '/', ' ']);
    play.info().key == "amoeba"
        && stacks.any(|stack| stack.find(['K', 'L']).is_some_and(|at| at + 1 < stack.len()))
}

impl Counts {
    fn add(&mut self, reader: &Reader, game: &str, seed: u64, picture: &spoil::Spoiled) {
        let begun = processor_time();
        let reading = reader.read(&picture.image);
        self.times.push(processor_time().saturating_sub(begun));
        match reading {
            Err(_) => {
                self.refused += 1;
                println!("{game} {seed} refused: {}", picture.how);
            }
            Ok(reading) if !reading.unclear.is_empty() => {
                self.asked += 1;
                println!("{game} {seed} asked about {}: {}", reading.unclear.len(), picture.how);
            }
            Ok(reading) if reading.play.text_board() == picture.play.text_board() => self.right += 1,
            Ok(_) => {
                self.wrong += 1;
                println!("{game} {seed} WRONG: {}", picture.how);
            }
        }
    }

    fn print(&mut self, name: &str) {
        self.times.sort();
        let Some(last) = self.times.len().checked_sub(1) else { return };
        let [median, most, longest] = [last / 2, last * 95 / 100, last].map(|n| self.times[n]);
        println!(
            "{name}: {} right, {} asked, {} refused, {} wrong without a question; \
             median {median:.0?}, 95 of 100 within {most:.0?}, longest {longest:.0?}",
            self.right, self.asked, self.refused, self.wrong,
        );
    }
}
