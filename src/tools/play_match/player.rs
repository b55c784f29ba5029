//! Who takes part in a match: a level, a measure, or another program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

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

/// How long another program may take for anything beside thinking.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many times the time of a move it may think, by the wall: it counts CPU time on a machine that may be busy.
const BUSY: u32 = 10;

/// Another program, spoken to in the protocol of `rookery ugi`.
pub(super) struct Engine {
    program: Child,
    to: ChildStdin,
    /// Its lines, read on a thread that ends with it.
    from: Receiver<String>,
    go: String,
    /// How long it may think; with positions limited it is not known how long they take.
    patience: Option<Duration>,
}

impl Engine {
    fn start(command: &str, limits: &Limits) -> anyhow::Result<Engine> {
        let mut engine = Engine::spawn(command, limits)?;
        engine.introduce()?;
        Ok(engine)
    }

    fn spawn(command: &str, limits: &Limits) -> anyhow::Result<Engine> {
        let mut words = command.split_whitespace();
        let name = words.next().context("a player is a level or a command; this one is empty")?;
        let program = Command::new(name).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut program = program.with_context(|| format!("{name:?} cannot be run as a command"))?;
        let to = program.stdin.take().context("the command has no standard input")?;
        let from = lines(program.stdout.take().context("the command has no standard output")?);
        let go = match (limits.nodes, limits.time) {
            (Some(nodes), _) => format!("go nodes {nodes}"),
            (None, time) => format!("go movetime {}", time.unwrap_or_default().as_millis()),
        };
        let patience = limits.time.filter(|_| limits.nodes.is_none()).map(|time| PATIENCE + time * BUSY);
        Ok(Engine { program, to, from, go, patience })
    }

    /// Has it count CPU time, as our own players do, if it can.
    fn introduce(&mut self) -> anyhow::Result<()> {
        self.say("ugi")?;
        let mut counts_cpu_time = false;
        self.hear(Some(PATIENCE), |line| {
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
        let answer = self.hear(self.patience, |line| line.starts_with("bestmove "))?;
        Ok(answer.split_whitespace().nth(1).map(str::to_owned))
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.to, "{line}")?;
        Ok(self.to.flush()?)
    }

    /// Reads on to the line that is meant. One that comes too late would be taken for the answer to the next
    /// question: the program is ended.
    fn hear(
        &mut self,
        patience: Option<Duration>,
        mut meant: impl FnMut(&str) -> bool,
    ) -> anyhow::Result<String> {
        let until = patience.map(|patience| Instant::now() + patience);
        loop {
            let line = match until {
                None => self.from.recv().map_err(RecvTimeoutError::from),
                Some(until) => self.from.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match line {
                Ok(line) if meant(&line) => return Ok(line),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("the command ended before it had answered"),
                Err(RecvTimeoutError::Timeout) => {
                    self.program.kill()?;
                    bail!("the command was silent for too long");
                }
            }
        }
    }
}

/// What a program says, line by line.
fn lines(from: ChildStdout) -> Receiver<String> {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines() {
            let Ok(line) = line else { return };
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    told
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing of it is needed any more.
        let _ = self.say("quit");
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_says_nothing_is_not_waited_for() {
        let mut silent = Engine::spawn("sleep 600", &Limits::default()).unwrap();
        let error = silent.hear(Some(Duration::ZERO), |_| true).unwrap_err().to_string();
        assert!(error.contains("silent"), "{error}");
        let error = silent.hear(None, |_| true).unwrap_err().to_string();
        assert!(error.contains("ended"), "{error}");
    }
}
