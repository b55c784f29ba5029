//! commitments: chance is settled before anybody joins, and everybody can see afterwards that it was.
//!
//! A table's seed is sealed when it is opened: the announcement shows a digest of the seed and of a
//! salt that nobody can guess. When the game is over both are shown, and everybody can compute the digest:
//! `printf 'rookery seed 1\n%s\n%s' SEED SALT | sha256sum`.
//!
//! Where everybody knows the seed, since somebody chose it or it is that of a set's first game, the layout is
//! no secret; but what is drawn while the game goes on (ties among votes, the program's choices) must be. Such
//! a table has lots of its own, drawn when it is opened, and those are sealed in the seed's place.

use serde::{Deserialize, Serialize};

use super::digest::sha256_hex;
use rookery_core::seed::{SeededRng, mix};

/// Told apart from all else that is drawn from a seed: who sits where.
const SEATS: u64 = 0x5ea7;

/// How a table's chance was settled. The host gives a `wish`; the registry commits to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedCommitment {
    /// Whether the seed is known from the start: then it is no secret, and `lots` are sealed in its place.
    pub chosen: bool,
    /// Whether chance decided who sits where: the host's chair is [`host_chair`] then.
    pub seats: bool,
    /// What keeps the seed from being found by trying: 32 hexadecimal digits. Empty if not sealed.
    pub salt: String,
    /// The digest that is shown from the start: 64 hexadecimal digits. Empty if not sealed.
    pub digest: String,
    /// What lots are drawn from where the seed is no secret. `None` where they are drawn from the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "lots")]
    pub draw_seed: Option<u64>,
}

impl SeedCommitment {
    /// What a table that is to be opened asks for.
    pub fn requested(chosen: bool, seats: bool) -> SeedCommitment {
        SeedCommitment { chosen, seats, ..SeedCommitment::default() }
    }

    /// The commitment for a seed, by a salt drawn now. A commitment that was sealed before (of a game that is
    /// played again, say) says nothing about the new one.
    #[must_use]
    pub fn commit(requested: Option<&SeedCommitment>, seed: u64, chance: &mut SeededRng) -> SeedCommitment {
        let requested =
            requested.filter(|requested| requested.digest.is_empty()).cloned().unwrap_or_default();
        let salt = format!("{:016x}{:016x}", chance.bits(), chance.bits());
        // Of 53 bits, like seeds: people can type it into anything that counts in doubles.
        let draw_seed = requested.chosen.then(|| chance.bits() >> 11);
        SeedCommitment { digest: digest(draw_seed.unwrap_or(seed), &salt), salt, draw_seed, ..requested }
    }

    /// Whether the seed is a secret to be kept until the end.
    pub fn is_secret(&self) -> bool {
        !self.digest.is_empty() && self.draw_seed.is_none()
    }

    /// Whether the digest, if there is one, is that of this seed, or of the lots in its place.
    pub fn fits(&self, seed: u64) -> bool {
        self.digest.is_empty() || self.digest == digest(self.draw_seed.unwrap_or(seed), &self.salt)
    }
}

/// The digest of a seed and a salt, in hexadecimal digits.
pub fn digest(seed: u64, salt: &str) -> String {
    sha256_hex(&format!("rookery seed 1\n{seed}\n{salt}"))
}

/// The host's seat where chance decides, for this number of chairs (1 or more).
pub fn host_chair(seed: u64, chairs: usize) -> usize {
    (mix(seed ^ SEATS) % chairs as u64) as usize
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
    fn a_pledge_fits_its_seed_and_no_other() {
        let mut chance = SeededRng::new(1);
        let commitment =
            SeedCommitment::commit(Some(&SeedCommitment::requested(false, true)), 5, &mut chance);
        assert!(commitment.fits(5) && commitment.seats && !commitment.fits(6));
        let again = SeedCommitment::commit(None, 5, &mut chance);
        assert_ne!(commitment.digest, again.digest, "the same seed does not show twice");
        let open = SeedCommitment::commit(Some(&SeedCommitment::requested(true, false)), 5, &mut chance);
        assert!(open.chosen && !open.is_secret(), "everybody knows the seed");
        let draw_seed = open.draw_seed.unwrap();
        assert_eq!(open.digest, digest(draw_seed, &open.salt), "the lots are sealed in its place");
        assert!(open.fits(5) && !SeedCommitment { draw_seed: Some(draw_seed ^ 1), ..open.clone() }.fits(5));
        let next = SeedCommitment::commit(Some(&SeedCommitment::requested(true, false)), 5, &mut chance);
        assert_ne!(next.draw_seed, open.draw_seed, "the same seed again says nothing about the lots");
        let terms = |commitment: Option<SeedCommitment>| Terms {
            seed: 5,
            commitment: commitment.map(Box::new),
            ..Terms::default()
        };
        assert_eq!((terms(Some(open)).draw_seed(), terms(None).draw_seed()), (draw_seed, 5));
        assert!(!SeedCommitment::commit(Some(&commitment), 7, &mut chance).seats, "an old pledge is no wish");
    }

    #[test]
    fn every_chair_is_as_likely() {
        let count = |chair| (0..4_000).filter(|seed| host_chair(*seed, 4) == chair).count();
        // Six standard deviations of a binomial count (4000, 1/4) are 164.
        assert!((0..4).all(|chair| (836..=1_164).contains(&count(chair))));
    }
}
