//! A kind of board: sample games, what is on their cells, and positions with given contents.

use std::sync::OnceLock;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rookery_core::board::Shape;
use rookery_core::rules::Setup;
use rookery_core::{Cell, Game, Play, PositionEdit, Seat};

use crate::content::{Content, FigureGame, changed, content_of, contents};

/// How many games are sampled, and how many positions of each.
const GAMES: u64 = 4;
const POSITIONS: usize = 6;
/// Every how many samples one is drawn.
const DRAWN: usize = 4;
/// The most turns of a sampled game.
const MAX_TURNS: usize = 150;

/// The setups of a game whose boards have the same cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setups {
    pub(crate) game: &'static str,
    options: &'static [(&'static str, &'static str)],
    /// The numbers of players, the usual one first.
    seats: &'static [usize],
}

impl Setups {
    const fn new(
        game: &'static str,
        options: &'static [(&'static str, &'static str)],
        seats: &'static [usize],
    ) -> Setups {
        Setups { game, options, seats }
    }

    /// The largest number of players.
    pub(crate) fn most_players(&self) -> usize {
        self.seats.iter().copied().max().unwrap_or(2)
    }

    fn with(&self, seats: usize) -> Setup {
        self.options.iter().fold(Setup::new(seats), |setup, (key, value)| setup.with(key, value))
    }
}

/// The boards that are read, those of a game together, the usual one first.
pub(crate) static BOARDS: [Setups; 15] = [
    Setups::new("amazons", &[("size", "10x10")], &[2]),
    Setups::new("amazons", &[("size", "8x8")], &[2]),
    Setups::new("amazons", &[("size", "6x6")], &[2]),
    Setups::new("penguins", &[], &[2, 3, 4]),
    Setups::new("amazon_penguins", &[("size", "8x8")], &[2]),
    Setups::new("amazon_penguins", &[("size", "6x6")], &[2]),
    Setups::new("amazon_penguins", &[("size", "7x7")], &[2]),
    Setups::new("amazon_penguins", &[("size", "10x10")], &[2]),
    Setups::new("paper_penguins", &[("size", "8x8")], &[2]),
    Setups::new("paper_penguins", &[("size", "6x6")], &[2]),
    Setups::new("paper_penguins", &[("size", "7x7")], &[2]),
    Setups::new("paper_penguins", &[("size", "10x10")], &[2]),
    Setups::new("penguin_soccer", &[], &[2]),
    Setups::new("penguin_soccer", &[], &[4]),
    Setups::new("amoeba", &[], &[2]),
];

/// A kind of board, independent of how it is drawn.
pub(crate) struct Kind {
    pub(crate) game: &'static dyn Game,
    /// The start with each number of players, the usual one first.
    starts: Vec<Box<dyn Play>>,
    pub(crate) samples: Vec<Sample>,
}

/// A position of a game.
pub(crate) struct Sample {
    pub(crate) play: Box<dyn Play>,
    contents: OnceLock<Vec<Content>>,
}

impl Sample {
    fn new(play: Box<dyn Play>) -> Sample {
        Sample { play, contents: OnceLock::new() }
    }

    /// What is on each cell.
    pub(crate) fn contents(&self) -> &[Content] {
        self.contents.get_or_init(|| contents(self.play.as_ref()))
    }
}

impl Kind {
    /// Plays some games at random.
    pub(crate) fn new(setups: &Setups) -> Option<Kind> {
        let game = rookery_games::named(setups.game)?;
        let start = |seats: &usize| game.start(&setups.with(*seats)).ok();
        let starts = setups.seats.iter().map(start).collect::<Option<Vec<_>>>()?;
        let mut samples = Vec::new();
        for (seed, seats) in (0..GAMES).zip(setups.seats.iter().cycle()) {
            let line = played(game, &setups.with(*seats), seed)?;
            for n in 0..POSITIONS {
                samples.push(Sample::new(line[n * (line.len() - 1) / (POSITIONS - 1)].clone()));
            }
        }
        let others = samples.iter().enumerate().map(|(n, sample)| rearranged(sample, n as u64));
        let others: Vec<Sample> = others.collect();
        samples.extend(others);
        Some(Kind { game, starts, samples })
    }

    /// The sides from which empty boards differ by more than letters: the rows of the island alternate, and a quarter turn changes
    /// the shades of squares.
    pub(crate) fn sides(&self) -> &'static [Seat] {
        let start = &self.starts[self.starts.len() - 1];
        match start.board().shape() {
            Shape::Island => &[Seat::FIRST, Seat::SECOND],
            Shape::Square { .. } if start.seats() == 4 => &[Seat::FIRST, Seat::SECOND],
            Shape::Square { .. } | Shape::Hexagon { .. } => &[Seat::FIRST],
        }
    }

    /// Whether its pieces cover more than their cell, and are read one by one.
    pub(crate) fn has_figures(&self) -> bool {
        FigureGame::named(self.game.info().key).is_some()
    }

    /// The samples that are drawn to say how boards look: more of them say hardly more, and drawing takes long.
    pub(crate) fn drawn_samples(&self) -> impl Iterator<Item = &Sample> {
        self.samples.iter().step_by(DRAWN)
    }

    /// All contents that cells have in the samples, the empty cell first, then the single pieces in the editor's order.
    pub(crate) fn all_contents(&self) -> Vec<Content> {
        let mut all: Vec<Content> = Vec::new();
        for content in self.samples.iter().flat_map(Sample::contents) {
            if !all.contains(content) {
                all.push(content.clone());
            }
        }
        let pieces = self.samples.first().map(|sample| sample.play.editor_pieces()).unwrap_or_default();
        let order = |sign: &&str| pieces.iter().position(|piece| piece.sign == *sign);
        all.sort_by_key(|content| (content.len(), content.iter().map(order).collect::<Vec<_>>()));
        all
    }

    /// The start with each number of players, the usual one first.
    pub(crate) fn starts(&self) -> &[Box<dyn Play>] {
        &self.starts
    }
}

/// A position with these contents; `None` if the game has none.
pub(crate) fn assembled(start: &dyn Play, wanted: &[Content]) -> Option<Box<dyn Play>> {
    let play = nearest(start, wanted);
    (contents(play.as_ref()) == wanted).then_some(play)
}

/// A position with as many of these contents as the game permits.
pub(crate) fn nearest(start: &dyn Play, wanted: &[Content]) -> Box<dyn Play> {
    let mut play = start.clone_play();
    // A piece may have to be put before another can be taken away, so once is not enough.
    for _ in 0..4 {
        let now = contents(play.as_ref());
        if now == wanted {
            break;
        }
        for cell in play.board().cells() {
            if now[cell.index()] != wanted[cell.index()] {
                play = changed(play.as_ref(), cell, &wanted[cell.index()]);
            }
        }
    }
    play
}

/// The positions of a random game, the first one first.
fn played(game: &dyn Game, setup: &Setup, seed: u64) -> Option<Vec<Box<dyn Play>>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut play = game.start(&setup.clone().seeded(seed)).ok()?;
    let mut line = vec![play.clone()];
    while play.outcome().is_none() && line.len() < MAX_TURNS {
        let moves = play.moves();
        play.play(&moves[rng.next_u32() as usize % moves.len()]).ok()?;
        line.push(play.clone());
    }
    Some(line)
}

/// A position after some random edits, which need not be one that a game reaches. It has no last move.
fn rearranged(sample: &Sample, seed: u64) -> Sample {
    let mut rng = ChaCha8Rng::seed_from_u64(GAMES + seed);
    let mut play = sample.play.clone();
    let pieces = play.editor_pieces();
    let cells: Vec<Cell> = play.board().cells().collect();
    for _ in 0..cells.len() {
        let cell = cells[rng.next_u32() as usize % cells.len()];
        let piece = &pieces[rng.next_u32() as usize % pieces.len()];
        let edit = match rng.next_u32() % 4 {
            0 => PositionEdit::Clear(cell),
            _ => PositionEdit::Put { piece: piece.sign.to_owned(), cell },
        };
        if let Ok(after) = play.edited(&edit) {
            play = after;
        }
    }
    Sample::new(play)
}

/// The seat that owns a piece of a content.
pub(crate) fn owner(play: &dyn Play, content: &Content) -> Option<Seat> {
    play.editor_pieces().iter().filter(|piece| content.contains(&piece.sign)).find_map(|piece| piece.seat)
}

/// The cells of a move: where the piece came from, where it went, and where its arrow went.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveCells {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    pub(crate) arrow: Option<Cell>,
}

/// A position after a move of the piece that is now part of a content; `None` if the game has no such move.
pub(crate) fn moved(play: &dyn Play, content: &Content, cells: MoveCells) -> Option<Box<dyn Play>> {
    let MoveCells { from, to, arrow } = cells;
    let seat = owner(play, content)?;
    let pieces = play.editor_pieces();
    let piece = pieces.iter().find(|piece| piece.seat == Some(seat) && content.contains(&piece.sign))?;
    let below: Content = content.iter().copied().filter(|sign| *sign != piece.sign).collect();
    // Before the move the arrow wasn't there. The piece stood on the tile that is still there, or on one that is gone and may
    // have been like that below it now.
    let left = content_of(play, from);
    let left = if left.is_empty() { below.clone() } else { left };
    let mut before = match arrow.filter(|arrow| *arrow != from) {
        Some(arrow) => changed(play, arrow, &below),
        None => play.clone_play(),
    };
    before = changed(before.as_ref(), to, content);
    before = changed(before.as_ref(), from, &left);
    before = before.edited(&PositionEdit::Carry { from: to, to: from }).ok()?;
    let mut after = before.edited(&PositionEdit::Turn(seat)).unwrap_or(before);
    let name = |cell: Cell| play.board().name(cell);
    let text = match arrow {
        Some(arrow) => format!("{}-{}/{}", name(from), name(to), name(arrow)),
        None => format!("{}-{}", name(from), name(to)),
    };
    after.play(&text).ok()?;
    Some(after)
}

/// The start of a game after a piece, now part of a content, was placed there; `None` if the game doesn't begin with that.
pub(crate) fn placed(start: &dyn Play, content: &Content, cell: Cell) -> Option<Box<dyn Play>> {
    let seat = owner(start, content)?;
    let pieces = start.editor_pieces();
    let piece = pieces.iter().find(|piece| piece.seat == Some(seat) && content.contains(&piece.sign))?;
    let below: Content = content.iter().copied().filter(|sign| *sign != piece.sign).collect();
    let ready = changed(start, cell, &below);
    let mut after = ready.edited(&PositionEdit::Turn(seat)).unwrap_or(ready);
    after.play(start.board().name(cell)).ok()?;
    (content_of(after.as_ref(), cell) == *content).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::FigureGame;

    #[test]
    fn positions_are_assembled_from_the_contents_of_their_cells() {
        for setups in BOARDS.iter().filter(|setups| FigureGame::named(setups.game).is_none()) {
            let kind = Kind::new(setups).expect("a kind of board");
            for sample in &kind.samples {
                let start = kind.starts.iter().find(|start| start.seats() == sample.play.seats());
                let made = assembled(start.expect("a start").as_ref(), sample.contents());
                let made = made.unwrap_or_else(|| panic!("{}", sample.play.line()));
                assert_eq!(made.text_board(), sample.play.text_board(), "{setups:?}");
            }
        }
    }

    #[test]
    fn pieces_are_placed_where_a_game_begins_with_that() {
        let cell_and_play = |key: &str, content: &[&'static str]| {
            let start = rookery_games::named(key).expect(key).start(&Setup::new(2)).expect("a start");
            let cell = start
                .board()
                .cells()
                .find(|cell| content_of(start.as_ref(), *cell) == content[..content.len() - 1]);
            placed(start.as_ref(), &content.to_vec(), cell.expect("a free cell"))
        };
        let after = cell_and_play("penguins", &["1", "P2"]).expect("one fish");
        assert_eq!((after.ply(), after.turn()), (1, Seat::FIRST));
        assert!(cell_and_play("penguins", &["2", "P1"]).is_none(), "penguins begin on one fish");
        assert!(cell_and_play("amazons", &["Q"]).is_none(), "amazons stand there from the start");
    }

    #[test]
    fn a_last_move_is_played_to_a_position() {
        let game = rookery_games::named("amazons").expect("the game");
        let play = game.resume("6/2q3/6/6/3Q2/*5 w - - 0 7").expect("a position");
        let [from, to, arrow] = ["d5", "d2", "a1"].map(|name| play.board().named(name).expect(name));
        let moved = |cells| moved(play.as_ref(), &vec!["Q"], cells).map(|play| play.text_board());
        let board = |line: &str| game.resume(line).expect("a position").text_board();
        assert_eq!(moved(MoveCells { from, to, arrow: Some(arrow) }), None, "the arrow can't fly there");
        let [from, arrow] = ["d4", "a2"].map(|name| play.board().named(name).expect(name));
        let after = moved(MoveCells { from, to, arrow: Some(arrow) }).expect("a move");
        assert_eq!(after, board("6/2q3/6/6/*2Q2/*5 b - - 0 8"), "the arrow flew to a2");
    }
}
