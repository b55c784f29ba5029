//! What a cell of a board in a picture may hold, as choices of a select: their names, and their values in custom ids.

use std::collections::BTreeSet;

use rookery_core::square::COMPASS;
use rookery_core::{Cell, Play, Seat};
use rookery_i18n::{Localizer, clip};
use rookery_reading::{Content, Manner, Part, content_of, parts};

use crate::discord::wire::limits::{MAX_CHOICE_CHARS, MAX_CHOICES};
use crate::discord::wire::outgoing_message::Choice;

/// The value of the choice that a cell is empty.
const EMPTY: &str = "-";
/// Separates the signs of pieces in the value of a choice, and their names in its label.
const AND: char = '+';
/// Precedes the number of pieces that are alike in the value of a choice.
const TIMES: char = ':';
/// More pieces than on any cell.
const MAX_PIECES: usize = 20;
/// The value of the choice that a penguin lies on a cell, before the number of its side.
const LYING: &str = "lying";

/// Whether several pieces lie on each other, so that their order matters.
pub(super) fn is_stack(play: &dyn Play, content: &Content) -> bool {
    let parts = parts(play, content);
    let is_level =
        |part: &Part| part.piece.seat.is_some() && matches!(part.manner, Manner::Plain | Manner::Times(_));
    parts.len() > 1 && parts.iter().all(is_level)
}

/// What a cell may hold, as choices: what was read first. If that is more than a select holds, the lying penguins of a side are
/// one choice, after which `lying` is that side.
pub(super) fn choices(
    words: &Localizer,
    play: &dyn Play,
    cell: Cell,
    (all, lying): (&[Content], Option<Seat>),
) -> Vec<Choice> {
    let read = content_of(play, cell);
    let choice = |content: &Content| Choice {
        label: clip(&name_of(words, play, content), MAX_CHOICE_CHARS),
        value: value_of(content),
        note: if *content == read { words.word("picture-as-read") } else { String::new() },
    };
    if all.len() <= MAX_CHOICES {
        return all.iter().map(choice).collect();
    }
    let side = |content: &&Content| lies(play, content);
    if lying.is_some() {
        return all.iter().filter(|content| side(content) == lying).take(MAX_CHOICES).map(choice).collect();
    }
    let sides: BTreeSet<Seat> = all.iter().filter_map(|content| lies(play, content)).collect();
    let others = all.iter().filter(|content| side(content).is_none());
    let mut choices: Vec<Choice> = others.take(MAX_CHOICES - sides.len()).map(choice).collect();
    choices.extend(sides.into_iter().map(|side| Choice {
        label: words.say("picture-lying", &[("side", words.side(play, side).into())]),
        value: lying_value(side),
        note: String::new(),
    }));
    choices
}

/// The side of a penguin that lies on a cell.
fn lies(play: &dyn Play, content: &Content) -> Option<Seat> {
    parts(play, content).iter().find_map(|part| match part.manner {
        Manner::Facing(_) => part.piece.seat,
        _ => None,
    })
}

/// The value of the choice that a penguin of a side lies on a cell, in a direction that is asked then.
pub(super) fn lying_value(side: Seat) -> String {
    format!("{LYING}{}", side.number())
}

pub(super) fn lying_side(value: &str) -> Option<Seat> {
    Seat::new(usize::from(value.strip_prefix(LYING)?.parse::<u8>().ok()?.checked_sub(1)?))
}

/// Names the pieces on a cell. A stack whose pieces have too long names is in the letters of the position.
fn name_of(words: &Localizer, play: &dyn Play, content: &Content) -> String {
    let parts = parts(play, content);
    if parts.is_empty() {
        return words.word("picture-nothing");
    }
    let names: Vec<String> = parts.iter().map(|part| name_of_part(words, play, part)).collect();
    let name = names.join(&format!(" {AND} "));
    if name.chars().count() > MAX_CHOICE_CHARS { content.concat() } else { name }
}

fn name_of_part(words: &Localizer, play: &dyn Play, part: &Part) -> String {
    let name = words.editor_piece(play, &part.piece);
    match part.manner {
        Manner::Plain => name,
        Manner::Upright => words.say("picture-way", &[("piece", name.into()), ("way", "U".into())]),
        Manner::Facing(dir) => {
            let (way, ..) = COMPASS[dir % COMPASS.len()];
            words.say("picture-way", &[("piece", name.into()), ("way", way.into())])
        }
        Manner::Times(count) => {
            words.say("picture-pieces", &[("piece", name.into()), ("count", count.into())])
        }
    }
}

/// Writes a content in a few characters, which fit into a custom id.
pub(super) fn value_of(content: &Content) -> String {
    if content.is_empty() {
        return EMPTY.to_owned();
    }
    let runs = content.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => run[0].to_owned(),
        count => format!("{}{TIMES}{count}", run[0]),
    });
    runs.collect::<Vec<String>>().join(&AND.to_string())
}

/// Reads a content; `None` if it is none of the game.
pub(super) fn content_in(play: &dyn Play, value: &str) -> Option<Content> {
    if value == EMPTY {
        return Some(Content::new());
    }
    let pieces = play.editor_pieces();
    let run = |part: &str| {
        let (sign, count) = part.split_once(TIMES).unwrap_or((part, "1"));
        let sign = pieces.iter().map(|piece| piece.sign).find(|known| *known == sign)?;
        let count = count.parse().ok().filter(|count| (1..=MAX_PIECES).contains(count))?;
        Some(std::iter::repeat_n(sign, count))
    };
    Some(value.split(AND).map(run).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_read_as_they_are_written() {
        let play = |game, line| rookery_games::named(game).unwrap().resume(line).unwrap();
        let amoeba = play("amoeba", "B,3/2,L,2/6/3,AKBAA,3/6/5/A,3 1");
        let soccer = play("penguin_soccer", "c3NE,-,a1U|-,h7S,- a1 1");
        for (play, content, value) in [
            (&amoeba, vec!["A", "A", "K", "B"], "A:2+K+B"),
            (&amoeba, vec![], "-"),
            (&soccer, vec!["M2"; 9], "M2:9"),
            (&soccer, vec!["B1", "o"], "B1+o"),
        ] {
            assert_eq!(value_of(&content), value);
            assert_eq!(content_in(play.as_ref(), value), Some(content));
        }
        assert_eq!(
            content_in(amoeba.as_ref(), "A+A+K"),
            Some(vec!["A", "A", "K"]),
            "as choices were written"
        );
        for bad in ["", "x", "A:0", "A:1000000000", "A:", "A++B"] {
            assert_eq!(content_in(amoeba.as_ref(), bad), None, "{bad}");
        }
    }

    #[test]
    fn pieces_on_each_other_are_a_stack() {
        for (game, content, is_one) in [
            ("amoeba", vec!["B", "A"], true),
            ("amoeba", vec!["A", "K"], true),
            ("amoeba", vec!["A", "A", "B"], true),
            ("amoeba", vec!["A", "A"], false),
            ("penguin_soccer", vec!["B1", "o"], false),
            ("penguin_soccer", vec!["B1", "B1", "o"], false),
            ("penguins", vec!["1", "P1"], false),
        ] {
            let play =
                rookery_games::named(game).unwrap().start(&rookery_core::rules::Setup::new(2)).unwrap();
            let known = |sign: &&str| play.editor_pieces().iter().any(|piece| piece.sign == *sign);
            assert!(content.iter().all(known), "{game}: {content:?}");
            assert_eq!(is_stack(play.as_ref(), &content), is_one, "{game}: {content:?}");
        }
    }
}
