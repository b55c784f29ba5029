//! Setting up a position of a penguin game.

use rookery_core::{Cell, CellSet, EditorPiece, PositionEdit, Seat};

use super::endgame_count::Terms;
use super::{Floe, Phase, Taken, line};

/// The tiles in the order of a menu; the signs are those of a position's line.
const TILES: [EditorPiece; 3] = [
    EditorPiece::neutral("1", "tile-1"),
    EditorPiece::neutral("2", "tile-2"),
    EditorPiece::neutral("3", "tile-3"),
];
/// The penguins of the seats.
const PENGUINS: [EditorPiece; 4] = [
    EditorPiece::of(Seat::FIRST, "P1", "penguin"),
    EditorPiece::of(Seat::SECOND, "P2", "penguin"),
    EditorPiece::of(Seat::THIRD, "P3", "penguin"),
    EditorPiece::of(Seat::FOURTH, "P4", "penguin"),
];

/// The tiles, and the penguins of the seats.
pub(crate) fn pieces(seats: usize) -> Vec<EditorPiece> {
    TILES.into_iter().chain(PENGUINS.into_iter().take(seats)).collect()
}

/// The signs of the tile on a cell and of the penguin on it.
pub(crate) fn signs_on(floe: &Floe, cell: Cell) -> Vec<&'static str> {
    let tile = usize::from(floe.fish(cell)).checked_sub(1).and_then(|fish| TILES.get(fish));
    let penguins = Seat::all(floe.seats()).zip(&PENGUINS);
    let penguin = penguins.filter(|(seat, _)| floe.pieces(*seat).has(cell)).map(|(_, piece)| piece);
    tile.into_iter().chain(penguin).map(|piece| piece.sign).collect()
}

/// Writes the floe after an edit. If penguins were put or taken, every seat has as many to place as the seat with the most
/// has on the board.
pub(crate) fn edited(floe: &Floe, edit: &PositionEdit, terms: Terms) -> Option<String> {
    let mut draft = Draft::of(floe);
    match edit {
        PositionEdit::Put { piece, cell } => {
            let known = pieces(floe.seats()).into_iter().find(|known| known.sign == piece)?;
            match known.seat {
                Some(seat) => draft.put(seat, *cell)?,
                None => draft.lay(*cell, known.sign.parse().ok()?),
            }
        }
        PositionEdit::Clear(cell) => match draft.take(*cell) {
            Some(_) => {}
            None if draft.fish[cell.index()] > 0 => draft.fish[cell.index()] = 0,
            None => return None,
        },
        PositionEdit::Carry { from, to } => match draft.take(*from) {
            Some(seat) => draft.put(seat, *to)?,
            None => {
                let fish = std::mem::take(&mut draft.fish[from.index()]);
                if fish == 0 {
                    return None;
                }
                draft.take(*to);
                draft.lay(*to, fish);
            }
        },
        PositionEdit::Turn(seat) => draft.turn = *seat,
        PositionEdit::Points { seat, points } => draft.taken[seat.index()].points = *points,
        PositionEdit::Tiles { .. } if !terms.standing_counts => return None,
        PositionEdit::Tiles { seat, tiles } => draft.taken[seat.index()].tiles = *tiles,
    }
    Some(line::write(&draft.floe(floe)))
}

/// What is on the cells, and what the seats have.
struct Draft {
    /// The fish on each cell, 0 without a tile.
    fish: Vec<u8>,
    pieces: Vec<CellSet>,
    taken: Vec<Taken>,
    turn: Seat,
    /// Whether penguins were put or taken.
    has_other_penguins: bool,
}

impl Draft {
    fn of(floe: &Floe) -> Draft {
        let seats = || Seat::all(floe.seats());
        Draft {
            fish: floe.board().cells().map(|cell| floe.fish(cell)).collect(),
            pieces: seats().map(|seat| floe.pieces(seat)).collect(),
            taken: seats().map(|seat| floe.taken(seat)).collect(),
            turn: floe.turn(),
            has_other_penguins: false,
        }
    }

    /// Takes the penguin off a cell.
    fn take(&mut self, cell: Cell) -> Option<Seat> {
        let seat = Seat::all(self.pieces.len()).find(|seat| self.pieces[seat.index()].has(cell))?;
        self.pieces[seat.index()].remove(cell);
        self.has_other_penguins = true;
        Some(seat)
    }

    /// Puts a penguin on a tile; `None` if there is none.
    fn put(&mut self, seat: Seat, cell: Cell) -> Option<()> {
        if self.fish[cell.index()] == 0 {
            return None;
        }
        self.take(cell);
        self.pieces[seat.index()].insert(cell);
        self.has_other_penguins = true;
        Some(())
    }

    fn lay(&mut self, cell: Cell, fish: u8) {
        self.fish[cell.index()] = fish;
    }

    /// Returns the floe, in the phase that fits its penguins.
    fn floe(&self, before: &Floe) -> Floe {
        let most = self.pieces.iter().map(CellSet::len).max().unwrap_or_default();
        let each = if self.has_other_penguins { most.max(1) } else { before.each() };
        let mut floe = Floe::bare(before.board(), before.seats(), each, before.one_fish_only());
        for cell in before.board().cells().filter(|cell| self.fish[cell.index()] > 0) {
            floe.lay(cell, self.fish[cell.index()]);
        }
        for (at, seat) in Seat::all(before.seats()).enumerate() {
            self.pieces[at].iter().for_each(|cell| floe.put(seat, cell));
            floe.set_taken(seat, self.taken[at]);
            if before.is_retired(seat) {
                floe.retire(seat);
            }
        }
        let is_placed = self.pieces.iter().all(|pieces| pieces.len() == each);
        floe.begin(if is_placed { Phase::Move } else { Phase::Place }, self.turn);
        floe
    }
}

#[cfg(test)]
mod tests {
    use crate::paper_penguins::PaperPenguins;
    use crate::penguins::Penguins;
    use rookery_core::game::TypeErased;
    use rookery_core::rules::Setup;
    use rookery_core::{EditError, Game, Play, PositionEdit, Seat};

    /// An island with one-fish tiles everywhere except for its last row.
    const ISLAND: &str = "1111111/11111111/1111111/11111111/1111111/11111111/1111111/........";

    fn edited(play: &dyn Play, edit: &str) -> Result<Box<dyn Play>, EditError> {
        play.edited(&PositionEdit::read(edit, play.board(), play.seats()).unwrap())
    }

    #[test]
    fn tiles_penguins_and_points_are_set() {
        let game = &TypeErased::<Penguins>::GAME;
        let mut play = game.resume(&format!("{ISLAND} -|- 1 place 0,0 any:4")).unwrap();
        let [first, second] = ["a1", "b1"];
        let with = |row: &str| ISLAND.replace("........", row);
        for (edit, line) in [
            (format!("put:3:{first}"), format!("{} -|- 1 place 0,0 any:4", with("3......."))),
            (format!("put:P1:{first}"), format!("{} {first}|- 2 place 0,0 any:1", with("3......."))),
            (format!("put:2:{second}"), format!("{} {first}|- 2 place 0,0 any:1", with("32......"))),
            (format!("put:P2:{second}"), format!("{} {first}|{second} 2 move 0,0 any:1", with("32......"))),
            ("turn:1".to_owned(), format!("{} {first}|{second} 1 move 0,0 any:1", with("32......"))),
            ("points:2:17".to_owned(), format!("{} {first}|{second} 1 move 0,17 any:1", with("32......"))),
            (format!("carry:{first}:a2"), format!("{} a2|{second} 1 move 0,17 any:1", with("32......"))),
            (format!("clear:{first}"), format!("{} a2|{second} 1 move 0,17 any:1", with(".2......"))),
        ] {
            play = edited(play.as_ref(), &edit).unwrap();
            assert_eq!(play.line(), line, "{edit}");
        }
        assert_eq!(edited(play.as_ref(), "put:P1:a1").err(), Some(EditError::Nothing), "no tile");
        assert_eq!(edited(play.as_ref(), "put:P3:a2").err(), Some(EditError::Nothing), "two players");
        assert_eq!(edited(play.as_ref(), "clear:a1").err(), Some(EditError::Nothing));
        let tiles = PositionEdit::Tiles { seat: Seat::SECOND, tiles: 3 };
        let taken = play.edited(&tiles).unwrap();
        assert!(taken.line().contains(" 0,17:3 "), "{}", taken.line());
        let more = PositionEdit::Tiles { seat: Seat::SECOND, tiles: 61 };
        assert!(matches!(play.edited(&more), Err(EditError::Invalid(_))), "the board has 60 cells");
        let paper = TypeErased::<PaperPenguins>::GAME.start(&Setup::new(2)).unwrap();
        assert_eq!(paper.edited(&tiles).err(), Some(EditError::Nothing), "tiles don't count there");
    }
}
