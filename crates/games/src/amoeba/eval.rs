//! The player of Amoeba: quick wins by exact search, then alpha-beta on a plain board. The resources of the levels are
//! defined in `search::levels`.

use super::fast::{Fast, Hop};
use super::rules::{AmoebaPosition, Move, board};
use super::search_game::AmoebaSearch;
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::{Pie, Position};
use rookery_search::levels::{self, Strength};
use rookery_search::{baselines, generic, mates, pie};

/// Wins within this many plies are searched for exactly by levels that look ahead.
const SURE_PLIES: u32 = 5;

/// Searches a position. `None` if the game is over.
pub(super) fn think(position: &AmoebaPosition, ask: &SearchRequest) -> Option<SearchResult<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    let fast = Fast::of(position).filter(|_| ask.level != Level::Random);
    let Some(at) = fast else { return generic::any_move(position, ask.seed) };
    let strength = Strength::of(ask.level);
    let mut head = AmoebaSearch::new(position, strength.blur, ask.seed);
    let mut clock = strength.clock(ask);
    let thought = match position.pie() {
        Pie::Ahead => pie::even_move(&mut head, &at)?,
        _ => {
            let asked = generic::proves(position.count(), &clock);
            let quick = strength.mate_plies(SURE_PLIES).filter(|_| asked);
            let won = quick.and_then(|plies| mates::find(&mut head, &at, plies, &mut clock));
            won.or_else(|| levels::think(&mut head, &at, &strength, ask.seed, &mut clock))?
        }
    };
    let thought = told(&at, thought);
    Some(if position.pie() == Pie::Open { pie::or_swap(thought, Move::Swap) } else { thought })
}

/// Converts the search result to moves of the rules.
fn told(at: &Fast, thought: SearchResult<Hop>) -> SearchResult<Move> {
    let hop = |at: &Fast, hop: Hop| {
        let way = board().lines().walk(hop.from, hop.dir.into());
        let to = way.take(at.stack(hop.from).height()).last().unwrap_or(hop.from);
        Move::Go { from: hop.from, to, split: hop.split }
    };
    let mut along = at.clone();
    let mut line = Vec::new();
    for m in thought.line {
        line.push(hop(&along, m));
        along.play(m);
    }
    let SearchResult { value, depth, nodes, .. } = thought;
    let others = thought.others.into_iter().map(|(m, value)| (hop(at, m), value)).collect();
    SearchResult { best: hop(at, thought.best), value, depth, nodes, line, others }
}

/// A baseline player: maximises the number of stacks it controls after its move.
pub(super) fn greedy(position: &AmoebaPosition, ask: &SearchRequest) -> Option<SearchResult<Move>> {
    baselines::greedy(position, generic::lead, ask)
}
