//! What may happen at a table: pure functions of a table and an order. No clock, no chance, no I/O.

pub mod access;
pub(crate) mod auto_moves;
pub mod clock;
pub(crate) mod deletion;
pub mod fair_play;
pub mod freeze;
pub mod hints;
pub(crate) mod next_table;
pub mod offers;
pub mod outbox;
pub mod plans;
pub mod posted_boards;
pub mod quota;
pub mod review;
pub mod seats;
pub mod sets;
pub mod settle;
pub mod state;
pub mod teams;
pub(crate) mod time;
pub mod vacation;
