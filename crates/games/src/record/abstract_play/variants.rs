//! The site's names of starting variants.
//!
//! Based on its code (repository `AbstractPlay/gameslib`), which writes the display names of the chosen variants into a
//! record (`getVariants` in `src/games/_base.ts`): for the Amazons `Default setup`, `Cross` and `Scrambled`, always on
//! a board of ten squares a side; nothing, or `Default setup`, for our other games.

use super::{BadRecord, RecordError};
use rookery_core::rules::Setup;

/// The usual start, in every game that has others.
const USUAL: &str = "Default setup";
/// The options of the Amazons, and the site's name of each value.
const STARTS: [(&str, &str); 3] = [("standard", USUAL), ("cross", "Cross"), ("scrambled", "Scrambled")];

/// The only game with more than one start on the site.
const WITH_STARTS: &str = "amazons";

/// The variants to write for a game that began at `start`; none for a start that the site does not have.
pub(super) fn written(game: &str, start: &str) -> Vec<&'static str> {
    if game != WITH_STARTS {
        return Vec::new();
    }
    let begins = |key: &str| {
        ["off", "on"]
            .into_iter()
            .any(|pie| line(game, &Setup::new(2).with("start", key).with("pie", pie)) == start)
    };
    STARTS.iter().filter(|(key, _)| begins(key)).map(|(_, name)| *name).collect()
}

/// The first position of a game in these variants.
///
/// # Errors
/// If a variant is unknown, or the game has no usual start.
pub(super) fn start(game: &str, seats: usize, variants: &[String]) -> Result<String, BadRecord> {
    let known = crate::named(game).filter(|game| !game.info().has_layout);
    let known = known.ok_or_else(|| RecordError::NoStart.at(1))?;
    let mut setup = Setup::new(seats);
    for variant in variants {
        match named(game, variant) {
            Some(Some(key)) => setup = setup.with("start", key),
            Some(None) => {}
            None => return Err(RecordError::Variants(variants.join(", ")).at(1)),
        }
    }
    known.start(&setup).map(|play| play.start_line()).map_err(|_| RecordError::NoStart.at(1))
}

/// The start that a variant names: `Some(None)` for the usual one of a game without others, `None` if it is unknown.
fn named(game: &str, variant: &str) -> Option<Option<&'static str>> {
    let is = |name: &str| name.eq_ignore_ascii_case(variant.trim());
    if game == WITH_STARTS {
        return STARTS.iter().find(|(_, name)| is(name)).map(|(key, _)| Some(*key));
    }
    is(USUAL).then_some(None)
}

fn line(game: &str, setup: &Setup) -> String {
    let start = crate::named(game).and_then(|game| game.start(setup).ok());
    start.map(|play| play.start_line()).unwrap_or_default()
}
