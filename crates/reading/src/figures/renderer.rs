//! Draws positions in the look of a picture.

use rookery_core::Cell;
use rookery_core::scene::{Point, Scene};
use rookery_render::{Painter, Picture};

use crate::look::Look;
use crate::palette::Area;
use crate::plane::{Colours, Run};

/// How far a window about a cell reaches, in pixels to each side of the pixel in its centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) left: i32,
    pub(crate) right: i32,
    pub(crate) up: i32,
    pub(crate) down: i32,
}

impl Extent {
    /// As far as these lengths in pixels: to the left and right, up, and down.
    pub(crate) fn new(aside: f32, up: f32, down: f32) -> Extent {
        let [aside, up, down] = [aside, up, down].map(|length| length.ceil() as i32);
        Extent { left: aside, right: aside, up, down }
    }

    /// The rows of pixels, as distances from the centre.
    pub(crate) fn rows(self) -> Vec<Run> {
        let count = (self.left + self.right + 1) as usize;
        (-self.up..=self.down).map(|y| Run { y, left: -self.left, count }).collect()
    }

    /// The number of pixels in a row.
    pub(crate) fn across(self) -> i32 {
        self.left + self.right + 1
    }
}

/// Draws positions in a look.
#[derive(Clone, Copy)]
pub(crate) struct Renderer<'a> {
    pub(crate) look: &'a Look,
    pub(crate) painter: &'a Painter,
}

impl Renderer<'_> {
    /// A scene in the size of the look.
    pub(crate) fn drawing(&self, scene: &Scene) -> Picture {
        self.look.picture(scene, self.painter)
    }

    /// The same, blurred by one pixel.
    pub(crate) fn blurred_drawing(&self, scene: &Scene) -> Colours {
        Colours::drawn(&self.drawing(scene)).blurred(1)
    }

    /// The centre of a cell in pixels.
    pub(crate) fn centre(&self, cell: Cell) -> Point {
        self.look.geometry.centres[cell.index()]
    }

    /// The middle of the board in pixels.
    pub(crate) fn middle(&self) -> Point {
        let centres = &self.look.geometry.centres;
        let (first, last) = (centres[0], centres[centres.len() - 1]);
        Point { x: (first.x + last.x) / 2.0, y: (first.y + last.y) / 2.0 }
    }

    /// The window of a drawing about a point, as far as it is inside.
    pub(crate) fn area(&self, at: Point, extent: Extent) -> Area {
        let (width, height) = self.look.size;
        let within = |at: f32, by: i32, most: usize| (at as i32 + by).clamp(0, most as i32) as usize;
        let (left, top) = (within(at.x, -extent.left, width), within(at.y, -extent.up, height));
        let (right, below) = (within(at.x, extent.right + 1, width), within(at.y, extent.down + 1, height));
        Area { left, top, width: right - left, height: below - top }
    }
}
