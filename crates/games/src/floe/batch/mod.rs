//! Features of several floes at once: which seat reaches which cell first.
//!
//! A set of cells is one word, and the words of several floes are stored side by side, so that the same instructions
//! serve all of them; only the number of waves depends on the floes. A slide of any length is a few doubling steps
//! (parallel prefix fills: S. Pionkowski and G. Isenberg, "Fill algorithms", for chess).
//!
//! Everything is inlined into the functions of `kernel` that enable target features. Closures and iterators would be
//! compiled without those features, so the loops are plain ones.
#![expect(clippy::needless_range_loop, reason = "rows of several sets are taken in step")]

mod kernel;
mod sets;

use self::kernel::BatchKernel;
pub(crate) use self::kernel::BatchWord;
pub(super) use self::sets::{LANES, Row};
use self::sets::{SetUnit, Sets};
use super::Floe;
use super::regions::Ground;
use rookery_core::bitboard::{Axis, Bitboard, MAX_AXES, ShiftMasks};
use rookery_core::{Board, MAX_SEATS, Seat};
use rookery_search::simd::Lanes;

/// The number of features of a seat. They are: the fish that it reaches by slides before all others; if it is to move,
/// the fish that it reaches by slides as early as another seat; the same two by steps; the cells that it reaches in one
/// slide, and the fish there; the free cells adjacent to its pieces; its pieces that can move; those with little room;
/// being to move.
pub(crate) const FEATURES: usize = 10;

/// The feature values of one seat.
pub(crate) type Features = [i32; FEATURES];

/// A batch of floes of one board, and their features.
#[derive(Clone, Debug)]
pub(super) struct FloeBatch<W: BatchWord> {
    machine: W::BatchKernel,
    plane: ShiftMasks<W>,
    laid: BatchInput<W>,
    seen: BatchOutput<W>,
}

/// The input: floes side by side.
#[derive(Clone, Debug, Default)]
struct BatchInput<W> {
    free: Row<W>,
    tiles: Row<W>,
    twos: Row<W>,
    threes: Row<W>,
    standing: Row<W>,
    /// Pieces of the active seats; all others are only obstacles.
    pieces: [Row<W>; MAX_SEATS],
    /// Cells that are already counted exactly.
    settled: Row<W>,
}

/// The results for each floe.
#[derive(Clone, Debug, Default)]
struct BatchOutput<W> {
    /// By steps: the cells that each seat reaches before all others, those that it reaches first together with another
    /// seat, and all that it can reach.
    steps: [RaceRows<W>; MAX_SEATS],
    /// The reachable cells that may be in a region of the seat's own; all cells of such a region are among them.
    alone: [Row<W>; MAX_SEATS],
    /// The fish under the seat's own pieces.
    under: [Row<u64>; MAX_SEATS],
    /// All features except the turn; ties are computed as if every seat were to move.
    features: [[Row<u64>; FEATURES]; MAX_SEATS],
}

/// The result of a race for a seat.
#[derive(Clone, Debug, Default)]
struct RaceRows<W> {
    first: Row<W>,
    tied: Row<W>,
    reach: Row<W>,
}

/// The properties that all floes of a batch share.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchShape {
    /// The number of floes.
    pub(super) floes: usize,
    /// The number of seats.
    pub(super) seats: usize,
    /// The maximum number of pieces of each seat.
    pub(super) each: usize,
    /// Whether pieces spear, so that the cells that they leave stay free.
    pub(super) spears: bool,
}

/// The arguments of a computation.
struct Task<'a, W> {
    part: Part,
    plane: &'a ShiftMasks<W>,
    common: &'a BatchShape,
    laid: &'a BatchInput<W>,
    seen: &'a mut BatchOutput<W>,
}

/// The part of the results to compute.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// Races by steps, and the cells that no other seat reaches.
    Steps,
    /// Races by slides, and the features.
    Slides,
}

impl<W: BatchWord> FloeBatch<W> {
    pub(super) fn new(board: &'static Board) -> FloeBatch<W> {
        let (laid, seen) = (BatchInput::default(), BatchOutput::default());
        FloeBatch { machine: W::BatchKernel::find(), plane: ShiftMasks::of(board), laid, seen }
    }

    /// The shift masks of the board.
    pub(super) fn plane(&self) -> &ShiftMasks<W> {
        &self.plane
    }

    /// Writes a floe into a lane, with no cells counted.
    pub(super) fn lay(&mut self, lane: usize, floe: &Floe) {
        let laid = &mut self.laid;
        laid.free[lane] = W::pack(floe.free());
        laid.tiles[lane] = W::pack(floe.tiles());
        laid.twos[lane] = W::pack(floe.with_fish(2));
        laid.threes[lane] = W::pack(floe.with_fish(3));
        laid.standing[lane] = W::pack(floe.standing());
        laid.settled[lane] = W::default();
        for seat in Seat::all(floe.seats()) {
            let plays = !floe.is_retired(seat);
            let pieces = if plays { W::pack(floe.pieces(seat)) } else { W::default() };
            laid.pieces[seat.index()][lane] = pieces;
        }
    }

    /// Computes the cells reachable by steps.
    pub(super) fn walk(&mut self, common: &BatchShape) {
        self.look(Part::Steps, common);
    }

    /// Computes the cells reachable by slides, and the features; call [`FloeBatch::walk`] first.
    pub(super) fn slide(&mut self, common: &BatchShape) {
        self.look(Part::Slides, common);
    }

    fn look(&mut self, part: Part, common: &BatchShape) {
        let FloeBatch { machine, plane, laid, seen } = self;
        machine.look(&mut Task { part, plane, common, laid, seen });
    }

    /// Marks cells as already counted, to exclude them from the features.
    pub(super) fn settle(&mut self, lane: usize, cells: W) {
        self.laid.settled[lane] = cells;
    }

    /// The cells that a seat can reach by steps if no other seat moves.
    pub(super) fn reach(&self, lane: usize, seat: usize) -> W {
        self.seen.steps[seat].reach[lane]
    }

    /// A floe in words, and the cells that each seat can reach.
    pub(super) fn ground(&self, lane: usize) -> Ground<W> {
        let BatchInput { free, tiles, standing, pieces, .. } = &self.laid;
        Ground {
            free: free[lane],
            tiles: tiles[lane],
            standing: standing[lane],
            pieces: std::array::from_fn(|seat| pieces[seat][lane]),
            reach: std::array::from_fn(|seat| self.reach(lane, seat)),
        }
    }

    /// Whether a seat may have a region of its own.
    pub(super) fn may_be_alone(&self, lane: usize, seat: usize) -> bool {
        !self.seen.alone[seat][lane].is_empty()
    }

    /// The fish under a seat's pieces, if it still plays.
    pub(super) fn under(&self, lane: usize, seat: usize) -> i32 {
        self.seen.under[seat][lane] as i32
    }

    /// The features of a seat.
    pub(super) fn features(&self, lane: usize, seat: usize, on_turn: bool) -> Features {
        let turn = i32::from(on_turn);
        std::array::from_fn(|i| match i {
            1 | 3 => turn * self.seen.features[seat][i][lane] as i32,
            9 => turn,
            _ => self.seen.features[seat][i][lane] as i32,
        })
    }
}

/// Computes one part for all floes, with specialised code for each usual board.
#[inline(always)]
fn compute_specialised<T: SetUnit<W>, W: Bitboard>(team: T, task: &mut Task<'_, W>) {
    // Slides of up to 7 steps take three doublings.
    match (task.plane.axes().len(), task.plane.longest(), task.common.seats) {
        (3, ..8, 2) => look_at::<T, W, 3, 3, 2>(team, task),
        (3, ..8, _) => look_at::<T, W, 3, 3, 4>(team, task),
        (_, ..8, 2) => look_at::<T, W, 4, 3, 2>(team, task),
        (_, ..8, _) => look_at::<T, W, 4, 3, 4>(team, task),
        (..) => look(team, task),
    }
}

/// Computes one part for all floes on any board: slides of up to 15 steps take four doublings, and three seats are
/// treated as four.
#[inline(always)]
fn look<T: SetUnit<W>, W: Bitboard>(team: T, task: &mut Task<'_, W>) {
    match task.common.seats {
        2 => look_at::<T, W, 4, 4, 2>(team, task),
        _ => look_at::<T, W, 4, 4, 4>(team, task),
    }
}

#[inline(always)]
fn look_at<T: SetUnit<W>, W: Bitboard, const A: usize, const D: usize, const S: usize>(
    team: T,
    task: &mut Task<'_, W>,
) {
    let ways = Ways::<T::Sets, A>::new(team, task.plane);
    for at in (0..task.common.floes).step_by(T::WIDTH) {
        let free = team.load(&task.laid.free, at);
        let mut pieces = [free.and_not(free); S];
        for s in 0..S {
            pieces[s] = team.load(&task.laid.pieces[s], at);
        }
        match task.part {
            Part::Steps => by_steps(team, &ways, &pieces, task, at),
            Part::Slides => by_slides::<T, W, A, D, S>(team, &ways, &pieces, task, at),
        }
    }
}

/// The shifts of a board, for every floe.
struct Ways<S, const A: usize> {
    by: [u32; A],
    up: [S; A],
    down: [S; A],
}

impl<S: Sets, const A: usize> Ways<S, A> {
    #[inline(always)]
    fn new<W: Bitboard, T: SetUnit<W, Sets = S>>(team: T, plane: &ShiftMasks<W>) -> Ways<S, A> {
        let mut axes = [Axis::default(); MAX_AXES];
        // Unused axes have empty masks.
        axes[..plane.axes().len()].copy_from_slice(plane.axes());
        let none = team.splat(W::default());
        let mut ways = Ways { by: [0; A], up: [none; A], down: [none; A] };
        for a in 0..A {
            ways.by[a] = axes[a].by;
            ways.up[a] = team.splat(axes[a].up);
            ways.down[a] = team.splat(axes[a].down);
        }
        ways
    }

    /// All cells one step away from a set, whatever is on them.
    #[inline(always)]
    fn neighbours(&self, from: S) -> S {
        let mut all = from.and_not(from);
        for a in 0..A {
            all = all | from.shift_up(self.by[a]) & self.up[a] | from.shift_down(self.by[a]) & self.down[a];
        }
        all
    }
}

/// The masks of slides over a set of free cells: along each axis, up and down, the cells that can be entered after 1,
/// 2, 4 … free ones.
struct SlideMasks<S, const A: usize, const D: usize> {
    by: [u32; A],
    up: [[S; D]; A],
    down: [[S; D]; A],
}

impl<S: Sets, const A: usize, const D: usize> SlideMasks<S, A, D> {
    #[inline(always)]
    fn new(ways: &Ways<S, A>, free: S) -> SlideMasks<S, A, D> {
        let mut sea = SlideMasks { by: ways.by, up: [[free; D]; A], down: [[free; D]; A] };
        for a in 0..A {
            let (mut up, mut down) = (free & ways.up[a], free & ways.down[a]);
            for i in 0..D {
                (sea.up[a][i], sea.down[a][i]) = (up, down);
                up = up & up.shift_up(ways.by[a] << i);
                down = down & down.shift_down(ways.by[a] << i);
            }
        }
        sea
    }

    /// All free cells one slide away from a set, without the set itself.
    #[inline(always)]
    fn slides(&self, from: S) -> S {
        let mut all = from.and_not(from);
        for a in 0..A {
            let (mut up, mut down) = (from, from);
            for i in 0..D {
                up = up | up.shift_up(self.by[a] << i) & self.up[a][i];
                down = down | down.shift_down(self.by[a] << i) & self.down[a][i];
            }
            all = all | up | down;
        }
        all.and_not(from)
    }
}

/// The result of a race.
struct Race<S, const N: usize> {
    first: [S; N],
    tied: [S; N],
    reach: [S; N],
    /// The cells reached by the first move.
    goals: [S; N],
}

/// Runs a race of all pieces of all seats, one wave per move.
macro_rules! race {
    ($pieces:ident, $free:ident, |$from:ident| $wave:expr) => {{
        let mut open = $free;
        let none = open.and_not(open);
        let nothing = [none; S];
        let mut race = Race { first: nothing, tied: nothing, reach: nothing, goals: nothing };
        let mut edge = *$pieces;
        let mut waves = 0;
        loop {
            let (mut some, mut many) = (none, none);
            for s in 0..S {
                let $from = edge[s];
                edge[s] = $wave.and_not(race.reach[s]);
                race.reach[s] = race.reach[s] | edge[s];
                many = many | some & edge[s];
                some = some | edge[s];
            }
            if waves == 0 {
                race.goals = edge;
            }
            waves += 1;
            if some.is_empty() {
                break race;
            }
            let (by_one, by_many) = (open.and_not(many), open & many);
            for s in 0..S {
                race.first[s] = race.first[s] | edge[s] & by_one;
                race.tied[s] = race.tied[s] | edge[s] & by_many;
            }
            open = open.and_not(some);
        }
    }};
}

#[inline(always)]
fn by_steps<T: SetUnit<W>, W: Bitboard, const A: usize, const S: usize>(
    team: T,
    ways: &Ways<T::Sets, A>,
    pieces: &[T::Sets; S],
    task: &mut Task<'_, W>,
    at: usize,
) {
    let Task { common, laid, seen, .. } = task;
    let free = team.load(&laid.free, at);
    let race = race!(pieces, free, |from| (ways.neighbours(from) & free));
    let (twos, threes) = (team.load(&laid.twos, at), team.load(&laid.threes, at));
    for s in 0..S {
        let mut theirs = pieces[s].and_not(pieces[s]);
        if common.spears {
            // A piece that moves away leaves its cell free, so regions are connected under pieces too.
            let (tiles, standing) = (team.load(&laid.tiles, at), team.load(&laid.standing, at));
            let mut edge = standing.and_not(pieces[s]);
            while !edge.is_empty() {
                theirs = theirs | edge;
                edge = (ways.neighbours(edge) & tiles).and_not(theirs);
            }
        } else {
            for other in 0..S {
                theirs = if other == s { theirs } else { theirs | race.reach[other] };
            }
        }
        team.store(race.reach[s].and_not(theirs), &mut seen.alone[s], at);
        team.store(race.first[s], &mut seen.steps[s].first, at);
        team.store(race.tied[s], &mut seen.steps[s].tied, at);
        team.store(race.reach[s], &mut seen.steps[s].reach, at);
        fish(pieces[s], twos, threes).store(&mut seen.under[s], at);
    }
}

/// A piece with at most this many free cells within two steps is cramped.
const CRAMPED: u64 = 5;

#[inline(always)]
fn by_slides<T: SetUnit<W>, W: Bitboard, const A: usize, const D: usize, const S: usize>(
    team: T,
    ways: &Ways<T::Sets, A>,
    pieces: &[T::Sets; S],
    task: &mut Task<'_, W>,
    at: usize,
) {
    let Task { common, laid, seen, .. } = task;
    let free = team.load(&laid.free, at);
    let open = team.load(&laid.tiles, at).and_not(team.load(&laid.settled, at));
    let (twos, threes) = (team.load(&laid.twos, at), team.load(&laid.threes, at));
    let sea = SlideMasks::<T::Sets, A, D>::new(ways, free);
    let race = race!(pieces, free, |from| sea.slides(from));
    let beside_free = ways.neighbours(free);
    for s in 0..S {
        let (first, tied) = (team.load(&seen.steps[s].first, at), team.load(&seen.steps[s].tied, at));
        let features = &mut seen.features[s];
        fish(race.first[s] & open, twos, threes).store(&mut features[0], at);
        fish(race.tied[s] & open, twos, threes).store(&mut features[1], at);
        fish(first & open, twos, threes).store(&mut features[2], at);
        fish(tied & open, twos, threes).store(&mut features[3], at);
        (race.goals[s] & open).count().store(&mut features[4], at);
        fish(race.goals[s] & open, twos, threes).store(&mut features[5], at);
        (ways.neighbours(pieces[s]) & free & open).count().store(&mut features[6], at);
        (pieces[s] & beside_free).count().store(&mut features[7], at);
        let mut left = pieces[s];
        let mut cramped = team.number(0);
        for _ in 0..common.each {
            let piece = left.lowest_bit();
            left = left.and_not(piece);
            let near = ways.neighbours(piece) & free;
            let within = ((near | ways.neighbours(near)) & free).count();
            // A negative difference has the highest bit set.
            let roomy = Lanes::shift_down(team.number(CRAMPED) - within, 63);
            cramped = cramped + Lanes::and_not(piece.count(), roomy);
        }
        cramped.store(&mut features[8], at);
    }
}

/// The fish on cells with tiles.
#[inline(always)]
fn fish<S: Sets>(cells: S, twos: S, threes: S) -> S::Counts {
    let three = (cells & threes).count();
    cells.count() + (cells & twos).count() + three + three
}

#[cfg(test)]
mod tests {
    use super::sets::Single;
    use super::*;
    use rookery_core::CellSet;
    use rookery_core::board::Shape;
    use rookery_core::seed::SeededRng;

    /// Compares the results of one instruction set with plain ones, from random cells with random holes.
    fn agrees<T: SetUnit<W>, W: Bitboard, const A: usize, const D: usize>(team: T, board: &'static Board) {
        let (lines, plane) = (board.lines(), ShiftMasks::<W>::of(board));
        let ways = Ways::<T::Sets, A>::new(team, &plane);
        for seed in 0..60 {
            let mut rng = SeededRng::new(seed);
            let mut some =
                |one_in: u64| -> CellSet { board.cells().filter(|_| rng.below(one_in) == 0).collect() };
            let (holes, from) = (some(2 + seed % 4), some(9));
            let free = board.all() & !holes & !from;
            let sea = SlideMasks::<T::Sets, A, D>::new(&ways, team.splat(W::pack(free)));
            let seen = |sets: T::Sets| {
                let mut row = [W::default(); LANES];
                team.store(sets, &mut row, 0);
                row[T::WIDTH - 1].unpack()
            };
            let pieces = team.splat(W::pack(from));
            let slides = from.iter().fold(CellSet::EMPTY, |all, cell| all | lines.reach(cell, !free));
            assert_eq!(seen(sea.slides(pieces)), slides);
            assert_eq!(seen(ways.neighbours(pieces)), lines.neighbours_of_all(from));
            assert_eq!(seen(pieces.lowest_bit()).iter().next(), from.iter().next());
            assert_eq!(seen(pieces.lowest_bit()).len(), usize::from(!from.is_empty()));
        }
    }

    #[test]
    fn steps_and_slides_are_what_the_lines_say() {
        let plain = rookery_search::simd::Scalar;
        agrees::<_, u64, 3, 3>(plain, Board::of(Shape::Island));
        agrees::<_, u64, 4, 4>(plain, Board::of(Shape::Island));
        agrees::<_, u64, 4, 3>(plain, Board::square(8, 8));
        agrees::<_, u64, 4, 4>(plain, Board::square(3, 11));
        agrees::<_, u128, 4, 4>(Single, Board::square(10, 10));
        agrees::<_, u128, 3, 3>(Single, Board::of(Shape::Island));
        agrees::<_, CellSet, 4, 4>(Single, Board::square(12, 12));
        agrees::<_, CellSet, 4, 4>(Single, Board::square(9, 12));
    }
}
