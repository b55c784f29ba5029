//! The move panel: a move composed step by step, visible only to the mover.
//!
//! Its buttons carry the steps taken so far, so the panel needs no stored state. It works after a restart,
//! and after the 15 minutes in which Discord lets the bot edit an answer. `step_buttons` arranges the choices
//! of a step.

use rookery_core::menu::{Choice as Option_, Menu};
use rookery_core::scene::{Mark, MarkKind};
use rookery_core::{Play, StepKind as Step};
use rookery_table::{Table, UserId};

use super::MessageView;
pub use super::step_buttons::PanelTarget;
use super::step_buttons::{StepButtons, is_in_line};
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_ROWS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The state of a move panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PanelStage {
    /// The steps form a whole move.
    Done(String),
    /// The next step is to be chosen, after these ones (forced ones included).
    Choose {
        /// The steps so far.
        taken: Vec<String>,
        /// The possible next steps.
        choices: Vec<Option_>,
    },
    /// No legal move begins with these steps.
    Nothing,
}

/// Returns the state after some steps. Forced steps are added, but a move is never completed before anything
/// was chosen.
pub fn stage(play: &dyn Play, taken: &[String]) -> PanelStage {
    let mut taken = taken.to_vec();
    let chosen = !taken.is_empty();
    loop {
        match play.menu(&taken) {
            Menu::Nothing => return PanelStage::Nothing,
            Menu::Done(text) => return PanelStage::Done(text),
            Menu::Choose(choices) => {
                let last = choices.iter().map(|choice| choice.moves).sum::<usize>() == 1;
                if choices.len() > 1 || (last && !chosen) {
                    return PanelStage::Choose { taken, choices };
                }
                taken.extend(choices.into_iter().map(|choice| choice.step.text));
            }
        }
    }
}

impl MessageView<'_> {
    /// Builds the panel for the player to move; `line` narrows many cells to those of one column, row or
    /// direction ([`ButtonAction::Narrow`]).
    pub fn panel(
        &self,
        table: &Table,
        who: UserId,
        taken: &[String],
        choices: &[Option_],
        line: Option<char>,
    ) -> Option<OutgoingMessage> {
        let side = self.side_for(table, who);
        self.panel_of(&PanelTarget { table, play: table.play()?, side, ahead: None }, taken, choices, line)
    }

    /// Builds the panel for the current position, or for one ahead in a plan.
    pub fn panel_of(
        &self,
        view: &PanelTarget<'_>,
        taken: &[String],
        choices: &[Option_],
        line: Option<char>,
    ) -> Option<OutgoingMessage> {
        let (table, play) = (view.table, view.play);
        let choices: Vec<_> = choices.iter().filter(|choice| is_in_line(play, taken, choice, line)).collect();
        let first = choices.first()?.step.part;
        let id = |action| view.id(action);
        let arranged = StepButtons { view: self, play, side: view.side, id: &id, taken }.arrange(&choices);
        let part = match arranged.asks_direction {
            true => self.words.direction_of(first),
            false => self.words.part(first),
        };
        let mut post = OutgoingMessage::text(self.panel_line(view, taken, &part));
        post.rows = arranged.rows;
        let drawn = play.after_steps(taken)?;
        let marks = chosen(play, taken).chain(arranged.marks).collect();
        post.picture = Some(self.picture(table, drawn.as_ref(), view.side, marks));
        let before = if line.is_some() { Some(taken.to_vec()) } else { step_back(play, taken) };
        Some(post.row(self.panel_buttons(view, before)))
    }

    /// Builds the confirmation of a whole move, with the board after it.
    pub fn confirm(
        &self,
        table: &Table,
        who: UserId,
        taken: &[String],
        text: &str,
    ) -> Option<OutgoingMessage> {
        let play = table.play()?;
        let side = self.side_for(table, who);
        let mut after = play.clone_play();
        after.play(text).ok()?;
        let args = [("table", table.id().to_string().into()), ("move", text.into())];
        let votes = table.team_vote().is_some();
        let (sure, play_it) =
            if votes { ("panel-confirm-vote", "button-propose") } else { ("panel-confirm", "button-play") };
        let mut post = OutgoingMessage::text(self.words.say(sure, &args));
        post.picture = Some(self.picture(table, after.as_ref(), side, Vec::new()));
        let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Play(vec![text.to_owned()])).id();
        let yes = Component::button(self.words.word(play_it), ButtonStyle::Success, id);
        let view = PanelTarget { table, play, side, ahead: None };
        let rest = self.panel_buttons(&view, step_back(play, taken));
        Some(post.row([yes].into_iter().chain(rest)))
    }

    /// Builds the choice between readings of an ambiguous move: one button each.
    pub fn readings(&self, table: &Table, readings: &[String]) -> OutgoingMessage {
        let args = [("table", table.id().to_string().into())];
        let button = |text: &String| {
            let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Play(vec![text.clone()])).id();
            Component::button(text, ButtonStyle::Secondary, id)
        };
        let parts: Vec<_> = readings.iter().take(MAX_ROWS * MAX_BUTTONS).map(button).collect();
        let mut post = OutgoingMessage::text(self.words.say("readings", &args));
        post.rows = parts.chunks(MAX_BUTTONS).map(<[_]>::to_vec).collect();
        post
    }

    fn panel_line(&self, view: &PanelTarget<'_>, taken: &[String], part: &str) -> String {
        let table = ("table", view.table.id().to_string().into());
        let placing = || view.ahead.is_none().then(|| self.words.placing(view.play)).flatten();
        if let Some(placing) = placing() {
            return self.words.say("panel-placing", &[table, ("placing", placing.into())]);
        }
        let named = self.named_so_far(view.play, taken);
        let key = match view.ahead {
            Some(_) => "panel-ahead",
            None if taken.is_empty() => "panel-choose",
            None if named.is_some() => "panel-so-far-named",
            None => "panel-so-far",
        };
        let supposed = view.ahead.unwrap_or_default().iter().cloned();
        let so_far: Vec<_> = supposed.chain([taken.concat()]).filter(|text| !text.is_empty()).collect();
        let so_far = match named.filter(|_| view.ahead.is_none()) {
            Some(named) => named,
            None if so_far.is_empty() => "…".to_owned(),
            None => so_far.join(" "),
        };
        self.words.say(
            key,
            &[
                table,
                ("sofar", so_far.into()),
                ("part", part.into()),
                ("who", self.words.seated(view.table, view.play.turn()).into()),
            ],
        )
    }

    /// Names a first step in words: a piece by its name, also one that is not yet on the board and has only a sign.
    fn named_so_far(&self, play: &dyn Play, taken: &[String]) -> Option<String> {
        let [_] = taken else { return None };
        let step = step_of(play, taken)?.step;
        let sign = || (step.part == Step::Piece && step.cell.is_none()).then(|| self.words.step(&step));
        self.words.piece_on(play, &step).or_else(sign)
    }

    /// Builds the buttons Back and text board.
    fn panel_buttons(&self, view: &PanelTarget<'_>, before: Option<Vec<String>>) -> Vec<Component> {
        let button = |key, id| Component::button(self.words.word(key), ButtonStyle::Secondary, id);
        let text = button("button-text", view.id(ButtonAction::Text));
        let earlier = || {
            let (_, moves) = view.ahead?.split_last()?;
            let first = ButtonAction::PlanStep(moves.to_vec(), Box::new(ButtonAction::Panel(Vec::new())));
            Some(TableButtonId::new(view.table.id(), view.table.ply(), first).id())
        };
        let back = before.map(|steps| view.id(ButtonAction::Panel(steps))).or_else(earlier);
        back.map(|id| button("button-back", id)).into_iter().chain([text]).collect()
    }
}

/// Returns the steps before the last real choice: forced steps are not asked again. The manner in which a
/// stack moves is chosen together with its direction, so it is not a step of its own here.
pub(super) fn step_back(play: &dyn Play, taken: &[String]) -> Option<Vec<String>> {
    let is_stop = |steps: &&[String]| match play.menu(steps) {
        Menu::Choose(choices) => choices.len() > 1 && !ends_in_manner(play, steps),
        _ => false,
    };
    let earlier = (0..taken.len()).rev().map(|many| &taken[..many]);
    earlier.clone().find(is_stop).map(<[_]>::to_vec)
}

fn ends_in_manner(play: &dyn Play, steps: &[String]) -> bool {
    step_of(play, steps).is_some_and(|choice| choice.step.part == Step::Mode)
}

/// Marks the cells chosen so far.
pub(super) fn chosen<'a>(play: &'a dyn Play, taken: &'a [String]) -> impl Iterator<Item = Mark> + 'a {
    let cells = (1..=taken.len()).filter_map(|many| step_of(play, &taken[..many])?.step.cell);
    cells.map(|cell| Mark { cell, kind: MarkKind::Chosen })
}

/// Returns the last of these steps, as it was offered.
fn step_of(play: &dyn Play, steps: &[String]) -> Option<Option_> {
    let (last, before) = steps.split_last()?;
    let Menu::Choose(choices) = play.menu(before) else { return None };
    choices.into_iter().find(|choice| choice.step.text == *last)
}
