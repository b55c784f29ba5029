//! A small Discord server on loopback, for trying the bot and for testing it.
//!
//! It implements REST v10 and gateway v10 as far as the bot uses them, as strictly as Discord, and serves a
//! web page on which the user acts as any of its people. It shares no code with the bot: its behaviour
//! follows Discord's documentation, so that a wrong assumption of the bot shows.
//!
//! In reading order: `discord_state` is the model, changed by plain functions under one lock; `rest` and
//! `gateway` serve the bot, `page` serves people; `people` has the actions of people, for the page and for
//! tests; `check`, `permissions` and `limits` refuse requests; `persistence` is the file; `page_security`
//! keeps other web pages out; `shared_state` connects all of them; `server` has all routes; `playground` starts
//! and stops everything.

pub mod api_error;
mod check;
pub mod clock;
mod discord_state;
pub mod fault_injection;
mod fault_plan;
mod gateway;
pub mod id;
pub mod json_pointers;
pub mod limits;
mod options;
mod page;
mod page_security;
pub mod people;
mod permissions;
mod persistence;
mod playground;
pub mod request_log;
mod rest;
mod secrets;
mod server;
mod shared_state;
pub mod task_runner;
mod test_lookups;
pub mod test_setup;
mod upload;

#[cfg(test)]
mod tests;

pub use discord_state::model::Answer;
pub use options::{BOT_ID, Options};
pub use playground::Playground;
