//! What must be said on Discord after something happened, as data; the face finds the words.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::clock::Warning;
use super::{Offer, UserId};

/// One thing to be said or done on Discord for a table. Saying it twice must do no harm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum OutboxItem {
    /// Post the challenge or the announcement in the channel where the table was opened.
    Announce,
    /// Bring the announcement up to date (it is edited).
    Reannounce,
    /// Make the thread, then tell the table with [`crate::Order::SetBoardChannel`].
    MakeThread,
    /// Post the board as it is after this many turns.
    Board {
        /// Turns taken.
        ply: usize,
    },
    /// Post how a team's vote stands, or bring that up to date.
    Tally {
        /// The vote's number.
        number: u64,
        /// Turns taken then.
        ply: usize,
    },
    /// Remove the buttons of an earlier board, and its mention of the player to move.
    Strip {
        /// Turns taken then.
        ply: usize,
    },
    /// Post that something was offered, with buttons for the answer.
    Offered {
        /// What.
        offer: Offer,
        /// Seat index of who offers.
        seat: u8,
        /// Turns taken then.
        ply: usize,
    },
    /// Take the buttons off an offer that was answered or overtaken.
    Unoffer {
        /// Turns taken when it was made.
        ply: usize,
        /// What it was, and the seat index of who made it; not known in outboxes of older versions.
        #[serde(default)]
        made: Option<(Offer, u8)>,
    },
    /// Take the button off the news that the game stands still, and tell that it did.
    Unpaused,
    /// Post that the offer was turned down.
    Declined {
        /// Seat index of who did.
        seat: u8,
    },
    /// Post in a line what somebody did.
    Note {
        /// What.
        note: Note,
        /// Seat index of who.
        seat: u8,
    },
    /// Post that the end is proven, with a question or with the moves played out.
    Proven,
    /// Bring that up to date: answered, or overtaken.
    Reproven,
    /// Enter the result into the ratings, with [`crate::Order::Rate`].
    Rate,
    /// Open the second game of a set, then tell the table with [`crate::Order::Rematch`].
    Second,
    /// Post that the game goes on by itself.
    PauseOver,
    /// Remind the mover of how little time is left.
    Warned {
        /// Seat index of the mover.
        seat: u8,
        /// How little.
        warning: Warning,
        /// Turns taken then.
        ply: usize,
    },
    /// Post that the mover's time is up, with buttons for the others.
    TimeUp {
        /// Seat index of the mover.
        seat: u8,
        /// Turns taken then.
        ply: usize,
    },
    /// Post that the mover got more time.
    TimeGiven {
        /// Seat index of who gave it.
        by: u8,
        /// Seat index of who got it.
        seat: u8,
        /// How much.
        #[serde(rename = "more_ms", with = "crate::model::millis::duration")]
        more: SignedDuration,
    },
    /// Post that lost time was given back.
    GivenBack {
        /// How much.
        #[serde(rename = "lost_ms", with = "crate::model::millis::duration")]
        lost: SignedDuration,
    },
    /// Post that somebody takes days off, or is back from them.
    Away {
        /// Who.
        person: UserId,
        /// Until when; not later than now if they are back.
        #[serde(rename = "until_ms", with = "crate::model::millis::moment")]
        until: Timestamp,
    },
    /// Post the result under the last board.
    Result,
    /// Tell the host that the challenge came to nothing, where it was made.
    Lapsed,
    /// Tell the host that somebody turned the challenge down and their seat is free, where it was made.
    TurnedDown {
        /// Who.
        person: UserId,
    },
}

/// News in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Turns were taken back.
    Undone,
    /// The same, and the game does not count for ratings any more: in outboxes from when that was allowed.
    UndoneCasual,
    /// The game stands still.
    Paused,
    /// It goes on.
    Resumed,
    /// Somebody plays on although the end is proven.
    PlaysOn,
    /// The program plays on for somebody.
    #[serde(rename = "stands_in")]
    Substituted,
    /// The same, and the game does not count for ratings any more.
    #[serde(rename = "stands_in_casual")]
    SubstitutedCasual,
    /// The program plays on for a person whose data was deleted: they don't come back.
    #[serde(rename = "stands_in_for_good")]
    SubstitutedForGood,
    /// Somebody took their seat back.
    Back,
    /// The player to move had a hint.
    Hinted,
    /// Somebody gave up, and the others play on.
    GaveUp,
    /// Somebody's time was up, and the others play on.
    OutOfTime,
    /// The program took a seat in a game that was to count for ratings, and with which it cannot.
    Casual,
}

impl OutboxItem {
    /// A short key by which a posted message is found again: `board-12`, `announce`.
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
