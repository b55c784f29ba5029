//! How the board is drawn: as ice.

pub(super) use crate::kit::art::ice::{THEMES, position as scene};
