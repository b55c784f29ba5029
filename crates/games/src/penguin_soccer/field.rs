//! The field: the places of penguins and ball, and the effects of slides, kicks and pushes.

use std::sync::LazyLock;

use rookery_core::seed::mix;
use rookery_core::square::COMPASS;
use rookery_core::{Board, Cell, Dir, Seat};

/// A penguin's size. A bigger one slides less far and kicks farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// Slides 3, kicks 1.
    Baby,
    /// Slides 2, kicks 2.
    Papa,
    /// Slides 1, kicks 3.
    Mama,
}

impl Size {
    /// All three, smallest first.
    pub const ALL: [Size; 3] = [Size::Baby, Size::Papa, Size::Mama];

    /// The number in the notation, 1 to 3.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The number of squares that it slides.
    pub const fn slide(self) -> usize {
        4 - self.number() as usize
    }

    /// The number of squares that it kicks the ball.
    pub const fn kick(self) -> usize {
        self.number() as usize
    }
}

/// A penguin on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Penguin {
    /// The square of the penguin.
    pub cell: Cell,
    /// The direction of its beak while it is lying; `None` while it is upright.
    pub facing: Option<Dir>,
}

/// A penguin by its family and size.
pub type PenguinId = (Seat, Size);

/// How a slide ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It slid the whole distance and is lying.
    Full,
    /// At the edge; it is upright.
    Edge,
    /// On the ball; it is upright.
    Ball,
    /// On the square of the opponent who had the ball; it is upright.
    Tackle,
}

/// A slide that the penguins in its way permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The last square of the slide.
    pub end: Cell,
    /// How the slide ends.
    pub stop: Stop,
}

/// Why a penguin can't do something; converted into an [`IllegalMove`](rookery_core::IllegalMove) elsewhere, so that it
/// is cheap here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionError {
    /// It is lying in another direction.
    Lies(Dir),
    /// It would not enter away from Home.
    NotAway,
    /// Its Home is occupied.
    HomeTaken(Cell),
    /// It is at the edge.
    Wall,
    /// A penguin without the ball, or a friend with the ball, blocks the way.
    InTheWay(Cell, Seat),
    /// It would end on another family's Home.
    OtherHome(Cell),
    /// The penguin on the first square would be pushed onto another family's Home, the second.
    PushedHome(Cell, Cell),
}

/// The families' corners, by seat.
const CORNERS: [&str; 4] = ["a1", "a8", "h8", "h1"];

/// The constants of a field: the board and its special squares.
struct Ground {
    board: &'static Board,
    /// a1, a8, h8, h1: clockwise.
    corners: [Cell; 4],
    centre: [Cell; 4],
}

static GROUND: LazyLock<Ground> = LazyLock::new(|| {
    let board = Board::square(8, 8);
    let cell = |name| board.named(name).expect("the board of 8x8 has these squares");
    Ground { board, corners: CORNERS.map(cell), centre: ["d4", "d5", "e4", "e5"].map(cell) }
});

/// The board of 8x8 squares.
pub fn board() -> &'static Board {
    GROUND.board
}

/// The four squares around the crossing where the ball starts.
pub fn centre() -> [Cell; 4] {
    GROUND.centre
}

/// The Home of a family: `a1` and `h8` for two, `a1`, `a8`, `h8`, `h1` for four.
pub fn home(seats: usize, seat: Seat) -> Cell {
    GROUND.corners[seat.index() * 4 / seats % 4]
}

/// The corner opposite a family's Home; the family wins when the ball is there.
pub fn goal(seats: usize, seat: Seat) -> Cell {
    GROUND.corners[(seat.index() * 4 / seats + 2) % 4]
}

/// The three directions that lead away from a family's Home, the diagonal in the middle.
pub fn away(seats: usize, seat: Seat) -> [Dir; 3] {
    let first = 2 * (seat.index() * 4 / seats % 4);
    [first, first + 1, first + 2].map(|dir| dir % COMPASS.len())
}

/// All penguins, the ball, and the active families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    seats: usize,
    penguins: [[Option<Penguin>; 3]; 4],
    /// The ball: free, or held by the penguin on its square; `None` while it is untouched.
    ball: Option<Cell>,
    /// The resigned families: their Homes are ordinary squares, and their goals count for nobody.
    retired: [bool; 4],
    /// The squares with a penguin, by index: answers most questions about a square.
    occupied: u64,
    hash: u64,
}

impl Field {
    /// The empty field for 2 or 4 families.
    pub fn new(seats: usize) -> Field {
        Field { seats, penguins: [[None; 3]; 4], ball: None, retired: [false; 4], occupied: 0, hash: 0 }
    }

    /// The number of families.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// A penguin, if it is on the field.
    pub fn penguin(&self, (seat, size): PenguinId) -> Option<Penguin> {
        self.penguins[seat.index()][size as usize]
    }

    /// All penguins on the field, by family and size.
    pub fn penguins_on_field(&self) -> impl Iterator<Item = (PenguinId, Penguin)> + '_ {
        let who = Seat::all(self.seats).flat_map(|seat| Size::ALL.map(|size| (seat, size)));
        who.filter_map(|who| Some((who, self.penguin(who)?)))
    }

    /// The penguin on a square.
    pub fn at(&self, cell: Cell) -> Option<PenguinId> {
        if self.occupied >> cell.index() & 1 == 0 {
            return None;
        }
        self.penguins_on_field().find(|(_, penguin)| penguin.cell == cell).map(|(who, _)| who)
    }

    /// The square of the ball; `None` while it is on the crossing in the middle.
    pub fn ball(&self) -> Option<Cell> {
        self.ball
    }

    /// The penguin that holds the ball.
    pub fn holder(&self) -> Option<PenguinId> {
        self.ball.and_then(|cell| self.at(cell))
    }

    /// Whether a family has resigned.
    pub fn is_retired(&self, seat: Seat) -> bool {
        self.retired[seat.index()]
    }

    /// The families that have not resigned.
    pub fn active(&self) -> impl Iterator<Item = Seat> + '_ {
        Seat::all(self.seats).filter(|seat| !self.is_retired(*seat))
    }

    /// The family whose goal contains the ball.
    pub fn scorer(&self) -> Option<Seat> {
        let ball = self.ball?;
        self.active().find(|seat| goal(self.seats, *seat) == ball)
    }

    /// Whether a square is the Home of another family, which this family may not enter.
    pub fn is_closed_to(&self, cell: Cell, seat: Seat) -> bool {
        self.active().any(|other| other != seat && home(self.seats, other) == cell)
    }

    /// The incrementally updated hash of the field.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Computes the same hash from scratch.
    pub fn fresh_hash(&self) -> u64 {
        let men = self.penguins_on_field().fold(0, |sum, (who, penguin)| sum ^ penguin_key(who, penguin));
        let gone = Seat::all(self.seats).filter(|seat| self.is_retired(*seat)).map(retired_key);
        gone.fold(men ^ ball_key(self.ball), |sum, key| sum ^ key)
    }

    /// Puts a penguin on a square, or takes it off the field.
    pub fn set(&mut self, who: PenguinId, penguin: Option<Penguin>) {
        let place = &mut self.penguins[who.0.index()][who.1 as usize];
        for key in [*place, penguin].into_iter().flatten().map(|penguin| penguin_key(who, penguin)) {
            self.hash ^= key;
        }
        if let Some(left) = *place {
            self.occupied &= !(1 << left.cell.index());
        }
        if let Some(entered) = penguin {
            self.occupied |= 1 << entered.cell.index();
        }
        *place = penguin;
    }

    /// Puts the ball on a square, or on the crossing if `None`.
    pub fn set_ball(&mut self, ball: Option<Cell>) {
        self.hash ^= ball_key(self.ball) ^ ball_key(ball);
        self.ball = ball;
    }

    /// A family resigns.
    pub fn retire(&mut self, seat: Seat) {
        if !self.is_retired(seat) {
            self.hash ^= retired_key(seat);
            self.retired[seat.index()] = true;
        }
    }

    /// The end of a slide of a penguin on or off the field.
    ///
    /// # Errors
    /// If it can't slide there, or can't push the penguin at the end.
    pub fn slide(&self, who: PenguinId, dir: Dir) -> Result<Slide, ActionError> {
        let slide = match self.penguin(who) {
            Some(penguin) => self.slide_on(who, penguin, dir)?,
            None => self.enter(who, dir)?,
        };
        if self.is_closed_to(slide.end, who.0) {
            return Err(ActionError::OtherHome(slide.end));
        }
        if slide.stop == Stop::Tackle {
            self.check_pushes(slide.end, dir)?;
        }
        Ok(slide)
    }

    fn slide_on(&self, who: PenguinId, penguin: Penguin, dir: Dir) -> Result<Slide, ActionError> {
        if let Some(facing) = penguin.facing.filter(|facing| *facing != dir) {
            return Err(ActionError::Lies(facing));
        }
        let slide = self.run(who, board().lines().walk(penguin.cell, dir).take(who.1.slide()))?;
        slide.ok_or(ActionError::Wall)
    }

    fn enter(&self, who: PenguinId, dir: Dir) -> Result<Slide, ActionError> {
        let home = home(self.seats, who.0);
        if !away(self.seats, who.0).contains(&dir) {
            return Err(ActionError::NotAway);
        }
        if self.at(home).is_some() {
            return Err(ActionError::HomeTaken(home));
        }
        let way = std::iter::once(home).chain(board().lines().walk(home, dir));
        self.run(who, way.take(who.1.slide()))?.ok_or(ActionError::Wall)
    }

    /// Slides along a path; `None` if the path has no squares.
    fn run(&self, who: PenguinId, way: impl Iterator<Item = Cell>) -> Result<Option<Slide>, ActionError> {
        let mut gone = 0;
        let mut end = None;
        for cell in way {
            if let Some((seat, _)) = self.at(cell) {
                if seat == who.0 || self.ball != Some(cell) {
                    return Err(ActionError::InTheWay(cell, seat));
                }
                return Ok(Some(Slide { end: cell, stop: Stop::Tackle }));
            }
            if self.ball.map_or_else(|| centre().contains(&cell), |ball| ball == cell) {
                return Ok(Some(Slide { end: cell, stop: Stop::Ball }));
            }
            (end, gone) = (Some(cell), gone + 1);
        }
        let stop = if gone == who.1.slide() { Stop::Full } else { Stop::Edge };
        Ok(end.map(|end| Slide { end, stop }))
    }

    /// The consecutive penguins from a square on, nearest first.
    pub fn row(&self, from: Cell, dir: Dir) -> Vec<(PenguinId, Cell)> {
        let squares = std::iter::once(from).chain(board().lines().walk(from, dir));
        squares.map_while(|cell| Some((self.at(cell)?, cell))).collect()
    }

    fn check_pushes(&self, from: Cell, dir: Dir) -> Result<(), ActionError> {
        for ((seat, _), cell) in self.row(from, dir) {
            let to = board().lines().step(cell, dir).filter(|to| self.is_closed_to(*to, seat));
            if let Some(to) = to {
                return Err(ActionError::PushedHome(cell, to));
            }
        }
        Ok(())
    }

    /// Carries out a slide that [`Field::slide`] returned; the penguin has this facing if it went the whole distance.
    pub fn do_slide(&mut self, who: PenguinId, dir: Dir, slide: Slide, facing: Dir) {
        if slide.stop == Stop::Tackle {
            for (pushed, cell) in self.row(slide.end, dir).into_iter().rev() {
                let to = board().lines().step(cell, dir);
                self.set(pushed, to.map(|cell| Penguin { cell, facing: Some(dir) }));
            }
        }
        let facing = (slide.stop == Stop::Full).then_some(facing);
        self.set(who, Some(Penguin { cell: slide.end, facing }));
        if matches!(slide.stop, Stop::Ball | Stop::Tackle) {
            self.set_ball(Some(slide.end));
        }
    }

    /// Where a kicked ball stops: at the first penguin, at the edge, or after the whole distance. `None` if the ball is
    /// already at the edge.
    pub fn kick(&self, from: Cell, dir: Dir, size: Size) -> Option<Cell> {
        let way: Vec<Cell> = board().lines().walk(from, dir).take(size.kick()).collect();
        way.iter().copied().find(|cell| self.at(*cell).is_some()).or(way.last().copied())
    }

    /// Carries out a kick: the kicker falls over, and a penguin that is hit stands up.
    pub fn do_kick(&mut self, who: PenguinId, from: Cell, dir: Dir, rest: Cell) {
        self.set(who, Some(Penguin { cell: from, facing: Some(dir) }));
        self.set_ball(Some(rest));
        if let Some(hit) = self.at(rest) {
            self.set(hit, Some(Penguin { cell: rest, facing: None }));
        }
    }
}

fn penguin_key((seat, size): PenguinId, penguin: Penguin) -> u64 {
    let facing = penguin.facing.unwrap_or(COMPASS.len()) as u64;
    let who = (seat.index() * 3 + size as usize) as u64;
    mix(1 << 32 | who << 16 | u64::from(penguin.cell.0) << 8 | facing)
}

fn ball_key(ball: Option<Cell>) -> u64 {
    ball.map_or(0, |cell| mix(2 << 32 | u64::from(cell.0)))
}

fn retired_key(seat: Seat) -> u64 {
    mix(3 << 32 | seat.index() as u64)
}
