//! The two strokes through the middle of a cell that cross it out.

use super::patch::{Patch, Print};

/// The angles of a stroke against a diagonal, in degrees, and how far from the middle of the cell it may pass and how far its
/// middle may be from the line between its ends, as shares of the cell's side; with the steps in which strokes are tried.
const MAX_ANGLE: i32 = 28;
const TURN: usize = 4;
const ASIDE: f32 = 0.175;
const STEP: f32 = 0.025;
const BOWS: [f32; 5] = [-0.07, -0.035, 0.0, 0.035, 0.07];
/// Half the chord on which a stroke's bow is measured, and how far a stroke is followed to both sides, as shares of the cell's
/// side.
const CHORD: f32 = 0.36;
const LENGTH: f32 = 0.44;
/// The most points of half a stroke that are looked at; they are at least a pixel apart.
const MAX_POINTS: f32 = 28.0;
/// The points, as a share of those along a cell's side, that are added to the visible ones of half a stroke, and how much of
/// them counts as drawn.
const UNSEEN: (f32, f32) = (0.06, 0.3);

/// Where the strokes of a cross may be in a cell, for all cells of one size.
pub(super) struct Lines {
    /// The indices of the pixels along each line that is tried near either diagonal: those of one half from the middle of the
    /// cell on, then those of the other half.
    pixels: [Vec<u32>; 2],
    /// The points of half a line.
    half: usize,
    /// The number of points that are added to the visible ones of half a line.
    unseen: f32,
}

impl Lines {
    /// The lines in cells of the size of this one.
    pub(super) fn new(patch: &Patch) -> Lines {
        let apart = (LENGTH * patch.cell / MAX_POINTS).max(1.0);
        // The side of a cell in points.
        let cell = patch.cell / apart;
        let half = ((LENGTH * cell) as usize).max(1);
        let near = |diagonal: f32| {
            let halves = lines(diagonal).flat_map(|line| [(line, -1.0), (line, 1.0)]);
            let points = halves.flat_map(|(line, sign)| {
                (0..half).map(move |n| line.at(patch.cell, sign * (n as f32 + 0.5) / cell))
            });
            points.map(|at| patch.index(at) as u32).collect()
        };
        Lines { pixels: [near(45.0), near(-45.0)], half, unseen: UNSEEN.0 * cell }
    }

    /// How much of the likeliest stroke along each diagonal of a cell is drawn, 0 to 1, the weaker one first. The pixels are so
    /// far `beyond` a closed line, whose own stroke reaches `far` pixels to both sides and hides others.
    pub(super) fn drawn(&self, patch: &Patch, beyond: &[f32], far: f32) -> [f32; 2] {
        let strokes = patch.map(|at| (patch.print(at) == Print::Nothing).then(|| patch.stroke_near(at)));
        let visible = strokes.iter().zip(beyond).map(|(stroke, beyond)| {
            let stroke = stroke.filter(|_| beyond.abs() > far);
            stroke.map_or([0.0; 4], |stroke| {
                if *beyond < 0.0 { [stroke, 1.0, stroke, 1.0] } else { [0.0, 0.0, stroke, 1.0] }
            })
        });
        let visible: Vec<[f32; 4]> = visible.collect();
        let likeliest = |pixels: &Vec<u32>| {
            let halves = pixels.chunks_exact(self.half).map(|half| self.drawn_half(half, &visible));
            let halves: Vec<f32> = halves.collect();
            halves.chunks_exact(2).map(|line| line[0].min(line[1])).fold(0.0, f32::max)
        };
        let [one, other] = self.pixels.each_ref().map(likeliest);
        [one.min(other), one.max(other)]
    }

    /// How much of half a stroke is drawn, within a closed line or in all. The fewer of its points are visible, the less is
    /// known. Each pixel has its stroke and 1 if it is within the line, then the same if it is visible.
    fn drawn_half(&self, pixels: &[u32], visible: &[[f32; 4]]) -> f32 {
        let mut sums = [0.0; 4];
        for values in pixels.iter().filter_map(|pixel| visible.get(*pixel as usize)) {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        let share = |stroke: f32, count: f32| (stroke + self.unseen * UNSEEN.1) / (count + self.unseen);
        f32::max(share(sums[0], sums[1]), share(sums[2], sums[3]))
    }
}

/// Where a stroke may be.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The sine and cosine of its angle.
    along: (f32, f32),
    /// How far it passes from the middle of the cell, and how far its own middle is from the line between its ends, as shares
    /// of the cell's side.
    aside: f32,
    bow: f32,
}

impl Line {
    /// The point that is `far` along the line, as a share of the cell's side; in pixels.
    fn at(&self, cell: f32, far: f32) -> (f32, f32) {
        let (sin, cos) = self.along;
        let off = self.aside + self.bow * (1.0 - (far / CHORD).powi(2));
        ((far * cos - off * sin) * cell, (far * sin + off * cos) * cell)
    }
}

/// The lines that are tried near a diagonal, in degrees from a row.
fn lines(diagonal: f32) -> impl Iterator<Item = Line> {
    let most = (ASIDE / STEP) as i32;
    let turns = (-MAX_ANGLE..=MAX_ANGLE).step_by(TURN);
    turns.flat_map(move |turn| {
        let along = (diagonal + turn as f32).to_radians().sin_cos();
        let asides = (-most..=most).map(|aside| aside as f32 * STEP);
        asides.flat_map(move |aside| BOWS.map(|bow| Line { along, aside, bow }))
    })
}
