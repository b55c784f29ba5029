//! The participants of a match: a level, a baseline, or another program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::arena::{ChosenMove, Failure, MatchPlayer};
use rookery_core::player::{Level, Limits, SearchRequest, Value};
use rookery_core::{Game, Play};

pub(super) enum Player {
    Level { level: Level, limits: Limits },
    Baseline { name: &'static str, limits: Limits },
    Other(Engine),
}

impl Player {
    /// A level, a baseline of the game or a command, with limits per move.
    ///
    /// # Errors
    /// If there is no such level, baseline or command.
    pub(super) fn new(name: &str, game: &'static dyn Game, limits: Limits) -> anyhow::Result<Player> {
        let baselines = game.baselines();
        if let Some(level) = Level::named(name) {
            return Ok(Player::Level { level, limits });
        }
        if let Some(name) = baselines.iter().find(|measure| **measure == name) {
            return Ok(Player::Baseline { name, limits });
        }
        let known = Level::ALL.iter().map(|level| level.key()).chain(baselines);
        let known = known.collect::<Vec<_>>().join(", ");
        let engine = Engine::start(name, &limits);
        Ok(Player::Other(
            engine
                .with_context(|| format!("{name:?} is neither a built-in player ({known}) nor an engine"))?,
        ))
    }
}

impl MatchPlayer for Player {
    fn begin(&mut self) -> Result<(), Failure> {
        match self {
            Player::Other(engine) => engine.begin(),
            Player::Level { .. } | Player::Baseline { .. } => Ok(()),
        }
    }

    fn choose(&mut self, play: &dyn Play, seed: u64) -> Result<ChosenMove, Failure> {
        let request = |level, limits: &Limits| SearchRequest {
            limits: limits.clone(),
            ..SearchRequest::new(level, seed)
        };
        let search_result = match self {
            Player::Level { level, limits } => play.think(&request(*level, limits)),
            Player::Baseline { name, limits } => {
                play.think_as_baseline(name, &request(Level::Expert, limits))
            }
            Player::Other(engine) => return engine.choose(play),
        };
        search_result.map(ChosenMove::from).ok_or(Failure::NoMove)
    }
}

/// Time limit of an external program for everything except searching.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Wall time limit as a multiple of the time per move: the program counts CPU time on a machine that may be busy.
const WALL_TIME_FACTOR: u32 = 10;

/// An external program that speaks the protocol of `rookery ugi`.
pub(super) struct Engine {
    command: String,
    limits: Limits,
    program: Program,
    /// Whether it has failed: later output would not belong to the current request.
    failed: bool,
}

impl Engine {
    fn start(command: &str, limits: &Limits) -> anyhow::Result<Engine> {
        let program = Program::start(command, limits)?;
        Ok(Engine { command: command.to_owned(), limits: limits.clone(), program, failed: false })
    }

    /// Announces a new game. An engine that has failed is restarted.
    fn begin(&mut self) -> Result<(), Failure> {
        if self.failed {
            self.program = Program::start(&self.command, &self.limits).map_err(|_| Failure::Crashed)?;
            self.failed = false;
        }
        let begun = self.program.begin();
        self.failed = begun.is_err();
        begun
    }

    fn choose(&mut self, play: &dyn Play) -> Result<ChosenMove, Failure> {
        let chosen = self.program.choose(play);
        self.failed = chosen.is_err();
        chosen
    }
}

/// A running external program.
struct Program {
    child: Child,
    to: ChildStdin,
    /// Its output lines, read on a thread that ends with it.
    from: Receiver<String>,
    go: String,
    /// The commands sent before each game.
    new_game: &'static str,
    /// Its time limit per move; unknown if only positions are limited.
    patience: Option<Duration>,
}

impl Program {
    fn start(command: &str, limits: &Limits) -> anyhow::Result<Program> {
        let mut program = Program::spawn(command, limits)?;
        program
            .handshake()
            .with_context(|| format!("{command:?} doesn't answer `ugi`, the first line of the protocol"))?;
        Ok(program)
    }

    fn spawn(command: &str, limits: &Limits) -> anyhow::Result<Program> {
        let mut words = command.split_whitespace();
        let name = words
            .next()
            .context("a player's name is empty; give a level, a reference player or a command")?;
        let child = Command::new(name).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.with_context(|| format!("can't run {name:?} as a command"))?;
        let to = child.stdin.take().context("the command has no standard input")?;
        let from = lines(child.stdout.take().context("the command has no standard output")?);
        let go = match (limits.nodes, limits.time) {
            (Some(nodes), _) => format!("go nodes {nodes}"),
            (None, time) => format!("go movetime {}", time.unwrap_or_default().as_millis()),
        };
        let patience = limits
            .time
            .filter(|_| limits.nodes.is_none())
            .map(|time| RESPONSE_TIMEOUT + time * WALL_TIME_FACTOR);
        Ok(Program { child, to, from, go, new_game: "uginewgame", patience })
    }

    /// Makes it count CPU time, as our own players do, if it supports that.
    fn handshake(&mut self) -> Result<(), Failure> {
        self.send_line("ugi")?;
        let mut counts_cpu_time = false;
        let hello = self.read_until(Some(RESPONSE_TIMEOUT), |line| {
            counts_cpu_time |= line.starts_with("option name CpuTime ");
            line.starts_with("ugiok") || line.starts_with("uciok")
        })?;
        if hello.starts_with("uciok") {
            self.new_game = "ucinewgame";
        }
        if counts_cpu_time {
            self.send_line("setoption name CpuTime value true")?;
        }
        Ok(())
    }

    /// Announces a new game, and waits until the program is ready.
    fn begin(&mut self) -> Result<(), Failure> {
        self.send_line(self.new_game)?;
        self.send_line("isready")?;
        self.read_until(Some(RESPONSE_TIMEOUT), |line| line.starts_with("readyok")).map(drop)
    }

    fn choose(&mut self, play: &dyn Play) -> Result<ChosenMove, Failure> {
        self.send_line(&format!("position fen {} moves {}", play.start_line(), play.record().join(" ")))?;
        let go = self.go.clone();
        self.send_line(&go)?;
        let mut value = None;
        let answer = self.read_until(self.patience, |line| {
            value = score(line).or(value);
            line.starts_with("bestmove ")
        })?;
        let text = answer.split_whitespace().nth(1).map(str::to_owned).ok_or(Failure::NoMove)?;
        Ok(ChosenMove { text, value })
    }

    /// Sends a line; an error means that the program has ended.
    fn send_line(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.to, "{line}").and_then(|()| self.to.flush()).map_err(|_| Failure::Crashed)
    }

    /// Reads up to the expected line. A late answer would be mistaken for the answer to the next request, so after a
    /// timeout the program is killed.
    fn read_until(
        &mut self,
        patience: Option<Duration>,
        mut meant: impl FnMut(&str) -> bool,
    ) -> Result<String, Failure> {
        let until = patience.map(|patience| Instant::now() + patience);
        loop {
            let line = match until {
                None => self.from.recv().map_err(RecvTimeoutError::from),
                Some(until) => self.from.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match line {
                Ok(line) if meant(&line) => return Ok(line),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Crashed),
                Err(RecvTimeoutError::Timeout) => {
                    // It may have ended in the meantime.
                    let _ = self.child.kill();
                    return Err(Failure::Silent);
                }
            }
        }
    }
}

/// The score of a line such as `info depth 7 score cp -31 pv ...`.
fn score(line: &str) -> Option<Value> {
    let mut words = line.split_whitespace();
    words.next().filter(|word| *word == "info")?;
    words.find(|word| *word == "score")?;
    let unit = words.next()?;
    let number: i32 = words.next()?.parse().ok()?;
    match unit {
        "cp" => Some(Value::Estimate(number)),
        "mate" if number > 0 => Some(Value::Won(number.unsigned_abs())),
        "mate" => Some(Value::Lost(number.unsigned_abs())),
        _ => None,
    }
}

/// Reads a program's output line by line.
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

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already; its output is no longer needed.
        let _ = self.send_line("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_engine_times_out() {
        let mut silent = Program::spawn("sleep 600", &Limits::default()).unwrap();
        assert_eq!(silent.read_until(Some(Duration::ZERO), |_| true), Err(Failure::Silent));
        assert_eq!(silent.read_until(None, |_| true), Err(Failure::Crashed));
    }

    #[test]
    fn a_score_is_read_from_what_a_program_says_while_it_thinks() {
        assert_eq!(score("info depth 7 score cp -31 pv d1-d7/g7"), Some(Value::Estimate(-31)));
        assert_eq!(score("info score mate 3"), Some(Value::Won(3)));
        assert_eq!(score("info score mate -2 nodes 10"), Some(Value::Lost(2)));
        assert_eq!(score("info score mate 0"), Some(Value::Lost(0)), "UCI's word for who is mated already");
        for line in ["info depth 7", "info score cp", "info score cp x", "bestmove score cp 3", ""] {
            assert_eq!(score(line), None, "{line}");
        }
    }
}
