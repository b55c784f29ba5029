//! What is measured.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use crate::Load;

/// The upper ends of the histogram's classes, in milliseconds.
const CLASSES_MS: [u64; 9] = [10, 20, 50, 100, 200, 500, 1_000, 3_000, 10_000];
/// The interval between samples of the processes.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(5);
/// The clock ticks of a second in `/proc/PID/stat`.
const TICKS_PER_SECOND: f64 = 100.0;

/// The times, samples and failures so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    measured: Mutex<Measured>,
}

#[derive(Debug, Default)]
struct Measured {
    /// From a typed move to its board.
    boards: Vec<Duration>,
    /// How many boards each server got, and its longest wait for one.
    servers: BTreeMap<usize, (usize, Duration)>,
    /// From a pressed button to its acknowledgement.
    presses: Vec<Duration>,
    failures: Vec<String>,
    /// Moves that were due while no game was free to take one.
    without_game: usize,
    samples: Vec<Sample>,
}

/// The processes at one moment, together.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Instant,
    resident_kib: f64,
    processor_seconds: f64,
    boards: usize,
}

impl Report {
    pub(crate) fn board(&self, server: usize, after: Duration) {
        let mut measured = self.lock();
        measured.boards.push(after);
        let (count, longest) = measured.servers.entry(server).or_default();
        *count += 1;
        *longest = after.max(*longest);
    }

    pub(crate) fn press(&self, after: Duration) {
        self.lock().presses.push(after);
    }

    pub(crate) fn failure(&self, what: String) {
        self.lock().failures.push(what);
    }

    pub(crate) fn without_game(&self) {
        self.lock().without_game += 1;
    }

    /// Returns the number of boards so far.
    pub(crate) fn boards(&self) -> usize {
        self.lock().boards.len()
    }

    /// Samples the processes until the task is aborted.
    pub(crate) fn sample(self: &Arc<Report>, processes: Vec<u32>) -> JoinHandle<()> {
        let report = self.clone();
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(SAMPLE_INTERVAL);
            loop {
                ticks.tick().await;
                let resident_kib = processes.iter().filter_map(|id| resident_kib(*id)).sum();
                let processor_seconds = processes.iter().filter_map(|id| processor_seconds(*id)).sum();
                let mut measured = report.lock();
                let boards = measured.boards.len();
                measured.samples.push(Sample { at: Instant::now(), resident_kib, processor_seconds, boards });
            }
        })
    }

    /// Prints everything.
    pub(crate) fn print(&self, load: &Load) {
        let measured = self.lock();
        println!("{load:?}");
        print_times("typed move to its board", &measured.boards);
        print_servers(&measured.servers);
        print_times("button to acknowledgement", &measured.presses);
        println!("{} failures, {} moves found no free game", measured.failures.len(), measured.without_game);
        for failure in measured.failures.iter().take(10) {
            println!("  {failure}");
        }
        print_processes(&measured.samples);
    }

    fn lock(&self) -> MutexGuard<'_, Measured> {
        self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prints how evenly the servers are served.
fn print_servers(servers: &BTreeMap<usize, (usize, Duration)>) {
    let counts = || servers.values().map(|(count, _)| *count);
    let waits = || servers.values().map(|(_, longest)| *longest);
    let (Some(fewest), Some(most)) = (counts().min(), counts().max()) else { return };
    let (Some(shortest), Some(longest)) = (waits().min(), waits().max()) else { return };
    println!(
        "boards of a server: {fewest} to {most} on {} servers; its longest wait: {shortest:.1?} to {longest:.1?}",
        servers.len()
    );
}

fn print_times(name: &str, times: &[Duration]) {
    if times.is_empty() {
        return println!("{name}: none");
    }
    let mut sorted = times.to_vec();
    sorted.sort();
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    println!(
        "{name}: {} in all, p50 {:.1?}, p90 {:.1?}, p99 {:.1?}, longest {:.1?}",
        sorted.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    let mut from = 0;
    for class in CLASSES_MS {
        let to = sorted.partition_point(|time| *time <= Duration::from_millis(class));
        if to > from {
            println!("  up to {class:>6} ms: {:>8}", to - from);
        }
        from = to;
    }
    if from < sorted.len() {
        println!("  longer:          {:>8}", sorted.len() - from);
    }
}

/// Prints memory and processor time; the slope is that of a straight line through the second half.
fn print_processes(samples: &[Sample]) {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return };
    let moves = (last.boards - first.boards).max(1) as f64;
    let seconds = last.at.duration_since(first.at).as_secs_f64();
    let processor = last.processor_seconds - first.processor_seconds;
    println!(
        "processes together: {:.0} MiB at first, {:.0} MiB at last; {:.1} ms of a processor a move, {:.0} % of one; \
         {:.1} moves a second",
        first.resident_kib / 1024.0,
        last.resident_kib / 1024.0,
        1_000.0 * processor / moves,
        100.0 * processor / seconds.max(1.0),
        moves / seconds.max(1.0)
    );
    let half = &samples[samples.len() / 2..];
    let points: Vec<(f64, f64)> = half
        .iter()
        .map(|sample| (sample.at.duration_since(first.at).as_secs_f64() / 60.0, sample.resident_kib / 1024.0))
        .collect();
    if let Some(slope) = slope(&points) {
        let per_minute = 60.0 * moves / seconds.max(1.0);
        println!(
            "memory in the second half: {slope:+.2} MiB a minute, {:+.2} KiB a move",
            1024.0 * slope / per_minute
        );
    }
}

/// Returns the slope of the straight line with the least squared distances.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let shared: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (points.len() > 2 && spread > 0.0).then(|| shared / spread)
}

fn resident_kib(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn processor_seconds(process: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in brackets, may contain blanks. Then follow the fields from the third one.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = |field: Option<&str>| field?.parse::<f64>().ok();
    Some((ticks(fields.next())? + ticks(fields.next())?) / TICKS_PER_SECOND)
}
