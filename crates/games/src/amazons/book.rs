//! The player's opening book: positions that were analysed at length in advance.
//!
//! `book.txt` has a line for each position: the position, a bar, then the nearly equal best moves, each with its value
//! for the side to move in hundredths of a move. Rotated, mirrored and colour-swapped positions are equivalent; the
//! book contains one of each class. Made by `rookery book`; see docs/strength.md.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::rules::{AmazonsPosition, Move, Side};
use super::{line, notation};
use rookery_core::board::Shape;
use rookery_core::player::{SearchResult, Value};
use rookery_core::seed::{SeededRng, mix};
use rookery_core::{Board, Cell, CellSet, Pie};

/// The rotations and reflections of a square.
const VIEWS: u8 = 8;

/// A class of equivalent positions, represented by one of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymmetryClass {
    side: u8,
    /// Sorted places (column, row): the amazons of the side to move, the opponent's, the arrows.
    places: [Vec<Place>; 3],
}

type Place = (u8, u8);
type Path = [Place; 3];
type Book = HashMap<SymmetryClass, Vec<(Path, i32)>>;

static BOOK: LazyLock<Book> = LazyLock::new(|| include_str!("book.txt").lines().filter_map(entry).collect());

/// The class of a position under rotation, reflection and swapped colours. `None` on a board that is not square, or
/// while the pie rule is still open.
pub fn symmetry_class(position: &AmazonsPosition) -> Option<SymmetryClass> {
    Some(views(position)?.remove(0).0)
}

/// A book move, chosen at random by the seed among the nearly equal ones. `None` if the position is not in the book.
pub(super) fn book_move(position: &AmazonsPosition, seed: u64) -> Option<SearchResult<Move>> {
    from(&BOOK, position, seed)
}

fn from(book: &Book, position: &AmazonsPosition, seed: u64) -> Option<SearchResult<Move>> {
    let mut views = views(position)?;
    let best = views[0].0.clone();
    views.retain(|(symmetry_class, _)| *symmetry_class == best);
    let moves = book.get(&best)?;
    let mut rng = SeededRng::new(mix(seed));
    // A symmetric position has every move more than once.
    let view = rng.pick(&views)?.1;
    let (path, value) = *rng.pick(moves)?;
    let there = |path| back(position.board(), view, path);
    let others = moves.iter().filter(|(other, _)| *other != path);
    let others = others.filter_map(|(path, value)| Some((there(*path)?, Value::Estimate(*value)))).collect();
    let best = there(path)?;
    Some(SearchResult { best, value: Value::Estimate(value), depth: 0, nodes: 0, line: vec![best], others })
}

/// Reads a line of the book. A test checks that all lines can be read.
fn entry(text: &str) -> Option<(SymmetryClass, Vec<(Path, i32)>)> {
    let (position, moves) = text.split_once(" | ")?;
    let position = line::read(position).ok()?;
    let (symmetry_class, view) = views(&position)?.remove(0);
    let words: Vec<&str> = moves.split(' ').collect();
    let path = |pair: &[&str]| {
        let parsed = notation::read(pair[0]).ok()?;
        let m = notation::resolve(&position, &parsed).ok()?;
        Some((seen(position.board(), view, m)?, pair.get(1)?.parse().ok()?))
    };
    Some((symmetry_class, words.chunks(2).map(path).collect::<Option<_>>()?))
}

/// The position in each view, the smallest first.
fn views(position: &AmazonsPosition) -> Option<Vec<(SymmetryClass, u8)>> {
    let Shape::Square { w, h } = position.board().shape() else { return None };
    if w != h || !matches!(position.pie(), Pie::Off | Pie::Swapped) {
        return None;
    }
    let mover = position.to_move();
    let other = Side::BOTH[1 - mover.index()];
    let sets = [position.amazons(mover), position.amazons(other), position.arrows()];
    let places = |set: CellSet, view| {
        let place = |cell: Cell| turned(w, view, position.board().place(cell));
        let mut places: Vec<Place> = set.iter().map(place).collect();
        places.sort_unstable();
        places
    };
    let symmetry_class = |view| SymmetryClass { side: w, places: sets.map(|set| places(set, view)) };
    let mut views: Vec<_> = (0..VIEWS).map(|view| (symmetry_class(view), view)).collect();
    views.sort();
    Some(views)
}

/// The coordinates of a place in a view: mirrored left to right, bottom to top, then along the long diagonal, according
/// to the bits of the view.
fn turned(side: u8, view: u8, (col, row): Place) -> Place {
    let (col, row) = mirrored(side, view, (col, row));
    if view & 4 == 0 { (col, row) } else { (row, col) }
}

/// The place that has these coordinates in a view.
fn turned_back(side: u8, view: u8, (col, row): Place) -> Place {
    mirrored(side, view, if view & 4 == 0 { (col, row) } else { (row, col) })
}

fn mirrored(side: u8, view: u8, (col, row): Place) -> Place {
    let flip = |bit: u8, at: u8| if view & bit == 0 { at } else { side - 1 - at };
    (flip(1, col), flip(2, row))
}

fn seen(board: &Board, view: u8, m: Move) -> Option<Path> {
    let (Move::Go { from, to, arrow }, Shape::Square { w, .. }) = (m, board.shape()) else { return None };
    Some([from, to, arrow].map(|cell| turned(w, view, board.place(cell))))
}

fn back(board: &Board, view: u8, path: Path) -> Option<Move> {
    let Shape::Square { w, .. } = board.shape() else { return None };
    let cell = |place: Place| {
        let (col, row) = turned_back(w, view, place);
        board.at(col, row)
    };
    let [from, to, arrow] = path;
    Some(Move::Go { from: cell(from)?, to: cell(to)?, arrow: cell(arrow)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amazons::Amazons;
    use crate::amazons::tests::naive;
    use rookery_core::rules::Setup;
    use rookery_core::{GameRules, Position};

    fn start(size: &str) -> AmazonsPosition {
        Amazons::start(&Setup::new(2).with("size", size)).unwrap()
    }

    fn legal(position: &AmazonsPosition) -> Vec<Move> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves
    }

    /// Positions of random games after five plies.
    fn some(size: &str) -> impl Iterator<Item = AmazonsPosition> {
        (0..40).map(move |seed| {
            let (mut position, mut rng) = (start(size), SeededRng::new(seed));
            for _ in 0..5 {
                position.play_unchecked(*rng.pick(&legal(&position)).unwrap());
            }
            position
        })
    }

    #[test]
    fn every_line_can_be_read_and_no_position_is_there_twice() {
        let lines: Vec<&str> = include_str!("book.txt").lines().collect();
        assert!(!lines.is_empty());
        for line in &lines {
            let (_, moves) = entry(line).unwrap_or_else(|| panic!("{line}"));
            assert!(!moves.is_empty(), "{line}");
        }
        assert_eq!(BOOK.len(), lines.len());
    }

    #[test]
    fn mirrored_positions_are_alike_and_others_are_not() {
        for position in some("6x6") {
            let mirrored = naive::mirrored(&position);
            assert_eq!(symmetry_class(&position), symmetry_class(&mirrored));
            let mut next = position.clone();
            next.play_unchecked(legal(&position)[0]);
            assert_ne!(symmetry_class(&position), symmetry_class(&next));
        }
        // The second side to move stands where the first did.
        let swapped = AmazonsPosition::new(
            start("6x6").board(),
            [start("6x6").amazons(Side::BOTH[1]), start("6x6").amazons(Side::BOTH[0])],
            CellSet::EMPTY,
            Side::BOTH[1],
        );
        assert_eq!(symmetry_class(&start("6x6")), symmetry_class(&swapped));
    }

    #[test]
    fn book_moves_of_mirrored_positions_are_legal() {
        for position in some("6x6") {
            let m = legal(&position)[3];
            let text = format!(
                "{} | {} 40",
                line::write(&position),
                Amazons::steps(&position, m).iter().map(|step| step.text.as_str()).collect::<String>()
            );
            let book: Book = [entry(&text).unwrap()].into();
            assert_eq!(from(&book, &position, 1).unwrap().best, m);
            let mirrored = naive::mirrored(&position);
            let search_result = from(&book, &mirrored, 1).unwrap();
            assert_eq!(search_result.best, naive::mirrored_move(&position, m));
            assert_eq!(search_result.value, Value::Estimate(40));
            assert!(legal(&mirrored).contains(&search_result.best));
        }
    }

    #[test]
    fn the_start_is_opened_in_different_ways_all_of_them_legal() {
        let start = start("10x10");
        let best = |seed| book_move(&start, seed).unwrap().best;
        let openings: std::collections::BTreeSet<Move> = (0..50).map(best).collect();
        assert!(openings.len() > 1);
        assert!(openings.iter().all(|m| legal(&start).contains(m)));
        assert_eq!(best(7), best(7), "the same seed, the same move");
    }

    #[test]
    fn book_has_no_move_for_unknown_positions() {
        assert!(book_move(&start("8x8"), 1).is_none());
        let pie = start("10x10").with_pie(Pie::Ahead);
        assert!(book_move(&pie, 1).is_none());
    }
}
