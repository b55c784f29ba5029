//! What a button at a table carries: which table, which turn, what to do. Buttons outlive the process.

mod fields;
mod viewer;

use fields::{Fields, IdField};
use rookery_core::Seat;
use rookery_table::{Offer, TableId};

use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

pub use viewer::{ViewOptions, ViewerAction};

/// The version of the grammar, so that later ones can tell old buttons from new.
pub(in crate::discord) const VERSION: &str = "1";
/// Between the fields of an id.
pub(in crate::discord) const FIELD: char = ':';
/// A press of a button, or a choice from a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentId {
    /// The table.
    pub table: TableId,
    /// Turns taken when the button was made.
    pub ply: usize,
    /// What it is for.
    pub action: ButtonAction,
}

/// What a button is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ButtonAction {
    /// Sit down, or say yes to a challenge.
    Join,
    /// Give up a seat before the start.
    Leave,
    /// Say no to a challenge.
    Decline,
    /// Open the panel, or show it with these steps taken.
    Panel(Vec<String>),
    /// Something was chosen from the panel's select of this number, after these steps.
    Pick(u8, Vec<String>),
    /// A column was chosen from the panel's select of this number, after these steps. Panels have buttons for that
    /// now; those of older versions still stand in channels.
    Column(u8, Vec<String>),
    /// Show the panel with these steps taken and the cells of one column or row to choose from.
    Narrow(char, Vec<String>),
    /// Play the move that these steps make.
    Play(Vec<String>),
    /// Show what is planned.
    Plans,
    /// One step of a plan that is put together by choosing: the moves supposed so far, and what a panel
    /// would carry ([`ButtonAction::Panel`], [`ButtonAction::Pick`] or [`ButtonAction::Narrow`]).
    PlanStep(Vec<String>, Box<ButtonAction>),
    /// Yes, the plan in this message counts.
    PlanYes,
    /// Give up the plan of this [mark](rookery_table::plans::mark), or all of them.
    Unplan(Option<String>),
    /// Ask how strong the program is to play on the free seats.
    Fill,
    /// Give the free seats to the program, as strong as was chosen.
    FillWith,
    /// Show the board.
    Board,
    /// Show the board as text.
    Text,
    /// Ask whether to resign.
    Resign,
    /// Yes, this seat resigns.
    ResignYes(Seat),
    /// No, it does not.
    ResignNo(Seat),
    /// Agree to the offer of this number; 0 to whatever is offered.
    Agree(u64),
    /// Do not agree to it.
    Disagree(u64),
    /// Play the finished game again, or say yes to that.
    Rematch,
    /// Ask how strong the program is to play in one's place.
    StandIn,
    /// Hand one's seat to the program, as strong as was chosen.
    StandInWith,
    /// Take one's seat back from it.
    ComeBack,
    /// Accept the proven end.
    Accept,
    /// Play on although the end is proven.
    PlayOn,
    /// Show the proof.
    Proof,
    /// Show what else can be done at a table.
    More,
    /// Be for a proposal, by its index, of the vote of this number.
    Vote(u64, u16),
    /// Have a hint.
    Hint,
    /// Look over the finished game.
    Analyse,
    /// Show a turn of a finished game beside what would have been better. The press's turn is the one
    /// before it.
    Turning,
    /// Offer something.
    Offer(Offer),
    /// Take a game up again that stands still.
    Resume,
    /// Claim the win: the mover's time is up.
    Claim,
    /// Give the mover more time.
    GiveTime,
    /// Ask how strong the program is to play on for the mover.
    SeatProgram,
    /// Let it play on, as strong as was chosen.
    SeatProgramWith,
    /// Do this in the viewer. The press's turn is the one to be shown.
    Viewer(ViewerAction, ViewOptions),
}

/// An id that this version does not understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a button of another version")]
pub struct UnknownComponentId;

impl ComponentId {
    /// A press.
    pub fn new(table: TableId, ply: usize, action: ButtonAction) -> ComponentId {
        ComponentId { table, ply, action }
    }

    /// Whether it is a step towards a move: a member of a team who presses it is enlisted.
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

    /// Whether it is about the turn that its message shows, and not about another one to go to.
    pub fn is_here(&self) -> bool {
        !matches!(
            self.action,
            ButtonAction::Viewer(
                ViewerAction::First | ViewerAction::Back | ViewerAction::Next | ViewerAction::Last,
                _
            )
        )
    }

    /// The id that comes back to us, at most 100 characters: `1:K7Q2:12:pick:0:d1~-d7`.
    pub fn id(&self) -> String {
        let (word, rest) = self.action.encode();
        let id = format!("{VERSION}:{}:{}:{word}{rest}", self.table, self.ply);
        debug_assert!(id.len() <= MAX_CUSTOM_ID_CHARS, "{id}");
        id
    }

    /// Reads an id.
    ///
    /// # Errors
    /// If it is none of ours, or of another version.
    pub fn read(id: &str) -> Result<ComponentId, UnknownComponentId> {
        let mut fields = id.splitn(5, FIELD);
        let mut next = || fields.next().ok_or(UnknownComponentId);
        if next()? != VERSION {
            return Err(UnknownComponentId);
        }
        let table = next()?.parse().map_err(|_| UnknownComponentId)?;
        let ply = next()?.parse().map_err(|_| UnknownComponentId)?;
        let word = next()?;
        let action = ButtonAction::decode(word, fields.next().unwrap_or(""))?;
        Ok(ComponentId { table, ply, action })
    }
}

impl ButtonAction {
    /// Whether doing it twice does more than doing it once.
    pub fn adds(&self) -> bool {
        matches!(
            self,
            ButtonAction::Offer(_) | ButtonAction::GiveTime | ButtonAction::Viewer(ViewerAction::PlayFrom, _)
        )
    }
}

/// The words of actions in ids, and the fields that follow each: the encoder and the decoder are both made from this
/// table. A word is never changed or given to another action, since buttons outlive the program.
macro_rules! action_words {
    ($($word:literal => $action:ident $(($($field:ident: $kind:ty),+))?,)+) => {
        impl ButtonAction {
            /// Writes the word of the action, and its fields with a separator before each.
            pub(in crate::discord) fn encode(&self) -> (&'static str, String) {
                match self {
                    $(ButtonAction::$action $(($($field),+))? => {
                        ($word, [$($(<$kind as IdField>::encode($field)),+)?].map(|it: String| format!("{FIELD}{it}")).concat())
                    })+
                }
            }

            /// Reads what [`ButtonAction::encode`] writes, without the separator between word and fields.
            pub(in crate::discord) fn decode(word: &str, fields: &str) -> Result<ButtonAction, UnknownComponentId> {
                let mut _fields = Fields(Some(fields));
                let read = match word {
                    $($word => Some(ButtonAction::$action $(($(<$kind as IdField>::decode(&mut _fields)?),+))?),)+
                    _ => None,
                };
                read.ok_or(UnknownComponentId)
            }

            /// The words of all actions.
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
    "resume" => Resume,
    "claim" => Claim,
    "give" => GiveTime,
    "program" => SeatProgram,
    "program-with" => SeatProgramWith,
    "look" => Viewer(action: ViewerAction, options: ViewOptions),
}

#[cfg(test)]
mod tests;
