//! How good a position looks: how near the ball is to whose goal, who has it, who gets to it first,
//! who is in play. A goal that can be scored at once is seen without a search.

use crate::kit::player::{Ask, Thought};
use crate::kit::{Cell, Dir, Position, Seat};
use crate::search::simple::{Judge, think_as};
use crate::search::{End, yardstick};

use super::field::{Field, Size, board, centre, goal};
use super::rules::{Move, Soccer};

/// A square nearer to the goal.
const SQUARE: i32 = 100;
/// The ball in one's hands, a turn before anybody can take it away, and where somebody can.
const HELD: i32 = 160;
const HELD_IN_DANGER: i32 = 60;
/// A ball that one of one's penguins gets to in its next turn.
const IN_REACH: i32 = 70;
/// A goal that is scored next unless somebody tackles.
const THREAT: i32 = 350;
const ON_THE_ICE: i32 = 25;
const UPRIGHT: i32 = 12;
/// Each step that the nearest of one's penguins is away from the ball.
const STEP_AWAY: i32 = 12;
/// To be on turn.
const TEMPO: i32 = 25;

/// Knows what the players of this game look at first.
#[derive(Debug)]
struct Eye;

impl Judge<Soccer> for Eye {
    /// In hundredths of a square that the ball is nearer to a family's goal than to that of the best
    /// other.
    fn opinion(&mut self, position: &Soccer, seat: Seat) -> i32 {
        let others = position.field().active().filter(|other| *other != seat);
        standing(position, seat) - others.map(|other| standing(position, other)).max().unwrap_or(0)
    }
    fn proof(&mut self, position: &Soccer) -> Option<End> {
        let seat = position.turn();
        can_score(position.field(), seat).then(|| End::win(seat, 1))
    }
    fn sure_plies(&self) -> u32 {
        5
    }
    fn width(&self, _ply: u32, depth: u32) -> usize {
        match depth {
            ..=2 => 16,
            3 => 24,
            _ => 60,
        }
    }
}

/// Whether a family has the ball and kicks it home in its turn.
fn can_score(field: &Field, seat: Seat) -> bool {
    let goal = goal(field.seats(), seat);
    let (Some((holder, size)), Some(from)) = (field.holder(), field.ball()) else { return false };
    if holder != seat || distance(from, goal) > size.kick() as i32 {
        return false;
    }
    let dir = board().lines().direction(from, goal);
    dir.is_some_and(|dir| field.kick(from, dir, size) == Some(goal))
}

fn standing(position: &Soccer, seat: Seat) -> i32 {
    let field = position.field();
    let goal = goal(field.seats(), seat);
    let ball = field.ball().unwrap_or(centre()[0]);
    let holds = field.holder().is_some_and(|(holder, _)| holder == seat);
    let on_turn = position.turn() == seat;
    let mut sum = if on_turn { TEMPO } else { 0 } - SQUARE * distance(ball, goal);
    let mut nearest = 7;
    for penguin in Size::ALL.into_iter().filter_map(|size| field.penguin((seat, size))) {
        sum += ON_THE_ICE + if penguin.facing.is_none() { UPRIGHT } else { 0 };
        nearest = nearest.min(distance(penguin.cell, ball));
    }
    sum -= STEP_AWAY * nearest;
    if holds {
        let in_danger = !on_turn && field.active().any(|other| other != seat && reaches(field, other, ball));
        sum += if in_danger { HELD_IN_DANGER } else { HELD };
        // On turn it would be a goal already.
        sum += if !on_turn && can_score(field, seat) { THREAT } else { 0 };
    } else if reaches(field, seat, ball) {
        sum += IN_REACH;
    }
    sum
}

/// Whether a penguin on the field gets to the ball in one turn, as far as a glance tells.
fn reaches(field: &Field, seat: Seat, ball: Cell) -> bool {
    Size::ALL.into_iter().any(|size| {
        let Some(penguin) = field.penguin((seat, size)) else { return false };
        let far = distance(penguin.cell, ball);
        if far == 0 || far > size.slide() as i32 {
            return false;
        }
        let dir = board().lines().direction(penguin.cell, ball);
        dir.is_some_and(|dir| {
            penguin.facing.is_none_or(|facing| facing == dir) && is_clear(field, penguin.cell, dir, far)
        })
    })
}

fn is_clear(field: &Field, from: Cell, dir: Dir, far: i32) -> bool {
    let between = board().lines().walk(from, dir).take(far as usize - 1);
    between.into_iter().all(|cell| field.at(cell).is_none())
}

/// Steps of a king.
fn distance(from: Cell, to: Cell) -> i32 {
    let ((a, b), (c, d)) = (board().place(from), board().place(to));
    i32::from(a.abs_diff(c).max(b.abs_diff(d)))
}

/// A player kept as a measure: wants the ball nearer to its own goal than to that of the best other.
pub(super) fn greedy(position: &Soccer, ask: &Ask) -> Option<Thought<Move>> {
    let nearness = |position: &Soccer, seat: Seat| {
        let field = position.field();
        let ball = field.ball().unwrap_or(centre()[0]);
        let far = |seat| distance(ball, goal(field.seats(), seat));
        let others = field.active().filter(|other| *other != seat);
        others.map(far).min().unwrap_or(0) - far(seat)
    };
    yardstick::greedy(position, nearness, ask)
}

/// Thinks. `None` if the game is over.
pub(super) fn think(position: &Soccer, ask: &Ask) -> Option<Thought<Move>> {
    think_as(position, ask, Eye)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::penguin_soccer::PenguinSoccer;
    use crate::kit::player::{Level, Value};
    use crate::kit::rules::Setup;
    use crate::kit::seed::Chance;
    use crate::kit::{Room, game};

    /// A goal in one is seen exactly where some move wins at once.
    #[test]
    fn a_goal_in_one_is_seen_exactly() {
        let mut goals = 0;
        for seed in 0..60 {
            let mut chance = Chance::new(seed);
            let mut position = PenguinSoccer::start(&Setup::new(2 + 2 * (seed as usize % 2))).unwrap();
            for _ in 0..400 {
                let moves = game::legal::<PenguinSoccer>(&position);
                let wins = |m: &Move| {
                    let mut after = position.clone();
                    after.play_unchecked(*m);
                    after.outcome().is_some_and(|end| end.winners == [position.turn()])
                };
                let sees = can_score(position.field(), position.turn());
                assert_eq!(sees, moves.iter().any(wins), "{}", PenguinSoccer::to_line(&position));
                goals += usize::from(sees);
                let Some(m) = chance.pick(&moves) else { break };
                position.play_unchecked(*m);
            }
        }
        assert!(goals > 10, "{goals} goals in one are too few to tell");
    }

    /// Every level from easy on takes the goal, and says that it is one.
    #[test]
    fn a_goal_in_one_is_taken() {
        let mut chance = Chance::new(2);
        let mut position = PenguinSoccer::start(&Setup::new(2)).unwrap();
        while !can_score(position.field(), position.turn()) {
            let moves = game::legal::<PenguinSoccer>(&position);
            match chance.pick(&moves) {
                Some(m) => position.play_unchecked(*m),
                None => position = PenguinSoccer::start(&Setup::new(2)).unwrap(),
            }
        }
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Expert] {
            let mut ask = Ask::new(level, 3);
            ask.limits.nodes = Some(2_000);
            let thought = think(&position, &ask).unwrap();
            assert_eq!(thought.value, Value::Won(1), "{level:?}");
        }
    }
}
