//! Counts occurrences of positions, for games that end at the third repetition.

/// The hashes of a game's positions so far, including the current one.
///
/// Positions with equal hashes count as one: with 64 bits a collision takes billions of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetitions(Vec<u64>);

impl Repetitions {
    /// A game whose current position occurs for the `times`th time (1 or more) and whose other positions are unknown.
    pub fn starting(hash: u64, times: usize) -> Repetitions {
        Repetitions(vec![hash; times.max(1)])
    }

    /// Adds the current position; returns its number of occurrences, including this one.
    pub fn add(&mut self, hash: u64) -> usize {
        self.0.push(hash);
        self.times(hash)
    }

    /// The number of occurrences of a position.
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
