//! The playground against the real client, and against Discord's rules.

mod client;
mod echo;
mod serve;
