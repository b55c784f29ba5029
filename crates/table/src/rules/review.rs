//! A review of a finished game: who was ahead at each ply, and the turning points.

use rookery_core::player::{SearchResult, Value};
use rookery_tasks::assert_off_async_threads;
use serde::{Deserialize, Serialize};

use rookery_core::{Outcome, Play, Score, Seat};

/// The value of a certain win, in hundredths of the game's unit; estimates stay below it.
pub const CERTAIN_WIN: i32 = 1_500;
/// The same in the player's internal units, where no estimate reaches it.
const INTERNAL_CERTAIN_WIN: i32 = 1_000_000;
/// A lead, in hundredths of internal units, that decides most games.
const DECISIVE_LEAD: f64 = 400.0;
/// The most turning points of a review.
const MAX_TURNING_POINTS: usize = 3;
/// A turn that costs less, on a scale from 0 to 2, is no turning point.
const MIN_COST: f64 = 0.08;

/// The bot's evaluation of a game, ply by ply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The lead of each seat over the game. A game of two has the first seat's curve only, since the other is its
    /// mirror image.
    pub curves: Vec<LeadCurve>,
    /// The turns that cost the most, in the order of the game.
    pub turns: Vec<TurningPoint>,
}

/// The lead of a seat over a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeadCurve {
    /// The seat whose lead it is.
    pub seat: Seat,
    /// The number of turns, and the lead in hundredths of the game's unit, from -[`CERTAIN_WIN`] to [`CERTAIN_WIN`]. In games
    /// of three and four only at the seat's own turns and at the end.
    pub dots: Vec<(usize, i32)>,
}

/// A turn at which the lead changed by much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurningPoint {
    /// The number of turns taken before it.
    pub ply: usize,
    /// The seat that took it.
    pub seat: Seat,
    /// The move that was played.
    pub played: String,
    /// The move that the bot prefers.
    pub better: String,
    /// The mover's lead before and after the turn, as in `dots`.
    pub leads: (i32, i32),
}

/// A game with all its positions, each computed once.
pub struct ReplayedGame {
    seats: usize,
    /// The position after each number of turns, the first one first, each as a game that starts there.
    stages: Vec<Box<dyn Play>>,
    /// The outcome by the rules at each of them, if the game is over there.
    outcomes: Vec<Option<Outcome>>,
    record: Vec<String>,
    movers: Vec<Seat>,
    scores: Option<Vec<Score>>,
}

impl ReplayedGame {
    /// Replays a game. This takes long: call it beside the async threads.
    pub fn of(play: &dyn Play) -> ReplayedGame {
        assert_off_async_threads("a review");
        let stages = play.stages();
        ReplayedGame {
            seats: play.seats(),
            outcomes: stages.iter().map(|stage| stage.outcome()).collect(),
            stages,
            record: play.record(),
            movers: play.movers(),
            scores: play.scores(),
        }
    }

    /// Returns the position after each number of turns; `None` where the game is over.
    pub fn positions(&self) -> impl Iterator<Item = Option<&dyn Play>> {
        self.stages.iter().zip(&self.outcomes).map(|(stage, over)| match over {
            None => Some(stage.as_ref()),
            Some(_) => None,
        })
    }
}

/// The bot's evaluation of each position of a game, for the player to move; `None` where the game is over.
struct PositionEvaluations<'a> {
    replayed: &'a ReplayedGame,
    of: &'a [Option<SearchResult<String>>],
    /// The first seat's lead at each ply in a game of two, see [`backed_up`].
    leads: Vec<Option<i32>>,
}

/// Corrects the leads of a game of two, given for the first seat, by what was played: what a position is worth to its
/// mover is at least what the next one is worth after the move that was played, and no more if that was the bot's own
/// choice. Otherwise the curve would jump where a search from the next position sees further, although nobody erred.
/// This is the minimax rule along one line of a game; certain results stay.
fn backed_up(replayed: &ReplayedGame, of: &[Option<SearchResult<String>>], leads: &mut [Option<i32>]) {
    for ply in (0..leads.len().saturating_sub(1)).rev() {
        let thought = of.get(ply).and_then(Option::as_ref);
        let (Some(lead), Some(next), Some(thought)) = (leads[ply], leads[ply + 1], thought) else { continue };
        let sign = if replayed.movers.get(ply) == Some(&Seat::FIRST) { 1 } else { -1 };
        let (own, after) = (lead * sign, next * sign);
        let is_best = replayed.record.get(ply) == Some(&thought.best);
        if own.abs() < INTERNAL_CERTAIN_WIN {
            leads[ply] = Some(sign * if is_best { after } else { own.max(after) });
        }
    }
}

impl Review {
    /// Builds the review from the evaluations of all positions, the first one first; positions where the game is over
    /// have none.
    pub fn of(replayed: &ReplayedGame, evaluations: &[Option<SearchResult<String>>]) -> Review {
        assert_off_async_threads("a review");
        let mut evaluations = PositionEvaluations { replayed, of: evaluations, leads: Vec::new() };
        if replayed.seats == 2 {
            let searched = |ply| evaluations.searched_lead(ply, Seat::FIRST);
            let mut leads: Vec<_> = (0..evaluations.of.len()).map(searched).collect();
            backed_up(replayed, evaluations.of, &mut leads);
            evaluations.leads = leads;
        }
        let seats = if replayed.seats == 2 { 1 } else { replayed.seats };
        let curves = Seat::all(seats).map(|seat| evaluations.curve(seat)).collect();
        let mut turns: Vec<_> =
            (0..replayed.record.len()).filter_map(|ply| evaluations.turning(ply)).collect();
        turns.sort_by(|a, b| b.0.total_cmp(&a.0));
        turns.truncate(MAX_TURNING_POINTS);
        turns.sort_by_key(|(_, turn)| turn.ply);
        Review { curves, turns: turns.into_iter().map(|(_, turn)| turn).collect() }
    }
}

impl PositionEvaluations<'_> {
    fn curve(&self, seat: Seat) -> LeadCurve {
        let dot = |ply: usize| Some((ply, self.to_display_units(ply, self.lead(ply, seat)?)));
        LeadCurve { seat, dots: (0..self.of.len()).filter_map(dot).collect() }
    }

    /// Returns a seat's lead after `ply` turns, if that position was evaluated.
    fn lead(&self, ply: usize, seat: Seat) -> Option<i32> {
        match self.leads.get(ply) {
            Some(lead) => lead.map(|lead| if seat == Seat::FIRST { lead } else { -lead }),
            None => self.searched_lead(ply, seat),
        }
    }

    /// Returns a seat's lead after `ply` turns as the search of that position found it.
    fn searched_lead(&self, ply: usize, seat: Seat) -> Option<i32> {
        let Some(thought) = self.of.get(ply)? else { return self.end(ply, seat) };
        let own = worth(thought.value);
        match self.replayed.stages.get(ply)?.turn() {
            mover if mover == seat => Some(own),
            _ if self.replayed.seats == 2 => Some(-own),
            _ => None,
        }
    }

    /// Converts a lead to the units shown to people. A certain win stays certain.
    fn to_display_units(&self, ply: usize, lead: i32) -> i32 {
        let opinion = match lead {
            _ if lead.abs() >= INTERNAL_CERTAIN_WIN => return lead.signum() * CERTAIN_WIN,
            // After an end by the rules the points are counted.
            _ if self.of.get(ply).is_some_and(Option::is_some) => {
                self.replayed.stages[ply].to_display_units(lead)
            }
            _ => lead,
        };
        opinion.clamp(1 - CERTAIN_WIN, CERTAIN_WIN - 1)
    }

    /// Returns a seat's value of an end by the rules: certain in games of two, otherwise the lead by points.
    fn end(&self, ply: usize, seat: Seat) -> Option<i32> {
        let outcome = self.replayed.outcomes.get(ply)?.as_ref()?;
        let (won, sole) = (outcome.winners.contains(&seat), outcome.winners.len() == 1);
        let points = self.replayed.scores.as_ref().filter(|_| self.replayed.seats > 2);
        Some(match points {
            Some(scores) => {
                let others = scores.iter().enumerate().filter(|(other, _)| *other != seat.index());
                let best = others.map(|(_, score)| score.points).max().unwrap_or(0);
                let lead = i64::from(scores[seat.index()].points) - i64::from(best);
                (lead * 100).clamp(-i64::from(CERTAIN_WIN), i64::from(CERTAIN_WIN)) as i32
            }
            None if won && sole => INTERNAL_CERTAIN_WIN,
            None if won => 0,
            None => -INTERNAL_CERTAIN_WIN,
        })
    }

    /// Returns a turn with its cost, if another move was better by enough.
    fn turning(&self, ply: usize) -> Option<(f64, TurningPoint)> {
        let (played, seat) = (self.replayed.record.get(ply)?.clone(), *self.replayed.movers.get(ply)?);
        let thought = self.of.get(ply)?.as_ref()?;
        let better = Some(thought.best.clone()).filter(|best| *best != played)?;
        let (before, after) = (self.lead(ply, seat)?, self.after(ply, seat, &played)?);
        let cost = chance(before) - chance(after);
        let leads = (self.to_display_units(ply, before), self.to_display_units(ply + 1, after));
        let turn = TurningPoint { ply, seat, played, better, leads };
        (cost >= MIN_COST).then_some((cost, turn))
    }

    /// Returns the mover's lead after a turn. With three or four players, evaluations are for the player to move only:
    /// it is the value of this move in the search before it, or else the evaluation at their next turn.
    fn after(&self, ply: usize, seat: Seat, played: &str) -> Option<i32> {
        if self.replayed.seats == 2 {
            return self.lead(ply + 1, seat);
        }
        let others = &self.of.get(ply)?.as_ref()?.others;
        let beside = others.iter().find(|(text, _)| text == played).map(|(_, value)| worth(*value));
        beside.or_else(|| (ply + 1..self.of.len()).find_map(|later| self.lead(later, seat)))
    }
}

fn worth(value: Value) -> i32 {
    match value {
        Value::Won(_) => INTERNAL_CERTAIN_WIN,
        Value::Lost(_) => -INTERNAL_CERTAIN_WIN,
        Value::Estimate(hundredths) => hundredths,
        Value::Drawn => 0,
    }
}

/// Maps a lead to a winning chance from -1 to 1: the tenth move of a lead adds less than the first.
fn chance(lead: i32) -> f64 {
    (f64::from(lead) / DECISIVE_LEAD).tanh()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    /// A game of two turns, with the evaluations of the test.
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
        // White is ahead by 3 and plays another move than the best one: now Black is ahead by 2, plays the best move,
        // and stays ahead by 2, although the last search thinks that it's 5.
        let evaluations = [
            thought("b1-b2/b1", Value::Estimate(300)),
            thought("a5-b5/a5", Value::Estimate(500)),
            thought("d1-d2/d1", Value::Estimate(-200)),
        ];
        let play = played();
        let review = Review::of(&ReplayedGame::of(play.as_ref()), &evaluations);
        let [before, after] =
            [(0, 300), (1, -200)].map(|(ply, lead)| play.at_ply(ply).to_display_units(lead));
        let dots = vec![(0, before), (1, after), (2, play.at_ply(2).to_display_units(-200))];
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

    /// Only decided positions are reported as decided, at any depth.
    #[test]
    fn no_opinion_counts_as_decided() {
        let game = rookery_games::named("penguins").unwrap();
        let mut play = game.start(&Setup::new(2).seeded(1)).unwrap();
        let text = play.moves().remove(0);
        play.play(&text).unwrap();
        let evaluations = [thought("h8", Value::Estimate(4_000)), thought("h8", Value::Won(3))];
        let review = Review::of(&ReplayedGame::of(play.as_ref()), &evaluations);
        assert_eq!(review.curves[0].dots, [(0, CERTAIN_WIN - 1), (1, -CERTAIN_WIN)]);
        assert_eq!(review.turns[0].leads, (CERTAIN_WIN - 1, -CERTAIN_WIN));
    }

    /// The curve moves only against the player who moves: a better evaluation after a turn was there before it as well.
    #[test]
    fn nobody_gains_by_a_turn() {
        let evaluations = [
            // White's own choice: what the next search sees was true before.
            thought("a2-a3/a2", Value::Estimate(300)),
            // Black's turn was better than the search thought.
            thought("a5-a4/a5", Value::Estimate(-500)),
            thought("d1-d2/d1", Value::Estimate(-100)),
        ];
        let review = Review::of(&ReplayedGame::of(played().as_ref()), &evaluations);
        let leads: Vec<_> = review.curves[0].dots.iter().map(|(_, lead)| *lead).collect();
        // The same lead is a little less in the game's unit when the board is emptier.
        assert!(leads.iter().all(|lead| (lead - leads[2]).abs() <= 3), "{leads:?}");
        assert_eq!(review.turns, []);
        // A proven win stays one, whatever a later search finds out.
        let evaluations = [
            thought("a2-a3/a2", Value::Won(3)),
            thought("a5-a4/a5", Value::Estimate(-500)),
            thought("d1-d2/d1", Value::Estimate(400)),
        ];
        let review = Review::of(&ReplayedGame::of(played().as_ref()), &evaluations);
        assert_eq!(review.curves[0].dots[0], (0, CERTAIN_WIN));
    }

    #[test]
    fn a_turn_that_changes_little_is_no_turning_point() {
        let evaluations = [
            thought("b1-b2/b1", Value::Estimate(10)),
            thought("a5-a4/a5", Value::Estimate(-5)),
            thought("d1-d2/d1", Value::Estimate(9)),
        ];
        assert_eq!(Review::of(&ReplayedGame::of(played().as_ref()), &evaluations).turns, []);
        // Losing a part of a decisive lead is no turning point.
        let evaluations = [
            thought("b1-b2/b1", Value::Estimate(1_400)),
            thought("a5-a4/a5", Value::Estimate(-1_200)),
            thought("d1-d2/d1", Value::Estimate(1_200)),
        ];
        assert_eq!(Review::of(&ReplayedGame::of(played().as_ref()), &evaluations).turns, []);
    }

    /// Three people play Penguins for a round: the evaluation of the first player's better move is reported, and a
    /// missing one is taken from the player's next turn.
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
        let mut evaluations: Vec<_> =
            [300, -100, 50, -250, 20].map(|own| thought(other, Value::Estimate(own))).into();
        let beside = (record[1].clone(), Value::Estimate(-900));
        evaluations[1].as_mut().unwrap().others = vec![beside];
        let review = Review::of(&ReplayedGame::of(play.as_ref()), &evaluations);
        let dots: Vec<_> = review.curves.iter().map(|curve| curve.dots.clone()).collect();
        assert_eq!(dots, [vec![(0, 300), (3, -250)], vec![(1, -100), (4, 20)], vec![(2, 50)]]);
        let told: Vec<_> = review.turns.iter().map(|turn| (turn.ply, turn.seat, turn.leads)).collect();
        assert_eq!(told, [(0, Seat::FIRST, (300, -250)), (1, Seat::SECOND, (-100, -900))]);
    }
}
