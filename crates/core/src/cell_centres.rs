//! Where the cells of a board are on its drawing.

use super::scene::{DrawOptions, Item, Mark, MarkKind, Point};
use super::{Cell, Play, Seat};

/// The centre of each cell in board units: where the mark or the owner of a cell is drawn. `None` if a game draws neither.
pub fn cell_centres(play: &dyn Play, look: &DrawOptions) -> Option<Vec<Point>> {
    // On the first position nothing is removed.
    let play = play.at_ply(0);
    let bare = stamps(play.as_ref(), look);
    play.board().cells().map(|cell| centre(play.as_ref(), look, &bare, cell)).collect()
}

/// The place of the stamp that a mark or an owner adds to a cell.
fn centre(play: &dyn Play, look: &DrawOptions, bare: &[(String, Point)], cell: Cell) -> Option<Point> {
    let owned = DrawOptions { owners: vec![(cell, Seat::FIRST, 1.0)], ..look.clone() };
    let marked = DrawOptions { marks: vec![Mark { cell, kind: MarkKind::Goal }], ..look.clone() };
    [owned, marked].iter().find_map(|look| {
        let all = stamps(play, look);
        all.into_iter().find(|stamp| !bare.contains(stamp)).map(|(_, at)| at)
    })
}

fn stamps(play: &dyn Play, look: &DrawOptions) -> Vec<(String, Point)> {
    let stamp = |item: Item| match item {
        Item::Stamp(stamp, at) => Some((stamp.name, at)),
        Item::Shape(_) => None,
    };
    play.scene(look).items.into_iter().filter_map(stamp).collect()
}
