//! Search for all games: alpha-beta, Monte-Carlo, exact endings. Plain threads, no async.
//!
//! In reading order: the interface between a game and a search ([`SearchGame`]), values of positions ([`Score`]),
//! limits ([`SearchClock`]), the transposition table (`TranspositionTable`) and move order ([`ordering`]); then the
//! searches: [`alphabeta`] for two seats (on several threads with helpers: `helper_slot`, `shared_transposition_table`)
//! and `mcts` for two to four (always on one), [`mates`] for quick wins, [`pie`] for a first move that the opponent
//! may take over, [`exact`] for the last moves of games that are won by counting. [`levels`] defines the resources of
//! each strength, [`generic`] is a player for any game, [`pool`] shares threads between many games, [`baselines`] are
//! simple players to measure others against.

/// Identifies how this version's players search: the start of the SHA-256 of their signatures in
/// `tests/golden/signatures.txt`, which a test holds. Analyses that another version stored are made anew.
pub const ENGINE_VERSION: &str = "c473c064";

pub mod alphabeta;
pub mod baselines;
pub mod exact;
pub mod generic;
mod helper_slot;
mod killers;
pub mod levels;
mod limits;
pub mod mates;
mod mcts;
pub mod ordering;
pub mod pie;
pub mod pool;
mod score;
mod search_game;
mod shared_transposition_table;
pub mod simd;
#[cfg(test)]
mod test_tree;
mod transposition_table;

pub(crate) use killers::Killers;
pub use limits::SearchClock;
pub use score::Score;
pub use search_game::{End, FutilityBasis, FutilityMargin, Guess, Listed, SearchGame};
pub(crate) use transposition_table::{Bound, TableEntry, TranspositionTable};
