//! Background jobs beside the gateway: outbox, lobbies, TV channels, digests, deferred pings, announcements.

pub(in crate::discord) mod announcements;
pub(in crate::discord) mod deferred_pings;
pub mod digest;
pub mod lobby;
pub mod outbox;
pub mod quiet_hours;
pub(in crate::discord) mod supervisor;
pub(in crate::discord) mod tv;
pub(in crate::discord) mod welcome;
