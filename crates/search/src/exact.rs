//! Exhaustive search of the last moves of a game for two that is won by counting. Its results are proven; without a
//! large enough budget there is no result.

use std::collections::HashMap;

use super::SearchClock;
use rookery_core::player::Value;
use rookery_core::{Position, Seat};

/// Lower and upper bound of a seat's final lead with any play from a position on; equal once the game is over. A lead
/// of 0 is a draw.
pub type LeadBounds = (i32, i32);

/// A proven result of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof<M> {
    /// Won, lost or drawn.
    pub value: Value,
    /// The lead that `best` guarantees; not the maximum if the budget ran out. A loss has this lead at most.
    pub lead: i32,
    /// A move that guarantees the lead; `None` if all moves lose.
    pub best: Option<M>,
}

/// One part in this many of the node and time budget may be spent here.
const BUDGET_DIVISOR: u64 = 3;
/// Maximum number of positions.
const MAX_NODES: u64 = 1_000_000;

/// Proves the result of a game for two that is over in at most `plies` more plies. `None` if the budget does not
/// suffice.
pub fn prove<P: Position>(
    position: &P,
    plies: u32,
    bounds: impl FnMut(&P, Seat) -> LeadBounds,
    clock: &mut SearchClock,
) -> Option<Proof<P::Move>> {
    let nodes_left = clock.most_nodes().map_or(MAX_NODES, |nodes| (nodes / BUDGET_DIVISOR).min(MAX_NODES));
    let seat = position.turn();
    let mut search = ExactSearch { bounds, clock, seat, nodes_left, known: HashMap::new() };
    let Some(best) = search.best(position, 1)? else {
        let even = search.best(position, 0)?;
        let value = if even.is_some() { Value::Drawn } else { Value::Lost(plies) };
        return Some(Proof { value, lead: if even.is_some() { 0 } else { -1 }, best: even });
    };
    let (best, lead) = search.highest(position, best);
    Some(Proof { value: Value::Won(plies), lead, best: Some(best) })
}

/// A child position and its static bounds.
struct Next<P: Position> {
    m: P::Move,
    position: P,
    bounds: LeadBounds,
}

struct ExactSearch<'a, S> {
    bounds: S,
    clock: &'a mut SearchClock,
    /// The seat whose lead is computed.
    seat: Seat,
    nodes_left: u64,
    /// By position hash: the greatest lead that the seat is known to reach, and the smallest that it is known not to
    /// reach.
    known: HashMap<u64, LeadBounds>,
}

/// A result; `None` if the budget did not suffice.
type WithinBudget<T> = Option<T>;

impl<S> ExactSearch<'_, S> {
    /// The greatest lead that the seat can guarantee, given a move that guarantees 1, and the move for it; the best
    /// found so far if the budget runs out. The step doubles after a success and halves after a failure, because the
    /// deciding points may come in hundreds.
    fn highest<P: Position>(&mut self, position: &P, best: P::Move) -> (P::Move, i32)
    where
        S: FnMut(&P, Seat) -> LeadBounds,
    {
        let (mut best, mut sure, mut step) = (best, 1, 1);
        let mut never = (self.bounds)(position, self.seat).1.saturating_add(1);
        while sure + 1 < never {
            let aim = sure.saturating_add(step).min(never - 1);
            match self.best(position, aim) {
                Some(Some(better)) => (best, sure, step) = (better, aim, step.saturating_mul(2)),
                Some(None) => (never, step) = (aim, (step / 2).max(1)),
                None => break,
            }
        }
        (best, sure)
    }

    /// A move of the seat that guarantees this lead.
    fn best<P: Position>(&mut self, position: &P, lead: i32) -> WithinBudget<Option<P::Move>>
    where
        S: FnMut(&P, Seat) -> LeadBounds,
    {
        for next in self.children(position)? {
            if self.holds(&next, lead)? {
                return Some(Some(next.m));
            }
        }
        Some(None)
    }

    /// Whether the seat can guarantee a lead in a position.
    fn holds<P: Position>(&mut self, at: &Next<P>, lead: i32) -> WithinBudget<bool>
    where
        S: FnMut(&P, Seat) -> LeadBounds,
    {
        if at.bounds.0 >= lead || at.bounds.1 < lead {
            return Some(at.bounds.0 >= lead);
        }
        let key = at.position.hash();
        let (sure, never) = self.known.get(&key).copied().unwrap_or((i32::MIN, i32::MAX));
        if sure >= lead || never <= lead {
            return Some(sure >= lead);
        }
        let holds = self.holds_after(&at.position, lead)?;
        let (sure, never) = self.known.get(&key).copied().unwrap_or((i32::MIN, i32::MAX));
        let now = if holds { (sure.max(lead), never) } else { (sure, never.min(lead)) };
        self.known.insert(key, now);
        Some(holds)
    }

    /// The same, by trying all moves: one is enough if the seat moves, all are needed if the opponent does.
    fn holds_after<P: Position>(&mut self, position: &P, lead: i32) -> WithinBudget<bool>
    where
        S: FnMut(&P, Seat) -> LeadBounds,
    {
        let own = position.turn() == self.seat;
        for next in self.children(position)? {
            if self.holds(&next, lead)? == own {
                return Some(own);
            }
        }
        Some(!own)
    }

    /// All child positions, best-looking for the side to move first.
    fn children<P: Position>(&mut self, position: &P) -> WithinBudget<Vec<Next<P>>>
    where
        S: FnMut(&P, Seat) -> LeadBounds,
    {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let spent = moves.len() as u64;
        self.nodes_left = self.nodes_left.checked_sub(spent)?;
        if self.clock.count_nodes(spent) || self.clock.is_past(1.0 / BUDGET_DIVISOR as f32) {
            return None;
        }
        let mut children: Vec<Next<P>> = moves.into_iter().map(|m| self.next(position, m)).collect();
        let sign = if position.turn() == self.seat { -1 } else { 1 };
        children.sort_by_key(|next| sign * (next.bounds.0 + next.bounds.1));
        Some(children)
    }

    fn next<P: Position>(&mut self, position: &P, m: P::Move) -> Next<P>
    where
        S: FnMut(&P, Seat) -> LeadBounds,
    {
        let mut next = position.clone();
        next.play_unchecked(m);
        let bounds = (self.bounds)(&next, self.seat);
        Next { m, position: next, bounds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::player::{Halt, Limits};
    use rookery_core::seed::{SeededRng, mix};
    use rookery_core::{IllegalMove, Outcome, Reason};

    /// Coins in a row; the side to move takes one from either end.
    #[derive(Clone, Debug, PartialEq)]
    struct Coins {
        row: Vec<i32>,
        turn: Seat,
        /// The lead of the first player.
        lead: i32,
    }

    impl Coins {
        fn lead_bounds(&self, seat: Seat) -> LeadBounds {
            let left: i32 = self.row.iter().sum();
            let lead = if seat == Seat::FIRST { self.lead } else { -self.lead };
            (lead - left, lead + left)
        }

        /// The lead of the side to move with best play, by brute force.
        fn truth(&self) -> i32 {
            let mut moves = Vec::new();
            self.moves(&mut moves);
            let after = |m| {
                let mut next = self.clone();
                next.play_unchecked(m);
                -next.truth()
            };
            moves.into_iter().map(after).max().unwrap_or(self.lead_bounds(self.turn).0)
        }
    }

    impl Position for Coins {
        type Move = bool;

        fn seats(&self) -> usize {
            2
        }
        fn turn(&self) -> Seat {
            self.turn
        }
        fn outcome(&self) -> Option<Outcome> {
            self.row.is_empty().then(|| Outcome::win(Seat::FIRST, Reason::Points))
        }
        fn moves(&self, out: &mut Vec<bool>) {
            out.extend([false, true].into_iter().filter(|_| !self.row.is_empty()));
        }
        fn check(&self, _: bool) -> Result<(), IllegalMove> {
            Ok(())
        }
        fn play_unchecked(&mut self, last: bool) {
            let coin = self.row.remove(if last { self.row.len() - 1 } else { 0 });
            self.lead += if self.turn == Seat::FIRST { coin } else { -coin };
            self.turn = self.turn.next(2);
        }
        fn hash(&self) -> u64 {
            self.fresh_hash()
        }
        fn fresh_hash(&self) -> u64 {
            let row = self.row.iter().fold(self.row.len() as u64, |sum, coin| mix(sum ^ *coin as u64));
            mix(row ^ (self.lead as u64) << 8 ^ self.turn.index() as u64)
        }
    }

    fn proof(coins: &Coins, nodes: u64) -> Option<Proof<bool>> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut clock = SearchClock::start(limits, Halt::default());
        prove(coins, coins.row.len() as u32, Coins::lead_bounds, &mut clock)
    }

    #[test]
    fn exact_proofs_equal_brute_force() {
        let mut rng = SeededRng::new(4);
        for _ in 0..300 {
            let row = (0..1 + rng.below(9)).map(|_| rng.below(5) as i32).collect();
            let coins = Coins { row, turn: Seat::FIRST, lead: rng.below(5) as i32 - 2 };
            let truth = coins.truth();
            let found = proof(&coins, 1_000_000).expect("so few coins are looked through");
            let right = match found.value {
                Value::Won(_) => truth > 0 && found.lead == truth,
                Value::Drawn => truth == 0,
                _ => truth < 0 && found.best.is_none(),
            };
            assert!(right, "{found:?} for {truth} in {coins:?}");
            if let Some(best) = found.best {
                let mut next = coins.clone();
                next.play_unchecked(best);
                assert_eq!(-next.truth(), truth, "{best} in {coins:?}");
            }
        }
    }

    /// Points that count in hundreds need hardly more attempts than points that count one by one.
    #[test]
    fn a_great_lead_is_found_in_few_tries() {
        let mut rng = SeededRng::new(8);
        for _ in 0..40 {
            let row: Vec<i32> = (0..9).map(|_| rng.below(5) as i32).collect();
            let small = Coins { row, turn: Seat::FIRST, lead: 0 };
            if small.truth() <= 0 {
                continue;
            }
            let great = Coins { row: small.row.iter().map(|coin| coin << 8).collect(), ..small.clone() };
            assert_eq!(proof(&great, 12_000).map(|proof| proof.lead), Some(small.truth() << 8), "{small:?}");
        }
    }

    #[test]
    fn exact_search_with_small_budget_proves_nothing_false() {
        let mut rng = SeededRng::new(6);
        let mut unknown = 0;
        for _ in 0..200 {
            let row = (0..9).map(|_| rng.below(5) as i32).collect();
            let coins = Coins { row, turn: Seat::FIRST, lead: 0 };
            match proof(&coins, rng.below(200)).map(|proof| proof.value) {
                None => unknown += 1,
                Some(Value::Won(_)) => assert!(coins.truth() > 0),
                Some(Value::Drawn) => assert_eq!(coins.truth(), 0),
                Some(_) => assert!(coins.truth() < 0),
            }
        }
        assert!((1..200).contains(&unknown), "{unknown}");
    }
}
