//! What is on the points of a position of Amoeba: the pieces of a stack from below.

use rookery_core::rules::GameRules;
use rookery_core::{Cell, Play};
use rookery_games::amoeba::rules::{PIECES, POINTS, Piece, Side, Stack, board};
use rookery_games::amoeba::{Amoeba, AmoebaPosition};

use super::Content;

fn position(play: &dyn Play) -> Option<AmoebaPosition> {
    Amoeba::from_line(&play.line()).ok()
}

/// The signs of a stack's pieces; `None` if the editor lacks one.
fn content(play: &dyn Play, stack: Stack) -> Option<Content> {
    let pieces = play.editor_pieces();
    let sign =
        |piece: Piece| pieces.iter().map(|known| known.sign).find(|sign| piece_of(sign) == Some(piece));
    stack.pieces().map(sign).collect()
}

/// The piece with a sign.
fn piece_of(sign: &str) -> Option<Piece> {
    let mut letters = sign.chars();
    letters.next().and_then(Piece::of).filter(|_| letters.next().is_none())
}

/// What is on each point.
pub(super) fn contents(play: &dyn Play) -> Vec<Content> {
    let position = position(play);
    let on = |cell| content(play, position.as_ref()?.stack(cell));
    board().cells().map(|cell| on(cell).unwrap_or_default()).collect()
}

/// What is on a point.
pub(super) fn content_of(play: &dyn Play, cell: Cell) -> Content {
    position(play).and_then(|position| content(play, position.stack(cell))).unwrap_or_default()
}

/// The position with another stack on a point. If a Kernel comes to it, there is another piece of that side where it was.
pub(super) fn with_content(play: &dyn Play, cell: Cell, content: &Content) -> Option<Box<dyn Play>> {
    let position = position(play)?;
    // A stack has room for the pieces of one game.
    let pieces =
        content.iter().take(PIECES + 1).map(|sign| piece_of(sign)).collect::<Option<Vec<Piece>>>()?;
    let stack: Stack = (pieces.len() <= PIECES).then(|| pieces.into_iter().collect())?;
    let mut stacks: [Stack; POINTS] = std::array::from_fn(|point| position.stack(Cell(point as u8)));
    if stacks[cell.index()] == stack {
        return Some(play.clone_play());
    }
    let has_kernel = |piece: Piece| piece.kernel && stack.has_kernel(piece.side);
    for other in &mut stacks {
        let plain = |piece: Piece| if has_kernel(piece) { Piece { kernel: false, ..piece } } else { piece };
        *other = other.pieces().map(plain).collect();
    }
    stacks[cell.index()] = stack;
    let line = Amoeba::to_line(&AmoebaPosition::new(stacks, position.to_move()));
    rookery_games::named(Amoeba::INFO.key)?.resume(&line).ok()
}

/// What is on a point, and what may be meant instead, the likeliest first: a buried Kernel on another level, one piece more or
/// less, other colours, another kind of top, nothing. Some are listed twice, or the game doesn't permit them.
pub(super) fn likely_contents(play: &dyn Play, cell: Cell) -> Vec<Content> {
    let Some(position) = position(play) else { return Vec::new() };
    let stack = position.stack(cell);
    let mut stacks = vec![stack];
    stacks.extend(other_levels(stack));
    let plain = |side| Piece { side, kernel: false };
    if let Some(top) = stack.pieces().next_back() {
        stacks.extend((stack.height() > 1).then(|| stack.pieces().skip(1).collect::<Stack>()));
        stacks.extend(Side::BOTH.map(|side| Stack::of(plain(side)).under(stack)));
        let levels = stack.pieces().enumerate().rev();
        stacks.extend(levels.map(|(level, piece)| {
            with_piece(stack, level, Piece { side: piece.side.other(), kernel: piece.kernel })
        }));
        stacks.push(with_piece(stack, stack.height() - 1, Piece { kernel: !top.kernel, ..top }));
        stacks.push(Stack::EMPTY);
    } else {
        stacks.extend(Piece::LETTERS.map(|(_, piece)| Stack::of(piece)));
        let pairs = Side::BOTH.map(|below| Side::BOTH.map(|top| [plain(below), plain(top)]));
        stacks.extend(pairs.into_iter().flatten().map(|pair| pair.into_iter().collect::<Stack>()));
    }
    stacks.into_iter().filter_map(|stack| content(play, stack)).collect()
}

/// The stack with another piece on a level.
pub(crate) fn with_piece(stack: Stack, level: usize, other: Piece) -> Stack {
    stack.pieces().enumerate().map(|(n, piece)| if n == level { other } else { piece }).collect()
}

/// The stacks with the buried Kernels on other levels where a piece of their side is.
fn other_levels(stack: Stack) -> Vec<Stack> {
    let mut all = Vec::new();
    let below = stack.height().saturating_sub(1);
    for (level, kernel) in stack.pieces().enumerate().take(below).filter(|(_, piece)| piece.kernel) {
        let plain = Piece { kernel: false, ..kernel };
        let others = (0..below).rev().filter(|other| stack.piece(*other) == plain);
        all.extend(others.map(|other| with_piece(with_piece(stack, level, plain), other, kernel)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{content_of, likely_contents, with_content};

    fn play() -> Box<dyn Play> {
        let game = rookery_games::named("amoeba").unwrap();
        game.resume("B,3/2,L,2/6/3,AKBAA,3/6/5/A,3 1").unwrap()
    }

    fn at(name: &str) -> Cell {
        board().named(name).unwrap()
    }

    #[test]
    fn stacks_are_read_and_set() {
        let play = play();
        assert_eq!(content_of(play.as_ref(), at("d4")), ["A", "K", "B", "A", "A"]);
        assert_eq!(content_of(play.as_ref(), at("d1")), [""; 0]);
        for (name, content, line) in [
            ("d4", vec!["K", "A"], "B,3/2,L,2/6/3,KA,3/6/5/A,3 1"),
            ("a1", vec!["K"], "B,3/2,L,2/6/3,AABAA,3/6/5/K,3 1"),
            ("a1", vec![], "B,3/2,L,2/6/3,AKBAA,3/6/5/4 1"),
        ] {
            let after = with_content(play.as_ref(), at(name), &content).unwrap();
            assert_eq!(after.line(), line, "{content:?}");
        }
        assert!(with_content(play.as_ref(), at("d4"), &vec!["A"]).is_none(), "each side keeps its Kernel");
        for many in [12, 23, 1_000] {
            assert!(
                with_content(play.as_ref(), at("a1"), &vec!["A"; many]).is_none(),
                "there are eleven pieces"
            );
        }
    }

    #[test]
    fn likely_contents_begin_with_what_was_read_and_have_other_levels_of_a_kernel() {
        let all = likely_contents(play().as_ref(), at("d4")).unwrap();
        assert_eq!(all[0], ["A", "K", "B", "A", "A"]);
        assert_eq!(all[1], ["A", "A", "B", "K", "A"]);
        assert_eq!(all[2], ["K", "A", "B", "A", "A"]);
        assert!(all.len() <= 25, "{}", all.len());
        assert_eq!(likely_contents(play().as_ref(), at("d1")).unwrap()[0], [""; 0]);
    }
}
