//! What is on the cells of a position, and positions with something else there.

use rookery_core::{Cell, Play, PositionEdit};

use super::{Content, FigureGame, amoeba, soccer};

/// What is on each cell.
pub(crate) fn contents(play: &dyn Play) -> Vec<Content> {
    match FigureGame::named(play.info().key) {
        Some(FigureGame::Soccer) => soccer::contents(play),
        Some(FigureGame::Amoeba) => amoeba::contents(play),
        None => play.board().cells().map(|cell| play.signs_on(cell)).collect(),
    }
}

/// What is on a cell.
#[must_use]
pub fn content_of(play: &dyn Play, cell: Cell) -> Content {
    match FigureGame::named(play.info().key) {
        Some(FigureGame::Soccer) => soccer::content_of(play, cell),
        Some(FigureGame::Amoeba) => amoeba::content_of(play, cell),
        None => play.signs_on(cell),
    }
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
    use rookery_core::rules::Setup;

    use super::*;

    #[test]
    fn contents_are_read_from_a_position() {
        let game = rookery_games::named("amazons").expect("the game");
        let play = game.resume("6/2q3/6/6/3Q2/*5 w - - 0 7").expect("a position");
        let at = |name: &str| content_of(play.as_ref(), play.board().named(name).expect(name));
        assert_eq!([at("a1"), at("d2"), at("c5"), at("b1")], [vec!["*"], vec!["Q"], vec!["q"], vec![]]);
    }

    #[test]
    fn contents_are_the_pieces_whose_putting_changes_nothing() {
        let line_after = |play: &dyn Play, edit| play.edited(&edit).map(|after| after.line()).ok();
        for game in ["amazons", "penguins", "amazon_penguins", "paper_penguins"] {
            let mut play = rookery_games::named(game).expect(game).start(&Setup::new(2)).expect("a start");
            for turn in 0..24 {
                let same = line_after(play.as_ref(), PositionEdit::Turn(play.turn()));
                for cell in play.board().cells() {
                    // Taken up and put down again, a piece may still change what is left to place.
                    let carried = line_after(play.as_ref(), PositionEdit::Carry { from: cell, to: cell });
                    let pieces = play.editor_pieces();
                    let signs = pieces.iter().map(|piece| piece.sign).filter(|sign| {
                        let piece = (*sign).to_owned();
                        let line = line_after(play.as_ref(), PositionEdit::Put { piece, cell });
                        line.is_some() && (line == same || line == carried)
                    });
                    let signs: Content = signs.collect();
                    assert_eq!(content_of(play.as_ref(), cell), signs, "{cell:?} of {}", play.line());
                }
                let moves = play.moves();
                let Some(choice) = moves.get(turn * 7 % moves.len().max(1)) else { break };
                play.play(choice).expect("a legal move");
            }
        }
    }
}
