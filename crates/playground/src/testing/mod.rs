//! Handles for tests, behind the feature `testing`: people who act as at the page, changes that no client can make,
//! injected faults, and what the bot requested. The product does not contain them.

mod discord_state;
pub mod fault_injection;
mod handle;
mod lookups;
pub mod person;
pub mod request_log;
mod served_elsewhere;
mod setup;
pub mod visible_message;

pub use crate::discord_state::model::Answer;
pub use crate::gateway::sessions::testing::ObservedEvent;
