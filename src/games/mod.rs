//! The games: one room each, all of the same shape.
