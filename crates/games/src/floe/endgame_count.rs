//! The remaining gains of every seat, once no region is shared any more.

use super::reachable_tiles::{ReachableTiles, Region, TakeRule, count_reachable};
use super::{Floe, Move, Phase};
use rookery_core::{CellSet, EndgameCount, Outcome, OwnedRegion, Reason, Seat};

/// How a game scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Which tiles a move takes.
    pub way: TakeRule,
    /// Whether a seat also takes the tiles under its pieces at the end.
    pub standing_counts: bool,
    /// Whether the number of tiles decides between equal points.
    pub tiles_decide: bool,
}

/// The remaining gains, from a search of at most `budget_nodes` positions.
pub(crate) fn count_endgame(floe: &Floe, terms: Terms, budget_nodes: u64) -> EndgameCount {
    ways(floe, terms, budget_nodes).0
}

/// The same, and for every seat moves that take at least its lower bound; no moves if nothing can be counted yet.
pub(crate) fn ways(floe: &Floe, terms: Terms, budget_nodes: u64) -> (EndgameCount, Vec<Vec<Move>>) {
    if matches!(floe.phase(), Phase::Lay | Phase::Place) {
        return (EndgameCount::None, Vec::new());
    }
    let regions = floe.board().lines().regions(floe.tiles());
    let shared = shared(floe, &regions);
    if !shared.is_empty() {
        return (EndgameCount::Shared { cells: shared }, Vec::new());
    }
    let mut count = count(floe, terms, regions, budget_nodes);
    let ways = std::mem::take(&mut count.ways);
    (count.count_endgame(), ways)
}

/// The active seats with pieces in a region.
fn owners(floe: &Floe, region: CellSet) -> impl Iterator<Item = Seat> + '_ {
    let inside = move |seat: &Seat| !floe.is_retired(*seat) && floe.pieces(*seat).intersects(region);
    Seat::all(floe.seats()).filter(inside)
}

/// The cells of the regions with a free cell and pieces of at least two seats.
fn shared(floe: &Floe, regions: &[CellSet]) -> CellSet {
    let is_shared =
        |region: &&CellSet| region.intersects(floe.free()) && owners(floe, **region).nth(1).is_some();
    regions.iter().filter(is_shared).fold(CellSet::EMPTY, |all, region| all | *region)
}

fn count(floe: &Floe, terms: Terms, mut regions: Vec<CellSet>, budget_nodes: u64) -> Count<'_> {
    // Small regions first: they leave the rest of the budget to the large ones.
    regions.sort_by_key(|region| region.len());
    let mut count = Count::new(floe, terms, budget_nodes);
    for region in regions {
        owners(floe, region).for_each(|owner| count.add(region, owner));
    }
    count
}

/// The winners by points and tiles, given as one pair for each seat. A seat that resigned keeps its points and can't
/// win. `None` if no seat can win.
pub(crate) fn ranking(
    totals: &[(u32, u32)],
    tiles_decide: bool,
    is_in: impl Fn(Seat) -> bool,
) -> Option<Outcome> {
    let rivals: Vec<_> = Seat::all(totals.len()).zip(totals).filter(|(seat, _)| is_in(*seat)).collect();
    let best = rivals.iter().map(|(_, total)| **total).max()?;
    let leaders = rivals.iter().filter(|(_, total)| total.0 == best.0);
    let wins = |total: &(u32, u32)| !tiles_decide || *total == best;
    let winners: Vec<_> = leaders.clone().filter(|(_, total)| wins(total)).map(|(seat, _)| *seat).collect();
    let reason = if winners.len() < leaders.count() { Reason::Tiles } else { Reason::Points };
    Some(Outcome { winners, reason })
}

struct Count<'a> {
    floe: &'a Floe,
    terms: Terms,
    nodes_left: u64,
    worth: Vec<u32>,
    domains: Vec<OwnedRegion>,
    /// Lower and upper bound of every seat's final result, as [`combined_score`]s.
    totals: Vec<ReachableTiles>,
    /// Moves of every seat that take at least its lower bound.
    ways: Vec<Vec<Move>>,
}

/// Points and tiles as one comparable number: points first.
pub(super) fn combined_score(points: u32, tiles: u32) -> u32 {
    points << TILE_BITS | tiles
}

/// No board has 256 cells.
const TILE_BITS: u32 = 8;

impl<'a> Count<'a> {
    fn new(floe: &'a Floe, terms: Terms, nodes_left: u64) -> Count<'a> {
        let tile = u32::from(terms.tiles_decide);
        let worth = floe.board().cells().map(|cell| combined_score(floe.fish(cell).into(), tile)).collect();
        let now = |seat| {
            let taken = floe.taken(seat);
            // A seat that resigned has no domains: the tiles under its pieces are added here.
            let standing = if floe.is_retired(seat) { floe.pieces(seat) } else { CellSet::EMPTY };
            let tiles = tile * (u32::from(taken.tiles) + standing.len() as u32);
            let standing = if terms.standing_counts { floe.fish_on(standing) } else { 0 };
            let total = combined_score(u32::from(taken.points) + standing, tiles);
            ReachableTiles { least: total, most: total }
        };
        let totals = Seat::all(floe.seats()).map(now).collect();
        let ways = vec![Vec::new(); floe.seats()];
        Count { floe, terms, nodes_left, worth, domains: Vec::new(), totals, ways }
    }

    fn add(&mut self, region: CellSet, owner: Seat) {
        let pieces = region & self.floe.pieces(owner);
        let free = region & self.floe.free();
        let lines = self.floe.board().lines();
        let search = Region { lines, free, pieces, way: self.terms.way, worth: &self.worth };
        let (mut found, way) = count_reachable(&search, &mut self.nodes_left);
        self.ways[owner.index()].extend(way);
        if self.terms.standing_counts && self.terms.way == TakeRule::Walk {
            let standing: u32 = pieces.iter().map(|cell| self.worth[cell.index()]).sum();
            found = ReachableTiles { least: found.least + standing, most: found.most + standing };
        }
        let total = &mut self.totals[owner.index()];
        *total = ReachableTiles { least: total.least + found.least, most: total.most + found.most };
        let (least, most) = (found.least >> TILE_BITS, found.most >> TILE_BITS);
        if most > 0 {
            self.domains.push(OwnedRegion { cells: free | pieces, owner, least, most });
        }
    }

    fn count_endgame(mut self) -> EndgameCount {
        self.domains.sort_by_key(|domain| domain.cells.lowest());
        if self.floe.phase() == Phase::Over {
            // The scores then include everything.
            self.domains.clear();
        }
        let outcome = self.outcome();
        let margin_halves = outcome.as_ref().and_then(|_| self.margin()).map(|points| 2 * points);
        EndgameCount::Separated { domains: self.domains, outcome, margin_halves }
    }

    /// The outcome if it is certain: everything is counted, or one seat's lower bound beats all others' upper bounds.
    fn outcome(&self) -> Option<Outcome> {
        if self.totals.iter().all(|total| total.least == total.most) {
            let pair =
                |total: &ReachableTiles| (total.least >> TILE_BITS, total.least & ((1 << TILE_BITS) - 1));
            let totals: Vec<_> = self.totals.iter().map(pair).collect();
            return ranking(&totals, self.terms.tiles_decide, |seat| !self.floe.is_retired(seat));
        }
        let beats = |(seat, total): &(Seat, &ReachableTiles)| {
            let mut others = self.rivals().filter(|(other, _)| other != seat);
            others.all(|(_, other)| total.least >> TILE_BITS > other.most >> TILE_BITS)
        };
        let winner = self.rivals().find(beats)?.0;
        Some(Outcome::win(winner, Reason::Points))
    }

    /// The seats that can still win, with the bounds of their final results.
    fn rivals(&self) -> impl Iterator<Item = (Seat, &ReachableTiles)> {
        let seats = Seat::all(self.totals.len()).zip(&self.totals);
        seats.filter(|(seat, _)| !self.floe.is_retired(*seat))
    }

    /// The lead of the best seat over the second in points, if everything is counted.
    fn margin(&self) -> Option<u32> {
        let exact = self.totals.iter().all(|total| total.least == total.most);
        let mut points: Vec<_> = self.rivals().map(|(_, total)| total.least >> TILE_BITS).collect();
        points.sort_unstable_by(|a, b| b.cmp(a));
        (exact && points.len() > 1).then(|| points[0] - points[1])
    }
}
