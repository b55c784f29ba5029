//! The player of the penguin games: the evaluation is in `crate::floe::evaluation`, and each game provides its weights.

use crate::floe::evaluation::{AT_ONCE, BatchWord, FloeEvaluator, Weights};
use crate::floe::lead_bounds::lead_bounds;
use crate::floe::state::{FloeTerms, State};
use crate::floe::{Floe, Move, Phase};
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::{CellSet, Position, Seat};
use rookery_search::baselines;
use rookery_search::exact;
use rookery_search::generic::{self, Evaluator};

/// Searches a position; `None` if the game is over.
pub(crate) fn think<K: FloeTerms>(
    state: &State<K>,
    request: &SearchRequest,
    weights: &'static Weights,
) -> Option<SearchResult<Move>> {
    match state.floe().board().len() {
        ..=64 => generic::think_as(state, request, FloeSearchEvaluator::<u64>::new(state, weights)),
        65..=128 => generic::think_as(state, request, FloeSearchEvaluator::<u128>::new(state, weights)),
        _ => generic::think_as(state, request, FloeSearchEvaluator::<CellSet>::new(state, weights)),
    }
}

/// The baseline players of these games: greedy by fish, greedy by fish within reach, and random playouts.
pub(crate) fn baselines<K: FloeTerms>() -> &'static [(&'static str, Baseline<K>)] {
    const { &[("greedy", greedy::<K>), ("reach", reach::<K>), ("uct", baselines::uct::<State<K>>)] }
}

/// A baseline player: a search function that never changes.
pub(crate) type Baseline<K> = fn(&State<K>, &SearchRequest) -> Option<SearchResult<Move>>;

fn greedy<K: FloeTerms>(state: &State<K>, request: &SearchRequest) -> Option<SearchResult<Move>> {
    baselines::greedy(state, generic::lead, request)
}

/// Greedy for the lead, counting the fish within one slide of a seat's pieces as its own.
fn reach<K: FloeTerms>(state: &State<K>, request: &SearchRequest) -> Option<SearchResult<Move>> {
    let within = |floe: &Floe, seat: Seat| {
        let lines = floe.board().lines();
        let goals = floe.pieces(seat).iter().map(|cell| lines.reach(cell, !floe.free()));
        floe.fish_on(goals.fold(CellSet::EMPTY, |all, set| all | set)) as i32
    };
    let worth = |state: &State<K>, seat: Seat| {
        let rivals = Seat::all(state.seats()).filter(|rival| *rival != seat);
        let best = rivals.map(|rival| within(state.floe(), rival)).max().unwrap_or(0);
        generic::lead(state, seat) + 100 * (within(state.floe(), seat) - best)
    };
    baselines::greedy(state, worth, request)
}

/// With this many free cells or fewer the search is exhaustive: for games in which pieces walk, and for those in which
/// they spear.
const FEW_TO_WALK: usize = 20;
const FEW_TO_SPEAR: usize = 12;

/// Adapts [`FloeEvaluator`] to the generic search.
#[derive(Clone)]
pub(super) struct FloeSearchEvaluator<W: BatchWord>(FloeEvaluator<W>);

impl<W: BatchWord> FloeSearchEvaluator<W> {
    pub(super) fn new<K: FloeTerms>(state: &State<K>, weights: &'static Weights) -> FloeSearchEvaluator<W> {
        FloeSearchEvaluator(FloeEvaluator::new(state.floe(), K::TERMS, weights))
    }
}

impl<W: BatchWord, K: FloeTerms> Evaluator<State<K>> for FloeSearchEvaluator<W> {
    fn evaluation(&mut self, state: &State<K>, seat: Seat) -> i32 {
        self.0.lead(state.floe(), seat)
    }
    fn evaluations(&mut self, states: &[State<K>], seat: Seat, out: &mut Vec<i32>) {
        self.0.leads(states.iter().map(State::floe), seat, out);
    }
    fn batch_size(&self) -> usize {
        AT_ONCE
    }
    fn plays_for_margin(&self) -> bool {
        true
    }
    /// Every move removes a free cell permanently. With a resigned seat the lead does not matter.
    fn plies_left(&self, state: &State<K>) -> Option<u32> {
        let few = if K::SPEARS { FEW_TO_SPEAR } else { FEW_TO_WALK };
        let free = state.floe().free().len();
        let both = state.seats() == 2 && Seat::all(2).all(|seat| !state.is_retired(seat));
        let ends = both && state.floe().phase() == Phase::Move && free <= few;
        ends.then_some(free as u32)
    }
    fn lead_bounds(&mut self, state: &State<K>, seat: Seat) -> exact::LeadBounds {
        lead_bounds(state.floe(), K::TERMS, seat)
    }
    fn width(&self, _ply: u32, depth: u32) -> usize {
        match depth {
            ..=2 => 16,
            3 => 24,
            _ => 40,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::penguins::Penguins;
    use rookery_core::player::{Level, Limits, Value};
    use rookery_core::rules::GameRules;

    fn value(line: &str) -> Value {
        let limits = Limits { nodes: Some(4_000), ..Limits::default() };
        let position = Penguins::from_line(line).unwrap();
        Penguins::think(&position, &SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) })
            .unwrap()
            .value
    }

    /// The points of the resigned seat affect the evaluation only through the hash, which seeds the evaluation noise:
    /// some hundredths. Counted as points, 60 fish would change it by more than 1,000.
    #[test]
    fn fish_of_resigned_seat_do_not_affect_evaluation() {
        let rows = "1312312/13121213/2131121/11213211/1231112/21113121/1121113/11211312";
        let [few, many] = [0, 60]
            .map(|fish| value(&format!("{rows} a1,h1,c5|a7,h7,d2|a3,g2,e6 1 move 10,{fish},10 any:3 out:2")));
        let (Value::Estimate(few), Value::Estimate(many)) = (few, many) else { panic!("{few:?}, {many:?}") };
        assert!((few - many).abs() < 50, "{few}, {many}");
    }

    #[test]
    fn no_loss_is_proven_against_a_resigned_seat() {
        let rows = "......./......../......./......../......./1......./......./111.....";
        let told = |out: &str| value(&format!("{rows} a1|a3 1 move 3,20 any:1{out}"));
        assert!(matches!(told(""), Value::Lost(_)));
        assert!(!matches!(told(" out:2"), Value::Lost(_)), "{:?}", told(" out:2"));
    }
}
