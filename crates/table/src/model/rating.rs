//! The rating of a person or of a level, and the pools in which ratings are compared.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The mean and deviation of a new player.
pub(crate) const NEWCOMER: (f64, f64) = (1_500.0, 350.0);
/// The volatility of a new player, as the Glicko-2 paper proposes.
pub(crate) const VOLATILITY: f64 = 0.06;
/// The deviation above which a rating is provisional, in thousandths of a point.
pub const PROVISIONAL_DEVIATION_MILLI: u32 = 110_000;

/// An estimate of playing strength with its uncertainty. Integers in thousandths, so that values read from a
/// journal equal those written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// The estimate in thousandths of a point; 1,500,000 for a new player.
    pub mean_milli: i64,
    /// Its standard deviation in thousandths of a point, 350,000 at most.
    pub deviation_milli: u32,
    /// The Glicko-2 volatility in millionths. Games of three and four players do not change it.
    pub volatility_micro: u32,
}

impl Default for Rating {
    fn default() -> Rating {
        Rating::of(NEWCOMER.0, NEWCOMER.1, VOLATILITY)
    }
}

impl Rating {
    pub(crate) fn of(mean: f64, deviation: f64, volatility: f64) -> Rating {
        Rating {
            mean_milli: (mean * 1e3).round() as i64,
            deviation_milli: (deviation * 1e3).round() as u32,
            volatility_micro: (volatility * 1e6).round() as u32,
        }
    }

    /// Returns a rating that is not based on games here; its deviation is at most that of a new player.
    pub fn guess(mean: f64, deviation: f64) -> Rating {
        Rating::of(mean, deviation.min(NEWCOMER.1), VOLATILITY)
    }

    /// Returns the estimate in points.
    pub fn mean(&self) -> f64 {
        self.mean_milli as f64 / 1e3
    }

    /// Returns the standard deviation in points.
    pub fn deviation(&self) -> f64 {
        f64::from(self.deviation_milli) / 1e3
    }

    /// Returns whether the rating is provisional: its deviation is above 110 points.
    pub fn is_provisional(&self) -> bool {
        self.deviation_milli > PROVISIONAL_DEVIATION_MILLI
    }
}

/// The kind of games that a rating covers. Strength against people and against the bot is rated separately,
/// and so are games of two and of more players, which need different skills.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "snake_case")]
pub enum RatingPool {
    /// Games of two people.
    Two,
    /// Games of three and four people.
    Many,
    /// Games of one person against the bot.
    Program,
}

impl RatingPool {
    /// All pools, in display order.
    pub const ALL: &[RatingPool] = RatingPool::VARIANTS;

    /// Returns the key: `two`, `many`, `program`.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// Returns the pool of this key.
    pub fn named(key: &str) -> Option<RatingPool> {
        key.parse().ok()
    }
}
