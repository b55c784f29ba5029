//! `rookery match`: two players, many games, refereed by our rules.

mod kept;
mod player;

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::bail;

use self::kept::Kept;
use self::player::Player;
use crate::kit::Play;
use crate::kit::player::Limits;
use crate::kit::rules::Setup;
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
    /// The first player gets one part in so many of the time or the positions; 1 for even terms.
    pub odds: u32,
    /// Keep the games' records in this folder, and count those that are there already.
    pub records: Option<&'a Path>,
}

impl MatchTerms<'_> {
    /// What every move of a player may take that gets one part in so many of it: positions if they are
    /// given, else CPU time, so that a busy machine does nobody harm.
    fn limits(&self, part: u32) -> Limits {
        match self.nodes {
            Some(nodes) => Limits { nodes: Some(nodes / u64::from(part)), ..Limits::default() },
            None => Limits { time: Some(self.movetime / part), cpu_time: true, ..Limits::default() },
        }
    }
}

/// Plays a match and writes a line a game and the score with its error bars. Where records are kept, a match
/// that was interrupted goes on with the games that are not there yet.
///
/// # Errors
/// If there is no such game or level, it is not for two, a command cannot be run, or a file cannot be
/// read or written, or belongs to another match. A player that fails or says nothing loses its game.
pub fn play_match(terms: &MatchTerms<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = super::named(terms.game)?;
    if !game.about().seats.contains(&2) {
        bail!("{} is not a game for two", game.about().key);
    }
    let start = game.start(&Setup::new(2).seeded(terms.seed))?;
    let mut a = Player::new(terms.a, game, terms.limits(terms.odds))?;
    let mut b = Player::new(terms.b, game, terms.limits(1))?;
    let rules = Terms::new(u64::from(terms.games.div_ceil(2)), terms.seed);
    let kept = terms.records.map(|folder| Kept::new(folder, [terms.a, terms.b]));
    let known = match &kept {
        Some(kept) => kept.read(start.as_ref(), &rules)?,
        None => Vec::new(),
    };
    let mut trouble = None;
    let tally = {
        let mut seen = |played: &Played| {
            let told = told(terms, played, out);
            let kept = kept.as_ref().map_or(Ok(()), |kept| kept.keep(start.as_ref(), played));
            if let Err(error) = told.and(kept) {
                trouble.get_or_insert(error);
            }
        };
        let mut one = |play: &dyn Play, seed: u64| a.choose(play, seed);
        let mut two = |play: &dyn Play, seed: u64| b.choose(play, seed);
        arena::play(start.as_ref(), &rules, &known, &mut one, &mut two, &mut seen)
    };
    trouble.map_or(Ok(()), Err)?;
    summary(terms, known.len(), &tally, out)
}

fn summary(terms: &MatchTerms<'_>, known: usize, tally: &Tally, out: &mut dyn Write) -> anyhow::Result<()> {
    if known > 0 {
        writeln!(out, "{known} of these games were played before and are counted from their records")?;
    }
    let elo = tally.elo();
    Ok(writeln!(
        out,
        "{} against {}: {} games, +{} -{} ={}, {:.1} %, Elo {:+.0} ({:+.0} to {:+.0} with 95 %)",
        terms.a,
        terms.b,
        tally.games(),
        tally.wins,
        tally.losses,
        tally.draws,
        100.0 * tally.share(),
        elo.likely,
        elo.low,
        elo.high,
    )?)
}

/// A line about one game.
fn told(terms: &MatchTerms<'_>, played: &Played, out: &mut dyn Write) -> anyhow::Result<()> {
    let (number, plies) = (kept::number(played.opening, played.seat), played.record.len());
    writeln!(
        out,
        "game {number}: {} sat {}, {plies} plies, {}",
        terms.a,
        played.seat.number(),
        played.share
    )?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::Record;

    fn terms<'a>(a: &'a str, b: &'a str) -> MatchTerms<'a> {
        let movetime = Duration::from_millis(5);
        MatchTerms { a, b, game: "amazons", games: 1, movetime, nodes: None, seed: 1, odds: 1, records: None }
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

    /// Nobody can be asked in the second match: all that is told comes from the records of the first.
    #[test]
    fn an_interrupted_match_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let asked = MatchTerms { records: Some(folder.path()), ..terms("beginner", "random") };
        let played = |terms: &MatchTerms<'_>| {
            let mut out = Vec::new();
            play_match(terms, &mut out).map(|()| String::from_utf8(out).unwrap())
        };
        let first = played(&asked).unwrap();
        let path = folder.path().join("0002.txt");
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let again = played(&asked).unwrap();
        assert!(!again.contains("game 1:") && again.contains("game 2:"), "{again}");
        assert!(again.contains("1 of these games"), "{again}");
        assert_eq!(again.lines().last(), first.lines().last());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        for other in [MatchTerms { seed: 2, ..asked.clone() }, MatchTerms { a: "easy", ..asked }] {
            let error = format!("{:#}", played(&other).unwrap_err());
            assert!(error.contains("0001.txt") && error.contains("another match"), "{error}");
        }
    }

    #[test]
    fn with_odds_the_first_player_gets_its_part_alone() {
        let terms = MatchTerms { odds: 5, ..terms("easy", "easy") };
        assert_eq!(terms.limits(terms.odds).time, Some(Duration::from_millis(1)));
        assert_eq!(terms.limits(1).time, Some(Duration::from_millis(5)));
        let terms = MatchTerms { nodes: Some(100), ..terms };
        assert_eq!(terms.limits(terms.odds).nodes, Some(20));
    }

    #[test]
    fn who_cannot_play_is_said_with_who_could() {
        let error = play_match(&terms("strong", "easy"), &mut Vec::new()).unwrap_err();
        assert!(format!("{error:#}").contains("expert"), "{error:#}");
    }
}
