//! Reads many spoiled pictures of boards and counts how they were read:
//! `cargo run --release -p rookery-reading --example read_spoiled -- [OPTION...] [FIRST [COUNT [GAME...]]]`. The options are
//! - `wide`: boards of all kinds, and photos of screens too;
//! - `twice`: each picture is read twice, and the second time counts, when everything is drawn;
//! - `only=KIND`, such as `only=Screen`: only pictures that were spoiled in this way;
//! - `save=FOLDER`: the pictures are also written there.
//!
//! A picture is read on all processors; with RAYON_NUM_THREADS=1 in the environment, on one.

#![allow(clippy::print_stdout)]

#[path = "../tests/spoil/mod.rs"]
mod spoil;

use std::time::{Duration, Instant};

use rookery_core::Play;
use rookery_reading::{Reader, Reading};
use spoil::wide::spoiled_widely;
use spoil::{Around, Outcome, Spoiled, spoiled};

const GAMES: [&str; 6] =
    ["amazons", "penguins", "amazon_penguins", "paper_penguins", "penguin_soccer", "amoeba"];

/// What happens to pictures, for counts.
const AROUND: [Around; 5] = [Around::Nothing, Around::Cropped, Around::Chat, Around::Turned, Around::Screen];

#[derive(Clone, Default)]
struct Counts {
    right: usize,
    asked: usize,
    refused: usize,
    wrong: usize,
    with_points: usize,
    times: Vec<Duration>,
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| words.iter().any(|word| word == name);
    let (is_wide, is_twice) = (has("wide"), has("twice"));
    let folder = words.iter().find_map(|word| word.strip_prefix("save=")).map(str::to_owned);
    let only = words.iter().find_map(|word| word.strip_prefix("only=")).map(str::to_owned);
    words.retain(|word| !["wide", "twice"].contains(&word.as_str()) && !word.contains('='));
    let number = |n: usize| words.get(n).map(|number| number.parse::<u64>().expect("a number"));
    let (first, count) = (number(0).unwrap_or(0), number(1).unwrap_or(100));
    let named: Vec<&str> = words.iter().skip(2).map(String::as_str).collect();
    let reader = Reader::new();
    let mut by_around = AROUND.map(|around| (around, Counts::default()));
    for game in GAMES.into_iter().filter(|game| named.is_empty() || named.contains(game)) {
        let [mut open, mut buried] = [Counts::default(), Counts::default()];
        for seed in first..first + count {
            let picture = if is_wide { spoiled_widely(game, seed) } else { spoiled(game, seed) };
            if only.as_ref().is_some_and(|only| *only != format!("{:?}", picture.around)) {
                continue;
            }
            if let Some(folder) = &folder {
                std::fs::create_dir_all(folder).expect("a folder");
                picture.image.save(format!("{folder}/{game}_{seed}.png")).expect("a file");
            }
            if is_twice {
                // How it is read is counted below.
                let _ = reader.read(&picture.image);
            }
            let (outcome, has_points, time) = tried(&reader, game, seed, &picture);
            let counts = if has_buried_kernel(picture.play.as_ref()) { &mut buried } else { &mut open };
            counts.add(outcome, has_points, time);
            let same = by_around.iter_mut().find(|(around, _)| *around == picture.around);
            same.expect("all kinds").1.add(outcome, has_points, time);
        }
        open.print(game);
        buried.print(&format!("{game} with a buried Kernel"));
    }
    for (around, mut counts) in by_around {
        counts.print(&format!("{around:?}"));
    }
}

/// Reads a picture and says so unless that went right; with whether the points were read, and the time that it took.
fn tried(reader: &Reader, game: &str, seed: u64, picture: &Spoiled) -> (Outcome, bool, Duration) {
    let begun = Instant::now();
    let reading = reader.read(&picture.image);
    let time = begun.elapsed();
    let outcome = picture.outcome(reading.as_ref().ok());
    let has_points = reading.as_ref().is_ok_and(|reading| reading.are_points_shown);
    match (outcome, reading) {
        (Outcome::Refused, _) => println!("{game} {seed} refused: {}", picture.how),
        (Outcome::Wrong, _) => println!("{game} {seed} WRONG: {}", picture.how),
        (Outcome::Asked, Ok(Reading { unclear, turned, .. })) => {
            let which_end = if turned.is_some() { " and from which end it is seen" } else { "" };
            println!("{game} {seed} asked about {}{which_end}: {}", unclear.len(), picture.how);
        }
        _ => {}
    }
    (outcome, has_points, time)
}

/// Whether a Kernel of Amoeba is below another piece, where its level isn't visible.
fn has_buried_kernel(play: &dyn Play) -> bool {
    let line = play.line();
    let mut stacks = line.split([',', '/', ' ']);
    play.info().key == "amoeba"
        && stacks.any(|stack| stack.find(['K', 'L']).is_some_and(|at| at + 1 < stack.len()))
}

impl Counts {
    fn add(&mut self, outcome: Outcome, has_points: bool, time: Duration) {
        self.times.push(time);
        self.with_points += usize::from(has_points);
        *match outcome {
            Outcome::Right => &mut self.right,
            Outcome::Asked => &mut self.asked,
            Outcome::Refused => &mut self.refused,
            Outcome::Wrong => &mut self.wrong,
        } += 1;
    }

    fn print(&mut self, name: &str) {
        self.times.sort();
        let Some(last) = self.times.len().checked_sub(1) else { return };
        let [median, most, longest] = [last / 2, last * 95 / 100, last].map(|n| self.times[n]);
        println!(
            "{name}: {} right, {} asked, {} refused, {} wrong without a question, {} with points; \
             median {median:.0?}, 95 of 100 within {most:.0?}, longest {longest:.0?}",
            self.right, self.asked, self.refused, self.wrong, self.with_points,
        );
    }
}
