//! Logs, metrics and health of the running program.

pub mod health;
pub mod log;
pub mod metrics;
