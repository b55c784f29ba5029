//! What a button carries: which table, which turn, what to do. Buttons outlive the process.

use crate::kit::Seat;
use crate::table::{Offer, TableId};

use super::limits::CUSTOM_ID_MOST;

/// The version of the grammar, so that later ones can tell old buttons from new.
const VERSION: &str = "1";
/// Between the fields of an id.
const FIELD: char = ':';
/// Between the steps of a move; no game writes it.
const STEP: char = '~';

/// A press of a button, or a choice from a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// The table.
    pub table: TableId,
    /// Turns taken when the button was made.
    pub ply: usize,
    /// What it is for.
    pub deed: Deed,
}

/// What a button is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
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
    /// A column was chosen from the panel's select of this number, after these steps.
    Column(u8, Vec<String>),
    /// Show the panel with these steps taken and the cells of one column or row to choose from.
    In(char, Vec<String>),
    /// Play the move that these steps make.
    Play(Vec<String>),
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
    /// Accept the proven end.
    Accept,
    /// Play on although the end is proven.
    PlayOn,
    /// Show the proof.
    Proof,
    /// Show what else can be done at a table.
    More,
    /// Offer something.
    Offer(Offer),
    /// Take a game up again that stands still.
    Resume,
    /// Claim the win: the mover's time is up.
    Claim,
    /// Give the mover more time.
    GiveTime,
    /// Let the program play on for the mover.
    SeatProgram,
}

/// An id that this version does not understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a button of another version")]
pub struct OldButton;

impl Press {
    /// A press.
    pub fn new(table: TableId, ply: usize, deed: Deed) -> Press {
        Press { table, ply, deed }
    }

    /// The id that comes back to us, at most 100 characters: `1:K7Q2:12:pick:0:d1~-d7`.
    pub fn id(&self) -> String {
        let (word, rest) = self.deed.words();
        let id = format!("{VERSION}:{}:{}:{word}{rest}", self.table, self.ply);
        debug_assert!(id.len() <= CUSTOM_ID_MOST, "{id}");
        id
    }

    /// Reads an id.
    ///
    /// # Errors
    /// If it is none of ours, or of another version.
    pub fn read(id: &str) -> Result<Press, OldButton> {
        let mut fields = id.splitn(5, FIELD);
        let mut next = || fields.next().ok_or(OldButton);
        if next()? != VERSION {
            return Err(OldButton);
        }
        let table = next()?.parse().map_err(|_| OldButton)?;
        let ply = next()?.parse().map_err(|_| OldButton)?;
        let word = next()?;
        let deed = Deed::read(word, fields.next().unwrap_or(""))?;
        Ok(Press { table, ply, deed })
    }
}

impl Deed {
    fn words(&self) -> (&'static str, String) {
        let field = |text: String| format!("{FIELD}{text}");
        match self {
            Deed::Join => ("join", String::new()),
            Deed::Leave => ("leave", String::new()),
            Deed::Decline => ("decline", String::new()),
            Deed::Panel(taken) => ("panel", field(written(taken))),
            Deed::Pick(select, taken) => ("pick", field(format!("{select}{FIELD}{}", written(taken)))),
            Deed::Column(select, taken) => ("column", field(format!("{select}{FIELD}{}", written(taken)))),
            Deed::In(line, taken) => ("in", field(format!("{line}{FIELD}{}", written(taken)))),
            Deed::Play(steps) => ("play", field(written(steps))),
            Deed::Board => ("board", String::new()),
            Deed::Text => ("text", String::new()),
            Deed::Resign => ("resign", String::new()),
            Deed::ResignYes(seat) => ("yes", field(seat.index().to_string())),
            Deed::ResignNo(seat) => ("no", field(seat.index().to_string())),
            Deed::Agree(number) => ("agree", field(number.to_string())),
            Deed::Disagree(number) => ("disagree", field(number.to_string())),
            Deed::Accept => ("accept", String::new()),
            Deed::PlayOn => ("play-on", String::new()),
            Deed::Proof => ("proof", String::new()),
            Deed::More => ("more", String::new()),
            Deed::Offer(offer) => ("offer", field(offer.key().to_owned())),
            Deed::Resume => ("resume", String::new()),
            Deed::Claim => ("claim", String::new()),
            Deed::GiveTime => ("give", String::new()),
            Deed::SeatProgram => ("program", String::new()),
        }
    }

    fn read(word: &str, rest: &str) -> Result<Deed, OldButton> {
        Ok(match word {
            "join" => Deed::Join,
            "leave" => Deed::Leave,
            "decline" => Deed::Decline,
            "panel" => Deed::Panel(steps(rest)),
            "pick" => numbered(rest).map(|(select, taken)| Deed::Pick(select, taken))?,
            "column" => numbered(rest).map(|(select, taken)| Deed::Column(select, taken))?,
            "in" => lined(rest).map(|(line, taken)| Deed::In(line, taken))?,
            "play" => Deed::Play(steps(rest)),
            "board" => Deed::Board,
            "text" => Deed::Text,
            "resign" => Deed::Resign,
            "yes" => Deed::ResignYes(seat(rest)?),
            "no" => Deed::ResignNo(seat(rest)?),
            "agree" => Deed::Agree(number(rest)?),
            "disagree" => Deed::Disagree(number(rest)?),
            "accept" => Deed::Accept,
            "play-on" => Deed::PlayOn,
            "proof" => Deed::Proof,
            "more" => Deed::More,
            "offer" => Deed::Offer(Offer::named(rest).ok_or(OldButton)?),
            "resume" => Deed::Resume,
            "claim" => Deed::Claim,
            "give" => Deed::GiveTime,
            "program" => Deed::SeatProgram,
            _ => return Err(OldButton),
        })
    }
}

fn written(taken: &[String]) -> String {
    taken.join(&STEP.to_string())
}

fn steps(text: &str) -> Vec<String> {
    text.split(STEP).filter(|step| !step.is_empty()).map(str::to_owned).collect()
}

fn numbered(rest: &str) -> Result<(u8, Vec<String>), OldButton> {
    let (select, taken) = rest.split_once(FIELD).ok_or(OldButton)?;
    Ok((select.parse().map_err(|_| OldButton)?, steps(taken)))
}

/// The number of an offer; the first buttons had none.
fn number(text: &str) -> Result<u64, OldButton> {
    if text.is_empty() { Ok(0) } else { text.parse().map_err(|_| OldButton) }
}

fn lined(rest: &str) -> Result<(char, Vec<String>), OldButton> {
    let (line, taken) = rest.split_once(FIELD).ok_or(OldButton)?;
    Ok((line.parse().map_err(|_| OldButton)?, steps(taken)))
}

fn seat(text: &str) -> Result<Seat, OldButton> {
    text.parse().ok().and_then(Seat::new).ok_or(OldButton)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_on_a_button_is_read_back() {
        let taken = vec!["d1".to_owned(), "-d7".to_owned()];
        let deeds = [
            Deed::Join,
            Deed::Leave,
            Deed::Decline,
            Deed::Panel(Vec::new()),
            Deed::Panel(taken.clone()),
            Deed::Pick(1, taken.clone()),
            Deed::Column(0, taken.clone()),
            Deed::In('d', Vec::new()),
            Deed::Play(taken),
            Deed::Board,
            Deed::Text,
            Deed::Resign,
            Deed::ResignYes(Seat::SECOND),
            Deed::ResignNo(Seat::FIRST),
            Deed::Agree(0),
            Deed::Agree(u64::MAX),
            Deed::Disagree(7),
            Deed::Accept,
            Deed::PlayOn,
            Deed::Proof,
            Deed::More,
            Deed::Offer(Offer::Undo),
            Deed::Resume,
            Deed::Claim,
            Deed::GiveTime,
            Deed::SeatProgram,
        ];
        for deed in deeds {
            let press = Press::new("K7Q2".parse().unwrap(), 12, deed);
            assert_eq!(Press::read(&press.id()), Ok(press));
        }
    }

    #[test]
    fn other_ids_are_not_ours() {
        for id in
            ["", "1", "0:K7Q2:1:move", "1:K7Q2:x:board", "1:O0:1:board", "1:K7Q2:1:dance", "1:K7Q2:1:yes:9"]
        {
            assert_eq!(Press::read(id), Err(OldButton), "{id}");
        }
    }
}
