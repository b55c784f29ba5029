//! `rookery fit`: weights of a player, from quick games against itself.

use std::io::Write;

use anyhow::bail;

use rookery_core::GameRules;
use rookery_core::rules::Setup;
use rookery_games::floe::fit::{self, Round};
use rookery_games::{amazon_penguins, amazons, paper_penguins, penguins};

/// Plays a round of quick games and writes the next weights as Rust text.
///
/// # Errors
/// If there is no such game, its player has no fitted weights, or `out` cannot be written.
pub fn fit(game: &str, round: Round, out: &mut dyn Write) -> anyhow::Result<()> {
    let setup = |seed| Setup::new(2).seeded(seed);
    let rows = match super::named(game)?.info().key {
        "amazons" => {
            let Round { games, nodes, seed } = round;
            amazons::fit::fit(&amazons::fit::usual_start(), amazons::fit::Round { games, nodes, seed })
        }
        "penguins" => {
            let start = |seed| penguins::Penguins::start(&setup(seed));
            fit::fit(start, &penguins::WEIGHTS, round)?
        }
        "amazon_penguins" => {
            let start = |seed| amazon_penguins::AmazonPenguins::start(&setup(seed));
            fit::fit(start, &amazon_penguins::WEIGHTS, round)?
        }
        "paper_penguins" => {
            let start = |seed| paper_penguins::PaperPenguins::start(&setup(seed));
            fit::fit(start, &paper_penguins::WEIGHTS, round)?
        }
        other => bail!(
            "The player of {other} has no weights to fit. Choose amazons, penguins, amazon_penguins or paper_penguins"
        ),
    };
    Ok(write!(out, "{rows}")?)
}
