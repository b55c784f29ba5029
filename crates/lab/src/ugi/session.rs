//! A line protocol in the manner of UCI and UGI, so that tournament managers and other engines can play against our
//! players: `ugi`, `isready`, `uginewgame`, `setoption`, `position`, `go`, `stop`, `d`, `quit`.
//!
//! The session processes input lines and sends output lines to a callback. `go` searches on its own thread, so that
//! `stop` can be processed.

mod go;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rookery_core::helper_threads::HelperThreads;
use rookery_core::player::{
    Halt, Level, Limits, Progress, ProgressListener, SearchRequest, SearchResult, Value,
};
use rookery_core::rules::Setup;
use rookery_core::{Game, Play};

/// The maximum number of threads of a search.
const MAX_THREADS: usize = 64;

/// The answer if there is no position to search.
const NO_POSITION: &str = "no position, because the last one couldn't be set up; send `position startpos`";

/// The callback for output lines; also called from the search thread, one line at a time.
pub(super) type LineSink = Arc<dyn Fn(&str) + Send + Sync>;

/// One session of one game.
pub(super) struct Session {
    game: &'static dyn Game,
    setup: Setup,
    play: Option<Box<dyn Play>>,
    level: Level,
    threads: usize,
    cpu_time: bool,
    seed: u64,
    book: bool,
    send_line: LineSink,
    thinking: Option<Thinking>,
}

/// A search that may be running.
struct Thinking {
    limits: Limits,
    halt: Halt,
    thread: JoinHandle<()>,
}

impl Thinking {
    /// Whether it is limited by nodes or depth, or by at most this time; a level's own time is short.
    fn ends_within(&self, patience: Duration) -> bool {
        let Limits { time, nodes, depth, .. } = self.limits;
        nodes.is_some() || time.is_some_and(|time| time <= patience) || (time.is_none() && depth.is_none())
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("game", &self.game.info().key).finish_non_exhaustive()
    }
}

impl Session {
    /// Creates a session. Games for several numbers of seats start with the fewest.
    pub(super) fn new(game: &'static dyn Game, send_line: LineSink) -> Session {
        // Lines of two threads must not be interleaved.
        let one_at_a_time = Mutex::new(());
        let send_line: LineSink = Arc::new(move |line: &str| {
            let _turn = one_at_a_time.lock().unwrap_or_else(PoisonError::into_inner);
            send_line(line);
        });
        let setup = Setup::new(game.info().fewest());
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
            send_line,
            thinking: None,
        }
    }

    /// Processes one line. False after `quit`.
    pub(super) fn handle_line(&mut self, line: &str) -> bool {
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
                "unknown command `{word}`; use ugi, isready, uginewgame, setoption, position, go, stop, d or quit"
            )),
        };
        if matches!(word, "stop" | "quit") {
            self.stop();
        }
        if let Err(fault) = done {
            self.fault(&fault);
        }
        word != "quit"
    }

    /// No more input will come: a running search is still answered. A search limited by nodes or depth, or by time
    /// within `patience`, runs to its end; any other is halted after that time, and at once if it has no limit.
    pub(super) fn finish(&mut self, patience: Duration) {
        let open = self.thinking.as_ref().filter(|thinking| !thinking.ends_within(patience));
        if let Some(thinking) = open {
            let endless = thinking.limits.time == Some(Duration::MAX);
            let until = Instant::now() + if endless { Duration::ZERO } else { patience };
            while !thinking.thread.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(5));
            }
            thinking.halt.call();
        }
        self.wait();
    }

    fn wait(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            // A thread that panicked has printed the reason; the session continues.
            let _ = thinking.thread.join();
        }
    }

    fn stop(&mut self) {
        if let Some(thinking) = &self.thinking {
            thinking.halt.call();
        }
        self.wait();
    }

    fn fault(&self, fault: &str) {
        (self.send_line)(&format!("info string error: {fault}"));
    }

    fn tell(&self, line: &str) -> Result<(), String> {
        (self.send_line)(line);
        Ok(())
    }

    fn introduce(&self) -> Result<(), String> {
        let about = self.game.info();
        self.tell(&format!("id name Rookery {} {}", about.key, env!("CARGO_PKG_VERSION")))?;
        self.tell("id author the Rookery authors")?;
        let levels: Vec<_> = Level::ALL.iter().map(|level| format!("var {}", level.key())).collect();
        self.tell(&format!("option name Level type combo default expert {}", levels.join(" ")))?;
        self.tell(&format!("option name Threads type spin default 1 min 1 max {MAX_THREADS}"))?;
        self.tell("option name CpuTime type check default false")?;
        self.tell("option name OwnBook type check default false")?;
        self.tell("option name Seed type spin default 1 min 0 max 2147483647")?;
        if let [fewest, _, ..] = about.seats {
            let seats: Vec<_> = about.seats.iter().map(|seats| format!("var {seats}")).collect();
            self.tell(&format!("option name Seats type combo default {fewest} {}", seats.join(" ")))?;
        }
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
            "level" => self.level = Level::named(value).ok_or(format!("there's no level `{value}`"))?,
            "threads" => self.threads = threads(value)?,
            "cputime" => self.cpu_time = value == "true",
            "ownbook" => self.book = value == "true",
            "seed" => self.seed = value.parse().map_err(|_| format!("Seed needs a number, not `{value}`"))?,
            "seats" => self.setup.seats = self.seats(value)?,
            key => {
                let setup = self.setup.clone().with(key, value);
                setup.check(self.game.info()).map_err(|fault| fault.to_string())?;
                self.setup = setup;
            }
        }
        Ok(())
    }

    fn seats(&self, value: &str) -> Result<usize, String> {
        let known = self.game.info().seats;
        value.parse().ok().filter(|seats| known.contains(seats)).ok_or_else(|| {
            let known = known.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            format!("this game can't have `{value}` seats; they are: {known}")
        })
    }

    fn set_position(&mut self, rest: &str) -> Result<(), String> {
        self.stop();
        // After an unreadable position the previous one is no longer valid.
        self.play = None;
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
        let play = self.play.as_ref().ok_or(NO_POSITION)?;
        play.text_board().lines().try_for_each(|line| self.tell(line))?;
        self.tell(&format!("fen {}", play.line()))
    }

    /// Starts a search. Without a position it still answers, with a null move, because a manager waits for an answer.
    fn go(&mut self, rest: &str) -> Result<(), String> {
        self.stop();
        if let Err(fault) = self.start(rest) {
            self.fault(&fault);
            (self.send_line)("bestmove 0000");
        }
        Ok(())
    }

    fn start(&mut self, rest: &str) -> Result<(), String> {
        let play = self.play.as_ref().ok_or(NO_POSITION)?.clone_play();
        let limits = go::limits(rest, self.cpu_time, play.side(play.turn()))?;
        let halt = Halt::default();
        let helpers = HelperThreads::Count(self.threads - 1);
        let asked = SearchRequest::new(self.level, self.seed);
        let request =
            SearchRequest { limits: limits.clone(), book: self.book, helpers, halt: halt.clone(), ..asked };
        let send_line = Arc::clone(&self.send_line);
        let thread = thread::spawn(move || answer(&*play, request, &send_line));
        self.thinking = Some(Thinking { limits, halt, thread });
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Prints a line for each iteration of the search, one for the result, and the move.
fn answer(play: &dyn Play, request: SearchRequest, send_line: &LineSink) {
    let (start, send_progress) = (Instant::now(), Arc::clone(send_line));
    let progress = ProgressListener::new(move |progress| send_progress(&info(progress, start.elapsed())));
    match play.think(&SearchRequest { progress, ..request }) {
        None => send_line("bestmove (none)"),
        Some(SearchResult { best, value, depth, nodes, line, .. }) => {
            let progress = Progress { depth, nodes, value };
            send_line(&format!("{} pv {}", info(progress, start.elapsed()), line.join(" ")));
            send_line(&format!("bestmove {best}"));
        }
    }
}

/// Scores in UCI's format: hundredths, or plies to a proven end, negative for a loss. Time is wall time.
fn info(Progress { depth, nodes, value }: Progress, took: Duration) -> String {
    let score = match value {
        Value::Estimate(hundredths) => format!("cp {hundredths}"),
        Value::Drawn => "cp 0".to_owned(),
        Value::Won(plies) => format!("mate {plies}"),
        Value::Lost(plies) => format!("mate -{plies}"),
    };
    let nps = (nodes as f64 / took.as_secs_f64().max(1e-6)) as u64;
    format!("info depth {depth} time {} nodes {nodes} nps {nps} score {score}", took.as_millis())
}

fn threads(value: &str) -> Result<usize, String> {
    let known = value.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    known.ok_or(format!("Threads must be from 1 to {MAX_THREADS}, not `{value}`"))
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}
