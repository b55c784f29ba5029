//! Ratings of players on one scale, from matches between neighbours.

use crate::arena::Tally;

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LadderRating {
    /// Rating points relative to the anchor.
    pub points: f64,
    /// The standard deviation of the rating, from the matches alone.
    pub deviation: f64,
}

/// The ratings of all players, weakest first: `steps[i]` is the match of player `i + 1` against player `i`. The player
/// with index `anchor` has 0 points. A side that takes every point still gets a rating, as if each had won half a game
/// more.
pub(super) fn ratings(steps: &[Tally], anchor: usize) -> Vec<LadderRating> {
    let between = |low: usize, high: usize| {
        steps[low..high].iter().map(step).fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    };
    let place = |player: usize| {
        let (points, variance) = between(player.min(anchor), player.max(anchor));
        LadderRating { points: if player < anchor { -points } else { points }, deviation: variance.sqrt() }
    };
    (0..=steps.len()).map(place).collect()
}

/// The rating difference of a match, and its variance: the variance of the share, propagated through the slope of the
/// logistic curve.
fn step(tally: &Tally) -> (f64, f64) {
    let games = tally.games() as f64 + 1.0;
    let share = (tally.share() * tally.games() as f64 + 0.5) / games;
    let slope = 400.0 / std::f64::consts::LN_10;
    (slope * (share / (1.0 - share)).ln(), slope * slope / (games * share * (1.0 - share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(wins: u64, losses: u64) -> Tally {
        Tally { wins, losses, draws: 0 }
    }

    /// 10 to 1 with half a game more on each side is 7 to 1: 400 log10(7) = 338 points on Elo's scale.
    #[test]
    fn steps_add_up_from_the_anchor_to_both_sides() {
        let ratings = ratings(&[won(10, 1), won(5, 5), won(10, 1)], 1);
        let points: Vec<i64> = ratings.iter().map(|place| place.points.round() as i64).collect();
        assert_eq!(points, [-338, 0, 0, 338]);
        assert_eq!(ratings[1].deviation, 0.0);
        assert!(ratings[3].deviation > ratings[2].deviation, "what is farther off is less sure");
    }

    #[test]
    fn a_match_without_a_loss_has_a_place_too() {
        let high = ratings(&[won(10, 0)], 0)[1];
        assert!((high.points - 400.0 * 21f64.log10()).abs() < 1e-9, "{high:?}");
        assert!(high.deviation > 150.0, "and says how little is known: {high:?}");
    }

    /// An even match of n games: the share's standard deviation is 1 / (2 √(n + 1)), the slope of the curve is 4 ·
    /// 173.7.
    #[test]
    fn more_games_are_surer() {
        let of = |games: u64| ratings(&[won(games / 2, games / 2)], 0)[1].deviation;
        assert!((of(100) - 4.0 * 173.718 / (2.0 * 101f64.sqrt())).abs() < 0.01);
        assert!(of(400) < of(100));
    }
}
