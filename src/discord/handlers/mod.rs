//! Handlers of commands, components, messages and autocompletion. Handlers never call each other.

pub mod accounts;
pub mod commands;
pub mod components;
pub(in crate::discord) mod events;
pub mod lesson;
pub mod messages;
pub mod pages;
pub mod play_phrase;
pub mod response;
pub mod settings;
pub mod start;
pub mod viewer_buttons;
