//! Pages on which people play: the board is touched, and the bot decides. A signed-in person sees what they may see on
//! Discord; every order passes the same checks there.

mod access;
pub(super) mod annotations;
mod board;
pub(super) mod cells;
pub(super) mod drawn;
mod edits;
pub(super) mod events;
pub(super) mod expected_person;
pub(super) mod files;
pub(super) mod lines;
mod move_tree;
pub(super) mod my_games;
pub(super) mod my_games_events;
mod my_games_page;
mod names;
mod order_query;
pub(super) mod orders;
pub(super) mod page;
mod plans;
pub(super) mod positions;
mod proofs;
pub(super) mod response;
pub(super) mod rules;
mod sentence;
pub(super) mod set_up;
mod set_up_page;
pub(super) mod sheets;
pub(super) mod tables;
mod votes;
