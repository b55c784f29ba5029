//! Positions that are rare in random games, for inspection: lines that cover each other, corners, tall stacks, kicks
//! and pushes.

use anyhow::Context;

use rookery_core::Play;
use rookery_core::rules::Setup;

/// A position of a game, and a move in it.
pub(super) struct RarePosition {
    pub(super) game: &'static str,
    /// The subject, as part of a file's name.
    pub(super) what: &'static str,
    /// The position line; empty for the start.
    pub(super) line: &'static str,
    /// The move; empty for the position itself.
    pub(super) played: &'static str,
}

const fn sight(
    game: &'static str,
    what: &'static str,
    line: &'static str,
    played: &'static str,
) -> RarePosition {
    RarePosition { game, what, line, played }
}

impl RarePosition {
    /// The game at this position.
    pub(super) fn reach(&self) -> anyhow::Result<Box<dyn Play>> {
        let game = super::super::named(self.game)?;
        let mut play = match self.line {
            "" => game.start(&Setup::new(game.info().fewest()))?,
            line => game.resume(line)?,
        };
        if !self.played.is_empty() {
            play.play(self.played).with_context(|| format!("{} {}", self.game, self.played))?;
        }
        Ok(play)
    }
}

const CORNERS: &str = "q8q/10/10/q8q/10/10/Q8Q/10/10/Q8Q w - - 0 1";
const TALL: &str = "ABABA,3/1,BBBBBAB,3/6/KA,2,AAAL,2,BB/6/5/A,1,A,1 1";
const TACKLE: &str = "b5E,f3U,-|d5U,e5N,f5U|-,c7S,-|-,-,- d5 1";
const KICKER: &str = "b5E,f3U,-|e7N,c7N,d5U|-,c2S,-|-,-,- d5 2";
const EDGE: &str = "-,f4E,-|h4U,-,-|-,-,-|-,-,- h4 1";

pub(super) const RARE_POSITIONS: &[RarePosition] = &[
    sight("amazons", "corners", CORNERS, "a1-i9/b9"),
    sight("amazons", "shot-onto-the-start", CORNERS, "a1-i9/a1"),
    sight("amazons", "shot-along-the-way", CORNERS, "a1-e5/b2"),
    sight("amazons", "shot-over-the-start", CORNERS, "a4-a6/a2"),
    sight("amoeba", "tall", TALL, ""),
    sight("amoeba", "tall-jump", TALL, "g1-b4"),
    sight("amoeba", "tall-split", TALL, "g1>b4"),
    sight("amoeba", "kernel-jump", TALL, "d1-d3"),
    sight("penguin_soccer", "enters", "", "2NE."),
    sight("penguin_soccer", "enters-home", "", "3N."),
    sight("penguin_soccer", "stands", TACKLE, "b5U"),
    sight("penguin_soccer", "spins", TACKLE, "f3SLL"),
    sight("penguin_soccer", "pushes-three", TACKLE, "b5E."),
    sight("penguin_soccer", "pushes-off", EDGE, "f4E."),
    sight("penguin_soccer", "kicks", KICKER, "d5S"),
    sight("penguin_soccer", "kicks-short", KICKER, "d5NE"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_sight_is_reached_and_has_a_name_of_its_own() {
        let mut names = BTreeSet::new();
        for sight in RARE_POSITIONS {
            let play = sight.reach().unwrap_or_else(|e| panic!("{} {}: {e:#}", sight.game, sight.what));
            assert_eq!(play.ply(), usize::from(!sight.played.is_empty()));
            assert!(names.insert((sight.game, sight.what)));
        }
    }
}
