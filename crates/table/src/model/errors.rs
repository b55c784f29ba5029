//! Why something was not done: data, until words are found for it.

use jiff::Timestamp;
use rookery_core::MoveError;
use rookery_core::rules::SetupError;

use super::quota_error::QuotaError;
use super::records::StoreError;
use super::{TableId, UserId};

/// Why an order was not carried out: nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
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
    /// Seats are free, but kept for teams to which who asks does not belong.
    #[error("kept for a team")]
    KeptForTeam,
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
    #[error("there is time until {until}")]
    TimeLeft {
        /// Until when.
        until: Timestamp,
    },
    /// It is the time of who asks that runs: the others decide about it.
    #[error("your own time")]
    OwnTime,
    /// The time of who asks is up.
    #[error("out of time")]
    OutOfTime,
    /// The move cannot be read or is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game does not know such an offer (a draw in the Amazons, say).
    #[error("no such offer in this game")]
    NoSuchOffer,
    /// An offer stands already, or the answer comes from who made it.
    #[error("an offer stands")]
    OfferStands,
    /// Another offer waits for the answer of who asks.
    #[error("an offer asks for an answer")]
    OfferAsks,
    /// The same offer was turned down in this turn.
    #[error("turned down in this turn")]
    OfferDeclined,
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
    /// Only the captain of a team may say that for it.
    #[error("the captain's business")]
    NotCaptain {
        /// Who that is.
        captain: UserId,
    },
    /// A team that votes decides nothing beforehand.
    #[error("the team votes")]
    TeamVotes,
    /// As many moves are put to the vote as can be.
    #[error("enough proposals")]
    VoteFull,
    /// No vote is held, or the move is not among those proposed.
    #[error("no such vote")]
    NoOpenVote,
    /// Only the host may do that.
    #[error("the host's business")]
    NotHost,
    /// The person to move plays instead of planning.
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
        wrong: MoveError,
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
    /// It would be more than one person's or one server's share, or somebody does not want it.
    #[error(transparent)]
    Limited(#[from] QuotaError),
}

/// Why an order got no answer from its table.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TableError {
    /// The table refused: nothing changed.
    #[error(transparent)]
    Refused(#[from] OrderError),
    /// There is no such table.
    #[error("no table {0}")]
    NoTable(TableId),
    /// The journal could not take it: nothing changed, trying again is right.
    #[error("the journal could not be written: {0}")]
    Store(String),
    /// This version cannot read the table's record: a newer one wrote it, or it is damaged. Nothing is changed in it.
    #[error("table {0} cannot be read by this version")]
    Unreadable(TableId),
    /// A fault of ours; the table was loaded afresh.
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
