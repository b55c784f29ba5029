//! How a rated game changes the ratings of its players.
//!
//! Two seats: Glicko-2 (M. Glickman, "Example of the Glicko-2 system", 2022). Three and four: the
//! Bradley-Terry model with full pairs of R. Weng and C. Lin, "A Bayesian approximation method for online
//! ranking", JMLR 12, 2011. Both on one scale, where a newcomer has 1500 ± 350.

use std::cmp::Ordering;

use jiff::SignedDuration;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

use crate::model::rating::NEWCOMER;
pub use crate::model::rating::{PROVISIONAL_DEVIATION_MILLI, Rating, RatingPool};

/// The spread of a single game's result on this scale: half of a newcomer's deviation, as in the paper by Weng and Lin.
const BETA: f64 = NEWCOMER.1 / 2.0;
/// A rating period: the deviation grows once in each period without a game.
const PERIOD: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Periods after which the deviation no longer grows (350 from 30 takes some 1,100).
const MAX_PERIODS: i64 = 1_200;

impl Rating {
    /// Returns the rating after a time without a game: the same mean with a larger deviation.
    #[must_use]
    pub fn rested(self, idle: SignedDuration) -> Rating {
        let periods = (idle.as_secs() / PERIOD.as_secs()).clamp(0, MAX_PERIODS);
        (0..periods).fold(self.into(), |rating, _| decay_deviation(&rating)).into()
    }

    /// Returns the rating after a period with these results: the opponent's rating and the points, 0, ½ or 1.
    fn after_period(self, results: &[(Rating, Outcomes)]) -> Rating {
        let results: Vec<_> = results.iter().map(|(other, outcome)| ((*other).into(), *outcome)).collect();
        glicko2_rating_period(&self.into(), &results, &Glicko2Config::new()).into()
    }
}

impl From<Rating> for Glicko2Rating {
    fn from(rating: Rating) -> Glicko2Rating {
        let volatility = f64::from(rating.volatility_micro) / 1e6;
        Glicko2Rating { rating: rating.mean(), deviation: rating.deviation(), volatility }
    }
}

impl From<Glicko2Rating> for Rating {
    fn from(rating: Glicko2Rating) -> Rating {
        Rating::of(rating.rating, rating.deviation, rating.volatility)
    }
}

/// Returns the ratings after a game. `ranks` holds each player's place, 0 for the first; players with equal places
/// share it. `before` and `ranks` are in seat order, two to four of each.
pub fn after_game(before: &[Rating], ranks: &[usize]) -> Vec<Rating> {
    match (before, ranks) {
        ([a, b], [rank_a, rank_b]) => {
            let (for_a, for_b) = match rank_a.cmp(rank_b) {
                Ordering::Less => (Outcomes::WIN, Outcomes::LOSS),
                Ordering::Equal => (Outcomes::DRAW, Outcomes::DRAW),
                Ordering::Greater => (Outcomes::LOSS, Outcomes::WIN),
            };
            vec![a.after_period(&[(*b, for_a)]), b.after_period(&[(*a, for_b)])]
        }
        _ => after_many(before, ranks),
    }
}

fn after_many(before: &[Rating], ranks: &[usize]) -> Vec<Rating> {
    let alone: Vec<[WengLinRating; 1]> = before
        .iter()
        .map(|rating| [WengLinRating { rating: rating.mean(), uncertainty: rating.deviation() }])
        .collect();
    let placed: Vec<_> =
        alone.iter().zip(ranks).map(|(one, rank)| (&one[..], MultiTeamOutcome::new(*rank))).collect();
    let config = WengLinConfig { beta: BETA, ..WengLinConfig::new() };
    let after = weng_lin_multi_team(&placed, &config);
    let rating = |(before, after): (&Rating, Vec<WengLinRating>)| {
        let volatility = f64::from(before.volatility_micro) / 1e6;
        after.first().map_or(*before, |one| Rating::of(one.rating, one.uncertainty, volatility))
    };
    before.iter().zip(after).map(rating).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::rating::VOLATILITY;

    fn rated(mean: f64, deviation: f64) -> Rating {
        Rating::of(mean, deviation, VOLATILITY)
    }

    fn close(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() < by, "{a} is not {b}");
    }

    /// The example in Glickman's paper.
    #[test]
    fn a_period_is_worth_what_glickman_says() {
        let results = [
            (rated(1_400.0, 30.0), Outcomes::WIN),
            (rated(1_550.0, 100.0), Outcomes::LOSS),
            (rated(1_700.0, 300.0), Outcomes::LOSS),
        ];
        let after = rated(1_500.0, 200.0).after_period(&results);
        close(after.mean(), 1_464.06, 0.01);
        close(after.deviation(), 151.52, 0.01);
        assert_eq!(after.volatility_micro, 59_996, "0.05999 in the paper, cut off");
    }

    /// Algorithm 1 of Weng and Lin by hand, for newcomers: c² = 2σ² + 2β² and β = σ/2, so that σ²/c² = 0.4; every pair
    /// has p = ½. The i-th of four gains σ²/c · (3 − 2i)/2, and with γ = σ/c all lose 3 · γ · 0.4 · ¼ of their
    /// variance.
    #[test]
    fn a_game_of_four_newcomers_is_worth_what_weng_and_lin_say() {
        let after = after_game(&[Rating::default(); 4], &[0, 1, 2, 3]);
        let sigma = NEWCOMER.1;
        let gamma = 0.4_f64.sqrt();
        for (rating, pairs) in after.iter().zip([1.5, 0.5, -0.5, -1.5]) {
            close(rating.mean(), NEWCOMER.0 + sigma * gamma * pairs, 1e-3);
            close(rating.deviation(), sigma * (1.0 - 3.0 * gamma * 0.4 * 0.25).sqrt(), 1e-3);
        }
    }

    #[test]
    fn who_shares_a_place_moves_alike() {
        let after = after_game(&[Rating::default(); 3], &[0, 0, 2]);
        close(after[0].mean(), after[1].mean(), 1e-3);
        assert!(after[0].mean() > 1_500.0 && after[2].mean() < 1_500.0);
        let drawn = after_game(&[Rating::default(); 2], &[0, 0]);
        close(drawn[0].mean(), 1_500.0, 1e-3);
        assert!(drawn[0].deviation() < NEWCOMER.1, "a draw tells something too");
    }

    #[test]
    fn who_rests_is_less_sure_and_never_less_than_a_newcomer() {
        let settled = rated(1_700.0, 50.0);
        assert_eq!(settled.rested(PERIOD - SignedDuration::from_millis(1)), settled);
        // √(φ² + σ²) on Glicko-2's scale of 173.7178 points, as in step 6 of the paper.
        let once = 173.7178 * (50.0_f64 / 173.7178).hypot(VOLATILITY);
        close(settled.rested(PERIOD).deviation(), once, 1e-3);
        assert!(!settled.is_provisional());
        let long = settled.rested(SignedDuration::from_millis(i64::MAX));
        assert!(long.deviation() <= NEWCOMER.1 && long.is_provisional());
        close(long.mean(), 1_700.0, 1e-3);
    }
}
