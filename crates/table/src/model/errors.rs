//! The reasons why an order fails, as data; the `i18n` crate makes sentences of them.

use jiff::Timestamp;
use rookery_core::rules::SetupError;
use rookery_core::{MoveError, Seat};

use super::quota_error::QuotaError;
use super::records::StoreError;
use super::{TableId, UserId};

/// Why an order was refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// The same order was carried out before; no answer is needed.
    #[error("done already")]
    Repeated,
    /// The game has not started.
    #[error("not begun")]
    NotBegun,
    /// The game has started, so seats are fixed.
    #[error("begun already")]
    BegunAlready,
    /// The game is over.
    #[error("over")]
    Over,
    /// The game is not rated, or its result has already been entered.
    #[error("not rated")]
    NotRated,
    /// The person has no seat at the table.
    #[error("not seated")]
    NotSeated,
    /// The person already has a seat at the table.
    #[error("seated already")]
    SeatedAlready,
    /// No seat is free.
    #[error("full")]
    Full,
    /// The free seats are reserved for teams that the person does not belong to.
    #[error("kept for a team")]
    KeptForTeam,
    /// It is another player's turn.
    #[error("seat {whose} is to move")]
    NotYourTurn {
        /// Index of the seat to move.
        whose: Seat,
    },
    /// The person has already resigned.
    #[error("resigned already")]
    ResignedAlready,
    /// The order was meant for an earlier turn.
    #[error("meant for ply {meant}, the game is at {now}")]
    Stale {
        /// Turns taken at the position it was meant for.
        meant: usize,
        /// Turns taken at the current position.
        now: usize,
    },
    /// The table has no clock, or no clock is running.
    #[error("no time runs")]
    NoClock,
    /// The player to move still has time, so their time-out can't be claimed.
    #[error("there is time until {until}")]
    TimeLeft {
        /// When the time runs out.
        until: Timestamp,
    },
    /// The person's own time is running: the other players decide about it.
    #[error("your own time")]
    OwnTime,
    /// The person has run out of time.
    #[error("out of time")]
    OutOfTime,
    /// The move cannot be read or is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game has no such offer (a draw in the Amazons, for example).
    #[error("no such offer in this game")]
    NoSuchOffer,
    /// An offer is open already, or the person answers their own offer.
    #[error("an offer stands")]
    OfferStands,
    /// Another offer awaits the person's answer.
    #[error("an offer asks for an answer")]
    OfferAsks,
    /// The same offer was declined in this turn.
    #[error("turned down in this turn")]
    OfferDeclined,
    /// No offer is open.
    #[error("no offer stands")]
    NoOffer,
    /// The person has not moved yet, so there is nothing to take back.
    #[error("nothing to take back")]
    NothingToUndo,
    /// The game is rated, which excludes this order.
    #[error("rated")]
    Rated,
    /// The bot gives no help in a rated game that is in progress.
    #[error("no help in rated games")]
    NoHelp,
    /// The game is not paused, so it cannot be resumed.
    #[error("not paused")]
    NotPaused,
    /// The bot is not in the game's server at the moment.
    #[error("frozen")]
    Frozen,
    /// The operators have paused all games.
    #[error("all games are paused")]
    Maintenance,
    /// The operators let no new games be opened.
    #[error("no new games")]
    Draining,
    /// The game is not over yet.
    #[error("not over")]
    NotOver,
    /// In a two-player game, a seat cannot be handed to the bot.
    #[error("only two play")]
    OnlyTwo,
    /// The game is already paused.
    #[error("paused already")]
    PausedAlready,
    /// Sides still share regions, so nothing can be counted.
    #[error("regions are shared")]
    StillShared,
    /// The regions are separate, but their value is not proven within the budget.
    #[error("not proven: {left:?}")]
    NotProven {
        /// The proven bounds of each seat in seat order: what it has left at least and at most.
        left: Vec<(u32, u32)>,
    },
    /// Only the team's captain may give this order.
    #[error("the captain's business")]
    NotCaptain {
        /// Who may give the order.
        captain: UserId,
    },
    /// A team that votes cannot plan moves.
    #[error("the team votes")]
    TeamVotes,
    /// The vote has the maximum number of proposals.
    #[error("enough proposals")]
    VoteFull,
    /// No vote is open, or the move is not one of its proposals.
    #[error("no such vote")]
    NoOpenVote,
    /// Only the host may give this order.
    #[error("the host's business")]
    NotHost,
    /// It is the person's own turn, so there is nothing to plan.
    #[error("own turn")]
    PlanOwnTurn,
    /// The plan does not end with the planner's own move.
    #[error("a plan without an answer")]
    PlanOpen,
    /// The plan has too many branches, or one that is too long.
    #[error("too long a plan")]
    PlanTooLong,
    /// Another reply to the same moves is already planned.
    #[error("planned already: {text}")]
    PlanTwice {
        /// The reply that is planned already.
        text: String,
    },
    /// A move of the plan cannot be read or is not legal in its position.
    #[error("{text}: {wrong}")]
    PlanMove {
        /// The move as the person wrote it.
        text: String,
        /// Why the move cannot be played.
        wrong: MoveError,
    },
    /// There is no such plan.
    #[error("no such plan")]
    NoPlan,
    /// The terms do not fit the game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// No game has this name.
    #[error("no game called {0}")]
    NoSuchGame(String),
    /// A quota is exceeded, or a person does not accept the request.
    #[error(transparent)]
    Limited(#[from] QuotaError),
}

/// Why an order got no result from its table.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TableError {
    /// The table refused: nothing changed.
    #[error(transparent)]
    Refused(#[from] OrderError),
    /// The table does not exist.
    #[error("no table {0}")]
    NoTable(TableId),
    /// The journal could not be written. Nothing changed; the caller may retry.
    #[error("the journal could not be written: {0}")]
    Store(String),
    /// This version cannot read the table's record: a newer version wrote it, or it is damaged. The record is
    /// left unchanged.
    #[error("table {0} cannot be read by this version")]
    Unreadable(TableId),
    /// An internal fault; the table was reloaded.
    #[error("an internal fault")]
    Internal,
}

impl From<StoreError> for TableError {
    fn from(error: StoreError) -> TableError {
        match error {
            StoreError::Unreadable { table, .. } => TableError::Unreadable(table),
            error => TableError::Store(error.to_string()),
        }
    }
}
