//! Operations that several handlers share, or a handler and a job: analysis, hints, announcements, searches for own
//! messages, rematches, share links, studies, games from a position, relocation, confirmation of a resignation.

pub mod analysis;
pub(in crate::discord) mod announcement;
pub(in crate::discord) mod board_link;
pub(in crate::discord) mod board_picture;
pub(in crate::discord) mod browsers;
pub(in crate::discord) mod hint;
pub(in crate::discord) mod live_message;
pub(in crate::discord) mod lobby_message;
pub(in crate::discord) mod own_messages;
pub(in crate::discord) mod play_on;
pub mod relocation;
pub mod rematch;
pub mod resign_confirmation;
pub mod sharing;
pub(in crate::discord) mod study;
pub(in crate::discord) mod tv_state;
pub mod user_install;
pub(in crate::discord) mod vote_answers;
pub(in crate::discord) mod welcome;
