//! Who takes part in a match: a level, a measure, or another program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};

use crate::kit::player::{Ask, Level, Limits};
use crate::kit::{Game, Play};

/// Somebody who plays.
pub(super) enum Player {
    Own { level: Level, limits: Limits },
    Measure { name: &'static str, limits: Limits },
    Other(Engine),
}

impl Player {
    /// A level, a measure of the game or a command, which may take so much for a move.
    ///
    /// # Errors
    /// If there is no such level or measure, and no such command either.
    pub(super) fn new(name: &str, game: &'static dyn Game, limits: Limits) -> anyhow::Result<Player> {
        let measures = game.measures();
        if let Some(level) = Level::named(name) {
            return Ok(Player::Own { level, limits });
        }
        if let Some(name) = measures.iter().find(|measure| **measure == name) {
            return Ok(Player::Measure { name, limits });
        }
        let known = Level::ALL.iter().map(|level| level.key()).chain(measures);
        let known = known.collect::<Vec<_>>().join(", ");
        let engine = Engine::start(name, &limits);
        Ok(Player::Other(engine.with_context(|| format!("{name:?} is no player of ours ({known})"))?))
    }

    /// The text of its move; `None` if it fails or has none.
    pub(super) fn choose(&mut self, play: &dyn Play, seed: u64) -> Option<String> {
        let ask = |level, limits: &Limits| Ask { limits: limits.clone(), ..Ask::new(level, seed) };
        let thought = match self {
            Player::Own { level, limits } => play.think(&ask(*level, limits)),
            Player::Measure { name, limits } => play.think_as(name, &ask(Level::Expert, limits)),
            Player::Other(engine) => return engine.choose(play).ok().flatten(),
        };
        thought.map(|thought| thought.best)
    }
}

/// Another program, spoken to in the protocol of `rookery ugi`.
pub(super) struct Engine {
    program: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    go: String,
}

impl Engine {
    fn start(command: &str, limits: &Limits) -> anyhow::Result<Engine> {
        let mut words = command.split_whitespace();
        let name = words.next().context("a player is a level or a command; this one is empty")?;
        let program = Command::new(name).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut program = program.with_context(|| format!("{name:?} cannot be run as a command"))?;
        let to = program.stdin.take().context("the command has no standard input")?;
        let from = BufReader::new(program.stdout.take().context("the command has no standard output")?);
        let go = match (limits.nodes, limits.time) {
            (Some(nodes), _) => format!("go nodes {nodes}"),
            (None, time) => format!("go movetime {}", time.unwrap_or_default().as_millis()),
        };
        let mut engine = Engine { program, to, from, go };
        engine.introduce()?;
        Ok(engine)
    }

    /// Has it count CPU time, as our own players do, if it can.
    fn introduce(&mut self) -> anyhow::Result<()> {
        self.say("ugi")?;
        let mut counts_cpu_time = false;
        self.hear(|line| {
            counts_cpu_time |= line.starts_with("option name CpuTime ");
            line.starts_with("ugiok") || line.starts_with("uciok")
        })?;
        if counts_cpu_time {
            self.say("setoption name CpuTime value true")?;
        }
        Ok(())
    }

    fn choose(&mut self, play: &dyn Play) -> anyhow::Result<Option<String>> {
        self.say(&format!("position fen {} moves {}", play.start_line(), play.record().join(" ")))?;
        let go = self.go.clone();
        self.say(&go)?;
        let answer = self.hear(|line| line.starts_with("bestmove "))?;
        Ok(answer.split_whitespace().nth(1).map(str::to_owned))
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.to, "{line}")?;
        Ok(self.to.flush()?)
    }

    /// Reads on to the line that is meant.
    fn hear(&mut self, mut meant: impl FnMut(&str) -> bool) -> anyhow::Result<String> {
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line)? == 0 {
                bail!("the command ended before it had answered");
            }
            if meant(&line) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing of it is needed any more.
        let _ = self.say("quit");
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
