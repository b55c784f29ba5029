//! Tables as tasks of this process: the registry, the actor of each table, timers, and the thread pool of the bot's
//! players.

pub(crate) mod actor;
pub(crate) mod append_times;
pub mod moderation;
pub mod preferences_cache;
pub mod registry;
pub mod requests;
pub mod thinkers;
pub mod thinking_budget;
pub(crate) mod timers;
