//! Lessons: the steps of a game's lesson, seen by the learner alone. Their buttons carry which step, and
//! what was chosen so far, so that a lesson needs no memory and outlives the process.
use rookery_core::lesson::{Task, Verdict};
use rookery_core::{Game, Play};

use crate::discord::handlers::commands::first_game;
use crate::discord::state::context::Context;
use crate::discord::view::panel::{self, PanelStage};
use crate::discord::wire::component_id::{ButtonAction, FIELD, UnknownComponentId, VERSION};
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Stands where a table's name would; too long to be one.
const LESSON: &str = "lesson-of";

/// A press in a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The game's key.
    pub game: String,
    /// Which step, from 0.
    pub step: usize,
    /// What it is for.
    pub act: LessonAction,
}

/// What a lesson's button is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonAction {
    /// One step of a move that is put together: [`ButtonAction::Panel`], [`ButtonAction::Pick`] or [`ButtonAction::Narrow`]; or the
    /// board as text, [`ButtonAction::Text`].
    Move(ButtonAction),
    /// Answer with the offered text of this number.
    Try(usize),
    /// See a move that answers the task.
    Show,
    /// Play a first game.
    First,
}

impl Lesson {
    /// The id that comes back to us, at most 100 characters: `1:lesson-of:amoeba:2:pick:0:c4~>e5`.
    pub fn id(&self) -> String {
        let (word, rest) = match &self.act {
            LessonAction::Move(action) => action.encode(),
            LessonAction::Try(number) => ("try", format!("{FIELD}{number}")),
            LessonAction::Show => ("show", String::new()),
            LessonAction::First => ("first", String::new()),
        };
        format!("{VERSION}{FIELD}{LESSON}{FIELD}{}{FIELD}{}{FIELD}{word}{rest}", self.game, self.step)
    }

    /// Whether the answer comes beside the lesson rather than in its place.
    pub fn stands_beside(&self) -> bool {
        matches!(self.act, LessonAction::First | LessonAction::Move(ButtonAction::Text))
    }

    /// Reads an id; `None` if it is not of a lesson.
    pub fn read(id: &str) -> Option<Result<Lesson, UnknownComponentId>> {
        let rest = id.strip_prefix(VERSION)?.strip_prefix(FIELD)?.strip_prefix(LESSON)?;
        rest.strip_prefix(FIELD).map(read)
    }
}

fn read(fields: &str) -> Result<Lesson, UnknownComponentId> {
    let mut fields = fields.splitn(4, FIELD);
    let mut next = || fields.next().ok_or(UnknownComponentId);
    let (game, step) = (next()?.to_owned(), next()?.parse().map_err(|_| UnknownComponentId)?);
    let (word, rest) = (next()?, fields.next().unwrap_or(""));
    let act = match word {
        "try" => LessonAction::Try(rest.parse().map_err(|_| UnknownComponentId)?),
        "show" => LessonAction::Show,
        "first" => LessonAction::First,
        _ => match ButtonAction::read(word, rest)? {
            action @ (ButtonAction::Panel(_)
            | ButtonAction::Pick(..)
            | ButtonAction::Narrow(..)
            | ButtonAction::Text) => LessonAction::Move(action),
            _ => return Err(UnknownComponentId),
        },
    };
    Ok(Lesson { game, step, act })
}

/// A step of a game's lesson, with its position.
pub struct Step {
    /// The game.
    pub game: &'static dyn Game,
    /// Which step, from 0.
    pub number: usize,
    /// What is to be done.
    pub task: &'static Task,
    /// The position.
    pub play: Box<dyn Play>,
}

impl Step {
    /// A step by the game's key and its number from 0; `None` if there is none.
    pub fn find(game: &str, number: usize) -> Option<Step> {
        let game = rookery_games::named(game)?;
        let task = game.lesson().get(number)?;
        let play = game.resume(task.line).ok()?;
        Some(Step { game, number, task, play })
    }

    /// Whether another one follows.
    pub fn is_last(&self) -> bool {
        self.number + 1 == self.game.lesson().len()
    }

    /// The id of a button of this step.
    pub fn id(&self, act: LessonAction) -> String {
        Lesson { game: self.game.info().key.to_owned(), step: self.number, act }.id()
    }

    /// The id of the button that leads to the step after so many more.
    pub fn on(&self, by: usize) -> String {
        let act = LessonAction::Move(ButtonAction::Panel(Vec::new()));
        Lesson { game: self.game.info().key.to_owned(), step: self.number + by, act }.id()
    }
}

/// The first step of a game's lesson.
pub(in crate::discord) fn begin(ctx: &Context, game: &str) -> Option<OutgoingMessage> {
    Step::find(game, 0).map(|step| shown(ctx, &step, &[], None))
}

/// Carries out a press in a lesson; `value` is what was chosen from a list.
pub(in crate::discord) async fn pressed(
    ctx: &Context,
    interaction: &Interaction,
    lesson: &Lesson,
    value: Option<&str>,
) -> OutgoingMessage {
    let old = || OutgoingMessage::text(ctx.words.word("old-button"));
    let Some(step) = Step::find(&lesson.game, lesson.step) else { return old() };
    match &lesson.act {
        LessonAction::First => first_game(ctx, interaction, &lesson.game).await,
        LessonAction::Try(number) => match step.task.offered.get(*number) {
            Some(text) => tried(ctx, &step, text),
            None => old(),
        },
        LessonAction::Show => {
            step.task.answer(step.play.as_ref()).map_or_else(old, |text| tried(ctx, &step, &text))
        }
        LessonAction::Move(ButtonAction::Text) => ctx.view().lesson_text(&step),
        LessonAction::Move(ButtonAction::Narrow(line, taken)) => shown(ctx, &step, taken, Some(*line)),
        LessonAction::Move(ButtonAction::Pick(_, taken)) => {
            let taken: Vec<_> = taken.iter().cloned().chain(value.map(str::to_owned)).collect();
            shown(ctx, &step, &taken, None)
        }
        LessonAction::Move(ButtonAction::Panel(taken)) => shown(ctx, &step, taken, None),
        LessonAction::Move(_) => old(),
    }
}

/// A step after these steps of a move; a whole move is judged.
fn shown(ctx: &Context, step: &Step, taken: &[String], line: Option<char>) -> OutgoingMessage {
    if !step.task.offered.is_empty() {
        return ctx.view().lesson_choice(step, None);
    }
    match panel::stage(step.play.as_ref(), taken) {
        PanelStage::Choose { taken, choices } => {
            ctx.view().lesson_step_buttons(step, None, (&taken, &choices), line)
        }
        PanelStage::Done(text) => tried(ctx, step, &text),
        PanelStage::Nothing => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

/// What a try comes to: the step is done, or why not, and again.
fn tried(ctx: &Context, step: &Step, text: &str) -> OutgoingMessage {
    let (words, view) = (ctx.words, ctx.view());
    let why = match step.task.judge(step.play.as_ref(), text) {
        Verdict::Solved(after) => return view.lesson_done(step, text, after.as_ref()),
        Verdict::Illegal(wrong) => words.wrong(&wrong, Some(step.play.as_ref())),
        Verdict::NotSolved(short) => words.short_of(&short),
    };
    let why = words.say("lesson-wrong", &[("move", text.into()), ("why", why.into())]);
    if !step.task.offered.is_empty() {
        return view.lesson_choice(step, Some(&why));
    }
    match panel::stage(step.play.as_ref(), &[]) {
        PanelStage::Choose { taken, choices } => {
            view.lesson_step_buttons(step, Some(&why), (&taken, &choices), None)
        }
        PanelStage::Done(_) | PanelStage::Nothing => OutgoingMessage::text(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::state::display_preferences::DisplayPreferences;
    use crate::discord::view::MessageView;
    use crate::discord::wire::limits::{MAX_CUSTOM_ID_CHARS, check};
    use crate::discord::wire::outgoing_message::Component;
    use rookery_core::Menu;
    use rookery_i18n::Localizer;

    #[test]
    fn what_is_written_on_a_lessons_button_is_read_back() {
        let taken = vec!["c4".to_owned(), ">".to_owned()];
        let acts = [
            LessonAction::Try(3),
            LessonAction::Show,
            LessonAction::First,
            LessonAction::Move(ButtonAction::Text),
            LessonAction::Move(ButtonAction::Panel(Vec::new())),
            LessonAction::Move(ButtonAction::Pick(1, taken.clone())),
            LessonAction::Move(ButtonAction::Narrow('d', taken)),
        ];
        for act in acts {
            let lesson = Lesson { game: "amazon_penguins".into(), step: 7, act };
            assert!(lesson.id().len() <= MAX_CUSTOM_ID_CHARS);
            assert_eq!(Lesson::read(&lesson.id()), Some(Ok(lesson)));
        }
        assert_eq!(Lesson::read("1:K7Q2:3:more"), None);
        for old in ["1:lesson-of:", "1:lesson-of:amoeba:x:show", "1:lesson-of:amoeba:1:resign"] {
            assert_eq!(Lesson::read(old), Some(Err(UnknownComponentId)), "{old}");
        }
    }

    fn all() -> impl Iterator<Item = Step> {
        let numbered = |game: &&'static dyn Game| {
            let key = game.info().key;
            (0..game.lesson().len()).map(move |number| Step::find(key, number).unwrap())
        };
        rookery_games::ALL.iter().flat_map(numbered)
    }

    /// Every stage of the pads, and every text on offer, as long as people can go on.
    #[test]
    fn no_step_of_any_lesson_exceeds_discords_limits() {
        let display = DisplayPreferences::usual("walnut");
        let words = Localizer::english();
        let view = MessageView { words, display: &display, reads_all: false, challenge_hours: 24, web: None };
        for step in all() {
            let name = format!("{} {}", step.game.info().key, step.task.key);
            let mut posts = vec![view.lesson_text(&step)];
            let answer = step.task.answer(step.play.as_ref()).expect(&name);
            posts.push(view.lesson_done(&step, &answer, step.play.as_ref()));
            let why = "x".repeat(400);
            posts.push(view.lesson_choice(&step, Some(&why)));
            let mut open: Vec<Vec<String>> = vec![Vec::new()];
            while let Some(taken) = open.pop() {
                let PanelStage::Choose { taken, choices } = panel::stage(step.play.as_ref(), &taken) else {
                    continue;
                };
                posts.push(view.lesson_step_buttons(&step, Some(&why), (&taken, &choices), None));
                // The first of each kind leads to as much as the others.
                open.extend(choices.iter().take(3).map(|choice| {
                    taken.iter().cloned().chain([choice.step.text.clone()]).collect::<Vec<_>>()
                }));
            }
            for post in posts {
                assert_eq!(check(&post), Ok(()), "{name}: {}", post.content);
                let read = |part: &Component| match part {
                    Component::Button { id, .. } | Component::Select { id, .. } => {
                        matches!(Lesson::read(id), Some(Ok(_)))
                    }
                    _ => true,
                };
                assert!(post.rows.iter().flatten().all(read), "{name}: a button that leads nowhere");
            }
        }
    }

    #[test]
    fn every_task_has_an_answer_and_something_that_is_none() {
        for game in rookery_games::ALL {
            assert!((5..=8).contains(&game.lesson().len()), "{}", game.info().key);
        }
        for Step { game, task, play, .. } in all() {
            let name = format!("{} {}", game.info().key, task.key);
            assert!(play.outcome().is_none() && play.menu(&[]) != Menu::Nothing, "{name} is over");
            let right = |text: &str| matches!(task.judge(play.as_ref(), text), Verdict::Solved(_));
            assert!(task.answer(play.as_ref()).is_some_and(|text| right(&text)), "{name} has no answer");
            if let rookery_core::lesson::TaskGoal::OneOf(texts) = task.wanted {
                texts.iter().for_each(|text| assert!(right(text), "{name}: {text}"));
            }
            let free = task.offered.is_empty() && task.wanted == rookery_core::lesson::TaskGoal::Whole;
            let offered = task.offered.iter().map(ToString::to_string);
            let mut tries = if task.offered.is_empty() { play.moves() } else { offered.collect() };
            tries.retain(|text| !right(text));
            assert!(free || !tries.is_empty(), "{name}: nothing is wrong");
        }
    }
}
