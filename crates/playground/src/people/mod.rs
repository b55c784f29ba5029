//! The actions of people: posting, replying, deleting, commands, buttons, selects, modals.
//!
//! The page's API and the tests' handles both use this module, so a test can do only what a person at the
//! page could.

pub(crate) mod actions;
pub(crate) mod commands;
pub(crate) mod components;
pub(crate) mod modals;
pub(crate) mod uploads;
