//! The posts that Discord still owes for a table, as data; `src/discord` makes messages of them.

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;
use serde::{Deserialize, Serialize};

use super::clock::Warning;
use super::{Offer, UserId};

/// One thing to post or do on Discord for a table. Posting it twice must do no harm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum OutboxItem {
    /// Post the challenge or the announcement in the channel where the table was opened.
    Announce,
    /// Edit the announcement to match the table.
    Reannounce,
    /// Create the thread, then report it to the table with [`crate::Order::SetBoardChannel`].
    MakeThread,
    /// Post the board of the position after this many turns.
    Board {
        /// Turns taken at that position.
        ply: usize,
    },
    /// Post the state of a team's vote, or edit that post.
    Tally {
        /// The number of the entry with which the vote began.
        number: u64,
        /// Turns taken at the time of the vote.
        ply: usize,
    },
    /// Remove the buttons of an earlier board, and its mention of the player to move.
    Strip {
        /// Turns taken at that board.
        ply: usize,
    },
    /// Post that an offer was made, with buttons for the answer.
    Offered {
        /// What the other players are asked.
        offer: Offer,
        /// Index of the seat that offers.
        seat: Seat,
        /// Turns taken when the offer was made.
        ply: usize,
    },
    /// Remove the buttons of an offer that was answered or is obsolete.
    Unoffer {
        /// Turns taken when the offer was made.
        ply: usize,
        /// The offer and the index of the seat that made it; unknown in outboxes of older versions.
        #[serde(default)]
        made: Option<(Offer, Seat)>,
    },
    /// Remove the button from the post about the pause, and say that the game was paused.
    Unpaused,
    /// Post that the offer was declined.
    Declined {
        /// Index of the seat that declined.
        seat: Seat,
    },
    /// Post one line of news about a player.
    Note {
        /// Which line to post.
        note: Note,
        /// Index of the player's seat.
        seat: Seat,
    },
    /// Post that the result is proven, with a question or with the moves played out.
    Proven,
    /// Edit the post of the proof: it was answered, or is obsolete.
    Reproven,
    /// Enter the result into the ratings, with [`crate::Order::Rate`].
    Rate,
    /// Open the second game of a set, then report it to the table with [`crate::Order::Rematch`].
    Second,
    /// Post that the game continues by itself after the longest pause.
    PauseOver,
    /// Remind the player to move that little time is left.
    Warned {
        /// Index of the seat to move.
        seat: Seat,
        /// The fraction of time left.
        warning: Warning,
        /// Turns taken at the reminder.
        ply: usize,
    },
    /// Post that the player to move has run out of time, with buttons for the other players.
    TimeUp {
        /// Index of the seat to move.
        seat: Seat,
        /// Turns taken when the time ran out.
        ply: usize,
    },
    /// Post that the player to move got more time.
    TimeGiven {
        /// Index of the seat that gave it.
        by: Seat,
        /// Index of the seat that got it.
        seat: Seat,
        /// The added time, which the cap limits.
        #[serde(rename = "more_ms", with = "crate::model::millis::duration")]
        more: SignedDuration,
    },
    /// Post that lost time was given back.
    GivenBack {
        /// The time given back.
        #[serde(rename = "lost_ms", with = "crate::model::millis::duration")]
        lost: SignedDuration,
    },
    /// Post that a person takes days off, or is back from them.
    Away {
        /// Who takes days off, or is back.
        person: UserId,
        /// The end; not later than now if the person is back.
        #[serde(rename = "until_ms", with = "crate::model::millis::moment")]
        until: Timestamp,
    },
    /// Post the result under the last board.
    Result,
    /// Tell the host, in the channel of the announcement, that the challenge expired.
    Lapsed,
    /// Tell the host, in the channel of the announcement, that a person declined the challenge and their seat
    /// is free.
    TurnedDown {
        /// The person who declined.
        person: UserId,
    },
}

/// One line of news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Turns were taken back.
    Undone,
    /// Turns were taken back and the game became casual. Only in outboxes from when that was allowed.
    UndoneCasual,
    /// The game was paused.
    Paused,
    /// The game was resumed.
    Resumed,
    /// A player plays on although the result is proven.
    PlaysOn,
    /// The bot plays on for a player.
    #[serde(rename = "stands_in")]
    Substituted,
    /// The bot plays on for a player, and the game became casual.
    #[serde(rename = "stands_in_casual")]
    SubstitutedCasual,
    /// The bot plays on for a person whose data was deleted; they do not come back.
    #[serde(rename = "stands_in_for_good")]
    SubstitutedForGood,
    /// A player took their seat back.
    Back,
    /// The player to move had a hint.
    Hinted,
    /// A player resigned, and the others play on.
    GaveUp,
    /// A player ran out of time, and the others play on.
    OutOfTime,
    /// The bot took a seat in a game that was to be rated, which makes it casual.
    Casual,
}

impl OutboxItem {
    /// Returns the item whose message this one edits, or replaces: the board whose buttons are removed, or else an
    /// earlier item with the same key.
    pub fn edited(&self) -> OutboxItem {
        match self {
            OutboxItem::Strip { ply } => OutboxItem::Board { ply: *ply },
            item => item.clone(),
        }
    }

    /// Returns a short key that identifies the posted message: `board-12`, `announce`.
    pub fn key(&self) -> String {
        match self {
            OutboxItem::Announce => "announce".into(),
            OutboxItem::Reannounce => "reannounce".into(),
            OutboxItem::MakeThread => "thread".into(),
            OutboxItem::Board { ply } => format!("board-{ply}"),
            OutboxItem::Tally { number, .. } => format!("tally-{number}"),
            OutboxItem::Strip { ply } => format!("strip-{ply}"),
            OutboxItem::Offered { ply, .. } => format!("offered-{ply}"),
            OutboxItem::Unpaused => "unpaused".into(),
            OutboxItem::Unoffer { ply, .. } => format!("unoffer-{ply}"),
            OutboxItem::Declined { .. } => "declined".into(),
            OutboxItem::Note { note: Note::Paused, .. } => "paused".into(),
            OutboxItem::Note { .. } => "note".into(),
            OutboxItem::Proven => "proven".into(),
            OutboxItem::Reproven => "reproven".into(),
            OutboxItem::Rate => "rate".into(),
            OutboxItem::Second => "second".into(),
            OutboxItem::PauseOver => "pause-over".into(),
            OutboxItem::Warned { ply, .. } => format!("warned-{ply}"),
            OutboxItem::TimeUp { ply, .. } => format!("up-{ply}"),
            OutboxItem::TimeGiven { .. } => "given".into(),
            OutboxItem::GivenBack { .. } => "given-back".into(),
            OutboxItem::Away { .. } => "away".into(),
            OutboxItem::Result => "result".into(),
            OutboxItem::Lapsed => "lapsed".into(),
            OutboxItem::TurnedDown { .. } => "turned-down".into(),
        }
    }
}
