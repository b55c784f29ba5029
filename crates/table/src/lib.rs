//! A table: one game being played, its seats, orders, events and journal.
//!
//! The words first ([`model`]); then what may happen ([`state`], pure); then what must be said
//! ([`outbox`]); what a table needs from outside ([`ports`]); and how tables live: one task each
//! ([`actor`]), found through the [`registry`]. What somebody decided beforehand ([`plans`]) and moves without
//! a choice are played by the table itself (`follow`). What time does is told in [`clock`]. What people
//! and servers chose ([`preferences`], with [`calendar`] for their hours and [`vacation`] for their days off)
//! lies in a [`preferences_cache`]. A seat can be played by a [team](teams). That
//! nothing was changed afterwards is seen by [`hash_chain`]s and [`commitment`]s, through which an [`audit`] looks.
//! People are called by [`pseudonym`]s in what is sealed, so that their names can be taken out.
//! Games that count change ratings ([`rated`], [`rating`]; [`level_ratings`] says where levels begin);
//! in the others the program gives [`hints`], where that is [`fair_play`]. Two games make one of the [`sets`]. A game
//! that is over is looked over in a [`review`]. [`share`] links show a game to people outside. The [`thinkers`] think
//! for [`thinking_limits`], each of whom has an [`thinking_budget`]. How much one person may ask for is in [`quota`]; whom people
//! block, and servers ban, in [`moderation`].

mod integrity;
pub mod model;
pub mod ports;
mod ratings;
mod rules;
mod runtime;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

#[cfg(test)]
mod tests;

pub use integrity::{audit, commitment, game_record, hash_chain, pseudonym, pseudonyms, redact};
pub use model::{
    Actor, AutoMoveReason, BoardChannel, EndCause, Ending, Event, LeavePolicy, Occupant, Offer, Order,
    OrderError, Person, Proof, ProvenRegion, SettlementPolicy, Status, TableError, TableId, Terms,
};
pub use model::{calendar, preferences, share};
pub use outbox::{Note, OutboxItem};
pub use ratings::{level_ratings, rated, rating};
pub use rules::{
    access, clock, fair_play, freeze, hints, offers, outbox, plans, posted_boards, quota, review, seats,
    sets, settle, state, teams, vacation,
};
pub(crate) use rules::{auto_moves, deletion, time};
pub(crate) use runtime::timers;
pub use runtime::{
    actor, moderation, preferences_cache, registry, thinkers, thinking_budget, thinking_limits,
};
pub use state::Table;
pub use timers::OutageScope;
