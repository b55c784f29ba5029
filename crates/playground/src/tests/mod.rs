//! Tests of the playground with the real client, and against Discord's rules.

mod access;
mod activity;
mod client;
mod echo;
mod gateway;
mod interactions;
mod oauth2;
mod page;
mod page_security;
mod persistence;
mod raw_client;
mod rules;
mod units;
