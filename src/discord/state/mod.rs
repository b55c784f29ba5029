//! Caches and the [`Context`](context::Context) that holds them. Each cache has a type of its own and is bounded: by a
//! capacity, or, where dropping an entry would lose something, by the servers or tables that there are.

pub mod begun_moves;
pub(in crate::discord) mod bot_roles;
pub mod channel_access;
pub mod channels_without_games;
pub mod context;
pub mod deferred_pings;
pub mod display_preferences;
pub mod dm_budget;
pub mod dm_channels;
pub(in crate::discord) mod edited_messages;
pub(in crate::discord) mod guild_arrivals;
pub(in crate::discord) mod guild_presence;
pub(in crate::discord) mod in_progress;
pub(in crate::discord) mod member_access;
pub mod message_order;
pub mod message_turns;
pub mod people_names;
pub mod ranked_moves;
pub mod recent_presses;
pub mod refused_channels;
pub mod resign_confirmations;
pub mod user_install_messages;
pub mod welcome_queue;
