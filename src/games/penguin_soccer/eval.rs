//! How good a position looks: how near the ball is to whose goal, who has it, who is in play.

use crate::kit::player::{Ask, Thought};
use crate::kit::{Cell, Seat};
use crate::search::simple::{Judge, think_as};

use super::field::{Size, board, centre, goal};
use super::rules::{Move, Soccer};

/// A square nearer to the goal is a hundred; the ball in one's hands is worth nearly that.
const SQUARE: i32 = 100;
const HOLDER: i32 = 90;
const ON_THE_ICE: i32 = 15;
const UPRIGHT: i32 = 10;

/// Knows what the players of this game look at first.
#[derive(Debug)]
struct Eye;

impl Judge<Soccer> for Eye {
    /// In hundredths of a square that the ball is nearer to a family's goal than to that of the best
    /// other.
    fn opinion(position: &Soccer, seat: Seat) -> i32 {
        let others = position.field().active().filter(|other| *other != seat);
        standing(position, seat) - others.map(|other| standing(position, other)).max().unwrap_or(0)
    }
}

fn standing(position: &Soccer, seat: Seat) -> i32 {
    let field = position.field();
    let goal = goal(field.seats(), seat);
    let from = field.ball().unwrap_or(centre()[0]);
    let holds = field.holder().is_some_and(|(holder, _)| holder == seat);
    let men = Size::ALL.into_iter().filter_map(|size| field.penguin((seat, size)));
    let ready: i32 = men.map(|p| ON_THE_ICE + if p.facing.is_none() { UPRIGHT } else { 0 }).sum();
    ready + if holds { HOLDER } else { 0 } - SQUARE * distance(from, goal)
}

/// Steps of a king.
fn distance(from: Cell, to: Cell) -> i32 {
    let ((a, b), (c, d)) = (board().place(from), board().place(to));
    i32::from(a.abs_diff(c).max(b.abs_diff(d)))
}

/// Thinks. `None` if the game is over.
pub(super) fn think(position: &Soccer, ask: &Ask) -> Option<Thought<Move>> {
    think_as::<Soccer, Eye>(position, ask)
}
