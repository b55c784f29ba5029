//! Tables as tasks of this process: the registry, the actor of each table, timers, and the pool that thinks for the program.

pub mod actor;
pub mod moderation;
pub mod preferences_cache;
pub mod registry;
pub mod thinkers;
pub mod thinking_budget;
pub(crate) mod timers;
