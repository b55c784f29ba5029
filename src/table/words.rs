//! The words that tables are spoken of in: who, where, what was asked for, what happened.
//!
//! Events are written to the journal as JSON: a name or field here is never changed without reading
//! the old one still.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::kit::player::Level;
use crate::kit::rules::{Setup, SetupError};
use crate::kit::seed::Chance;
use crate::kit::{Game, Play, Reason, Wrong};

use super::clock::{ClockTerms, Rest, Span, Warning};
use super::pledge::Pledge;
use super::ports::JournalError;
use super::rated::Change;
use super::rating::{Pool, Rating};

/// A table's short name, such as `K7Q2`: four or more signs that cannot be mistaken for each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TableId([u8; 6], u8);

impl TableId {
    /// The signs of an id: no `0 O`, no `1 I L`, no `U` (which also keeps most rude words away).
    const SIGNS: &'static [u8] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// A random id of `length` signs, 4 to 6.
    pub fn draw(chance: &mut Chance, length: usize) -> TableId {
        let length = length.clamp(4, 6);
        let mut signs = [0; 6];
        for sign in &mut signs[..length] {
            *sign = Self::SIGNS[chance.below(Self::SIGNS.len() as u64) as usize];
        }
        TableId(signs, length as u8)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0[..usize::from(self.1)]).expect("the signs are ASCII")
    }
}

/// A text that is no table's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a table's name has four to six letters and digits, such as K7Q2")]
pub struct NoTableId;

impl FromStr for TableId {
    type Err = NoTableId;

    /// Reads an id in any case, a leading `#` allowed.
    fn from_str(text: &str) -> Result<TableId, NoTableId> {
        let text = text.trim().trim_start_matches('#').to_ascii_uppercase();
        let fits = (4..=6).contains(&text.len()) && text.bytes().all(|b| Self::SIGNS.contains(&b));
        if !fits {
            return Err(NoTableId);
        }
        let mut signs = [0; 6];
        signs[..text.len()].copy_from_slice(text.as_bytes());
        Ok(TableId(signs, text.len() as u8))
    }
}

impl TryFrom<String> for TableId {
    type Error = NoTableId;
    fn try_from(text: String) -> Result<TableId, NoTableId> {
        text.parse()
    }
}

impl From<TableId> for String {
    fn from(id: TableId) -> String {
        id.as_str().to_owned()
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A person, by the id that Discord gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Person(pub u64);

/// Who gives an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A person.
    Person(Person),
    /// The program that holds a seat.
    Ai,
    /// The house itself: the outbox reporting, a challenge running out.
    House,
}

/// Who or what holds a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "snake_case")]
pub enum Occupant {
    /// Nobody yet: anybody may join.
    Open,
    /// Kept for somebody who has not answered yet.
    Invited {
        /// Who was asked.
        person: Person,
    },
    /// A person.
    Human {
        /// Who it is.
        person: Person,
    },
    /// The program.
    Ai {
        /// How strong it plays.
        #[serde(with = "level_key")]
        level: Level,
    },
}

impl Occupant {
    /// The person who holds the seat.
    pub fn person(self) -> Option<Person> {
        match self {
            Occupant::Human { person } => Some(person),
            _ => None,
        }
    }
}

/// Where a table is: the channel its boards are posted in, and how to get there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Home {
    /// The thread, channel or DM that boards are posted in.
    pub channel: u64,
    /// Whether that is a thread made for this table.
    pub thread: bool,
}

/// What a table was opened for. Fixed from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The game's key.
    pub game: String,
    /// Its options, those given.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Random layouts, colours and the program's draws come from this seed.
    pub seed: u64,
    /// A layout given as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// The server, unless in a DM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guild: Option<u64>,
    /// The channel where it was opened (threads are made under it).
    pub channel: u64,
    /// Whether to make a thread for it.
    pub thread: bool,
    /// Whether it counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// What becomes of a proven end; `None` where nobody said ([`super::Table::settles`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<Settle>,
    /// A position to play on from, in the game's own line, in place of the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// How its chance was settled; `None` if it was opened before that was done, and in what is asked
    /// for where nothing special is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pledge: Option<Pledge>,
    /// How much time everybody has; `None` leaves all the time in the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockTerms>,
}

impl Terms {
    /// The game's setup for so many seats.
    pub fn setup(&self, seats: usize) -> Setup {
        Setup { seats, options: self.options.clone(), seed: self.seed, layout: self.layout.clone() }
    }

    /// The game as it begins for so many seats.
    ///
    /// # Errors
    /// If the terms do not fit the game, or the position to play on from is not for so many.
    pub fn begin(&self, game: &dyn Game, seats: usize) -> Result<Box<dyn Play>, SetupError> {
        let Some(line) = &self.from else { return game.start(&self.setup(seats)) };
        let play = game.resume(line).map_err(SetupError::BadLayout)?;
        let fits = play.seats() == seats;
        fits.then_some(play).ok_or(SetupError::Seats { seats, allowed: game.about().seats })
    }
}

/// What becomes of a game whose end is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settle {
    /// The program plays it out and records the margin.
    Auto,
    /// People are asked.
    Ask,
    /// Nothing: it is not even looked for.
    Off,
}

impl Settle {
    /// All of them, the usual one first.
    pub const ALL: [Settle; 3] = [Settle::Auto, Settle::Ask, Settle::Off];

    /// Its name in commands.
    pub fn key(self) -> &'static str {
        match self {
            Settle::Auto => "auto",
            Settle::Ask => "ask",
            Settle::Off => "off",
        }
    }

    /// The one of this name.
    pub fn named(key: &str) -> Option<Settle> {
        Settle::ALL.into_iter().find(|settle| settle.key() == key)
    }
}

/// The proven end of a game, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Turns taken when it was proven.
    pub ply: usize,
    /// Every region with something left in it.
    pub regions: Vec<Region>,
    /// What each seat, by index, still has: at least, at most. Moves in the Amazons, points on floes.
    pub left: Vec<(u32, u32)>,
    /// Moves from there to the end by the rules, in canonical spelling.
    pub moves: Vec<String>,
    /// Seat indices of those who win, or share the victory.
    pub winners: Vec<u8>,
    /// The lead in half units, where it is counted out.
    pub margin_halves: Option<u32>,
}

/// A part of the board that one seat alone can still use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Its cells by name: the free ones and those under the owner's pieces.
    pub cells: Vec<String>,
    /// Seat index of whose it is.
    pub owner: u8,
    /// What it is worth at least.
    pub least: u32,
    /// What it is worth at most.
    pub most: u32,
}

/// Something to be agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// Stop here and count what each side has left, exactly.
    Count,
    /// Share the game.
    Draw,
    /// Take back the last turn of who offers, and all after it.
    Undo,
    /// Stand still until somebody takes the game up again.
    Pause,
    /// End the game without a result.
    Abort,
}

impl Offer {
    /// All of them.
    pub const ALL: [Offer; 5] = [Offer::Count, Offer::Draw, Offer::Undo, Offer::Pause, Offer::Abort];

    /// Its name in commands and on buttons, and the key of its sentences.
    pub fn key(self) -> &'static str {
        match self {
            Offer::Count => "count",
            Offer::Draw => "draw",
            Offer::Undo => "undo",
            Offer::Pause => "pause",
            Offer::Abort => "abort",
        }
    }

    /// The offer of this name.
    pub fn named(key: &str) -> Option<Offer> {
        Offer::ALL.into_iter().find(|offer| offer.key() == key)
    }
}

/// What somebody asks of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Take a free seat, or the one that was kept.
    Join,
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
    /// Give the free seats to the program (the host's business).
    Fill(Level),
    /// Decide beforehand what to play: "if d10-d4/g4 then a4-c4/c2".
    Plan(String),
    /// Give up the plan of this number from 0, or all of them.
    Unplan(Option<usize>),
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
    /// Hand one's seat to the program.
    StandIn {
        /// How strong it is to play.
        level: Level,
    },
    /// Take one's seat back from the program.
    ComeBack,
    /// A finished game is played again.
    Rematch {
        /// At this table.
        table: TableId,
        /// Not at this one, of which that was said before.
        instead_of: Option<TableId>,
    },
    /// The place where boards were posted is gone.
    Unhouse,
    /// We were taken out of the server: stand still.
    Freeze,
    /// We are back: go on.
    Thaw,
    /// Give up a game that has stood still for too long.
    LetGo,
    /// Answer the question whether to accept the proven end.
    Accept {
        /// Yes; or no, to play on.
        yes: bool,
    },
    /// The thread was made, or another place found.
    House(Home),
    /// Nobody came in time.
    Expire,
    /// Enter the result into the ratings. Every seat's before the game, in seat order.
    Rate(Vec<Rating>),
    /// Time has passed: see what comes of it.
    Tick,
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
    Rest {
        /// Who.
        person: Person,
        /// When.
        rest: Rest,
    },
}

/// Why a table took a turn by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// There was no other move.
    Forced,
    /// It had been decided beforehand.
    Planned,
}

/// What happened. The journal is made of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A table was opened.
    Opened {
        /// Its terms.
        terms: Terms,
        /// Who opened it.
        host: Person,
        /// Its chairs in turn order.
        chairs: Vec<Occupant>,
    },
    /// It has a place where boards are posted.
    Housed {
        /// The place.
        home: Home,
    },
    /// The place where boards were posted is gone.
    Unhoused,
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
        why: Option<Why>,
    },
    /// Somebody decided beforehand what to play; it takes the place of what they had decided.
    Planned {
        /// Seat index from 0.
        seat: u8,
        /// The branches: moves in canonical spelling, the last of each by the planner.
        branches: Vec<Vec<String>>,
    },
    /// Whoever is to move had a hint from the program.
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
        /// Whether a game that counted for ratings does so no longer.
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
        spans: Vec<Span>,
    },
    /// Somebody's time stands as they chose from now on.
    Rested {
        /// Who.
        person: Person,
        /// When.
        rest: Rest,
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
        /// How much, in milliseconds.
        more_ms: i64,
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
    /// The result was entered into the ratings.
    Rated {
        /// Whom they compare with whom.
        pool: Pool,
        /// What changed, in seat order.
        changes: Vec<Change>,
    },
}

/// How a table ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Seat indices of those who won or share the victory; empty if there was no game.
    pub winners: Vec<u8>,
    /// Why.
    pub cause: Cause,
}

/// Why a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum Cause {
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

impl Cause {
    /// Its name in records: that of the rule, where it ended by one.
    pub fn key(&self) -> &'static str {
        match self {
            Cause::Rules { reason } => reason.key(),
            Cause::Resigned => "resigned",
            Cause::OnTime => "on-time",
            Cause::Abandoned => "abandoned",
            Cause::Counted { .. } => "counted",
            Cause::Proven { .. } => "proven",
            Cause::Agreed => "agreed",
            Cause::Aborted => "aborted",
            Cause::Closed => "closed",
            Cause::Refused => "refused",
            Cause::Expired => "expired",
            Cause::Imported => "imported",
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

/// Why an order was not carried out: nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The very same order was carried out before; nothing to say.
    #[error("done already")]
    Repeated,
    /// The game has not begun.
    #[error("not begun")]
    NotBegun,
    /// The game has begun, so seats are fixed.
    #[error("begun already")]
    BegunAlready,
    /// It is over.
    #[error("over")]
    Over,
    /// It does not count for ratings, or has been entered.
    #[error("not rated")]
    NotRated,
    /// Who asks has no seat here.
    #[error("not seated")]
    NotSeated,
    /// Who asks has a seat here already.
    #[error("seated already")]
    SeatedAlready,
    /// No seat is free.
    #[error("full")]
    Full,
    /// Somebody else is to move.
    #[error("seat {whose} is to move")]
    NotYourTurn {
        /// Seat index of who is.
        whose: u8,
    },
    /// Who asks has given up already.
    #[error("resigned already")]
    ResignedAlready,
    /// It was meant for a turn that has passed.
    #[error("meant for ply {meant}, the game is at {now}")]
    Stale {
        /// The turn it was meant for.
        meant: usize,
        /// Turns taken by now.
        now: usize,
    },
    /// No clock runs here, or nobody's time does.
    #[error("no time runs")]
    NoClock,
    /// The mover still has time.
    #[error("there is time until {until_ms}")]
    TimeLeft {
        /// Until when, in milliseconds since 1970.
        until_ms: i64,
    },
    /// It is the time of who asks that runs: the others decide about it.
    #[error("your own time")]
    OwnTime,
    /// The time of who asks is up.
    #[error("out of time")]
    OutOfTime,
    /// The move cannot be read or is not legal.
    #[error(transparent)]
    Move(#[from] Wrong),
    /// The game does not know such an offer (a draw in the Amazons, say).
    #[error("no such offer in this game")]
    NoSuchOffer,
    /// An offer stands already, or the answer comes from who made it.
    #[error("an offer stands")]
    OfferStands,
    /// There is no offer to answer.
    #[error("no offer stands")]
    NoOffer,
    /// Who asks has not moved yet, so that there is nothing to take back.
    #[error("nothing to take back")]
    NothingToUndo,
    /// The game counts for ratings, where this is not done.
    #[error("rated")]
    Rated,
    /// The program helps nobody with a rated game that goes on.
    #[error("no help in rated games")]
    NoHelp,
    /// The game does not stand still, so that it cannot be taken up again.
    #[error("not paused")]
    NotPaused,
    /// We are not in the game's server at the moment.
    #[error("frozen")]
    Frozen,
    /// The game is not over yet.
    #[error("not over")]
    NotOver,
    /// A seat of a game of two is not handed to the program.
    #[error("only two play")]
    OnlyTwo,
    /// The game stands still already.
    #[error("paused already")]
    PausedAlready,
    /// Regions are still shared, so that nothing can be counted.
    #[error("regions are shared")]
    StillShared,
    /// The regions are separated, but their worth is not proven within the budget.
    #[error("not proven: {left:?}")]
    NotProven {
        /// What is proven of each seat in order: what it has left at least and at most.
        left: Vec<(u32, u32)>,
    },
    /// Only the host may do that.
    #[error("the host's business")]
    NotHost,
    /// Whoever is to move need not plan.
    #[error("own turn")]
    PlanOwnTurn,
    /// A plan that does not end with the planner's own move.
    #[error("a plan without an answer")]
    PlanOpen,
    /// More branches, or longer ones, than are kept.
    #[error("too long a plan")]
    PlanTooLong,
    /// Another answer to the same moves is planned already.
    #[error("planned already: {text}")]
    PlanTwice {
        /// The answer that is planned.
        text: String,
    },
    /// A move of a plan that cannot be read or is not legal where it stands.
    #[error("{text}: {wrong}")]
    PlanMove {
        /// The move as it was written.
        text: String,
        /// What is wrong with it.
        wrong: Wrong,
    },
    /// There is nothing planned, or not so much.
    #[error("no such plan")]
    NoPlan,
    /// The terms do not fit the game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// No game of this name.
    #[error("no game called {0}")]
    NoSuchGame(String),
}

/// Why an order got no answer from its table.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Denied {
    /// The table refused: nothing changed.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// There is no such table.
    #[error("no table {0}")]
    NoTable(TableId),
    /// The journal could not take it: nothing changed, trying again is right.
    #[error("the journal could not be written: {0}")]
    Journal(String),
    /// A fault of ours; the table was loaded afresh.
    #[error("an internal fault")]
    Fault,
}

impl From<JournalError> for Denied {
    fn from(error: JournalError) -> Denied {
        Denied::Journal(error.to_string())
    }
}

mod level_key {
    use super::{Deserialize, Level};
    pub(super) fn serialize<S: serde::Serializer>(level: &Level, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(level.key())
    }
    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Level, D::Error> {
        let key = String::deserialize(d)?;
        Level::named(&key).ok_or_else(|| serde::de::Error::custom(format!("no level called {key}")))
    }
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
