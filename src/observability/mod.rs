//! Logs, metrics and health: what can be seen of the running program.

pub mod health;
pub mod log;
pub mod metrics;
