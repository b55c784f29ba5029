//! Autocomplete of moves.

use rookery_core::Play;
use rookery_core::menu::{Choice, Menu};

use crate::discord::wire::limits::MAX_COMPLETIONS;

/// The separators that people type between the parts of a move, beside blanks; no coordinate begins with an
/// `x`.
const BETWEEN: &str = "-/x,>:;()–—→";

/// A typed text, split along the steps of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMove {
    /// The complete steps, in canonical notation.
    pub taken: Vec<String>,
    /// The rest of the text, perhaps the beginning of a step; may be empty.
    pub rest: String,
}

/// Splits a text as far as it follows legal moves. If one step's text is a prefix of another's (`d1` of
/// `d10`), the longest match is taken.
pub fn split_steps(play: &dyn Play, text: &str) -> SplitMove {
    let text = text.to_lowercase();
    let mut rest = text.trim();
    let mut taken = Vec::new();
    while !rest.is_empty() {
        let Menu::Choose(choices) = play.menu(&taken) else { break };
        let fits = |choice: &Choice| {
            strip_step(rest, &choice.step.text).map(|left| (left, choice.step.text.clone()))
        };
        let Some((left, step)) = choices.iter().filter_map(fits).min_by_key(|(left, _)| left.len()) else {
            break;
        };
        rest = left;
        taken.push(step);
    }
    SplitMove { taken, rest: rest.to_owned() }
}

/// Returns up to 25 possible completions in canonical notation: whole moves if few are left, else the next
/// step. Those that lead to one of the `best` moves come first, in that order.
pub fn completions(play: &dyn Play, text: &str, best: &[String]) -> Vec<String> {
    let SplitMove { mut taken, rest } = split_steps(play, text);
    let mut found = next(play, &taken, &rest, None);
    // `d1` may also be the beginning of `d10`, so both are offered.
    if rest.is_empty()
        && let Some(last) = taken.pop()
    {
        found.extend(next(play, &taken, &without_separator(&last).to_lowercase(), Some(&last)));
    }
    found.sort_by_key(|text| best.iter().position(|good| leads_to(text, good)).unwrap_or(usize::MAX));
    found.truncate(MAX_COMPLETIONS);
    found
}

/// Whether a move begins with these steps: `d1` is not a prefix of `d10-d4/g4` in this sense.
fn leads_to(text: &str, whole: &str) -> bool {
    let rest = whole.strip_prefix(text);
    rest.is_some_and(|rest| !(text.ends_with(is_digit) && rest.starts_with(is_digit)))
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Returns the continuations of these steps that begin with the typed rest, without the step `but`.
fn next(play: &dyn Play, taken: &[String], rest: &str, but: Option<&str>) -> Vec<String> {
    let choices = match play.menu(taken) {
        Menu::Done(whole) => return vec![whole],
        Menu::Nothing => return Vec::new(),
        Menu::Choose(choices) => choices,
    };
    let with = |step: &str| [taken, &[step.to_owned()]].concat();
    let texts = choices.iter().filter(|choice| but != Some(choice.step.text.as_str()));
    let fitting: Vec<_> = texts.clone().filter(|choice| begins(rest, &choice.step.text)).collect();
    if fitting.is_empty() {
        // If a sign was left out (`c3 f3` for `c3-f3` or `c3>f3`), every sign is possible.
        let signs = texts.filter(|choice| is_sign(&choice.step.text));
        return signs.flat_map(|choice| next(play, &with(&choice.step.text), rest, None)).collect();
    }
    let moves: usize = fitting.iter().map(|choice| choice.moves).sum();
    if moves > MAX_COMPLETIONS {
        return fitting.iter().map(|choice| with(&choice.step.text).concat()).collect();
    }
    fitting.iter().flat_map(|choice| whole_moves(play, &with(&choice.step.text))).collect()
}

/// Returns every whole move that begins with these steps.
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

/// Removes a step from the start of a text (lower case), ignoring blanks and separators; `None` if the text
/// does not begin with the step.
fn strip_step<'a>(text: &'a str, step: &str) -> Option<&'a str> {
    let mut left = strip_separators(text, step);
    for wanted in without_separator(step).to_lowercase().chars() {
        left = left.trim_start().strip_prefix(wanted)?;
    }
    Some(left.trim_start())
}

/// Whether a step begins with a text (lower case), ignoring blanks and separators.
fn begins(text: &str, step: &str) -> bool {
    let typed: String = strip_separators(text, step).split_whitespace().collect();
    without_separator(step).to_lowercase().starts_with(&typed)
}

/// Removes the separators before a step.
fn strip_separators<'a>(text: &'a str, step: &str) -> &'a str {
    if is_sign(step) {
        return text.trim_start();
    }
    text.trim_start_matches(|c: char| c.is_whitespace() || BETWEEN.contains(c))
}

/// Returns a step without its separator, unless it consists only of a sign.
fn without_separator(step: &str) -> &str {
    if is_sign(step) { step } else { step.trim_start_matches(|c: char| BETWEEN.contains(c)) }
}

fn is_sign(step: &str) -> bool {
    !step.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    fn amazons(size: &str) -> Box<dyn Play> {
        rookery_games::named("amazons").unwrap().start(&Setup::new(2).with("size", size)).unwrap()
    }

    #[test]
    fn nothing_typed_offers_the_own_pieces() {
        let mut pieces = completions(amazons("10x10").as_ref(), "", &[]);
        pieces.sort();
        assert_eq!(pieces, ["a4", "d1", "g1", "j4"]);
    }

    #[test]
    fn a_piece_offers_its_squares_and_a_square_its_shots() {
        let play = amazons("10x10");
        let squares = completions(play.as_ref(), "D1", &[]);
        assert!(squares.contains(&"d1-d7".to_owned()) && squares.len() <= MAX_COMPLETIONS, "{squares:?}");
        let shots = completions(play.as_ref(), "d1 d7", &[]);
        assert!(shots.contains(&"d1-d7/g7".to_owned()), "{shots:?}");
        assert!(shots.iter().all(|shot| play.read(shot).is_ok()));
        assert_eq!(completions(play.as_ref(), "d1d7/g7", &[]), ["d1-d7/g7"]);
    }

    #[test]
    fn typing_narrows() {
        let squares = completions(amazons("10x10").as_ref(), " D 1 - d", &[]);
        assert!(squares.iter().all(|square| square.starts_with("d1-d")), "{squares:?}");
        assert!(!squares.is_empty());
    }

    #[test]
    fn a_number_may_go_on() {
        // From a9 the arrow can reach a1 and, in the other direction, a10, which begins with `a1`.
        let mut play = amazons("10x10");
        play.play("a4-b4/b3").unwrap();
        play.play("a7-a9/b9").unwrap();
        play.play("j4-j5/i5").unwrap();
        let shots = completions(play.as_ref(), "a9-a8/a1", &[]);
        assert_eq!(shots, ["a9-a8/a1", "a9-a8/a10"]);
        assert_eq!(split_steps(play.as_ref(), "a9a8a10").taken, ["a9", "-a8", "/a10"]);
    }

    #[test]
    fn what_no_move_begins_with_offers_nothing() {
        assert!(completions(amazons("6x6").as_ref(), "z9", &[]).is_empty());
        assert!(completions(amazons("10x10").as_ref(), "d1-e7", &[]).is_empty());
    }

    #[test]
    fn never_more_than_discord_takes() {
        let play = amazons("10x10");
        for text in ["", "d", "d1", "d1-", "d1-d5", "g1h", "j4j"] {
            assert!(completions(play.as_ref(), text, &[]).len() <= MAX_COMPLETIONS, "{text}");
        }
    }

    #[test]
    fn what_looks_good_comes_first_and_the_rest_keeps_its_order() {
        let best = ["g1-g8/b3", "d1-d7/g7"].map(str::to_owned);
        let pieces = completions(amazons("10x10").as_ref(), "", &best);
        assert_eq!(pieces[..2], ["g1", "d1"]);
        assert!(leads_to("d1", "d1-d7/g7") && !leads_to("d1", "d10-d4/g4"));
    }

    /// Typing any legal move character by character, completion offers it in the end, and offers only
    /// prefixes of legal moves.
    #[test]
    fn every_legal_move_is_completed_and_nothing_else() {
        let mut rng = rookery_core::seed::SeededRng::new(4);
        for game in rookery_games::all() {
            let mut play = game.start(&Setup::new(game.info().fewest()).seeded(2)).unwrap();
            for _ in 0..12 {
                let legal = play.moves();
                let Some(wanted) = rng.pick(&legal).cloned() else { break };
                for end in (0..=wanted.len()).filter(|end| wanted.is_char_boundary(*end)) {
                    for offered in completions(play.as_ref(), &wanted[..end], &[]) {
                        assert!(legal.iter().any(|text| text.starts_with(&offered)), "{wanted}: {offered}");
                    }
                }
                assert!(completions(play.as_ref(), &wanted, &[]).contains(&wanted), "{wanted}");
                assert_eq!(play.play(&wanted).unwrap(), wanted);
            }
        }
    }
}
