//! How good a position looks: how near the ball is to whose goal, who has it, who is in play.

use crate::kit::player::{Ask, Level, Thought, Value};
use crate::kit::seed::Chance;
use crate::kit::{Cell, Position, Seat};

use super::field::{Size, board, centre, goal};
use super::rules::{Move, Soccer};

/// A square nearer to the goal is a hundred; the ball in one's hands is worth nearly that.
const SQUARE: i32 = 100;
const HOLDER: i32 = 90;
const ON_THE_ICE: i32 = 15;
const UPRIGHT: i32 = 10;

/// How good a position looks for a seat, in hundredths of a square that the ball is nearer to its goal
/// than to that of the best other.
pub fn opinion(position: &Soccer, seat: Seat) -> i32 {
    let others = position.field().active().filter(|other| *other != seat);
    standing(position, seat) - others.map(|other| standing(position, other)).max().unwrap_or(0)
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

/// Looks at each move by itself.
pub(super) fn think(position: &Soccer, ask: &Ask) -> Option<Thought<Move>> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    Chance::new(ask.seed).shuffle(&mut moves);
    if ask.level == Level::Random {
        moves.truncate(1);
    }
    let seat = position.turn();
    let value = |m: &Move| {
        let mut next = position.clone();
        next.play_unchecked(*m);
        match next.outcome() {
            Some(outcome) => (outcome.share(seat) * 200_000.0) as i32 - 100_000,
            None => opinion(&next, seat),
        }
    };
    let best = *moves.iter().max_by_key(|m| value(m))?;
    let value = Value::Opinion(value(&best));
    Some(Thought { best, value, depth: 1, nodes: moves.len() as u64, line: vec![best], others: Vec::new() })
}
