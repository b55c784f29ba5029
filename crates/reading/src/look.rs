//! How each content of a cell is drawn on a kind of board in certain colours.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use rayon::prelude::*;
use rookery_core::scene::{DrawOptions, Point, Scene};
use rookery_core::{Cell, Play};
use rookery_render::{Painter, Picture};

use crate::compare::{MAX_DIFFERENT, Patch, Preference, distance};
use crate::content::Content;
use crate::geometry::Geometry;
use crate::kind::{Kind, Sample};
use crate::palette::Area;
use crate::plane::{Colours, Pyramid, Run};
use crate::projection::Projection;

/// The widths in pixels at which boards are compared, and the width of a cell at which smaller ones are wide enough. Penguins of one
/// family in Penguin Soccer differ in little but their size, so boards with such figures are as wide as any.
const WIDTHS: RangeInclusive<u32> = 380..=540;
const CELL: f32 = 36.0;
/// The most drawings of one content on one shade.
const MAX_TEMPLATES: usize = 10;
/// The least difference of a further drawing of a content to those that are known.
const OTHER_TEMPLATE: f32 = 60.0;
/// A place that an alignment moves by less, in pixels of the drawing, was exact already.
const STILL: f32 = 0.3;
/// The distances from the nearest cell's centre, in widths of a cell, at which a pixel is just outside the cells.
const EDGE: RangeInclusive<f32> = 0.75..=0.95;

/// The part of the distance to its neighbours, from its centre, that a frame around a cell leaves free.
const WITHIN_FRAME: f32 = 0.3;

/// A kind of board in certain colours, style and orientation.
pub(crate) struct Look {
    pub(crate) options: DrawOptions,
    /// The width of a drawing as the painter takes it, in pixels.
    width: u32,
    pub(crate) geometry: Geometry,
    /// The width and height of a drawing in pixels.
    pub(crate) size: (usize, usize),
    /// The pixels of a cell, line by line.
    inside: Vec<Run>,
    /// The numbers of those of them that a frame around the cell leaves free.
    within_frame: Vec<usize>,
    /// The numbers of the pixels just outside the cells.
    edge: Vec<usize>,
    /// How contents are drawn in the samples; not used in games whose pieces cover more than their cell.
    templates: OnceLock<Vec<Template>>,
    /// Whether moves end with an arrow, or with a tile that is taken.
    pub(crate) is_shooting: bool,
}

/// The drawing of a cell.
pub(crate) struct Template {
    pub(crate) content: Content,
    shade: usize,
    /// Whether nothing marks a last move there.
    is_plain: bool,
    pub(crate) patch: Patch,
}

impl Look {
    pub(crate) fn new(kind: &Kind, options: DrawOptions, painter: &Painter) -> Option<Look> {
        let first = kind.samples.first()?.play.as_ref();
        let largest = *WIDTHS.end();
        let pitch = Geometry::new(first, &options, largest)?.lattice.pitch;
        let enough = ((largest as f32 * CELL / pitch) as u32).clamp(*WIDTHS.start(), largest);
        let width = if kind.has_figures() { largest } else { enough };
        let geometry = Geometry::new(first, &options, width)?;
        let drawing = painter.picture(&first.scene(&options), width);
        let size = (drawing.width() as usize, drawing.height() as usize);
        let distances = geometry.distances(size).values.into_iter().enumerate();
        let inside = geometry.cell_pixels();
        Some(Look {
            options,
            width,
            size,
            edge: distances.filter(|(_, distance)| EDGE.contains(distance)).map(|(n, _)| n).collect(),
            within_frame: numbers_within(&inside, &geometry.pixels_within(WITHIN_FRAME)),
            inside,
            geometry,
            templates: OnceLock::new(),
            is_shooting: ["amazons", "amazon_penguins"].contains(&kind.game.info().key),
        })
    }

    /// The drawing of a position.
    pub(crate) fn drawn(&self, play: &dyn Play, painter: &Painter) -> Colours {
        self.drawn_with(&self.options, play, painter)
    }

    /// The drawing of a position in another manner that has the cells at the same places.
    pub(crate) fn drawn_with(&self, options: &DrawOptions, play: &dyn Play, painter: &Painter) -> Colours {
        Colours::drawn(&self.picture(&play.scene(options), painter))
    }

    /// A scene in the size of the look.
    pub(crate) fn picture(&self, scene: &Scene, painter: &Painter) -> Picture {
        painter.picture(scene, self.width)
    }

    /// Whether an alignment left a drawing where it was.
    pub(crate) fn is_still(&self, from: &Projection, to: &Projection) -> bool {
        self.is_within(from, to, STILL)
    }

    /// Whether the corners of a drawing are less than some of its pixels from where they were.
    pub(crate) fn is_within(&self, from: &Projection, to: &Projection, pixels: f32) -> bool {
        to.is_near(from, (self.size.0 as f32, self.size.1 as f32), pixels * from.scale())
    }

    /// The part of a picture where the board is, in the size of the look's drawings.
    pub(crate) fn flattened(&self, picture: &Pyramid, projection: &Projection) -> Colours {
        self.flattened_around(picture, projection, 0)
    }

    /// The same with a margin of some pixels.
    pub(crate) fn flattened_around(
        &self,
        picture: &Pyramid,
        projection: &Projection,
        margin: usize,
    ) -> Colours {
        let (width, height) = self.size;
        let pixel_at = picture.sampler(projection.scale());
        let drawn = |at: usize| at as f32 + 0.5 - margin as f32;
        Colours::by_place((width + 2 * margin, height + 2 * margin), |x, y| {
            let (u, v) = projection.at(drawn(x), drawn(y));
            pixel_at(u, v)
        })
    }

    /// How much a picture of a board differs from its drawing just outside the cells: the mean squared difference of pixels,
    /// limited for each. Parts that are cut off don't count.
    pub(crate) fn edge_misfit(
        &self,
        flat: &Colours,
        drawn: &Colours,
        is_seen: impl Fn(f32, f32) -> bool,
    ) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0_f32);
        for n in self.edge.iter().copied() {
            let (x, y) = ((n % self.size.0) as f32 + 0.5, (n / self.size.0) as f32 + 0.5);
            if is_seen(x, y) {
                let (a, b) = (flat.pixel(n), drawn.pixel(n));
                sum += (0..3).map(|plane| (a[plane] - b[plane]).powi(2)).sum::<f32>().min(MAX_DIFFERENT);
                count += 1.0;
            }
        }
        sum / count.max(1.0)
    }

    /// How much more the cells of a picture are like those of `a` than like those of `b` where these differ, -1 to 1.
    pub(crate) fn cells_preference(&self, picture: &Colours, a: &Colours, b: &Colours) -> f32 {
        let cells: Vec<Cell> = self.geometry.board.cells().collect();
        let of_cell = |cell| {
            let [a, b] = [a, b].map(|picture| self.patch(picture, cell));
            // Most cells are drawn alike.
            let differ = a.iter().zip(&b).any(|(a, b)| a != b);
            let seen = differ.then(|| self.patch(picture, cell));
            seen.map_or_else(Preference::default, |seen| Preference::of(&seen, &a, &b))
        };
        let of_cells: Vec<Preference> = cells.into_par_iter().map(of_cell).collect();
        of_cells.into_iter().fold(Preference::default(), Preference::and).mean()
    }

    /// The pixels of a cell.
    pub(crate) fn patch(&self, picture: &Colours, cell: Cell) -> Patch {
        self.patch_around(picture, self.geometry.centres[cell.index()])
    }

    /// Those pixels of a cell that a frame around it leaves free.
    pub(crate) fn within_frame(&self, patch: &Patch) -> Patch {
        patch.each_ref().map(|plane| self.within_frame.iter().map(|n| plane[*n]).collect())
    }

    /// The pixels of a cell in a drawing, as [`Look::patch`] has them of the drawing blurred by one pixel.
    pub(crate) fn drawn_patch(&self, drawing: &Picture, cell: Cell) -> Patch {
        let at = self.geometry.centres[cell.index()];
        let reach =
            |side: fn(&Run) -> i32| self.inside.iter().map(side).max().unwrap_or_default() as f32 + 2.0;
        let (left, right) = (at.x - reach(|run| -run.left), at.x + reach(|run| run.left + run.count as i32));
        let (top, below) = (at.y - reach(|run| -run.y), at.y + reach(|run| run.y));
        let [left, top] = [left, top].map(|side| side.max(0.0) as usize);
        let (right, below) = ((right as usize).min(self.size.0), (below as usize).min(self.size.1));
        let area = Area { left, top, width: right - left, height: below - top };
        let around = Colours::drawn_part(drawing, area);
        self.patch_around(&around, Point { x: at.x - left as f32, y: at.y - top as f32 })
    }

    /// The pixels around a point, in the shape of a cell.
    pub(crate) fn patch_around(&self, picture: &Colours, at: Point) -> Patch {
        picture.planes.each_ref().map(|plane| plane.runs_around(at, &self.inside))
    }

    /// The contents that a cell may have, the likeliest first.
    pub(crate) fn candidates<'a>(
        &self,
        templates: &'a [Template],
        patch: &Patch,
        cell: Cell,
    ) -> Vec<&'a Template> {
        let mut best: Vec<(f32, &Template)> = Vec::new();
        for template in self.of_shade(templates, cell) {
            let distance = distance(patch, &template.patch);
            match best.iter_mut().find(|(_, known)| known.content == template.content) {
                Some(known) if known.0 > distance => *known = (distance, template),
                Some(_) => {}
                None => best.push((distance, template)),
            }
        }
        best.sort_by(|a, b| a.0.total_cmp(&b.0));
        best.into_iter().map(|(_, template)| template).collect()
    }

    /// The contents that are drawn on cells of the shade of this one.
    pub(crate) fn contents<'a>(&self, templates: &'a [Template], cell: Cell) -> Vec<&'a Content> {
        let mut all: Vec<&Content> = Vec::new();
        for template in self.of_shade(templates, cell) {
            if !all.contains(&&template.content) {
                all.push(&template.content);
            }
        }
        all
    }

    /// The drawings on cells of the shade of this one.
    fn of_shade<'a>(&self, templates: &'a [Template], cell: Cell) -> impl Iterator<Item = &'a Template> {
        let shade = self.geometry.shade(cell);
        templates.iter().filter(move |template| template.shade == shade)
    }

    /// How contents are drawn in the samples.
    pub(crate) fn templates(&self, kind: &Kind, painter: &Painter) -> &[Template] {
        if let Some(known) = self.templates.get() {
            return known;
        }
        // Two threads may do this at once. If one waited for the other, it could wait for work that it has taken on itself.
        let samples: Vec<&Sample> = kind.drawn_samples().collect();
        let drawn = samples.into_par_iter();
        let drawn = drawn.map(|sample| (sample, self.drawn(sample.play.as_ref(), painter).blurred(1)));
        let mut templates = Vec::new();
        for (sample, picture) in drawn.collect::<Vec<_>>() {
            self.learn(&mut templates, sample, &picture);
        }
        self.templates.get_or_init(|| templates)
    }

    fn learn(&self, templates: &mut Vec<Template>, sample: &Sample, picture: &Colours) {
        let is_plain = sample.play.ply() == 0;
        for (cell, content) in self.geometry.board.cells().zip(sample.contents()) {
            let shade = self.geometry.shade(cell);
            let alike = || templates.iter().filter(|known| known.shade == shade && known.content == *content);
            let is_first_plain = is_plain && !alike().any(|known| known.is_plain);
            if !is_first_plain && alike().count() >= MAX_TEMPLATES {
                continue;
            }
            let patch = self.patch(picture, cell);
            if is_first_plain || alike().all(|known| distance(&patch, &known.patch) > OTHER_TEMPLATE) {
                templates.push(Template { content: content.clone(), shade, is_plain, patch });
            }
        }
    }
}

impl Template {
    /// A drawing of the same content without marks of a last move.
    pub(crate) fn plain<'a>(&self, all: &'a [Template]) -> Option<&'a Template> {
        all.iter().find(|it| it.is_plain && it.shade == self.shade && it.content == self.content)
    }
}

/// The numbers of those of some pixels that are among others.
fn numbers_within(all: &[Run], some: &[Run]) -> Vec<usize> {
    let is_among = |at: (f32, f32)| some.iter().any(|run| run.offsets().any(|other| other == at));
    let offsets = all.iter().flat_map(Run::offsets).enumerate();
    offsets.filter(|(_, at)| is_among(*at)).map(|(n, _)| n).collect()
}

#[cfg(test)]
mod tests {
    use rookery_core::Seat;

    use super::*;
    use crate::kind::BOARDS;

    #[test]
    fn a_cell_of_a_drawing_is_that_of_the_whole_drawing_blurred() {
        let painter = Painter::new();
        for game in ["amazons", "penguins"] {
            let board = BOARDS.iter().find(|board| board.game == game).expect("the game");
            let kind = Kind::new(board).expect("games");
            let look = Look::new(&kind, DrawOptions::from_seat(Seat::FIRST), &painter).expect("a look");
            for sample in kind.drawn_samples() {
                let picture = look.picture(&sample.play.scene(&look.options), &painter);
                let blurred = Colours::drawn(&picture).blurred(1);
                for cell in look.geometry.board.cells() {
                    let (a, b) = (look.drawn_patch(&picture, cell), look.patch(&blurred, cell));
                    let pixels = a.iter().zip(&b).flat_map(|(a, b)| a.iter().zip(b));
                    let most = pixels.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    assert!(a[0].len() == b[0].len() && most < 1e-3, "{game} {cell:?}: {most}");
                }
            }
        }
    }
}
