//! Static features of a position: which penguins reach the ball next, their distances from it, and the distance of the
//! ball from each goal.

use super::field::{Field, PenguinId, Size, Stop, away, board, centre, goal, home};
use super::rules::SoccerPosition;
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Dir, Position, Seat};

/// A position and the expensive features, computed once for all families.
pub(super) struct BallReach<'a> {
    pub(super) field: &'a Field,
    pub(super) turn: Seat,
    /// The square of the ball; one of the middle squares while it is untouched.
    pub(super) ball: Cell,
    pub(super) holder: Option<PenguinId>,
    /// The penguins that reach the ball in one slide, or return to it if a friend of theirs is pushed off it: a bit for
    /// each penguin, three per family.
    seekers: u16,
}

const FARTHEST: usize = 3;

impl<'a> BallReach<'a> {
    pub(super) fn of(position: &'a SoccerPosition) -> BallReach<'a> {
        let field = position.field();
        let ball = field.ball().unwrap_or(centre()[0]);
        let mut look = BallReach { field, turn: position.turn(), ball, holder: field.holder(), seekers: 0 };
        match field.ball() {
            Some(ball) => look.seek(ball),
            None => centre().into_iter().for_each(|square| look.seek(square)),
        }
        look
    }

    /// Whether a penguin reaches the ball in one slide.
    pub(super) fn seeks(&self, who: PenguinId) -> bool {
        self.seekers & bit(who) != 0
    }

    /// How many of a family's penguins reach the ball in one slide.
    pub(super) fn seekers(&self, seat: Seat) -> u32 {
        Size::ALL.into_iter().map(|size| u32::from(self.seeks((seat, size)))).sum()
    }

    /// How many penguins of all other families reach the ball in one slide.
    pub(super) fn rival_seekers(&self, seat: Seat) -> u32 {
        self.field.active().filter(|other| *other != seat).map(|other| self.seekers(other)).sum()
    }

    /// The distance that the ball must be kicked to the family's goal, without obstacles.
    pub(super) fn shot(&self, seat: Seat) -> Option<usize> {
        let goal = goal(self.field.seats(), seat);
        let (dir, far) = (board().lines().direction(self.ball, goal)?, distance(self.ball, goal));
        let mut way = board().lines().walk(self.ball, dir).take(far - 1);
        way.all(|cell| self.field.at(cell).is_none()).then_some(far)
    }

    /// Searches all lines from the ball for penguins that can slide to it.
    fn seek(&mut self, ball: Cell) {
        for dir in 0..COMPASS.len() {
            let back = (dir + COMPASS.len() / 2) % COMPASS.len();
            for (far, cell) in (1..=FARTHEST).zip(board().lines().walk(ball, dir)) {
                if let Some(who) = self.field.at(cell) {
                    self.note(who, self.reaches_ball(who, back, far));
                    break;
                }
                self.seek_from_home(cell, back, far);
            }
        }
    }

    /// Whether the first penguin on a line can slide as far as the ball.
    fn reaches_ball(&self, who: PenguinId, dir: Dir, far: usize) -> bool {
        if who.1.slide() < far {
            return false;
        }
        if self.holder.is_some_and(|holder| holder.0 == who.0) {
            let facing = self.field.penguin(who).and_then(|penguin| penguin.facing);
            return facing.is_none_or(|facing| facing == dir);
        }
        let slide = self.field.slide(who, dir);
        slide.is_ok_and(|slide| matches!(slide.stop, Stop::Ball | Stop::Tackle))
    }

    /// Penguins off the field enter at Home, the first square of their slide.
    fn seek_from_home(&mut self, cell: Cell, dir: Dir, far: usize) {
        let seats = self.field.seats();
        for seat in self.field.active().filter(|seat| home(seats, *seat) == cell) {
            let enters = away(seats, seat).contains(&dir);
            for who in Size::ALL.map(|size| (seat, size)) {
                self.note(who, enters && self.field.penguin(who).is_none() && who.1.slide() > far);
            }
        }
    }

    fn note(&mut self, who: PenguinId, reaches_ball: bool) {
        self.seekers |= if reaches_ball { bit(who) } else { 0 };
    }
}

fn bit((seat, size): PenguinId) -> u16 {
    1 << (Size::ALL.len() * seat.index() + size as usize)
}

/// The distance in king moves.
pub(super) fn distance(from: Cell, to: Cell) -> usize {
    let ((a, b), (c, d)) = (board().place(from), board().place(to));
    a.abs_diff(c).max(b.abs_diff(d)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::penguin_soccer::{Act, PenguinSoccer};
    use rookery_core::GameRules;
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;

    /// A penguin reaches a ball of the opponent, or a free one, exactly if the listed moves contain a slide that ends
    /// with the ball; checked in random games.
    #[test]
    fn seekers_are_those_who_have_a_slide_that_gets_the_ball() {
        let mut seeking = 0;
        for seed in 0..40 {
            let mut rng = SeededRng::new(seed);
            let mut position = PenguinSoccer::start(&Setup::new(2 + 2 * (seed as usize % 2))).unwrap();
            for _ in 0..300 {
                let moves = rookery_core::rules::legal::<PenguinSoccer>(&position);
                let Some(m) = rng.pick(&moves).copied() else { break };
                let look = BallReach::of(&position);
                if look.holder.is_none_or(|(seat, _)| seat != position.turn()) {
                    for size in Size::ALL {
                        let gets = |m: &&crate::penguin_soccer::Move| {
                            let mut after = position.clone();
                            after.play_unchecked(**m);
                            let slides = m.size == size && matches!(m.act, Act::Slide { .. });
                            slides && after.field().holder() == Some((position.turn(), size))
                        };
                        let seeks = look.seeks((position.turn(), size));
                        assert_eq!(
                            seeks,
                            moves.iter().any(|m| gets(&m)),
                            "{}",
                            PenguinSoccer::to_line(&position)
                        );
                        seeking += usize::from(seeks);
                    }
                }
                position.play_unchecked(m);
            }
        }
        assert!(seeking > 500, "{seeking} are too few to tell");
    }

    #[test]
    fn a_shot_is_as_far_as_the_goal_and_nobody_may_be_in_its_way() {
        let shots = |line: &str| {
            let position = PenguinSoccer::from_line(line).unwrap();
            let look = BallReach::of(&position);
            (look.shot(Seat::FIRST), look.shot(Seat::SECOND))
        };
        assert_eq!(shots("e5U,-,-|-,-,- e5 1"), (Some(3), Some(4)));
        assert_eq!(shots("e5U,g7U,-|-,-,- e5 1"), (None, Some(4)));
        assert_eq!(shots("e6U,-,-|-,-,- e6 1"), (None, None));
    }
}
