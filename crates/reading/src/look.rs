//! How a kind of board looks in certain colours: the mean of sample games, and how each content of a cell is drawn.

use std::sync::OnceLock;

use rookery_core::board::Shape;
use rookery_core::scene::{DrawOptions, Point, Theme};
use rookery_core::{Board, Cell, Play, cell_centres};
use rookery_render::{Painter, Picture};

use crate::kind::{Content, Kind, Sample};
use crate::lattice::{Arrangement, Lattice};
use crate::plane::{Colours, Plane, Pyramid, drawn_pixels};
use crate::projection::Projection;

/// The width in pixels at which boards are compared.
const WIDTH: u32 = 540;
/// By how many pixels the mean is blurred for the search, which is done in pictures of about a third of the size.
const SOFT: usize = 1;
/// The most drawings of one content on one shade.
const MOST_TEMPLATES: usize = 10;
/// The least difference of a further drawing of a content to those that are known.
const OTHER_TEMPLATE: f32 = 60.0;
/// The largest squared difference of a pixel, so that a line across a cell counts for little.
const MOST_DIFFERENT: f32 = 60.0 * 60.0;
/// The least squared difference of two drawings in a pixel that tells them apart.
const TELLING: f32 = 20.0 * 20.0;

/// A kind of board in certain colours, style and orientation.
pub(crate) struct Look {
    pub(crate) theme: &'static Theme,
    pub(crate) options: DrawOptions,
    pub(crate) board: &'static Board,
    /// The mean of the samples.
    pub(crate) mean: Colours,
    /// How much each pixel counts: 1 where all samples are alike.
    pub(crate) weights: Plane,
    /// The brightness of the mean and the weights, blurred for the search in small pictures.
    pub(crate) soft: [Plane; 2],
    /// The distance and direction of the cells in pixels.
    pub(crate) lattice: Lattice,
    /// Half the distance of neighbours in pixels.
    pub(crate) half: f32,
    /// The centre of each cell in pixels.
    centres: Vec<Point>,
    /// The pixels of a cell, as distances from its centre.
    inside: Vec<(f32, f32)>,
    /// How contents are drawn; made when a board is read, which is seldom after it was searched.
    templates: OnceLock<Vec<Template>>,
    is_checkered: bool,
    /// Whether moves end with an arrow, or with a tile that is taken.
    pub(crate) is_shooting: bool,
}

/// The pixels of a cell in three planes.
pub(crate) type Patch = [Vec<f32>; 3];

/// The drawing of a cell.
pub(crate) struct Template {
    pub(crate) content: Content,
    shade: usize,
    /// Whether nothing marks a last move there.
    is_plain: bool,
    pub(crate) patch: Patch,
}

impl Look {
    pub(crate) fn new(
        kind: &Kind,
        theme: &'static Theme,
        options: DrawOptions,
        painter: &Painter,
    ) -> Option<Look> {
        let first = &kind.samples.first()?.play;
        let width = first.scene(&options).width;
        let unit = WIDTH as f32 / width;
        let centres = cell_centres(first.as_ref(), &options)?;
        let centres: Vec<Point> = centres.iter().map(|at| Point { x: at.x * unit, y: at.y * unit }).collect();
        let lattice = lattice(first.board(), &centres)?;
        let pictures = kind.samples.iter().map(|sample| painter.picture(&sample.play.scene(&options), WIDTH));
        let (mean, weights) = mean_and_weights(pictures)?;
        Some(Look {
            theme,
            options,
            board: first.board(),
            soft: [mean.planes[0].blurred(SOFT), weights.blurred(SOFT)],
            mean,
            weights,
            lattice,
            half: lattice.pitch / 2.0,
            centres,
            inside: inside(lattice),
            templates: OnceLock::new(),
            is_checkered: kind.game.info().key == "amazons",
            is_shooting: ["amazons", "amazon_penguins"].contains(&kind.game.info().key),
        })
    }

    /// The drawing of a position.
    pub(crate) fn drawn(&self, play: &dyn Play, painter: &Painter) -> Colours {
        drawn(painter, play, &self.options)
    }

    /// Whether all cells are within a picture of this size, but for a share of their width.
    pub(crate) fn is_inside(&self, projection: &Projection, (width, height): (f32, f32), slack: f32) -> bool {
        let off = self.half * (1.0 - slack);
        let corners = [(-off, -off), (off, -off), (-off, off), (off, off)];
        let mut all =
            self.centres.iter().flat_map(|at| corners.map(|(dx, dy)| projection.at(at.x + dx, at.y + dy)));
        all.all(|(x, y)| x >= 0.0 && y >= 0.0 && x <= width && y <= height)
    }

    /// The part of a picture where the board is, in the size of the look's drawings.
    pub(crate) fn flattened(&self, picture: &Pyramid, projection: &Projection) -> Colours {
        let (level, shrink) = picture.level(projection.scale());
        let (width, height) = (self.mean.width(), self.mean.height());
        let plane = |from: &Plane| {
            let mut plane = Plane::new(width, height);
            for y in 0..height {
                for x in 0..width {
                    let (u, v) = projection.at(x as f32 + 0.5, y as f32 + 0.5);
                    plane.values[y * width + x] = from.sample(u * shrink, v * shrink);
                }
            }
            plane
        };
        Colours { planes: level.planes.each_ref().map(plane) }
    }

    /// How much a picture at a place differs from the mean, in all three planes.
    pub(crate) fn colour_misfit(&self, picture: &Pyramid, projection: &Projection) -> f32 {
        const STEP: usize = 3;
        let (level, shrink) = picture.level(projection.scale());
        let (mut sum, mut total) = (0.0, 0.0);
        for y in (1..self.mean.height()).step_by(STEP) {
            for x in (1..self.mean.width()).step_by(STEP) {
                let weight = self.weights.at(x, y);
                let (u, v) = projection.at(x as f32 + 0.5, y as f32 + 0.5);
                let off =
                    |n: usize| level.planes[n].sample(u * shrink, v * shrink) - self.mean.planes[n].at(x, y);
                // Two colours of themes may differ in hue alone.
                let square = off(0).powi(2) + (2.0 * off(1)).powi(2) + (2.0 * off(2)).powi(2);
                sum += weight * square.min(MOST_DIFFERENT);
                total += weight;
            }
        }
        sum / total
    }

    /// The pixels of a cell.
    pub(crate) fn patch(&self, picture: &Colours, cell: Cell) -> Patch {
        let at = self.centres[cell.index()];
        let sample =
            |plane: &Plane| self.inside.iter().map(|(dx, dy)| plane.sample(at.x + dx, at.y + dy)).collect();
        picture.planes.each_ref().map(sample)
    }

    /// The projection of this look where the cells of another one, which differs in what is around them, are by its own.
    pub(crate) fn over(&self, other: &Look, projection: &Projection) -> Projection {
        let ends = |look: &Look| [look.centres[0], look.centres[look.centres.len() - 1]];
        let ([a, b], [c, d]) = (ends(self), ends(other));
        let scale = (d.x - c.x).hypot(d.y - c.y) / (b.x - a.x).hypot(b.y - a.y);
        projection.after(&[scale, 0.0, c.x - a.x * scale, 0.0, scale, c.y - a.y * scale, 0.0, 0.0, 1.0])
    }

    /// The contents that a cell may have, the likeliest first.
    pub(crate) fn candidates<'a>(
        &self,
        templates: &'a [Template],
        patch: &Patch,
        cell: Cell,
    ) -> Vec<&'a Template> {
        let mut best: Vec<(f32, &Template)> = Vec::new();
        for template in templates.iter().filter(|template| template.shade == self.shade(cell)) {
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
        for template in templates.iter().filter(|template| template.shade == self.shade(cell)) {
            if !all.contains(&&template.content) {
                all.push(&template.content);
            }
        }
        all
    }

    /// The shade of a cell: cells of the same shade look alike when empty.
    fn shade(&self, cell: Cell) -> usize {
        let (col, row) = self.board.place(cell);
        if self.is_checkered { usize::from((col + row) % 2) } else { 0 }
    }

    /// How contents are drawn in the samples.
    pub(crate) fn templates(&self, kind: &Kind, painter: &Painter) -> &[Template] {
        self.templates.get_or_init(|| {
            let mut templates = Vec::new();
            for sample in &kind.samples {
                self.learn(&mut templates, sample, &self.drawn(sample.play.as_ref(), painter).blurred(1));
            }
            templates
        })
    }

    fn learn(&self, templates: &mut Vec<Template>, sample: &Sample, picture: &Colours) {
        let is_plain = sample.play.ply() == 0;
        for (cell, content) in self.board.cells().zip(&sample.contents) {
            let shade = self.shade(cell);
            let alike = || templates.iter().filter(|known| known.shade == shade && known.content == *content);
            let is_first_plain = is_plain && !alike().any(|known| known.is_plain);
            if !is_first_plain && alike().count() >= MOST_TEMPLATES {
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

/// The mean squared difference of two patches, limited for each pixel.
pub(crate) fn distance(a: &Patch, b: &Patch) -> f32 {
    let square = |n: usize| (0..3).map(|plane| (a[plane][n] - b[plane][n]).powi(2)).sum::<f32>();
    let sum: f32 = (0..a[0].len()).map(|n| square(n).min(MOST_DIFFERENT)).sum();
    sum / a[0].len() as f32
}

/// How much more a patch is like `a` than like `b` where these differ: 1 if it is `a`, -1 if it is `b`.
pub(crate) fn preference(patch: &Patch, a: &Patch, b: &Patch) -> f32 {
    let planes = |patch: &Patch, n: usize| [0, 1, 2].map(|plane| patch[plane][n]);
    preferred((0..patch[0].len()).map(|n| [planes(patch, n), planes(a, n), planes(b, n)]))
}

/// The same for whole pictures.
pub(crate) fn whole_preference(picture: &Colours, a: &Colours, b: &Colours) -> f32 {
    let planes = |picture: &Colours, n: usize| [0, 1, 2].map(|plane| picture.planes[plane].values[n]);
    let count = a.planes[0].values.len();
    preferred((0..count).map(|n| [planes(picture, n), planes(a, n), planes(b, n)]))
}

fn preferred(pixels: impl Iterator<Item = [[f32; 3]; 3]>) -> f32 {
    let (mut sum, mut total) = (0.0, 0.0);
    for [pixel, a, b] in pixels {
        let apart: [f32; 3] = std::array::from_fn(|n| a[n] - b[n]);
        let square: f32 = apart.iter().map(|value| value * value).sum();
        if square < TELLING {
            continue;
        }
        // Where the pixel is between them, from 0 at `b` to 1 at `a`.
        let along = (0..3).map(|n| (pixel[n] - b[n]) * apart[n]).sum::<f32>() / square;
        let weight = square.sqrt();
        sum += weight * (2.0 * along - 1.0).clamp(-1.0, 1.0);
        total += weight;
    }
    if total == 0.0 { 0.0 } else { sum / total }
}

fn drawn(painter: &Painter, play: &dyn Play, options: &DrawOptions) -> Colours {
    Colours::drawn(&painter.picture(&play.scene(options), WIDTH))
}

/// The mean of pictures of one size, and how much each pixel counts: the less it varies, the more. The variance is that of the
/// three planes together, by the sums of values and squares, so that one picture is in memory at a time.
fn mean_and_weights(pictures: impl Iterator<Item = Picture>) -> Option<(Colours, Plane)> {
    /// The variance at which a pixel counts half.
    const HALF: f32 = 100.0;
    let mut pictures = pictures.peekable();
    let (width, height) = pictures.peek().map(|first| (first.width() as usize, first.height() as usize))?;
    let (mut sums, mut squares) = (Colours::zero(width, height), Plane::new(width, height));
    let square = |pixel: [f32; 3]| pixel.iter().map(|value| value * value).sum::<f32>();
    let mut count = 0.0;
    for picture in pictures {
        let values = sums.pixels_mut().zip(&mut squares.values);
        for (([y, u, v], sum), pixel) in values.zip(drawn_pixels(&picture)) {
            *y += pixel[0];
            *u += pixel[1];
            *v += pixel[2];
            *sum += square(pixel);
        }
        count += 1.0;
    }
    sums.planes.iter_mut().flat_map(|plane| &mut plane.values).for_each(|sum| *sum /= count);
    let mut weights = squares;
    for (n, weight) in weights.values.iter_mut().enumerate() {
        let variance = *weight / count - square(sums.planes.each_ref().map(|plane| plane.values[n]));
        *weight = 1.0 / (1.0 + variance.max(0.0) / HALF);
    }
    Some((sums, weights))
}

/// The direction and distance of the cell that is nearest to the first one.
fn lattice(board: &Board, centres: &[Point]) -> Option<Lattice> {
    let first = centres[0];
    let steps = centres[1..].iter().map(|other| (other.x - first.x, other.y - first.y));
    let (x, y) = steps.min_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)))?;
    let arrangement = match board.shape() {
        Shape::Square { .. } => Arrangement::Square,
        Shape::Island | Shape::Hexagon { .. } => Arrangement::Hexagonal,
    };
    let turn = 360.0 / arrangement.directions() as f32;
    let angle = (y.atan2(x).to_degrees() + turn / 3.0).rem_euclid(turn) - turn / 3.0;
    Some(Lattice { arrangement, pitch: x.hypot(y), angle: angle.to_radians(), score: 1.0 })
}

/// The pixels that are nearer to a cell's centre than to those of its neighbours, but for a narrow edge.
fn inside(lattice: Lattice) -> Vec<(f32, f32)> {
    let directions = lattice.arrangement.directions();
    let turn = std::f32::consts::TAU / directions as f32;
    let axes: Vec<(f32, f32)> =
        (0..directions).map(|n| (lattice.angle + turn * n as f32).sin_cos()).collect();
    let edge = lattice.pitch / 2.0 - lattice.pitch / 30.0;
    let reach = lattice.pitch as i32;
    let all = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x as f32, y as f32)));
    all.filter(|(x, y)| axes.iter().all(|(sin, cos)| x * cos + y * sin <= edge)).collect()
}
