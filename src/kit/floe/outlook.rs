//! How good a floe looks for every seat: what it has, what is certainly its own, and its part of the
//! rest by who gets where first.

use super::claim::Terms;
use super::race::{Race, View, race};
use super::regions::Regions;
use super::{Floe, Phase};
use crate::kit::plane::{Plane, Sea, Word};
use crate::kit::{CellSet, MOST_SEATS, Seat};

/// Numbers that tell how much of what is still open a seat may hope for.
pub const FEATURES: usize = 10;

/// One seat's numbers.
pub type Features = [i32; FEATURES];

/// What a unit of each feature is worth, in hundredths of a fish, in rows: the first two before the
/// first and after the last piece is placed; the others, while pieces move, for a floe of which
/// nothing, a third, two thirds and all is free. In between the worth changes evenly.
pub type Weights = [[i32; FEATURES]; ROWS];

/// Rows of weights.
pub const ROWS: usize = PLACING + MOVING;
const PLACING: usize = 2;
const MOVING: usize = 4;

/// Judges floes of one board and one game.
#[derive(Clone, Debug)]
pub struct Outlook<W> {
    plane: Plane<W>,
    terms: Terms,
    weights: &'static Weights,
    regions: Regions<W>,
    last: Option<(u64, [i32; MOST_SEATS])>,
}

/// What can be said about a floe before any weights.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// What each seat has for certain, in hundredths of a fish.
    pub sure: [i32; MOST_SEATS],
    /// What each may hope for; `None` once nothing is shared.
    pub open: Option<[Features; MOST_SEATS]>,
}

impl<W: Word> Outlook<W> {
    /// For floes on the board of this one.
    pub fn new(floe: &Floe, terms: Terms, weights: &'static Weights) -> Outlook<W> {
        Outlook { plane: Plane::of(floe.board()), terms, weights, regions: Regions::new(), last: None }
    }

    /// The lead of a seat over its best rival in the end, in hundredths of a fish. Who gave up is nobody's
    /// rival.
    pub fn lead(&mut self, floe: &Floe, seat: Seat) -> i32 {
        let finals = self.finals(floe);
        let rivals = Seat::all(floe.seats()).filter(|rival| *rival != seat && !floe.is_retired(*rival));
        finals[seat.index()] - rivals.map(|rival| finals[rival.index()]).max().unwrap_or(0)
    }

    /// What every seat looks like having in the end, in hundredths of a fish.
    pub fn finals(&mut self, floe: &Floe) -> [i32; MOST_SEATS] {
        if let Some((_, finals)) = self.last.filter(|(hash, _)| *hash == floe.hash()) {
            return finals;
        }
        let sight = self.sight(floe);
        let mut finals = sight.sure;
        for (total, features) in finals.iter_mut().zip(sight.open.iter().flatten()) {
            *total += self.weigh(floe, features);
        }
        self.last = Some((floe.hash(), finals));
        finals
    }

    /// What there is to see.
    pub fn sight(&mut self, floe: &Floe) -> Sight {
        let mut sure = [0; MOST_SEATS];
        for seat in Seat::all(floe.seats()) {
            sure[seat.index()] = self.has(floe, seat);
        }
        if floe.phase() == Phase::Over {
            return Sight { sure, open: None };
        }
        let view = View::of(floe);
        let sea = self.plane.sea(view.free);
        let steps = race(&view, floe.seats(), |edge| sea.steps(edge));
        let mut settled = W::default();
        if floe.phase() == Phase::Move {
            let own = self.regions.own(floe, self.terms, &self.plane, &view, &steps.reach);
            for (total, own) in sure.iter_mut().zip(&own) {
                *total += own.gain;
                settled = settled | own.cells;
            }
            let reached = steps.reach.iter().fold(W::default(), |all, reach| all | *reach);
            if (reached & !settled).is_none() {
                return Sight { sure, open: None };
            }
        }
        let slides = race(&view, floe.seats(), |edge| sea.slides(edge));
        let look = Look { plane: &self.plane, sea: &sea, view: &view, steps, slides, settled };
        let feature = |seat: usize| look.features(seat, floe.turn().index() == seat);
        Sight { sure, open: Some(std::array::from_fn(feature)) }
    }

    /// What a seat has taken, and what it stands on where that counts; tiles where they decide.
    fn has(&self, floe: &Floe, seat: Seat) -> i32 {
        let taken = floe.taken(seat);
        let tiles = if self.terms.tiles_decide { i32::from(taken.tiles) } else { 0 };
        let standing = if self.terms.standing_counts { floe.fish_on(floe.pieces(seat)) as i32 } else { 0 };
        100 * (i32::from(taken.points) + standing) + tiles
    }

    fn weigh(&self, floe: &Floe, features: &Features) -> i32 {
        let sum = |row: &[i32; FEATURES]| row.iter().zip(features).map(|(w, f)| w * f).sum::<i32>();
        let at = place(floe);
        (sum(&self.weights[at.row]) * (at.whole - at.part) + sum(&self.weights[at.next]) * at.part) / at.whole
    }
}

/// Between which rows of weights a floe lies: `part` of the `whole` on the way from `row` to `next`.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The row before.
    pub row: usize,
    /// The row after; the same one at the end.
    pub next: usize,
    /// How far it is on the way.
    pub part: i32,
    /// How long the way is.
    pub whole: i32,
}

/// Where the weights of a floe are to be found.
pub fn place(floe: &Floe) -> Place {
    if matches!(floe.phase(), Phase::Lay | Phase::Place) {
        let pieces = (floe.each() * floe.seats()) as i32;
        return Place { row: 0, next: 1, part: floe.standing().len() as i32, whole: pieces };
    }
    let (free, cells) = (floe.free().len() * (MOVING - 1), floe.board().len());
    let low = PLACING + (free / cells).min(MOVING - 1);
    Place { row: low, next: (low + 1).min(ROWS - 1), part: (free % cells) as i32, whole: cells as i32 }
}

/// All that features are made of.
struct Look<'a, W> {
    plane: &'a Plane<W>,
    sea: &'a Sea<W>,
    view: &'a View<W>,
    steps: Race<W>,
    slides: Race<W>,
    /// Cells that are counted already.
    settled: W,
}

impl<W: Word> Look<'_, W> {
    fn features(&self, seat: usize, on_turn: bool) -> Features {
        let open = !self.settled;
        let fish = |cells: W| self.view.fish(cells & open);
        let pieces = self.view.pieces[seat];
        let goals = self.sea.slides(pieces);
        let near = self.plane.near(pieces) & self.view.free & open;
        let movable = (pieces & self.plane.near(self.view.free)).count() as i32;
        let turn = i32::from(on_turn);
        [
            fish(self.slides.first[seat]),
            turn * fish(self.slides.tied[seat]),
            fish(self.steps.first[seat]),
            turn * fish(self.steps.tied[seat]),
            (goals & open).count() as i32,
            fish(goals),
            near.count() as i32,
            movable,
            self.cramped(pieces),
            turn,
        ]
    }

    /// The pieces with few free cells within two steps.
    fn cramped(&self, pieces: W) -> i32 {
        let is_cramped = |piece: W| {
            let near = self.plane.near(piece) & self.view.free;
            ((near | self.plane.near(near)) & self.view.free).count() <= CRAMPED
        };
        pieces.unpack().iter().filter(|cell| is_cramped(W::pack(CellSet::of(*cell)))).count() as i32
    }
}

/// A piece with so many free cells within two steps, or fewer, is cramped.
const CRAMPED: u32 = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::board::Shape;
    use crate::kit::floe::claim::claim;
    use crate::kit::floe::harvest::Way;
    use crate::kit::floe::state::{Kind, State, able};
    use crate::kit::floe::{layout, line};
    use crate::kit::seed::Chance;
    use crate::kit::{Board, Claim, Position};

    static ANY: Weights = [[7, 3, 20, 5, 1, 2, 4, 30, -20, 25]; ROWS];

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Walks;
    impl Kind for Walks {
        const TERMS: Terms = Terms { way: Way::Walk, standing_counts: true, tiles_decide: false };
    }
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Spears;
    impl Kind for Spears {
        const TERMS: Terms = Terms { way: Way::Spear, standing_counts: true, tiles_decide: false };
    }

    fn start<K: Kind>(board: &'static Board, seats: usize, seed: u64) -> State<K> {
        let mut floe = Floe::bare(board, seats, 2, false);
        layout::random(board, seed).into_iter().for_each(|(cell, fish)| floe.lay(cell, fish));
        floe.begin(Phase::Place, Seat::FIRST);
        State::new(floe)
    }

    /// Every position of random games, until they are over.
    fn walk<K: Kind>(state: State<K>, seed: u64, mut seen: impl FnMut(&State<K>)) {
        let (mut state, mut chance) = (state, Chance::new(seed));
        loop {
            seen(&state);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let Some(m) = chance.pick(&moves) else { break };
            state.play_unchecked(*m);
        }
    }

    #[test]
    fn the_two_leads_of_two_seats_are_opposite_and_the_same_in_every_word() {
        for seed in 0..6 {
            let state = start::<Walks>(Board::of(Shape::Island), 2, seed);
            let mut small = Outlook::<u64>::new(state.floe(), Walks::TERMS, &ANY);
            let mut large = Outlook::<CellSet>::new(state.floe(), Walks::TERMS, &ANY);
            walk(state, seed, |state| {
                let lead = small.lead(state.floe(), Seat::FIRST);
                assert_eq!(lead, -small.lead(state.floe(), Seat::SECOND));
                assert_eq!(lead, large.lead(state.floe(), Seat::FIRST));
            });
        }
    }

    /// What a claim proves is what the outlook sees, once nothing is shared.
    fn agrees_with_claims<K: Kind>(board: &'static Board) -> usize {
        let mut compared = 0;
        for seed in 0..50 {
            let state = start::<K>(board, 2, seed);
            let mut outlook = Outlook::<u64>::new(state.floe(), K::TERMS, &ANY);
            walk(state, seed, |state| {
                let Claim::Separated { margin_halves: Some(margin), .. } =
                    claim(state.floe(), K::TERMS, 100_000)
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
    fn what_is_nobody_elses_is_counted_as_claims_count_it() {
        assert!(agrees_with_claims::<Walks>(Board::square(5, 5)) > 30);
        assert!(agrees_with_claims::<Spears>(Board::square(4, 4)) > 10);
    }

    #[test]
    fn who_gave_up_is_nobodys_rival() {
        let rows = "......./......../......./......../......./......../......./1.11...1";
        let line = format!("{rows} a1|c1|h1 2 move 40,34,20 any:1 out:1");
        let floe = line::read(&line, &[3], able).unwrap();
        let lead = Outlook::<u64>::new(&floe, Walks::TERMS, &ANY).lead(&floe, Seat::SECOND);
        assert_eq!(lead, 100 * (36 - 21), "34 and two tiles, against 20 and one");
    }

    /// Three on a strip: the middle one is shut in, and the right one is alone with its four tiles.
    #[test]
    fn a_region_counts_before_the_rest_of_the_floe_is_settled() {
        let row = "......./......../......./......../......./......../......./1111.131";
        let floe = line::read(&format!("{row} a1|c1|f1 1 move 0,0,0 any:1"), &[3], able).unwrap();
        let sight = Outlook::<u64>::new(&floe, Walks::TERMS, &ANY).sight(&floe);
        assert_eq!(sight.sure[2], 100 + 300 + 100, "on the left of its tiles: all can be taken");
        assert!(sight.open.is_some(), "b1 is still open to two");
    }
}
