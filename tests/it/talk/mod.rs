//! Conversations with the whole bot, as people hold them.

mod brought;
mod clocks;
mod endings;
mod languages;
mod learning;
mod leaving;
mod lists;
mod load;
mod manners;
mod moving;
mod offers;
mod openings;
mod places;
mod ratings;
mod records;
mod refusals;
mod rematch;
mod replays;
mod settle;
mod starting;
mod teams;
mod trouble;
mod tutorial;
mod watching;
mod whole_game;
