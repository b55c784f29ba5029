//! Random endings of a few tiles: compares counts, settlements and proofs with a brute-force search.

use super::brute::{BruteForce, EndingPosition, MAX_TILES, WinnerGroups};
use super::compare::places;
use super::naive::{NaivePosition, Place};
use crate::floe::endgame_count::Terms;
use crate::floe::{Floe, Move};
use rookery_core::player::{Level, SearchRequest, Value};
use rookery_core::seed::SeededRng;
use rookery_core::{Board, EndgameCount, GameRules, Outcome, Position, Seat};

/// The setup of random endings: a board, the number of seats, and the number of pieces of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    pub(crate) board: &'static Board,
    pub(crate) seats: usize,
    pub(crate) each: usize,
}

/// The numbers of compared endings that are not over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EndingCounts {
    /// Endings without shared regions.
    pub(crate) separated: usize,
    pub(crate) shared: usize,
    /// Endings that the game settles.
    pub(crate) settled: usize,
    /// Endings that the search proves.
    pub(crate) proven: usize,
    /// Endings of two seats in which the program's move kept the best result according to brute force.
    pub(crate) kept: usize,
    /// Endings in which it did not: with so few positions its evaluation was no proof.
    pub(crate) best_lost: usize,
}

/// Compares this many random unfinished endings.
///
/// # Panics
/// If a count, a settlement or a proof differs from brute force.
pub(crate) fn compare_endings<R>(grounds: &[Ground], terms: Terms, seed: u64, endings: usize) -> EndingCounts
where
    R: GameRules,
    R::Position: Position<Move = Move>,
{
    let mut rng = SeededRng::new(seed);
    let mut seen = EndingCounts::default();
    while seen.separated + seen.shared < endings {
        let ground = rng.pick(grounds).expect("a ground to make endings on");
        let draft = Draft::new(*ground, terms, &mut rng);
        let line = draft.line();
        let state = R::from_line(&line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let (brute, at) = BruteForce::of(&draft.plain, terms.tiles_decide, draft.out);
        assert_eq!(state.outcome().is_some(), brute.is_over(&at), "end of {line}");
        if !brute.is_over(&at) {
            assert_eq!(state.turn().index(), at.turn, "turn of {line}");
            Ending::<R> { state, line, brute, at, seen: &mut seen }.compare(&mut rng);
        }
    }
    seen
}

/// A random ending: clumps of tiles, close scores, sometimes a resigned seat.
struct Draft {
    ground: Ground,
    plain: NaivePosition,
    out: Vec<usize>,
}

impl Draft {
    fn new(ground: Ground, terms: Terms, rng: &mut SeededRng) -> Draft {
        let Ground { board, seats, each } = ground;
        let mut plain = NaivePosition::of(&Floe::bare(board, seats, each, false), terms);
        plain.placed = vec![each; seats];
        plain.turn = rng.below(seats as u64) as usize;
        let free = if plain.spears { 2 + rng.below(4) } else { 3 + rng.below(6) };
        let tiles = (free as usize + seats * each).min(MAX_TILES);
        let clumps = clumps(&plain, 1 + rng.below(2 * seats as u64) as usize, tiles, rng);
        for place in clumps.iter().flatten() {
            plain.fish[place.0][place.1] = 1 + rng.below(3) as i8;
        }
        for seat in (0..seats).flat_map(|seat| vec![seat; each]) {
            let home = &clumps[seat % clumps.len()];
            let anywhere = clumps.concat();
            let mut places = if rng.below(4) == 0 { anywhere.clone() } else { home.clone() };
            places.retain(|place| plain.is_free(*place));
            let at = *rng.pick(&places).or_else(|| anywhere.iter().find(|p| plain.is_free(**p))).unwrap();
            plain.piece[at.0][at.1] = Some(seat);
        }
        for (points, tiles) in plain.points.iter_mut().zip(&mut plain.tiles) {
            *points = 10 + rng.below(5) as u32;
            *tiles = if terms.standing_counts { 5 + rng.below(3) as u32 } else { 0 };
        }
        let gives_up = seats > 2 && rng.below(6) == 0;
        let out = gives_up.then(|| rng.below(seats as u64) as usize);
        Draft { ground, plain, out: out.into_iter().collect() }
    }

    /// The position line of the ending.
    fn line(&self) -> String {
        let Draft { ground, plain, out } = self;
        let board = ground.board;
        let fish = |cell| {
            let (col, row) = board.place(cell);
            let fish = plain.fish[usize::from(col)][usize::from(row)];
            if fish > 0 { fish.to_string() } else { ".".to_owned() }
        };
        let row = |row: u8| (0..12).map_while(|col| board.at(col, row)).map(fish).collect::<String>();
        let rows: Vec<String> = (0..12).rev().map(row).filter(|row| !row.is_empty()).collect();
        let pieces = |seat: usize| {
            let own = plain.all().into_iter().filter(|p| plain.piece[p.0][p.1] == Some(seat));
            let names =
                own.filter_map(|(col, row)| board.at(col as u8, row as u8)).map(|cell| board.name(cell));
            names.collect::<Vec<_>>().join(",")
        };
        let pieces: Vec<String> = (0..ground.seats).map(pieces).collect();
        let taken = |seat: usize| format!("{}:{}", plain.points[seat], plain.tiles[seat]);
        let taken: Vec<String> = (0..ground.seats).map(taken).collect();
        let out: String = out.iter().map(|seat| format!(" out:{}", seat + 1)).collect();
        let (rows, pieces, taken) = (rows.join("/"), pieces.join("|"), taken.join(","));
        format!("{rows} {pieces} {} move {taken} any:{}{out}", plain.turn + 1, ground.each)
    }
}

/// Clumps of tiles, which may touch each other.
fn clumps(plain: &NaivePosition, clumps: usize, tiles: usize, rng: &mut SeededRng) -> Vec<Vec<Place>> {
    let all = plain.all();
    let mut taken: Vec<Place> = Vec::new();
    let mut found: Vec<Vec<Place>> = Vec::new();
    while taken.len() < tiles.min(all.len()) {
        let open = |place: &Place| !taken.contains(place);
        let clump = rng.below(clumps as u64) as usize;
        let near = found.get(clump).map_or(Vec::new(), |clump| {
            let steps = clump.iter().flat_map(|at| (0..8).filter_map(|dir| plain.step(*at, dir)));
            steps.filter(open).collect()
        });
        let anywhere: Vec<Place> = all.iter().copied().filter(open).collect();
        let place = *rng.pick(&near).or_else(|| rng.pick(&anywhere)).expect("a cell is left");
        taken.push(place);
        match found.get_mut(clump) {
            Some(clump) => clump.push(place),
            None => found.push(vec![place]),
        }
    }
    found
}

/// An ending in both implementations of the rules.
struct Ending<'a, R: GameRules> {
    state: R::Position,
    line: String,
    brute: BruteForce,
    at: EndingPosition,
    seen: &'a mut EndingCounts,
}

/// Positions that the program searches for a move.
const NODES: u64 = 1_500;

impl<R: GameRules> Ending<'_, R>
where
    R::Position: Position<Move = Move>,
{
    fn compare(mut self, rng: &mut SeededRng) {
        let shared = self.brute.is_shared(&self.at);
        *(if shared { &mut self.seen.shared } else { &mut self.seen.separated }) += 1;
        for budget in [rng.below(30), 1_000_000] {
            let claim = R::count_endgame(&self.state, budget);
            assert_eq!(matches!(claim, EndgameCount::Shared { .. }), shared, "{}", self.line);
            self.compare_claim(&claim, budget >= 1_000_000);
            self.compare_settlement(budget);
        }
        self.compare_thought(rng.bits());
    }

    /// Bounds hold, numbers are exact if the budget suffices, and a named winner is the actual one.
    fn compare_claim(&mut self, claim: &EndgameCount, whole: bool) {
        let EndgameCount::Separated { outcome, margin_halves, .. } = claim else { return };
        let line = &self.line;
        let mut totals = Vec::new();
        for seat in Seat::all(self.state.seats()) {
            let (least, most) = claim.left(seat).unwrap();
            let truth = self.brute.alone(&self.at, seat.index());
            if !self.brute.plays(seat.index()) {
                continue;
            }
            totals.push(truth);
            let now = self.state.scores().unwrap()[seat.index()].points;
            let holds = now + least <= truth && truth <= now + most;
            assert!(holds, "{seat} has {truth} in {line}: {claim:?}");
            assert!(!whole || least == most, "{seat} is not counted out in {line}: {claim:?}");
        }
        totals.sort_unstable_by(|a, b| b.cmp(a));
        let lead = 2 * (totals[0] - totals[1]);
        assert!(margin_halves.is_none_or(|margin| margin == lead), "{lead} in {line}: {claim:?}");
        assert!(!whole || (outcome.is_some() && margin_halves.is_some()), "{line}: {claim:?}");
        if let Some(outcome) = outcome {
            assert_eq!(group(outcome), self.brute.ends(&self.at), "{line}: {claim:?}");
        }
    }

    /// The moves of a settlement are legal, end the game, and give the right result.
    fn compare_settlement(&mut self, budget: u64) {
        let Some(settlement) = R::settle(&self.state, budget) else { return };
        let mut end = self.state.clone();
        for m in &settlement.moves {
            assert_eq!(end.check(*m), Ok(()), "{m:?} in {}", self.line);
            end.play_unchecked(*m);
        }
        assert_eq!(end.outcome().as_ref(), Some(&settlement.outcome), "{}", self.line);
        assert_eq!(group(&settlement.outcome), self.brute.ends(&self.at), "{}", self.line);
        self.seen.settled += usize::from(budget >= 1_000_000);
    }

    /// Proven results come true whichever equally good moves the seats choose; with two seats the program's move keeps
    /// the result. Without a proof, counts whether its move keeps the best result.
    fn compare_thought(&mut self, seed: u64) {
        let mut request = SearchRequest::new(Level::Expert, seed);
        request.limits.nodes = Some(NODES);
        let search_result = R::think(&self.state, &request).expect("the game goes on");
        let (least, most) = self.brute.ends(&self.at).share_bounds(self.at.turn);
        let (line, value) = (&self.line, search_result.value);
        match value {
            Value::Won(_) => assert_eq!((least, most), (12, 12), "{value:?} in {line}"),
            Value::Lost(_) => assert_eq!((least, most), (0, 0), "{value:?} in {line}"),
            Value::Drawn => assert!(least == most && 0 < least && least < 12, "{value:?} in {line}"),
            Value::Estimate(_) => {}
        }
        self.seen.proven += usize::from(!matches!(value, Value::Estimate(_)));
        if self.state.seats() == 2 {
            let after = self.brute.play(&self.at, &places(R::board(&self.state), search_result.best));
            let kept = self.brute.ends(&after).share_bounds(self.at.turn).0;
            let proven = !matches!(value, Value::Estimate(_));
            assert!(kept >= least || !proven, "{:?} lets {value:?} go in {line}", search_result.best);
            *(if kept < least { &mut self.seen.best_lost } else { &mut self.seen.kept }) += 1;
        }
    }
}

fn group(outcome: &Outcome) -> WinnerGroups {
    WinnerGroups::only(outcome.winners.iter().map(|seat| seat.index()))
}
