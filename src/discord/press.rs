//! What a button carries: which table, which turn, what to do. Buttons outlive the process.

use rookery_core::Seat;
use rookery_table::{Offer, Person, TableId, plans};

use super::limits::CUSTOM_ID_MOST;

/// The version of the grammar, so that later ones can tell old buttons from new.
pub(super) const VERSION: &str = "1";
/// Between the fields of an id.
pub(super) const FIELD: char = ':';
/// Between the steps of a move; no game writes it.
const STEP: char = '~';

/// Stands where a table's name would; too long to be one.
const CHALLENGE: &str = "challenge";

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
    /// A column was chosen from the panel's select of this number, after these steps. Panels have buttons for that
    /// now; those of older versions still stand in channels.
    Column(u8, Vec<String>),
    /// Show the panel with these steps taken and the cells of one column or row to choose from.
    In(char, Vec<String>),
    /// Play the move that these steps make.
    Play(Vec<String>),
    /// Show what is planned.
    Plans,
    /// One step of a plan that is put together by choosing: the moves supposed so far, and what a panel
    /// would carry ([`Deed::Panel`], [`Deed::Pick`] or [`Deed::In`]).
    Ahead(Vec<String>, Box<Deed>),
    /// Yes, the plan in this message counts.
    PlanYes,
    /// Give up the plan of this [mark](plans::mark), or all of them.
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
    DrawOptions(Step, Gaze),
}

/// What is done in the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the beginning.
    First,
    /// One turn back.
    Back,
    /// One turn on.
    Next,
    /// To the end.
    Last,
    /// To a turn chosen from the list.
    Jump,
    /// Show the whole game as a moving picture.
    Play,
    /// Look from the next seat.
    Turn,
    /// Show or hide whose cells are.
    Tint,
    /// Show the board in plain characters.
    Text,
    /// Play on from here.
    PlayFrom,
}

impl Step {
    const ALL: [(Step, &'static str); 10] = [
        (Step::First, "f"),
        (Step::Back, "b"),
        (Step::Next, "n"),
        (Step::Last, "l"),
        (Step::Jump, "j"),
        (Step::Play, "p"),
        (Step::Turn, "s"),
        (Step::Tint, "t"),
        (Step::Text, "x"),
        (Step::PlayFrom, "o"),
    ];

    fn key(self) -> &'static str {
        Step::ALL.iter().find(|(step, _)| *step == self).map_or("", |(_, key)| key)
    }

    fn named(key: &str) -> Option<Step> {
        Step::ALL.iter().find(|(_, known)| *known == key).map(|(step, _)| *step)
    }

    /// Whether the answer comes beside the viewer rather than in its place.
    pub fn stands_beside(self) -> bool {
        matches!(self, Step::Play | Step::Text | Step::PlayFrom)
    }
}

/// How somebody looks at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gaze {
    /// Who sits at the bottom.
    pub side: Seat,
    /// Whether cells are tinted by whose they are.
    pub tints: bool,
}

impl Gaze {
    /// From a seat, without more.
    pub fn from(side: Seat) -> Gaze {
        Gaze { side, tints: false }
    }

    /// From the next of so many seats.
    #[must_use]
    pub fn turned(self, seats: usize) -> Gaze {
        let side = Seat::new((self.side.index() + 1) % seats.max(1)).unwrap_or(Seat::FIRST);
        Gaze { side, ..self }
    }
}

/// An id that this version does not understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a button of another version")]
pub struct OldButton;

/// A challenge to somebody, before there is a table: the id of the select that asks for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge(pub Person);

impl Challenge {
    /// The id that comes back to us.
    pub fn id(self) -> String {
        format!("{VERSION}{FIELD}{CHALLENGE}{FIELD}{}", self.0.0)
    }

    /// Reads an id; `None` if it is another one.
    pub fn read(id: &str) -> Option<Challenge> {
        let rest = id.strip_prefix(VERSION)?.strip_prefix(FIELD)?.strip_prefix(CHALLENGE)?;
        rest.strip_prefix(FIELD)?.parse().ok().map(|who| Challenge(Person(who)))
    }
}

impl Press {
    /// A press.
    pub fn new(table: TableId, ply: usize, deed: Deed) -> Press {
        Press { table, ply, deed }
    }

    /// Whether it is a step towards a move: whoever of a team presses it plays with them from then on.
    pub fn moves(&self) -> bool {
        let steps = matches!(self.deed, Deed::Panel(_) | Deed::Pick(..) | Deed::Column(..) | Deed::In(..));
        steps || matches!(self.deed, Deed::Play(_) | Deed::Vote(..) | Deed::Hint)
    }

    /// Whether it is about the turn that its message shows, and not about another one to go to.
    pub fn is_here(&self) -> bool {
        !matches!(self.deed, Deed::DrawOptions(Step::First | Step::Back | Step::Next | Step::Last, _))
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
    /// Whether doing it twice does more than doing it once, whoever is asked again whether it still fits.
    pub fn adds(&self) -> bool {
        matches!(self, Deed::Offer(_) | Deed::GiveTime | Deed::DrawOptions(Step::PlayFrom, _))
    }

    /// How it stands in an id: its word, and what follows the word, separator included.
    pub(super) fn words(&self) -> (&'static str, String) {
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
            Deed::Plans => ("plans", String::new()),
            Deed::Ahead(moves, step) => {
                let (word, rest) = step.words();
                ("ahead", field(format!("{}{FIELD}{word}{rest}", written(moves))))
            }
            Deed::PlanYes => ("planyes", String::new()),
            Deed::Unplan(which) => ("unplan", field(which.clone().unwrap_or_default())),
            Deed::Fill => ("fill", String::new()),
            Deed::FillWith => ("fillwith", String::new()),
            Deed::Board => ("board", String::new()),
            Deed::Text => ("text", String::new()),
            Deed::Resign => ("resign", String::new()),
            Deed::ResignYes(seat) => ("yes", field(seat.index().to_string())),
            Deed::ResignNo(seat) => ("no", field(seat.index().to_string())),
            Deed::Agree(number) => ("agree", field(number.to_string())),
            Deed::Disagree(number) => ("disagree", field(number.to_string())),
            Deed::Rematch => ("rematch", String::new()),
            Deed::StandIn => ("stand-in", String::new()),
            Deed::StandInWith => ("stand-in-with", String::new()),
            Deed::ComeBack => ("back", String::new()),
            Deed::Accept => ("accept", String::new()),
            Deed::PlayOn => ("play-on", String::new()),
            Deed::Proof => ("proof", String::new()),
            Deed::DrawOptions(step, gaze) => {
                let (key, side, tints) = (step.key(), gaze.side.index(), u8::from(gaze.tints));
                ("look", field(format!("{key}{FIELD}{side}{FIELD}{tints}")))
            }
            Deed::More => ("more", String::new()),
            Deed::Vote(number, proposal) => ("vote", field(format!("{number}{FIELD}{proposal}"))),
            Deed::Hint => ("hint", String::new()),
            Deed::Analyse => ("analyse", String::new()),
            Deed::Turning => ("turning", String::new()),
            Deed::Offer(offer) => ("offer", field(offer.key().to_owned())),
            Deed::Resume => ("resume", String::new()),
            Deed::Claim => ("claim", String::new()),
            Deed::GiveTime => ("give", String::new()),
            Deed::SeatProgram => ("program", String::new()),
            Deed::SeatProgramWith => ("program-with", String::new()),
        }
    }

    /// Reads what [`Deed::words`] writes, the separator between word and rest left out.
    pub(super) fn read(word: &str, rest: &str) -> Result<Deed, OldButton> {
        Ok(match word {
            "join" => Deed::Join,
            "leave" => Deed::Leave,
            "decline" => Deed::Decline,
            "panel" => Deed::Panel(steps(rest)),
            "pick" => numbered(rest).map(|(select, taken)| Deed::Pick(select, taken))?,
            "column" => numbered(rest).map(|(select, taken)| Deed::Column(select, taken))?,
            "in" => lined(rest).map(|(line, taken)| Deed::In(line, taken))?,
            "play" => Deed::Play(steps(rest)),
            "plans" => Deed::Plans,
            "ahead" => supposed(rest)?,
            "planyes" => Deed::PlanYes,
            "unplan" if rest.is_empty() => Deed::Unplan(None),
            "unplan" if rest.len() == plans::MARK => Deed::Unplan(Some(rest.to_owned())),
            "fill" => Deed::Fill,
            "fillwith" => Deed::FillWith,
            "board" => Deed::Board,
            "text" => Deed::Text,
            "resign" => Deed::Resign,
            "yes" => Deed::ResignYes(seat(rest)?),
            "no" => Deed::ResignNo(seat(rest)?),
            "agree" => Deed::Agree(number(rest)?),
            "disagree" => Deed::Disagree(number(rest)?),
            "rematch" => Deed::Rematch,
            "stand-in" => Deed::StandIn,
            "stand-in-with" => Deed::StandInWith,
            "back" => Deed::ComeBack,
            "accept" => Deed::Accept,
            "play-on" => Deed::PlayOn,
            "proof" => Deed::Proof,
            "look" => look(rest)?,
            "more" => Deed::More,
            "vote" => voted(rest)?,
            "hint" => Deed::Hint,
            "analyse" => Deed::Analyse,
            "turning" => Deed::Turning,
            "offer" => Deed::Offer(Offer::named(rest).ok_or(OldButton)?),
            "resume" => Deed::Resume,
            "claim" => Deed::Claim,
            "give" => Deed::GiveTime,
            "program" => Deed::SeatProgram,
            "program-with" => Deed::SeatProgramWith,
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

fn supposed(rest: &str) -> Result<Deed, OldButton> {
    let (moves, step) = rest.split_once(FIELD).ok_or(OldButton)?;
    let (word, rest) = step.split_once(FIELD).unwrap_or((step, ""));
    match Deed::read(word, rest)? {
        step @ (Deed::Panel(_) | Deed::Pick(..) | Deed::In(..)) => {
            Ok(Deed::Ahead(steps(moves), Box::new(step)))
        }
        _ => Err(OldButton),
    }
}

fn lined(rest: &str) -> Result<(char, Vec<String>), OldButton> {
    let (line, taken) = rest.split_once(FIELD).ok_or(OldButton)?;
    Ok((line.parse().map_err(|_| OldButton)?, steps(taken)))
}

fn voted(rest: &str) -> Result<Deed, OldButton> {
    let (number, proposal) = rest.split_once(FIELD).ok_or(OldButton)?;
    Ok(Deed::Vote(number.parse().map_err(|_| OldButton)?, proposal.parse().map_err(|_| OldButton)?))
}

fn look(rest: &str) -> Result<Deed, OldButton> {
    let mut fields = rest.split(FIELD);
    let mut next = || fields.next().ok_or(OldButton);
    let step = Step::named(next()?).ok_or(OldButton)?;
    let (side, tints) = (seat(next()?)?, next()? == "1");
    Ok(Deed::DrawOptions(step, Gaze { side, tints }))
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
            Deed::Plans,
            Deed::PlanYes,
            Deed::Ahead(Vec::new(), Box::new(Deed::Panel(Vec::new()))),
            Deed::Ahead(vec!["d10-d4/g4".into()], Box::new(Deed::Pick(1, vec!["d1".into(), "-d7".into()]))),
            Deed::Unplan(None),
            Deed::Unplan(Some("0badcafe".into())),
            Deed::Fill,
            Deed::FillWith,
            Deed::Board,
            Deed::Text,
            Deed::Resign,
            Deed::ResignYes(Seat::SECOND),
            Deed::ResignNo(Seat::FIRST),
            Deed::Agree(0),
            Deed::Agree(u64::MAX),
            Deed::Disagree(7),
            Deed::Rematch,
            Deed::StandIn,
            Deed::StandInWith,
            Deed::SeatProgramWith,
            Deed::ComeBack,
            Deed::Accept,
            Deed::PlayOn,
            Deed::Proof,
            Deed::More,
            Deed::Vote(u64::MAX, u16::MAX),
            Deed::Hint,
            Deed::Analyse,
            Deed::Turning,
            Deed::Offer(Offer::Undo),
            Deed::Resume,
            Deed::Claim,
            Deed::GiveTime,
            Deed::SeatProgram,
            Deed::DrawOptions(Step::Jump, Gaze { side: Seat::SECOND, tints: true }),
        ];
        for deed in deeds {
            let press = Press::new("K7Q2".parse().unwrap(), 12, deed);
            assert_eq!(Press::read(&press.id()), Ok(press));
        }
    }

    #[test]
    fn a_challenge_is_no_press_and_is_read_back() {
        let id = Challenge(Person(u64::MAX)).id();
        assert_eq!(Challenge::read(&id), Some(Challenge(Person(u64::MAX))));
        assert_eq!(Press::read(&id), Err(OldButton));
        assert_eq!(Challenge::read("1:K7Q2:0:join"), None);
    }

    #[test]
    fn other_ids_are_not_ours() {
        for id in [
            "",
            "1",
            "0:K7Q2:1:move",
            "1:K7Q2:x:board",
            "1:O0:1:board",
            "1:K7Q2:1:dance",
            "1:K7Q2:1:yes:9",
            "1:K7Q2:1:unplan:0",
        ] {
            assert_eq!(Press::read(id), Err(OldButton), "{id}");
        }
    }
}
