//! Lesson steps: a board, a task, and the buttons to solve it.

use rookery_core::menu::Choice;
use rookery_core::scene::Mark;
use rookery_core::{Play, StepKind};
use rookery_i18n::clip;

use super::MessageView;
use super::lesson_offers::Offers;
use super::panel::{chosen, step_back};
use super::step_buttons::{StepButtons, in_rows, is_in_line};
use crate::discord::view::lesson_step::Step;
use crate::discord::wire::lesson_id::LessonAction;
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_CONTENT_CHARS, MAX_LABEL_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::start_id::{StartId, StartPurpose};
use crate::discord::wire::table_button_id::ButtonAction;

impl MessageView<'_> {
    /// Builds a step that is answered with one of a few texts; `told` is the response to the last attempt.
    pub fn lesson_choice(&self, step: &Step, told: Option<&str>) -> OutgoingMessage {
        let offers = Offers::of(step);
        let button = |number: usize| {
            let label = clip(&offers.label(self, number), MAX_LABEL_CHARS);
            Component::button(label, ButtonStyle::Secondary, step.id(LessonAction::Try(number)))
        };
        let parts: Vec<_> = (0..step.task.offered.len()).map(button).collect();
        let mut post = self.lesson_post(step, told, None, (&[], offers.marks()));
        post.rows = in_rows(&parts, MAX_BUTTONS);
        post.row(self.lesson_help(step, None))
    }

    /// Builds a step that is answered with a move, composed by buttons; `taken` are the parts chosen so far,
    /// `told` is the response to the last attempt.
    pub fn lesson_step_buttons(
        &self,
        step: &Step,
        told: Option<&str>,
        (taken, choices): (&[String], &[Choice]),
        line: Option<char>,
    ) -> OutgoingMessage {
        let play = step.play.as_ref();
        let choices: Vec<_> = choices.iter().filter(|choice| is_in_line(play, taken, choice, line)).collect();
        let id = |action| step.id(LessonAction::Move(action));
        let arranged = StepButtons { view: self, play, side: play.turn(), id: &id, taken }.arrange(&choices);
        let asked = choices.first().map(|choice| choice.step.part).filter(|_| !arranged.asks_direction);
        let part = self.words.part(asked.unwrap_or(StepKind::Direction));
        let piece = play.board().last_named(taken).filter(|_| taken.len() == 1);
        let key = match (taken, piece) {
            ([], _) => "lesson-first-part",
            (_, Some(_)) => "lesson-piece-part",
            (_, None) => "lesson-next-part",
        };
        let piece = piece.map(|cell| play.board().name(cell)).unwrap_or_default();
        let args =
            [("sofar", taken.concat().into()), ("piece", piece.into()), ("part", part.as_str().into())];
        let next = self.words.say(key, &args);
        let marks = chosen(play, taken).chain(arranged.marks).collect();
        let mut post = self.lesson_post(step, told, Some(next), (taken, marks));
        post.rows = arranged.rows;
        let before = if line.is_some() { Some(taken.to_vec()) } else { step_back(play, taken) };
        post.row(self.lesson_help(step, before))
    }

    /// Builds a solved step, with the board after the move and a button for the next step.
    pub fn lesson_done(&self, step: &Step, text: &str, after: &dyn Play) -> OutgoingMessage {
        let done = self.words.lesson(step.game.info(), &format!("{}-done", step.key()));
        let named = step.can_name(text).to_string();
        let args = [("named", named.into()), ("move", text.into()), ("why", done.into())];
        let right = self.words.say("answer-right", &args);
        let mut lines = vec![self.lesson_title(step), right];
        let button = |key: &str, style, id| Component::button(self.words.word(key), style, id);
        let again = button("button-lesson-again", ButtonStyle::Secondary, step.on(0));
        let on = if step.is_last() {
            lines.push(self.words.word("lesson-end"));
            let game = step.game.info().key.to_owned();
            button("button-first-game", ButtonStyle::Success, StartId::Game(StartPurpose::Bot, game).id())
        } else {
            button("button-lesson-next", ButtonStyle::Primary, step.on(1))
        };
        let picture = self.position_picture(after, step.play.turn(), Vec::new());
        OutgoingMessage::text(clip(&lines.join("\n"), MAX_CONTENT_CHARS)).picture(picture).row([on, again])
    }

    /// Builds the board of a step in plain characters.
    pub fn lesson_text(&self, step: &Step) -> OutgoingMessage {
        let (title, board) = (self.lesson_title(step), step.play.text_board());
        let signs = self.words.text_board_signs(step.play.as_ref());
        OutgoingMessage::text(format!("{title}\n{signs}\n```\n{}\n```", board.trim_end()))
    }

    fn lesson_post(
        &self,
        step: &Step,
        told: Option<&str>,
        next: Option<String>,
        (taken, marks): (&[String], Vec<Mark>),
    ) -> OutgoingMessage {
        let task = self.words.lesson(step.game.info(), &step.key());
        let told = told.map(str::to_owned);
        let lines: Vec<_> =
            [Some(self.lesson_title(step)), told, Some(task), next].into_iter().flatten().collect();
        let drawn = step.play.after_steps(taken).unwrap_or_else(|| step.play.clone_play());
        let picture = self.position_picture(drawn.as_ref(), step.play.turn(), marks);
        OutgoingMessage::text(clip(&lines.join("\n"), MAX_CONTENT_CHARS)).picture(picture)
    }

    fn lesson_title(&self, step: &Step) -> String {
        let game = self.words.game(step.game.info().key);
        let (number, of) = (step.number + 1, step.game.lesson().len());
        self.words.say("lesson-title", &[("game", game.into()), ("number", number.into()), ("of", of.into())])
    }

    /// Builds the buttons Back, text board and answer.
    fn lesson_help(&self, step: &Step, before: Option<Vec<String>>) -> Vec<Component> {
        let button =
            |key: &str, act| Component::button(self.words.word(key), ButtonStyle::Secondary, step.id(act));
        let back = before.map(|taken| button("button-back", LessonAction::Move(ButtonAction::Panel(taken))));
        let rest = [
            button("button-text", LessonAction::Move(ButtonAction::Text)),
            button("button-lesson-show", LessonAction::Show),
        ];
        back.into_iter().chain(rest).collect()
    }
}
