//! The `rookery` program: reads the words after the name and wires the parts together.

mod run;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use rookery::kit::player::Limits;
use rookery::ops::cli::{Cli, Command, LadderArgs, MatchArgs, PartArgs, PositionArgs, RecordedArgs};
use rookery::ops::config::{Effective, Sources};
use rookery::ops::health;
use rookery::render::{Grid, Pace};
use rookery::search::floe_fit::Round;
use rookery::tools::{self, Asked, BookTerms, LadderTerms, MatchTerms, Part, Recorded};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let command = cli.chosen();
    match obey(&command, &cli.sources()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if !matches!(command, Command::Run) && is_unread(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Whoever would read it may be gone as well.
            let _ = writeln!(std::io::stderr(), "rookery: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether it ended because nobody reads on: `rookery show amoeba | head -1` has what it wants.
fn is_unread(error: &anyhow::Error) -> bool {
    let system = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    system.is_some_and(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

fn obey(command: &Command, sources: &Sources) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match command {
        Command::Run => return run::run(&Effective::load(sources)?),
        Command::Config(config) => write!(out, "{}", config.answer(sources)?)?,
        Command::Health => {
            let listen = Effective::load(sources)?.config.health.listen;
            run::runtime()?.block_on(health::ask(listen))?;
            writeln!(out, "well")?;
        }
        Command::Perft(perft) => {
            let play = asked(&perft.game, &perft.from).find()?;
            tools::perft(play.as_ref(), perft.depth, &mut out)?;
        }
        Command::Bench(bench) if bench.levels => {
            tools::bench_levels(bench.game.as_deref(), &mut out)?;
        }
        Command::Bench(bench) if bench.depth => tools::bench_depth(bench.game.as_deref(), &mut out)?,
        Command::Bench(bench) => tools::bench(bench.game.as_deref(), bench.nodes, &mut out)?,
        Command::Book(words) => {
            let time = Some(Duration::from_millis(words.movetime));
            let limits = Limits { time, cpu_time: true, ..Limits::default() };
            tools::book(&BookTerms { plies: words.plies, limits, margin: words.margin }, &mut out)?;
        }
        Command::Fit(fit) => {
            let round = Round { games: fit.games, nodes: fit.nodes, seed: fit.seed };
            tools::fit(&fit.game, round, &mut out)?;
        }
        Command::Gallery(gallery) => tools::gallery(&gallery.dir, &mut out)?,
        Command::Replay(words) => {
            let pace = Pace { width_px: words.size, frame_ms: words.speed, last_ms: words.hold };
            tools::replay(recorded(&words.recorded), part(words.part), pace)?;
        }
        Command::Contact(words) => {
            let grid = Grid { columns: words.columns.into(), board_px: words.size };
            tools::contact(recorded(&words.recorded), part(words.part), words.boards.into(), grid)?;
        }
        Command::Card(words) => tools::card(recorded(&words.recorded))?,
        Command::Ladder(ladder) => {
            let LadderArgs { game, games, percent, seed } = ladder;
            tools::ladder(&LadderTerms { game, games: *games, percent: *percent, seed: *seed }, &mut out)?;
        }
        Command::Match(words) => tools::play_match(&match_terms(words), &mut out)?,
        Command::Ugi(ugi) => {
            // Lines are said from the thinking thread too: the output must not be held here.
            drop(out);
            tools::ugi(&ugi.game, std::io::stdin().lock())?;
        }
        Command::Sheet(sheet) => {
            tools::sheet(asked("paper_penguins", &sheet.from).find()?.as_ref(), &sheet.file)?;
        }
        Command::Show(show) => tools::show(asked(&show.game, &show.from).find()?.as_ref(), &mut out)?,
    }
    Ok(())
}

fn match_terms(words: &MatchArgs) -> MatchTerms<'_> {
    MatchTerms {
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

fn asked<'a>(game: &'a str, from: &'a PositionArgs) -> Asked<'a> {
    Asked { game, position: from.position.as_deref(), options: &from.options }
}
