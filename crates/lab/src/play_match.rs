//! `rookery match`: two players play many games, refereed by this project's rules.

mod player;
mod records;

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::bail;

use self::player::Player;
use self::records::MatchRecords;
use crate::arena::{self, MatchSettings, PlayedGame, Tally, Termination};
use rookery_core::player::Limits;

/// Consecutive failures of one player that end the match.
const MAX_FAILURES: u32 = 3;

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct MatchOptions<'a> {
    /// The first player: a level, a baseline of the game, or a command that speaks the protocol of `rookery ugi`.
    pub a: &'a str,
    /// The second player: level, baseline or command.
    pub b: &'a str,
    /// Key of the game, such as `amazons`.
    pub game: &'a str,
    /// Seats per game; the second player has all but one.
    pub seats: usize,
    /// Number of games; rounded up, since each opening is played with the first player on every seat.
    pub games: u32,
    /// CPU time per move.
    pub movetime: Duration,
    /// Positions per move, instead of time: the match is then the same on any machine.
    pub nodes: Option<u64>,
    /// The seed of the openings.
    pub seed: u64,
    /// The first player gets one part in this many of the time or the positions; 1 for equal terms.
    pub odds: u32,
    /// Adjudicate a game of two if both players consider it won by this many hundredths, two moves of each in a row.
    pub agreed: Option<i32>,
    /// The file of the games' records; games already in it are counted.
    pub records: Option<&'a Path>,
}

impl MatchOptions<'_> {
    /// The limits of every move of a player that gets one part in `part`: positions if given, otherwise CPU time, so
    /// that the load of the machine makes no difference.
    fn limits(&self, part: u32) -> Limits {
        match self.nodes {
            Some(nodes) => Limits { nodes: Some(nodes / u64::from(part)), ..Limits::default() },
            None => Limits { time: Some(self.movetime / part), cpu_time: true, ..Limits::default() },
        }
    }

    /// The description of the match in its records.
    fn event(&self) -> String {
        let each = match self.nodes {
            Some(nodes) => format!("{nodes} positions"),
            None => format!("{} ms of CPU time", self.movetime.as_millis()),
        };
        let odds = if self.odds == 1 { String::new() } else { format!(", odds {}", self.odds) };
        format!("{} against {}, {each} a move{odds}, seed {}", self.a, self.b, self.seed)
    }
}

/// Plays a match and writes a line per game and the score with its confidence interval. With a record file, an
/// interrupted match continues with the missing games.
///
/// # Errors
/// If there is no such game or level, the game does not have this many seats, adjudication is requested with more than
/// two seats, a command cannot be run, or a file cannot be read or written or belongs to another match. A player that
/// fails or does not answer forfeits its game and is restarted for the next one; three such games in a row end the
/// match.
pub fn play_match(terms: &MatchOptions<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = super::named(terms.game)?;
    let about = game.info();
    if !about.seats.contains(&terms.seats) {
        let known = about.seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        bail!(
            "{} can't be played with --seats {}. Its numbers of seats are: {known}",
            about.key,
            terms.seats
        );
    }
    if terms.agreed.is_some() && terms.seats != 2 {
        bail!("--agreed works only in games for two. Leave it out with --seats {}", terms.seats);
    }
    let rules =
        MatchSettings { agreed: terms.agreed, ..MatchSettings::new(terms.seats, terms.games, terms.seed) };
    let starts = |opening: u64| super::opened(game, &rules, opening);
    let mut a = Player::new(terms.a, game, terms.limits(terms.odds))?;
    let mut b = Player::new(terms.b, game, terms.limits(1))?;
    let kept = terms.records.map(|file| MatchRecords::new(file, [terms.a, terms.b], terms.event(), rules));
    let known = match &kept {
        Some(kept) => kept.read(&starts)?,
        None => Vec::new(),
    };
    let mut failures = Failures::default();
    let seen = |played: &PlayedGame| {
        game_line(terms, &rules, played, out)?;
        if let Some(kept) = &kept {
            kept.keep(starts(played.opening).as_ref(), played)?;
        }
        failures.record_forfeit(terms, played)
    };
    let shares = arena::play(&starts, &rules, &known, &mut a, &mut b, seen)?;
    if !known.is_empty() {
        writeln!(out, "{} of these games come from the records file", known.len())?;
    }
    write!(out, "{} against {}: {} games, ", terms.a, terms.b, shares.len())?;
    if terms.seats == 2 { between_two(&Tally::of(&shares), out) } else { among_several(&rules, &shares, out) }
}

fn among_several(rules: &MatchSettings, shares: &[f64], out: &mut dyn Write) -> anyhow::Result<()> {
    let (mean, half) = arena::mean(shares);
    let [mean, half, fair] = [mean, half, rules.fair()].map(|share| 100.0 * share);
    Ok(writeln!(out, "{mean:.1} % ± {half:.1} (95 % interval), where {fair:.1} % is a fair share")?)
}

fn between_two(tally: &Tally, out: &mut dyn Write) -> anyhow::Result<()> {
    let elo = tally.elo();
    Ok(writeln!(
        out,
        "+{} -{} ={}, {:.1} %, Elo {:+.0} (95 % interval {:+.0} to {:+.0})",
        tally.wins,
        tally.losses,
        tally.draws,
        100.0 * tally.share(),
        elo.likely,
        elo.low,
        elo.high,
    )?)
}

/// The number of consecutive games that the first and the second player forfeited.
#[derive(Default)]
struct Failures([u32; 2]);

impl Failures {
    fn record_forfeit(&mut self, terms: &MatchOptions<'_>, played: &PlayedGame) -> anyhow::Result<()> {
        for (in_a_row, (name, failed)) in self.0.iter_mut().zip([(terms.a, true), (terms.b, false)]) {
            let why = match &played.termination {
                Some(Termination::Forfeit { seat, why }) if (*seat == played.seat) == failed => why,
                _ => {
                    *in_a_row = 0;
                    continue;
                }
            };
            *in_a_row += 1;
            if *in_a_row == MAX_FAILURES {
                bail!(
                    "{name} failed in {MAX_FAILURES} games in a row, so the match ends. The last time: {why}"
                );
            }
        }
        Ok(())
    }
}

/// The line about one game.
fn game_line(
    terms: &MatchOptions<'_>,
    rules: &MatchSettings,
    played: &PlayedGame,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (number, plies) = (records::number(rules, played.opening, played.seat), played.record.len());
    let (a, seat, share) = (terms.a, played.seat.number(), played.share);
    write!(out, "game {number}: {a} in seat {seat}, {plies} plies, score {share}")?;
    match &played.termination {
        None => {}
        Some(Termination::Adjudicated { .. }) => write!(out, ", as both players agreed")?,
        Some(Termination::Forfeit { seat, why }) => {
            let who = if *seat == played.seat { terms.a } else { terms.b };
            write!(out, ", {who} forfeited: {why}")?;
        }
    }
    writeln!(out)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_games::record::Record;

    fn terms<'a>(a: &'a str, b: &'a str) -> MatchOptions<'a> {
        let movetime = Duration::from_millis(5);
        MatchOptions {
            a,
            b,
            game: "amazons",
            seats: 2,
            games: 1,
            movetime,
            nodes: None,
            seed: 1,
            odds: 1,
            agreed: None,
            records: None,
        }
    }

    #[test]
    fn a_match_is_played_from_both_seats_and_its_records_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("matches/first.txt");
        let mut out = Vec::new();
        play_match(&MatchOptions { records: Some(&file), ..terms("random", "beginner") }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("random against beginner: 2 games"), "{text}");
        let records = std::fs::read_to_string(file).unwrap();
        let (_, second) = records.split_once("\n\n[Game").unwrap();
        assert!(second.contains("[Seat1 \"beginner\"]") && second.contains("[Round \"2\"]"), "{records}");
        let record = Record::read(&format!("[Game{second}")).unwrap();
        assert!(record.replay().unwrap().outcome().is_some());
    }

    /// The players of the second match are unavailable: all output comes from the records of the first.
    #[test]
    fn an_interrupted_match_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("match.txt");
        let asked = MatchOptions { records: Some(&file), ..terms("beginner", "random") };
        let played = |terms: &MatchOptions<'_>| {
            let mut out = Vec::new();
            play_match(terms, &mut out).map(|()| String::from_utf8(out).unwrap())
        };
        let first = played(&asked).unwrap();
        let whole = std::fs::read_to_string(&file).unwrap();
        let second = whole.rfind("[Game").unwrap();
        std::fs::write(&file, &whole[..second]).unwrap();
        let again = played(&asked).unwrap();
        assert!(!again.contains("game 1:") && again.contains("game 2:"), "{again}");
        assert!(again.contains("1 of these games"), "{again}");
        assert_eq!(again.lines().last(), first.lines().last());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), whole);
        let others = [
            MatchOptions { seed: 2, ..asked.clone() },
            MatchOptions { a: "easy", ..asked.clone() },
            MatchOptions { movetime: Duration::from_millis(6), ..asked },
        ];
        for other in others {
            let error = format!("{:#}", played(&other).unwrap_err());
            assert!(error.contains("match.txt, line 1") && error.contains("another match"), "{error}");
        }
    }

    /// Without adjudication, adjudicated games are played again.
    #[test]
    fn a_game_that_both_agree_about_is_recorded_so_and_counts_in_a_match_with_the_same_terms() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("match.txt");
        let asked = MatchOptions { agreed: Some(400), records: Some(&file), ..terms("medium", "medium") };
        let played = |terms: &MatchOptions<'_>| {
            let mut out = Vec::new();
            play_match(terms, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let first = played(&asked);
        assert!(first.lines().take(2).all(|line| line.ends_with(", as both players agreed")), "{first}");
        let records = std::fs::read_to_string(&file).unwrap();
        assert_eq!(records.matches("[Termination \"adjudication\"]").count(), 2, "{records}");
        let again = played(&asked);
        assert!(again.starts_with("2 of these games"), "{again}");
        assert_eq!(again.lines().last(), first.lines().last());
        for other in [None, Some(500)] {
            std::fs::write(&file, &records).unwrap();
            let whole = played(&MatchOptions { agreed: other, ..asked.clone() });
            assert!(whole.starts_with("game 1:"), "{whole}");
        }
    }

    #[test]
    fn every_opening_has_a_layout_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("penguins.txt");
        let terms =
            MatchOptions { game: "penguins", games: 4, records: Some(&file), ..terms("random", "random") };
        play_match(&terms, &mut Vec::new()).unwrap();
        let records = std::fs::read_to_string(file).unwrap();
        let starts: Vec<&str> = records.lines().filter(|line| line.starts_with("[Start")).collect();
        assert_eq!((starts[0], starts[2]), (starts[1], starts[3]), "an opening is played from both seats");
        assert_ne!(starts[0], starts[2]);
    }

    #[test]
    fn with_odds_the_first_player_gets_its_part_alone() {
        let terms = MatchOptions { odds: 5, ..terms("easy", "easy") };
        assert_eq!(terms.limits(terms.odds).time, Some(Duration::from_millis(1)));
        assert_eq!(terms.limits(1).time, Some(Duration::from_millis(5)));
        let terms = MatchOptions { nodes: Some(100), ..terms };
        assert_eq!(terms.limits(terms.odds).nodes, Some(20));
    }

    /// Level random is not limited by time: the records are the same on any machine.
    #[test]
    fn among_four_the_first_player_sits_on_every_seat_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("four.txt");
        let base = terms("beginner", "random");
        let asked = MatchOptions { game: "penguins", seats: 4, games: 3, records: Some(&file), ..base };
        let mut out = Vec::new();
        play_match(&asked, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("beginner against random: 4 games, "), "{text}");
        assert!(text.contains("where 25.0 % is a fair share"), "{text}");
        let records = std::fs::read_to_string(&file).unwrap();
        for seat in 1..=4 {
            assert_eq!(records.matches(&format!("[Seat{seat} \"beginner\"]")).count(), 1, "{records}");
            assert_eq!(records.matches(&format!("[Seat{seat} \"random\"]")).count(), 3, "{records}");
        }
        let mut again = Vec::new();
        play_match(&asked, &mut again).unwrap();
        let again = String::from_utf8(again).unwrap();
        assert!(again.starts_with("4 of these games"), "{again}");
        assert_eq!(again.lines().last(), text.lines().last());
    }

    #[test]
    fn a_number_of_seats_that_a_game_has_not_is_answered_with_those_it_has() {
        let asked = MatchOptions { seats: 3, game: "penguin_soccer", ..terms("easy", "easy") };
        let error = play_match(&asked, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("seats are: 2, 4"), "{error}");
    }

    #[test]
    fn only_games_of_two_end_by_agreement() {
        let asked = MatchOptions { seats: 3, game: "penguins", agreed: Some(300), ..terms("easy", "easy") };
        let error = play_match(&asked, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("Leave it out with --seats 3"), "{error}");
    }

    /// A shell script as an engine, with its action for `go`. It logs each start and each new game in a file.
    #[cfg(unix)]
    fn program(folder: &Path, on_go: &str) -> String {
        let (script, log) = (folder.join("program.sh"), folder.join("log.txt"));
        let log = log.display();
        let text = format!(
            "echo started >> {log}\nwhile read word rest; do case $word in ugi) echo ugiok;; \
             isready) echo readyok;; uginewgame) echo new >> {log};; go) {on_go};; quit) exit;; esac; done\n"
        );
        std::fs::write(&script, text).unwrap();
        format!("sh {}", script.display())
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_crashes_loses_that_game_and_is_started_again_for_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let program = program(folder.path(), "exit 1");
        let mut out = Vec::new();
        play_match(&terms(&program, "random"), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lost = |game: &str| text.lines().any(|line| line.starts_with(game) && line.ends_with("crashed"));
        assert!(lost("game 1:") && lost("game 2:") && text.contains("+0 -2 =0"), "{text}");
        let log = std::fs::read_to_string(folder.path().join("log.txt")).unwrap();
        assert_eq!(log, "started\nnew\nstarted\nnew\n");
    }

    /// A forfeit is in the records with its reason, and is not played again.
    #[cfg(unix)]
    #[test]
    fn three_failures_in_a_row_end_a_match_and_their_games_count() {
        let folder = tempfile::tempdir().unwrap();
        let (program, file) = (program(folder.path(), "echo bestmove a1-a1/a1"), folder.path().join("m.txt"));
        let asked = MatchOptions { games: 8, records: Some(&file), ..terms("random", &program) };
        let mut out = Vec::new();
        let error = play_match(&asked, &mut out).unwrap_err().to_string();
        assert!(error.contains("3 games in a row") && error.contains("illegal move a1-a1/a1"), "{error}");
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().filter(|line| line.ends_with("illegal move a1-a1/a1")).count(), 3, "{text}");
        let records = std::fs::read_to_string(&file).unwrap();
        assert_eq!(records.matches("[Termination \"rules infraction\"]").count(), 3, "{records}");
        assert_eq!(records.matches("[Reason \"illegal move a1-a1/a1\"]").count(), 3, "{records}");
        let mut again = Vec::new();
        play_match(&MatchOptions { games: 2, ..asked }, &mut again).unwrap();
        let again = String::from_utf8(again).unwrap();
        assert!(again.starts_with("2 of these games") && again.contains("+2 -0 =0"), "{again}");
        let log = std::fs::read_to_string(folder.path().join("log.txt")).unwrap();
        assert_eq!(log, "started\nnew\nnew\nnew\nstarted\n");
    }

    #[test]
    fn unknown_player_error_lists_known_players() {
        let error = play_match(&terms("strong", "easy"), &mut Vec::new()).unwrap_err();
        assert!(format!("{error:#}").contains("expert"), "{error:#}");
    }
}
