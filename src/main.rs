//! The `rookery` program: parses the command line and connects the parts.

mod backups;
mod health_checks;
mod journal_commands;
mod run;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use rookery::cli::{Cli, Command, DoctorArgs, LadderArgs, MatchArgs, PartArgs, PositionArgs, RecordedArgs};
use rookery::config::{EffectiveConfig, Sources};
use rookery::doctor;
use rookery::observability::health;
use rookery::roles::{Role, Roles};
use rookery_core::player::Limits;
use rookery_games::floe::fit::Round;
use rookery_lab::{BookOptions, LadderOptions, MatchOptions, Part, PositionQuery, Recorded};
use rookery_render::{Grid, ReplaySettings};
use rookery_table::ChannelId;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let command = cli.command_or_default();
    match run_command(&command, &cli.sources()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if !matches!(command, Command::Run(_) | Command::Worker) && is_unread(&error) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            // Standard error may be closed as well.
            let _ = writeln!(std::io::stderr(), "rookery: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the error is a closed pipe: in `rookery show amoeba | head -1` the reader stops early on purpose.
fn is_unread(error: &anyhow::Error) -> bool {
    let system = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    system.is_some_and(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Prints what `rookery doctor` finds.
///
/// # Errors
/// If it finds a fault, or the settings can't be read.
fn examine(words: &DoctorArgs, sources: &Sources, out: &mut impl Write) -> anyhow::Result<()> {
    let config = EffectiveConfig::load(sources)?.config;
    let channel = words.channel.map(ChannelId);
    let findings = run::runtime()?.block_on(doctor::examine(&config, channel));
    for finding in &findings {
        write!(out, "{finding}")?;
    }
    writeln!(out, "{}", doctor::summary(&findings))?;
    anyhow::ensure!(!findings.iter().any(|it| it.verdict == doctor::Verdict::Fault), "see the faults above");
    Ok(())
}

fn run_command(command: &Command, sources: &Sources) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match command {
        Command::Run(words) => return run::run(&EffectiveConfig::load(sources)?, &Roles::of(&words.roles)),
        Command::Worker => return run::run(&EffectiveConfig::load(sources)?, &Roles::of(&[Role::Thinker])),
        Command::Config(config) => write!(out, "{}", config.answer(sources)?)?,
        Command::Health => {
            let listen = EffectiveConfig::load(sources)?.config.health.listen;
            run::runtime()?.block_on(health::ask(listen))?;
            writeln!(out, "well")?;
        }
        Command::Doctor(words) => examine(words, sources, &mut out)?,
        Command::Backup(words) => journal_commands::back_up(words, sources, &mut out)?,
        Command::Restore(words) => journal_commands::restore(words, sources, &mut out)?,
        Command::Check(words) => journal_commands::check(words, sources, &mut out)?,
        Command::MoveStore(words) => journal_commands::move_store(words, &mut out)?,
        Command::Perft(perft) => {
            let play = asked(&perft.game, &perft.from).find()?;
            rookery_lab::perft(play.as_ref(), perft.depth, &mut out)?;
        }
        Command::Bench(bench) if bench.levels => {
            rookery_lab::bench_levels(bench.game.as_deref(), &mut out)?;
        }
        Command::Bench(bench) if bench.depth => rookery_lab::bench_depth(bench.game.as_deref(), &mut out)?,
        Command::Bench(bench) => rookery_lab::bench(bench.game.as_deref(), bench.nodes, &mut out)?,
        Command::Book(words) => {
            let time = Some(Duration::from_millis(words.movetime));
            let limits = Limits { time, cpu_time: true, ..Limits::default() };
            rookery_lab::book(&BookOptions { plies: words.plies, limits, margin: words.margin }, &mut out)?;
        }
        Command::Fit(fit) => {
            let round = Round { games: fit.games, nodes: fit.nodes, seed: fit.seed };
            rookery_lab::fit(&fit.game, round, &mut out)?;
        }
        Command::Gallery(gallery) => rookery_lab::gallery(&gallery.dir, &mut out)?,
        Command::Replay(words) => {
            let pace = ReplaySettings { width_px: words.size, frame_ms: words.speed, last_ms: words.hold };
            rookery_lab::replay(recorded(&words.recorded), part(words.part), pace)?;
        }
        Command::Contact(words) => {
            let grid = Grid { columns: words.columns.into(), board_px: words.size };
            rookery_lab::contact(recorded(&words.recorded), part(words.part), words.boards.into(), grid)?;
        }
        Command::Card(words) => rookery_lab::card(recorded(&words.recorded))?,
        Command::Ladder(ladder) => {
            let LadderArgs { game, games, percent, seed } = ladder;
            rookery_lab::ladder(
                &LadderOptions { game, games: *games, percent: *percent, seed: *seed },
                &mut out,
            )?;
        }
        Command::Match(words) => rookery_lab::play_match(&match_terms(words), &mut out)?,
        Command::Ugi(ugi) => {
            // The search thread prints lines too, so the output must not stay locked here.
            drop(out);
            rookery_lab::ugi(&ugi.game, std::io::stdin().lock())?;
        }
        Command::Sheet(sheet) => {
            let play = asked(sheet.game(), &sheet.from).find()?;
            rookery_lab::sheet(play.as_ref(), sheet.paper, &sheet.file)?;
        }
        Command::Show(show) => rookery_lab::show(asked(&show.game, &show.from).find()?.as_ref(), &mut out)?,
    }
    Ok(())
}

fn match_terms(words: &MatchArgs) -> MatchOptions<'_> {
    MatchOptions {
        a: &words.a,
        b: &words.b,
        game: &words.game,
        seats: words.seats,
        games: words.games,
        movetime: Duration::from_millis(words.movetime),
        nodes: words.nodes,
        seed: words.seed,
        odds: words.odds,
        agreed: words.agreed,
        records: words.records.as_deref(),
    }
}

fn recorded(words: &RecordedArgs) -> Recorded<'_> {
    Recorded { file: &words.record, out: &words.out, theme: words.theme.as_deref(), side: words.side }
}

fn part(words: PartArgs) -> Part {
    Part { from: words.from, to: words.to }
}

fn asked<'a>(game: &'a str, from: &'a PositionArgs) -> PositionQuery<'a> {
    PositionQuery { game, position: from.position.as_deref(), options: &from.options }
}
