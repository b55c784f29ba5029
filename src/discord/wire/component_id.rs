//! What a button carries: which table, which turn, what to do. Buttons outlive the process.

use rookery_core::Seat;
use rookery_table::{Offer, Person, TableId, plans};

use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

/// The version of the grammar, so that later ones can tell old buttons from new.
pub(in crate::discord) const VERSION: &str = "1";
/// Between the fields of an id.
pub(in crate::discord) const FIELD: char = ':';
/// Between the steps of a move; no game writes it.
const STEP: char = '~';

/// Stands where a table's name would; too long to be one.
const CHALLENGE: &str = "challenge";

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
    Viewer(ViewerAction, ViewOptions),
}

/// What is done in the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewerAction {
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

impl ViewerAction {
    const ALL: [(ViewerAction, &'static str); 10] = [
        (ViewerAction::First, "f"),
        (ViewerAction::Back, "b"),
        (ViewerAction::Next, "n"),
        (ViewerAction::Last, "l"),
        (ViewerAction::Jump, "j"),
        (ViewerAction::Play, "p"),
        (ViewerAction::Turn, "s"),
        (ViewerAction::Tint, "t"),
        (ViewerAction::Text, "x"),
        (ViewerAction::PlayFrom, "o"),
    ];

    fn key(self) -> &'static str {
        ViewerAction::ALL.iter().find(|(step, _)| *step == self).map_or("", |(_, key)| key)
    }

    fn named(key: &str) -> Option<ViewerAction> {
        ViewerAction::ALL.iter().find(|(_, known)| *known == key).map(|(step, _)| *step)
    }

    /// Whether the answer comes beside the viewer rather than in its place.
    pub fn stands_beside(self) -> bool {
        matches!(self, ViewerAction::Play | ViewerAction::Text | ViewerAction::PlayFrom)
    }
}

/// How somebody looks at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewOptions {
    /// Who sits at the bottom.
    pub side: Seat,
    /// Whether cells are tinted by whose they are.
    pub tints: bool,
}

impl ViewOptions {
    /// From a seat, without more.
    pub fn from(side: Seat) -> ViewOptions {
        ViewOptions { side, tints: false }
    }

    /// From the next of so many seats.
    #[must_use]
    pub fn turned(self, seats: usize) -> ViewOptions {
        let side = Seat::new((self.side.index() + 1) % seats.max(1)).unwrap_or(Seat::FIRST);
        ViewOptions { side, ..self }
    }
}

/// An id that this version does not understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a button of another version")]
pub struct UnknownComponentId;

/// A challenge to somebody, before there is a table: the id of the select that asks for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChallengeId(pub Person);

impl ChallengeId {
    /// The id that comes back to us.
    pub fn id(self) -> String {
        format!("{VERSION}{FIELD}{CHALLENGE}{FIELD}{}", self.0.0)
    }

    /// Reads an id; `None` if it is another one.
    pub fn read(id: &str) -> Option<ChallengeId> {
        let rest = id.strip_prefix(VERSION)?.strip_prefix(FIELD)?.strip_prefix(CHALLENGE)?;
        rest.strip_prefix(FIELD)?.parse().ok().map(|who| ChallengeId(Person(who)))
    }
}

impl ComponentId {
    /// A press.
    pub fn new(table: TableId, ply: usize, action: ButtonAction) -> ComponentId {
        ComponentId { table, ply, action }
    }

    /// Whether it is a step towards a move: whoever of a team presses it plays with them from then on.
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
        let action = ButtonAction::read(word, fields.next().unwrap_or(""))?;
        Ok(ComponentId { table, ply, action })
    }
}

impl ButtonAction {
    /// Whether doing it twice does more than doing it once, whoever is asked again whether it still fits.
    pub fn adds(&self) -> bool {
        matches!(
            self,
            ButtonAction::Offer(_) | ButtonAction::GiveTime | ButtonAction::Viewer(ViewerAction::PlayFrom, _)
        )
    }

    /// How it stands in an id: its word, and what follows the word, separator included.
    pub(in crate::discord) fn encode(&self) -> (&'static str, String) {
        let field = |text: String| format!("{FIELD}{text}");
        match self {
            ButtonAction::Join => ("join", String::new()),
            ButtonAction::Leave => ("leave", String::new()),
            ButtonAction::Decline => ("decline", String::new()),
            ButtonAction::Panel(taken) => ("panel", field(written(taken))),
            ButtonAction::Pick(select, taken) => {
                ("pick", field(format!("{select}{FIELD}{}", written(taken))))
            }
            ButtonAction::Column(select, taken) => {
                ("column", field(format!("{select}{FIELD}{}", written(taken))))
            }
            ButtonAction::Narrow(line, taken) => ("in", field(format!("{line}{FIELD}{}", written(taken)))),
            ButtonAction::Play(steps) => ("play", field(written(steps))),
            ButtonAction::Plans => ("plans", String::new()),
            ButtonAction::PlanStep(moves, step) => {
                let (word, rest) = step.encode();
                ("ahead", field(format!("{}{FIELD}{word}{rest}", written(moves))))
            }
            ButtonAction::PlanYes => ("planyes", String::new()),
            ButtonAction::Unplan(which) => ("unplan", field(which.clone().unwrap_or_default())),
            ButtonAction::Fill => ("fill", String::new()),
            ButtonAction::FillWith => ("fillwith", String::new()),
            ButtonAction::Board => ("board", String::new()),
            ButtonAction::Text => ("text", String::new()),
            ButtonAction::Resign => ("resign", String::new()),
            ButtonAction::ResignYes(seat) => ("yes", field(seat.index().to_string())),
            ButtonAction::ResignNo(seat) => ("no", field(seat.index().to_string())),
            ButtonAction::Agree(number) => ("agree", field(number.to_string())),
            ButtonAction::Disagree(number) => ("disagree", field(number.to_string())),
            ButtonAction::Rematch => ("rematch", String::new()),
            ButtonAction::StandIn => ("stand-in", String::new()),
            ButtonAction::StandInWith => ("stand-in-with", String::new()),
            ButtonAction::ComeBack => ("back", String::new()),
            ButtonAction::Accept => ("accept", String::new()),
            ButtonAction::PlayOn => ("play-on", String::new()),
            ButtonAction::Proof => ("proof", String::new()),
            ButtonAction::Viewer(step, view_options) => {
                let (key, side, tints) =
                    (step.key(), view_options.side.index(), u8::from(view_options.tints));
                ("look", field(format!("{key}{FIELD}{side}{FIELD}{tints}")))
            }
            ButtonAction::More => ("more", String::new()),
            ButtonAction::Vote(number, proposal) => ("vote", field(format!("{number}{FIELD}{proposal}"))),
            ButtonAction::Hint => ("hint", String::new()),
            ButtonAction::Analyse => ("analyse", String::new()),
            ButtonAction::Turning => ("turning", String::new()),
            ButtonAction::Offer(offer) => ("offer", field(offer.key().to_owned())),
            ButtonAction::Resume => ("resume", String::new()),
            ButtonAction::Claim => ("claim", String::new()),
            ButtonAction::GiveTime => ("give", String::new()),
            ButtonAction::SeatProgram => ("program", String::new()),
            ButtonAction::SeatProgramWith => ("program-with", String::new()),
        }
    }

    /// Reads what [`ButtonAction::encode`] writes, the separator between word and rest left out.
    pub(in crate::discord) fn read(word: &str, rest: &str) -> Result<ButtonAction, UnknownComponentId> {
        Ok(match word {
            "join" => ButtonAction::Join,
            "leave" => ButtonAction::Leave,
            "decline" => ButtonAction::Decline,
            "panel" => ButtonAction::Panel(steps(rest)),
            "pick" => numbered(rest).map(|(select, taken)| ButtonAction::Pick(select, taken))?,
            "column" => numbered(rest).map(|(select, taken)| ButtonAction::Column(select, taken))?,
            "in" => lined(rest).map(|(line, taken)| ButtonAction::Narrow(line, taken))?,
            "play" => ButtonAction::Play(steps(rest)),
            "plans" => ButtonAction::Plans,
            "ahead" => supposed(rest)?,
            "planyes" => ButtonAction::PlanYes,
            "unplan" if rest.is_empty() => ButtonAction::Unplan(None),
            "unplan" if rest.len() == plans::MARK => ButtonAction::Unplan(Some(rest.to_owned())),
            "fill" => ButtonAction::Fill,
            "fillwith" => ButtonAction::FillWith,
            "board" => ButtonAction::Board,
            "text" => ButtonAction::Text,
            "resign" => ButtonAction::Resign,
            "yes" => ButtonAction::ResignYes(seat(rest)?),
            "no" => ButtonAction::ResignNo(seat(rest)?),
            "agree" => ButtonAction::Agree(number(rest)?),
            "disagree" => ButtonAction::Disagree(number(rest)?),
            "rematch" => ButtonAction::Rematch,
            "stand-in" => ButtonAction::StandIn,
            "stand-in-with" => ButtonAction::StandInWith,
            "back" => ButtonAction::ComeBack,
            "accept" => ButtonAction::Accept,
            "play-on" => ButtonAction::PlayOn,
            "proof" => ButtonAction::Proof,
            "look" => look(rest)?,
            "more" => ButtonAction::More,
            "vote" => voted(rest)?,
            "hint" => ButtonAction::Hint,
            "analyse" => ButtonAction::Analyse,
            "turning" => ButtonAction::Turning,
            "offer" => ButtonAction::Offer(Offer::named(rest).ok_or(UnknownComponentId)?),
            "resume" => ButtonAction::Resume,
            "claim" => ButtonAction::Claim,
            "give" => ButtonAction::GiveTime,
            "program" => ButtonAction::SeatProgram,
            "program-with" => ButtonAction::SeatProgramWith,
            _ => return Err(UnknownComponentId),
        })
    }
}

fn written(taken: &[String]) -> String {
    taken.join(&STEP.to_string())
}

fn steps(text: &str) -> Vec<String> {
    text.split(STEP).filter(|step| !step.is_empty()).map(str::to_owned).collect()
}

fn numbered(rest: &str) -> Result<(u8, Vec<String>), UnknownComponentId> {
    let (select, taken) = rest.split_once(FIELD).ok_or(UnknownComponentId)?;
    Ok((select.parse().map_err(|_| UnknownComponentId)?, steps(taken)))
}

/// The number of an offer; the first buttons had none.
fn number(text: &str) -> Result<u64, UnknownComponentId> {
    if text.is_empty() { Ok(0) } else { text.parse().map_err(|_| UnknownComponentId) }
}

fn supposed(rest: &str) -> Result<ButtonAction, UnknownComponentId> {
    let (moves, step) = rest.split_once(FIELD).ok_or(UnknownComponentId)?;
    let (word, rest) = step.split_once(FIELD).unwrap_or((step, ""));
    match ButtonAction::read(word, rest)? {
        step @ (ButtonAction::Panel(_) | ButtonAction::Pick(..) | ButtonAction::Narrow(..)) => {
            Ok(ButtonAction::PlanStep(steps(moves), Box::new(step)))
        }
        _ => Err(UnknownComponentId),
    }
}

fn lined(rest: &str) -> Result<(char, Vec<String>), UnknownComponentId> {
    let (line, taken) = rest.split_once(FIELD).ok_or(UnknownComponentId)?;
    Ok((line.parse().map_err(|_| UnknownComponentId)?, steps(taken)))
}

fn voted(rest: &str) -> Result<ButtonAction, UnknownComponentId> {
    let (number, proposal) = rest.split_once(FIELD).ok_or(UnknownComponentId)?;
    Ok(ButtonAction::Vote(
        number.parse().map_err(|_| UnknownComponentId)?,
        proposal.parse().map_err(|_| UnknownComponentId)?,
    ))
}

fn look(rest: &str) -> Result<ButtonAction, UnknownComponentId> {
    let mut fields = rest.split(FIELD);
    let mut next = || fields.next().ok_or(UnknownComponentId);
    let step = ViewerAction::named(next()?).ok_or(UnknownComponentId)?;
    let (side, tints) = (seat(next()?)?, next()? == "1");
    Ok(ButtonAction::Viewer(step, ViewOptions { side, tints }))
}

fn seat(text: &str) -> Result<Seat, UnknownComponentId> {
    text.parse().ok().and_then(Seat::new).ok_or(UnknownComponentId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_on_a_button_is_read_back() {
        let taken = vec!["d1".to_owned(), "-d7".to_owned()];
        let deeds = [
            ButtonAction::Join,
            ButtonAction::Leave,
            ButtonAction::Decline,
            ButtonAction::Panel(Vec::new()),
            ButtonAction::Panel(taken.clone()),
            ButtonAction::Pick(1, taken.clone()),
            ButtonAction::Column(0, taken.clone()),
            ButtonAction::Narrow('d', Vec::new()),
            ButtonAction::Play(taken),
            ButtonAction::Plans,
            ButtonAction::PlanYes,
            ButtonAction::PlanStep(Vec::new(), Box::new(ButtonAction::Panel(Vec::new()))),
            ButtonAction::PlanStep(
                vec!["d10-d4/g4".into()],
                Box::new(ButtonAction::Pick(1, vec!["d1".into(), "-d7".into()])),
            ),
            ButtonAction::Unplan(None),
            ButtonAction::Unplan(Some("0badcafe".into())),
            ButtonAction::Fill,
            ButtonAction::FillWith,
            ButtonAction::Board,
            ButtonAction::Text,
            ButtonAction::Resign,
            ButtonAction::ResignYes(Seat::SECOND),
            ButtonAction::ResignNo(Seat::FIRST),
            ButtonAction::Agree(0),
            ButtonAction::Agree(u64::MAX),
            ButtonAction::Disagree(7),
            ButtonAction::Rematch,
            ButtonAction::StandIn,
            ButtonAction::StandInWith,
            ButtonAction::SeatProgramWith,
            ButtonAction::ComeBack,
            ButtonAction::Accept,
            ButtonAction::PlayOn,
            ButtonAction::Proof,
            ButtonAction::More,
            ButtonAction::Vote(u64::MAX, u16::MAX),
            ButtonAction::Hint,
            ButtonAction::Analyse,
            ButtonAction::Turning,
            ButtonAction::Offer(Offer::Undo),
            ButtonAction::Resume,
            ButtonAction::Claim,
            ButtonAction::GiveTime,
            ButtonAction::SeatProgram,
            ButtonAction::Viewer(ViewerAction::Jump, ViewOptions { side: Seat::SECOND, tints: true }),
        ];
        for action in deeds {
            let press = ComponentId::new("K7Q2".parse().unwrap(), 12, action);
            assert_eq!(ComponentId::read(&press.id()), Ok(press));
        }
    }

    #[test]
    fn a_challenge_is_no_press_and_is_read_back() {
        let id = ChallengeId(Person(u64::MAX)).id();
        assert_eq!(ChallengeId::read(&id), Some(ChallengeId(Person(u64::MAX))));
        assert_eq!(ComponentId::read(&id), Err(UnknownComponentId));
        assert_eq!(ChallengeId::read("1:K7Q2:0:join"), None);
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
            assert_eq!(ComponentId::read(id), Err(UnknownComponentId), "{id}");
        }
    }
}
