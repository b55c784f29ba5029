//! Who can still reach which free cells: exactly, by connected regions, and as an estimate by distance.

use super::{Cell, CellSet, Lines, Seat};

/// The free cells by who can still reach them. Pieces do not separate regions, since they can move away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The cells that only one seat can reach, for each seat by index.
    pub alone: Vec<CellSet>,
    /// The cells that at least two seats can reach.
    pub shared: CellSet,
}

impl Reach {
    /// Sorts the free cells of connected regions by the seats whose `pieces` (by seat) stand in them. Free cells that
    /// nobody reaches are in neither set.
    pub fn of(regions: &[CellSet], free: CellSet, pieces: &[CellSet]) -> Reach {
        let mut reach = Reach { alone: vec![CellSet::EMPTY; pieces.len()], shared: CellSet::EMPTY };
        for region in regions {
            let mut inside = (0..pieces.len()).filter(|seat| pieces[*seat].intersects(*region));
            match (inside.next(), inside.next()) {
                (Some(seat), None) => reach.alone[seat] |= *region & free,
                (Some(_), Some(_)) => reach.shared |= *region & free,
                (None, _) => {}
            }
        }
        reach
    }
}

/// A free cell that one seat reaches before the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellOwnership {
    /// A cell without a piece.
    pub cell: Cell,
    /// The seat that reaches it first.
    pub seat: Seat,
    /// Confidence, 1 to 100: 100 if no other seat can reach the cell.
    pub confidence: u8,
}

/// The seat that reaches each free cell first on straight lines if the `pieces` of all seats (by seat) move at once.
/// Cells that two seats reach in the same number of moves, or that no seat reaches, are omitted.
pub fn estimate_ownership(lines: &Lines, free: CellSet, pieces: &[CellSet]) -> Vec<CellOwnership> {
    let waves: Vec<Vec<CellSet>> = pieces.iter().map(|from| waves(lines, free, *from)).collect();
    free.iter().filter_map(|cell| hold(&waves, cell)).collect()
}

fn hold(waves: &[Vec<CellSet>], cell: Cell) -> Option<CellOwnership> {
    let distance = |waves: &Vec<CellSet>| waves.iter().position(|wave| wave.has(cell));
    let mut reached: Vec<(usize, usize)> =
        waves.iter().enumerate().filter_map(|(seat, waves)| Some((distance(waves)?, seat))).collect();
    reached.sort_unstable();
    let (first, seat) = *reached.first()?;
    let confidence = match reached.get(1).map(|(second, _)| second - first) {
        None => 100,
        Some(0) => return None,
        Some(1) => 60,
        Some(2) => 80,
        Some(_) => 90,
    };
    Some(CellOwnership { cell, seat: Seat::new(seat)?, confidence })
}

/// The cells reached in exactly one move, in exactly two, and so on.
fn waves(lines: &Lines, free: CellSet, from: CellSet) -> Vec<CellSet> {
    let (mut waves, mut reached, mut edge) = (Vec::new(), CellSet::EMPTY, from);
    loop {
        let all = edge.iter().fold(CellSet::EMPTY, |all, cell| all | lines.reach(cell, !free));
        edge = all & !reached;
        if edge.is_empty() {
            return waves;
        }
        reached |= edge;
        waves.push(edge);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    /// The first seat in the left region, the second in the middle, nobody on the right.
    #[test]
    fn reach_sorts_regions_by_the_seats_inside() {
        let board = Board::square(5, 1);
        let set = |names: &[&str]| names.iter().map(|name| board.named(name).unwrap()).collect::<CellSet>();
        let regions = [set(&["a1", "b1"]), set(&["c1", "d1"]), set(&["e1"])];
        let reach = Reach::of(&regions, set(&["b1", "d1", "e1"]), &[set(&["a1"]), set(&["c1"])]);
        assert_eq!(reach, Reach { alone: vec![set(&["b1"]), set(&["d1"])], shared: CellSet::EMPTY });
        let both = Reach::of(&[set(&["a1", "b1", "c1"])], set(&["b1"]), &[set(&["a1"]), set(&["c1"])]);
        assert_eq!((both.shared, both.alone[0]), (set(&["b1"]), CellSet::EMPTY));
    }

    /// A corridor: a piece at each end, a wall, and a cell behind it that only the second piece reaches.
    #[test]
    fn nearer_seat_owns_cell_and_sole_seat_owns_it_with_full_confidence() {
        let board = Board::square(5, 3);
        let cell = |name: &str| board.named(name).unwrap();
        let set = |names: &[&str]| names.iter().map(|name| cell(name)).collect::<CellSet>();
        // Row 1 is free except for its ends; c2 and d3 lead round a corner to the second piece only through d1.
        let (one, two) = (set(&["a1"]), set(&["e1"]));
        let free = set(&["b1", "c1", "d1", "e2", "d3"]);
        let found = estimate_ownership(board.lines(), free, &[one, two]);
        let of =
            |name: &str| found.iter().find(|hold| hold.cell == cell(name)).map(|h| (h.seat, h.confidence));
        // On the open row both pieces reach every cell in one move.
        assert_eq!((of("b1"), of("c1"), of("d1")), (None, None, None));
        // e2: one move for the second piece, two for the first (by d1); d3: two moves and three.
        assert_eq!(of("e2"), Some((Seat::SECOND, 60)));
        assert_eq!(of("d3"), Some((Seat::SECOND, 60)));
        let alone = estimate_ownership(board.lines(), free, &[CellSet::EMPTY, two]);
        assert!(alone.len() == free.len() && alone.iter().all(|hold| hold.confidence == 100), "{alone:?}");
    }
}
