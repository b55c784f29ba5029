//! Baseline players. They do not change, so that strengths measured in different years can be compared.
//!
//! [`greedy`] takes the move after which a simple number is highest; [`uct`] is Monte-Carlo tree search as first
//! published, with random playouts and no knowledge of the game (L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo
//! planning", 2006).

use super::SearchClock;
use rookery_core::player::{SearchRequest, SearchResult, Value};
use rookery_core::seed::SeededRng;
use rookery_core::{MAX_SEATS, Position, Seat};

/// The move after which `worth` is highest for the mover; a win beats everything. Ties are broken at random. `None` if
/// the game is over.
pub fn greedy<P: Position>(
    position: &P,
    worth: impl Fn(&P, Seat) -> i32,
    request: &SearchRequest,
) -> Option<SearchResult<P::Move>> {
    let seat = position.turn();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    SeededRng::new(request.seed).shuffle(&mut moves);
    let value = |m: &P::Move| {
        let mut after = position.clone();
        after.play_unchecked(*m);
        let won = after.outcome().is_some_and(|outcome| outcome.share(seat) > 0.5);
        if won { i32::MAX } else { worth(&after, seat) }
    };
    let nodes = moves.len() as u64;
    let (best, value) = moves.into_iter().map(|m| (m, value(&m))).max_by_key(|(_, value)| *value)?;
    Some(SearchResult::of(best, Value::Estimate(value), 1, nodes))
}

/// The exploration constant of UCT.
const EXPLORATION: f64 = 1.0;
/// A playout of this length counts as shared by all.
const MAX_PLAYOUT_PLIES: usize = 200;
const MAX_NODES: usize = 1 << 20;

/// Plays random games from the position until the limits of the request are reached (1,000 games if there are none);
/// returns the most visited move. `None` if the game is over.
pub fn uct<P: Position>(position: &P, request: &SearchRequest) -> Option<SearchResult<P::Move>> {
    if position.outcome().is_some() {
        return None;
    }
    let mut clock = SearchClock::start(request.limits.clone(), request.halt.clone());
    let mut rng = SeededRng::new(request.seed);
    let mut tree = vec![Node::of(position, &mut rng)];
    let most = if clock.is_unbounded() { 1_000 } else { u64::MAX };
    while clock.nodes() < most && !clock.count_nodes(1) {
        round(&mut tree, position.clone(), &mut rng);
    }
    let tried = tree[0].children.iter().max_by_key(|(_, kid)| tree[*kid].visits);
    let best = tried.map(|(m, _)| *m).or_else(|| tree[0].untried.last().copied())?;
    let value = tried.map_or(0, |(_, kid)| evaluation(&tree[*kid], position.turn()));
    Some(SearchResult::of(best, Value::Estimate(value), 0, clock.nodes()))
}

/// Opinion, in hundredths, that wins three games in four, as for other players ([`super::SearchGame::large_advantage`]).
const THREE_IN_FOUR: f64 = 300.0;

/// A seat's share of the games through a node as an evaluation on the logistic scale. One win and one loss are added to
/// keep it finite.
fn evaluation<M>(node: &Node<M>, seat: Seat) -> i32 {
    let wins = node.shares[seat.index()] + 1.0;
    let losses = f64::from(node.visits) - node.shares[seat.index()] + 1.0;
    (THREE_IN_FOUR * (wins / losses).ln() / 3.0_f64.ln()) as i32
}

struct Node<M> {
    turn: Seat,
    untried: Vec<M>,
    children: Vec<(M, usize)>,
    visits: u32,
    shares: [f64; MAX_SEATS],
}

impl<M: Copy> Node<M> {
    fn of<P: Position<Move = M>>(position: &P, rng: &mut SeededRng) -> Node<M> {
        let mut untried = Vec::new();
        position.moves(&mut untried);
        rng.shuffle(&mut untried);
        Node { turn: position.turn(), untried, children: Vec::new(), visits: 0, shares: [0.0; MAX_SEATS] }
    }
}

/// One iteration: selection, expansion, playout, backpropagation.
fn round<P: Position>(tree: &mut Vec<Node<P::Move>>, mut at: P, rng: &mut SeededRng) {
    let mut path = vec![0];
    loop {
        let here = path[path.len() - 1];
        if let Some(m) = tree[here].untried.pop() {
            at.play_unchecked(m);
            if tree.len() < MAX_NODES {
                let kid = tree.len();
                tree.push(Node::of(&at, rng));
                tree[here].children.push((m, kid));
                path.push(kid);
            }
            break;
        }
        let Some((m, kid)) = select_child(tree, here) else { break };
        at.play_unchecked(m);
        path.push(kid);
    }
    let shares = playout(at, rng);
    for node in path {
        tree[node].visits += 1;
        tree[node].shares.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
    }
}

fn select_child<M: Copy>(tree: &[Node<M>], here: usize) -> Option<(M, usize)> {
    let node = &tree[here];
    let log = f64::from(node.visits.max(1)).ln();
    let appeal = |(_, kid): &(M, usize)| {
        let visits = f64::from(tree[*kid].visits.max(1));
        tree[*kid].shares[node.turn.index()] / visits + EXPLORATION * (log / visits).sqrt()
    };
    node.children.iter().copied().max_by(|a, b| appeal(a).total_cmp(&appeal(b)))
}

/// The share of each seat in a random game.
fn playout<P: Position>(mut at: P, rng: &mut SeededRng) -> [f64; MAX_SEATS] {
    let seats = at.seats();
    let mut moves = Vec::new();
    let mut shares = [1.0 / seats as f64; MAX_SEATS];
    for _ in 0..MAX_PLAYOUT_PLIES {
        if let Some(outcome) = at.outcome() {
            Seat::all(seats).for_each(|seat| shares[seat.index()] = outcome.share(seat));
            break;
        }
        moves.clear();
        at.moves(&mut moves);
        let Some(m) = rng.pick(&moves) else { break };
        at.play_unchecked(*m);
    }
    shares
}
