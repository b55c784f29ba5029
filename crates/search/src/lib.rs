//! Search for all games: alpha-beta, Monte-Carlo, exact endings. Plain threads, no async.
//!
//! In reading order: the interface of a game for a search ([`SearchGame`]), how good positions are
//! ([`Score`]), when to stop ([`SearchClock`]), the transposition table ([`TranspositionTable`]) and move order
//! ([`ordering`]); then the searches themselves, [`alphabeta`] for two seats (on several threads if there is
//! helpers: `crew`, `shared_transposition_table`) and [`mcts`] for two to four (always on one), [`mates`] for quick wins,
//! [`pie`] for a first move that may be taken over, [`exact`] for the last moves of games that are counted.
//! [`levels`] says what each strength may use, [`generic`] is a player for any game,
//! [`pool`] shares threads between many games, [`baselines`] are simple players that the others are measured
//! against.

pub mod alphabeta;
pub mod baselines;
pub mod exact;
pub mod generic;
mod helper_slot;
mod killers;
pub mod levels;
mod limits;
pub mod mates;
pub mod mcts;
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

pub use killers::Killers;
pub use limits::SearchClock;
pub use score::Score;
pub use search_game::{End, FutilityBasis, FutilityMargin, Guess, Listed, SearchGame};
pub use transposition_table::{Bound, TableEntry, TranspositionTable};
