//! A game looked over afterwards: who was ahead turn by turn, and where it turned.

use rookery_core::player::{SearchResult, Value};
use rookery_tasks::computes_here;

use rookery_core::{Outcome, Play, Score, Seat};

/// What a certain win counts as, in hundredths of the game's unit; no opinion counts for as much.
pub const DECIDED: i32 = 1_500;
/// The same inside of here, where opinions are as the player reckons: none is as strong.
const INTERNAL_DECIDED: i32 = 1_000_000;
/// A lead, in hundredths as the player reckons, that decides most games.
const DECISIVE_LEAD: f64 = 400.0;
/// Turning points that are told, at most.
const MAX_TURNING_POINTS: usize = 3;
/// A turn that costs less, on a scale from 0 to 2, is none.
const MIN_COST: f64 = 0.08;

/// What the program thinks of a game, turn by turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// How far each seat was ahead over the game; of two the first seat alone, since the other one's
    /// curve is the same upside down.
    pub curves: Vec<LeadCurve>,
    /// The turns that cost the most, in the order of the game.
    pub turns: Vec<TurningPoint>,
}

/// How far a seat was ahead over a game.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadCurve {
    /// The seat.
    pub seat: Seat,
    /// The number of turns, and the lead in hundredths of the game's unit, from -`SURE` to `SURE` (decided).
    /// In games of three
    /// and four only where it was the seat's own turn, and at the end.
    pub dots: Vec<(usize, i32)>,
}

/// A turn with which a game turned.
#[derive(Clone, Debug, PartialEq)]
pub struct TurningPoint {
    /// Turns taken before it.
    pub ply: usize,
    /// Who took it.
    pub seat: Seat,
    /// What was played.
    pub played: String,
    /// What the program would have played.
    pub better: String,
    /// How far the mover was ahead before, and after, as in `dots`.
    pub leads: (i32, i32),
}

/// A game with all its positions, each made once.
pub struct Course {
    seats: usize,
    /// The position after each number of turns, the first one first, each as a game that begins there.
    stages: Vec<Box<dyn Play>>,
    /// How the game has ended by its rules at each of them, if it has.
    outcomes: Vec<Option<Outcome>>,
    record: Vec<String>,
    movers: Vec<Seat>,
    scores: Option<Vec<Score>>,
}

impl Course {
    /// Goes through a game. That computes: call it beside the async threads.
    pub fn of(play: &dyn Play) -> Course {
        computes_here("a review");
        let stages = play.stages();
        Course {
            seats: play.seats(),
            outcomes: stages.iter().map(|stage| stage.outcome()).collect(),
            stages,
            record: play.record(),
            movers: play.movers(),
            scores: play.scores(),
        }
    }

    /// The position after each number of turns that somebody can think about: `None` where the game is over.
    pub fn positions(&self) -> impl Iterator<Item = Option<&dyn Play>> {
        self.stages.iter().zip(&self.outcomes).map(|(stage, over)| match over {
            None => Some(stage.as_ref()),
            Some(_) => None,
        })
    }
}

/// The program's evaluation of each position of a game, for the player to move; none for an end by the rules.
struct PositionThoughts<'a> {
    course: &'a Course,
    of: &'a [Option<SearchResult<String>>],
}

impl Review {
    /// Puts together what was thought of each position of a game, the first one first; nothing is
    /// thought of an end by the rules.
    pub fn of(course: &Course, thoughts: &[Option<SearchResult<String>>]) -> Review {
        computes_here("a review");
        let thoughts = PositionThoughts { course, of: thoughts };
        let seats = if course.seats == 2 { 1 } else { course.seats };
        let curves = Seat::all(seats).map(|seat| thoughts.curve(seat)).collect();
        let mut turns: Vec<_> = (0..course.record.len()).filter_map(|ply| thoughts.turning(ply)).collect();
        turns.sort_by(|a, b| b.0.total_cmp(&a.0));
        turns.truncate(MAX_TURNING_POINTS);
        turns.sort_by_key(|(_, turn)| turn.ply);
        Review { curves, turns: turns.into_iter().map(|(_, turn)| turn).collect() }
    }
}

impl PositionThoughts<'_> {
    fn curve(&self, seat: Seat) -> LeadCurve {
        let dot = |ply: usize| Some((ply, self.to_display_units(ply, self.lead(ply, seat)?)));
        LeadCurve { seat, dots: (0..self.of.len()).filter_map(dot).collect() }
    }

    /// A seat's lead after `ply` turns, if that position was evaluated.
    fn lead(&self, ply: usize, seat: Seat) -> Option<i32> {
        let Some(thought) = self.of.get(ply)? else { return self.end(ply, seat) };
        let own = worth(thought.value);
        match self.course.stages.get(ply)?.turn() {
            mover if mover == seat => Some(own),
            _ if self.course.seats == 2 => Some(-own),
            _ => None,
        }
    }

    /// The same as people are told it. What is certain stays so.
    fn to_display_units(&self, ply: usize, lead: i32) -> i32 {
        let opinion = match lead {
            _ if lead.abs() >= INTERNAL_DECIDED => return lead.signum() * DECIDED,
            // Of an end by the rules the points are counted.
            _ if self.of.get(ply).is_some_and(Option::is_some) => {
                self.course.stages[ply].to_display_units(lead)
            }
            _ => lead,
        };
        opinion.clamp(1 - DECIDED, DECIDED - 1)
    }

    /// What an end by the rules came to for a seat: certain in games of two, else by what the points say.
    fn end(&self, ply: usize, seat: Seat) -> Option<i32> {
        let outcome = self.course.outcomes.get(ply)?.as_ref()?;
        let (won, sole) = (outcome.winners.contains(&seat), outcome.winners.len() == 1);
        let points = self.course.scores.as_ref().filter(|_| self.course.seats > 2);
        Some(match points {
            Some(scores) => {
                let others = scores.iter().enumerate().filter(|(other, _)| *other != seat.index());
                let best = others.map(|(_, score)| score.points).max().unwrap_or(0);
                let lead = i64::from(scores[seat.index()].points) - i64::from(best);
                (lead * 100).clamp(-i64::from(DECIDED), i64::from(DECIDED)) as i32
            }
            None if won && sole => INTERNAL_DECIDED,
            None if won => 0,
            None => -INTERNAL_DECIDED,
        })
    }

    /// A turn with what it cost, if another one was better by enough.
    fn turning(&self, ply: usize) -> Option<(f64, TurningPoint)> {
        let (played, seat) = (self.course.record.get(ply)?.clone(), *self.course.movers.get(ply)?);
        let thought = self.of.get(ply)?.as_ref()?;
        let better = Some(thought.best.clone()).filter(|best| *best != played)?;
        let (before, after) = (self.lead(ply, seat)?, self.after(ply, seat, &played)?);
        let cost = chance(before) - chance(after);
        let leads = (self.to_display_units(ply, before), self.to_display_units(ply + 1, after));
        let turn = TurningPoint { ply, seat, played, better, leads };
        (cost >= MIN_COST).then_some((cost, turn))
    }

    /// How far the mover was ahead after a turn. Of three and four nobody is asked on behalf of the others:
    /// it is what was thought of this move beside the best, or how it looked on their next turn.
    fn after(&self, ply: usize, seat: Seat, played: &str) -> Option<i32> {
        if self.course.seats == 2 {
            return self.lead(ply + 1, seat);
        }
        let others = &self.of.get(ply)?.as_ref()?.others;
        let beside = others.iter().find(|(text, _)| text == played).map(|(_, value)| worth(*value));
        beside.or_else(|| (ply + 1..self.of.len()).find_map(|later| self.lead(later, seat)))
    }
}

fn worth(value: Value) -> i32 {
    match value {
        Value::Won(_) => INTERNAL_DECIDED,
        Value::Lost(_) => -INTERNAL_DECIDED,
        Value::Estimate(hundredths) => hundredths,
        Value::Drawn => 0,
    }
}

/// A lead as what it is worth: the tenth move ahead adds little to nine. From -1 to 1.
fn chance(lead: i32) -> f64 {
    (f64::from(lead) / DECISIVE_LEAD).tanh()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    /// A game of two turns by hand, thought of as the test says.
    fn played() -> Box<dyn Play> {
        let game = rookery_games::named("amazons").unwrap();
        let mut play = game.start(&Setup::new(2).with("size", "6x6")).unwrap();
        play.play("a2-a3/a2").unwrap();
        play.play("a5-b5/a5").unwrap();
        play
    }

    fn thought(best: &str, value: Value) -> Option<SearchResult<String>> {
        let best = best.to_owned();
        Some(SearchResult { best, value, depth: 1, nodes: 1, line: Vec::new(), others: Vec::new() })
    }

    #[test]
    fn leads_are_the_first_seats_and_a_turn_that_throws_them_away_is_found() {
        // White is ahead by 3 and plays something else than was thought best: now Black is ahead by 2,
        // plays what was thought best, and has won.
        let thoughts = [
            thought("b1-b2/b1", Value::Estimate(300)),
            thought("a5-b5/a5", Value::Estimate(200)),
            thought("d1-d2/d1", Value::Lost(4)),
        ];
        let play = played();
        let review = Review::of(&Course::of(play.as_ref()), &thoughts);
        let [before, after] =
            [(0, 300), (1, -200)].map(|(ply, lead)| play.at_ply(ply).to_display_units(lead));
        let dots = vec![(0, before), (1, after), (2, -DECIDED)];
        assert_eq!(review.curves, [LeadCurve { seat: Seat::FIRST, dots }]);
        let turn = TurningPoint {
            ply: 0,
            seat: Seat::FIRST,
            played: "a2-a3/a2".into(),
            better: "b1-b2/b1".into(),
            leads: (before, after),
        };
        assert_eq!(review.turns, [turn]);
    }

    /// What is reported as decided is decided, at any depth.
    #[test]
    fn no_opinion_counts_as_decided() {
        let game = rookery_games::named("penguins").unwrap();
        let mut play = game.start(&Setup::new(2).seeded(1)).unwrap();
        let text = play.moves().remove(0);
        play.play(&text).unwrap();
        let thoughts = [thought("h8", Value::Estimate(4_000)), thought("h8", Value::Won(3))];
        let review = Review::of(&Course::of(play.as_ref()), &thoughts);
        assert_eq!(review.curves[0].dots, [(0, DECIDED - 1), (1, -DECIDED)]);
        assert_eq!(review.turns[0].leads, (DECIDED - 1, -DECIDED));
    }

    #[test]
    fn a_turn_that_changes_little_is_no_turning_point() {
        let thoughts = [
            thought("b1-b2/b1", Value::Estimate(10)),
            thought("a5-a4/a5", Value::Estimate(-5)),
            thought("d1-d2/d1", Value::Estimate(9)),
        ];
        assert_eq!(Review::of(&Course::of(played().as_ref()), &thoughts).turns, []);
        // A lead that decides already is not thrown away by a part of it.
        let thoughts = [
            thought("b1-b2/b1", Value::Estimate(1_400)),
            thought("a5-a4/a5", Value::Estimate(-1_200)),
            thought("d1-d2/d1", Value::Estimate(1_200)),
        ];
        assert_eq!(Review::of(&Course::of(played().as_ref()), &thoughts).turns, []);
    }

    /// Three play Penguins for a round: the evaluation of the first player's better move is reported, and a
    /// missing one is
    /// taken from the player's next turn.
    #[test]
    fn with_three_each_has_a_curve_of_its_own_turns() {
        let game = rookery_games::named("penguins").unwrap();
        let mut play = game.start(&Setup::new(3).seeded(1)).unwrap();
        for _ in 0..4 {
            let text = play.moves().remove(0);
            play.play(&text).unwrap();
        }
        let other = "h8";
        let record = play.record();
        let mut thoughts: Vec<_> =
            [300, -100, 50, -250, 20].map(|own| thought(other, Value::Estimate(own))).into();
        let beside = (record[1].clone(), Value::Estimate(-900));
        thoughts[1].as_mut().unwrap().others = vec![beside];
        let review = Review::of(&Course::of(play.as_ref()), &thoughts);
        let dots: Vec<_> = review.curves.iter().map(|curve| curve.dots.clone()).collect();
        assert_eq!(dots, [vec![(0, 300), (3, -250)], vec![(1, -100), (4, 20)], vec![(2, 50)]]);
        let told: Vec<_> = review.turns.iter().map(|turn| (turn.ply, turn.seat, turn.leads)).collect();
        assert_eq!(told, [(0, Seat::FIRST, (300, -250)), (1, Seat::SECOND, (-100, -900))]);
    }
}
