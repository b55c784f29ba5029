//! A small Discord server on loopback, for trying the bot and for testing it.
//!
//! It implements REST v10 and gateway v10 as far as the bot uses them, as strictly as Discord, and serves a
//! web page on which the user acts as any of its people. It shares no code with the bot: its behaviour
//! follows Discord's documentation, so that a wrong assumption of the bot shows.
//!
//! In reading order: `discord_state` is the model, changed by plain functions under one lock; `rest` and
//! `gateway` serve the bot, `page` serves people, `oauth2` asks them, `activity` shows the application's pages in a frame; `people` has the actions of people; `check`, `permissions` and `limits` refuse requests; `persistence` is the file; `page_security`
//! keeps other web pages out; `shared_state` connects all of them; `server` has all routes; `playground` starts
//! and stops everything.

mod activity;
pub mod api_error;
mod check;
pub mod clock;
mod discord_state;
mod fault_plan;
mod gateway;
pub mod id;
pub mod json_pointers;
pub mod limits;
mod oauth2;
mod options;
mod page;
mod page_security;
mod people;
mod permissions;
mod persistence;
mod playground;
mod request_log;
mod rest;
mod secrets;
mod server;
mod shared_state;
pub mod task_runner;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod upload;

#[cfg(test)]
mod tests;

pub use discord_state::model::Answer;
pub use options::{BOT_ID, Options};
pub use playground::Playground;
