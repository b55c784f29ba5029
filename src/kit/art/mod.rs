//! Art that two or more rooms share.

pub mod ice;
pub mod penguin;
pub mod square;
