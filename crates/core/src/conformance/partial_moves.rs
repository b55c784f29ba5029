//! The picture of a partial move is the position after its steps so far.
//!
//! The check knows no game. It reads scenes as data: for each cell, the names of the stamps on it.

use std::collections::BTreeMap;

use super::super::rules::{GameRules, MoveOf};
use super::super::scene::{DrawOptions, Item, Mark, MarkKind, Point, Style};
use super::super::seed::SeededRng;
use super::super::{Cell, Position, Seat, Step, StepKind};
use super::sample;

/// What a picture shows on each cell, by the cell's index: the names of the stamps, sorted.
type Shown = Vec<Vec<String>>;

/// Checks the pictures after the steps of a position's moves: every beginning of a legal move, and a sample of whole
/// moves.
pub(super) fn check<R: GameRules>(position: &R::Position, moves: &[MoveOf<R>], rng: &mut SeededRng) {
    let pictures = Pictures::<R>::of(position);
    let mut seen: BTreeMap<Vec<String>, Shown> = BTreeMap::new();
    for m in moves {
        let steps = R::steps(position, *m);
        for count in 0..steps.len() {
            let beginning: Vec<_> = steps[..count].iter().map(|step| step.text.clone()).collect();
            seen.entry(beginning).or_insert_with(|| {
                let shown = pictures.after(*m, count);
                pictures.check_beginning(*m, &steps, count, &shown);
                shown
            });
        }
    }
    for m in sample(moves, 24, rng) {
        pictures.check_whole(m, &seen);
    }
}

/// The pictures of one position's moves.
struct Pictures<'a, R: GameRules> {
    position: &'a R::Position,
    /// The centre of each cell on the scene.
    centres: Vec<Point>,
    /// The position's own picture.
    unmoved: Shown,
}

impl<'a, R: GameRules> Pictures<'a, R> {
    fn of(position: &'a R::Position) -> Pictures<'a, R> {
        let bare: Vec<_> = stamps::<R>(position, &plain()).collect();
        let centres = R::board(position).cells().map(|cell| centre::<R>(position, &bare, cell)).collect();
        let mut pictures = Pictures { position, centres, unmoved: Vec::new() };
        pictures.unmoved = pictures.shown(position);
        pictures
    }

    /// The picture after the first steps of a move.
    fn after(&self, m: MoveOf<R>, count: usize) -> Shown {
        self.shown(&R::after_steps(self.position, m, count))
    }

    /// The stamps of a position's picture, each on the cell whose centre is nearest.
    fn shown(&self, position: &R::Position) -> Shown {
        let mut shown = vec![Vec::new(); self.centres.len()];
        let distance = |a: Point, b: Point| (a.x - b.x).hypot(a.y - b.y);
        for (name, at) in stamps::<R>(position, &plain()) {
            let from_there = |cell: &usize| distance(self.centres[*cell], at);
            let nearest = (0..self.centres.len()).min_by(|a, b| from_there(a).total_cmp(&from_there(b)));
            nearest.into_iter().for_each(|cell| shown[cell].push(name.clone()));
        }
        shown.iter_mut().for_each(|names| names.sort());
        shown
    }

    /// A beginning of a move is shown as the whole move is on the cells that its steps have settled, and otherwise as
    /// the position is.
    fn check_beginning(&self, m: MoveOf<R>, steps: &[Step], count: usize, shown: &Shown) {
        let at = || format!("after {:?} in {}", texts(&steps[..count]), R::to_line(self.position));
        let (taken, rest) = steps.split_at(count);
        let Some(goal) = taken.iter().rev().find(|step| moves_piece(step)) else {
            assert_eq!(*shown, self.unmoved, "nothing has moved yet, but the picture has changed {}", at());
            return;
        };
        let whole = self.after(m, steps.len());
        let is_named_later = |cell: Cell| rest.iter().any(|step| step.cell == Some(cell));
        // A later step that names no cell, such as a spin, changes the piece where it stands.
        let turns_later = rest.iter().any(|step| step.cell.is_none());
        if let Some(origin) =
            taken.iter().find(|step| step.part == StepKind::Piece).and_then(|step| step.cell)
        {
            let stood = self.lost(&self.unmoved, shown, origin);
            assert!(!stood.is_empty() || goal.cell == Some(origin), "the piece still stands there {}", at());
            if !is_named_later(origin) {
                assert_eq!(shown[origin.index()], whole[origin.index()], "the cell it left {}", at());
            }
        }
        let Some(goal) = goal.cell else { return };
        let arrived = self.lost(shown, &self.unmoved, goal);
        assert!(
            !arrived.is_empty() || taken[0].cell == Some(goal),
            "the piece does not stand there {}",
            at()
        );
        if !is_named_later(goal) && !turns_later {
            assert_eq!(shown[goal.index()], whole[goal.index()], "the cell it reached {}", at());
        }
    }

    /// The stamps on a cell of one picture that are not on it in another.
    fn lost(&self, before: &Shown, after: &Shown, cell: Cell) -> Vec<String> {
        let kept = &after[cell.index()];
        before[cell.index()].iter().filter(|name| !kept.contains(name)).cloned().collect()
    }

    /// The picture after all steps is that of the position after the move, and moves that begin alike are drawn alike.
    fn check_whole(&self, m: MoveOf<R>, seen: &BTreeMap<Vec<String>, Shown>) {
        let steps = R::steps(self.position, m);
        let at = || format!("for {:?} in {}", texts(&steps), R::to_line(self.position));
        let mut played = self.position.clone();
        played.play_unchecked(m);
        assert_eq!(
            self.after(m, steps.len()),
            self.shown(&played),
            "not the position after the move {}",
            at()
        );
        for count in 0..steps.len() {
            let known = &seen[&texts(&steps[..count])];
            assert_eq!(self.after(m, count), *known, "drawn otherwise after {count} steps {}", at());
        }
    }
}

/// Whether a step settles where a piece goes.
fn moves_piece(step: &Step) -> bool {
    matches!(step.part, StepKind::Goal | StepKind::Place | StepKind::Direction)
}

fn texts(steps: &[Step]) -> Vec<String> {
    steps.iter().map(|step| step.text.clone()).collect()
}

/// Board and pieces alone: no last move, scores or turn.
fn plain() -> DrawOptions {
    DrawOptions { style: Style::Plain, strip: false, over: true, ..DrawOptions::from_seat(Seat::FIRST) }
}

/// The names and places of a picture's stamps.
fn stamps<R: GameRules>(position: &R::Position, look: &DrawOptions) -> impl Iterator<Item = (String, Point)> {
    R::scene(position, look, None).items.into_iter().filter_map(|item| match item {
        Item::Stamp(stamp, at) => Some((stamp.name, at)),
        Item::Shape(_) => None,
    })
}

/// The centre of a cell on the scene: where its owner's tint is drawn, or its mark in games without owners.
fn centre<R: GameRules>(position: &R::Position, bare: &[(String, Point)], cell: Cell) -> Point {
    let owned = DrawOptions { owners: vec![(cell, Seat::FIRST, 1.0)], ..plain() };
    let marked = DrawOptions { marks: vec![Mark { cell, kind: MarkKind::Goal }], ..plain() };
    let added = |look| stamps::<R>(position, look).find(|one| !bare.contains(one));
    let found = added(&owned).or_else(|| added(&marked));
    found.unwrap_or_else(|| panic!("{} cannot be marked", R::board(position).name(cell))).1
}
