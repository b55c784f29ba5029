//! The answers of a session.

use super::*;
use std::sync::mpsc::{Receiver, channel};

fn session() -> (Session, Receiver<String>) {
    let (tell, told) = channel();
    let tell = Mutex::new(tell);
    let send_line: LineSink = Arc::new(move |line: &str| {
        // The receiver is dropped once a test is done.
        let _ = tell.lock().unwrap().send(line.to_owned());
    });
    (Session::new(rookery_games::named("amazons").unwrap(), send_line), told)
}

fn said(lines: &[&str]) -> Vec<String> {
    let (mut session, told) = session();
    for line in lines {
        session.handle_line(line);
    }
    session.wait();
    drop(session);
    told.iter().collect()
}

/// The word after another one.
fn after<'a>(line: &'a str, word: &str) -> &'a str {
    line.split_whitespace().skip_while(|it| *it != word).nth(1).unwrap_or_default()
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
    let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
    let mut play = rookery_games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
    play.play("d1-d7/g7").unwrap();
    assert_eq!(play.read(best).as_deref(), Ok(best));
}

#[test]
fn thinks_with_several_threads_too() {
    let lines = said(&["ugi", "setoption name Threads value 3", "go nodes 20000"]);
    assert!(lines.iter().any(|line| line == "option name Threads type spin default 1 min 1 max 64"));
    let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
    let play = rookery_games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
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
fn every_round_is_told_with_the_time_it_took() {
    let lines = said(&["setoption name size value 6x6", "position startpos", "go depth 2"]);
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    let depths: Vec<u32> = infos.iter().map(|line| after(line, "depth").parse().unwrap()).collect();
    assert!(depths == [1, 2, 2], "{lines:?}");
    for line in &infos {
        let [_, nodes, nps] = ["time", "nodes", "nps"].map(|word| after(line, word).parse::<u64>().unwrap());
        assert!(nodes > 0 && nps > 0, "{line}");
    }
    let (last, rounds) = infos.split_last().unwrap();
    assert!(last.contains(" pv ") && rounds.iter().all(|line| !line.contains(" pv ")), "{lines:?}");
}

#[test]
fn a_clock_is_answered_with_a_move() {
    let lines = said(&["go wtime 600 btime 600 winc 0 binc 0 movestogo 20"]);
    let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
    assert!(best.contains('/'), "{lines:?}");
}

/// These searches can no longer be stopped, and none of them would end within this test.
#[test]
fn at_the_end_of_input_only_short_thoughts_are_waited_for() {
    for (endless, patience) in [("infinite", 60_000), ("movetime 36000000", 30), ("depth 1000", 30)] {
        let (mut session, told) = session();
        session.handle_line(&format!("go {endless}"));
        let start = Instant::now();
        session.finish(Duration::from_millis(patience));
        assert!(start.elapsed() < Duration::from_secs(30), "{endless}");
        drop(session);
        assert!(told.iter().last().unwrap().starts_with("bestmove "), "{endless}");
    }
    let (mut session, told) = session();
    session.handle_line("go nodes 3000");
    session.finish(Duration::ZERO);
    drop(session);
    let searched = told.iter().find(|line| line.contains(" pv ")).unwrap();
    assert!(after(&searched, "nodes").parse::<u64>().unwrap() >= 3000, "{searched}");
}

#[test]
fn invalid_position_clears_the_game() {
    let lines = said(&["position startpos", "position fen nonsense", "go depth 1", "d"]);
    assert_eq!(lines.iter().filter(|line| line.contains("error: no position")).count(), 2, "{lines:?}");
    assert!(lines.contains(&"bestmove 0000".to_owned()), "{lines:?}");
    let again = said(&["position fen nonsense", "uginewgame", "go depth 1"]);
    assert_ne!(again.last().map(String::as_str), Some("bestmove 0000"));
}

#[test]
fn a_start_may_have_as_many_seats_as_its_game() {
    let seats_in = |game: &str, lines: &[&str]| {
        let (tell, told) = channel();
        let tell = Mutex::new(tell);
        let send_line: LineSink =
            Arc::new(move |line: &str| drop(tell.lock().unwrap().send(line.to_owned())));
        let mut session = Session::new(rookery_games::named(game).unwrap(), send_line);
        for line in lines {
            session.handle_line(line);
        }
        let seats = session.play.as_ref().map(|play| play.seats());
        drop(session);
        (seats, told.iter().collect::<Vec<_>>())
    };
    let (seats, lines) = seats_in("penguins", &["ugi", "setoption name Seats value 3", "position startpos"]);
    assert_eq!(seats, Some(3));
    assert!(
        lines.contains(&"option name Seats type combo default 2 var 2 var 3 var 4".to_owned()),
        "{lines:?}"
    );
    let (seats, lines) = seats_in("penguin_soccer", &["setoption name Seats value 3", "uginewgame"]);
    assert_eq!(seats, Some(2));
    assert!(lines[0].contains("they are: 2, 4"), "{lines:?}");
    let (_, lines) = seats_in("amoeba", &["ugi"]);
    assert!(!lines.iter().any(|line| line.contains("Seats")), "{lines:?}");
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
        "position startpos",
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
