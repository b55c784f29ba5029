//! Runs seeds of the simulation: `rookery-simulation --seeds 1000`, or one with its trace:
//! `rookery-simulation --seed 7`. With `RUST_LOG=rookery=debug` the trace of one seed has the bot's own log lines too.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use rookery_simulation::{Options, Output, Report, run, run_seeds};

/// Runs the bot under a seeded scheduler, clock, network and disk.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many seeds to run.
    #[arg(long, default_value_t = 200)]
    seeds: u64,
    /// The first of them.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Runs this seed alone, and prints its trace.
    #[arg(long)]
    seed: Option<u64>,
    /// Prints the digest of every seed, to compare two runs.
    #[arg(long)]
    digests: bool,
    /// How many processes a simulation has; by default one seed of four has two.
    #[arg(long)]
    processes: Option<usize>,
    /// How many seeds run at the same time; 0 is one for each processor.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let options = Options { processes: arguments.processes, ..Options::default() };
    if let Some(seed) = arguments.seed {
        let filter = tracing_subscriber::EnvFilter::from_default_env();
        tracing_subscriber::fmt().with_env_filter(filter).without_time().with_ansi(false).init();
        let report = run(seed, Options { output: Output::Print, ..options });
        show(&report);
        return exit_code(report.violations.is_empty());
    }
    let began = Instant::now();
    let seeds = arguments.first..arguments.first + arguments.seeds;
    let totals = run_seeds(seeds, arguments.threads, options, |report| {
        if arguments.digests || !report.violations.is_empty() {
            show(report);
        }
    });
    let (seconds, counts) = (began.elapsed().as_secs_f64(), totals.counts);
    let each = seconds / arguments.seeds.max(1) as f64;
    print(&format!("{} seeds in {seconds:.1} s, {each:.3} s each: {counts:?}", arguments.seeds));
    print(&format!("{} seeds failed", totals.failed.len()));
    exit_code(totals.failed.is_empty())
}

fn show(report: &Report) {
    for violation in &report.violations {
        print(&format!("seed {}: {violation}", report.seed));
    }
    print(&format!("seed {}: digest {}, {:?}", report.seed, report.digest, report.counts));
}

fn print(line: &str) {
    // A reader that has gone needs no line.
    let _gone = writeln!(std::io::stdout(), "{line}");
}

fn exit_code(is_fine: bool) -> ExitCode {
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
