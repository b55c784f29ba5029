//! Art that two or more games share.

pub mod chart;
pub mod ice;
pub mod pattern;
pub mod penguin;
pub(crate) mod plan;
pub mod square;
