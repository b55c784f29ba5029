//! The wire protocol: ids, events, messages, limits, the REST client and the gateway session.

pub mod api;
pub mod challenge_id;
pub mod custom_id;
pub mod error;
pub mod form;
pub mod game_list_id;
pub mod help_id;
pub mod incoming_message;
pub mod interaction;
pub(in crate::discord) mod json_fields;
pub mod lesson_id;
pub mod limits;
pub mod network;
pub mod outgoing_message;
pub mod owner_id;
pub(in crate::discord) mod payload;
pub(in crate::discord) mod pictures;
pub mod privacy_id;
pub(in crate::discord) mod rest;
pub(in crate::discord) mod sent_message;
pub(in crate::discord) mod server_info;
pub(in crate::discord) mod session;
pub mod setting_id;
pub mod share_id;
pub(in crate::discord) mod snowflake;
pub mod start_id;
pub mod table_button_id;
