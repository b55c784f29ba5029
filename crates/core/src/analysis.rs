//! Analysis of a position: for hints, comments and pictures.

use super::player::{Limits, SearchRequest, SearchResult, Value};
use super::rules::{MoveOf, legal};
use super::{CellOwnership, EndgameCount, GameRules, Position};

/// Node limits of the exact count: the first attempt, then larger ones while the result is open.
const COUNT_NODES: [u64; 3] = [1_000, 10_000, 100_000];
/// Nodes that the exact count may spend per millisecond of a time limit.
const COUNT_NODES_PER_MS: u128 = 20;

/// With more legal moves than this, candidates are not evaluated one by one.
const MAX_CANDIDATES: usize = 300;

/// The analysis of a position. `M` is a move, or its canonical text once types are erased.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M = String> {
    /// The best lines, best first. Never empty.
    pub lines: Vec<Line<M>>,
    /// Complete plies searched for the first line.
    pub depth: u32,
    /// Positions searched in total.
    pub nodes: u64,
    /// The likely owner of each free cell; empty in games without territory.
    pub ownership: Vec<CellOwnership>,
    /// The remaining gains, if they can be counted; the result is then exact.
    pub endgame: EndgameCount,
}

/// A move, the expected continuation, and its value for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M = String> {
    /// The move, then the expected continuation.
    pub moves: Vec<M>,
    /// How good it is for the side to move.
    pub value: Value,
}

/// Analyses a position in at most `most` lines: the search for the best move gets half of the limits, the lines share
/// the rest. `None` if the game is over.
///
/// Values are comparable only if they come from searches of the same size, so the best move is searched once more like
/// the others; its exact value is kept. With more than two seats all lines come from the first search, and moves that
/// it has not seen often enough to trust are left out: those with a better value than the move that it prefers.
pub(super) fn analyse<R: GameRules>(
    position: &R::Position,
    request: &SearchRequest,
    most: usize,
) -> Option<Analysis<MoveOf<R>>> {
    let others = most.saturating_sub(1);
    let half = SearchRequest { limits: part(&request.limits, 2), ..request.clone() };
    let first = R::think(position, if others > 0 { &half } else { request })?;
    let share = SearchRequest { limits: part(&half.limits, others as u32 + 1), ..request.clone() };
    let mut nodes = first.nodes;
    let mut lines = vec![Line { moves: first.line.clone(), value: first.value }];
    if others > 0 && position.seats() == 2 && matches!(first.value, Value::Estimate(_)) {
        lines[0].value = search_move::<R>(position, first.best, &share, first.depth, &mut nodes).value;
    }
    let beside = if others > 0 { candidates::<R>(position, &first, request, &mut nodes) } else { Vec::new() };
    let is_trusted = |value: &Value| position.seats() == 2 || value.rank() <= first.value.rank();
    for (m, value) in beside.into_iter().filter(|(_, value)| is_trusted(value)).take(others) {
        lines.push(match position.seats() {
            2 => search_move::<R>(position, m, &share, first.depth, &mut nodes),
            _ => Line { moves: vec![m], value },
        });
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.value.rank()));
    let (ownership, endgame) = (R::ownership(position), count_within_limits::<R>(position, request));
    Some(Analysis { lines, depth: first.depth, nodes, ownership, endgame })
}

/// Counts the remaining gains as far as time allows; checks for a halt between attempts.
fn count_within_limits<R: GameRules>(position: &R::Position, request: &SearchRequest) -> EndgameCount {
    let allowed = request.limits.time.map_or(u64::MAX, |time| {
        (time.as_millis() * COUNT_NODES_PER_MS).clamp(COUNT_NODES[0].into(), u64::MAX.into()) as u64
    });
    let mut endgame = EndgameCount::None;
    for nodes in COUNT_NODES {
        endgame = R::count_endgame(position, nodes.min(allowed));
        let open = matches!(endgame, EndgameCount::Separated { margin_halves: None, .. });
        if !open || nodes >= allowed || request.halt.called() {
            break;
        }
    }
    endgame
}

/// The alternatives to the best move, best first: those that the search returned or, if it returned none, all others
/// ordered by a search of one ply.
fn candidates<R: GameRules>(
    position: &R::Position,
    search_result: &SearchResult<MoveOf<R>>,
    request: &SearchRequest,
    nodes: &mut u64,
) -> Vec<(MoveOf<R>, Value)> {
    if !search_result.others.is_empty() {
        return search_result.others.clone();
    }
    let mut rest = legal::<R>(position);
    rest.retain(|m| *m != search_result.best);
    let glance = SearchRequest { limits: Limits { nodes: Some(1), ..Limits::default() }, ..request.clone() };
    let looks = position.seats() == 2 && rest.len() <= MAX_CANDIDATES;
    let mut look = |m| match final_value::<R>(position, m) {
        Some(value) => value,
        None if looks => search_move::<R>(position, m, &glance, 1, nodes).value,
        None => Value::Estimate(0),
    };
    let mut rest: Vec<_> = rest.into_iter().map(|m| (m, look(m))).collect();
    rest.sort_by_key(|(_, value)| std::cmp::Reverse(value.rank()));
    rest
}

/// Returns the value of a move that ends the game.
fn final_value<R: GameRules>(position: &R::Position, m: MoveOf<R>) -> Option<Value> {
    let mut next = position.clone();
    next.play_unchecked(m);
    Some(match next.outcome()?.share(position.turn()) {
        share if share >= 1.0 => Value::Won(1),
        share if share <= 0.0 => Value::Lost(1),
        _ => Value::Drawn,
    })
}

/// Returns the value of a move by a search of the position after it.
fn search_move<R: GameRules>(
    position: &R::Position,
    m: MoveOf<R>,
    request: &SearchRequest,
    depth: u32,
    nodes: &mut u64,
) -> Line<MoveOf<R>> {
    if let Some(value) = final_value::<R>(position, m) {
        return Line { moves: vec![m], value };
    }
    let mut next = position.clone();
    next.play_unchecked(m);
    let limits = Limits { depth: Some(depth.saturating_sub(1).max(1)), ..request.limits.clone() };
    let Some(answer) = R::think(&next, &SearchRequest { limits, ..request.clone() }) else {
        return Line { moves: vec![m], value: Value::Estimate(0) };
    };
    *nodes += answer.nodes;
    let same = next.turn() == position.turn();
    let value = if same { answer.value } else { answer.value.reversed() };
    Line { moves: [vec![m], answer.line].concat(), value }
}

fn part(limits: &Limits, of: u32) -> Limits {
    let nodes = limits.nodes.map(|nodes| (nodes / u64::from(of)).max(1));
    Limits { time: limits.time.map(|time| time / of), nodes, ..limits.clone() }
}
