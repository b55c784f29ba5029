//! `rookery ladder`: rates the levels of a game on one scale, by matches between neighbours.

mod ratings;

use std::convert::Infallible;
use std::io::Write;

use anyhow::bail;

use crate::arena::{self, MatchSettings, PlayedGame, Tally};
use ratings::ratings;
use rookery_core::player::{Level, Limits, SearchRequest};
use rookery_core::{Game, Play};
use rookery_search::levels::Strength;

/// The settings of a ladder.
#[derive(Clone, Copy, Debug)]
pub struct LadderOptions<'a> {
    /// Key of the game, such as `amazons`.
    pub game: &'a str,
    /// Games per match; an odd number is rounded up, since each opening is played from both seats.
    pub games: u32,
    /// The time of levels that are limited by time, in percent of the usual, counted as CPU time.
    pub percent: u32,
    /// The seed of the openings.
    pub seed: u64,
}

/// The level with 0 points.
const ANCHOR: Level = Level::Easy;

/// Plays every level against the next weaker one and writes the ratings with standard deviations, in points relative to
/// level easy.
///
/// # Errors
/// If there is no such game, it is not for two, or `out` cannot be written.
pub fn ladder(terms: &LadderOptions<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = super::named(terms.game)?;
    if !game.info().seats.contains(&2) {
        bail!("{} can't be played by two, so its levels can't play each other", game.info().key);
    }
    let mut steps = Vec::new();
    for pair in Level::ALL.windows(2) {
        let tally = neighbours(game, terms, pair[1], pair[0]);
        let (high, low) = (pair[1].key(), pair[0].key());
        writeln!(out, "{:<16} {high} against {low}: {tally}", game.info().key)?;
        out.flush()?;
        steps.push(tally);
    }
    let anchor = Level::ALL.iter().position(|level| *level == ANCHOR).unwrap_or_default();
    for (level, place) in Level::ALL.into_iter().zip(ratings(&steps, anchor)) {
        let (key, name) = (game.info().key, level.key());
        writeln!(out, "{key:<16} {name:<9} {:>+6.0} ± {:.0}", place.points, place.deviation)?;
    }
    Ok(())
}

/// A match of two levels with their own limits.
fn neighbours(game: &dyn Game, terms: &LadderOptions<'_>, high: Level, low: Level) -> Tally {
    let player = |level: Level| {
        let limits = limits(level, terms.percent);
        move |play: &dyn Play, seed: u64| {
            play.think(&SearchRequest { limits: limits.clone(), ..SearchRequest::new(level, seed) })
        }
    };
    let rules = MatchSettings::new(2, terms.games, terms.seed);
    let starts = |opening: u64| super::opened(game, &rules, opening);
    let all = |_: &PlayedGame| Ok::<(), Infallible>(());
    let Ok(shares) = arena::play(&starts, &rules, &[], &mut player(high), &mut player(low), all);
    Tally::of(&shares)
}

/// The limits of a level: its own, with reduced time that is counted as CPU time of the thread.
fn limits(level: Level, percent: u32) -> Limits {
    match Strength::of(level).time {
        Some(own) => Limits { time: Some(own * percent / 100), cpu_time: true, ..Limits::default() },
        None => Limits::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_bounded_by_time_get_their_part_of_it_and_the_others_all_they_have() {
        let own = Strength::of(Level::Expert).time.unwrap();
        assert_eq!(limits(Level::Expert, 10).time, Some(own / 10));
        assert!(limits(Level::Expert, 10).cpu_time);
        let medium = limits(Level::Medium, 10);
        assert_eq!((medium.time, medium.nodes, medium.depth), (None, None, None));
    }

    #[test]
    fn an_unknown_game_is_answered_with_those_there_are() {
        let terms = LadderOptions { game: "chess", games: 2, percent: 1, seed: 1 };
        let error = ladder(&terms, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("amoeba"), "{error}");
    }
}
