//! Tests of the playground with the real client, and against Discord's rules.

mod access;
mod client;
mod echo;
mod gateway;
mod guard;
mod interactions;
mod kept;
mod page;
mod raw;
mod rules;
mod units;
