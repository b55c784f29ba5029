//! `rookery match`: two players, many games, refereed by our rules.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::games::record::Record;
use crate::kit::player::{Ask, Level, Limits};
use crate::kit::rules::Setup;
use crate::kit::{Game, Play, Seat};
use crate::search::arena::{self, Played, Tally, Terms};

/// What a match is to be.
#[derive(Clone, Debug)]
pub struct MatchTerms<'a> {
    /// The first player: a level, a player that the game keeps as a measure, or a command that speaks the
    /// protocol of `rookery ugi`.
    pub a: &'a str,
    /// The second player.
    pub b: &'a str,
    /// The game's key.
    pub game: &'a str,
    /// How many games; an odd number is rounded up, since each opening is played from both seats.
    pub games: u32,
    /// CPU time a move.
    pub movetime: Duration,
    /// Positions looked at for a move, in place of time: the same match on any machine.
    pub nodes: Option<u64>,
    /// The openings come from this seed.
    pub seed: u64,
    /// Keep the games' records in this folder.
    pub records: Option<&'a Path>,
}

/// Plays a match and writes a line a game and the score with its error bars.
///
/// # Errors
/// If there is no such game or level, it is not for two, a command cannot be run, or a file cannot be
/// written. A player that fails or says nothing loses its game.
pub fn play_match(terms: &MatchTerms<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = super::named(terms.game)?;
    if !game.about().seats.contains(&2) {
        bail!("{} is not a game for two", game.about().key);
    }
    let start = game.start(&Setup::new(2).seeded(terms.seed))?;
    let player = |name| Player::new(name, game, terms);
    let (mut a, mut b) = (player(terms.a)?, player(terms.b)?);
    let rules = Terms::new(u64::from(terms.games.div_ceil(2)), terms.seed);
    let mut trouble = None;
    let mut said = 0;
    let tally = {
        let mut seen = |played: &Played| {
            said += 1;
            if let Err(error) = told(start.as_ref(), terms, said, played, out) {
                trouble.get_or_insert(error);
            }
        };
        let mut one = |play: &dyn Play, seed: u64| a.choose(play, seed);
        let mut two = |play: &dyn Play, seed: u64| b.choose(play, seed);
        arena::play(start.as_ref(), &rules, &mut one, &mut two, &mut seen)
    };
    trouble.map_or(Ok(()), Err)?;
    summary(terms, &tally, out)
}

fn summary(terms: &MatchTerms<'_>, tally: &Tally, out: &mut dyn Write) -> anyhow::Result<()> {
    let elo = tally.elo();
    Ok(writeln!(
        out,
        "{} against {}: {} games, {:.1} %, Elo {:+.0} ({:+.0} to {:+.0} with 95 %)",
        terms.a,
        terms.b,
        tally.games(),
        100.0 * tally.share(),
        elo.likely,
        elo.low,
        elo.high,
    )?)
}

/// A line about one game, and its record where records are kept.
fn told(
    start: &dyn Play,
    terms: &MatchTerms<'_>,
    number: u32,
    played: &Played,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let first_sat = played.seat.number();
    writeln!(
        out,
        "game {number}: {} sat {first_sat}, {} plies, {}",
        terms.a,
        played.record.len(),
        played.share
    )?;
    let Some(folder) = terms.records else { return Ok(()) };
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let mut play = start.clone_play();
    for text in &played.record {
        play.play(text)?;
    }
    let names = if played.seat == Seat::FIRST { [terms.a, terms.b] } else { [terms.b, terms.a] };
    let headers = [("Seat1", names[0]), ("Seat2", names[1])].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let record = Record::of(play.as_ref(), headers.into(), play.outcome().map(|outcome| outcome.winners));
    let path = folder.join(format!("{number:04}.txt"));
    std::fs::write(&path, record.write(2)).with_context(|| format!("{} cannot be written", path.display()))
}

/// Somebody who plays.
enum Player {
    Own { level: Level, limits: Limits },
    Measure { name: &'static str, limits: Limits },
    Other(Engine),
}

impl Player {
    fn new(name: &str, game: &'static dyn Game, terms: &MatchTerms<'_>) -> anyhow::Result<Player> {
        let measures = game.measures();
        if let Some(level) = Level::named(name) {
            return Ok(Player::Own { level, limits: limits(terms) });
        }
        if let Some(name) = measures.iter().find(|measure| **measure == name) {
            return Ok(Player::Measure { name, limits: limits(terms) });
        }
        let known = Level::ALL.iter().map(|level| level.key()).chain(measures);
        let known = known.collect::<Vec<_>>().join(", ");
        let engine = Engine::start(name, terms);
        Ok(Player::Other(engine.with_context(|| format!("{name:?} is no player of ours ({known})"))?))
    }

    fn choose(&mut self, play: &dyn Play, seed: u64) -> Option<String> {
        let ask = |level, limits: &Limits| Ask { limits: limits.clone(), ..Ask::new(level, seed) };
        let thought = match self {
            Player::Own { level, limits } => play.think(&ask(*level, limits)),
            Player::Measure { name, limits } => play.think_as(name, &ask(Level::Expert, limits)),
            Player::Other(engine) => return engine.choose(play).ok().flatten(),
        };
        thought.map(|thought| thought.best)
    }
}

/// What every move may take: positions if they are given, else CPU time, so that a busy machine does
/// nobody harm.
fn limits(terms: &MatchTerms<'_>) -> Limits {
    match terms.nodes {
        Some(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        None => Limits { time: Some(terms.movetime), cpu_time: true, ..Limits::default() },
    }
}

/// Another program, spoken to in the protocol of `rookery ugi`.
struct Engine {
    program: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    go: String,
}

impl Engine {
    fn start(command: &str, terms: &MatchTerms<'_>) -> anyhow::Result<Engine> {
        let mut words = command.split_whitespace();
        let name = words.next().context("a player is a level or a command; this one is empty")?;
        let program = Command::new(name).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut program = program.with_context(|| format!("{name:?} cannot be run as a command"))?;
        let to = program.stdin.take().context("the command has no standard input")?;
        let from = BufReader::new(program.stdout.take().context("the command has no standard output")?);
        let go = match terms.nodes {
            Some(nodes) => format!("go nodes {nodes}"),
            None => format!("go movetime {}", terms.movetime.as_millis()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn terms<'a>(a: &'a str, b: &'a str) -> MatchTerms<'a> {
        let movetime = Duration::from_millis(5);
        MatchTerms { a, b, game: "amazons", games: 1, movetime, nodes: None, seed: 1, records: None }
    }

    #[test]
    fn a_match_is_played_from_both_seats_and_its_records_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut out = Vec::new();
        play_match(&MatchTerms { records: Some(folder.path()), ..terms("random", "beginner") }, &mut out)
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("random against beginner: 2 games"), "{text}");
        let record = std::fs::read_to_string(folder.path().join("0002.txt")).unwrap();
        assert!(record.contains("[Seat1 \"beginner\"]"), "{record}");
        assert!(Record::read(&record).unwrap().replay().unwrap().outcome().is_some());
    }

    #[test]
    fn who_cannot_play_is_said_with_who_could() {
        let error = play_match(&terms("strong", "easy"), &mut Vec::new()).unwrap_err();
        assert!(format!("{error:#}").contains("expert"), "{error:#}");
    }
}
