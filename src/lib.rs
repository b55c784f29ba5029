//! Rookery, a program that hosts abstract board games in Discord channels. People play each other and the
//! bot, see a drawn board after every turn, and watch running games.
//!
//! `ARCHITECTURE.md` has the map of the workspace, the invariants, and walks through the code.

pub mod cli;
pub mod config;
pub mod discord;
pub mod doctor;
pub mod drawing;
pub mod http_server;
pub mod observability;
pub mod periodic_tasks;
pub mod playground_tasks;
pub mod processes;
pub mod roles;
pub mod shutdown;
pub mod web;
