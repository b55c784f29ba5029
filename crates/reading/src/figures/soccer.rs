//! Penguin Soccer: up to six penguins, each upright or facing one of eight directions, and the ball.

use rayon::prelude::*;
use rookery_core::rules::GameRules;
use rookery_core::scene::{DrawOptions, Point, Scene};
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Dir, Play, Seat};
use rookery_games::penguin_soccer::field::{Field, Penguin, PenguinId, Size, board, centre};
use rookery_games::penguin_soccer::{PenguinSoccer, SoccerPosition};

use super::alternatives::{Alternative, Figures, Guess};
use super::marks::Marks;
use super::renderer::{Extent, Renderer};
use super::sprite::{Gain, Residual, Sprite, Window, around};
use crate::compare::Patch;
use crate::look::Look;
use crate::palette::Area;
use crate::plane::Colours;

/// How far a penguin reaches from the centre of its cell, in board units.
const REACH: f32 = 70.0;
/// A figure is there if it explains this share of what it would cover, and may be there if it explains this lesser share.
const PRESENT: f32 = 0.45;
const DOUBTFUL: f32 = 0.25;
/// A ball that explains this share lies on the ice, so that no penguin holds it.
const SURE_BALL: f32 = 0.7;
/// The shares by which squares are tinted for the last move: those that it changed, and those onto which it pushed penguins.
const TINTS: [f32; 2] = [0.75, 0.4];
/// The most other penguins or directions that are tried on a cell, and the most other places of the ball.
const MAX_ALTERNATIVES: usize = 5;
const MAX_BALLS: usize = 2;
/// Upright, and lying in each direction.
const POSES: usize = 1 + COMPASS.len();
/// Squares that are far enough from each other and from the ball on the crossing.
const SPACED: [&str; 6] = ["b2", "e2", "g4", "b5", "d7", "g7"];

/// The drawings of the penguins of some families, and the ball.
#[derive(Debug)]
pub(crate) struct Soccer<const SEATS: usize> {
    extent: Extent,
    /// Each penguin upright, then each in the first direction, and so on; last the ball on the ice.
    figures: Vec<Sprite>,
    /// The ball at the feet of a penguin.
    held: Sprite,
    /// Less than this is explained by no figure.
    least: f32,
}

/// What else may be there.
pub(crate) struct Ranking {
    /// The cells with a penguin, and the numbers of the figures that explain them next best.
    cells: Vec<(Cell, Vec<usize>)>,
    /// The squares of the ball, the likeliest first; `None` is the crossing in the middle.
    balls: Vec<Option<Cell>>,
}

/// A place for figures, and what each would explain there.
struct Place {
    /// `None` for the crossing in the middle, which is for the ball alone.
    cell: Option<Cell>,
    at: Point,
    gains: Vec<Gain>,
}

/// The penguins found so far, and the ball.
struct Candidate {
    field: Field,
    is_ball_found: bool,
}

/// The number of penguins of all families.
const fn penguins(seats: usize) -> usize {
    seats * Size::ALL.len()
}

/// The number of the ball as a figure, after the penguins.
const fn ball(seats: usize) -> usize {
    penguins(seats) * POSES
}

/// A penguin and its direction by the number of a figure.
fn penguin(seats: usize, figure: usize) -> (PenguinId, Option<Dir>) {
    let (pose, who) = (figure / penguins(seats), figure % penguins(seats));
    let seat = Seat::new(who / Size::ALL.len()).unwrap_or(Seat::FIRST);
    ((seat, Size::ALL[who % Size::ALL.len()]), pose.checked_sub(1))
}

impl<const SEATS: usize> Figures for Soccer<SEATS> {
    type Position = Field;
    type Ranking = Ranking;

    fn new(renderer: Renderer<'_>) -> Soccer<SEATS> {
        let reach = REACH * renderer.look.geometry.unit;
        let extent = Extent::new(reach, reach, reach);
        let cells = SPACED.map(|name| board().named(name).expect("the board has this square"));
        let drawn =
            |field: &Field| renderer.blurred_drawing(&Soccer::<SEATS>::scene(field, &renderer.look.options));
        let empty = drawn(&Field::new(SEATS));
        let sprite = |with: &Colours, without: &Colours, cell| {
            let [with, without] =
                [with, without].map(|drawing| around(drawing, renderer.centre(cell), extent));
            Sprite::new(&with, &without)
        };
        let mut figures = Vec::new();
        // As many at a time as there are squares.
        for first in (0..ball(SEATS)).step_by(SPACED.len()) {
            let mut field = Field::new(SEATS);
            for (n, cell) in cells.into_iter().enumerate() {
                let (id, facing) = penguin(SEATS, first + n);
                field.set(id, Some(Penguin { cell, facing }));
            }
            let all = drawn(&field);
            figures.extend(cells.map(|cell| sprite(&all, &empty, cell)));
        }
        let cell = cells[0];
        let mut alone = Field::new(SEATS);
        alone.set_ball(Some(cell));
        figures.push(sprite(&drawn(&alone), &empty, cell));
        let mut holder = Field::new(SEATS);
        holder.set((Seat::SECOND, Size::Papa), Some(Penguin { cell, facing: None }));
        let without = drawn(&holder);
        holder.set_ball(Some(cell));
        let held = sprite(&drawn(&holder), &without, cell);
        let least = figures.iter().map(Sprite::full).fold(f32::MAX, f32::min) * DOUBTFUL;
        Soccer { extent, figures, held, least }
    }

    fn empty() -> Field {
        Field::new(SEATS)
    }

    fn scene(field: &Field, options: &DrawOptions) -> Scene {
        PenguinSoccer::scene(&SoccerPosition::new(*field, Seat::FIRST), options, None)
    }

    fn turned(field: &Field) -> Field {
        let opposite = |cell: Cell| Cell(board().cells().len() as u8 - 1 - cell.0);
        let mut turned = Field::new(SEATS);
        for (who, Penguin { cell, facing }) in field.penguins_on_field() {
            let facing = facing.map(|dir| (dir + COMPASS.len() / 2) % COMPASS.len());
            turned.set(who, Some(Penguin { cell: opposite(cell), facing }));
        }
        turned.set_ball(field.ball().map(opposite));
        turned
    }

    /// Takes the figure that explains most of what is left, again and again (matching pursuit).
    fn guess(&self, renderer: Renderer<'_>, flat: &Colours) -> Guess<Self> {
        let marks = Marks::of(PenguinSoccer::themes(), &renderer.look.options.theme);
        let empty = self.without_ball(renderer, &Field::new(SEATS));
        let mut residual = Residual::new(flat, marks.costs(flat, &empty, &TINTS), self.extent);
        let cells = board().cells().map(|cell| (Some(cell), renderer.centre(cell)));
        let places: Vec<(Option<Cell>, Point)> = cells.chain([(None, renderer.middle())]).collect();
        let place = |(cell, at)| Place { cell, at, gains: self.gains(&residual.window(at)) };
        let mut places: Vec<Place> = places.into_par_iter().map(place).collect();
        let lone_balls: Vec<(Option<Cell>, f32)> =
            places.iter().map(|place| (place.cell, place.gains[ball(SEATS)].share())).collect();
        let mut found = Candidate { field: Field::new(SEATS), is_ball_found: false };
        let mut cells = Vec::new();
        while let Some((place, figure)) = found.next(&places) {
            let Place { cell, at, gains } = &places[place];
            cells.extend(cell.filter(|_| figure != ball(SEATS)).map(|cell| (cell, others(gains, figure))));
            found.put(*cell, figure);
            let at = *at;
            residual.take(at, self.figures[figure].numbers());
            let near = 2.0 * self.extent.right as f32;
            let is_near = |other: &&mut Place| (other.at.x - at.x).hypot(other.at.y - at.y) < near;
            let renewed = places.par_iter_mut().filter(is_near);
            renewed.for_each(|place| place.gains = self.gains(&residual.window(place.at)));
        }
        // Whole drawings tell whether there is a penguin where one explains little: at Home, the ice has its colours.
        let mut doubtful = Vec::new();
        for (cell, figures) in found.doubtful(&places) {
            if figures.is_empty() {
                doubtful.push(cell);
            } else {
                cells.push((cell, figures));
            }
        }
        let mut field = found.field;
        let balls = self.balls(renderer, flat, &field, &lone_balls);
        if let Some((ball, share)) = balls.first() {
            field.set_ball(*ball);
            if *share < PRESENT {
                doubtful.push(ball.unwrap_or(centre()[0]));
            }
        }
        let balls = balls.into_iter().map(|(ball, _)| ball).collect();
        Guess { position: field, ranking: Ranking { cells, balls }, doubtful }
    }

    fn alternatives(&self, renderer: Renderer<'_>, now: &Field, ranking: &Ranking) -> Vec<Alternative<Self>> {
        let area = |at: Point| renderer.area(at, self.extent);
        let mut alternatives = Vec::new();
        for (cell, others) in &ranking.cells {
            let without = now.at(*cell).map(|who| {
                let mut field = *now;
                field.set(who, None);
                field
            });
            let others = others.iter().filter_map(|figure| replaced(now, *cell, *figure));
            let cells = || vec![(*cell, area(renderer.centre(*cell)))];
            alternatives.extend(
                without.into_iter().chain(others).map(|position| Alternative { position, cells: cells() }),
            );
        }
        let at = |ball: Option<Cell>| ball.map_or(renderer.middle(), |cell| renderer.centre(cell));
        for ball in ranking.balls.iter().filter(|ball| **ball != now.ball()).take(MAX_BALLS) {
            let mut position = *now;
            position.set_ball(*ball);
            if is_ball_possible(&position) {
                let asked = now.ball().or(*ball).unwrap_or(centre()[0]);
                let both = united(area(at(now.ball())), area(at(*ball)));
                alternatives.push(Alternative { position, cells: vec![(asked, both)] });
            }
        }
        alternatives
    }

    /// One at a time, as a penguin that comes to a cell leaves another.
    fn merged(now: &Field, better: &[(Cell, f32, &Alternative<Self>)]) -> Field {
        let best = better.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(*now, |(.., alternative)| alternative.position)
    }

    /// Its marks tint whole squares, and what they cover counts as explained (`marks`).
    fn with_last_move(&self, _: Renderer<'_>, _: &Colours, _: &Field) -> Option<Field> {
        None
    }

    fn completed(&self, _: Renderer<'_>, _: &Colours, _: &Field) -> Option<(Field, Vec<Cell>)> {
        None
    }

    fn play(field: &Field) -> Option<Box<dyn Play>> {
        let line = PenguinSoccer::to_line(&SoccerPosition::new(*field, Seat::FIRST));
        rookery_games::named(PenguinSoccer::INFO.key)?.resume(&line).ok()
    }

    fn has_last_move(_: &Field) -> bool {
        false
    }

    fn misfit(look: &Look, seen: &Patch, drawn: &Patch) -> f32 {
        Marks::of(PenguinSoccer::themes(), &look.options.theme).misfit(seen, drawn)
    }
}

impl<const SEATS: usize> Soccer<SEATS> {
    /// What each figure would explain.
    fn gains(&self, window: &Window) -> Vec<Gain> {
        if window.unexplained() < self.least {
            return vec![Gain::default(); self.figures.len()];
        }
        self.figures.iter().map(|figure| window.gain(figure)).collect()
    }

    /// The drawing of the penguins alone. A ball is drawn in every position, so it is made of two: with the ball on the
    /// crossing, and with the ball far from it.
    fn without_ball(&self, renderer: Renderer<'_>, field: &Field) -> Colours {
        let is_far = |cell: &Cell| [0, 7].contains(&board().place(*cell).0) && field.at(*cell).is_none();
        let drawn = |ball| {
            let mut field = *field;
            field.set_ball(ball);
            renderer.blurred_drawing(&Self::scene(&field, &renderer.look.options))
        };
        let mut drawing = drawn(None);
        let far = drawn(board().cells().find(is_far));
        drawing.paste(&far, renderer.area(renderer.middle(), self.extent));
        drawing
    }

    /// The places of the ball, the likeliest first: those where it lies alone, with the shares that were found before the
    /// penguins were, and the penguins that may hold it.
    fn balls(
        &self,
        renderer: Renderer<'_>,
        flat: &Colours,
        field: &Field,
        lone_balls: &[(Option<Cell>, f32)],
    ) -> Vec<(Option<Cell>, f32)> {
        let is_free = |(ball, _): &&(Option<Cell>, f32)| match ball {
            Some(cell) => field.at(*cell).is_none(),
            None => centre().iter().all(|cell| field.at(*cell).is_none()),
        };
        let mut balls: Vec<(Option<Cell>, f32)> = lone_balls.iter().filter(is_free).copied().collect();
        if balls.iter().all(|(_, share)| *share < SURE_BALL) {
            let marks = Marks::of(PenguinSoccer::themes(), &renderer.look.options.theme);
            let drawn = self.without_ball(renderer, field);
            let residual = Residual::new(flat, marks.costs(flat, &drawn, &TINTS), self.extent);
            let share = |cell| residual.window(renderer.centre(cell)).gain(&self.held).share();
            let upright = field.penguins_on_field().filter(|(_, penguin)| penguin.facing.is_none());
            balls.extend(upright.map(|(_, penguin)| (Some(penguin.cell), share(penguin.cell))));
        }
        balls.sort_by(|a, b| b.1.total_cmp(&a.1));
        balls
    }
}

impl Candidate {
    /// The place and the figure that explain most of what is left.
    fn next(&self, places: &[Place]) -> Option<(usize, usize)> {
        let all = places.iter().enumerate().flat_map(|(n, place)| {
            let figures = place.gains.iter().enumerate().filter(|(_, gain)| gain.share() >= PRESENT);
            let possible = figures.filter(move |(figure, _)| self.permits(place.cell, *figure));
            possible.map(move |(figure, gain)| (n, figure, gain.by))
        });
        all.max_by(|a, b| a.2.total_cmp(&b.2)).map(|(place, figure, _)| (place, figure))
    }

    /// Whether the game permits another figure at a place.
    fn permits(&self, cell: Option<Cell>, figure: usize) -> bool {
        let is_free = |cell: Cell| self.field.at(cell).is_none();
        let is_untouched = self.is_ball_found && self.field.ball().is_none();
        match (cell, figure == ball(self.field.seats())) {
            (None, true) => !self.is_ball_found && centre().into_iter().all(is_free),
            (None, false) => false,
            (Some(cell), true) => !self.is_ball_found && is_free(cell),
            (Some(cell), false) => {
                let (who, _) = penguin(self.field.seats(), figure);
                let is_in_the_way = is_untouched && centre().contains(&cell);
                self.field.penguin(who).is_none()
                    && is_free(cell)
                    && self.field.ball() != Some(cell)
                    && !is_in_the_way
                    && !self.field.is_closed_to(cell, who.0)
            }
        }
    }

    fn put(&mut self, cell: Option<Cell>, figure: usize) {
        if figure == ball(self.field.seats()) {
            self.is_ball_found = true;
            self.field.set_ball(cell);
        } else if let Some(cell) = cell {
            let (who, facing) = penguin(self.field.seats(), figure);
            self.field.set(who, Some(Penguin { cell, facing }));
        }
    }

    /// The cells without a penguin where one explains something, and the likeliest penguins there that were found nowhere else.
    fn doubtful(&self, places: &[Place]) -> Vec<(Cell, Vec<usize>)> {
        let is_empty = |cell: &Cell| self.field.at(*cell).is_none() && self.field.ball() != Some(*cell);
        let seats = self.field.seats();
        let is_likely = |place: &Place, figure: usize| place.gains[figure].share() >= DOUBTFUL;
        let is_doubtful = |place: &&Place| (0..ball(seats)).any(|figure| is_likely(place, figure));
        let likely = |place: &Place| {
            let all = by_gain(&place.gains).into_iter();
            let missing = |figure: &usize| self.field.penguin(penguin(seats, *figure).0).is_none();
            all.filter(|figure| is_likely(place, *figure)).filter(missing).take(MAX_ALTERNATIVES).collect()
        };
        let cells = places.iter().filter(is_doubtful);
        cells.filter_map(|place| Some((place.cell.filter(is_empty)?, likely(place)))).collect()
    }
}

/// The penguins and directions that explain a cell best, without the one that was chosen.
fn others(gains: &[Gain], chosen: usize) -> Vec<usize> {
    let mut all = by_gain(gains);
    all.retain(|figure| *figure != chosen);
    all.truncate(MAX_ALTERNATIVES);
    all.push(chosen);
    all
}

/// The penguins and directions, those first that explain most.
fn by_gain(gains: &[Gain]) -> Vec<usize> {
    // The last is the ball.
    let mut all: Vec<usize> = (0..gains.len() - 1).collect();
    all.sort_by(|a, b| gains[*b].by.total_cmp(&gains[*a].by));
    all
}

/// The field with another figure on a cell; a penguin that stands elsewhere changes places. `None` if that's the same, or the
/// game doesn't permit it.
fn replaced(now: &Field, cell: Cell, figure: usize) -> Option<Field> {
    let (who, facing) = penguin(now.seats(), figure);
    let wanted = Penguin { cell, facing };
    let here = now.at(cell);
    let is_refused = now.penguin(who) == Some(wanted)
        || facing.is_some() && now.ball() == Some(cell)
        || now.is_closed_to(cell, who.0);
    if is_refused {
        return None;
    }
    let mut field = *now;
    match now.penguin(who).filter(|there| there.cell != cell) {
        Some(there) => {
            let other = here.filter(|other| !now.is_closed_to(there.cell, other.0))?;
            field.set(who, None);
            field.set(other, Some(there));
        }
        None => here.into_iter().for_each(|other| field.set(other, None)),
    }
    field.set(who, Some(wanted));
    Some(field)
}

/// Whether the holder of the ball is upright, and an untouched ball lies free.
fn is_ball_possible(field: &Field) -> bool {
    let holder = field.holder().and_then(|who| field.penguin(who));
    let is_free = centre().iter().all(|cell| field.at(*cell).is_none());
    holder.is_none_or(|penguin| penguin.facing.is_none()) && (field.ball().is_some() || is_free)
}

/// The smallest area with both.
fn united(a: Area, b: Area) -> Area {
    let (left, top) = (a.left.min(b.left), a.top.min(b.top));
    let right = (a.left + a.width).max(b.left + b.width);
    let below = (a.top + a.height).max(b.top + b.height);
    Area { left, top, width: right - left, height: below - top }
}
