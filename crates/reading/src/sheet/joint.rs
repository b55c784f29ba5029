//! The likeliest marks of all cells together. Once all pieces are placed, both sides have as many, and nothing is crossed out
//! before; until then the first side may have one more. So a mark that is not clear by itself often is by the others, and one
//! that was misread leaves too many or too few pieces.

use super::mark::{Costs, Mark};

/// The most pieces that one side may have more than the other.
const MAX_SURPLUS: i32 = 20;
/// The cost of a number of pieces that the rules don't have: people make mistakes too.
const AGAINST_RULES: f32 = 6.0;

/// The least cost of the marks on some cells, by how many more pieces the first side has on them.
type Sums = [f32; 2 * MAX_SURPLUS as usize + 1];
const NEVER: Sums = [f32::INFINITY; 2 * MAX_SURPLUS as usize + 1];

/// The likeliest mark on each cell, and by how much more the likeliest marks of all cells with another mark there cost.
pub(super) fn likeliest(costs: &[Costs]) -> Vec<(Mark, f32)> {
    let uncrossed: Vec<Costs> = costs.iter().map(|[a, b, c, _]| [*a, *b, *c, f32::INFINITY]).collect();
    let placing = least_costs(&uncrossed, |more| more == 0 || more == 1);
    let moving = least_costs(costs, |more| more == 0);
    let choose = |(one, other): (Costs, Costs)| {
        let all: [f32; 4] = std::array::from_fn(|n| one[n].min(other[n]));
        let best = (0..4).fold(0, |best, n| if all[n] < all[best] { n } else { best });
        let next = (0..4).filter(|n| *n != best).map(|n| all[n]).fold(f32::INFINITY, f32::min);
        (Mark::ALL[best], next - all[best])
    };
    placing.into_iter().zip(moving).map(choose).collect()
}

/// For each cell and mark, the least cost of marks on all cells that have it there (min-sum, forward and backward along the
/// cells), where `is_legal` says by how many pieces more the first side may have.
fn least_costs(costs: &[Costs], is_legal: impl Fn(i32) -> bool) -> Vec<Costs> {
    let mut before = vec![NEVER];
    before[0][MAX_SURPLUS as usize] = 0.0;
    for cell in costs {
        let last = before[before.len() - 1];
        before.push(with_cell(&last, cell, 1));
    }
    let mut after: Sums = std::array::from_fn(|n| match is_legal(n as i32 - MAX_SURPLUS) {
        true => 0.0,
        false => AGAINST_RULES,
    });
    let mut all = Vec::with_capacity(costs.len());
    for (cell, before) in costs.iter().zip(&before).rev() {
        all.push(std::array::from_fn(|mark| {
            let with = |n: i32| at(before, n) + at(&after, n + more(Mark::ALL[mark]));
            cell[mark] + (0..before.len() as i32).map(with).fold(f32::INFINITY, f32::min)
        }));
        after = with_cell(&after, cell, -1);
    }
    all.reverse();
    all
}

/// The least costs with one more cell, forward or backward.
fn with_cell(sums: &Sums, cell: &Costs, direction: i32) -> Sums {
    std::array::from_fn(|n| {
        let with = |mark: usize| at(sums, n as i32 - direction * more(Mark::ALL[mark])) + cell[mark];
        (0..4).map(with).fold(f32::INFINITY, f32::min)
    })
}

fn at(sums: &Sums, n: i32) -> f32 {
    usize::try_from(n).ok().and_then(|n| sums.get(n)).copied().unwrap_or(f32::INFINITY)
}

/// How many pieces more a mark gives the first side.
fn more(mark: Mark) -> i32 {
    match mark {
        Mark::Square => 1,
        Mark::Circle => -1,
        Mark::Nothing | Mark::Cross => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::mark::MAX_COST;

    const CLEAN: Costs = [0.0, MAX_COST, MAX_COST, MAX_COST];
    const SQUARE: Costs = [MAX_COST, 0.0, MAX_COST, MAX_COST];
    const CROSS: Costs = [MAX_COST, MAX_COST, MAX_COST, 0.0];

    #[test]
    fn an_unclear_piece_is_that_of_the_other_side() {
        // By itself it is more like a square or a cross.
        let unclear = [MAX_COST, 0.0, 0.6, 0.1];
        let read = likeliest(&[CLEAN, SQUARE, unclear, CROSS]);
        let marks: Vec<Mark> = read.iter().map(|(mark, _)| *mark).collect();
        assert_eq!(marks, [Mark::Nothing, Mark::Square, Mark::Circle, Mark::Cross]);
        assert!(read.iter().all(|(_, lead)| *lead > 4.0), "{read:?}");
    }

    #[test]
    fn a_first_piece_is_alone_until_something_is_crossed_out() {
        let clear = |costs: &[Costs]| {
            likeliest(costs).iter().all(|(_, lead)| *lead >= MAX_COST - AGAINST_RULES + 1.0)
        };
        assert!(clear(&[CLEAN, SQUARE, CLEAN]));
        assert!(!clear(&[CLEAN, SQUARE, CROSS]));
        assert!(likeliest(&[]).is_empty());
    }
}
