//! What can come next while a move is typed.

use crate::kit::Play;
use crate::kit::menu::{Choice, Menu};

use super::limits::COMPLETIONS_MOST;

/// A typed text, taken apart along the steps of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The steps that are there in full.
    pub taken: Vec<String>,
    /// What is left: the beginning of a step, squeezed; empty if nothing.
    pub rest: String,
}

/// Takes a text apart as far as it follows legal moves. Where one step's text is the beginning of
/// another's (`d1` of `d10`), the longest that fits is taken.
pub fn typed(play: &dyn Play, text: &str) -> Typed {
    let mut rest = squeezed(text);
    let mut taken = Vec::new();
    while !rest.is_empty() {
        let Menu::Choose(choices) = play.menu(&taken) else { break };
        let fits = |choice: &&Choice| {
            let text = squeezed(&choice.step.text);
            !text.is_empty() && rest.starts_with(&text)
        };
        let Some(longest) = choices.iter().filter(fits).max_by_key(|choice| choice.step.text.len()) else {
            break;
        };
        rest = rest.split_off(squeezed(&longest.step.text).len());
        taken.push(longest.step.text.clone());
    }
    Typed { taken, rest }
}

/// Up to 25 texts that could follow, in canonical spelling: whole moves where few are left, else the
/// next step.
pub fn completions(play: &dyn Play, text: &str) -> Vec<String> {
    let Typed { mut taken, rest } = typed(play, text);
    let mut found = next(play, &taken, &rest);
    // `d1` may also be the beginning of `d10`: both ways are offered.
    if rest.is_empty()
        && let Some(last) = taken.pop()
    {
        let longer = next(play, &taken, &squeezed(&last));
        let whole = taken.concat() + &last;
        found.extend(longer.into_iter().filter(|other| *other != whole && !other.starts_with(&whole)));
        if found.is_empty() {
            found.push(whole);
        }
    }
    found.truncate(COMPLETIONS_MOST);
    found
}

fn next(play: &dyn Play, taken: &[String], rest: &str) -> Vec<String> {
    let choices = match play.menu(taken) {
        Menu::Done(whole) => return vec![whole],
        Menu::Nothing => return Vec::new(),
        Menu::Choose(choices) => choices,
    };
    let fitting: Vec<_> =
        choices.into_iter().filter(|choice| squeezed(&choice.step.text).starts_with(rest)).collect();
    let moves: usize = fitting.iter().map(|choice| choice.moves).sum();
    let begun = taken.concat();
    let texts = fitting.iter().map(|choice| format!("{begun}{}", choice.step.text));
    if moves > COMPLETIONS_MOST {
        return texts.collect();
    }
    let steps = fitting.iter().map(|choice| [taken, std::slice::from_ref(&choice.step.text)].concat());
    steps.flat_map(|steps| whole_moves(play, &steps)).collect()
}

/// Every whole move that begins with these steps.
fn whole_moves(play: &dyn Play, taken: &[String]) -> Vec<String> {
    match play.menu(taken) {
        Menu::Done(whole) => vec![whole],
        Menu::Nothing => Vec::new(),
        Menu::Choose(choices) => {
            let longer = choices.into_iter().map(|choice| [taken, &[choice.step.text]].concat());
            longer.flat_map(|steps| whole_moves(play, &steps)).collect()
        }
    }
}

/// A text without what people write in different ways: case, blanks, separators.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || "+^".contains(*c)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::kit::rules::Setup;

    fn amazons(size: &str) -> Box<dyn Play> {
        games::named("amazons").unwrap().start(&Setup::new(2).with("size", size)).unwrap()
    }

    #[test]
    fn nothing_typed_offers_the_own_pieces() {
        let mut pieces = completions(amazons("10x10").as_ref(), "");
        pieces.sort();
        assert_eq!(pieces, ["a4", "d1", "g1", "j4"]);
    }

    #[test]
    fn a_piece_offers_its_squares_and_a_square_its_shots() {
        let play = amazons("10x10");
        let squares = completions(play.as_ref(), "D1");
        assert!(squares.contains(&"d1-d7".to_owned()) && squares.len() <= COMPLETIONS_MOST, "{squares:?}");
        let shots = completions(play.as_ref(), "d1 d7");
        assert!(shots.contains(&"d1-d7/g7".to_owned()), "{shots:?}");
        assert!(shots.iter().all(|shot| play.read(shot).is_ok()));
        assert_eq!(completions(play.as_ref(), "d1d7/g7"), ["d1-d7/g7"]);
    }

    #[test]
    fn typing_narrows() {
        let squares = completions(amazons("10x10").as_ref(), "d1-d");
        assert!(squares.iter().all(|square| square.starts_with("d1-d")), "{squares:?}");
        assert!(!squares.is_empty());
    }

    #[test]
    fn a_number_may_go_on() {
        // On d9 the arrow's way up ends on d10, and `d1` is the beginning of `d10`.
        let play = amazons("10x10");
        let shots = completions(play.as_ref(), "d1-d9/d1");
        assert!(shots.contains(&"d1-d9/d1".to_owned()), "{shots:?}");
    }

    #[test]
    fn what_no_move_begins_with_offers_nothing() {
        assert!(completions(amazons("6x6").as_ref(), "z9").is_empty());
        assert!(completions(amazons("10x10").as_ref(), "d1-e7").is_empty());
    }

    #[test]
    fn never_more_than_discord_takes() {
        let play = amazons("10x10");
        for text in ["", "d", "d1", "d1-", "d1-d5", "g1h", "j4j"] {
            assert!(completions(play.as_ref(), text).len() <= COMPLETIONS_MOST, "{text}");
        }
    }
}
