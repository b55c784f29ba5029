//! Drawing: the board as ice.

pub(super) use crate::art::ice::{THEMES, position as scene};
