//! Rookery hosts abstract board games in Discord channels. (The living map is written here as rooms land.)

pub mod discord;
pub mod games;
pub mod kit;
pub mod ops;
pub mod playground;
pub mod render;
pub mod search;
pub mod store;
pub mod table;
pub mod tools;
pub mod words;
