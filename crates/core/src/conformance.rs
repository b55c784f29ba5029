//! The conformance suite: properties that every game must have, checked over random games.
//!
//! The tests of each game call [`check_all`]. A failed check panics with the position's line and the reason.

mod edits;
mod partial_moves;

use std::collections::{BTreeMap, HashSet};

use super::game::{Play, resumed};
use super::position::{LastMove, Position};
use super::rules::{GameRules, MoveOf, Setup, legal, spell};
use super::scene::{DrawOptions, Item, Outline, Scene, Shape};
use super::seed::SeededRng;
use super::{Choice, IllegalMove, Menu, Seat};

/// Plays `games` random games of a setup and runs every check in every position.
///
/// # Panics
/// At the first failed check.
pub fn check_all<R: GameRules>(setup: &Setup, games: u64, max_plies: usize) {
    for game in 0..games {
        let setup = setup.clone().seeded(setup.seed.wrapping_add(game));
        let position = R::start(&setup).unwrap_or_else(|e| panic!("{} {setup:?}: {e}", R::INFO.key));
        let mut rng = SeededRng::new(game ^ 0x5eed);
        check_game::<R>(position, &mut rng, max_plies);
    }
}

fn check_game<R: GameRules>(mut position: R::Position, rng: &mut SeededRng, max_plies: usize) {
    let mut last: Option<(R::Position, MoveOf<R>)> = None;
    for ply in 0..max_plies {
        let moves = legal::<R>(&position);
        let at = R::to_line(&position);
        assert_eq!(position.hash(), position.fresh_hash(), "hashes differ in {at}");
        check_position_text::<R>(&position);
        check_drawing::<R>(&position, last.as_ref());
        assert!(position.turn().index() < position.seats(), "nobody's turn in {at}");
        assert_eq!(position.outcome().is_some(), moves.is_empty(), "over, yet moves (or the reverse): {at}");
        if let Some(outcome) = position.outcome() {
            assert!(!outcome.winners.is_empty(), "nobody won in {at}");
            return;
        }
        check_moves::<R>(&position, &moves, rng);
        // Walking the whole menu visits every move many times, so it runs only in some positions.
        if ply % 8 == 0 {
            check_menus::<R>(&position, &moves, rng);
            partial_moves::check::<R>(&position, &moves, rng);
            edits::check::<R>(&position, rng);
        }
        let m = moves[rng.below(moves.len() as u64) as usize];
        let mut next = position.clone();
        next.play_unchecked(m);
        last = Some((position, m));
        position = next;
    }
}

/// Printing then reading is the identity, there are no duplicates, and every move passes `check`.
fn check_moves<R: GameRules>(position: &R::Position, moves: &[MoveOf<R>], rng: &mut SeededRng) {
    let at = R::to_line(position);
    let different: HashSet<_> = moves.iter().collect();
    assert_eq!(different.len(), moves.len(), "a move is listed twice in {at}");
    assert_eq!(position.count(), moves.len() as u64, "moves are miscounted in {at}");
    for m in sample(moves, 60, rng) {
        assert_eq!(position.check(m), Ok(()), "a listed move is refused in {at}");
        let text = spell::<R>(position, m);
        for written in [text.clone(), text.to_uppercase(), spaced(&text)] {
            let parsed = R::read(&written).unwrap_or_else(|e| panic!("{written:?} unreadable ({e}) in {at}"));
            let resolved = R::resolve(position, &parsed);
            assert!(
                same_effect::<R>(position, resolved.clone().ok(), m),
                "{written:?} is {resolved:?} in {at}"
            );
        }
    }
}

/// Two spellings may have the same result (spins in Penguin Soccer), so the positions after them are compared.
fn same_effect<R: GameRules>(position: &R::Position, found: Option<MoveOf<R>>, meant: MoveOf<R>) -> bool {
    let after = |m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next
    };
    found == Some(meant) || found.is_some_and(|found| after(found) == after(meant))
}

fn spaced(text: &str) -> String {
    format!("  {} ", text.replace('-', " - ").replace('/', " / "))
}

fn sample<M: Copy>(moves: &[M], most: usize, rng: &mut SeededRng) -> Vec<M> {
    if moves.len() <= most {
        return moves.to_vec();
    }
    (0..most).map(|_| moves[rng.below(moves.len() as u64) as usize]).collect()
}

fn check_position_text<R: GameRules>(position: &R::Position) {
    let line = R::to_line(position);
    let read = R::from_line(&line).unwrap_or_else(|e| panic!("{line:?} does not read back: {e}"));
    assert_eq!(R::to_line(&read), line, "a line changes when read back");
    let names = |p: &R::Position| legal::<R>(p).into_iter().map(|m| spell::<R>(p, m)).collect::<Vec<_>>();
    assert_eq!(names(&read), names(position), "other moves after reading {line:?} back");
}

/// Every position can be drawn from every side, with art inside its box and inks that every theme has.
fn check_drawing<R: GameRules>(position: &R::Position, last: Option<&(R::Position, MoveOf<R>)>) {
    let board = R::board(position);
    for seat in Seat::all(position.seats()) {
        let last = last.map(|(before, m)| LastMove::alone(before, *m));
        let scene = R::scene(position, &DrawOptions::from_seat(seat), last);
        assert!(scene.width > 0.0 && scene.height > 0.0, "a scene has a size");
        check_inks(&scene);
    }
    for line in R::text_board(position).lines() {
        assert!(line.chars().count() <= 40, "text board too wide: {line:?}");
    }
    for fact in R::facts(position) {
        assert!(fact.cells.iter().all(|c| c.index() < board.len()), "a fact about no cell: {fact:?}");
    }
}

/// Checks that every ink of a scene, in loose shapes and stamps, is a token of the scene's theme.
///
/// # Panics
/// If an ink is not.
pub fn check_inks(scene: &Scene) {
    let known = |ink| scene.theme.colour(ink).is_some();
    assert!(known(scene.ground), "theme {} has no {:?}", scene.theme.name, scene.ground);
    let check = |shape: &Shape| {
        let paints = shape.fill.iter().chain(shape.stroke.iter().map(|s| &s.paint));
        for paint in paints {
            assert!(known(paint.ink), "theme {} has no {:?}", scene.theme.name, paint.ink);
        }
        if let Outline::Lines { points, .. } = &shape.outline {
            assert!(points.len() > 1, "a line of one point");
        }
    };
    let mut seen = HashSet::new();
    for item in &scene.items {
        match item {
            Item::Shape(shape) => check(shape),
            Item::Stamp(stamp, _) if seen.insert(stamp.name.clone()) => (stamp.art)().iter().for_each(check),
            Item::Stamp(..) => {}
        }
    }
}

/// Walking the menu leads to exactly the legal moves, and the texts of its steps differ.
fn check_menus<R: GameRules>(position: &R::Position, moves: &[MoveOf<R>], rng: &mut SeededRng) {
    let at = R::to_line(position);
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    for m in moves {
        let steps = R::steps(position, *m);
        assert!(!steps.is_empty() && steps.iter().all(|s| !s.text.is_empty()), "an empty step in {at}");
        *counted.entry(spell::<R>(position, *m)).or_default() += 1;
    }
    assert!(counted.values().all(|n| *n == 1), "two moves are spelled alike in {at}");
    let play = resumed::<R>(position.clone());
    let only = counted.keys().next().filter(|_| counted.len() == 1);
    assert_eq!(play.only_move().as_ref(), only, "in {at}");
    for m in sample(moves, 12, rng) {
        let mut taken = Vec::new();
        for step in R::steps(position, m) {
            let Menu::Choose(choices) = play.menu(&taken) else { panic!("no menu after {taken:?} in {at}") };
            assert!(
                choices.iter().any(|c| c.step == step),
                "{step:?} is not offered after {taken:?} in {at}"
            );
            check_turns(&play, &taken, &choices);
            taken.push(step.text);
        }
        assert_eq!(play.menu(&taken), Menu::Done(taken.concat()), "in {at}");
    }
    let Menu::Choose(first) = play.menu(&[]) else { panic!("no first step in {at}") };
    assert_eq!(
        first.iter().map(|c| c.moves).sum::<usize>(),
        moves.len(),
        "the first menu misses moves in {at}"
    );
}

/// Choices that only turn a piece can be marked on the board: each with the piece's cell and a direction of its own.
fn check_turns(play: &dyn Play, taken: &[String], choices: &[Choice]) {
    let at = || format!("after {taken:?} in {}", play.line());
    let mut turns = HashSet::new();
    for step in choices.iter().map(|choice| &choice.step) {
        let heading = play.heading(Seat::FIRST, taken, step);
        match (play.turned(taken, step), step.cell) {
            (Some(cell), None) => {
                assert!(heading.is_some(), "{step:?} turns to nowhere {}", at());
                assert!(turns.insert((cell, heading)), "{step:?} turns as another does {}", at());
            }
            (Some(_), Some(_)) => panic!("{step:?} both turns and leads to a cell {}", at()),
            (None, None) => assert!(heading.is_none(), "{step:?} has no place on the board {}", at()),
            (None, Some(_)) => {}
        }
    }
}

/// Checks that every unlisted move is refused with a reason that names a cell or a rule.
///
/// # Panics
/// If an unlisted move is accepted, or refused without a reason.
pub fn check_illegal_moves<R: GameRules>(position: &R::Position, texts: impl IntoIterator<Item = String>) {
    let listed: HashSet<String> = legal::<R>(position).into_iter().map(|m| spell::<R>(position, m)).collect();
    for text in texts {
        let Ok(parsed) = R::read(&text) else { continue };
        match R::resolve(position, &parsed) {
            Ok(m) => {
                assert!(listed.contains(&spell::<R>(position, m)), "{text:?} is accepted but not listed")
            }
            Err(refusal) => assert!(has_reason(&refusal), "{text:?} is refused with {refusal:?}"),
        }
    }
}

fn has_reason(refusal: &IllegalMove) -> bool {
    match refusal {
        IllegalMove::Rule { rule, .. } => !rule.is_empty(),
        IllegalMove::Ambiguous { readings } => readings.len() > 1,
        IllegalMove::Incomplete { so_far, .. } => !so_far.is_empty(),
        IllegalMove::NoSuchCell { cell }
        | IllegalMove::NoPiece { at: cell }
        | IllegalMove::SameCell { at: cell } => !cell.is_empty(),
        _ => true,
    }
}
