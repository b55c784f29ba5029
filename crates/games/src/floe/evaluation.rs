//! The evaluation of a floe for every seat: its result so far, its certain gains, and its share of the rest by which
//! seat reaches each cell first.

use super::batch::{BatchShape, FloeBatch, LANES};
pub(crate) use super::batch::{BatchWord, FEATURES, Features};
use super::endgame_count::Terms;
use super::reachable_tiles::TakeRule;
use super::regions::Regions;
use super::{Floe, Phase};
use rookery_core::{MAX_SEATS, Seat};

/// The weight of each feature in hundredths of a fish, in rows: the first two before the first and after the last piece
/// is placed; the others, while pieces move, for a floe with no free cells, a third, two thirds and all of them.
/// Weights are interpolated between rows.
pub(crate) type Weights = [[i32; FEATURES]; ROWS];

/// Number of rows of weights.
pub(crate) const ROWS: usize = PLACING + MOVING;
const PLACING: usize = 2;
const MOVING: usize = 4;

/// Evaluates floes of one board and one game.
#[derive(Clone, Debug)]
pub(crate) struct FloeEvaluator<W: BatchWord> {
    floe_batch: FloeBatch<W>,
    terms: Terms,
    weights: &'static Weights,
    regions: Regions<W>,
    mixed: Mixed,
    certain: [Certain; LANES],
    last: Option<(u64, Finals)>,
}

/// Floes that are evaluated together in hardly more time than one.
pub(crate) const AT_ONCE: usize = LANES;

/// The estimated result of every seat in hundredths of a fish.
type Finals = [i32; MAX_SEATS];

/// The certain results on a floe.
#[derive(Clone, Copy, Debug, Default)]
struct Certain {
    /// The result of each seat.
    sure: Finals,
    /// Whether anything is left to take.
    open: bool,
}

/// The features of a floe, before weighting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloeFeatures {
    /// The certain result of each seat in hundredths of a fish.
    pub sure: [i32; MAX_SEATS],
    /// The possible gains of each seat; `None` if no region is shared.
    pub open: Option<[Features; MAX_SEATS]>,
}

impl<W: BatchWord> FloeEvaluator<W> {
    /// Creates the evaluation of positions that descend from this one.
    pub(crate) fn new(floe: &Floe, terms: Terms, weights: &'static Weights) -> FloeEvaluator<W> {
        let (floe_batch, regions, mixed) =
            (FloeBatch::new(floe.board()), Regions::new(floe), Mixed::default());
        FloeEvaluator {
            floe_batch,
            terms,
            weights,
            regions,
            mixed,
            certain: [Certain::default(); LANES],
            last: None,
        }
    }

    /// The final lead of a seat over its best rival, in hundredths of a fish. A resigned seat is no rival.
    pub(crate) fn lead(&mut self, floe: &Floe, seat: Seat) -> i32 {
        lead(floe, &self.finals(floe), seat)
    }

    /// The leads of a seat on many floes, in order.
    pub(crate) fn leads<'f>(
        &mut self,
        floes: impl Iterator<Item = &'f Floe>,
        seat: Seat,
        out: &mut Vec<i32>,
    ) {
        let mut some: Vec<&Floe> = Vec::with_capacity(LANES);
        let mut floes = floes.peekable();
        while floes.peek().is_some() {
            some.clear();
            some.extend(floes.by_ref().take(LANES));
            self.look(&some);
            for (lane, floe) in some.iter().enumerate() {
                out.push(lead(floe, &self.finals_at(lane, floe), seat));
            }
        }
    }

    /// The estimated final result of every seat in hundredths of a fish.
    pub(crate) fn finals(&mut self, floe: &Floe) -> [i32; MAX_SEATS] {
        if let Some((_, finals)) = self.last.filter(|(hash, _)| *hash == floe.hash()) {
            return finals;
        }
        self.look(&[floe]);
        let finals = self.finals_at(0, floe);
        self.last = Some((floe.hash(), finals));
        finals
    }

    /// The features of a floe before weighting.
    pub(crate) fn features(&mut self, floe: &Floe) -> FloeFeatures {
        self.look(&[floe]);
        let Certain { sure, open } = self.certain[0];
        let features = |seat: usize| self.floe_batch.features(0, seat, floe.turn().index() == seat);
        FloeFeatures { sure, open: open.then(|| std::array::from_fn(features)) }
    }

    /// Evaluates floes with the same number of seats and pieces, at most [`AT_ONCE`].
    fn look(&mut self, floes: &[&Floe]) {
        let Some(first) = floes.first() else { return };
        let common = BatchShape {
            floes: floes.len(),
            seats: first.seats(),
            each: first.each(),
            spears: self.terms.way == TakeRule::Spear,
        };
        for (lane, floe) in floes.iter().enumerate() {
            self.floe_batch.lay(lane, floe);
        }
        self.floe_batch.walk(&common);
        let mut open = false;
        for (lane, floe) in floes.iter().enumerate() {
            self.certain[lane] = self.certain(lane, floe);
            open |= self.certain[lane].open;
        }
        if open {
            self.floe_batch.slide(&common);
        }
    }

    /// The certain results, given the cells that can be reached by steps.
    fn certain(&mut self, lane: usize, floe: &Floe) -> Certain {
        let seats = 0..floe.seats();
        let mut sure = [0; MAX_SEATS];
        for seat in Seat::all(floe.seats()) {
            sure[seat.index()] = self.has(lane, floe, seat);
        }
        if floe.phase() != Phase::Move {
            return Certain { sure, open: floe.phase() != Phase::Over };
        }
        let mut settled = W::default();
        if seats.clone().any(|seat| self.floe_batch.may_be_alone(lane, seat)) {
            let ground = self.floe_batch.ground(lane);
            let own = self.regions.own(floe, self.terms, self.floe_batch.plane(), &ground);
            for (total, own) in sure.iter_mut().zip(&own) {
                *total += own.gain;
                settled = settled | own.cells;
            }
            self.floe_batch.settle(lane, settled);
        }
        let reached = seats.fold(W::default(), |all, seat| all | self.floe_batch.reach(lane, seat));
        Certain { sure, open: !(reached & !settled).is_empty() }
    }

    /// The points of a seat, including the tiles under its pieces if they count, and the tiles if they decide ties.
    fn has(&self, lane: usize, floe: &Floe, seat: Seat) -> i32 {
        let taken = floe.taken(seat);
        let tiles = if self.terms.tiles_decide { i32::from(taken.tiles) } else { 0 };
        let standing = match self.terms.standing_counts {
            true if floe.is_retired(seat) => floe.fish_on(floe.pieces(seat)) as i32,
            true => self.floe_batch.under(lane, seat.index()),
            false => 0,
        };
        100 * (i32::from(taken.points) + standing) + tiles
    }

    /// The estimated final result of every seat, from the features.
    fn finals_at(&mut self, lane: usize, floe: &Floe) -> Finals {
        let Certain { sure, open } = self.certain[lane];
        let mut finals = sure;
        if open {
            self.mixed.fit(self.weights, place(floe));
            for seat in Seat::all(floe.seats()) {
                let features = self.floe_batch.features(lane, seat.index(), floe.turn() == seat);
                finals[seat.index()] += self.mixed.sum(&features);
            }
        }
        finals
    }
}

fn lead(floe: &Floe, finals: &Finals, seat: Seat) -> i32 {
    let rivals = Seat::all(floe.seats()).filter(|rival| *rival != seat && !floe.is_retired(*rival));
    finals[seat.index()] - rivals.map(|rival| finals[rival.index()]).max().unwrap_or(0)
}

/// Interpolated weights between two rows; the last row applies beyond it.
#[derive(Clone, Debug, Default)]
struct Mixed {
    place: Place,
    /// Multiplied by the distance between the rows.
    weights: Features,
}

impl Mixed {
    fn fit(&mut self, weights: &Weights, at: Place) {
        if self.place == at {
            return;
        }
        let (row, next) = (&weights[at.row], &weights[at.next]);
        self.weights = std::array::from_fn(|i| row[i] * (at.whole - at.part) + next[i] * at.part);
        self.place = at;
    }

    fn sum(&self, features: &Features) -> i32 {
        self.weights.iter().zip(features).map(|(w, f)| w * f).sum::<i32>() / self.place.whole
    }
}

/// The position of a floe between two rows of weights: `part` of `whole` from `row` to `next`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The lower of the two rows.
    pub row: usize,
    /// The row after; the same one at the end.
    pub next: usize,
    /// The distance from `row`.
    pub part: i32,
    /// The distance between the rows.
    pub whole: i32,
}

/// The rows of weights for a floe.
pub(crate) fn place(floe: &Floe) -> Place {
    if matches!(floe.phase(), Phase::Lay | Phase::Place) {
        let pieces = (floe.each() * floe.seats()) as i32;
        return Place { row: 0, next: 1, part: floe.standing().len() as i32, whole: pieces };
    }
    let (free, cells) = (floe.free().len() * (MOVING - 1), floe.board().len());
    let low = PLACING + (free / cells).min(MOVING - 1);
    Place { row: low, next: (low + 1).min(ROWS - 1), part: (free % cells) as i32, whole: cells as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floe::Move;
    use crate::floe::endgame_count::count_endgame;
    use crate::floe::reachable_tiles::TakeRule;
    use crate::floe::state::{FloeTerms, State, able};
    use crate::floe::{layout, line};
    use rookery_core::board::Shape;
    use rookery_core::seed::SeededRng;
    use rookery_core::{Board, CellSet, EndgameCount, Position};

    static ANY: Weights = [[7, 3, 20, 5, 1, 2, 4, 30, -20, 25]; ROWS];

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Walks;
    impl FloeTerms for Walks {
        const TERMS: Terms = Terms { way: TakeRule::Walk, standing_counts: true, tiles_decide: false };
    }
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Spears;
    impl FloeTerms for Spears {
        const TERMS: Terms = Terms { way: TakeRule::Spear, standing_counts: true, tiles_decide: false };
    }

    fn start<K: FloeTerms>(board: &'static Board, seats: usize, seed: u64) -> State<K> {
        let mut floe = Floe::bare(board, seats, 2, false);
        layout::random(board, seed).into_iter().for_each(|(cell, fish)| floe.lay(cell, fish));
        floe.begin(Phase::Place, Seat::FIRST);
        State::new(floe)
    }

    /// Calls `seen` with every position of a random game.
    fn walk<K: FloeTerms>(state: State<K>, seed: u64, mut seen: impl FnMut(&State<K>)) {
        let (mut state, mut rng) = (state, SeededRng::new(seed));
        loop {
            seen(&state);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let Some(m) = rng.pick(&moves) else { break };
            state.play_unchecked(*m);
        }
    }

    /// Batches give the same results as single floes, with every word type and every supported instruction set.
    fn looks_the_same_in_a_batch<K: FloeTerms>(board: &'static Board, seats: usize) {
        for seed in 0..6 {
            let state = start::<K>(board, seats, seed);
            let mut large = FloeEvaluator::<CellSet>::new(state.floe(), K::TERMS, &ANY);
            let mut small = FloeEvaluator::<u64>::new(state.floe(), K::TERMS, &ANY);
            walk(state, seed, |state| {
                let mut moves = Vec::new();
                state.moves(&mut moves);
                let after = |m: &Move| {
                    let mut next = state.clone();
                    next.play_unchecked(*m);
                    next
                };
                let children: Vec<State<K>> = moves.iter().map(after).collect();
                let seat = state.turn();
                let alone: Vec<i32> = children.iter().map(|child| large.lead(child.floe(), seat)).collect();
                let (mut few, mut many) = (Vec::new(), Vec::new());
                small.leads(children.iter().map(State::floe), seat, &mut few);
                large.leads(children.iter().map(State::floe), seat, &mut many);
                assert_eq!(few, alone, "{}", line::write(state.floe()));
                assert_eq!(many, alone, "{}", line::write(state.floe()));
            });
        }
    }

    #[test]
    fn floe_evaluation_is_independent_of_its_batch() {
        for seats in 2..=4 {
            looks_the_same_in_a_batch::<Walks>(Board::of(Shape::Island), seats);
            looks_the_same_in_a_batch::<Spears>(Board::square(6, 8), seats);
        }
        looks_the_same_in_a_batch::<Spears>(Board::of(Shape::Island), 2);
        looks_the_same_in_a_batch::<Walks>(Board::square(8, 8), 2);
        looks_the_same_in_a_batch::<Walks>(Board::square(4, 12), 2);
    }

    #[test]
    fn the_two_leads_of_two_seats_are_opposite_and_the_same_in_every_word() {
        for seed in 0..6 {
            let state = start::<Walks>(Board::of(Shape::Island), 2, seed);
            let mut small = FloeEvaluator::<u64>::new(state.floe(), Walks::TERMS, &ANY);
            let mut large = FloeEvaluator::<CellSet>::new(state.floe(), Walks::TERMS, &ANY);
            walk(state, seed, |state| {
                let lead = small.lead(state.floe(), Seat::FIRST);
                assert_eq!(lead, -small.lead(state.floe(), Seat::SECOND));
                assert_eq!(lead, large.lead(state.floe(), Seat::FIRST));
            });
        }
    }

    /// An exact count equals the evaluation once no region is shared.
    fn agrees_with_claims<K: FloeTerms>(board: &'static Board) -> usize {
        let mut compared = 0;
        for seed in 0..50 {
            let state = start::<K>(board, 2, seed);
            let mut outlook = FloeEvaluator::<u64>::new(state.floe(), K::TERMS, &ANY);
            walk(state, seed, |state| {
                let EndgameCount::Separated { margin_halves: Some(margin), .. } =
                    count_endgame(state.floe(), K::TERMS, 100_000)
                else {
                    return;
                };
                let lead = outlook.lead(state.floe(), Seat::FIRST);
                assert_eq!(lead.abs(), 50 * margin as i32, "{}", line::write(state.floe()));
                compared += 1;
            });
        }
        compared
    }

    #[test]
    fn owned_regions_equal_the_endgame_count() {
        assert!(agrees_with_claims::<Walks>(Board::square(5, 5)) > 30);
        assert!(agrees_with_claims::<Spears>(Board::square(4, 4)) > 10);
    }

    #[test]
    fn resigned_seat_is_no_rival() {
        let rows = "......./......../......./......../......./......../......./1.11...1";
        let line = format!("{rows} a1|c1|h1 2 move 40,34,20 any:1 out:1");
        let floe = line::read(&line, &[3], able).unwrap();
        let lead = FloeEvaluator::<u64>::new(&floe, Walks::TERMS, &ANY).lead(&floe, Seat::SECOND);
        assert_eq!(lead, 100 * (36 - 21), "34 and two tiles, against 20 and one");
    }

    /// One region, first with one fish and then with three on its tile, while chips are still to be laid.
    #[test]
    fn region_cache_respects_chips_still_to_be_laid() {
        let board = Board::of(Shape::Island);
        let mut outlook = FloeEvaluator::<u64>::new(&Floe::bare(board, 2, 1, false), Walks::TERMS, &ANY);
        let row = "......./......../......./......../......./......../.......";
        for fish in [1, 3] {
            let line = format!("{row}/1{fish}....1. a1|g1 1 move 0,0 any:1");
            let sight = outlook.features(&line::read(&line, &[2], able).unwrap());
            assert_eq!(sight.sure[0], 100 + 100 * fish);
        }
    }

    /// Three seats on a strip: the middle one is shut in, and the right one is alone with its four tiles.
    #[test]
    fn a_region_counts_before_the_rest_of_the_floe_is_settled() {
        let row = "......./......../......./......../......./......../......./1111.131";
        let floe = line::read(&format!("{row} a1|c1|f1 1 move 0,0,0 any:1"), &[3], able).unwrap();
        let sight = FloeEvaluator::<u64>::new(&floe, Walks::TERMS, &ANY).features(&floe);
        assert_eq!(sight.sure[2], 100 + 300 + 100, "on the left of its tiles: all can be taken");
        assert!(sight.open.is_some(), "b1 is still open to two");
    }
}
