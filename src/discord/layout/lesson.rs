//! The steps of a lesson: a board, what to do there, and the pads or texts to do it with.

use rookery_core::menu::Choice;
use rookery_core::scene::{DrawOptions, Mark};
use rookery_core::{Play, Seat};
use rookery_i18n::clip;

use super::super::lesson::{Act, Step};
use super::super::limits::{BUTTONS_MOST, CONTENT_MOST, LABEL_MOST};
use super::super::post::{Part, Picture, Post, Tone};
use super::super::press::Deed;
use super::Layout;
use super::pads::Pad;
use super::panel::{marks, step_back};

impl Layout<'_> {
    /// A step that is answered by one of a few texts; `told` is what came of the last try.
    pub fn lesson_choice(&self, step: &Step, told: Option<&str>) -> Post {
        let button = |(number, text): (usize, &&str)| {
            Part::button(clip(text, LABEL_MOST), Tone::Plain, step.id(Act::Try(number)))
        };
        let parts: Vec<_> = step.task.offered.iter().enumerate().map(button).collect();
        let mut post = self.lesson_post(step, told, None, Vec::new());
        post.rows = parts.chunks(BUTTONS_MOST).map(<[_]>::to_vec).collect();
        post.row(self.lesson_help(step, None))
    }

    /// A step that is answered by a move put together on the pads, after the steps taken; `told` as above.
    pub fn lesson_pads(
        &self,
        step: &Step,
        told: Option<&str>,
        (taken, choices): (&[String], &[Choice]),
        line: Option<char>,
    ) -> Post {
        let play = step.play.as_ref();
        let in_line = |choice: &&Choice| line.is_none_or(|c| choice.step.label().starts_with(c));
        let choices: Vec<_> = choices.iter().filter(in_line).collect();
        let part = choices.first().map(|choice| self.words.part(choice.step.part)).unwrap_or_default();
        let id = |deed| step.id(Act::Move(deed));
        let within = line.is_some();
        let pad = Pad { layout: self, play, side: play.turn(), id: &id, taken, part: &part, within };
        let rows = pad.rows(&choices);
        let key = if taken.is_empty() { "lesson-first-part" } else { "lesson-next-part" };
        let args = [("sofar", taken.concat().into()), ("part", part.as_str().into())];
        let next = self.words.say(key, &args);
        let mut post = self.lesson_post(step, told, Some(next), marks(play, taken, &choices, &rows));
        post.rows = rows;
        let before = if within { Some(taken.to_vec()) } else { step_back(play, taken) };
        post.row(self.lesson_help(step, before))
    }

    /// A step that is done, with the board after it, and the way on.
    pub fn lesson_done(&self, step: &Step, text: &str, after: &dyn Play) -> Post {
        let done = self.words.word(&format!("{}-done", key(step)));
        let right = self.words.say("lesson-right", &[("move", text.into()), ("why", done.into())]);
        let mut lines = vec![self.lesson_title(step), right];
        let button = |key: &str, tone, id| Part::button(self.words.word(key), tone, id);
        let again = button("button-lesson-again", Tone::Plain, step.on(0));
        let on = if step.is_last() {
            lines.push(self.words.word("lesson-end"));
            button("button-first-game", Tone::Good, step.id(Act::First))
        } else {
            button("button-lesson-next", Tone::Main, step.on(1))
        };
        let picture = self.lesson_picture(after, step.play.turn(), Vec::new());
        Post::text(clip(&lines.join("\n"), CONTENT_MOST)).picture(picture).row([on, again])
    }

    /// The board of a step in plain characters.
    pub fn lesson_text(&self, step: &Step) -> Post {
        let (title, board) = (self.lesson_title(step), step.play.text_board());
        Post::text(format!("{title}\n```\n{}\n```", board.trim_end()))
    }

    fn lesson_post(&self, step: &Step, told: Option<&str>, next: Option<String>, marks: Vec<Mark>) -> Post {
        let task = self.words.word(&key(step));
        let told = told.map(str::to_owned);
        let lines: Vec<_> =
            [Some(self.lesson_title(step)), told, Some(task), next].into_iter().flatten().collect();
        let picture = self.lesson_picture(step.play.as_ref(), step.play.turn(), marks);
        Post::text(clip(&lines.join("\n"), CONTENT_MOST)).picture(picture)
    }

    fn lesson_title(&self, step: &Step) -> String {
        let game = self.words.game(step.game.info().key);
        let (number, of) = (step.number + 1, step.game.lesson().len());
        self.words.say("lesson-title", &[("game", game.into()), ("number", number.into()), ("of", of.into())])
    }

    fn lesson_picture(&self, play: &dyn Play, side: Seat, marks: Vec<Mark>) -> Picture {
        let look = DrawOptions { marks, ..self.taste.look(side) };
        Picture::still(play.scene(&look), self.words.position(play, &look))
    }

    /// Back, the board as text, and the answer for whoever is stuck.
    fn lesson_help(&self, step: &Step, before: Option<Vec<String>>) -> Vec<Part> {
        let button = |key: &str, act| Part::button(self.words.word(key), Tone::Plain, step.id(act));
        let back = before.map(|taken| button("button-back", Act::Move(Deed::Panel(taken))));
        let rest = [button("button-text", Act::Move(Deed::Text)), button("button-lesson-show", Act::Show)];
        back.into_iter().chain(rest).collect()
    }
}

/// The key of what is to be done in a step.
fn key(step: &Step) -> String {
    format!("lesson-{}-{}", step.game.info().key, step.task.key)
}
