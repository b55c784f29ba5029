//! Art shared by two or more games.

pub mod chart;
pub mod ice;
pub mod pattern;
pub mod penguin;
pub(crate) mod plan;
pub mod square;
