//! A game of two looked over afterwards: who was ahead turn by turn, and where it turned.

use crate::kit::player::{Thought, Value};
use crate::kit::{Play, Seat};

/// What a certain win counts as, in hundredths of the game's unit; no opinion counts for more.
pub const SURE: i32 = 1_500;
/// A lead, in hundredths, that decides most games.
const LARGE: f64 = 400.0;
/// Turning points that are told, at most.
const TURNS_MOST: usize = 3;
/// A turn that costs less, on a scale from 0 to 2, is none.
const COST_LEAST: f64 = 0.08;

/// What the program thinks of a game, turn by turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// How far the first seat was ahead after so many turns, in hundredths of the game's unit, from
    /// -[`SURE`] to [`SURE`]. One more than there were turns.
    pub leads: Vec<i32>,
    /// The turns that cost the most, in the order of the game.
    pub turns: Vec<Turning>,
}

/// A turn with which a game turned.
#[derive(Clone, Debug, PartialEq)]
pub struct Turning {
    /// Turns taken before it.
    pub ply: usize,
    /// Who took it.
    pub seat: Seat,
    /// What was played.
    pub played: String,
    /// What the program would have played.
    pub better: String,
    /// How far the mover was ahead before, and after, in hundredths.
    pub leads: (i32, i32),
}

impl Review {
    /// Puts together what was thought of each position of a game, the first one first; nothing is
    /// thought of an end by the rules.
    pub fn of(play: &dyn Play, thoughts: &[Option<Thought<String>>]) -> Review {
        let leads: Vec<i32> = thoughts.iter().enumerate().map(|(ply, it)| lead(play, ply, it)).collect();
        let mut turns: Vec<(f64, Turning)> =
            (0..play.ply()).filter_map(|ply| turning(play, ply, thoughts.get(ply)?, &leads)).collect();
        turns.sort_by(|a, b| b.0.total_cmp(&a.0));
        turns.truncate(TURNS_MOST);
        turns.sort_by_key(|(_, turn)| turn.ply);
        Review { leads, turns: turns.into_iter().map(|(_, turn)| turn).collect() }
    }
}

/// How far the first seat is ahead after so many turns.
fn lead(play: &dyn Play, ply: usize, thought: &Option<Thought<String>>) -> i32 {
    let at = play.at_ply(ply);
    let own = match thought.as_ref().map(|thought| thought.value) {
        Some(Value::Won(_)) => SURE,
        Some(Value::Lost(_)) => -SURE,
        Some(Value::Opinion(hundredths)) => hundredths.clamp(-SURE, SURE),
        Some(Value::Even) => 0,
        None => return at.outcome().map_or(0, |outcome| decided(&outcome.winners)),
    };
    if at.turn() == Seat::FIRST { own } else { -own }
}

fn decided(winners: &[Seat]) -> i32 {
    match winners {
        [Seat::FIRST] => SURE,
        [_] => -SURE,
        _ => 0,
    }
}

/// A turn with what it cost, if another one was better by enough.
fn turning(
    play: &dyn Play,
    ply: usize,
    thought: &Option<Thought<String>>,
    leads: &[i32],
) -> Option<(f64, Turning)> {
    let (played, seat) = (play.record().get(ply)?.clone(), *play.movers().get(ply)?);
    let better = thought.as_ref().map(|thought| thought.best.clone()).filter(|best| *best != played)?;
    let own = |lead: i32| if seat == Seat::FIRST { lead } else { -lead };
    let (before, after) = (own(*leads.get(ply)?), own(*leads.get(ply + 1)?));
    let cost = chance(before) - chance(after);
    let turn = Turning { ply, seat, played, better, leads: (before, after) };
    (cost >= COST_LEAST).then_some((cost, turn))
}

/// A lead as what it is worth: the tenth move ahead adds little to nine. From -1 to 1.
fn chance(lead: i32) -> f64 {
    (f64::from(lead) / LARGE).tanh()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::kit::rules::Setup;

    /// A game of two turns by hand, thought of as the test says.
    fn played() -> Box<dyn Play> {
        let game = games::named("amazons").unwrap();
        let mut play = game.start(&Setup::new(2).with("size", "6x6")).unwrap();
        play.play("a2-a3/a2").unwrap();
        play.play("a5-b5/a5").unwrap();
        play
    }

    fn thought(best: &str, value: Value) -> Option<Thought<String>> {
        let best = best.to_owned();
        Some(Thought { best, value, depth: 1, nodes: 1, line: Vec::new(), others: Vec::new() })
    }

    #[test]
    fn leads_are_the_first_seats_and_a_turn_that_throws_them_away_is_found() {
        // White is ahead by 3 and plays something else than was thought best: now Black is ahead by 2,
        // plays what was thought best, and has won.
        let thoughts = [
            thought("b1-b2/b1", Value::Opinion(300)),
            thought("a5-b5/a5", Value::Opinion(200)),
            thought("d1-d2/d1", Value::Lost(4)),
        ];
        let review = Review::of(played().as_ref(), &thoughts);
        assert_eq!(review.leads, [300, -200, -SURE]);
        let turn = Turning {
            ply: 0,
            seat: Seat::FIRST,
            played: "a2-a3/a2".into(),
            better: "b1-b2/b1".into(),
            leads: (300, -200),
        };
        assert_eq!(review.turns, [turn]);
    }

    #[test]
    fn a_turn_that_changes_little_is_no_turning_point() {
        let thoughts = [
            thought("b1-b2/b1", Value::Opinion(10)),
            thought("a5-a4/a5", Value::Opinion(-5)),
            thought("d1-d2/d1", Value::Opinion(9)),
        ];
        assert_eq!(Review::of(played().as_ref(), &thoughts).turns, []);
        // A lead that decides already is not thrown away by a part of it.
        let thoughts = [
            thought("b1-b2/b1", Value::Opinion(1_400)),
            thought("a5-a4/a5", Value::Opinion(-1_200)),
            thought("d1-d2/d1", Value::Opinion(1_200)),
        ];
        assert_eq!(Review::of(played().as_ref(), &thoughts).turns, []);
    }
}
