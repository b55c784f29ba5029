//! The rules of tables: pure functions of a table and an order. No clock, no unseeded randomness, no I/O.

pub mod access;
pub(crate) mod auto_moves;
mod card;
pub mod clock;
pub mod decide;
pub(crate) mod deletion;
pub mod fair_play;
pub mod freeze;
pub mod hints;
mod margin;
pub(crate) mod next_table;
pub mod offers;
pub mod outbox;
pub mod plans;
pub mod posted_boards;
pub mod quota;
pub mod rated;
pub mod review;
pub mod saved_analysis;
pub mod seats;
pub mod sets;
pub mod settle;
pub mod state;
pub mod teams;
pub mod thinking_limits;
pub(crate) mod time;
pub mod vacation;
