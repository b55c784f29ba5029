//! Proven results as pictures: whose each area is, and its value.

use rookery_core::scene::{DrawOptions, Mark, MarkKind};
use rookery_core::{Cell, CellSet, Fact, Play, Seat};
use rookery_table::{Proof, ProvenRegion};

/// The opacity of the tint of owned regions.
const TINT: f32 = 0.5;

/// Returns a look with the regions of a proof: tinted by owner, with their values.
pub fn proof_look(play: &dyn Play, proof: &Proof, look: DrawOptions) -> DrawOptions {
    DrawOptions {
        owners: proof.regions.iter().flat_map(|region| tints(play, region)).collect(),
        marks: proof.regions.iter().filter_map(|region| value_mark(play, region)).collect(),
        ..look
    }
}

fn tints(play: &dyn Play, region: &ProvenRegion) -> Vec<(Cell, Seat, f32)> {
    region.cells(play).iter().map(|cell| (cell, region.owner, TINT)).collect()
}

/// Marks a region's value on the free cell nearest to its centre.
fn value_mark(play: &dyn Play, region: &ProvenRegion) -> Option<Mark> {
    let taken = play.facts().into_iter().filter(Fact::is_about_pieces).flat_map(|fact| fact.cells);
    let free = taken.fold(region.cells(play), CellSet::without);
    let places: Vec<_> = free.iter().map(|cell| play.board().place(cell)).collect();
    let count = i32::try_from(places.len()).ok()?;
    let sum = places.iter().fold((0, 0), |(x, y), (col, row)| (x + i32::from(*col), y + i32::from(*row)));
    let off = |cell: &Cell| {
        let (col, row) = play.board().place(*cell);
        let (x, y) = (i32::from(col) * count - sum.0, i32::from(row) * count - sum.1);
        x * x + y * y
    };
    let cell = free.iter().min_by_key(off)?;
    let text = match region.least == region.most {
        true => region.least.to_string(),
        false => format!("{}–{}", region.least, region.most),
    };
    Some(Mark { cell, kind: MarkKind::Label(text) })
}
