//! What is asked of a table, what happens there, and how it ends.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use rookery_core::player::Level;
use rookery_core::{Reason, Seat};

use super::clock::{TimeOff, TimeSpan, Warning};
use super::rating::{Pool, Rating};
use super::{BoardChannel, Occupant, Offer, Proof, RatingChange, TableId, Terms, UserId};

/// Moves in canonical spelling from the present position, the last one by the player who plans.
pub type Branch = Vec<String>;

/// What somebody asks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Take a free seat, or the one that was kept.
    Join,
    /// Take a seat that is kept for a team, and lead it. The face has seen that one belongs to it.
    Lead {
        /// The seat's index.
        seat: u8,
    },
    /// Give up a seat before the start; the host closes the table with it.
    Leave,
    /// Say no to an invitation.
    Decline,
    /// Play a move. `ply` is the turn it was meant for, where that is known.
    Move {
        /// As it was written.
        text: String,
        /// Turns taken when the board it answers was posted.
        ply: Option<usize>,
    },
    /// Be for a move that is put to the vote in one's team.
    Vote {
        /// The vote's number.
        number: u64,
        /// The move's index among the proposals.
        proposal: usize,
    },
    /// Somebody was seen to belong to a team of a role, or of everybody (the house's business).
    AddMember {
        /// Who.
        person: UserId,
        /// Whose team it is.
        captain: UserId,
    },
    /// Somebody was seen to have the role of their team no more (the house's business).
    RemoveMember {
        /// Who.
        person: UserId,
        /// Whose team it is.
        captain: UserId,
    },
    /// Give the free seats to the program (the host's business).
    Fill(Level),
    /// Decide beforehand what to play: "if d10-d4/g4 then a4-c4/c2".
    Plan(String),
    /// Give up the plan of this branch, or all of them.
    Unplan(Option<Branch>),
    /// Have a hint for the turn one is to take.
    Hint,
    /// Give up the game (confirmed).
    Resign,
    /// Offer something.
    Offer(Offer),
    /// Answer the offer that stands.
    Answer {
        /// Yes or no.
        yes: bool,
        /// The number of the journal's entry that made the offer, where that is known.
        to: Option<u64>,
    },
    /// Take a game up again that stands still by agreement.
    Resume,
    /// The end of the game was proven.
    Settled(Box<Proof>),
    /// Hand one's seat to the program; a member of a team leaves it.
    Substitute {
        /// How strong it is to play.
        level: Level,
    },
    /// Take one's seat back from the program; or play with one's team again.
    ComeBack,
    /// A finished game is played again.
    Rematch {
        /// At this table.
        table: TableId,
        /// Not at this one, which was announced before.
        instead_of: Option<TableId>,
    },
    /// The place where boards were posted is gone.
    ClearBoardChannel,
    /// We were taken out of the server: stand still.
    Freeze,
    /// We are back: go on.
    Thaw,
    /// Give up a game that has stood still for too long.
    EndFrozen,
    /// Answer the question whether to accept the proven end.
    Accept {
        /// Yes; or no, to play on.
        yes: bool,
    },
    /// The thread was made, or another place found.
    SetBoardChannel(BoardChannel),
    /// Nobody came in time.
    Expire,
    /// Enter the result into the ratings. Every seat's before the game, in seat order.
    Rate(Vec<Rating>),
    /// Time has passed: see what comes of it.
    Tick,
    /// Somebody has their data deleted: leave their next seat.
    RemovePerson {
        /// Who.
        person: UserId,
        /// What becomes of it.
        leave_policy: LeavePolicy,
    },
    /// Claim the win, because the mover's time is up.
    Claim,
    /// Give the mover more time.
    GiveTime,
    /// Let the program play on for the mover, whose time is up.
    SeatProgram {
        /// How strong.
        level: Level,
    },
    /// Somebody's time stands as they chose from now on.
    SetTimeOff {
        /// Who.
        person: UserId,
        /// When.
        rest: TimeOff,
    },
}

/// What happens to running games when a person's data is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeavePolicy {
    /// They are given up.
    Resign,
    /// The program plays on where it may: in casual games of three or four.
    Substitute,
}

/// Why a table took a turn by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutoMoveReason {
    /// There was no other move.
    Forced,
    /// It had been decided beforehand.
    Planned,
}

/// What happened. The journal is made of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a table has one event that opens it")]
pub enum Event {
    /// A table was opened.
    Opened {
        /// Its terms.
        terms: Terms,
        /// Who opened it.
        host: UserId,
        /// Its chairs in turn order.
        chairs: Vec<Occupant>,
    },
    /// It has a place where boards are posted.
    #[serde(rename = "housed")]
    BoardChannelSet {
        /// The place.
        #[serde(rename = "home")]
        board_channel: BoardChannel,
    },
    /// The place where boards were posted is gone.
    #[serde(rename = "unhoused")]
    BoardChannelCleared,
    /// The server is out of reach: the game stands still.
    Frozen,
    /// It is within reach again.
    Thawed,
    /// Somebody sat down; in a game that is on, the program for who leaves, or they again.
    Seated {
        /// Seat index from 0.
        seat: u8,
        /// Who.
        occupant: Occupant,
    },
    /// Somebody left a seat before the start.
    Vacated {
        /// Seat index from 0.
        seat: u8,
    },
    /// The game began from this position (so that a record never depends on how layouts are drawn).
    Started {
        /// The first position in the game's own line.
        line: String,
    },
    /// A turn was taken.
    Moved {
        /// Seat index from 0.
        seat: u8,
        /// The move in canonical spelling.
        text: String,
        /// Why the table took it by itself, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<AutoMoveReason>,
    },
    /// Somebody was seen to belong to a team.
    Enlisted {
        /// Whose team it is.
        captain: UserId,
        /// Who.
        person: UserId,
    },
    /// Somebody plays with their team no more.
    Departed {
        /// Whose team it is.
        captain: UserId,
        /// Who.
        person: UserId,
    },
    /// Somebody of a team made a move: it is put to the vote with theirs, or played at once where the team
    /// does not vote.
    Proposed {
        /// Seat index from 0.
        seat: u8,
        /// Who.
        person: UserId,
        /// The move in canonical spelling.
        text: String,
    },
    /// Somebody of a team is for a proposal, and for no other any more.
    Voted {
        /// Seat index from 0.
        seat: u8,
        /// Who.
        person: UserId,
        /// The proposal's index.
        proposal: u16,
    },
    /// A team's vote is over; the move follows.
    Elected {
        /// Seat index from 0.
        seat: u8,
        /// The index of the proposal that is played.
        proposal: u16,
        /// How many had as many votes; more than one, and it was drawn.
        tied: u8,
    },
    /// Somebody decided beforehand what to play; it takes the place of what they had decided.
    Planned {
        /// Seat index from 0.
        seat: u8,
        /// The branches: moves in canonical spelling, the last of each by the planner.
        branches: Vec<Vec<String>>,
    },
    /// The player to move had a hint from the program.
    Hinted {
        /// Seat index from 0.
        seat: u8,
    },
    /// Somebody gave up.
    Resigned {
        /// Seat index from 0.
        seat: u8,
    },
    /// Something was offered.
    Offered {
        /// Seat index from 0.
        seat: u8,
        /// What.
        offer: Offer,
    },
    /// Somebody agreed to the standing offer, and others are still to be heard.
    Agreed {
        /// Seat index from 0.
        seat: u8,
    },
    /// The standing offer was turned down.
    Declined {
        /// Seat index from 0.
        seat: u8,
    },
    /// Turns were taken back.
    Undone {
        /// Seat index of who asked for it.
        seat: u8,
        /// Turns taken before.
        from: usize,
        /// Turns taken from now on; fewer.
        ply: usize,
        /// Whether a game that counted for ratings does so no longer: in journals from when that was allowed.
        #[serde(default)]
        casual: bool,
    },
    /// The game stands still by agreement.
    Paused {
        /// Seat index of who asked for it.
        seat: u8,
    },
    /// The game goes on.
    Resumed {
        /// Seat index of who took it up again.
        seat: u8,
    },
    /// The end of the game was proven.
    Proven {
        /// The proof.
        proof: Proof,
    },
    /// Somebody accepted the proven end, and others are still to be heard.
    Accepted {
        /// Seat index from 0.
        seat: u8,
    },
    /// Somebody plays on although the end is proven.
    PlayedOn {
        /// Seat index from 0.
        seat: u8,
    },
    /// The game goes on by itself: it stood still for as long as one may.
    PauseOver,
    /// Nobody could move for a while, since the program or Discord was away: that time is given back.
    Lost {
        /// When; the times do not overlap.
        spans: Vec<TimeSpan>,
    },
    /// Somebody's time stands as they chose from now on.
    Rested {
        /// Who.
        person: UserId,
        /// When.
        rest: TimeOff,
    },
    /// The mover was reminded of how little time is left.
    Warned {
        /// Seat index from 0.
        seat: u8,
        /// How little.
        warning: Warning,
    },
    /// The mover's time is up, and the others decide what comes of it.
    TimeUp {
        /// Seat index from 0.
        seat: u8,
    },
    /// The mover got more time.
    TimeGiven {
        /// Seat index of who gave it.
        by: u8,
        /// Seat index of who got it.
        seat: u8,
        /// How much.
        #[serde(rename = "more_ms", with = "crate::model::millis::duration")]
        more: SignedDuration,
    },
    /// Somebody is out of the game, because their time was up.
    TimedOut {
        /// Seat index from 0.
        seat: u8,
    },
    /// The finished game is played again.
    Rematched {
        /// At this table.
        table: TableId,
    },
    /// The game, or the waiting for it, ended.
    Ended {
        /// How.
        ending: Ending,
    },
    /// Somebody's name was taken out of the entries before this one, which were sealed anew.
    Forgotten {
        /// The seal that closed the record until then; `None` if it had none.
        seal: Option<String>,
        /// Whether all was as it had been written, up to that seal.
        sound: bool,
        /// How many of the entries were from before there were seals.
        #[serde(default)]
        unsealed: usize,
    },
    /// The result was entered into the ratings.
    Rated {
        /// Whom they compare with whom.
        pool: Pool,
        /// What changed, in seat order.
        changes: Vec<RatingChange>,
    },
}

/// How a table ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Seat indices of those who won or share the victory; empty if there was no game.
    pub winners: Vec<u8>,
    /// Why.
    pub cause: EndCause,
}

impl Event {
    /// Returns the event that ends a table.
    pub(crate) fn ended(winners: Vec<Seat>, cause: EndCause) -> Event {
        let winners = winners.into_iter().map(|seat| seat.index() as u8).collect();
        Event::Ended { ending: Ending { winners, cause } }
    }
}

/// Why a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum EndCause {
    /// By the rules of the game.
    Rules {
        /// Which rule.
        #[serde(with = "reason_key")]
        reason: Reason,
    },
    /// Somebody gave up.
    Resigned,
    /// Somebody's time was up.
    OnTime,
    /// Nobody did anything for a very long time.
    Abandoned,
    /// Both agreed to count what is left.
    Counted {
        /// The lead in half units, where it means something.
        margin_halves: Option<u32>,
    },
    /// Both agreed to share it.
    Agreed,
    /// Nothing was shared any more, and the exact count proved it.
    Proven {
        /// The lead in half units, where it is counted out.
        margin_halves: Option<u32>,
    },
    /// Called off, before everybody had moved or by agreement.
    Aborted,
    /// The host closed the table before the game began.
    Closed,
    /// Who was asked said no.
    Refused,
    /// Nobody came in time.
    Expired,
    /// It was brought along to be looked at, and never played here.
    Imported,
}

impl EndCause {
    /// Its name in records: that of the rule, where it ended by one.
    pub fn key(&self) -> &'static str {
        match self {
            EndCause::Rules { reason } => reason.key(),
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

/// Where a table stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Seats are free or somebody has not answered.
    Waiting,
    /// The game is on.
    Running,
    /// It has ended.
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
