//! A table: one game being played, its seats, orders, events and journal.
//!
//! The data first ([`model`]); then what may happen ([`state`], pure); then what must be posted
//! ([`outbox`]); what a table needs from outside ([`ports`]); and how tables live: one task each
//! ([`actor`]), found through the [`registry`]. Planned moves ([`plans`]) and moves without
//! a choice are played by the table itself (`auto_moves`). The effects of time are in [`clock`]. What people
//! and servers chose ([`preferences`], with [`calendar`] for their hours and [`vacation`] for their days off)
//! is kept in a [`preferences_cache`]. A seat can be played by a [team](teams).
//!
//! [`hash_chain`]s and [`commitment`]s show that nothing was changed afterwards; an [`audit`] checks them. Entries name
//! people by [`pseudonym`]s, so that names can be removed.
//!
//! Games that count change ratings ([`rated`], [`rating`]; [`level_ratings`] says where levels begin); in the others the
//! program gives [`hints`], where that is [`fair_play`]. Two games make one of the [`sets`]. A [`review`] goes through a
//! finished game. [`share`] links show a game to people outside. The [`thinkers`] think within [`thinking_limits`], each
//! owner with a [`thinking_budget`]. [`quota`] limits how much one person may ask for; [`moderation`] holds blocks and
//! bans.

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
    Actor, AutoMoveReason, BoardChannel, ChannelId, EndCause, Ending, Event, GuildId, LeavePolicy, MessageId,
    Occupant, Offer, Order, OrderError, Proof, ProvenRegion, RoleId, SettlementPolicy, SourceId, Status,
    TableError, TableId, Terms, UserId,
};
pub use model::{calendar, preferences, share};
pub use outbox::{Note, OutboxItem};
pub use ratings::{level_ratings, rated, rating};
pub use rules::{
    access, clock, fair_play, freeze, hints, offers, outbox, plans, posted_boards, quota, review, seats,
    sets, settle, state, teams, vacation,
};
pub(crate) use rules::{auto_moves, deletion, next_table, time};
pub(crate) use runtime::timers;
pub use runtime::{
    actor, moderation, preferences_cache, registry, thinkers, thinking_budget, thinking_limits,
};
pub use state::Table;
pub use timers::OutageScope;
