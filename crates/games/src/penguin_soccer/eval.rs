//! The evaluation: the distance of the ball from each goal, which family has it or reaches it next, which penguins are
//! in play and their distances. A goal that can be scored at once is found without a search.
//!
//! Two careful players can hold each other off for ever. In old games the player becomes bold: it weights its own
//! features more and those of the others less.

use super::ball_reach::{BallReach, distance};
use super::field::{Field, Size, board, centre, goal};
use super::rules::{Move, SoccerPosition};
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::{Position, Seat};
use rookery_search::generic::{Evaluator, think_as};
use rookery_search::{End, baselines};

/// Each square that the ball is nearer to the goal.
const SQUARE: i32 = 100;
/// The value of a held ball that no opponent can take within a turn, and of one that an opponent can take.
const HELD: i32 = 160;
const HELD_IN_DANGER: i32 = 60;
/// The value of a free ball that one of the family's penguins reaches in its next turn.
const IN_REACH: i32 = 70;
/// The value of a goal on the next turn unless an opponent tackles or blocks.
const THREAT: i32 = 350;
/// A penguin at the ball, or one that gets there in its next turn.
const AT_HAND: i32 = 40;
/// Each further slide to the ball, up to a limit. Standing up counts as one.
const SLIDE_AWAY: i32 = 8;
const MAX_SLIDES: usize = 5;
/// The bonus for being to move.
const TEMPO: i32 = 25;

/// Boldness begins after this many turns and grows over the second number of turns.
const OLD: u32 = 200;
const AGEING: u32 = 200;
/// The greatest boldness: hundredths by which own features count more and the others' less.
const BOLDEST: u32 = 50;

/// The evaluator of this game's player.
#[derive(Clone, Copy, Debug)]
struct SoccerEvaluator {
    seat: Seat,
    /// The current boldness in hundredths.
    boldness: i32,
}

impl SoccerEvaluator {
    fn of(position: &SoccerPosition) -> SoccerEvaluator {
        SoccerEvaluator { seat: position.turn(), boldness: boldness(position.age()) }
    }

    fn weigh(&self, look: &BallReach<'_>, seat: Seat) -> i32 {
        let part = if seat == self.seat { 100 + self.boldness } else { 100 - self.boldness };
        standing(look, seat) * part / 100
    }
}

fn boldness(age: u32) -> i32 {
    (age.saturating_sub(OLD).min(AGEING) * BOLDEST / AGEING) as i32
}

impl Evaluator<SoccerPosition> for SoccerEvaluator {
    /// In hundredths of a square by which the ball is nearer to a family's goal than to that of its best opponent.
    fn evaluation(&mut self, position: &SoccerPosition, seat: Seat) -> i32 {
        let look = BallReach::of(position);
        let others = position.field().active().filter(|other| *other != seat);
        self.weigh(&look, seat) - others.map(|other| self.weigh(&look, other)).max().unwrap_or(0)
    }
    fn proof(&mut self, position: &SoccerPosition) -> Option<End> {
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

/// Whether a family has the ball and can kick it into its goal this turn.
fn can_score(field: &Field, seat: Seat) -> bool {
    let goal = goal(field.seats(), seat);
    let (Some((holder, size)), Some(from)) = (field.holder(), field.ball()) else { return false };
    if holder != seat || distance(from, goal) > size.kick() {
        return false;
    }
    let dir = board().lines().direction(from, goal);
    dir.is_some_and(|dir| field.kick(from, dir, size) == Some(goal))
}

fn standing(look: &BallReach<'_>, seat: Seat) -> i32 {
    let far = distance(look.ball, goal(look.field.seats(), seat)) as i32;
    let tempo = if look.turn == seat { TEMPO } else { 0 };
    let men: i32 = Size::ALL.into_iter().map(|size| nearness(look, (seat, size))).sum();
    tempo - SQUARE * far + men + ball(look, seat) + threat(look, seat)
}

/// The value of a penguin's distance to the ball.
fn nearness(look: &BallReach<'_>, who: (Seat, Size)) -> i32 {
    let Some(penguin) = look.field.penguin(who) else { return 0 };
    let far = distance(penguin.cell, look.ball);
    if far == 0 || look.seeks(who) {
        return AT_HAND;
    }
    let slides = far.div_ceil(who.1.slide()) + usize::from(penguin.facing.is_some());
    AT_HAND - SLIDE_AWAY * slides.min(MAX_SLIDES) as i32
}

/// The value of the ball for the family that holds it or reaches it.
fn ball(look: &BallReach<'_>, seat: Seat) -> i32 {
    match look.holder {
        None if look.seekers(seat) > 0 => IN_REACH,
        Some((holder, _)) if holder == seat && look.rival_seekers(seat) > 0 => HELD_IN_DANGER,
        Some((holder, _)) if holder == seat => HELD,
        _ => 0,
    }
}

/// The value of a threatened goal of the ball's holder if it is not to move.
fn threat(look: &BallReach<'_>, seat: Seat) -> i32 {
    let holds = look.holder.filter(|(holder, _)| *holder == seat);
    let Some((shooter, far)) = holds.zip(look.shot(seat)) else { return 0 };
    if shooter.1.kick() >= far { THREAT } else { 0 }
}

/// A baseline player: moves the ball nearer to its own goal than to that of its best opponent.
pub(super) fn greedy(position: &SoccerPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
    let nearness = |position: &SoccerPosition, seat: Seat| {
        let field = position.field();
        let ball = field.ball().unwrap_or(centre()[0]);
        let far = |seat| distance(ball, goal(field.seats(), seat)) as i32;
        let others = field.active().filter(|other| *other != seat);
        others.map(far).min().unwrap_or(0) - far(seat)
    };
    baselines::greedy(position, nearness, request)
}

/// Searches a position; `None` if the game is over.
pub(super) fn think(position: &SoccerPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
    think_as(position, request, SoccerEvaluator::of(position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::penguin_soccer::PenguinSoccer;
    use rookery_core::GameRules;
    use rookery_core::player::{Level, Value};
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;

    /// A goal in one move is found exactly if some move wins at once.
    #[test]
    fn a_goal_in_one_is_seen_exactly() {
        let mut goals = 0;
        for seed in 0..60 {
            let mut rng = SeededRng::new(seed);
            let mut position = PenguinSoccer::start(&Setup::new(2 + 2 * (seed as usize % 2))).unwrap();
            for _ in 0..400 {
                let moves = rookery_core::rules::legal::<PenguinSoccer>(&position);
                let wins = |m: &Move| {
                    let mut after = position.clone();
                    after.play_unchecked(*m);
                    after.outcome().is_some_and(|end| end.winners == [position.turn()])
                };
                let sees = can_score(position.field(), position.turn());
                assert_eq!(sees, moves.iter().any(wins), "{}", PenguinSoccer::to_line(&position));
                goals += usize::from(sees);
                let Some(m) = rng.pick(&moves) else { break };
                position.play_unchecked(*m);
            }
        }
        assert!(goals > 10, "{goals} goals in one are too few to tell");
    }

    /// Opinions of two seats are opposite at any age, or a search for two would be inconsistent.
    #[test]
    fn evaluations_of_two_seats_are_opposite_and_boldness_grows_with_age() {
        let mut rng = SeededRng::new(9);
        let mut position = PenguinSoccer::start(&Setup::new(2)).unwrap();
        let mut bold = 0;
        while let Some(m) = rng.pick(&rookery_core::rules::legal::<PenguinSoccer>(&position)) {
            let mut eye = SoccerEvaluator::of(&position);
            let [mine, theirs] = [Seat::FIRST, Seat::SECOND].map(|seat| eye.evaluation(&position, seat));
            assert_eq!(mine, -theirs, "{}", PenguinSoccer::to_line(&position));
            bold = eye.boldness;
            position.play_unchecked(*m);
        }
        assert!(position.age() < OLD || bold > 0, "after {} turns", position.age());
        assert_eq!([0, OLD, OLD + AGEING / 2, 10_000].map(boldness), [0, 0, 25, BOLDEST as i32]);
    }

    /// Every level from easy on scores the goal, and reports it as a win.
    #[test]
    fn a_goal_in_one_is_taken() {
        let mut rng = SeededRng::new(2);
        let mut position = PenguinSoccer::start(&Setup::new(2)).unwrap();
        while !can_score(position.field(), position.turn()) {
            let moves = rookery_core::rules::legal::<PenguinSoccer>(&position);
            match rng.pick(&moves) {
                Some(m) => position.play_unchecked(*m),
                None => position = PenguinSoccer::start(&Setup::new(2)).unwrap(),
            }
        }
        for level in [Level::Easy, Level::Medium, Level::Hard, Level::Expert] {
            let mut request = SearchRequest::new(level, 3);
            request.limits.nodes = Some(2_000);
            let search_result = think(&position, &request).unwrap();
            assert_eq!(search_result.value, Value::Won(1), "{level:?}");
        }
    }
}
