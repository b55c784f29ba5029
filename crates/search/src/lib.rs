//! Search for all games: alpha-beta, Monte-Carlo, exact endings. Plain threads, no async.
//!
//! In reading order: the interface of a game for a search ([`Mind`]), how good positions are
//! ([`Score`]), when to stop ([`Clock`]), the transposition table ([`Memo`]) and move order
//! ([`ordering`]); then the searches themselves, [`alphabeta`] for two seats (on several threads if there is
//! helpers: `crew`, `shared_memo`) and [`mcts`] for two to four (always on one), [`mates`] for quick wins,
//! [`pie`] for a first move that may be taken over, [`exact`] for the last moves of games that are counted.
//! [`levels`] says what each strength may use, [`simple`] is a player for any game,
//! [`pool`] shares threads between many games, [`arena`],
//! [`ladder`], [`yardstick`] and [`signature`] measure.

pub mod alphabeta;
pub mod arena;
mod crew;
pub mod exact;
mod killers;
pub mod ladder;
pub mod levels;
mod limits;
pub mod mates;
pub mod mcts;
mod memo;
mod mind;
pub mod ordering;
pub mod pie;
pub mod pool;
mod score;
mod shared_memo;
pub mod signature;
pub mod simd;
pub mod simple;
#[cfg(test)]
mod trees;
pub mod yardstick;

pub use killers::Killers;
pub use limits::Clock;
pub use memo::{Bound, Memo, Remembered};
pub use mind::{Drift, End, Guess, Listed, Mind, Seen};
pub use score::Score;
