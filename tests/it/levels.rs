//! Guarantees of every level in every game: the same request gets the same answer, and no level from easy
//! upwards plays an absurd move.
//!
//! A move is absurd if another move avoids its harm: it loses at once; it lets the opponent win on the next
//! move, in games that end suddenly (Amoeba, Penguin Soccer); or it leaves an own amazon or penguin that had
//! space without a free neighbour while the board is still contested (in penguin games, unless every move
//! that takes as many fish does so too). Filling the last cells of a closed region is not absurd.
use rookery_core::helper_threads::HelperThreads;
use rookery_core::player::{Level, Limits, SearchRequest};
use rookery_core::rules::Setup;
use rookery_core::seed::mix;
use rookery_core::{Cell, CellSet, EndgameCount, Fact, Game, Play, Seat};
use rookery_lab::signature::positions;

/// Games that end by a single turn, far from any counting.
const SUDDEN_END_GAMES: [&str; 2] = ["amoeba", "penguin_soccer"];
/// A side that is ten moves or fish behind has nothing to lose, in hundredths.
const HOPELESS: i64 = -1_000;
/// The number of plies after which a game is not followed further.
const PLIES: usize = 160;
/// The nodes for finding out whether the board is still contested.
const COUNT_NODES: u64 = 1_000;
/// A piece that can reach this many free cells has space.
const MIN_SPACE: usize = 8;

fn start(game: &dyn Game, seed: u64) -> Box<dyn Play> {
    game.start(&Setup::new(2).seeded(seed)).unwrap()
}

fn after(play: &dyn Play, text: &str) -> Box<dyn Play> {
    let mut next = play.clone_play();
    next.play(text).unwrap();
    next
}

fn ask(level: Level, seed: u64, nodes: Option<u64>) -> SearchRequest {
    SearchRequest { limits: Limits { nodes, ..Limits::default() }, ..SearchRequest::new(level, seed) }
}

#[test]
fn levels_give_the_same_move_for_the_same_request() {
    for game in rookery_games::all() {
        let key = game.info().key;
        for play in positions(start(*game, 3).as_ref(), 3, 15).into_iter().take(4) {
            for (level, seed) in Level::ALL.into_iter().zip(1..) {
                let answer = || play.think(&ask(level, seed, Some(400)));
                assert_eq!(answer(), answer(), "{key}, {level:?}, ply {}", play.ply());
            }
        }
    }
}

/// Helper threads make searches non-deterministic, except at the weak levels, which are limited by nodes.
#[test]
fn levels_play_legal_moves_with_helper_threads_and_weak_ones_the_same_moves() {
    for game in rookery_games::all() {
        let key = game.info().key;
        for play in positions(start(*game, 3).as_ref(), 3, 15).into_iter().take(3) {
            for (level, seed) in Level::ALL.into_iter().zip(1..) {
                let alone = ask(level, seed, Some(2_000));
                let thought =
                    play.think(&SearchRequest { helpers: HelperThreads::Count(2), ..alone.clone() }).unwrap();
                assert!(play.moves().contains(&thought.best), "{key}, {level:?}: {}", thought.best);
                if level <= Level::Medium {
                    assert_eq!(Some(thought), play.think(&alone), "{key}, {level:?}, ply {}", play.ply());
                }
            }
        }
    }
}

#[test]
fn levels_from_easy_upwards_make_no_absurd_move() {
    let mut seen = Vec::new();
    for game in rookery_games::all() {
        for seed in 1..=3 {
            seen.extend(absurd_moves(*game, Level::Easy, seed, None));
        }
        // Even the strong levels play no absurd move with a small node limit.
        for level in [Level::Medium, Level::Hard, Level::Expert] {
            seen.extend(absurd_moves(*game, level, 9, Some(500)));
        }
    }
    assert_eq!(seen, Vec::<String>::new());
}

/// Returns the absurd moves in a game of a level against itself.
fn absurd_moves(game: &dyn Game, level: Level, seed: u64, nodes: Option<u64>) -> Vec<String> {
    let mut play = start(game, seed);
    let mut seen = Vec::new();
    while play.outcome().is_none() && play.ply() < PLIES {
        let asked = ask(level, mix(seed ^ play.ply() as u64), nodes);
        let thought = play.think(&asked).unwrap();
        let (text, lost) = (thought.best, thought.value.rank() <= HOPELESS);
        if is_harm(play.as_ref(), &text)
            && (!lost || SUDDEN_END_GAMES.contains(&play.info().key))
            && play.moves().iter().any(|other| as_good(play.as_ref(), other, &text))
        {
            seen.push(format!("{} {level:?} ply {}: {text} in {}", game.info().key, play.ply(), play.line()));
        }
        play.play(&text).unwrap();
    }
    seen
}

fn is_harm(play: &dyn Play, text: &str) -> bool {
    let (mover, next) = (play.turn(), after(play, text));
    let lost = |at: &dyn Play| at.outcome().is_some_and(|outcome| !outcome.winners.contains(&mover));
    if SUDDEN_END_GAMES.contains(&play.info().key) {
        return lost(next.as_ref())
            || next.turn() != mover && next.moves().iter().any(|reply| lost(after(&*next, reply).as_ref()));
    }
    encloses_a_piece(play, next.as_ref(), mover)
}

/// Whether another move avoids the harm and takes no fewer fish.
fn as_good(play: &dyn Play, other: &str, than: &str) -> bool {
    let points = |text: &str| {
        let scores = after(play, text).scores();
        scores.map_or(0, |scores| scores[play.turn().index()].points)
    };
    points(other) >= points(than) && !is_harm(play, other)
}

/// Whether a piece of the mover that had space is enclosed, while the board is still contested.
fn encloses_a_piece(before: &dyn Play, after: &dyn Play, mover: Seat) -> bool {
    let (then, now) = (PositionFacts::of(before), PositionFacts::of(after));
    let (from, to) = (then.pieces(mover), now.pieces(mover));
    let left = from.iter().find(|cell| !to.has(*cell));
    let stuck = to.iter().filter(|cell| now.room(*cell) == 0);
    let had = |cell: Cell| if from.has(cell) { Some(cell) } else { left };
    let mut harmed = stuck.filter_map(had).filter(|cell| then.room(*cell) >= MIN_SPACE);
    harmed.next().is_some() && matches!(before.count_endgame(COUNT_NODES), EndgameCount::Shared { .. })
}

/// The pieces and free cells of a position.
struct PositionFacts<'a> {
    play: &'a dyn Play,
    facts: Vec<Fact>,
    blocked: CellSet,
}

impl PositionFacts<'_> {
    fn of(play: &dyn Play) -> PositionFacts<'_> {
        let facts = play.facts();
        let takes_room = facts.iter().filter(|fact| ["pieces", "gone"].contains(&fact.key));
        let blocked = takes_room.flat_map(|fact| fact.cells.iter().copied()).collect();
        PositionFacts { play, facts, blocked }
    }

    fn pieces(&self, seat: Seat) -> CellSet {
        let own = self.facts.iter().filter(|fact| fact.key == "pieces" && fact.seat == Some(seat));
        own.flat_map(|fact| fact.cells.iter().copied()).collect()
    }

    /// Counts the free cells that a piece could reach step by step, if nobody else moved.
    fn room(&self, piece: Cell) -> usize {
        let lines = self.play.board().lines();
        let (mut found, mut edge) = (CellSet::EMPTY, vec![piece]);
        while let Some(cell) = edge.pop() {
            let next = (0..lines.dirs()).filter_map(|dir| lines.step(cell, dir));
            for cell in next.filter(|cell| !self.blocked.has(*cell)) {
                if !found.has(cell) {
                    found.insert(cell);
                    edge.push(cell);
                }
            }
        }
        found.len()
    }
}
