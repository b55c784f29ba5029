//! Conversations with the whole bot, as people hold them.

mod clocks;
mod endings;
mod languages;
mod moving;
mod offers;
mod openings;
mod places;
mod ratings;
mod records;
mod refusals;
mod settle;
mod starting;
mod trouble;
mod whole_game;
