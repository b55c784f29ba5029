//! Running it: configuration, logs, health, stopping, and the words after the program's name.
//!
//! Reading order: [`cli`] (what was asked for), [`config`] (how it is to be run), [`log`] and [`metrics`]
//! (what can be seen of it), [`health`] (where that is asked), [`stop`] (how it ends).

pub mod cli;
pub mod config;
pub mod health;
pub mod log;
pub mod metrics;
pub mod stop;
