//! The six games: one folder each, all with the same structure.
//!
//! Adding a game takes one folder, two lines here, and its sentences. Help, `/play` choices, conformance tests,
//! records, pictures, levels and the rules page are all derived from [`all`]. The three games on ice floes share most
//! of their code ([`floe`]).

#[cfg(feature = "testing")]
mod added;
pub mod amazon_penguins;
pub mod amazons;
pub mod amoeba;
pub mod art;
pub mod floe;
pub mod paper_penguins;
pub mod penguin_soccer;
pub mod penguins;
pub mod printed;
pub mod record;
pub mod rules_page;
#[cfg(test)]
mod short_forms;
#[cfg(test)]
mod testing;

use rookery_core::Game;
use rookery_core::game::TypeErased;

/// The games of this crate, in the order in which they are offered.
static BUILT_IN: &[&dyn Game] = &[
    &TypeErased::<amazons::Amazons>::GAME,
    &TypeErased::<penguins::Penguins>::GAME,
    &TypeErased::<amazon_penguins::AmazonPenguins>::GAME,
    &TypeErased::<paper_penguins::PaperPenguins>::GAME,
    &TypeErased::<penguin_soccer::PenguinSoccer>::GAME,
    &TypeErased::<amoeba::Amoeba>::GAME,
];

/// All games, in the order in which they are offered.
#[cfg(not(feature = "testing"))]
pub fn all() -> &'static [&'static dyn Game] {
    BUILT_IN
}

#[cfg(feature = "testing")]
pub use added::{add, all};

/// The game with this key, such as `amazons`.
pub fn named(key: &str) -> Option<&'static dyn Game> {
    all().iter().copied().find(|game| game.info().key == key)
}
