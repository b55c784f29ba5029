//! Art shared by two or more games.

pub mod chart;
pub mod ice;
pub(crate) mod pattern;
pub(crate) mod penguin;
pub(crate) mod plan;
pub(crate) mod pointer;
pub mod square;
