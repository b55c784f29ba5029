//! Commitments: randomness is fixed before anyone joins, and everyone can verify that afterwards.
//!
//! The bot commits to a table's seed when it opens the table: `/verify` shows a digest of the seed and of a
//! secret random salt. When the game is over both are shown, and everyone can recompute the digest:
//! `printf 'rookery seed 1\n%s\n%s' SEED SALT | sha256sum`.
//!
//! If everyone knows the seed, because a person chose it or because it is the seed of a set's first game, the
//! layout is not secret. What is drawn during the game (ties in votes, the bot's choices) must still be. Such
//! a table gets a separate draw seed when it is opened, and the commitment is to that one instead.

use serde::{Deserialize, Serialize};

use super::digest::sha256_hex;
use rookery_core::seed::{SeededRng, mix};

/// Separates the draw of the seats from other draws with the same seed.
const SEAT_DRAW_SALT: u64 = 0x5ea7;

/// How a table's randomness was fixed. The host gives the request; the registry commits to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedCommitment {
    /// Whether the seed is public from the start. Then the commitment is to `draw_seed` instead.
    pub chosen: bool,
    /// Whether seats are assigned at random: the host's chair is then [`host_seat`].
    pub seats: bool,
    /// The salt that keeps the seed from being found by trial: 32 hexadecimal digits. Empty without a
    /// commitment.
    pub salt: String,
    /// The digest that `/verify` shows from the start: 64 hexadecimal digits. Empty without a commitment.
    pub digest: String,
    /// The seed of draws during the game if the table's seed is public; `None` if draws use the table's seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "lots")]
    pub draw_seed: Option<u64>,
}

impl SeedCommitment {
    /// Returns the request for a table that is to be opened.
    pub fn requested(chosen: bool, seats: bool) -> SeedCommitment {
        SeedCommitment { chosen, seats, ..SeedCommitment::default() }
    }

    /// Commits to a seed with a new salt. A `requested` value that already holds a commitment (of the game
    /// that a rematch repeats, for example) is ignored.
    #[must_use]
    pub fn commit(requested: Option<&SeedCommitment>, seed: u64, rng: &mut SeededRng) -> SeedCommitment {
        let requested =
            requested.filter(|requested| requested.digest.is_empty()).cloned().unwrap_or_default();
        let salt = format!("{:016x}{:016x}", rng.bits(), rng.bits());
        // 53 bits, like seeds, so that the number is exact in programs that compute with doubles.
        let draw_seed = requested.chosen.then(|| rng.bits() >> 11);
        SeedCommitment { digest: digest(draw_seed.unwrap_or(seed), &salt), salt, draw_seed, ..requested }
    }

    /// Returns whether the seed must stay secret until the end of the game.
    pub fn is_secret(&self) -> bool {
        !self.digest.is_empty() && self.draw_seed.is_none()
    }

    /// Returns whether the digest, if there is one, matches this seed, or the draw seed if there is one.
    pub fn fits(&self, seed: u64) -> bool {
        self.digest.is_empty() || self.digest == digest(self.draw_seed.unwrap_or(seed), &self.salt)
    }
}

/// Returns the digest of a seed and a salt, in hexadecimal digits.
pub fn digest(seed: u64, salt: &str) -> String {
    sha256_hex(&format!("rookery seed 1\n{seed}\n{salt}"))
}

/// Returns the host's seat if seats are assigned at random, for `chairs` seats (1 or more).
pub fn host_seat(seed: u64, chairs: usize) -> usize {
    (mix(seed ^ SEAT_DRAW_SALT) % chairs as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Terms;

    /// `printf 'rookery seed 1\n%s\n%s' 5 00ff | sha256sum`.
    #[test]
    fn anybody_can_count_a_digest_again() {
        assert_eq!(digest(5, "00ff"), "0540774c5876b3d54065dd1a89d94585ea58dd8349f287b889a512a0fdf6f681");
    }

    #[test]
    fn commitment_matches_its_seed_only() {
        let mut rng = SeededRng::new(1);
        let commitment = SeedCommitment::commit(Some(&SeedCommitment::requested(false, true)), 5, &mut rng);
        assert!(commitment.fits(5) && commitment.seats && !commitment.fits(6));
        let again = SeedCommitment::commit(None, 5, &mut rng);
        assert_ne!(commitment.digest, again.digest, "the same seed does not show twice");
        let open = SeedCommitment::commit(Some(&SeedCommitment::requested(true, false)), 5, &mut rng);
        assert!(open.chosen && !open.is_secret(), "everybody knows the seed");
        let draw_seed = open.draw_seed.unwrap();
        assert_eq!(open.digest, digest(draw_seed, &open.salt), "the lots are sealed in its place");
        assert!(open.fits(5) && !SeedCommitment { draw_seed: Some(draw_seed ^ 1), ..open.clone() }.fits(5));
        let next = SeedCommitment::commit(Some(&SeedCommitment::requested(true, false)), 5, &mut rng);
        assert_ne!(next.draw_seed, open.draw_seed, "the same seed again says nothing about the lots");
        let terms = |commitment: Option<SeedCommitment>| Terms {
            seed: 5,
            commitment: commitment.map(Box::new),
            ..Terms::default()
        };
        assert_eq!((terms(Some(open)).draw_seed(), terms(None).draw_seed()), (draw_seed, 5));
        assert!(!SeedCommitment::commit(Some(&commitment), 7, &mut rng).seats, "an old pledge is no wish");
    }

    #[test]
    fn every_chair_is_as_likely() {
        let count = |chair| (0..4_000).filter(|seed| host_seat(*seed, 4) == chair).count();
        // Six standard deviations of a binomial count (4000, 1/4) are 164.
        assert!((0..4).all(|chair| (836..=1_164).contains(&count(chair))));
    }
}
