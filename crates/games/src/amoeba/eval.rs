//! The player of Amoeba: quick wins by exact search, then alpha-beta on a plain board. The resources of the levels are
//! defined in `search::levels`.

use super::fast::{FastMove, FastPosition};
use super::rules::{AmoebaPosition, Move, board};
use super::search_game::AmoebaSearch;
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::{Pie, Position};
use rookery_search::levels::{self, Strength};
use rookery_search::{baselines, generic, mates, pie};

/// Wins within this many plies are searched for exactly by levels that look ahead.
const SURE_PLIES: u32 = 5;

/// Searches a position. `None` if the game is over.
pub(super) fn think(position: &AmoebaPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    let fast = FastPosition::of(position).filter(|_| request.level != Level::Random);
    let Some(at) = fast else { return generic::any_move(position, request.seed) };
    let strength = Strength::of(request.level);
    let mut head = AmoebaSearch::new(position, strength.max_error, request.seed);
    let mut clock = strength.clock(request);
    let search_result = match position.pie() {
        Pie::Ahead => pie::even_move(&mut head, &at)?,
        _ => {
            let asked = generic::proves(position.count(), &clock);
            let quick = strength.mate_plies(SURE_PLIES).filter(|_| asked);
            let won = quick.and_then(|plies| mates::find(&mut head, &at, plies, &mut clock));
            won.or_else(|| levels::think(&mut head, &at, &strength, request.seed, &mut clock))?
        }
    };
    let search_result = to_rules_result(&at, search_result);
    Some(if position.pie() == Pie::Open { pie::or_swap(search_result, Move::Swap) } else { search_result })
}

/// Converts the search result to moves of the rules.
fn to_rules_result(at: &FastPosition, search_result: SearchResult<FastMove>) -> SearchResult<Move> {
    let hop = |at: &FastPosition, hop: FastMove| {
        let way = board().lines().walk(hop.from, hop.dir.into());
        let to = way.take(at.stack(hop.from).height()).last().unwrap_or(hop.from);
        Move::Go { from: hop.from, to, split: hop.split }
    };
    let mut along = at.clone();
    let mut line = Vec::new();
    for m in search_result.line {
        line.push(hop(&along, m));
        along.play(m);
    }
    let SearchResult { value, depth, nodes, .. } = search_result;
    let others = search_result.others.into_iter().map(|(m, value)| (hop(at, m), value)).collect();
    SearchResult { best: hop(at, search_result.best), value, depth, nodes, line, others }
}

/// A baseline player: maximises the number of stacks it controls after its move.
pub(super) fn greedy(position: &AmoebaPosition, request: &SearchRequest) -> Option<SearchResult<Move>> {
    baselines::greedy(position, generic::lead, request)
}
