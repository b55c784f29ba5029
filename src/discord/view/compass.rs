//! Directions of a step as a compass of buttons, arranged as they point on the board.

use rookery_core::menu::{Choice, Menu};
use rookery_core::scene::{Mark, MarkKind};
use rookery_core::{Seat, Step, StepKind};
use rookery_i18n::arrow;

use super::step_buttons::{StepButtons, StepChoices};
use crate::discord::wire::outgoing_message::Component;

/// The eight directions in the three rows of a compass; the middle row has a place between its two.
const COMPASS: [&[u8]; 3] = [&[7, 0, 1], &[6, 2], &[5, 4, 3]];

/// A direction that leads to one goal: its steps, its heading in eighths, and whether it splits a stack.
pub(super) struct MoveDirection {
    steps: Vec<String>,
    goal: Step,
    heading: u8,
    split: bool,
}

/// A direction with all its goals, nearest first.
pub(super) struct Ray<'a> {
    heading: u8,
    goals: Vec<&'a Choice>,
}

impl StepButtons<'_> {
    /// Returns the directions, if each choice is a direction of its own or a manner of moving in one.
    pub(super) fn directions(&self, choices: &[&Choice]) -> Option<Vec<MoveDirection>> {
        let mut directions = Vec::new();
        for choice in choices.iter().filter(|choice| !is_standing(choice)) {
            if choice.step.part == StepKind::Mode && !self.taken.is_empty() {
                let after = [self.taken, std::slice::from_ref(&choice.step.text)].concat();
                let Menu::Choose(goals) = self.play.menu(&after) else { return None };
                for goal in &goals {
                    directions.push(self.direction(goal, std::slice::from_ref(&choice.step.text))?);
                }
            } else {
                directions.push(self.direction(choice, &[])?);
            }
        }
        let mut ways: Vec<_> = directions.iter().map(|way| (way.heading, way.split)).collect();
        ways.sort_unstable();
        ways.dedup();
        (!directions.is_empty() && ways.len() == directions.len()).then_some(directions)
    }

    fn direction(&self, goal: &Choice, before: &[String]) -> Option<MoveDirection> {
        let heading = self.play.heading(self.side, self.taken, &goal.step)?;
        let split = before.iter().any(|manner| manner == ">");
        let steps = [before, std::slice::from_ref(&goal.step.text)].concat();
        Some(MoveDirection { steps, goal: goal.step.clone(), heading, split })
    }

    /// Arranges directions as a compass, with standing up in the middle, and in each row the splitting moves after
    /// the others. A point has one number, for moving there and for splitting.
    pub(super) fn compass(&self, directions: &[MoveDirection], choices: &[&Choice]) -> StepChoices {
        let (mut rows, mut marks) = (Vec::new(), Vec::new());
        for headings in COMPASS {
            let (mut whole, mut splits) = (Vec::new(), Vec::new());
            for heading in headings {
                let ways: Vec<_> = directions.iter().filter(|way| way.heading == *heading).collect();
                let marked = ways.iter().find_map(|way| self.number(&mut marks, &way.goal));
                for way in ways {
                    let button = self.pick_button(&self.direction_label(way, marked), &way.steps);
                    if way.split { splits.push(button) } else { whole.push(button) }
                }
                if *heading == 6 {
                    whole.extend(self.standing_button(choices));
                }
            }
            whole.extend(splits);
            rows.push(whole);
        }
        rows.retain(|row: &Vec<Component>| !row.is_empty());
        StepChoices { rows, marks, asks_direction: false }
    }

    fn direction_label(&self, way: &MoveDirection, marked: Option<usize>) -> String {
        let args = [("arrow", arrow(way.heading).into()), ("goal", way.goal.label().into())];
        let label = self.view.words.say(if way.split { "panel-way-split" } else { "panel-way" }, &args);
        marked.map_or_else(|| label.clone(), |number| self.view.numbered(number, &label))
    }

    fn standing_button(&self, choices: &[&Choice]) -> Option<Component> {
        let stand = choices.iter().find(|choice| is_standing(choice))?;
        Some(self.pick_button(&self.view.words.step(&stand.step), std::slice::from_ref(&stand.step.text)))
    }

    /// Groups choices by direction, in the order of the compass; `None` if one has no direction.
    pub(super) fn rays<'c>(&self, choices: &[&'c Choice]) -> Option<Vec<Ray<'c>>> {
        let mut rays: Vec<Ray<'c>> = Vec::new();
        for choice in choices {
            let heading = self.play.heading(self.side, self.taken, &choice.step)?;
            match rays.iter_mut().find(|ray| ray.heading == heading) {
                Some(ray) => ray.goals.push(choice),
                None => rays.push(Ray { heading, goals: vec![choice] }),
            }
        }
        rays.iter_mut().for_each(|ray| self.sort_along_line(&mut ray.goals));
        let order = |ray: &Ray<'_>| COMPASS.concat().iter().position(|heading| *heading == ray.heading);
        rays.sort_by_key(order);
        Some(rays)
    }

    /// Arranges directions as a compass. Each button shows the goals in its direction; a direction with one goal
    /// leads there at once. On the picture the first cell of a direction has its number.
    pub(super) fn directions_first(&self, rays: Vec<Ray<'_>>) -> StepChoices {
        let mut marks = Vec::new();
        let mut rows: Vec<Vec<Component>> = vec![Vec::new(); COMPASS.len()];
        for (at, ray) in rays.into_iter().enumerate() {
            let row = COMPASS.iter().position(|headings| headings.contains(&ray.heading)).unwrap_or_default();
            rows[row].extend(self.ray_button(at + 1, &ray));
            marks.extend(ray_marks(at + 1, &ray));
        }
        rows.retain(|row| !row.is_empty());
        StepChoices { rows, marks, asks_direction: true }
    }

    fn ray_button(&self, number: usize, ray: &Ray<'_>) -> Option<Component> {
        let arrow = arrow(ray.heading);
        if let [only] = ray.goals[..] {
            let args = [("arrow", arrow.into()), ("goal", only.step.label().into())];
            let label = self.view.numbered(number, &self.view.words.say("panel-way", &args));
            return Some(self.pick_button(&label, std::slice::from_ref(&only.step.text)));
        }
        let first = ray.goals.first()?;
        let eighths = self.play.heading(Seat::FIRST, self.taken, &first.step)?;
        let line = char::from_digit(eighths.into(), 8)?;
        Some(self.narrow_button(&self.view.numbered(number, arrow), line))
    }
}

/// The number on the first cell of a direction, and a dot on each other one.
fn ray_marks(number: usize, ray: &Ray<'_>) -> impl Iterator<Item = Mark> {
    let heading = ray.heading;
    let cells: Vec<_> = ray.goals.iter().filter_map(|choice| choice.step.cell).collect();
    cells.into_iter().enumerate().map(move |(at, cell)| {
        let first = || MarkKind::Direction { label: number.to_string(), heading };
        Mark { cell, kind: if at == 0 { first() } else { MarkKind::Goal } }
    })
}

/// Whether a choice is to stand up, which has no direction.
fn is_standing(choice: &Choice) -> bool {
    choice.step.part == StepKind::Direction && choice.step.text == "U"
}
