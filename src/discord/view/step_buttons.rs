//! Converts the choices of a step to buttons and selects.
//!
//! Short lists become buttons: pieces, a compass for directions, spins to the left and right, a column and
//! then a row. Long lists become selects, with straight and diagonal queen moves apart. Four rows are for the
//! choices; the fifth holds Back and its neighbours.

use rookery_core::menu::{Choice as Option_, Menu};
use rookery_core::{Cell, Play, Seat, StepKind as Step};
use rookery_i18n::clip;
use rookery_table::Table;

use super::MessageView;
use super::panel::last_cell;
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_CHOICE_CHARS, MAX_CHOICES, MAX_LABEL_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Choice, Component};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The rows of buttons or selects above the panel's own buttons.
const ROWS: usize = 4;
/// The most choices that fit as buttons.
const BUTTONS: usize = ROWS * MAX_BUTTONS;
/// The most selects in one panel.
const SELECTS: usize = 3;
/// Arrows for the eight directions, clockwise from up.
const ARROWS: [&str; 8] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];
/// The positions of the eight directions in three rows of three.
const COMPASS: [[Option<u8>; 3]; 3] =
    [[Some(7), Some(0), Some(1)], [Some(6), None, Some(2)], [Some(5), Some(4), Some(3)]];

/// The position for which a panel chooses a move: the current one, or one ahead in a plan.
pub struct PanelTarget<'a> {
    /// The table of the game.
    pub table: &'a Table,
    /// The position from which a move is chosen.
    pub play: &'a dyn Play,
    /// The seat at the bottom of the board.
    pub side: Seat,
    /// The planned moves so far; `None` for a move of the current turn.
    pub ahead: Option<&'a [String]>,
}

impl PanelTarget<'_> {
    /// Returns the id of a button for this action.
    pub(super) fn id(&self, action: ButtonAction) -> String {
        let action = match (self.ahead, action) {
            (
                Some(moves),
                step @ (ButtonAction::Panel(_) | ButtonAction::Pick(..) | ButtonAction::Narrow(..)),
            ) => ButtonAction::PlanStep(moves.to_vec(), Box::new(step)),
            (_, action) => action,
        };
        TableButtonId::new(self.table.id(), self.table.ply(), action).id()
    }
}

/// The state for arranging one step's choices in rows.
pub(super) struct StepButtons<'a> {
    pub(super) view: &'a MessageView<'a>,
    /// The position from which a move is chosen.
    pub(super) play: &'a dyn Play,
    /// The seat at the bottom of the board.
    pub(super) side: Seat,
    /// Returns the id of a button for an action.
    pub(super) id: &'a dyn Fn(ButtonAction) -> String,
    pub(super) taken: &'a [String],
    /// The name of what is chosen, in words.
    pub(super) part: &'a str,
    /// Whether the choices are those of one column or row.
    pub(super) within: bool,
}

/// A direction of a move: its steps, its heading in eighths, and whether it splits a stack.
struct MoveDirection {
    steps: Vec<String>,
    heading: u8,
    split: bool,
    label: String,
}

/// Whether cells are chosen by column first, because there are too many for one menu.
pub(super) fn by_columns(choices: &[&Option_]) -> bool {
    let placed = choices.iter().all(|choice| choice.step.cell.is_some());
    let places = choices.first().is_some_and(|choice| choice.step.part == Step::Place);
    placed && choices.len() > if places { BUTTONS } else { SELECTS * MAX_CHOICES }
}

impl StepButtons<'_> {
    /// Builds the rows, at most four.
    pub(super) fn rows(&self, choices: &[&Option_]) -> Vec<Vec<Component>> {
        if let Some(directions) = self.directions(choices) {
            return self.compass(&directions, choices);
        }
        match choices.len() {
            _ if choices.iter().all(|choice| choice.step.part == Step::Spin) => self.spins(choices),
            _ if !self.within && by_columns(choices) => self.columns(choices),
            0..=BUTTONS => self.buttons(choices),
            _ => self.selects(choices),
        }
    }

    /// Builds a button for each choice.
    fn buttons(&self, choices: &[&Option_]) -> Vec<Vec<Component>> {
        let parts: Vec<_> = choices.iter().map(|choice| self.button(choice)).collect();
        parts.chunks(MAX_BUTTONS).map(<[_]>::to_vec).collect()
    }

    fn button(&self, choice: &Option_) -> Component {
        self.pick_button(&self.view.words.step(&choice.step), std::slice::from_ref(&choice.step.text))
    }

    /// Builds a button that adds these steps.
    fn pick_button(&self, label: &str, steps: &[String]) -> Component {
        let taken = [self.taken, steps].concat();
        Component::button(
            clip(label, MAX_LABEL_CHARS),
            ButtonStyle::Secondary,
            self.id(ButtonAction::Pick(0, taken)),
        )
    }

    fn id(&self, action: ButtonAction) -> String {
        (self.id)(action)
    }

    /// Builds a row each for spins to the left, no spin, and spins to the right.
    fn spins(&self, choices: &[&Option_]) -> Vec<Vec<Component>> {
        let row = |sign: char| {
            let these = choices.iter().filter(move |choice| choice.step.text.starts_with(sign));
            these.map(|choice| self.button(choice)).collect::<Vec<_>>()
        };
        [row('L'), row('.'), row('R')].into_iter().filter(|row| !row.is_empty()).collect()
    }

    /// Returns the directions, if each choice has one or is a manner of moving in one.
    fn directions(&self, choices: &[&Option_]) -> Option<Vec<MoveDirection>> {
        let mut directions = Vec::new();
        for choice in choices.iter().filter(|choice| !is_standing(choice)) {
            if choice.step.part == Step::Mode && !self.taken.is_empty() {
                let after = [self.taken, std::slice::from_ref(&choice.step.text)].concat();
                let Menu::Choose(goals) = self.play.menu(&after) else { return None };
                for goal in &goals {
                    directions.push(self.direction(goal, std::slice::from_ref(&choice.step.text))?);
                }
            } else {
                directions.push(self.direction(choice, &[])?);
            }
        }
        (!directions.is_empty()).then_some(directions)
    }

    fn direction(&self, choice: &Option_, before: &[String]) -> Option<MoveDirection> {
        let heading = self.play.heading(self.side, self.taken, &choice.step)?;
        let split = before.iter().any(|manner| manner == ">");
        let args = [("arrow", ARROWS[usize::from(heading) % 8].into()), ("goal", choice.step.label().into())];
        let label = self.view.words.say(if split { "panel-way-split" } else { "panel-way" }, &args);
        let steps = [before, std::slice::from_ref(&choice.step.text)].concat();
        Some(MoveDirection { steps, heading, split, label })
    }

    /// Arranges the directions as a compass, with standing up in the middle and the splitting moves on the
    /// right.
    fn compass(&self, directions: &[MoveDirection], choices: &[&Option_]) -> Vec<Vec<Component>> {
        let middle = choices.iter().find(|choice| is_standing(choice));
        let straight = directions.iter().any(|way| way.heading.is_multiple_of(4)) || middle.is_some();
        let splits = directions.iter().any(|way| way.split);
        let mut rows = Vec::new();
        for (row, line) in COMPASS.iter().enumerate() {
            let column = |column: &usize| straight || *column != 1;
            let spots: Vec<_> = (0..3).filter(column).map(|column| (column, line[column])).collect();
            let whole = spots.iter().map(|(column, eighth)| {
                let blank = format!("blank:{row}:{column}");
                match (eighth, middle) {
                    (None, Some(stand)) => self.button(stand),
                    _ => self.compass_button(directions, *eighth, false, blank),
                }
            });
            let split = spots.iter().filter(|_| splits).map(|(column, eighth)| {
                self.compass_button(directions, *eighth, true, format!("blank:{row}:{column}:split"))
            });
            rows.push(whole.chain(split).collect::<Vec<_>>());
        }
        rows.retain(|row| row.iter().any(|part| matches!(part, Component::Button { .. })));
        rows
    }

    fn compass_button(
        &self,
        directions: &[MoveDirection],
        eighth: Option<u8>,
        split: bool,
        blank: String,
    ) -> Component {
        let found = directions.iter().find(|way| Some(way.heading) == eighth && way.split == split);
        found.map_or(Component::Blank { id: blank }, |way| self.pick_button(&way.label, &way.steps))
    }

    /// Builds a button for each column that has cells; on boards whose letters count rows, for each row.
    fn columns(&self, choices: &[&Option_]) -> Vec<Vec<Component>> {
        let mut letters: Vec<char> =
            choices.iter().filter_map(|choice| choice.step.label().chars().next()).collect();
        letters.sort_unstable();
        letters.dedup();
        let button = |letter: &char| {
            let label = self.view.words.say("panel-column", &[("column", letter.to_string().into())]);
            Component::button(
                label,
                ButtonStyle::Secondary,
                self.id(ButtonAction::Narrow(*letter, self.taken.to_vec())),
            )
        };
        let parts: Vec<_> = letters.iter().take(BUTTONS).map(button).collect();
        parts.chunks(4).map(<[_]>::to_vec).collect()
    }

    /// Builds selects of at most 25 choices each; for a queen with more moves, one for straight and one for
    /// diagonal lines.
    fn selects(&self, choices: &[&Option_]) -> Vec<Vec<Component>> {
        let numbered: Vec<_> = choices.iter().enumerate().map(|(i, choice)| (i + 1, *choice)).collect();
        if let Some(lines) = self.lines(&numbered) {
            let keys = ["panel-straight", "panel-diagonal"];
            let named = lines.iter().zip(keys).enumerate();
            return named
                .map(|(at, (line, key))| {
                    let placeholder = self.view.words.say(key, &[("part", self.part.into())]);
                    vec![self.select(at as u8, placeholder, line)]
                })
                .collect();
        }
        let several = choices.len() > MAX_CHOICES;
        let chunks = numbered.chunks(MAX_CHOICES).enumerate();
        chunks
            .map(|(at, chunk)| {
                let placeholder = if several { self.span(chunk) } else { self.placeholder() };
                vec![self.select(at as u8, placeholder, chunk)]
            })
            .collect()
    }

    /// Splits choices into straight and diagonal lines, if all are moves of a queen and each part fits a
    /// select.
    fn lines<'c>(&self, numbered: &[(usize, &'c Option_)]) -> Option<[Vec<(usize, &'c Option_)>; 2]> {
        let place = |cell: Cell| self.play.board().place(cell);
        let (col, row) = place(last_cell(self.play, self.taken)?);
        let is_straight = |(_, choice): &(usize, &Option_)| {
            choice.step.cell.map(place).is_some_and(|(c, r)| c == col || r == row)
        };
        let (straight, diagonal): (Vec<_>, Vec<_>) = numbered.iter().partition(|one| is_straight(one));
        let fits = |line: &Vec<_>| (1..=MAX_CHOICES).contains(&line.len());
        (numbered.len() > MAX_CHOICES && fits(&straight) && fits(&diagonal)).then_some([straight, diagonal])
    }

    fn select(&self, number: u8, placeholder: String, choices: &[(usize, &Option_)]) -> Component {
        let id = self.id(ButtonAction::Pick(number, self.taken.to_vec()));
        let choices = choices.iter().map(|(mark, choice)| self.choice(*mark, choice)).collect();
        Component::Select { id, placeholder, choices }
    }

    fn choice(&self, mark: usize, choice: &Option_) -> Choice {
        let words = self.view.words;
        let note = match choice.step.cell {
            Some(_) => words.say("panel-choice", &[("label", mark.into())]),
            None => String::new(),
        };
        Choice {
            label: clip(&words.step(&choice.step), MAX_CHOICE_CHARS),
            value: choice.step.text.clone(),
            note,
        }
    }

    fn placeholder(&self) -> String {
        self.view.words.say("panel-select", &[("part", self.part.into())])
    }

    fn span(&self, chunk: &[(usize, &Option_)]) -> String {
        let end =
            |at: Option<&(usize, &Option_)>| at.map_or("", |(_, choice)| choice.step.label()).to_owned();
        self.view.words.say(
            "panel-select-part",
            &[
                ("part", self.part.into()),
                ("first", end(chunk.first()).into()),
                ("last", end(chunk.last()).into()),
            ],
        )
    }
}

/// Whether a choice is to stand up, which has no direction.
fn is_standing(choice: &Option_) -> bool {
    choice.step.part == Step::Direction && choice.step.text == "U"
}
