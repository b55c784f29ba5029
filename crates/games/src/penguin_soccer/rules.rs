//! Positions and turns: legal actions, the turn order, and the winner.

use rookery_core::seed::mix;
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Dir, IllegalMove, Outcome, Position, Reason, Repetitions, Seat};

use super::field::{ActionError, Field, PenguinId, Size, Slide, Stop, away, board, home};
use super::legality;

/// When a position occurs for this many times, the game is a draw (if the option is set).
pub const REPEATS_TO_DRAW: usize = 3;

/// An action of a penguin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Slides in a direction; a penguin off the field enters.
    Slide {
        /// Direction by its index in `COMPASS`.
        dir: Dir,
        /// Eighths of a turn that it spins on the way: positive clockwise, negative anticlockwise.
        spin: i8,
    },
    /// A sliding penguin stands up.
    Stand,
    /// Kicks the ball away.
    Kick {
        /// Direction by its index in `COMPASS`.
        dir: Dir,
    },
}

/// A turn: one penguin of the family to move does one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The penguin of the family, by size.
    pub size: Size,
    /// The action of the penguin.
    pub act: Act,
}

/// How a game has ended, if it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    No,
    Goal(Seat),
    Stuck,
    Repetition,
}

/// A position of Penguin Soccer with its history.
#[derive(Clone, Debug, PartialEq)]
pub struct SoccerPosition {
    field: Field,
    turn: Seat,
    /// The positions so far, if the third occurrence is a draw.
    repeats: Option<Repetitions>,
    /// Turns taken since the start, or since the position was read from a line.
    age: u32,
    end: End,
}

impl SoccerPosition {
    /// A position with this family to move, or the next one that can.
    pub fn new(field: Field, turn: Seat) -> SoccerPosition {
        let mut position = SoccerPosition { field, turn, repeats: None, age: 0, end: End::No };
        position.settle(turn);
        position
    }

    /// The same position in a game with draws by repetition. This position has occurred `times` times (1 to 3), and no
    /// earlier one is known.
    #[must_use]
    pub fn drawn_by_repetition(mut self, times: usize) -> SoccerPosition {
        self.repeats = Some(Repetitions::starting(self.hash(), times));
        if self.end == End::No && times >= REPEATS_TO_DRAW {
            self.end = End::Repetition;
        }
        self
    }

    /// The penguins and the ball.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The number of occurrences of this position; `None` in games without draws by repetition.
    pub fn times(&self) -> Option<usize> {
        self.repeats.as_ref().map(|repeats| repeats.times(self.hash()))
    }

    /// The number of turns taken since the start, or since the position was read from a line.
    pub fn age(&self) -> u32 {
        self.age
    }

    /// A penguin of the family to move.
    pub fn own(&self, size: Size) -> PenguinId {
        (self.turn, size)
    }

    /// The end of a slide.
    pub(super) fn slide(&self, size: Size, dir: Dir) -> Result<Slide, ActionError> {
        self.field.slide(self.own(size), dir)
    }

    /// The ball's square, if a penguin of the family to move has the ball.
    pub(super) fn holds(&self, size: Size) -> Option<Cell> {
        let cell = self.field.penguin(self.own(size))?.cell;
        (self.field.ball() == Some(cell)).then_some(cell)
    }

    /// Slides a penguin of the family to move, whose turn it remains: it may spin yet.
    pub(super) fn slide_without_spin(&mut self, size: Size, dir: Dir) {
        self.slide_facing(self.own(size), dir, dir);
    }

    fn slide_facing(&mut self, who: PenguinId, dir: Dir, facing: Dir) {
        if let Ok(slide) = self.field.slide(who, dir) {
            self.field.do_slide(who, dir, slide, facing);
        }
    }

    /// Calls `each` with everything that a penguin of a family could do if that family were to move.
    fn acts(&self, who: PenguinId, mut each: impl FnMut(Act) -> bool) -> bool {
        let penguin = self.field.penguin(who);
        if let Some(cell) = penguin.map(|p| p.cell).filter(|cell| self.field.ball() == Some(*cell)) {
            let on_board = |dir: &Dir| board().lines().step(cell, *dir).is_some();
            return (0..COMPASS.len()).filter(on_board).any(|dir| each(Act::Kick { dir }));
        }
        let any_way = 0..COMPASS.len();
        let slid = match penguin {
            None => away(self.field.seats(), who.0).into_iter().any(|dir| self.spins(who, dir, &mut each)),
            Some(p) => match p.facing {
                None => any_way.into_iter().any(|dir| self.spins(who, dir, &mut each)),
                Some(facing) => self.spins(who, facing, &mut each),
            },
        };
        slid || (penguin.is_some_and(|p| p.facing.is_some()) && each(Act::Stand))
    }

    fn spins(&self, who: PenguinId, dir: Dir, each: &mut impl FnMut(Act) -> bool) -> bool {
        let Ok(slide) = self.field.slide(who, dir) else { return false };
        let most = most_spin(who.1, slide.stop);
        // No spin first, then the left ones, then the right ones: the order of buttons.
        let spins = std::iter::once(0).chain((1..=most).map(|n| -n)).chain(1..=most);
        spins.into_iter().any(|spin| each(Act::Slide { dir, spin }))
    }

    fn can_move(&self, seat: Seat) -> bool {
        !self.field.is_retired(seat) && Size::ALL.iter().any(|size| self.acts((seat, *size), |_| true))
    }

    /// Gives the turn to a family, or to the next one that can move, and checks whether the game is over.
    fn settle(&mut self, next: Seat) {
        let seats = self.field.seats();
        let order = std::iter::successors(Some(next), |seat| Some(seat.next(seats))).take(seats);
        let playing = order.filter(|seat| !self.field.is_retired(*seat));
        let first = playing.clone().next().unwrap_or(next);
        let able = playing.clone().find(|seat| self.can_move(*seat));
        self.turn = able.unwrap_or(first);
        self.end = match self.field.scorer() {
            Some(seat) => End::Goal(seat),
            None if able.is_none() => End::Stuck,
            None => End::No,
        };
    }

    fn count_repeats(&mut self) {
        let hash = self.hash();
        let Some(repeats) = &mut self.repeats else { return };
        if repeats.add(hash) >= REPEATS_TO_DRAW && self.end == End::No {
            self.end = End::Repetition;
        }
    }
}

/// The maximum spin of a penguin: an eighth for each square, if it slides the whole distance.
pub(super) fn most_spin(size: Size, stop: Stop) -> i8 {
    if stop == Stop::Full { size.slide() as i8 } else { 0 }
}

/// A direction rotated clockwise by eighths.
pub(super) fn turned(dir: Dir, eighths: i8) -> Dir {
    (dir as i8 + eighths).rem_euclid(COMPASS.len() as i8) as Dir
}

impl Position for SoccerPosition {
    type Move = Move;

    fn seats(&self) -> usize {
        self.field.seats()
    }

    fn turn(&self) -> Seat {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let shared = |reason| Outcome { winners: self.field.active().collect(), reason };
        match self.end {
            End::No => None,
            End::Goal(seat) => Some(Outcome::win(seat, Reason::Goal)),
            End::Stuck => Some(shared(Reason::Stuck)),
            End::Repetition => Some(shared(Reason::Repetition)),
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.end != End::No {
            return;
        }
        for size in Size::ALL {
            self.acts(self.own(size), |act| {
                out.push(Move { size, act });
                false
            });
        }
    }

    fn count(&self) -> u64 {
        let mut count = 0;
        if self.end == End::No {
            for size in Size::ALL {
                self.acts(self.own(size), |_| {
                    count += 1;
                    false
                });
            }
        }
        count
    }

    fn check(&self, m: Move) -> Result<(), IllegalMove> {
        if self.end == End::No { legality::check(self, m) } else { Err(IllegalMove::Over) }
    }

    fn play_unchecked(&mut self, m: Move) {
        let who = self.own(m.size);
        match (m.act, self.field.penguin(who)) {
            (Act::Slide { dir, spin }, _) => self.slide_facing(who, dir, turned(dir, spin)),
            (Act::Stand, Some(mut penguin)) => {
                penguin.facing = None;
                self.field.set(who, Some(penguin));
            }
            (Act::Kick { dir }, Some(penguin)) => {
                let Some(rest) = self.field.kick(penguin.cell, dir, m.size) else { return };
                self.field.do_kick(who, penguin.cell, dir, rest);
            }
            (_, None) => return,
        }
        self.age += 1;
        self.settle(self.turn.next(self.seats()));
        self.count_repeats();
    }

    fn hash(&self) -> u64 {
        self.field.hash() ^ turn_key(self.turn)
    }

    fn fresh_hash(&self) -> u64 {
        self.field.fresh_hash() ^ turn_key(self.turn)
    }

    fn is_retired(&self, seat: Seat) -> bool {
        self.field.is_retired(seat)
    }

    /// In a game of four the family's Home becomes an ordinary square, and its goal counts for nobody. If its Home were
    /// still closed, a ball that stops there could be lost for good.
    fn retire(&mut self, seat: Seat) {
        if self.seats() > 2 && self.end == End::No {
            self.field.retire(seat);
            self.settle(self.turn);
            self.count_repeats();
        }
    }
}

fn turn_key(seat: Seat) -> u64 {
    mix(4 << 32 | seat.index() as u64)
}

/// The origin of a penguin: its square, or its family's Home if it is off the field.
pub(super) fn origin(position: &SoccerPosition, size: Size) -> Cell {
    let who = position.own(size);
    position.field.penguin(who).map_or_else(|| home(position.seats(), who.0), |penguin| penguin.cell)
}
