//! Lessons, visible only to the learner. Their buttons carry the step and the choices so far, so that a
//! lesson needs no stored state and works after a restart.
use rookery_core::lesson::Verdict;

use crate::discord::handlers::commands::play_choices;
use crate::discord::state::context::Context;
use crate::discord::view::lesson_step::Step;
use crate::discord::view::panel::{self, PanelStage};
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::lesson_id::{Lesson, LessonAction};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ButtonAction;

/// Builds the first step of a game's lesson.
pub(in crate::discord) fn begin(ctx: &Context, game: &str) -> Option<OutgoingMessage> {
    Step::find(game, 0).map(|step| shown(ctx, &step, &[], None))
}

/// Carries out a press in a lesson; `value` is the choice in a select.
pub(in crate::discord) async fn pressed(
    ctx: &Context,
    interaction: &Interaction,
    lesson: &Lesson,
    value: Option<&str>,
) -> OutgoingMessage {
    let old = || OutgoingMessage::text(ctx.words.word("old-button"));
    let Some(step) = Step::find(&lesson.game, lesson.step) else { return old() };
    match &lesson.act {
        LessonAction::First => play_choices::levels(ctx, interaction, step.game.info()).await,
        LessonAction::Try(number) => match step.task.offered.get(*number) {
            Some(text) => judge_attempt(ctx, &step, text),
            None => old(),
        },
        LessonAction::Show => {
            step.task.answer(step.play.as_ref()).map_or_else(old, |text| judge_attempt(ctx, &step, &text))
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

/// Builds a lesson step after these parts of a move; a complete move is judged.
fn shown(ctx: &Context, step: &Step, taken: &[String], line: Option<char>) -> OutgoingMessage {
    if !step.task.offered.is_empty() {
        return ctx.view().lesson_choice(step, None);
    }
    match panel::stage(step.play.as_ref(), taken) {
        PanelStage::Choose { taken, choices } => {
            ctx.view().lesson_step_buttons(step, None, (&taken, &choices), line)
        }
        PanelStage::Done(text) => judge_attempt(ctx, step, &text),
        PanelStage::Nothing => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

/// Judges an attempt: the step is solved, or the answer says why not and the task is shown again.
fn judge_attempt(ctx: &Context, step: &Step, text: &str) -> OutgoingMessage {
    let (words, view) = (ctx.words, ctx.view());
    let (key, why) = match step.task.judge(step.play.as_ref(), text) {
        Verdict::Solved(after) => return view.lesson_done(step, text, after.as_ref()),
        Verdict::Illegal(wrong) => ("answer-wrong", words.move_error(&wrong, Some(step.play.as_ref()))),
        Verdict::NotSolved(short) => ("answer-legal", words.shortfall(step.game.info(), &step.key(), &short)),
    };
    let why = words.say(
        key,
        &[("named", step.can_name(text).to_string().into()), ("move", text.into()), ("why", why.into())],
    );
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
    use crate::discord::wire::limits::check;
    use crate::discord::wire::outgoing_message::Component;
    use crate::discord::wire::start_id::StartId;
    use rookery_core::Game;
    use rookery_core::Menu;
    use rookery_core::lesson::Shortfall;
    use rookery_i18n::Localizer;

    fn all() -> impl Iterator<Item = Step> {
        let numbered = |game: &&'static dyn Game| {
            let key = game.info().key;
            (0..game.lesson().len()).map(move |number| Step::find(key, number).unwrap())
        };
        rookery_games::all().iter().flat_map(numbered)
    }

    /// Visits every stage of the panels, and every offered text.
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
                // The first three choices are enough: the others lead to similar panels.
                open.extend(choices.iter().take(3).map(|choice| {
                    taken.iter().cloned().chain([choice.step.text.clone()]).collect::<Vec<_>>()
                }));
            }
            for post in posts {
                assert_eq!(check(&post), Ok(()), "{name}: {}", post.content);
                let read = |part: &Component| match part {
                    Component::Button { id, .. } | Component::Select { id, .. } => {
                        matches!(Lesson::read(id), Some(Ok(_))) || StartId::read(id).is_some()
                    }
                    _ => true,
                };
                assert!(post.rows.iter().flatten().all(read), "{name}: a button that leads nowhere");
            }
        }
    }

    /// Every legal move that does not solve its task is answered with a reason of that task.
    #[test]
    fn every_wrong_move_of_every_lesson_has_its_own_reason() {
        let words = Localizer::english();
        for step in all() {
            for text in step.play.moves() {
                let Verdict::NotSolved(short) = step.task.judge(step.play.as_ref(), &text) else { continue };
                let key = match short {
                    Shortfall::Class(class) => format!("{}-{class}", step.key()),
                    _ => format!("{}-short", step.key()),
                };
                assert_ne!(short, Shortfall::Other, "{key} {text}");
                assert!(words.has(&key), "{key} is missing for {text}");
                let why = words.shortfall(step.game.info(), &step.key(), &short);
                assert!(!why.contains(['{', '[', '$']), "{why}");
            }
        }
    }

    /// Only the step that teaches how moves are typed shows them as typed.
    #[test]
    fn no_lesson_offers_notation_that_it_has_not_taught() {
        let display = DisplayPreferences::usual("walnut");
        let words = Localizer::english();
        let view = MessageView { words, display: &display, reads_all: false, challenge_hours: 24, web: None };
        for step in all().filter(|step| !step.teaches_notation()) {
            let post = view.lesson_choice(&step, None);
            let buttons = post.rows.iter().flatten().filter_map(|part| match part {
                Component::Button { label, .. } => Some(label.as_str()),
                _ => None,
            });
            for label in buttons {
                let is_typed = step.task.offered.contains(&label);
                assert!(!is_typed && !label.contains('['), "{} {}: {label}", step.task.key, step.task.line);
            }
        }
    }

    /// The picture after a right answer shows the piece where the answer has put it, also after half a move.
    #[test]
    fn solved_steps_show_the_piece_that_was_moved() {
        let white = |play: &dyn rookery_core::Play| -> Vec<String> {
            play.facts()[0].cells.iter().map(|cell| play.board().name(*cell).to_owned()).collect()
        };
        let step = Step::find("amazons", 0).unwrap();
        assert_eq!(white(step.play.as_ref()), ["b2"]);
        let Verdict::Solved(after) = step.task.judge(step.play.as_ref(), "b2-b4") else { panic!() };
        assert_eq!(white(after.as_ref()), ["b4"]);
    }

    #[test]
    fn every_task_has_an_answer_and_something_that_is_none() {
        for game in rookery_games::all() {
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
            let free = task.offered.is_empty() && task.wanted == rookery_core::lesson::TaskGoal::AnyMove;
            let offered = task.offered.iter().map(ToString::to_string);
            let mut tries = if task.offered.is_empty() { play.moves() } else { offered.collect() };
            tries.retain(|text| !right(text));
            assert!(free || !tries.is_empty(), "{name}: nothing is wrong");
        }
    }
}
