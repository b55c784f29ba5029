//! The strip above the board: a chip for each player with fish and tiles, and a mark for the side to move.

use super::canvas::Canvas;
use crate::art::penguin;
use crate::art::plan::turn;
use rookery_core::scene::{Anchor, Outline, Point, Shape, Stamp, Weight, ink, pt, tint};
use rookery_core::{Score, Seat};

/// The positions of a chip's parts, from its left end; narrower for more players.
#[derive(Clone, Copy)]
struct ChipLayout {
    width: f32,
    gap: f32,
    fish: f32,
    score: f32,
    tile: f32,
    tiles: f32,
    size: f32,
}

const SPREADS: [ChipLayout; 3] = [
    ChipLayout { width: 460.0, gap: 40.0, fish: 95.0, score: 130.0, tile: 232.0, tiles: 262.0, size: 38.0 },
    ChipLayout { width: 304.0, gap: 24.0, fish: 86.0, score: 116.0, tile: 198.0, tiles: 224.0, size: 36.0 },
    ChipLayout { width: 228.0, gap: 16.0, fish: 74.0, score: 95.0, tile: 158.0, tiles: 179.0, size: 32.0 },
];

/// Middle of the strip.
const MIDDLE: f32 = 38.0;

impl Canvas<'_> {
    /// Draws the chips of all seats.
    pub(super) fn chips(&mut self, scores: &[Score], turn: Option<Seat>) {
        let spread = SPREADS[scores.len().clamp(2, 4) - 2];
        for (seat, score) in Seat::all(scores.len()).zip(scores) {
            let left = 45.0 + seat.index() as f32 * (spread.width + spread.gap);
            self.chip(spread, left, seat, *score, turn == Some(seat));
        }
    }

    fn chip(&mut self, spread: ChipLayout, left: f32, seat: Seat, score: Score, to_move: bool) {
        let at = |x: f32| pt(left + x, MIDDLE);
        let (half, turn) = (spread.width / 2.0, if to_move { "-turn" } else { "" });
        let name = format!("ice/chip-{}{turn}", spread.width);
        let back = Stamp::new(name, (half + 4.0, 34.0), move || back(spread, to_move));
        self.scene.stamp(back, at(half));
        self.scene.stamp(self.figure(seat), at(29.0));
        let size = spread.size;
        let icon =
            move || penguin::fish(pt(0.0, 0.0), icon_scale(size), ink("chip-fish"), ink("chip")).to_vec();
        self.scene.stamp(Stamp::new(format!("ice/chip-fish-{size}"), (32.0, 16.0), icon), at(spread.fish));
        self.number(score.points, at(spread.score), size, true);
        if let Some(tiles) = score.tiles {
            let hexagon = self.plan.is_island();
            let name = format!("ice/chip-tile-{hexagon}-{size}");
            let icon = Stamp::new(name, (20.0, 20.0), move || vec![tile(hexagon, size / 2.0)]);
            self.scene.stamp(icon, at(spread.tile));
            self.number(tiles, at(spread.tiles), size * 0.84, false);
        }
    }

    /// A player's penguin, or their pattern.
    fn figure(&self, seat: Seat) -> Stamp {
        if self.plan.patterns {
            let swatch = move || penguin::swatch(seat, 24.0);
            return Stamp::new(format!("ice/chip-swatch-{seat}"), (28.0, 28.0), swatch);
        }
        let figure = move || penguin::standing(seat, 0.5);
        Stamp::new(format!("ice/chip-penguin-{seat}"), (26.0, 26.0), figure)
    }

    fn number(&mut self, number: u32, at: Point, size: f32, strong: bool) {
        let (weight, token) =
            if strong { (Weight::Bold, "chip-text") } else { (Weight::SemiBold, "chip-dim") };
        let name = format!("ice/chip-number-{number}-{size}-{strong}");
        let art =
            move || vec![text(number.to_string(), pt(0.0, 0.0), size, weight, Anchor::Left).fill(ink(token))];
        self.scene.stamp(Stamp::new(name, (90.0, 24.0), art), at);
    }
}

/// Fish are smaller where there is less room.
fn icon_scale(size: f32) -> f32 {
    if size < 34.0 { 0.78 } else { size * 0.033 }
}

/// The background of a chip; the side to move has an outline, a lighter ground and, if there is room, an arrow.
fn back(spread: ChipLayout, to_move: bool) -> Vec<Shape> {
    let (half, round) = (spread.width / 2.0, 29.0);
    let plate = || Shape::rect(pt(-half, -round), spread.width, 2.0 * round, round);
    let mut art = vec![plate().fill(ink("chip"))];
    if to_move {
        art.push(plate().fill(tint("turn", 0.12)).stroke(ink("turn"), 4.0));
        if spread.width > 400.0 {
            art.push(turn(pt(half - 40.0, 0.0)));
        }
    }
    art
}

fn text(text: impl Into<String>, at: Point, size: f32, weight: Weight, anchor: Anchor) -> Shape {
    Shape::new(Outline::Text { text: text.into(), at, size, weight, anchor })
}

/// A small tile, as high as twice the radius.
fn tile(hexagon: bool, radius: f32) -> Shape {
    if !hexagon {
        let half = radius * 0.84;
        return Shape::rect(pt(-half, -half), 2.0 * half, 2.0 * half, 5.0).fill(ink("chip-tile"));
    }
    let (wide, half) = (radius * 0.866, radius / 2.0);
    let corners = [(0.0, -radius), (wide, -half), (wide, half), (0.0, radius), (-wide, half), (-wide, -half)];
    Shape::polygon(corners.map(|(x, y)| pt(x, y)).to_vec()).fill(ink("chip-tile"))
}
