//! What tests of this crate and of others need.

#[cfg(unix)]
#[allow(clippy::unwrap_used, reason = "what fails here fails a test")]
pub mod postgres_server;
