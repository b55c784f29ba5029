//! Ratings of people and levels: how a result changes them.

pub mod level_ratings;
pub mod rating;
