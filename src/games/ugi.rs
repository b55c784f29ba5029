//! A line protocol in the manner of UCI and UGI, so that tournament managers and other people's
//! engines can meet our players: `ugi`, `isready`, `uginewgame`, `setoption`, `position`, `go`,
//! `stop`, `d`, `quit`.
//!
//! The session reads lines and says lines; where they come from and go to is the caller's business.
//! `go` thinks on a thread of its own, so that `stop` can be heard.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::kit::company::Company;
use crate::kit::player::{Ask, Halt, Level, Limits, Thought, Value};
use crate::kit::rules::Setup;
use crate::kit::{Game, Play};

/// The most threads that one thought may have.
const MOST_THREADS: usize = 64;

/// Where lines go; called from the thinking thread too, one line at a time.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// One conversation about one game.
pub struct Session {
    game: &'static dyn Game,
    setup: Setup,
    play: Option<Box<dyn Play>>,
    level: Level,
    threads: usize,
    cpu_time: bool,
    seed: u64,
    book: bool,
    say: Say,
    thinking: Option<(Halt, JoinHandle<()>)>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("game", &self.game.about().key).finish_non_exhaustive()
    }
}

impl Session {
    /// A session in which nothing was said yet. Games of several numbers of seats begin with the fewest.
    pub fn new(game: &'static dyn Game, say: Say) -> Session {
        // Lines of two threads must not run into each other.
        let one_at_a_time = Mutex::new(());
        let say: Say = Arc::new(move |line: &str| {
            let _turn = one_at_a_time.lock().unwrap_or_else(PoisonError::into_inner);
            say(line);
        });
        let setup = Setup::new(game.about().fewest());
        let play = game.start(&setup).ok();
        Session {
            game,
            setup,
            play,
            level: Level::Expert,
            threads: 1,
            cpu_time: false,
            seed: 1,
            book: false,
            say,
            thinking: None,
        }
    }

    /// Hears one line. False after `quit`.
    pub fn hear(&mut self, line: &str) -> bool {
        let (word, rest) = split(line);
        let done = match word {
            "" | "stop" | "quit" => Ok(()),
            "ugi" | "uci" => self.introduce(),
            "isready" => self.tell("readyok"),
            "uginewgame" | "ucinewgame" => self.new_game(),
            "setoption" => self.set_option(rest),
            "position" => self.set_position(rest),
            "go" => self.go(rest),
            "d" => self.show(),
            _ => Err(format!(
                "unknown word `{word}`; known are ugi, isready, uginewgame, setoption, position, go, stop, d, quit"
            )),
        };
        if matches!(word, "stop" | "quit") {
            self.stop();
        }
        if let Err(fault) = done {
            (self.say)(&format!("info string error: {fault}"));
        }
        word != "quit"
    }

    /// Waits until a thought that is going on has been answered.
    pub fn wait(&mut self) {
        if let Some((_, thread)) = self.thinking.take() {
            // A thread that panicked has printed why; the session goes on.
            let _ = thread.join();
        }
    }

    fn stop(&mut self) {
        if let Some((halt, _)) = &self.thinking {
            halt.call();
        }
        self.wait();
    }

    fn tell(&self, line: &str) -> Result<(), String> {
        (self.say)(line);
        Ok(())
    }

    fn introduce(&self) -> Result<(), String> {
        let about = self.game.about();
        self.tell(&format!("id name Rookery {} {}", about.key, env!("CARGO_PKG_VERSION")))?;
        self.tell("id author the Rookery authors")?;
        let levels: Vec<_> = Level::ALL.iter().map(|level| format!("var {}", level.key())).collect();
        self.tell(&format!("option name Level type combo default expert {}", levels.join(" ")))?;
        self.tell(&format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"))?;
        self.tell("option name CpuTime type check default false")?;
        self.tell("option name OwnBook type check default false")?;
        self.tell("option name Seed type spin default 1 min 0 max 2147483647")?;
        for option in about.options {
            self.tell(&format!("option name {} type string default {}", option.key, option.default))?;
        }
        self.tell("ugiok")
    }

    fn new_game(&mut self) -> Result<(), String> {
        self.stop();
        self.play = Some(self.game.start(&self.setup).map_err(|fault| fault.to_string())?);
        Ok(())
    }

    fn set_option(&mut self, rest: &str) -> Result<(), String> {
        let named = rest.strip_prefix("name ").ok_or("write `setoption name NAME value VALUE`")?;
        let (name, value) = named.split_once(" value ").unwrap_or((named, ""));
        let (name, value) = (name.trim(), value.trim());
        match name.to_ascii_lowercase().as_str() {
            "level" => self.level = Level::named(value).ok_or(format!("no level `{value}`"))?,
            "threads" => self.threads = threads(value)?,
            "cputime" => self.cpu_time = value == "true",
            "ownbook" => self.book = value == "true",
            "seed" => self.seed = value.parse().map_err(|_| format!("`{value}` is no seed"))?,
            key => {
                let setup = self.setup.clone().with(key, value);
                setup.check(self.game.about()).map_err(|fault| fault.to_string())?;
                self.setup = setup;
            }
        }
        Ok(())
    }

    fn set_position(&mut self, rest: &str) -> Result<(), String> {
        self.stop();
        let (place, moves) = match rest.split_once("moves") {
            Some((place, moves)) => (place.trim(), moves),
            None => (rest.trim(), ""),
        };
        let mut play = match split(place) {
            ("startpos", _) => self.game.start(&self.setup).map_err(|fault| fault.to_string())?,
            ("fen", line) => self.game.resume(line).map_err(|fault| fault.to_string())?,
            _ => return Err("write `position startpos|fen LINE [moves …]`".to_owned()),
        };
        for text in moves.split_whitespace() {
            play.play(text).map_err(|fault| format!("{text}: {fault}"))?;
        }
        self.play = Some(play);
        Ok(())
    }

    fn show(&self) -> Result<(), String> {
        let play = self.play.as_ref().ok_or("no position")?;
        play.text_board().lines().try_for_each(|line| self.tell(line))?;
        self.tell(&format!("fen {}", play.line()))
    }

    fn go(&mut self, rest: &str) -> Result<(), String> {
        self.stop();
        let limits = limits(rest, self.cpu_time)?;
        let play = self.play.as_ref().ok_or("no position")?.clone_play();
        let halt = Halt::default();
        let company = Company::Of(self.threads - 1);
        let asked = Ask::new(self.level, self.seed);
        let ask = Ask { limits, book: self.book, company, halt: halt.clone(), ..asked };
        let say = Arc::clone(&self.say);
        let thread = std::thread::spawn(move || answer(&*play, &ask, &say));
        self.thinking = Some((halt, thread));
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
    }
}

fn answer(play: &dyn Play, ask: &Ask, say: &Say) {
    match play.think(ask) {
        None => say("bestmove (none)"),
        Some(thought) => {
            say(&info(&thought));
            say(&format!("bestmove {}", thought.best));
        }
    }
}

/// Scores as UCI writes them: hundredths, or plies to a proven end, negative for a loss.
fn info(thought: &Thought<String>) -> String {
    let score = match thought.value {
        Value::Opinion(hundredths) => format!("cp {hundredths}"),
        Value::Even => "cp 0".to_owned(),
        Value::Won(plies) => format!("mate {plies}"),
        Value::Lost(plies) => format!("mate -{plies}"),
    };
    let Thought { depth, nodes, line, .. } = thought;
    format!("info depth {depth} nodes {nodes} score {score} pv {}", line.join(" "))
}

fn limits(rest: &str, cpu_time: bool) -> Result<Limits, String> {
    let mut limits = Limits { cpu_time, ..Limits::default() };
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        if word == "infinite" {
            limits.time = Some(Duration::MAX);
            continue;
        }
        let value = words.next().ok_or(format!("`{word}` wants a number"))?;
        let number: u64 = value.parse().map_err(|_| format!("`{value}` is no whole number"))?;
        match word {
            "movetime" => limits.time = Some(Duration::from_millis(number)),
            "nodes" => limits.nodes = Some(number),
            "depth" => limits.depth = Some(number.min(1000) as u32),
            _ => return Err(format!("`go` knows movetime, nodes, depth, infinite, not `{word}`")),
        }
    }
    Ok(limits)
}

fn threads(value: &str) -> Result<usize, String> {
    let known = value.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
    known.ok_or(format!("`{value}` is no number of threads; a thought takes 1 to {MOST_THREADS}"))
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    fn session() -> (Session, Receiver<String>) {
        let (tell, told) = channel();
        let tell = Mutex::new(tell);
        let say: Say = Arc::new(move |line: &str| {
            // Nobody listens any more once a test has seen enough.
            let _ = tell.lock().unwrap().send(line.to_owned());
        });
        (Session::new(crate::games::named("amazons").unwrap(), say), told)
    }

    fn said(lines: &[&str]) -> Vec<String> {
        let (mut session, told) = session();
        for line in lines {
            session.hear(line);
        }
        session.wait();
        drop(session);
        told.iter().collect()
    }

    #[test]
    fn introduces_itself_and_is_ready() {
        let lines = said(&["ugi", "isready"]);
        assert!(lines[0].starts_with("id name Rookery amazons"));
        assert_eq!(lines[lines.len() - 2..], ["ugiok", "readyok"]);
    }

    #[test]
    fn thinks_about_the_position_it_is_given() {
        let lines = said(&["position startpos moves d1-d7/g7", "go nodes 3000"]);
        assert!(lines[0].starts_with("info depth 1 nodes"), "{lines:?}");
        let best = lines[1].strip_prefix("bestmove ").unwrap();
        let mut play = crate::games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
        play.play("d1-d7/g7").unwrap();
        assert_eq!(play.read(best).as_deref(), Ok(best));
    }

    #[test]
    fn thinks_with_several_threads_too() {
        let lines = said(&["ugi", "setoption name Threads value 3", "go nodes 20000"]);
        assert!(lines.iter().any(|line| line == "option name Threads type spin default 1 min 1 max 64"));
        let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        let play = crate::games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
        assert_eq!(play.read(best).as_deref(), Ok(best));
    }

    #[test]
    fn stops_when_told_and_answers_once() {
        let lines = said(&["go infinite", "stop", "isready"]);
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
        assert_eq!(lines.last().map(String::as_str), Some("readyok"));
    }

    #[test]
    fn goes_on_from_a_line_of_text_and_shows_it() {
        let shown = said(&["position startpos moves d1-d7/g7", "d"]);
        let fen = shown.last().unwrap().clone();
        let again = said(&[&format!("position {fen}"), "d"]);
        assert_eq!(again.last(), Some(&fen));
    }

    #[test]
    fn faults_are_said_and_change_nothing() {
        let lines = said(&[
            "fly",
            "position startpos moves a1-a2/a3",
            "go movetime",
            "setoption name size value 99x99",
            "setoption name level value giant",
            "setoption name Threads value 0",
            "setoption name Threads value 65",
            "setoption name Threads value many",
            "go depth 1",
        ]);
        let faults = lines.iter().filter(|line| line.starts_with("info string error: ")).count();
        assert_eq!(faults, 8, "{lines:?}");
        assert!(lines.last().unwrap().starts_with("bestmove "));
    }

    #[test]
    fn options_of_the_game_change_its_start() {
        let lines = said(&["setoption name size value 6x6", "uginewgame", "d"]);
        let rows = lines.last().unwrap().split('/').count();
        assert_eq!(rows, 6, "{lines:?}");
    }
}
