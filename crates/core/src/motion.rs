//! The last move in motion: a few scenes in which pieces slide to where they stand now, then an arrow flies.
//!
//! Works on drawings alone, so that no game needs code for it: stamps of one name that left a place and came to another
//! are a piece that moved, and a stamp that only came is an arrow.

use super::scene::{Item, Point, Scene, Stamp, pt};

/// The frames in which pieces slide, and those in which an arrow flies.
const SLIDE_FRAMES: usize = 3;
const FLIGHT_FRAMES: usize = 2;
/// The most pieces that one move is seen to move. More differences are not shown as motion.
const MAX_MOVED: usize = 2;

/// The most frames of a move: the board before it, its motion, and the board after it.
pub const MAX_FRAMES: usize = SLIDE_FRAMES + FLIGHT_FRAMES + 2;

/// A piece that moved.
struct Moved<'a> {
    stamp: &'a Stamp,
    from: Point,
    to: Point,
}

/// Returns the frames of a move, at least two: `before` and `after` are the board without any mark of a last move, and
/// `last` is the final frame.
pub fn frames(before: &Scene, after: &Scene, last: Scene) -> Vec<Scene> {
    let mut frames = vec![before.clone()];
    let (moved, came) = differences(before, after);
    if (1..=MAX_MOVED).contains(&moved.len()) {
        let board = without(before, &moved);
        let slide = |step: usize| moved_by(&board, &moved, step as f32 / SLIDE_FRAMES as f32);
        frames.extend((1..=SLIDE_FRAMES).map(slide));
        if let ([piece], [(arrow, goal)]) = (&moved[..], &came[..]) {
            let flight = |step: usize| {
                let mut scene = board.clone();
                let share = step as f32 / FLIGHT_FRAMES as f32;
                scene.stamp((*arrow).clone(), between(piece.to, *goal, share));
                moved_by(&scene, &moved, 1.0)
            };
            frames.extend((1..=FLIGHT_FRAMES).map(flight));
        }
    }
    frames.push(last);
    frames
}

/// Returns the pieces that moved, and the stamps that came from nowhere. What appears where a piece left is the ground
/// under it.
fn differences<'a>(before: &Scene, after: &'a Scene) -> (Vec<Moved<'a>>, Vec<(&'a Stamp, Point)>) {
    let mut gone = only_in(before, after);
    let (mut moved, mut came) = (Vec::new(), Vec::new());
    for (stamp, to) in only_in(after, before) {
        match gone.iter().position(|(left, _)| left.name == stamp.name) {
            Some(at) => moved.push(Moved { stamp, from: gone.remove(at).1, to }),
            None => came.push((stamp, to)),
        }
    }
    came.retain(|(_, at)| moved.iter().all(|piece: &Moved<'_>| piece.from != *at));
    (moved, came)
}

/// Returns the stamps of a scene that another one does not have at the same place.
fn only_in<'a>(scene: &'a Scene, other: &Scene) -> Vec<(&'a Stamp, Point)> {
    let has =
        |stamp: &Stamp, at: Point| stamps(other).any(|(it, place)| it.name == stamp.name && place == at);
    stamps(scene).filter(|(stamp, at)| !has(stamp, *at)).collect()
}

fn stamps(scene: &Scene) -> impl Iterator<Item = (&Stamp, Point)> {
    scene.items.iter().filter_map(|item| match item {
        Item::Stamp(stamp, at) => Some((stamp, *at)),
        Item::Shape(_) => None,
    })
}

/// Returns a scene without the pieces that are about to move.
fn without(scene: &Scene, moved: &[Moved<'_>]) -> Scene {
    let moves = |item: &Item| match item {
        Item::Stamp(stamp, at) => {
            moved.iter().any(|piece| piece.stamp.name == stamp.name && piece.from == *at)
        }
        Item::Shape(_) => false,
    };
    let items = scene.items.iter().filter(|item| !moves(item)).cloned().collect();
    Scene { items, ..scene.clone() }
}

/// Adds the pieces to a board, part of the way from where they stood to where they stand.
fn moved_by(board: &Scene, moved: &[Moved<'_>], share: f32) -> Scene {
    let mut scene = board.clone();
    for piece in moved {
        scene.stamp(piece.stamp.clone(), between(piece.from, piece.to, share));
    }
    scene
}

fn between(from: Point, to: Point, share: f32) -> Point {
    if share >= 1.0 {
        return to;
    }
    pt(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Theme;

    static THEME: Theme = Theme { name: "t", family: "motion", colours: &[], sides: &[] };

    fn scene(items: &[(&str, f32, f32)]) -> Scene {
        let mut scene = Scene::new(100.0, 100.0, &THEME, "ground");
        for (name, x, y) in items {
            scene.stamp(Stamp::new(*name, (5.0, 5.0), Vec::new), pt(*x, *y));
        }
        scene
    }

    fn told(scene: &Scene) -> Vec<(String, f32, f32)> {
        stamps(scene).map(|(stamp, at)| (stamp.name.clone(), at.x, at.y)).collect()
    }

    fn shown(items: &[(&str, f32, f32)]) -> Vec<(String, f32, f32)> {
        items.iter().map(|(name, x, y)| ((*name).to_owned(), *x, *y)).collect()
    }

    #[test]
    fn motion_slides_the_piece_then_shoots_the_arrow() {
        let before = scene(&[("board", 0.0, 0.0), ("queen", 10.0, 10.0), ("queen", 90.0, 90.0)]);
        let after = scene(&[
            ("board", 0.0, 0.0),
            ("block", 40.0, 50.0),
            ("queen", 40.0, 10.0),
            ("queen", 90.0, 90.0),
        ]);
        let frames = frames(&before, &after, scene(&[("last", 1.0, 1.0)]));
        assert_eq!(frames.len(), MAX_FRAMES);
        assert_eq!(told(&frames[0]), told(&before));
        let rest = [("board", 0.0, 0.0), ("queen", 90.0, 90.0)];
        let with = |more: &[(&str, f32, f32)]| shown(&[&rest[..], more].concat());
        assert_eq!(told(&frames[1]), with(&[("queen", 20.0, 10.0)]));
        assert_eq!(told(&frames[3]), with(&[("queen", 40.0, 10.0)]));
        assert_eq!(told(&frames[4]), with(&[("block", 40.0, 30.0), ("queen", 40.0, 10.0)]));
        assert_eq!(told(&frames[5]), with(&[("block", 40.0, 50.0), ("queen", 40.0, 10.0)]));
        assert_eq!(told(&frames[6]), shown(&[("last", 1.0, 1.0)]));
    }

    /// The hole where a penguin stood is no arrow, and neither is a piece that was only placed a piece that moved.
    #[test]
    fn motion_leaves_alone_what_only_appears() {
        let before = scene(&[("tile", 10.0, 10.0), ("penguin", 10.0, 10.0)]);
        let after = scene(&[("hole", 10.0, 10.0), ("penguin", 60.0, 10.0)]);
        let slid = frames(&before, &after, scene(&[]));
        assert_eq!(slid.len(), SLIDE_FRAMES + 2);
        assert!(slid.iter().all(|frame| stamps(frame).all(|(stamp, _)| stamp.name != "hole")));
        let placed = frames(&scene(&[]), &before, before.clone());
        assert_eq!(placed.len(), 2);
        let all = scene(&[("a", 1.0, 1.0), ("a", 2.0, 1.0), ("a", 3.0, 1.0)]);
        let moved = scene(&[("a", 1.0, 2.0), ("a", 2.0, 2.0), ("a", 3.0, 2.0)]);
        assert_eq!(frames(&all, &moved, moved.clone()).len(), 2, "too much at once");
    }
}
