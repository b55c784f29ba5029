//! The legal moves of a position as a tree of steps, so that the page needs no request to show what can be chosen next.

use rookery_core::scene::OffBoardPiece;
use rookery_core::{Play, Seat, Step, StepKind};
use rookery_i18n::Localizer;
use serde_json::{Map, Value, json};

/// Returns the tree. Each key is the text of a step; its value is the step itself if it is the last one, or else a pair of
/// the step and the steps after it. A step is the index of its cell, or an object: its label, its cell if it has one, and
/// the direction on the drawing, in eighths clockwise from up. A piece that isn't on the board yet has the cell at which it
/// comes in, and where it is drawn beside the board.
pub(super) fn move_tree(words: &Localizer, play: &dyn Play, side: Seat) -> Value {
    let mut root = Branch::default();
    for steps in play.move_steps() {
        let mut branch = &mut root;
        for step in steps {
            branch = branch.child(step);
        }
    }
    root.json(&mut Teller { words, play, side, taken: Vec::new() })
}

#[derive(Default)]
struct Branch(Vec<(Step, Branch)>);

struct Teller<'a> {
    words: &'a Localizer,
    play: &'a dyn Play,
    side: Seat,
    taken: Vec<String>,
}

impl Branch {
    /// Returns the branch of a step. Moves come in order, so an equal step is usually the latest one.
    fn child(&mut self, step: Step) -> &mut Branch {
        let known = self.0.iter().rposition(|(known, _)| known.text == step.text);
        let at = known.unwrap_or_else(|| {
            self.0.push((step, Branch::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }

    fn json(&self, teller: &mut Teller<'_>) -> Value {
        let mut steps = Map::new();
        for (step, after) in &self.0 {
            let told = teller.step(step);
            let value = if after.0.is_empty() {
                told
            } else {
                teller.taken.push(step.text.clone());
                let after = after.json(teller);
                teller.taken.pop();
                json!([told, after])
            };
            steps.insert(step.text.clone(), value);
        }
        Value::Object(steps)
    }
}

impl Teller<'_> {
    fn step(&self, step: &Step) -> Value {
        let heading = match step.part {
            StepKind::Direction | StepKind::Spin => self.play.heading(self.side, &self.taken, step),
            _ => None,
        };
        match (step.cell, heading) {
            (Some(cell), None) => json!(cell.index()),
            (None, None) if step.part == StepKind::Piece => json!({ "label": self.words.step(step),
                "from": self.play.entry_cell().map(|cell| cell.index()),
                "drawn": self.play.off_board_piece(step).map(off_board) }),
            (cell, heading) => json!({ "label": self.words.step(step), "cell": cell.map(|cell| cell.index()),
                "heading": heading, "turns": step.part == StepKind::Spin }),
        }
    }
}

fn off_board(piece: OffBoardPiece) -> Value {
    let [from, to] = piece.area;
    json!({ "x": piece.at.x, "y": piece.at.y, "radius": piece.radius,
        "area": { "x": from.x, "y": from.y, "width": to.x - from.x, "height": to.y - from.y } })
}

#[cfg(test)]
mod tests {
    use rookery_core::Menu;
    use rookery_core::rules::Setup;

    use super::*;

    /// Walks the tree and the menus together.
    fn compare(play: &dyn Play, taken: &[String], tree: &Value, found: &mut Vec<String>) {
        let Menu::Choose(choices) = play.menu(taken) else { panic!("{taken:?}") };
        let steps = tree.as_object().unwrap();
        assert_eq!(choices.len(), steps.len(), "{taken:?}");
        for choice in choices {
            let (value, next) =
                (&steps[&choice.step.text], [taken, std::slice::from_ref(&choice.step.text)].concat());
            let (told, after) = value.as_array().map_or((value, None), |pair| (&pair[0], Some(&pair[1])));
            let cell = told.as_u64().or(told["cell"].as_u64());
            assert_eq!(cell, choice.step.cell.map(|cell| cell.index() as u64), "{next:?}");
            match after {
                Some(after) => compare(play, &next, after, found),
                None => found.push(next.concat()),
            }
        }
    }

    #[test]
    fn move_tree_has_the_steps_of_the_menus_and_every_legal_move() {
        for game in rookery_games::all() {
            let mut play = game.start(&Setup::new(game.info().fewest())).unwrap();
            for _ in 0..10 {
                let tree = move_tree(Localizer::english(), play.as_ref(), Seat::SECOND);
                let (mut found, mut legal) = (Vec::new(), play.moves());
                if legal.len() < 400 {
                    compare(play.as_ref(), &[], &tree, &mut found);
                    found.sort();
                    legal.sort();
                    assert_eq!(found, legal, "{}", game.info().key);
                }
                let Some(text) = legal.pop() else { break };
                play.play(&text).unwrap();
            }
        }
    }

    /// The position with the most first moves.
    #[test]
    fn move_tree_of_2176_moves_is_small() {
        let play = rookery_games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
        assert_eq!(play.moves().len(), 2_176);
        let tree = move_tree(Localizer::english(), play.as_ref(), Seat::FIRST).to_string();
        assert!(tree.len() < 30_000, "{} bytes", tree.len());
    }
}
