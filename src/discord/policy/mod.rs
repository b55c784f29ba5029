//! Who may see, join and write; which table a request means; quotas.

pub(in crate::discord) mod bans;
pub(in crate::discord) mod membership;
pub mod opening;
pub(in crate::discord) mod orders;
pub mod pings;
pub(in crate::discord) mod quotas;
pub(in crate::discord) mod server_managers;
pub(in crate::discord) mod server_rules;
pub(in crate::discord) mod table_access;
pub mod table_lookup;
pub mod teams;
