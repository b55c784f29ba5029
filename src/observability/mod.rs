//! Logs, metrics and health of the running program.

pub mod health;
mod heartbeat;
pub mod log;
pub mod metrics;
