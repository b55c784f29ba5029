//! A chart of the first player's lead in a game for two.

use super::{DOT, Dot, FIELD, Labels, ground, turning_mark};
use rookery_core::scene::{Scene, Shape, Stamp, ink, pt};

/// The right end of the line, and the x position of the emblems.
const RIGHT: f32 = 925.0;
const EMBLEMS: f32 = 988.0;
/// Radius of the disc behind an emblem, and the distance of its centre from the zero line.
const PLATE: f32 = 48.0;
const OFF: f32 = 56.0;
/// The content of a chart of two players.
#[derive(Debug)]
pub struct LeadChart<'a> {
    /// The first player's lead.
    pub dots: &'a [Dot],
    /// The emblems of the first player, who leads above zero, and of the second.
    pub emblems: [Stamp; 2],
    /// The turning points, as numbers of turns taken: their dots get a ring and the number.
    pub turns: &'a [usize],
    /// What is written around the field.
    pub labels: Labels<'a>,
}

/// A chart of the first player's lead, 1,050 x 600 units.
pub fn lead_chart(lead_chart: &LeadChart<'_>) -> Scene {
    // The range includes room on both sides of zero.
    let x = lead_chart.dots.first().map_or(0.0, |dot| dot.x);
    let least = [-1.0, 1.0].map(|y| Dot { x, y, uncertainty: 0.0 });
    let (mut scene, frame) = ground(&[lead_chart.dots, &least].concat(), RIGHT, lead_chart.labels);
    let zero = frame.y(0.0);
    scene.shape(Shape::line(pt(FIELD.0, zero), pt(RIGHT, zero)).stroke(ink("letters"), 6.0));
    frame.line(&mut scene, lead_chart.dots, "line");
    if let Some(dot) = lead_chart.dots.last() {
        scene.shape(Shape::circle(frame.at(dot.x, dot.y), DOT).fill(ink("line")));
    }
    for (emblem, off) in lead_chart.emblems.iter().zip([-OFF, OFF]) {
        let at = pt(EMBLEMS, zero + off);
        scene.shape(Shape::circle(at, PLATE).fill(ink("plate")));
        scene.stamp(emblem.clone(), at);
    }
    for (before, dot) in lead_chart.dots.iter().zip(&lead_chart.dots[1.min(lead_chart.dots.len())..]) {
        let Some(turn) = lead_chart.turns.iter().find(|turn| **turn as f64 == dot.x) else { continue };
        // On the side that the line did not come from.
        turning_mark(&mut scene, frame.at(dot.x, dot.y), *turn, dot.y < before.y);
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::scene::{Item, Outline, Point};

    fn texts(scene: &Scene) -> Vec<String> {
        let text = |item: &Item| match item {
            Item::Shape(Shape { outline: Outline::Text { text, .. }, .. }) => Some(text.clone()),
            _ => None,
        };
        scene.items.iter().filter_map(text).collect()
    }

    fn drawn(leads: &[f64], turns: &[usize]) -> Scene {
        let dots: Vec<_> =
            (0..).zip(leads).map(|(x, y)| Dot { x: f64::from(x), y: *y, uncertainty: 0.0 }).collect();
        let emblem = |name: &str| Stamp::new(name, (26.0, 26.0), Vec::new);
        lead_chart(&LeadChart {
            dots: &dots,
            emblems: ["first", "second"].map(emblem),
            turns,
            labels: Labels { height: "Lead", width: ("0", "Moves", "4") },
        })
    }

    #[test]
    fn turning_points_are_numbered_and_less_than_nothing_has_a_minus() {
        let told = texts(&drawn(&[0.0, 2.0, -15.0, -14.0, -3.0], &[2]));
        // One of the two is the margin.
        assert_eq!(told.iter().filter(|text| *text == "2").count(), 2, "{told:?}");
        assert!(told.contains(&"\u{2212}15".to_owned()) && told.iter().all(|text| !text.contains('-')));
    }

    #[test]
    fn axes_say_what_they_measure() {
        let written = texts(&drawn(&[0.0, 2.0], &[]));
        for label in ["Lead", "0", "Moves", "4"] {
            assert!(written.iter().any(|text| text == label), "{label} in {written:?}");
        }
    }

    /// The first emblem is above zero, the second below, and both are inside the picture in every game.
    #[test]
    fn emblems_stand_on_their_sides_of_zero() {
        for leads in [&[0.0, 15.0][..], &[0.0, -15.0], &[0.0, 0.1], &[]] {
            let scene = drawn(leads, &[]);
            let at = |name: &str| -> Point {
                let found = scene.items.iter().find_map(|item| match item {
                    Item::Stamp(stamp, at) if stamp.name == name => Some(*at),
                    _ => None,
                });
                found.unwrap()
            };
            let (first, second) = (at("first"), at("second"));
            assert!(first.y < second.y && first.y >= PLATE && second.y <= scene.height - PLATE);
        }
    }
}
