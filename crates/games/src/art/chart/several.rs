//! A chart of up to four lines, distinguished by the players' colours and emblems.

use super::super::penguin::emblem;
use super::{Dot, FIELD, Frame, LETTERS, Labels, ground, turning_mark};
use rookery_core::Seat;
use rookery_core::scene::{Point, Scene, Shape, Weight, ink, pt};

const INKS: [&str; 4] = ["line-1", "line-2", "line-3", "line-4"];
/// The right end of the lines, and the x position of their numbers.
const RIGHT: f32 = 920.0;
const NUMBERS: f32 = 1_004.0;
/// Radius of a number's disc, and the minimum distance between two.
const DISC: f32 = 22.0;
const APART: f32 = 50.0;
/// Radius of emblems on a line and at its end, and the minimum distance between two.
const EMBLEM: (f32, f32) = (10.0, 14.0);
const EVERY: f32 = 150.0;

/// A chart of up to four lines: emblems on the lines and at their ends, and beside the ends their numbers, from 1.
/// `turns` are turning points, each the seat of its line and the number of the turn: the dot before that turn gets a
/// ring and the number.
pub fn lines(lines: &[Vec<Dot>], turns: &[(Seat, usize)], labels: Labels<'_>) -> Scene {
    let (mut scene, frame) = ground(&lines.concat(), RIGHT, labels);
    let lines: Vec<Line> = Seat::all(lines.len().min(INKS.len())).zip(lines).map(Line::of).collect();
    let ends: Vec<f32> = lines.iter().filter_map(|line| Some(line.end(&frame)?.y)).collect();
    let mut numbers = spread(&ends).into_iter();
    lines.iter().for_each(|line| frame.line(&mut scene, line.dots, line.ink));
    for line in &lines {
        let Some(end) = line.end(&frame) else { continue };
        let number = pt(NUMBERS, numbers.next().unwrap_or(end.y));
        scene.shape(Shape::line(end, number).stroke(ink(line.ink), 4.0));
    }
    for line in &lines {
        line.emblems(&mut scene, &frame);
    }
    for (seat, turn) in turns {
        let dots = lines.get(seat.index()).map_or(&[][..], |line| line.dots);
        for pair in dots.windows(2).filter(|pair| pair[0].x + 1.0 == *turn as f64) {
            // The line falls from there, so there is room above.
            turning_mark(&mut scene, frame.at(pair[0].x, pair[0].y), *turn, pair[1].y > pair[0].y);
        }
    }
    for (line, y) in lines.iter().filter(|line| !line.dots.is_empty()).zip(spread(&ends)) {
        let at = pt(NUMBERS, y);
        scene.shape(Shape::circle(at, DISC).fill(ink(line.ink)));
        let number = line.seat.number().to_string();
        scene.shape(Shape::text(number, at, LETTERS, Weight::SemiBold).fill(ink("ground")));
    }
    scene
}

/// One of the lines.
struct Line<'a> {
    seat: Seat,
    ink: &'static str,
    dots: &'a [Dot],
}

impl Line<'_> {
    fn of((seat, dots): (Seat, &Vec<Dot>)) -> Line<'_> {
        Line { seat, ink: INKS[seat.index()], dots }
    }

    fn end(&self, frame: &Frame) -> Option<Point> {
        self.dots.last().map(|dot| frame.at(dot.x, dot.y))
    }

    /// The player's emblem at intervals, shifted on each line, and at the end.
    fn emblems(&self, scene: &mut Scene, frame: &Frame) {
        let Some(end) = self.end(frame) else { return };
        let mut next = FIELD.0 + EVERY * (0.25 + self.seat.index() as f32 / 4.0);
        for dot in self.dots {
            let at = frame.at(dot.x, dot.y);
            if at.x >= next && at.x < end.x - 40.0 {
                next = at.x + EVERY;
                scene.shape(self.emblem(at, EMBLEM.0));
            }
        }
        scene.shape(self.emblem(end, EMBLEM.1));
    }

    /// The emblem with a margin against all lines.
    fn emblem(&self, at: Point, radius: f32) -> Shape {
        emblem(self.seat, at, radius, ink(self.ink)).stroke(ink("ground"), 6.0)
    }
}

/// Heights as near as possible to the wanted ones, in the same order, so that no two discs overlap.
fn spread(wanted: &[f32]) -> Vec<f32> {
    let (top, bottom) = (FIELD.1 + DISC, FIELD.3 - DISC);
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut found = wanted.to_vec();
    let mut least = top;
    for n in &order {
        found[*n] = found[*n].max(least);
        least = found[*n] + APART;
    }
    let mut most = bottom;
    for n in order.iter().rev() {
        found[*n] = found[*n].min(most);
        most = found[*n] - APART;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(last: &str) -> Labels<'_> {
        Labels { height: "", width: ("0", "", last) }
    }

    #[test]
    fn numbers_at_the_ends_never_overlap() {
        let cases = [[100.0, 100.0, 100.0, 100.0], [40.0, 520.0, 519.0, 41.0], [519.0, 520.0, 518.0, 517.0]];
        for wanted in cases {
            let found = spread(&wanted);
            for (a, b) in (0..4).flat_map(|a| (0..a).map(move |b| (a, b))) {
                assert!((found[a] - found[b]).abs() >= 2.0 * DISC, "{wanted:?}: {found:?}");
                let kept = (wanted[a] < wanted[b]) == (found[a] < found[b]);
                assert!(kept || wanted[a] == wanted[b], "{wanted:?}: {found:?}");
            }
            assert!(found.iter().all(|y| (FIELD.1..=FIELD.3).contains(y)), "{found:?}");
        }
        assert_eq!(spread(&[100.0, 300.0]), [100.0, 300.0], "what is apart stays");
    }

    #[test]
    fn lines_number_their_turning_points() {
        let line = |y: f64| (0..9).map(|x| Dot { x: f64::from(x), y, uncertainty: 0.0 }).collect::<Vec<_>>();
        let scene = lines(&[line(1.0), line(2.0)], &[(Seat::SECOND, 5)], labels("8"));
        let five = |item: &&rookery_core::scene::Item| match item {
            rookery_core::scene::Item::Shape(Shape {
                outline: rookery_core::scene::Outline::Text { text, .. },
                ..
            }) => text == "5",
            _ => false,
        };
        // One of the two is the margin.
        assert_eq!(scene.items.iter().filter(five).count(), 2);
    }

    /// The emblems distinguish the lines without colours: each line has more than one.
    #[test]
    fn lines_bear_emblems() {
        let line = |y: f64| (0..30).map(|x| Dot { x: f64::from(x), y, uncertainty: 0.0 }).collect::<Vec<_>>();
        let emblems = |count: usize| {
            let all: Vec<_> = (0..count).map(|n| line(n as f64)).collect();
            let scene = lines(&all, &[], labels("30"));
            let framed = |item: &rookery_core::scene::Item| match item {
                rookery_core::scene::Item::Shape(shape) => shape.fill.is_some() && shape.stroke.is_some(),
                rookery_core::scene::Item::Stamp(..) => false,
            };
            scene.items.iter().filter(|item| framed(item)).count()
        };
        assert!(emblems(4) >= 4 * 4, "{}", emblems(4));
    }
}
