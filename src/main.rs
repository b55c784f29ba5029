//! The `rookery` program: reads the words after the name and wires the parts together.

mod run;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use rookery::ops::cli::{Cli, Command, PositionArgs};
use rookery::ops::config::{Effective, Sources};
use rookery::ops::health;
use rookery::tools::{self, Asked};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match obey(&cli.chosen(), &cli.sources()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rookery: {error:#}");
            ExitCode::FAILURE
        }
    }
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
        Command::Show(show) => tools::show(asked(&show.game, &show.from).find()?.as_ref(), &mut out)?,
    }
    Ok(())
}

fn asked<'a>(game: &'a str, from: &'a PositionArgs) -> Asked<'a> {
    Asked { game, position: from.position.as_deref(), options: &from.options }
}
