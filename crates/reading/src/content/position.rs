//! What is on the cells of a position, and positions with something else there.

use std::cell::OnceCell;

use rookery_core::{Cell, Play, PositionEdit};

use super::{Content, FigureGame, amoeba, soccer};

/// What is on each cell.
pub(crate) fn contents(play: &dyn Play) -> Vec<Content> {
    match FigureGame::named(play.info().key) {
        Some(FigureGame::Soccer) => soccer::contents(play),
        Some(FigureGame::Amoeba) => amoeba::contents(play),
        None => {
            let same = after(play, &PositionEdit::Turn(play.turn()));
            play.board().cells().map(|cell| pieces_on(play, cell, &same)).collect()
        }
    }
}

/// The line of the position after an edit; `None` if the game doesn't permit it.
fn after(play: &dyn Play, edit: &PositionEdit) -> Option<String> {
    play.edited(edit).map(|after| after.line()).ok()
}

/// What is on a cell.
#[must_use]
pub fn content_of(play: &dyn Play, cell: Cell) -> Content {
    match FigureGame::named(play.info().key) {
        Some(FigureGame::Soccer) => soccer::content_of(play, cell),
        Some(FigureGame::Amoeba) => amoeba::content_of(play, cell),
        None => pieces_on(play, cell, &after(play, &PositionEdit::Turn(play.turn()))),
    }
}

/// The pieces whose putting on a cell changes nothing. `same` is the line of the position.
fn pieces_on(play: &dyn Play, cell: Cell, same: &Option<String>) -> Content {
    // Taken up and put down again, a piece may still change what is left to place.
    let carried = OnceCell::new();
    let carried = || carried.get_or_init(|| after(play, &PositionEdit::Carry { from: cell, to: cell }));
    let has = |sign: &&'static str| {
        let line = after(play, &PositionEdit::Put { piece: (*sign).to_owned(), cell });
        line.is_some() && (line == *same || line == *carried())
    };
    play.editor_pieces().iter().map(|piece| piece.sign).filter(has).collect()
}

/// The position with another content of a cell, as far as the game permits.
pub(crate) fn changed(play: &dyn Play, cell: Cell, content: &Content) -> Box<dyn Play> {
    let has = content_of(play, cell);
    let mut after = play.clone_play();
    if has.iter().any(|sign| !content.contains(sign)) && content.len() <= has.len() {
        for _ in 0..has.len() {
            if let Ok(cleared) = after.edited(&PositionEdit::Clear(cell)) {
                after = cleared;
            }
        }
    }
    for sign in content {
        if let Ok(put) = after.edited(&PositionEdit::Put { piece: (*sign).to_owned(), cell }) {
            after = put;
        }
    }
    after
}

/// A game that starts with the position with another content of a cell; `None` if the game doesn't permit it there.
#[must_use]
pub fn with_content(play: &dyn Play, cell: Cell, content: &Content) -> Option<Box<dyn Play>> {
    match FigureGame::named(play.info().key) {
        Some(FigureGame::Soccer) => soccer::with_content(play, cell, content),
        Some(FigureGame::Amoeba) => amoeba::with_content(play, cell, content),
        None => {
            let after = changed(play, cell, content);
            (content_of(after.as_ref(), cell) == *content).then_some(after)
        }
    }
}

/// What is on a cell of a game whose pieces cover more than their cell, then what that may be mistaken for, the likeliest
/// first. `None` in other games, where any content may be mistaken for any other.
pub(crate) fn likely_contents(play: &dyn Play, cell: Cell) -> Option<Vec<Content>> {
    let all = match FigureGame::named(play.info().key)? {
        FigureGame::Soccer => soccer::likely_contents(play, cell),
        FigureGame::Amoeba => amoeba::likely_contents(play, cell),
    };
    let mut possible: Vec<Content> = Vec::new();
    for content in all {
        if !possible.contains(&content) && with_content(play, cell, &content).is_some() {
            possible.push(content);
        }
    }
    Some(possible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_read_from_a_position() {
        let game = rookery_games::named("amazons").expect("the game");
        let play = game.resume("6/2q3/6/6/3Q2/*5 w - - 0 7").expect("a position");
        let at = |name: &str| content_of(play.as_ref(), play.board().named(name).expect(name));
        assert_eq!([at("a1"), at("d2"), at("c5"), at("b1")], [vec!["*"], vec!["Q"], vec!["q"], vec![]]);
    }
}
