//! What the journal keeps: entries, cards, jobs, due messages, and why it fails.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use rookery_core::player::Level;

use super::outbox_item::OutboxItem;
use super::team::{Team, TeamMembers};
use super::{
    BoardChannel, ChannelId, Event, GuildId, InSet, MessageId, SourceId, TableId, UserId, level_key,
};

/// One event as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number within the table, from 1 without gaps.
    pub sequence: u64,
    /// When it was decided.
    pub at: Timestamp,
    /// The message or interaction that asked for it, to know it again if it comes twice.
    pub source: Option<SourceId>,
    /// What happened.
    pub event: Event,
}

/// What a decision leaves behind: written whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The table.
    pub table: TableId,
    /// The events, their numbers following on what is there.
    pub entries: Vec<Entry>,
    /// What must be said on Discord, in order.
    pub outbox_items: Vec<OutboxItem>,
    /// The turn the program owes now; it replaces whatever it owed at this table before.
    pub job: Option<Job>,
    /// How the table is found from now on.
    pub card: Card,
}

impl Batch {
    /// When it was decided.
    pub fn at(&self) -> Timestamp {
        self.entries.last().map_or(self.card.at, |entry| entry.at)
    }
}

/// A turn that the program owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The table.
    pub table: TableId,
    /// Turns taken when it was owed. One job a (table, ply).
    pub ply: usize,
    /// How strong to play.
    pub level: Level,
    /// Draws come from this seed.
    pub seed: u64,
}

/// A table as lists show it, and by which it is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The table.
    pub id: TableId,
    /// The game's key.
    pub game: String,
    /// Where it stands.
    pub stage: Stage,
    /// Turns taken.
    pub ply: usize,
    /// The server, unless in a DM.
    pub guild: Option<GuildId>,
    /// Where boards are posted, once known.
    #[serde(rename = "home")]
    pub board_channel: Option<BoardChannel>,
    /// The channel where it was opened; unknown of tables that have rested since before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_in: Option<ChannelId>,
    /// Everybody seated or invited, in turn order; `None` for the program and for free seats.
    pub people: Vec<Option<UserId>>,
    /// The program's seats, in turn order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// Seat indices of those who had given up before the game began here: they are nobody's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<u8>,
    /// Who opened it; unknown of tables that have rested since before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<UserId>,
    /// Who is to move or to answer, if a person alone.
    pub waits_for: Option<UserId>,
    /// Seat index of whose turn it is; none where the program stands in for them, and unknown of tables that have
    /// rested since before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<u8>,
    /// Those who play a seat together, each by its captain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Team>,
    /// Everybody who is known to belong to one, its captain among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    /// Those whose answer to a challenge or to an offer is awaited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<UserId>,
    /// Seat indices of those who won or share the victory; none before the end, or if there was no game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub winners: Vec<u8>,
    /// When something last happened.
    #[serde(rename = "at_ms", with = "crate::model::millis::moment")]
    pub at: Timestamp,
    /// When time alone will bring something, so that it is found after a restart.
    #[serde(default)]
    #[serde(rename = "next_ms", with = "crate::model::millis::optional_moment")]
    pub next_due: Option<Timestamp>,
    /// Whether somebody's time runs.
    #[serde(default)]
    pub timed: bool,
    /// Since when it stands still because we are not in its server.
    #[serde(default)]
    #[serde(rename = "frozen_ms", with = "crate::model::millis::optional_moment")]
    pub frozen_since: Option<Timestamp>,
    /// Whether it stands still by agreement; unknown of tables that have rested since before this was kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// Whether somebody's time may stand there for days off or a weekly window.
    #[serde(default)]
    pub rests: bool,
    /// Whether its end may be proven and has not been: start-up has the proof looked for again.
    #[serde(default)]
    pub proof_owed: bool,
    /// Whether it counts for ratings; unknown of tables that have rested since before this was kept.
    #[serde(default)]
    pub rated: Option<bool>,
    /// Which game of a set it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<InSet>,
    /// Whether it was brought along, only to be looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imported: bool,
}

/// A seat of the program's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The seat's index.
    pub seat: u8,
    /// How strong it plays there.
    #[serde(with = "level_key")]
    pub level: Level,
}

/// A member of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Who.
    pub person: UserId,
    /// Whether their team is to move.
    pub waits: bool,
}

impl Card {
    /// Everybody who is found by their name here, each once: seated, invited, or in a team.
    pub fn everybody(&self) -> Vec<UserId> {
        let members = self.members.iter().map(|member| member.person);
        let mut all: Vec<UserId> = self.people.iter().flatten().copied().chain(members).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether somebody is seated or invited there, or plays in a team.
    pub fn has(&self, who: UserId) -> bool {
        self.people.contains(&Some(who)) || self.members.iter().any(|member| member.person == who)
    }

    /// How many seats nobody holds and nobody is asked to.
    pub fn free_seats(&self) -> usize {
        let at = |seat: &u8, index: usize| usize::from(*seat) == index;
        let program = |index| self.programs.iter().any(|program| at(&program.seat, index));
        let taken = |index| program(index) || self.gone.iter().any(|gone| at(gone, index));
        let seats = self.people.iter().enumerate();
        seats.filter(|(index, person)| person.is_none() && !taken(*index)).count()
    }

    /// Whether it waits for somebody, alone or with their team.
    pub fn waits_on(&self, who: UserId) -> bool {
        self.waits_for == Some(who) || self.members.iter().any(|member| member.waits && member.person == who)
    }

    /// Whether it stands still, so that nobody's move is awaited for now.
    pub fn stands_still(&self) -> bool {
        self.paused || self.frozen_since.is_some()
    }

    /// Whether it waits for somebody and does not stand still.
    pub fn waits_now_on(&self, who: UserId) -> bool {
        !self.stands_still() && self.waits_on(who)
    }

    /// The people for whom the table waits: the person to move, or all of a team of named people.
    pub fn waited_for(&self) -> Vec<UserId> {
        let named = |who: &UserId| {
            let mut all_members = self.teams.iter().map(|team| &team.members);
            all_members
                .any(|members| matches!(members, TeamMembers::Named { people } if people.contains(who)))
        };
        let waiting = self.members.iter().filter(|member| member.waits).map(|member| member.person);
        self.waits_for.into_iter().chain(waiting.filter(named)).collect()
    }
}

/// Where a table stands, for lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Seats are free or somebody has not answered.
    Waiting,
    /// The game is on.
    Running,
    /// It has ended.
    Over,
}

/// Which tables to list. All that are given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Seated or invited there, or in a team; not who has left it.
    pub person: Option<UserId>,
    /// On this server.
    pub guild: Option<GuildId>,
    /// Boards are posted in this channel.
    pub channel: Option<ChannelId>,
    /// At this stage.
    pub stage: Option<Stage>,
    /// Only those that are not over.
    pub unfinished: bool,
    /// Of this game, by its key.
    pub game: Option<String>,
    /// Only those that stand still because we are not in their server.
    pub frozen: bool,
    /// Only those where somebody's time may stand for days off or a weekly window.
    pub rests: bool,
    /// Only those that were brought along to be looked at.
    pub imported: bool,
    /// Only those that count for ratings, or may.
    pub rated: bool,
    /// The most to list, newest first; 0 means 100.
    pub most: usize,
}

impl Filter {
    /// How many cards it asks for at most: its own number, or 100.
    #[must_use]
    pub fn limit(&self) -> usize {
        if self.most == 0 { 100 } else { self.most }
    }
}

/// Which tables that are not over to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpenTables {
    /// Those that somebody has opened.
    HostedBy(UserId),
    /// Those that somebody has opened and that have not begun.
    WaitingFor(UserId),
    /// Those of a server.
    OnServer(GuildId),
}

/// Something that must still be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueItem {
    /// The row's number, rising over all tables; it stands in the message's nonce.
    pub id: i64,
    /// The table.
    pub table: TableId,
    /// What.
    pub item: OutboxItem,
    /// How often it was tried in vain.
    pub tries: u32,
    /// Since when it has been due, if that is known.
    pub due_since: Option<Timestamp>,
}

/// A table for which something must still be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueTable {
    /// The row's number, as in [`DueItem`].
    pub id: i64,
    /// The table.
    pub table: TableId,
    /// Its server, unless in a DM.
    pub guild: Option<GuildId>,
}

/// What becomes of something that could not be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// It stays due.
    Retry,
    /// It is out of the outbox until we may say it.
    Blocked,
    /// This version cannot read it, or its table: it is out of the outbox until the next start.
    Unreadable,
    /// It is out of the outbox for good.
    GivenUp,
}

/// A message that was posted for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The table.
    pub table: TableId,
    /// The channel it is in.
    pub channel: ChannelId,
    /// The message.
    pub message: MessageId,
}

/// Why the journal did not take or give something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another hand wrote these numbers first: load the table afresh and decide again.
    #[error("table {0} has moved on")]
    Conflict(TableId),
    /// The medium failed; trying again is right.
    #[error("{0}")]
    Backend(String),
    /// The medium is damaged where this lies, and may be whole elsewhere; trying again does not help.
    #[error("{0}")]
    Damaged(String),
    /// What is kept there cannot be read by this version.
    #[error("table {table}, entry {sequence}: {why}")]
    Unreadable {
        /// The table.
        table: TableId,
        /// The entry.
        sequence: u64,
        /// Why.
        why: String,
    },
    /// A row beside the entries cannot be read by this version. Writing it anew is right where that is possible.
    #[error("{what}: {why}")]
    UnreadableRow {
        /// Which row.
        what: String,
        /// Why.
        why: String,
    },
}

impl StoreError {
    /// Whether what is kept there cannot be read, so that trying again does not help.
    pub fn is_unreadable(&self) -> bool {
        use StoreError::{Damaged, Unreadable, UnreadableRow};
        matches!(self, Damaged(_) | Unreadable { .. } | UnreadableRow { .. })
    }
}
