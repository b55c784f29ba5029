//! Art that two or more rooms share.

pub mod penguin;
pub mod square;
