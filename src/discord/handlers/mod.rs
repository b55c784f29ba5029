//! Entries: commands, components, messages and their autocompletion. Handlers never call handlers.

pub mod commands;
pub mod components;
pub(in crate::discord) mod events;
pub mod lesson;
pub mod messages;
pub mod play_phrase;
pub mod response;
pub mod settings;
pub mod viewer_buttons;
