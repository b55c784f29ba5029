//! The orders a table takes, the events it records, and how it ends.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use rookery_core::player::Level;
use rookery_core::{Reason, Seat};

use super::clock::{TimeOff, TimeSpan, Warning};
use super::rating::RatingPool;
use super::{BoardChannel, KnownRating, Occupant, Offer, Proof, RatingChange, TableId, Terms, UserId};

/// Moves in canonical notation from the current position; the planner plays the last one.
pub type Branch = Vec<String>;

/// An order to a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Take a free seat, or the one reserved for the person.
    Join,
    /// Take a seat reserved for a team, as its captain. The Discord side has checked that the person belongs
    /// to the team.
    Lead {
        /// Index of the reserved seat, from 0.
        seat: Seat,
    },
    /// Give up a seat before the start. If the host leaves, the table closes.
    Leave,
    /// Decline an invitation, before the start only.
    Decline,
    /// Play a move for the person's seat.
    Move {
        /// The move as the person wrote it.
        text: String,
        /// Turns taken when the board that the person answers was posted, if known.
        ply: Option<usize>,
    },
    /// Vote for a move in the person's team.
    Vote {
        /// The number of the entry with which the vote began.
        number: u64,
        /// The move's index among the proposals.
        proposal: usize,
    },
    /// Add a person to a team of a role or of everyone. Only the system gives this order.
    AddMember {
        /// Who becomes a member.
        person: UserId,
        /// The captain of the team.
        captain: UserId,
    },
    /// Remove a person from the team of a role that they no longer have. Only the system gives this order.
    RemoveMember {
        /// Who loses their place.
        person: UserId,
        /// The captain of the team.
        captain: UserId,
    },
    /// Give the free seats to the bot (host only).
    Fill(Level),
    /// Plan a reply in advance: "if d10-d4/g4 then a4-c4/c2".
    Plan(String),
    /// Delete the plan of this branch, or all plans.
    Unplan(Option<Branch>),
    /// Get a hint for the person's own turn.
    Hint,
    /// Resign; the person has confirmed it.
    Resign,
    /// Make an offer to all other players.
    Offer(Offer),
    /// Answer the open offer.
    Answer {
        /// Whether the answer is yes.
        yes: bool,
        /// Sequence number of the journal entry that made the offer, if known.
        to: Option<u64>,
    },
    /// Resume a game that was paused by agreement.
    Resume,
    /// The result of the game was proven.
    Settled(Box<Proof>),
    /// Hand the person's seat to the bot. A member of a team leaves the team.
    Substitute {
        /// The level the bot plays at.
        level: Level,
    },
    /// Take the seat back from the bot, or rejoin the team.
    ComeBack,
    /// A rematch of the finished game was opened.
    Rematch {
        /// The table of the rematch.
        table: TableId,
        /// The table that was announced before and that `table` replaces.
        instead_of: Option<TableId>,
    },
    /// Nothing can be posted in the channel of the boards any more. Changes nothing if the game has already
    /// moved to another channel.
    LeaveBoardChannel {
        /// The channel that is lost.
        lost: BoardChannel,
        /// Where the boards are posted from now on; `None` until a player chooses a channel.
        next: Option<BoardChannel>,
    },
    /// The bot was removed from the server: freeze the game.
    Freeze,
    /// The bot is back in the server: continue the game.
    Thaw,
    /// End a game that has been frozen for too long.
    EndFrozen,
    /// Answer whether to accept the proven result.
    Accept {
        /// `true` to accept, `false` to play on.
        yes: bool,
    },
    /// The thread was created, or another channel was chosen.
    SetBoardChannel(BoardChannel),
    /// Nobody joined in time: close the table.
    Expire,
    /// Enter the result into the ratings. Holds each seat's rating before the game, in seat order.
    Rate(Vec<KnownRating>),
    /// Time has passed: apply its effects.
    Tick,
    /// A person has their data deleted: leave their next seat.
    RemovePerson {
        /// Whose data is deleted.
        person: UserId,
        /// How running games are left.
        leave_policy: LeavePolicy,
    },
    /// Claim the win because the player to move has run out of time.
    Claim,
    /// Give the player to move more time.
    GiveTime,
    /// Let the bot play on for the player to move, who has run out of time.
    SeatProgram {
        /// The level the bot plays at.
        level: Level,
    },
    /// Set when a person's clock is stopped from now on.
    SetTimeOff {
        /// The person whose periods change.
        person: UserId,
        /// All periods from now on; they replace the earlier ones.
        rest: TimeOff,
    },
}

/// How running games end when a person's data is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeavePolicy {
    /// The person resigns from every running game.
    Resign,
    /// The bot plays on where it may: in casual games of three or four.
    Substitute,
}

/// Why a table played a move by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutoMoveReason {
    /// It was the only legal move.
    Forced,
    /// The player had planned it.
    Planned,
}

/// Something that happened at a table. The journal consists of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a table has one event that opens it")]
pub enum Event {
    /// A table was opened.
    Opened {
        /// The terms, which never change.
        terms: Terms,
        /// The person who opened it.
        host: UserId,
        /// The occupants of the seats, in turn order.
        chairs: Vec<Occupant>,
    },
    /// The channel for boards was set.
    #[serde(rename = "housed")]
    BoardChannelSet {
        /// The channel and whether it is the table's own thread.
        #[serde(rename = "home")]
        board_channel: BoardChannel,
    },
    /// The channel for boards is gone.
    #[serde(rename = "unhoused")]
    BoardChannelCleared,
    /// The bot cannot reach the server: the game is frozen.
    Frozen,
    /// The bot can reach the server again.
    Thawed,
    /// A seat was taken. In a running game: by the bot for a player who leaves, or by that player on return.
    Seated {
        /// Seat index from 0.
        seat: Seat,
        /// Who holds the seat from now on.
        occupant: Occupant,
    },
    /// A person left a seat before the start.
    Vacated {
        /// Seat index from 0.
        seat: Seat,
    },
    /// The game started from this position. It is recorded so that a record never depends on how layouts are
    /// drawn.
    Started {
        /// The initial position in the game's own notation.
        line: String,
    },
    /// A move was played.
    Moved {
        /// Seat index from 0.
        seat: Seat,
        /// The move in canonical notation.
        text: String,
        /// Why the table played it by itself, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<AutoMoveReason>,
    },
    /// A person joined a team.
    Enlisted {
        /// The captain of the team.
        captain: UserId,
        /// The new member of the team.
        person: UserId,
    },
    /// A person left their team.
    Departed {
        /// The captain of the team.
        captain: UserId,
        /// The former member of the team.
        person: UserId,
    },
    /// A member of a team made a move: it is put to the vote with the member's own vote, or played at once if
    /// the team does not vote.
    Proposed {
        /// Seat index from 0.
        seat: Seat,
        /// Who made the move.
        person: UserId,
        /// The move in canonical notation.
        text: String,
    },
    /// A member of a team voted for a proposal, which replaces their earlier vote.
    Voted {
        /// Seat index from 0.
        seat: Seat,
        /// The member who voted.
        person: UserId,
        /// Index among the vote's proposals.
        proposal: u16,
    },
    /// A team's vote is over; the move follows.
    Elected {
        /// Seat index from 0.
        seat: Seat,
        /// Index of the winning proposal.
        proposal: u16,
        /// The number of proposals with the most votes. If it is more than one, the winner was drawn.
        tied: u8,
    },
    /// A player planned replies, which replace their earlier plans.
    Planned {
        /// Seat index from 0.
        seat: Seat,
        /// The branches: moves in canonical notation, each ending with a move of the planner.
        branches: Vec<Vec<String>>,
    },
    /// The player to move had a hint from the program.
    Hinted {
        /// Seat index from 0.
        seat: Seat,
    },
    /// A player resigned; with three or four players the game may continue.
    Resigned {
        /// Seat index from 0.
        seat: Seat,
    },
    /// An offer was made.
    Offered {
        /// Seat index from 0.
        seat: Seat,
        /// What the players are asked.
        offer: Offer,
    },
    /// A player agreed to the open offer, and other answers are still awaited.
    Agreed {
        /// Seat index from 0.
        seat: Seat,
    },
    /// The open offer was declined.
    Declined {
        /// Seat index from 0.
        seat: Seat,
    },
    /// Turns were taken back.
    Undone {
        /// Index of the seat that asked for it.
        seat: Seat,
        /// Turns taken before the undo.
        from: usize,
        /// Turns taken after; fewer than `from`.
        ply: usize,
        /// Whether a rated game became casual. Only in journals from when that was allowed.
        #[serde(default)]
        casual: bool,
    },
    /// The game was paused by agreement.
    Paused {
        /// Index of the seat that asked for it.
        seat: Seat,
    },
    /// The game was resumed.
    Resumed {
        /// Index of the seat that resumed it.
        seat: Seat,
    },
    /// The result of the game was proven.
    Proven {
        /// The proof, with the moves that end the game.
        proof: Proof,
    },
    /// A player accepted the proven result, and other answers are still awaited.
    Accepted {
        /// Seat index from 0.
        seat: Seat,
    },
    /// A player plays on although the result is proven.
    PlayedOn {
        /// Seat index from 0.
        seat: Seat,
    },
    /// The game continues by itself: the pause reached its maximum length.
    PauseOver,
    /// Players could not move because the bot or Discord was down: that time is given back.
    Lost {
        /// The lost periods; they do not overlap.
        spans: Vec<TimeSpan>,
    },
    /// A person changed when their clock is stopped.
    Rested {
        /// The person whose clocks are affected.
        person: UserId,
        /// All periods from now on; they replace the earlier ones.
        rest: TimeOff,
    },
    /// The player to move was reminded that little time is left.
    Warned {
        /// Seat index from 0.
        seat: Seat,
        /// The fraction of time left.
        warning: Warning,
    },
    /// The player to move has run out of time, and the other players decide what follows.
    TimeUp {
        /// Seat index from 0.
        seat: Seat,
    },
    /// The player to move got more time.
    TimeGiven {
        /// Index of the seat that gave it.
        by: Seat,
        /// Index of the seat that got it.
        seat: Seat,
        /// The added time, which the cap limits.
        #[serde(rename = "more_ms", with = "crate::model::millis::duration")]
        more: SignedDuration,
    },
    /// A player is out of the game because their time ran out.
    TimedOut {
        /// Seat index from 0.
        seat: Seat,
    },
    /// A rematch of the finished game was opened.
    Rematched {
        /// The table of the rematch.
        table: TableId,
    },
    /// The game ended, or the wait for players did.
    Ended {
        /// The winners and the cause.
        ending: Ending,
    },
    /// A person's name was removed from the entries before this one, and their hashes were computed anew.
    Forgotten {
        /// The hash that closed the record until then; `None` if it had none.
        seal: Option<String>,
        /// Whether the hash chain was intact up to that hash.
        sound: bool,
        /// The number of entries from before hashes were kept.
        #[serde(default)]
        unsealed: usize,
    },
    /// The result was entered into the ratings.
    Rated {
        /// The pool that the game counted for.
        pool: RatingPool,
        /// The rating changes, in seat order.
        changes: Vec<RatingChange>,
    },
}

/// How a table ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Indices of the seats that won or share the victory; empty if there was no game.
    pub winners: Vec<Seat>,
    /// What ended the table.
    pub cause: EndCause,
}

impl Event {
    /// Returns the event that ends a table.
    pub(crate) fn ended(winners: Vec<Seat>, cause: EndCause) -> Event {
        Event::Ended { ending: Ending { winners, cause } }
    }
}

/// Why a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum EndCause {
    /// A rule of the game ended it.
    Rules {
        /// The rule that ended the game.
        #[serde(with = "reason_key")]
        reason: Reason,
        /// The moves that the winner had left, where the last mover wins and they were counted; older entries lack it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves_left: Option<u32>,
    },
    /// A player resigned, which ended the game.
    Resigned,
    /// A player ran out of time.
    OnTime,
    /// The game was abandoned: nothing happened for a very long time.
    Abandoned,
    /// The players agreed to count what each side has left.
    Counted {
        /// The margin in half units, if the count has one.
        margin_halves: Option<u32>,
    },
    /// The players agreed on a draw.
    Agreed,
    /// The sides shared no region any more, and an exact count proved the result.
    Proven {
        /// The margin in half units, if it was counted exactly.
        margin_halves: Option<u32>,
    },
    /// The game was cancelled: before everyone had moved, or by agreement.
    Aborted,
    /// The host closed the table before the game began.
    Closed,
    /// The invited person declined.
    Refused,
    /// Nobody joined in time.
    Expired,
    /// The game was imported for viewing and never played here.
    Imported,
}

impl EndCause {
    /// Returns the name in records: that of the rule if a rule ended the game.
    pub fn key(&self) -> &'static str {
        match self {
            EndCause::Rules { reason, .. } => reason.key(),
            EndCause::Resigned => "resigned",
            EndCause::OnTime => "on-time",
            EndCause::Abandoned => "abandoned",
            EndCause::Counted { .. } => "counted",
            EndCause::Proven { .. } => "proven",
            EndCause::Agreed => "agreed",
            EndCause::Aborted => "aborted",
            EndCause::Closed => "closed",
            EndCause::Refused => "refused",
            EndCause::Expired => "expired",
            EndCause::Imported => "imported",
        }
    }
}

/// The status of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Seats are free, or an invited person has not answered.
    Waiting,
    /// The game is in progress.
    Running,
    /// The table has ended.
    Over(Ending),
}

mod reason_key {
    use super::{Deserialize, Reason};
    pub(super) fn serialize<S: serde::Serializer>(reason: &Reason, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(reason.key())
    }
    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Reason, D::Error> {
        let key = String::deserialize(d)?;
        Reason::named(&key).ok_or_else(|| serde::de::Error::custom(format!("no reason called {key}")))
    }
}
