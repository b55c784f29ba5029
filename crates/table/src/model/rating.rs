//! The rating of a person or of a level, and the pools in which ratings are compared.

use serde::{Deserialize, Serialize};

/// A newcomer's mean and deviation.
pub(crate) const NEWCOMER: (f64, f64) = (1_500.0, 350.0);
/// A newcomer's volatility, as the paper proposes.
pub(crate) const VOLATILITY: f64 = 0.06;
/// Above this deviation a rating says little yet.
const PROVISIONAL_FROM: f64 = 110.0;

/// How strong somebody is taken to be, and how sure that is. In whole thousandths, so that what is read
/// from a journal is what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// The estimate in thousandths of a point; 1,500,000 is a newcomer's.
    pub mean_milli: i64,
    /// Its standard deviation in thousandths of a point, 350,000 at most.
    pub deviation_milli: u32,
    /// How unsteady the results are, as Glicko-2 has it, in millionths; games of three and four leave it.
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

    /// A rating that comes from no games here; no less sure than a newcomer's.
    pub fn guess(mean: f64, deviation: f64) -> Rating {
        Rating::of(mean, deviation.min(NEWCOMER.1), VOLATILITY)
    }

    /// The estimate in points.
    pub fn mean(&self) -> f64 {
        self.mean_milli as f64 / 1e3
    }

    /// Its standard deviation in points.
    pub fn deviation(&self) -> f64 {
        f64::from(self.deviation_milli) / 1e3
    }

    /// Whether it says little yet.
    pub fn is_provisional(&self) -> bool {
        self.deviation() > PROVISIONAL_FROM
    }
}

/// Whom a rating compares with whom: strength against people and against the program are kept apart, and
/// so are games of two and of more, which ask for other skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pool {
    /// Games of two people.
    Two,
    /// Games of three and four people.
    Many,
    /// Games of one person against the program.
    Program,
}

impl Pool {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Pool; 3] = [Pool::Two, Pool::Many, Pool::Program];

    /// Its key: `two`, `many`, `program`.
    pub fn key(self) -> &'static str {
        match self {
            Pool::Two => "two",
            Pool::Many => "many",
            Pool::Program => "program",
        }
    }

    /// The pool of this key.
    pub fn named(key: &str) -> Option<Pool> {
        Pool::ALL.into_iter().find(|pool| pool.key() == key)
    }
}
