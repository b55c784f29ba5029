//! What people do: say, reply, delete, use a command, press, choose, fill in.
//!
//! The page's API and the tests' handles both come through here, so a test can do nothing that a person
//! at the page could not.

pub(crate) mod actions;
pub(crate) mod commands;
pub(crate) mod components;
pub(crate) mod modals;
pub mod person;
pub mod visible_message;
