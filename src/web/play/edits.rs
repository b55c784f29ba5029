//! Edits of a position that is being set up: what they change besides what was asked for, and why they are refused.

use rookery_core::{Cell, EditError, EditorPiece, Fact, Play, PositionEdit, Seat};
use rookery_i18n::Localizer;

use super::response::Denied;

/// The most edits of one stroke: as many as the largest board has cells.
const MAX_EDITS: usize = 144;

/// A position after edits, with what the person may not expect of them, in words.
pub(super) struct Edited {
    pub(super) play: Box<dyn Play>,
    pub(super) notes: Vec<String>,
}

/// Makes the edits of a text, which has commas between them. A stroke may pass over cells where it changes nothing, so edits
/// are refused only if none of them is possible.
pub(super) fn edited(words: &Localizer, play: Box<dyn Play>, text: &str) -> Result<Edited, Denied> {
    let (board, seats) = (play.board(), play.seats());
    let edits: Option<Vec<_>> =
        text.split(',').take(MAX_EDITS).map(|edit| PositionEdit::read(edit, board, seats)).collect();
    let mut now = play.clone_play();
    let (mut replaced, mut done) = (Vec::new(), Vec::new());
    let (mut nothing, mut invalid, mut passed) = (None, None, None);
    for edit in edits.ok_or(Denied::Malformed)? {
        match now.edited(&edit) {
            Ok(after) => {
                replaced.extend(replaced_by(&edit, now.as_ref(), after.as_ref()));
                if after.turn() != now.turn() {
                    passed = Some(why_passed(after.as_ref()));
                }
                done.push(edit);
                now = after;
            }
            Err(error) => {
                let why = if error == EditError::Nothing { &mut nothing } else { &mut invalid };
                *why = Some(why_refused(words, now.as_ref(), &edit, &error));
            }
        }
    }
    if done.is_empty() {
        return Err(Denied::refused(invalid.or(nothing).unwrap_or_default()));
    }
    let mut notes = notes(words, play.as_ref(), now.as_ref(), &replaced);
    let chosen = done.iter().rev().find_map(|edit| match edit {
        PositionEdit::Turn(seat) => Some(*seat),
        _ => None,
    });
    notes.extend(turn_note(words, now.as_ref(), chosen.unwrap_or(play.turn()), passed));
    notes.extend(invalid);
    Ok(Edited { play: now, notes })
}

/// The key of the reason why the turn has passed on to the side to move.
fn why_passed(play: &dyn Play) -> &'static str {
    if play.placing().is_some() { "placing" } else { "stuck" }
}

/// Says why another side than the `wanted` one is to move; `None` if it isn't, or if the game is over.
fn turn_note(words: &Localizer, play: &dyn Play, wanted: Seat, why: Option<&str>) -> Option<String> {
    if play.turn() == wanted || play.outcome().is_some() {
        return None;
    }
    let [side, other] = [play.turn(), wanted].map(|seat| words.side(play, seat));
    let why = why.unwrap_or(why_passed(play));
    Some(words.say("editor-turn", &[("side", side.into()), ("other", other.into()), ("why", why.into())]))
}

/// Says why an edit is refused, and what to do first.
fn why_refused(words: &Localizer, play: &dyn Play, edit: &PositionEdit, error: &EditError) -> String {
    let name = |cell: &Cell| play.board().name(*cell).to_owned();
    let is_bare = |cell: &Cell| play.signs_on(*cell).is_empty();
    let say = |key: &str, cell: &Cell| {
        words.say(key, &[("game", play.info().key.into()), ("cell", name(cell).into())])
    };
    match (error, edit) {
        (EditError::Nothing, PositionEdit::Put { piece, cell }) if is_bare(cell) && is_known(play, piece) => {
            say("editor-no-tile", cell)
        }
        (EditError::Nothing, PositionEdit::Carry { from, to }) if is_bare(to) && !is_bare(from) => {
            say("editor-no-tile", to)
        }
        (EditError::Nothing, PositionEdit::Clear(cell)) => say("editor-empty", cell),
        (EditError::Invalid(bad), _) if bad.wanted.key() == "soccer-touched" => {
            words.word("editor-soccer-ball")
        }
        (EditError::Invalid(bad), _) if bad.wanted.key() == "soccer-holder" => {
            words.word("editor-soccer-holder")
        }
        _ => words.edit_error(error),
    }
}

fn is_known(play: &dyn Play, sign: &str) -> bool {
    play.editor_pieces().iter().any(|piece| piece.sign == sign)
}

/// Returns the pieces on a cell. Games whose pieces can be put in several ways have no signs on cells, but kinds of pieces, and
/// their facts say whose a piece is: "c3NE" is a penguin on c3.
fn pieces_on(play: &dyn Play, cell: Cell) -> Vec<EditorPiece> {
    let (signs, name) = (play.signs_on(cell), play.board().name(cell));
    let says =
        |fact: &Fact| fact.words.iter().flat_map(|text| text.split(' ')).any(|word| word.starts_with(name));
    let owner = || play.facts().into_iter().find(|fact| fact.seat.is_some() && says(fact))?.seat;
    let kind = play.piece_kind(cell).and_then(|kind| Some((kind, owner()?)));
    let is_there = |piece: &EditorPiece| {
        signs.contains(&piece.sign)
            || kind.is_some_and(|(name, seat)| (piece.name, piece.seat) == (name, Some(seat)))
    };
    play.editor_pieces().into_iter().filter(is_there).collect()
}

/// Returns the pieces that an edit takes off the cell where it puts another one. A tile in place of a tile is no surprise.
fn replaced_by(edit: &PositionEdit, before: &dyn Play, after: &dyn Play) -> Vec<(EditorPiece, Cell)> {
    let cell = match edit {
        PositionEdit::Put { cell, .. } => *cell,
        PositionEdit::Carry { from, to } if from != to => *to,
        _ => return Vec::new(),
    };
    let now = pieces_on(after, cell);
    let is_tile = |piece: &EditorPiece| piece.seat.is_none() && now.iter().all(|put| put.seat.is_none());
    let gone = pieces_on(before, cell).into_iter().filter(|piece| !now.contains(piece) && !is_tile(piece));
    gone.map(|piece| (piece, cell)).collect()
}

/// Says what edits have changed besides what was asked for.
fn notes(
    words: &Localizer,
    before: &dyn Play,
    after: &dyn Play,
    replaced: &[(EditorPiece, Cell)],
) -> Vec<String> {
    let mut notes = Vec::new();
    match replaced {
        [] => {}
        [(piece, cell)] => {
            let args = [
                ("piece", words.editor_piece(before, piece).into()),
                ("cell", before.board().name(*cell).to_owned().into()),
            ];
            notes.push(words.say("editor-replaced", &args));
        }
        many => notes.push(words.say("editor-replaced-many", &[("count", many.len().into())])),
    }
    let is_placing = after.placing().is_some();
    let each = penguins_each(after);
    let was_placing = before.placing().is_some();
    if is_placing != was_placing || (is_placing && each != penguins_each(before)) {
        let kind = if is_placing { "placing" } else { "placed" };
        let args = [("game", after.info().key.into()), ("count", each.into()), ("kind", kind.into())];
        notes.push(words.say("editor-penguins", &args));
    }
    notes
}

/// Returns the number of penguins that each player of a penguin game has, those to be placed included.
fn penguins_each(play: &dyn Play) -> usize {
    let on_board = |seat: Seat| {
        let is_own = |cell: &Cell| pieces_on(play, *cell).iter().any(|piece| piece.seat == Some(seat));
        play.board().cells().filter(is_own).count()
    };
    match play.placing() {
        Some(placing) => placing.left + on_board(play.turn()),
        None => Seat::all(play.seats()).map(on_board).max().unwrap_or_default(),
    }
}
