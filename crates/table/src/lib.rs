//! A table: one game being played, its seats, orders, events and journal.
//!
//! Each folder imports only from those before it, which a test checks:
//!
//! 1. [`model`]: data. Ids, terms, events, orders, errors, records of the journal. Events are the journal's form.
//! 2. `ratings`: how a result changes a [`rating`], and where the [levels](level_ratings) begin.
//! 3. `rules`: pure functions. [`state`] applies events to a [`Table`]; [`decide`] turns an order into events;
//!    [`outbox`] derives what must be posted. Beside them [`clock`], [`offers`], [`plans`], [`teams`], [`settle`],
//!    [`rated`], [`vacation`], [`quota`], [`access`], [`fair_play`], [`hints`], [`review`],
//!    [`saved_analysis`] and [`sets`].
//! 4. `integrity`: [`hash_chain`] and [`audit`] show that a record was not changed; entries name people by
//!    [`pseudonym`]s, so that names can be removed.
//! 5. [`ports`]: what tables need from outside, as traits.
//! 6. `runtime`: tables as tasks. The [`registry`] finds the actor of a table, which takes [`requests`]; [`thinkers`]
//!    search for the program, within a [`thinking_budget`].

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

pub use integrity::{audit, game_record, hash_chain, pseudonym, pseudonyms, redact};
pub use model::{
    Actor, AutoMoveReason, BoardChannel, ChannelId, DISCORD_EPOCH, EndCause, Ending, Event, GuildId,
    LeavePolicy, MessageId, Occupant, Offer, Order, OrderError, Proof, ProvenRegion, RoleId,
    SettlementPolicy, SourceId, Status, TableError, TableId, Terms, UserId,
};
pub use model::{annotation, calendar, commitment, digest, millis, preferences, share, web_session};
pub use outbox::{Note, OutboxItem};
pub use ratings::{level_ratings, rating};
pub use rules::{
    access, clock, decide, fair_play, freeze, hints, offers, outbox, plans, posted_boards, quota, rated,
    review, saved_analysis, seats, sets, settle, state, teams, thinking_limits, vacation,
};
pub(crate) use rules::{auto_moves, deletion, next_table};
pub(crate) use runtime::{actor, append_times, timers};
pub use runtime::{moderation, preferences_cache, registry, requests, thinkers, thinking_budget};
pub use state::Table;
pub use timers::OutageScope;
