//! The killer heuristic: moves that recently caused a cutoff at the same ply.

/// The last two cutoff moves of each ply (S. Akl and M. Newborn, "The principal continuation and the killer heuristic",
/// 1977). They often cause a cutoff in a sibling node as well, whose other moves then need not be listed.
#[derive(Debug)]
pub(crate) struct Killers<M> {
    by_ply: Vec<[Option<M>; 2]>,
}

impl<M: Copy + Eq> Killers<M> {
    /// An empty table for this many plies.
    pub(crate) fn new(plies: u32) -> Killers<M> {
        Killers { by_ply: vec![[None; 2]; plies as usize] }
    }

    /// The killers of a ply, newest first.
    pub(crate) fn at(&self, ply: u32) -> impl Iterator<Item = M> + use<M> {
        self.by_ply.get(ply as usize).copied().unwrap_or([None; 2]).into_iter().flatten()
    }

    /// Records a cutoff by a move.
    pub(crate) fn record_cutoff(&mut self, ply: u32, m: M) {
        if let Some(two) = self.by_ply.get_mut(ply as usize).filter(|two| two[0] != Some(m)) {
            *two = [Some(m), two[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killers_keep_last_two_distinct_moves_per_ply() {
        let mut killers = Killers::new(3);
        for m in [7, 8, 8, 9] {
            killers.record_cutoff(1, m);
        }
        assert_eq!(killers.at(1).collect::<Vec<_>>(), [9, 8]);
        assert_eq!(killers.at(0).count(), 0);
        killers.record_cutoff(5, 1);
        assert_eq!(killers.at(5).count(), 0, "farther than anybody looks");
    }
}
