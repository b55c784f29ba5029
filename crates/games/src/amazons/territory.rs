//! The remaining moves of each side once the board is separated.

#[cfg(any(test, feature = "testing"))]
use rookery_core::Board;
use rookery_core::{
    CellSet, EndgameCount, Outcome, OwnedRegion, Pie, Position, Reach, Reason, Seat, Settlement,
};

use super::fill_count::{Bounds, FillCounter};
use super::rules::{AmazonsPosition, Move, Side};

/// The remaining moves of each side, from a search of at most `budget_nodes` states.
///
/// A region is a connected set of cells that are not blocked; amazons do not separate regions, since they can move
/// away. Regions without a free cell do not matter, even if pieces touch them.
pub(super) fn count_endgame(position: &AmazonsPosition, budget_nodes: u64) -> EndgameCount {
    count(position, &mut FillCounter::new(position.board().lines(), budget_nodes))
}

/// The moves that the winner can still make in a row once the other side has none: the lead of the count without its half
/// move. The stuck amazons are obstacles. `None` while the game goes on, and if the search does not finish.
pub(super) fn moves_left(position: &AmazonsPosition, budget_nodes: u64) -> Option<u32> {
    let winner = *position.outcome()?.winners.first()?;
    let amazons = position.amazons(position.colour(winner));
    let mut fill_counter = FillCounter::new(position.board().lines(), budget_nodes);
    let Bounds { least, most } = fill_counter.count(amazons, position.free());
    (least == most).then_some(most)
}

/// Who can still reach which free cells.
pub(super) fn reach(position: &AmazonsPosition) -> Reach {
    let open = position.board().all() & !position.arrows();
    let amazons = [Seat::FIRST, Seat::SECOND].map(|seat| position.amazons(position.colour(seat)));
    Reach::of(&position.board().lines().regions(open), position.free(), &amazons)
}

/// The proven end if counting decides the winner: both sides fill their own regions.
pub(super) fn settle(position: &AmazonsPosition, budget_nodes: u64) -> Option<Settlement<Move>> {
    let mut fill_counter = FillCounter::new(position.board().lines(), budget_nodes);
    let claim = count(position, &mut fill_counter);
    let EndgameCount::Separated { domains, .. } = &claim else { return None };
    let mut ways = vec![Vec::new(); position.seats()];
    for domain in domains {
        let own = domain.cells & position.all_amazons();
        let way = fill_counter.way(own, domain.cells & position.free());
        ways[domain.owner.index()].extend(way.into_iter().map(|[from, to, arrow]| Move::Go {
            from,
            to,
            arrow,
        }));
    }
    Settlement::of(position, claim, ways)
}

fn count(position: &AmazonsPosition, fill_counter: &mut FillCounter<'_>) -> EndgameCount {
    if matches!(position.pie(), Pie::Ahead | Pie::Open) {
        return EndgameCount::None;
    }
    let lines = position.board().lines();
    let open = position.board().all() & !position.arrows();
    let live = lines.regions(open).into_iter().filter(|region| region.intersects(position.free()));
    let (shared, own): (Vec<CellSet>, Vec<CellSet>) =
        live.partition(|region| Side::BOTH.iter().all(|side| region.intersects(position.amazons(*side))));
    if !shared.is_empty() {
        return EndgameCount::Shared {
            cells: shared.into_iter().fold(CellSet::EMPTY, |all, region| all | region),
        };
    }
    let domains = own.into_iter().filter_map(|cells| domain(position, cells, fill_counter)).collect();
    settled(position, domains)
}

#[cfg(any(test, feature = "testing"))]
/// Lower and upper bound of the moves in a row that one side's amazons can make on free cells that no other amazon can
/// reach; equal if `budget_nodes` states suffice. All other cells are blocked.
pub fn moves_alone(board: &Board, amazons: CellSet, free: CellSet, budget_nodes: u64) -> (u32, u32) {
    let Bounds { least, most } = FillCounter::new(board.lines(), budget_nodes).count(amazons, free);
    (least, most)
}

/// The region with its owner and its value; `None` if no amazon is in it.
fn domain(
    position: &AmazonsPosition,
    cells: CellSet,
    fill_counter: &mut FillCounter<'_>,
) -> Option<OwnedRegion> {
    let side = Side::BOTH.into_iter().find(|side| cells.intersects(position.amazons(*side)))?;
    let Bounds { least, most } = fill_counter.count(cells & position.amazons(side), cells & position.free());
    Some(OwnedRegion { cells, owner: position.seat(side), least, most })
}

/// The winner when each side fills its own regions: the side to move is charged half a move, so it needs strictly more
/// moves than the other.
fn settled(position: &AmazonsPosition, domains: Vec<OwnedRegion>) -> EndgameCount {
    let mover = position.turn();
    let (own, other) = (left(&domains, mover), left(&domains, mover.other()));
    let wins = own.least > other.most;
    let loses = own.most <= other.least;
    let winner = (wins || loses).then(|| if wins { mover } else { mover.other() });
    let exact = own.least == own.most && other.least == other.most;
    let margin_halves = exact.then(|| (2 * own.most).abs_diff(2 * other.most + 1));
    EndgameCount::Separated {
        domains,
        outcome: winner.map(|seat| Outcome::win(seat, Reason::NoMoves)),
        margin_halves,
    }
}

fn left(domains: &[OwnedRegion], seat: Seat) -> Bounds {
    let own = domains.iter().filter(|domain| domain.owner == seat);
    own.fold(Bounds { least: 0, most: 0 }, |sum, domain| Bounds {
        least: sum.least + domain.least,
        most: sum.most + domain.most,
    })
}
