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

pub mod access;
pub mod actor;
pub mod audit;
mod auto_moves;
pub mod calendar;
pub mod clock;
pub mod commitment;
mod deletion;
pub mod fair_play;
pub mod freeze;
pub mod game_record;
pub mod hash_chain;
pub mod hints;
pub mod level_ratings;
pub mod model;
pub mod moderation;
pub mod offers;
pub mod outbox;
pub mod plans;
pub mod ports;
pub mod posted_boards;
pub mod preferences;
pub mod preferences_cache;
pub mod pseudonym;
pub mod pseudonyms;
pub mod quota;
pub mod rated;
pub mod rating;
pub mod redact;
pub mod registry;
pub mod review;
pub mod seats;
pub mod sets;
pub mod settle;
pub mod share;
pub mod state;
pub mod teams;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod thinkers;
pub mod thinking_budget;
pub mod thinking_limits;
mod time;
mod timers;
pub mod vacation;

#[cfg(test)]
mod tests;

pub use model::{
    Actor, AutoMoveReason, BoardChannel, EndCause, Ending, Event, LeavePolicy, Occupant, Offer, Order,
    OrderError, Person, Proof, ProvenRegion, SettlementPolicy, Status, TableError, TableId, Terms,
};
pub use outbox::{Note, OutboxItem};
pub use state::Table;
pub use timers::OutageScope;
