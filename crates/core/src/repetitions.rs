//! How often positions have occurred, for games that end at the third repetition.

/// The positions of a game so far, by hash, the one on the board included.
///
/// Two positions with equal hashes count as one: with 64 bits that takes billions of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetitions(Vec<u64>);

impl Repetitions {
    /// A game in which this position stands now, for the `times`th time (1 or more), and no other is
    /// remembered.
    pub fn starting(hash: u64, times: usize) -> Repetitions {
        Repetitions(vec![hash; times.max(1)])
    }

    /// Adds the position that came up now; how often it has stood, this time included.
    pub fn add(&mut self, hash: u64) -> usize {
        self.0.push(hash);
        self.times(hash)
    }

    /// How often a position has stood.
    pub fn times(&self, hash: u64) -> usize {
        self.0.iter().filter(|seen| **seen == hash).count()
    }

    /// The positions that have occurred `times` times or more.
    pub fn standing(&self, times: usize) -> Vec<u64> {
        let mut hashes = self.0.clone();
        hashes.sort_unstable();
        let often = |group: &&[u64]| group.len() >= times;
        hashes.chunk_by(|a, b| a == b).filter(often).map(|group| group[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Repetitions;

    #[test]
    fn each_position_is_counted_by_itself() {
        let mut repeats = Repetitions::starting(7, 1);
        assert_eq!(repeats.add(8), 1);
        assert_eq!(repeats.add(7), 2);
        assert_eq!(repeats.add(7), 3);
        assert_eq!((repeats.times(8), repeats.times(9)), (1, 0));
        assert_eq!(Repetitions::starting(7, 2).times(7), 2);
        assert_eq!((repeats.standing(2), repeats.standing(1)), (vec![7], vec![7, 8]));
    }
}
