//! The custom id of a button at a table: the table, the turn and the action. Buttons outlive the process.

mod fields;
mod viewer;

use fields::{Fields, IdField};
use rookery_core::Seat;
use rookery_table::{Offer, TableId};

use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

pub use viewer::{ViewOptions, ViewerAction};

/// The version of the format, so that later versions can recognize ids of older ones.
pub(in crate::discord) const VERSION: &str = "1";
/// Separates the fields of an id.
pub(in crate::discord) const FIELD: char = ':';
/// The custom id of a button or select at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableButtonId {
    /// The table at which the action takes place.
    pub table: TableId,
    /// The number of turns taken when the button was created.
    pub ply: usize,
    /// The action of the button.
    pub action: ButtonAction,
}

/// The action of a button or select at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ButtonAction {
    /// Take a seat, or accept a challenge.
    Join,
    /// Leave a seat before the start.
    Leave,
    /// Decline a challenge.
    Decline,
    /// Open the move panel, or show it after these steps.
    Panel(Vec<String>),
    /// A choice in the panel's select with this index, after these steps.
    Pick(u8, Vec<String>),
    /// A choice of a column in the panel's select with this index, after these steps. Panels use buttons for
    /// columns now, but channels still contain panels of older versions.
    Column(u8, Vec<String>),
    /// Show the panel after these steps, with the cells of one column or row (a letter) to choose from, or those
    /// of one direction: a digit from 0, the eighths clockwise from up as the first seat sees the board.
    Narrow(char, Vec<String>),
    /// Play the move that consists of these steps.
    Play(Vec<String>),
    /// Show the planned moves.
    Plans,
    /// One step of composing a plan: the moves assumed before it, and the panel's action
    /// ([`ButtonAction::Panel`], [`ButtonAction::Pick`] or [`ButtonAction::Narrow`]).
    PlanStep(Vec<String>, Box<ButtonAction>),
    /// Confirm the plan in this message.
    PlanYes,
    /// Remove the plan with this [mark](rookery_table::plans::mark), or all plans.
    Unplan(Option<String>),
    /// Ask for the level at which the bot fills the free seats.
    Fill,
    /// Fill the free seats with the bot at the chosen level.
    FillWith,
    /// Show the board to the person.
    Board,
    /// Show the board as text.
    Text,
    /// Ask for confirmation to resign.
    Resign,
    /// Confirm that this seat resigns.
    ResignYes(Seat),
    /// Cancel the resignation of this seat.
    ResignNo(Seat),
    /// Agree to the offer with this number; 0 stands for any open offer.
    Agree(u64),
    /// Decline the offer with this number.
    Disagree(u64),
    /// Offer a rematch, or accept one.
    Rematch,
    /// Ask for the level at which the bot takes over the person's seat.
    StandIn,
    /// Hand the person's seat to the bot at the chosen level.
    StandInWith,
    /// Take the seat back from the bot.
    ComeBack,
    /// Accept the proven result.
    Accept,
    /// Play on although the result is proven.
    PlayOn,
    /// Show the proof of the result.
    Proof,
    /// Show the less common actions at a table.
    More,
    /// Vote for the proposal with this index, in the vote with this number.
    Vote(u64, u16),
    /// Ask for a hint.
    Hint,
    /// Show the analysis of the finished game.
    Analyse,
    /// Show a turning point of a finished game beside the better move. The ply of the id is the one before
    /// it.
    Turning,
    /// Make this offer to the other players; asks first if it can end the game at once.
    Offer(Offer),
    /// Make this offer, which was asked about.
    OfferYes(Offer),
    /// Resume a paused game.
    Resume,
    /// Claim the win because the player to move has run out of time.
    Claim,
    /// Give the player to move more time.
    GiveTime,
    /// Ask for the level at which the bot plays on for the player to move.
    SeatProgram,
    /// Let the bot play on for the player to move at the chosen level.
    SeatProgramWith,
    /// Get a link to the board in a browser.
    OpenBoard,
    /// An action in the viewer. The ply of the id is the one to show.
    Viewer(ViewerAction, ViewOptions),
}

/// The id has a form that this version does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a button of another version")]
pub struct UnknownComponentId;

impl TableButtonId {
    /// Creates the id of a button that is made after `ply` turns.
    pub fn new(table: TableId, ply: usize, action: ButtonAction) -> TableButtonId {
        TableButtonId { table, ply, action }
    }

    /// Returns whether the press is a step towards a move. Such a press enlists the person in the seat's
    /// team.
    pub fn moves(&self) -> bool {
        let steps = matches!(
            self.action,
            ButtonAction::Panel(_)
                | ButtonAction::Pick(..)
                | ButtonAction::Column(..)
                | ButtonAction::Narrow(..)
        );
        steps || matches!(self.action, ButtonAction::Play(_) | ButtonAction::Vote(..) | ButtonAction::Hint)
    }

    /// Returns whether the action concerns the turn that its message shows, rather than another one to go to.
    pub fn concerns_shown_turn(&self) -> bool {
        !matches!(
            self.action,
            ButtonAction::Viewer(
                ViewerAction::First | ViewerAction::Back | ViewerAction::Next | ViewerAction::Last,
                _
            )
        )
    }

    /// Returns the custom id, at most 100 characters: `1:K7Q2:12:pick:0:d1~-d7`.
    pub fn id(&self) -> String {
        let (word, rest) = self.action.encode();
        let id = format!("{VERSION}:{}:{}:{word}{rest}", self.table, self.ply);
        debug_assert!(id.len() <= MAX_CUSTOM_ID_CHARS, "{id}");
        id
    }

    /// Parses a custom id.
    ///
    /// # Errors
    /// If the id is of another kind or version.
    pub fn read(id: &str) -> Result<TableButtonId, UnknownComponentId> {
        let mut fields = id.splitn(5, FIELD);
        let mut next = || fields.next().ok_or(UnknownComponentId);
        if next()? != VERSION {
            return Err(UnknownComponentId);
        }
        let table = next()?.parse().map_err(|_| UnknownComponentId)?;
        let ply = next()?.parse().map_err(|_| UnknownComponentId)?;
        let word = next()?;
        let action = ButtonAction::decode(word, fields.next().unwrap_or(""))?;
        Ok(TableButtonId { table, ply, action })
    }
}

impl ButtonAction {
    /// Returns whether a second press has a further effect.
    pub fn takes_effect_again(&self) -> bool {
        matches!(
            self,
            ButtonAction::Offer(_)
                | ButtonAction::OfferYes(_)
                | ButtonAction::GiveTime
                | ButtonAction::Viewer(ViewerAction::PlayFrom, _)
        )
    }
}

/// The words of actions in ids, and the fields that follow each word. The encoder and the decoder are both
/// generated from this table. A word never changes and is never reused, since buttons outlive the program.
macro_rules! action_words {
    ($($word:literal => $action:ident $(($($field:ident: $kind:ty),+))?,)+) => {
        impl ButtonAction {
            /// Returns the action's word, and its fields with a separator before each.
            pub(in crate::discord) fn encode(&self) -> (&'static str, String) {
                match self {
                    $(ButtonAction::$action $(($($field),+))? => {
                        ($word, [$($(<$kind as IdField>::encode($field)),+)?].map(|it: String| format!("{FIELD}{it}")).concat())
                    })+
                }
            }

            /// Decodes the output of [`ButtonAction::encode`], without the separator between word and fields.
            pub(in crate::discord) fn decode(word: &str, fields: &str) -> Result<ButtonAction, UnknownComponentId> {
                let mut _fields = Fields(Some(fields));
                let read = match word {
                    $($word => Some(ButtonAction::$action $(($(<$kind as IdField>::decode(&mut _fields)?),+))?),)+
                    _ => None,
                };
                read.ok_or(UnknownComponentId)
            }

            #[cfg(test)]
            const WORDS: &[&str] = &[$($word),+];
        }
    };
}

action_words! {
    "join" => Join,
    "leave" => Leave,
    "decline" => Decline,
    "panel" => Panel(taken: Vec<String>),
    "pick" => Pick(select: u8, taken: Vec<String>),
    "column" => Column(select: u8, taken: Vec<String>),
    "in" => Narrow(line: char, taken: Vec<String>),
    "play" => Play(steps: Vec<String>),
    "plans" => Plans,
    "ahead" => PlanStep(moves: Vec<String>, step: Box<ButtonAction>),
    "planyes" => PlanYes,
    "unplan" => Unplan(mark: Option<String>),
    "fill" => Fill,
    "fillwith" => FillWith,
    "board" => Board,
    "text" => Text,
    "resign" => Resign,
    "yes" => ResignYes(seat: Seat),
    "no" => ResignNo(seat: Seat),
    "agree" => Agree(number: u64),
    "disagree" => Disagree(number: u64),
    "rematch" => Rematch,
    "stand-in" => StandIn,
    "stand-in-with" => StandInWith,
    "back" => ComeBack,
    "accept" => Accept,
    "play-on" => PlayOn,
    "proof" => Proof,
    "more" => More,
    "vote" => Vote(number: u64, proposal: u16),
    "hint" => Hint,
    "analyse" => Analyse,
    "turning" => Turning,
    "offer" => Offer(offer: Offer),
    "offer-yes" => OfferYes(offer: Offer),
    "resume" => Resume,
    "claim" => Claim,
    "give" => GiveTime,
    "program" => SeatProgram,
    "program-with" => SeatProgramWith,
    "browser" => OpenBoard,
    "look" => Viewer(action: ViewerAction, options: ViewOptions),
}

#[cfg(test)]
mod tests;
