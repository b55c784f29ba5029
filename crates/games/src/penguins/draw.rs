//! How the board is drawn: as ice.

pub(super) use crate::art::ice::{THEMES, position as scene};
