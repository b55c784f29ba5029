//! Parts of a board that belong to one seat: how much it can still take there, exactly or in bounds.
//!
//! The owner plays alone, so this is a longest-path search: depth first, the greedy way first, cut
//! where even the ceiling of what is left cannot beat the best way found, with every finished state
//! remembered. Games for several seats whose parts do not touch are sums of such numbers.

use std::collections::HashMap;
use std::hash::Hash;

/// A part of a board as its only user sees it.
pub trait Solo: Clone + Eq + Hash {
    /// Appends what each step gains and where it leads; the most promising first, if that is known.
    fn steps(&self, out: &mut Vec<(u32, Self)>);

    /// Never less than what can be gained from here: the fish or cells within reach, say.
    fn ceiling(&self) -> u32;
}

/// What is known of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// It is this at least.
    pub least: u32,
    /// It is this at most.
    pub most: u32,
}

impl Span {
    /// Whether the number is known.
    pub fn is_exact(self) -> bool {
        self.least == self.most
    }
}

impl std::iter::Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span { least: 0, most: 0 }, |sum, span| Span {
            least: sum.least + span.least,
            most: sum.most + span.most,
        })
    }
}

/// A solver with its memory, for any number of parts of one game.
#[derive(Debug)]
pub struct Solver<S> {
    known: HashMap<S, u32>,
    budget_nodes: u64,
}

impl<S: Solo> Solver<S> {
    /// A solver that looks at no more than so many states in all.
    pub fn new(budget_nodes: u64) -> Solver<S> {
        Solver { known: HashMap::new(), budget_nodes }
    }

    /// The most that can be gained from a state; exact if the budget lasts.
    pub fn most(&mut self, state: &S) -> Span {
        let (gained, whole) = self.search(state);
        Span { least: gained, most: if whole { gained } else { state.ceiling() } }
    }

    /// The most found, and whether nothing was left out.
    fn search(&mut self, state: &S) -> (u32, bool) {
        if let Some(known) = self.known.get(state) {
            return (*known, true);
        }
        let Some(left) = self.budget_nodes.checked_sub(1) else { return (0, false) };
        self.budget_nodes = left;
        let ceiling = state.ceiling();
        let mut steps = Vec::new();
        state.steps(&mut steps);
        let (mut best, mut whole) = (0, true);
        for (gain, next) in steps {
            if gain + next.ceiling() <= best {
                continue;
            }
            let (gained, exact) = self.search(&next);
            best = best.max(gain + gained);
            whole &= exact;
            if best >= ceiling {
                whole = true;
                break;
            }
        }
        if whole {
            self.known.insert(state.clone(), best);
        }
        (best, whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::seed::Chance;

    /// Fish on a row of islets; whoever stands on one may hop one or two on, or back, and eats what
    /// is there once.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Islets {
        fish: Vec<u32>,
        at: usize,
    }

    impl Islets {
        fn hop(&self, to: usize) -> (u32, Islets) {
            let mut next = Islets { fish: self.fish.clone(), at: to };
            let gain = std::mem::take(&mut next.fish[to]);
            (gain, next)
        }

        fn plain(&self) -> u32 {
            let mut steps = Vec::new();
            self.steps(&mut steps);
            steps.into_iter().map(|(gain, next)| gain + next.plain()).max().unwrap_or(0)
        }
    }

    impl Solo for Islets {
        fn steps(&self, out: &mut Vec<(u32, Islets)>) {
            let goals = [self.at + 1, self.at + 2, self.at.wrapping_sub(1), self.at.wrapping_sub(2)];
            let there = |to: &usize| self.fish.get(*to).is_some_and(|fish| *fish > 0);
            out.extend(goals.into_iter().filter(there).map(|to| self.hop(to)));
        }

        fn ceiling(&self) -> u32 {
            self.fish.iter().sum()
        }
    }

    #[test]
    fn a_step_that_cuts_the_rest_off_is_seen_through() {
        // From the left end: 1, then 9 loses nothing; jumping to 9 at once leaves 1 behind for ever
        // only if the way back is gone, which it is not here.
        let row = Islets { fish: vec![0, 1, 9], at: 0 };
        assert_eq!(Solver::new(100).most(&row), Span { least: 10, most: 10 });
        // Nothing within two hops.
        let gap = Islets { fish: vec![0, 0, 0, 5], at: 0 };
        assert_eq!(Solver::new(100).most(&gap), Span { least: 0, most: 0 });
    }

    #[test]
    fn agrees_with_trying_everything_and_bounds_hold_when_the_budget_ends() {
        let mut chance = Chance::new(3);
        for _ in 0..300 {
            let fish: Vec<u32> = (0..9).map(|_| chance.below(4) as u32).collect();
            let row = Islets { at: chance.below(9) as usize, fish };
            let truth = row.plain();
            assert_eq!(Solver::new(100_000).most(&row), Span { least: truth, most: truth }, "{row:?}");
            let short = Solver::new(chance.below(8)).most(&row);
            assert!(short.least <= truth && truth <= short.most, "{short:?} for {truth} in {row:?}");
        }
    }
}
