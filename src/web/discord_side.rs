//! What the pages for playing need from the Discord side: who may see a table and act there is decided by the same
//! checks, with the same limits and sentences.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use rookery_core::player::Level;
use rookery_core::scene::DrawOptions;
use rookery_core::{Play, Seat};
use rookery_i18n::Localizer;
use rookery_table::ports::Card;
use rookery_table::saved_analysis::BestLines;
use rookery_table::{Offer, SourceId, Table, TableId, UserId};

use super::discord_sign_in::DiscordSignIn;

/// Opens tables to people, and gives their orders.
#[async_trait]
pub trait DiscordSide: Send + Sync {
    /// Opens a table to a person.
    ///
    /// # Errors
    /// If the person may not see it, or it can't be read.
    async fn open(&self, who: UserId, table: TableId) -> Result<OpenedTable, Refusal>;

    /// Gives a person's order to a table; returns what was done. An order with a source that the table knows already
    /// changes nothing, and its confirmation is empty, unless it asks for a hint or a rematch: then the answer is the same.
    ///
    /// # Errors
    /// If the person may not act there, or the table refuses the order.
    async fn order(
        &self,
        who: UserId,
        table: TableId,
        order: PageOrder,
        source: SourceId,
    ) -> Result<PageOrderOutcome, Refusal>;

    /// Finds the best lines of play after `ply` turns of a finished game. What is not known yet counts against the
    /// person's limits.
    ///
    /// # Errors
    /// If the position may not be analysed for the person, or can't be now.
    async fn best_lines(&self, who: UserId, table: TableId, ply: usize) -> Result<BestLines, Refusal>;

    /// Finds the best lines of play at a position that the person reached by moves of their own, beside a finished game. What
    /// is not known yet counts against the person's limits.
    ///
    /// # Errors
    /// If the position may not be analysed for the person, or can't be now.
    async fn variation_lines(
        &self,
        who: UserId,
        table: TableId,
        play: Box<dyn Play>,
    ) -> Result<BestLines, Refusal>;

    /// Checks whether a position of a table's game, or one that people could reach from it, may be commented on.
    ///
    /// # Errors
    /// If that would help in a running rated game.
    async fn check_comment(&self, who: UserId, table: &Table, play: Box<dyn Play>) -> Result<(), Refusal>;

    /// Returns the language and look of boards of a person, away from any table.
    async fn preferences(&self, who: UserId) -> Preferences;

    /// Stores a position as a study, which only this person sees; returns its table. It counts against their limits.
    ///
    /// # Errors
    /// If the position would help in a running rated game, a limit is reached, or it can't be stored.
    async fn study(&self, who: UserId, play: Box<dyn Play>) -> Result<TableId, Refusal>;

    /// Opens a game against the bot that goes on from a position, in the person's direct messages; the person has the seat to
    /// move. A request with an id that is known already leads to the same table.
    ///
    /// # Errors
    /// If the game is over there or helps in a running rated one, a limit is reached, the person accepts no direct messages,
    /// or it can't be stored.
    async fn play_on(
        &self,
        who: UserId,
        play: Box<dyn Play>,
        level: Level,
        source: SourceId,
    ) -> Result<TableId, Refusal>;

    /// Returns the names of the players of a listed table, as far as they are known.
    async fn names(&self, card: &Card) -> BTreeMap<UserId, String>;

    /// Returns the name that a person shows on Discord, with the one that nobody else has; `None` if Discord doesn't say it.
    async fn name(&self, who: UserId) -> Option<String>;

    /// Returns what signs people in with their Discord account; `None` without a client secret.
    fn sign_in(&self) -> Option<&dyn DiscordSignIn>;
}

/// What an order has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageOrderOutcome {
    /// The confirmation; empty if the order changed nothing.
    pub said: String,
    /// The table of the rematch that was opened or joined.
    pub next: Option<TableId>,
    /// The move of the hint that was found.
    pub hint: Option<HintedMove>,
}

/// A move that the bot suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintedMove {
    /// The move in the notation of the record.
    pub text: String,
    /// The number of turns taken before it.
    pub ply: usize,
}

/// What a person prefers, away from any table.
#[derive(Clone)]
pub struct Preferences {
    /// The sentences of their language.
    pub words: &'static Localizer,
    /// How they want boards drawn; seen from the first seat.
    pub look: DrawOptions,
}

/// A table as a person sees it.
#[derive(Clone)]
pub struct OpenedTable {
    /// The table.
    pub table: Arc<Table>,
    /// The sentences of their language.
    pub words: &'static Localizer,
    /// How they want boards drawn; seen from their side.
    pub look: DrawOptions,
    /// Whether they want to confirm moves.
    pub confirms: bool,
    /// The open offer, if they may answer it or have a part in it.
    pub offer: Option<OpenOffer>,
    /// What they may do beside moving.
    pub actions: Vec<TableAction>,
    /// The names of the players and of the person, as far as they are known.
    pub names: BTreeMap<UserId, String>,
    /// The rematch, if one was opened.
    pub rematch: Option<RematchState>,
}

/// A rematch as a person sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RematchState {
    /// Its table.
    pub table: TableId,
    /// Whether it has begun.
    pub has_begun: bool,
    /// Whether the person has a seat there.
    pub is_seated: bool,
}

/// An offer that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOffer {
    /// What is offered, as a sentence.
    pub text: String,
    /// The number of the offer, if the person may answer it.
    pub number: Option<u64>,
}

/// Something that a person may do at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableAction {
    /// The order, as the page sends it.
    pub order: PageOrder,
    /// The label of its button.
    pub label: String,
    /// The question that the page asks first, if any.
    pub sure: Option<String>,
}

/// An order of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageOrder {
    /// Play a move, chosen after `ply` turns.
    Move {
        /// The move in the notation of the record.
        text: String,
        /// The number of turns taken when it was chosen.
        ply: usize,
    },
    /// Get a hint for the turn after `ply` turns.
    Hint {
        /// The number of turns taken when it was asked for.
        ply: usize,
    },
    /// Resign this seat; the person has confirmed it.
    Resign(Seat),
    /// Make an offer; the person has confirmed it if it may end the game at once.
    Offer(Offer),
    /// Answer the offer with this number, made after `ply` turns.
    Answer {
        /// Whether the answer is yes.
        yes: bool,
        /// The number of the offer.
        number: u64,
        /// The number of turns taken when it was read.
        ply: usize,
    },
    /// Resume a paused game.
    Resume,
    /// Claim the win because the player to move has run out of time.
    Claim,
    /// Give the player to move more time.
    GiveTime,
    /// Open a rematch of the finished game, or join it.
    Rematch,
    /// Plan a reply: "if d10-d4/g4 then a4-c4/c2".
    Plan(String),
    /// Delete the plan with this mark ([`rookery_table::plans::mark`]).
    Unplan(String),
    /// Vote for a proposed move in the person's team.
    Vote {
        /// The number of the vote.
        number: u64,
        /// The index of the proposal.
        proposal: usize,
    },
}

/// Why a table is not opened or an order not carried out, as a sentence for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such table, or the person may not know of it.
    NoTable(String),
    /// The person may not do this, or the table refuses it.
    Refused(String),
    /// It failed; the same order may be given again.
    Failed(String),
}

/// The place of the [`DiscordSide`], which is empty until the bot has found Discord. Clones share it.
#[derive(Clone, Default)]
pub struct DiscordSideSlot(Arc<OnceLock<Arc<dyn DiscordSide>>>);

impl DiscordSideSlot {
    /// Fills the place, unless it is filled.
    pub fn fill(&self, side: Arc<dyn DiscordSide>) {
        drop(self.0.set(side));
    }

    /// Returns the Discord side; `None` until the bot has found Discord.
    pub fn get(&self) -> Option<Arc<dyn DiscordSide>> {
        self.0.get().cloned()
    }
}
