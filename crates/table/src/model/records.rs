//! The records of the journal: entries, cards, jobs, due messages, and the errors of the store.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use rookery_core::Seat;
use rookery_core::player::Level;

use super::outbox_item::OutboxItem;
use super::team::{Team, TeamMembers};
use super::{
    BoardChannel, ChannelId, EndCause, Event, GuildId, InSet, KnownRating, MessageId, SourceId, TableId,
    UserId, level_key,
};

/// One event as stored in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The sequence number within the table, from 1 without gaps.
    pub sequence: u64,
    /// When it was decided.
    pub at: Timestamp,
    /// The message or interaction that gave the order; it identifies an order that arrives twice.
    pub source: Option<SourceId>,
    /// The event that the entry stores.
    pub event: Event,
}

/// The result of a decision, written in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The table that the decision is about.
    pub table: TableId,
    /// The events; their sequence numbers continue those already stored.
    pub entries: Vec<Entry>,
    /// The items to post on Discord, in order.
    pub outbox_items: Vec<OutboxItem>,
    /// The turn that the bot owes now; it replaces any earlier job of this table.
    pub job: Option<Job>,
    /// The table's new card.
    pub card: Card,
    /// The ratings from which the changes in the entries were computed. If one is not its account's latest any more,
    /// nothing is written.
    pub known_ratings: Vec<KnownRating>,
}

impl Batch {
    /// Returns when the batch was decided.
    pub fn at(&self) -> Timestamp {
        self.entries.last().map_or(self.card.at, |entry| entry.at)
    }
}

/// A turn that the bot owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The table at which the bot is to move.
    pub table: TableId,
    /// Turns taken when the job was created. (table, ply) is unique.
    pub ply: usize,
    /// The level to play at.
    pub level: Level,
    /// The seed of the bot's random choices.
    pub seed: u64,
}

/// How a listed game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardResult {
    /// What ended it.
    pub cause: EndCause,
    /// The margin as in [`crate::Table::margin`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<u32>,
    /// The side of each seat in the end, as an index into the game's sides; empty if the game never began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<usize>,
}

/// The index entry of a table: what lists show, and what searches use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The table that the card describes.
    pub id: TableId,
    /// The key of the game played there.
    pub game: String,
    /// The stage of the table.
    pub stage: Stage,
    /// Turns taken so far.
    pub ply: usize,
    /// The server; `None` in a direct message.
    pub guild: Option<GuildId>,
    /// The channel where boards are posted, once known.
    #[serde(rename = "home")]
    pub board_channel: Option<BoardChannel>,
    /// The channel where it was opened; unknown for tables unchanged since before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_in: Option<ChannelId>,
    /// The people seated or invited, in turn order; `None` for the bot and for free seats.
    pub people: Vec<Option<UserId>>,
    /// The bot's seats, in turn order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// Indices of the seats that had resigned before an imported game began here; nobody holds them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<Seat>,
    /// The person who opened it; unknown for tables unchanged since before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<UserId>,
    /// The person to move or to answer, if it is a single person.
    pub waits_for: Option<UserId>,
    /// Index of the seat to move. `None` if the bot substitutes for the player, and for tables unchanged
    /// since before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
    /// The teams that share a seat, each identified by its captain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Team>,
    /// All known members of the teams, the captains included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    /// The people whose answer to a challenge or an offer is awaited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<UserId>,
    /// Indices of the seats that won or share the victory; empty before the end, or if there was no game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub winners: Vec<Seat>,
    /// How a finished game ended; unknown for tables unchanged since before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<CardResult>,
    /// The time of the last event.
    #[serde(rename = "at_ms", with = "crate::model::millis::moment")]
    pub at: Timestamp,
    /// When a timer fires for this table; kept so that it fires after a restart too.
    #[serde(default)]
    #[serde(rename = "next_ms", with = "crate::model::millis::optional_moment")]
    pub next_due: Option<Timestamp>,
    /// Whether a player's clock is running.
    #[serde(default)]
    pub timed: bool,
    /// When the table was paused because the bot left its server.
    #[serde(default)]
    #[serde(rename = "frozen_ms", with = "crate::model::millis::optional_moment")]
    pub frozen_since: Option<Timestamp>,
    /// Whether it is paused by agreement; unknown for tables unchanged since before this field existed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// Whether a player's clock may be stopped there for days off or a weekly window.
    #[serde(default)]
    pub rests: bool,
    /// Whether a proof of the result is pending: the search starts again at startup.
    #[serde(default)]
    pub proof_owed: bool,
    /// Whether it is rated; unknown for tables unchanged since before this field existed.
    #[serde(default)]
    pub rated: Option<bool>,
    /// Its place in a set of two games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<InSet>,
    /// Whether it was imported for viewing only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imported: bool,
}

/// How a finished game ended for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonalResult {
    /// Only this person won.
    Won,
    /// They share the victory with some or all of the others.
    Shared,
    /// Another player won.
    Lost,
}

/// A seat that the bot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Seat index from 0.
    pub seat: Seat,
    /// The level the bot plays at.
    #[serde(with = "level_key")]
    pub level: Level,
}

/// A member of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Who belongs to the team.
    pub person: UserId,
    /// Whether their team is to move.
    pub waits: bool,
}

impl Card {
    /// Returns the people who find the table by their name, each once: seated, invited, or in a team.
    pub fn everybody(&self) -> Vec<UserId> {
        let members = self.members.iter().map(|member| member.person);
        let mut all: Vec<UserId> = self.people.iter().flatten().copied().chain(members).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns whether a person is seated, invited or a member of a team there.
    pub fn has(&self, who: UserId) -> bool {
        self.people.contains(&Some(who)) || self.members.iter().any(|member| member.person == who)
    }

    /// Returns how a finished game ended for one of its players; `None` if it has no result for them. A team's result doesn't
    /// count for its members.
    pub fn result_for(&self, who: UserId) -> Option<PersonalResult> {
        if self.stage != Stage::Over || !self.teams.is_empty() || self.winners.is_empty() {
            return None;
        }
        let is_own = |seat: &&Seat| self.people.get(seat.index()) == Some(&Some(who));
        Some(match self.winners.iter().filter(is_own).count() {
            0 => PersonalResult::Lost,
            own if own == self.winners.len() => PersonalResult::Won,
            _ => PersonalResult::Shared,
        })
    }

    /// Returns the number of seats that are free and reserved for no person.
    pub fn free_seats(&self) -> usize {
        let at = |seat: &Seat, index: usize| seat.index() == index;
        let program = |index| self.programs.iter().any(|program| at(&program.seat, index));
        let taken = |index| program(index) || self.gone.iter().any(|gone| at(gone, index));
        let seats = self.people.iter().enumerate();
        seats.filter(|(index, person)| person.is_none() && !taken(*index)).count()
    }

    /// Returns whether the table waits for a person, alone or with their team.
    pub fn waits_on(&self, who: UserId) -> bool {
        self.waits_for == Some(who) || self.members.iter().any(|member| member.waits && member.person == who)
    }

    /// Returns whether the game is paused or frozen, so that no move is awaited for now.
    pub fn is_suspended(&self) -> bool {
        self.paused || self.frozen_since.is_some()
    }

    /// Returns whether the table waits for a person and is neither paused nor frozen.
    pub fn waits_now_on(&self, who: UserId) -> bool {
        !self.is_suspended() && self.waits_on(who)
    }

    /// Returns the people for whom the table waits: the person to move, or all members of a team of named
    /// people.
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

/// The stage of a table, for lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Seats are free, or an invited person has not answered.
    Waiting,
    /// The game is in progress.
    Running,
    /// The table has ended.
    Over,
}

/// A query for tables. All given conditions must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Tables where this person is seated, invited or a member of a team; not those they have left.
    pub person: Option<UserId>,
    /// Tables on this server.
    pub guild: Option<GuildId>,
    /// Tables that post boards in this channel.
    pub channel: Option<ChannelId>,
    /// Tables at this stage.
    pub stage: Option<Stage>,
    /// Only tables that are not over.
    pub unfinished: bool,
    /// Tables of this game, by its key.
    pub game: Option<String>,
    /// Only tables that are frozen because the bot is not in their server.
    pub frozen: bool,
    /// Only tables where a player's clock may be stopped for days off or a weekly window.
    pub rests: bool,
    /// Only games imported for viewing.
    pub imported: bool,
    /// Only tables that are rated, or may be.
    pub rated: bool,
    /// This table alone, if it fits the other conditions.
    pub table: Option<TableId>,
}

/// A query that counts unfinished tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpenTables {
    /// Those that a person has opened.
    HostedBy(UserId),
    /// Those that a person has opened and that have not started.
    WaitingFor(UserId),
    /// Those of a server.
    OnServer(GuildId),
    /// All.
    Everywhere,
}

/// An outbox item that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueItem {
    /// The row number, increasing over all tables; it is part of the message's nonce.
    pub id: i64,
    /// The table that it is posted for.
    pub table: TableId,
    /// The message to post, or the change to make.
    pub item: OutboxItem,
    /// The number of failed attempts.
    pub tries: u32,
    /// Since when it has been due, if known.
    pub due_since: Option<Timestamp>,
}

/// A table with due outbox items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueTable {
    /// The row number, as in [`DueItem`].
    pub id: i64,
    /// The table that the row belongs to.
    pub table: TableId,
    /// Its server; `None` in a direct message.
    pub guild: Option<GuildId>,
}

/// What happens to an outbox item that could not be posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// It stays due and is tried again.
    Retry,
    /// It leaves the outbox until the bot has permission to post it.
    Blocked,
    /// This version cannot read it, or its table: it leaves the outbox until the next start.
    Unreadable,
    /// It leaves the outbox permanently.
    GivenUp,
}

/// A message that was posted for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The table it was posted for.
    pub table: TableId,
    /// The channel it is in.
    pub channel: ChannelId,
    /// The id of the message.
    pub message: MessageId,
}

/// Why the journal could not store or return data.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another writer stored these sequence numbers first: reload the table and decide again.
    #[error("table {0} has moved on")]
    Conflict(TableId),
    /// Another game of a player was rated meanwhile: read the ratings again.
    #[error("a player of table {0} has a newer rating")]
    OldRating(TableId),
    /// The database failed; the caller may retry.
    #[error("{0}")]
    Backend(String),
    /// This part of the database is damaged, though other parts may be intact; a retry does not help.
    #[error("{0}")]
    Damaged(String),
    /// This version cannot read the stored entry.
    #[error("table {table}, entry {sequence}: {why}")]
    Unreadable {
        /// The table whose record is damaged.
        table: TableId,
        /// The sequence number of the entry.
        sequence: u64,
        /// The error of the parser.
        why: String,
    },
    /// This version cannot read a row other than an entry. It may be rewritten if its content can be derived.
    #[error("{what}: {why}")]
    UnreadableRow {
        /// The kind and the name of the row.
        what: String,
        /// The error of the parser.
        why: String,
    },
}

impl StoreError {
    /// Returns whether the stored data cannot be read, so that a retry does not help.
    pub fn is_unreadable(&self) -> bool {
        use StoreError::{Damaged, Unreadable, UnreadableRow};
        matches!(self, Damaged(_) | Unreadable { .. } | UnreadableRow { .. })
    }
}
