//! The steps from a picture to a position, and what is kept between pictures.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use image::{RgbImage, imageops};
use quick_cache::sync::Cache;
use rookery_core::scene::{DrawOptions, Style};
use rookery_core::{Cell, Play, PositionEdit, Seat};
use rookery_render::Painter;

use crate::align::{Aligner, Alignment, Freedom, Place, aligned};
use crate::content::{Content, FigureGame, content_of, likely_contents, with_content};
use crate::decide::{Decision, decide};
use crate::figures::{self, Sprites};
use crate::fourier::Fourier;
use crate::kind::{BOARDS, Kind};
use crate::lattice::{Lattice, Repetition};
use crate::look::{Look, whole_preference};
use crate::light::Correction;
use crate::mean::Mean;
use crate::palette::{Fit, Palette, Points};
use crate::plane::{Colours, Plane, Pyramid};
use crate::projection::Projection;
use crate::search::{Light, Search};
use crate::verdict::Verdict;
use crate::{ReadError, Reading, sheet};

/// The side of the transform that finds the size of cells, and the longest side of a picture in it.
const SIDE: usize = 512;
const SHRUNK: usize = 400;
/// The most means and looks that are kept. Each takes about half a megabyte, and a look with figures one and a half.
const MOST_MEANS: usize = 96;
const MOST_LOOKS: usize = 48;
/// The smallest picture that is read. A larger one than the largest is shrunk, so that its planes take at most 80 MiB.
const MIN_SIDE: u32 = 150;
const LARGEST: u32 = 2_200;
/// The styles whose boards are looked for. A plain board is read as a full one whose points and last move are missing.
const STYLES: [Style; 2] = [Style::Full, Style::Large];
/// The most themes that are tried, the least rank of one against the best, and by how much a picture may differ more from a
/// board's mean than games do so that no further theme is tried.
const MOST_THEMES: usize = 6;
const GOOD: f32 = 450.0;
const LEAST_RANK: f32 = 0.55;
/// The widths of boards that are tried, against that of the part of the picture that has their colours.
const WIDTHS: RangeInclusive<f32> = 0.45..=1.45;
/// The share of a picture's width that has the colours of a board that may be the whole picture.
const MOSTLY: f32 = 0.8;
/// The most periods and places that are tried, and the least score of a period against the best.
const LEAST_SCORE: f32 = 0.4;
const MOST_LATTICES: usize = 3;
const MOST_PLACES: usize = 10;
const MOST_EXACT: usize = 4;
/// The most boards whose cells are read.
const MOST_READ: usize = 3;
/// A board that differs this much just outside its cells isn't there, and one that differs less is certain if its cells are.
/// What this counts against the difference of the cells.
const MOST_EDGE_MISFIT: f32 = 600.0;
const CERTAIN_EDGE: f32 = 400.0;
const EDGE_COUNTS: f32 = 0.1;
/// The widths of boards against the longer side of a photograph, and the most boards in it that are made as they were drawn,
/// this many times as large as means.
const PHOTOGRAPHED: RangeInclusive<f32> = 0.25..=1.0;
const MOST_PHOTOGRAPHED: usize = 16;
const MOST_RECTIFIED: usize = 2;
const RECTIFIED: usize = 4;
/// The share of their width by which the outer cells of a certain board may be cut off.
const MOST_CUT: f32 = 0.6;
/// Boards that differ more from their drawings were not drawn here, or are somewhere else.
const MOST_MISFIT: f32 = 120.0;
/// The least preference for one orientation over the other.
const ORIENTED: f32 = 0.3;

/// Reads pictures. Cheap to clone; clones share what they keep.
#[derive(Clone, Default)]
pub struct Reader {
    kept: Arc<Kept>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

struct Kept {
    painter: Painter,
    fine: Fourier,
    coarse: Fourier,
    palettes: Mutex<Option<Arc<Vec<Palette>>>>,
    kinds: [OnceLock<Option<Kind>>; BOARDS.len()],
    means: Cache<LookKey, Arc<Mean>>,
    looks: Cache<LookKey, Arc<Look>>,
    sprites: Cache<LookKey, Arc<Sprites>>,
}

impl Default for Kept {
    fn default() -> Kept {
        Kept {
            painter: Painter::new(),
            fine: Fourier::new(SIDE),
            coarse: Fourier::new(SIDE / 2),
            palettes: Mutex::default(),
            kinds: Default::default(),
            means: Cache::new(MOST_MEANS),
            looks: Cache::new(MOST_LOOKS),
            sprites: Cache::new(MOST_LOOKS),
        }
    }
}

/// A kind of board and how it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct LookKey {
    /// The number of the kind of board.
    board: usize,
    theme: &'static str,
    style: Style,
    patterns: bool,
    side: Seat,
}

/// A board that may be in the picture.
#[derive(Clone)]
struct Found {
    key: LookKey,
    mean: Arc<Mean>,
    place: Place,
}

impl Reader {
    /// A reader that keeps nothing yet.
    #[must_use]
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Reads a picture. Takes about half a second, and some seconds for the first picture in a theme.
    ///
    /// # Errors
    /// [`ReadError::NoBoard`].
    pub fn read(&self, image: &RgbImage) -> Result<Reading, ReadError> {
        if image.width().min(image.height()) < MIN_SIDE {
            return Err(ReadError::NoBoard);
        }
        let smaller = (image.width().max(image.height()) > LARGEST).then(|| {
            let by = LARGEST as f32 / image.width().max(image.height()) as f32;
            let size = |side: u32| ((side as f32 * by) as u32).max(1);
            imageops::thumbnail(image, size(image.width()), size(image.height()))
        });
        let image = smaller.as_ref().unwrap_or(image);
        if let Some(reading) = sheet::read(image) {
            return reading;
        }
        let picture = Pyramid::new(Colours::of(image));
        let palettes = self.palettes();
        let size = (image.width() as f32, image.height() as f32);
        let mut attempts = Attempts::default();
        for (palette, fit) in likely(&palettes, image) {
            for style in STYLES {
                let found = best(self.search(&picture, palette, fit, style), &picture, size);
                let is_good = found.first().is_some_and(|best| best.excess() < GOOD);
                attempts.left.extend(found);
                if is_good {
                    self.read_likeliest(&mut attempts, 1, &picture);
                    if attempts.is_certain {
                        return attempts.best();
                    }
                }
            }
        }
        attempts.sort();
        if let Some(first) = attempts.left.first() {
            attempts.left.extend(self.in_other_styles(first, &picture));
        }
        self.read_likeliest(&mut attempts, MOST_READ, &picture);
        if attempts.best.is_some() {
            return attempts.best();
        }
        self.read_photograph(&picture).ok_or(ReadError::NoBoard)
    }

    /// Reads a photograph of a screen: the board is looked for whatever the light is, and then made as it was drawn.
    fn read_photograph(&self, picture: &Pyramid) -> Option<Reading> {
        let mut found: Vec<Photographed> = Vec::new();
        for place in photographed(self.search_photograph(picture), picture) {
            let themes = rookery_games::named(place.key.game())?.themes();
            found.extend(themes.iter().filter_map(|theme| {
                let key = LookKey { theme: theme.name, ..place.key };
                let mean = self.mean(key)?;
                let (correction, misfit) = Correction::between(
                    picture,
                    &place.place.projection,
                    &mean.colours,
                    Some(&mean.weights),
                )?;
                let place = Place { misfit, ..place.place };
                Some(Photographed { found: Found { key, mean, place }, correction })
            }));
        }
        found.sort_by(|a, b| a.found.excess().total_cmp(&b.found.excess()));
        for photographed in found.into_iter().take(MOST_RECTIFIED) {
            let (mut rectified, found) = photographed.rectified(picture);
            // What was read says more about the light.
            if let Some((look, verdict)) = self.verdict(&found, &rectified) {
                let drawing = look.drawn(verdict.play.as_ref(), &self.kept.painter);
                let again = Correction::between(&rectified, &verdict.projection, &drawing, None);
                if let Some((correction, _)) = again {
                    let whole = Projection::similar(1.0, 0.0, 0.0, 0.0);
                    let size = (rectified.full().width(), rectified.full().height());
                    rectified = Pyramid::new(correction.rectified(&rectified, &whole, size));
                }
            }
            let mut attempts = Attempts::default();
            attempts.left = self.in_other_styles(&found, &rectified);
            attempts.left.push(found);
            self.read_likeliest(&mut attempts, MOST_READ, &rectified);
            if let Ok(reading) = attempts.best() {
                return Some(reading);
            }
        }
        None
    }

    /// The places of boards in a photograph: each is looked for in the usual theme of its game, since others have light where
    /// that has light.
    fn search_photograph(&self, picture: &Pyramid) -> Vec<Found> {
        let (fine, by_fine) = shrunk(&picture.full().planes[0], SHRUNK);
        let (coarse, by) = shrunk(&picture.full().planes[0], SHRUNK / 2);
        let repetition = Repetition::of(&fine, &self.kept.fine);
        let search = Search::new(&coarse, &self.kept.coarse, Light::Photographed);
        let longest = picture.full().width().max(picture.full().height()) as f32;
        let mut all = Vec::new();
        for board in 0..BOARDS.len() {
            let Some(kind) = self.kind(board) else { continue };
            for side in kind.sides().iter().copied() {
                let theme = kind.game.themes()[0].name;
                let key = LookKey { board, theme, style: Style::Full, patterns: false, side };
                let Some(mean) = self.mean(key) else { continue };
                let own = mean.geometry.lattice;
                for lattice in repetition.lattices(own.arrangement, own.angle, MOST_LATTICES) {
                    let (scale, angle) = (lattice.pitch / by_fine / own.pitch, lattice.angle - own.angle);
                    if !PHOTOGRAPHED.contains(&(scale * mean.colours.width() as f32 / longest)) {
                        continue;
                    }
                    for place in search.best(&mean, scale * by, angle, MOST_LATTICES) {
                        let projection = place.projection.enlarged(1.0 / by);
                        all.push(Found { key, mean: mean.clone(), place: Place { projection, ..place } });
                    }
                }
            }
        }
        all
    }

    /// Reads some of the likeliest boards, until one is certain.
    fn read_likeliest(&self, attempts: &mut Attempts, most: usize, picture: &Pyramid) {
        attempts.sort();
        let mut left: VecDeque<Found> = std::mem::take(&mut attempts.left).into();
        let mut count = 0;
        while count < most
            && !attempts.is_certain
            && let Some(found) = left.pop_front()
        {
            if attempts.tried.contains(&found.key) {
                continue;
            }
            attempts.tried.push(found.key);
            count += 1;
            if self.attempt(&found, attempts, picture) && !attempts.is_certain && !found.key.patterns {
                // The board is there, so its pieces may have patterns.
                left.push_front(Found { key: LookKey { patterns: true, ..found.key }, ..found });
            }
        }
        attempts.left = left.into();
    }

    /// Reads a board; whether it is there.
    fn attempt(&self, found: &Found, attempts: &mut Attempts, picture: &Pyramid) -> bool {
        let Some((look, verdict)) = self.verdict(found, picture) else { return false };
        let edge = self.edge_misfit(found.key, &look, &verdict, picture);
        if verdict.misfit > MOST_MISFIT || edge > MOST_EDGE_MISFIT {
            return false;
        }
        let is_certain = verdict.is_certain() && edge < CERTAIN_EDGE;
        let slack = if is_certain { MOST_CUT } else { 0.2 };
        let size = (picture.full().width() as f32, picture.full().height() as f32);
        if !look.geometry.is_inside(&verdict.projection, size, slack) {
            return false;
        }
        attempts.is_certain |= is_certain;
        let misfit = verdict.misfit + edge * EDGE_COUNTS;
        if is_certain || attempts.best.as_ref().is_none_or(|(least, _)| misfit < *least) {
            let reading = Reading { play: verdict.play, theme: found.key.theme, unclear: verdict.unclear };
            attempts.best = Some((misfit, reading));
        }
        true
    }

    /// How much the picture differs from the drawing of what was read, just outside the cells, in the style where it does least.
    /// A smaller board within a larger one differs there.
    fn edge_misfit(&self, key: LookKey, look: &Look, verdict: &Verdict, picture: &Pyramid) -> f32 {
        let (width, height) = (picture.full().width() as f32, picture.full().height() as f32);
        let misfit = |look: &Look, projection: Projection| {
            let flat = look.flattened(picture, &projection).blurred(1);
            let drawn = look.drawn(verdict.play.as_ref(), &self.kept.painter).blurred(1);
            look.edge_misfit(&flat, &drawn, |x, y| {
                let (x, y) = projection.at(x, y);
                x >= 0.0 && y >= 0.0 && x < width && y < height
            })
        };
        let least = misfit(look, verdict.projection);
        if least < CERTAIN_EDGE || key.style != Style::Full {
            return least;
        }
        let plain = self.look(LookKey { style: Style::Plain, side: look.options.side, ..key });
        plain.map_or(least, |plain| {
            least.min(misfit(&plain, plain.geometry.over(&look.geometry, &verdict.projection)))
        })
    }

    fn verdict(&self, found: &Found, picture: &Pyramid) -> Option<(Arc<Look>, Verdict)> {
        match FigureGame::named(found.key.game()) {
            Some(game) => self.read_figures(game, found, picture),
            None => self.decide(found, picture).map(|(look, decision)| (look, decision.into())),
        }
    }

    /// What a cell of a position may hold: what it holds first, then what else the game permits there; in Penguin Soccer and
    /// Amoeba only what that may be mistaken for, the likeliest first. Nothing if pictures of the game aren't read.
    #[must_use]
    pub fn choices(&self, play: &dyn Play, cell: Cell) -> Vec<Content> {
        if let Some(likely) = likely_contents(play, cell) {
            return likely;
        }
        let known = BOARDS.iter().position(|board| board.game == play.info().key);
        let Some(kind) = known.and_then(|board| self.kind(board)) else { return Vec::new() };
        let read = content_of(play, cell);
        let others = kind.all_contents().into_iter().filter(|content| *content != read);
        let possible: Vec<Content> =
            others.filter(|content| with_content(play, cell, content).is_some()).collect();
        std::iter::once(read).chain(possible).collect()
    }

    /// The places of a theme's boards in a part of the picture, as they are in one style.
    fn search(
        &self,
        picture: &Pyramid,
        palette: &Palette,
        fit: Fit,
        style: Style,
    ) -> Vec<Found> {
        let area = fit.area;
        let cut = picture.full().planes[0].cut(area);
        let (fine, by_fine) = shrunk(&cut, SHRUNK);
        let (coarse, by) = shrunk(&cut, SHRUNK / 2);
        let repetition = Repetition::of(&fine, &self.kept.fine);
        let search = Search::new(&coarse, &self.kept.coarse, Light::Drawn);
        let mut all = Vec::new();
        // The cells of all boards of a game are arranged alike, so their lattices are looked for once.
        let mut found: Option<Vec<Lattice>> = None;
        for key in self.keys(palette, style) {
            let Some(mean) = self.mean(key) else { continue };
            let own = mean.geometry.lattice;
            let found =
                found.get_or_insert_with(|| repetition.lattices(own.arrangement, own.angle, MOST_LATTICES));
            let lattices = found.iter().filter(|it| it.score > found[0].score * LEAST_SCORE);
            let repeated = lattices.map(|it| (it.pitch / by_fine / own.pitch, it.angle - own.angle));
            // A board with pale cells hardly repeats, but where it is nearly upright its colours say its size as well.
            let upright = (fit.width / mean.colours.width() as f32, 0.0);
            // The board may also be the whole picture.
            let whole = (fit.width > picture.full().width() as f32 * MOSTLY)
                .then(|| (picture.full().width() as f32 / mean.colours.width() as f32, 0.0));
            // The colours say about how large the board is.
            let is_as_large =
                |(scale, _): &(f32, f32)| WIDTHS.contains(&(scale * mean.colours.width() as f32 / fit.width));
            for (scale, angle) in repeated.filter(is_as_large).chain([upright]).chain(whole) {
                for place in search.best(&mean, scale * by, angle, MOST_LATTICES) {
                    let projection =
                        place.projection.enlarged(1.0 / by).moved(area.left as f32, area.top as f32);
                    all.push(Found { key, mean: mean.clone(), place: Place { projection, ..place } });
                }
            }
        }
        all
    }

    /// The kinds of boards that a theme is for.
    fn keys(&self, palette: &Palette, style: Style) -> Vec<LookKey> {
        let game = palette.game.info().key;
        let boards = (0..BOARDS.len()).filter(|board| BOARDS[*board].game == game);
        let keys = boards.filter_map(|board| {
            let kind = self.kind(board)?;
            let theme = palette.theme.name;
            let sides = kind.sides().iter();
            Some(sides.map(move |side| LookKey { board, theme, style, patterns: false, side: *side }))
        });
        keys.flatten().collect()
    }

    /// The same board at the same place in the other styles.
    fn in_other_styles(&self, found: &Found, picture: &Pyramid) -> Vec<Found> {
        let others = STYLES.into_iter().filter(|style| *style != found.key.style);
        let in_style = |style| {
            let key = LookKey { style, ..found.key };
            let mean = self.mean(key)?;
            let projection = mean.geometry.over(&found.mean.geometry, &found.place.projection);
            let place = Place { projection, misfit: mean.misfit(picture, &projection, 1) };
            Some(Found { key, mean, place })
        };
        others.filter_map(in_style).collect()
    }

    /// Reads a board whose pieces cover more than their cell.
    fn read_figures(
        &self,
        game: FigureGame,
        found: &Found,
        picture: &Pyramid,
    ) -> Option<(Arc<Look>, Verdict)> {
        let sides = Seat::all(BOARDS[found.key.board].most_players()).map(|side| {
            let key = LookKey { side, ..found.key };
            Some((self.look(key)?, self.sprites(key)))
        });
        let sides = sides.collect::<Option<Vec<figures::Side>>>()?;
        let look = self.look(found.key)?;
        let place = look.geometry.over(&found.mean.geometry, &found.place.projection);
        let verdict = figures::read(game, &sides, picture, place, &self.kept.painter)?;
        Some((look, verdict))
    }

    /// Reads the board as each side sees it, if the cells have the same places. `None` if neither explains the picture better
    /// than the other.
    fn decide(&self, found: &Found, picture: &Pyramid) -> Option<(Arc<Look>, Decision)> {
        let painter = &self.kept.painter;
        let kind = self.kind(found.key.board)?;
        let look = self.look(found.key)?;
        let place = look.geometry.over(&found.mean.geometry, &found.place.projection);
        let decision = decide(kind, &look, picture, place, painter);
        if kind.sides().len() > 1 {
            return Some((look, decision));
        }
        let turned = self.look(LookKey { side: Seat::SECOND, ..found.key })?;
        // The same cells are read, from the other end.
        let Some(other) = decision.turned() else { return Some((look, decision)) };
        // Whose turn it is isn't read, but is drawn larger than letters.
        let turn = PositionEdit::Turn(Seat::FIRST);
        let [here, there] = [(&decision, &look), (&other, &turned)].map(|(decision, look)| {
            let play = decision.play.edited(&turn).unwrap_or_else(|_| decision.play.clone());
            look.drawn(play.as_ref(), painter).blurred(1)
        });
        // Both differ in their letters and numbers alone.
        match whole_preference(&decision.flat, &here, &there) {
            ORIENTED.. => Some((look, decision)),
            preference if preference <= -ORIENTED => Some((turned, other)),
            _ => None,
        }
    }

    fn palettes(&self) -> Arc<Vec<Palette>> {
        let mut kept = self.kept.palettes.lock().unwrap_or_else(PoisonError::into_inner);
        let made = kept.get_or_insert_with(|| {
            let mut keys: Vec<&str> = BOARDS.iter().map(|board| board.game).collect();
            keys.dedup();
            let games = keys.into_iter().filter_map(rookery_games::named);
            let themes = games.flat_map(|game| game.themes().iter().map(move |theme| (game, *theme)));
            Arc::new(
                themes.filter_map(|(game, theme)| Palette::new(game, theme, &self.kept.painter)).collect(),
            )
        });
        made.clone()
    }

    fn kind(&self, board: usize) -> Option<&Kind> {
        self.kept.kinds[board].get_or_init(|| Kind::new(&BOARDS[board])).as_ref()
    }

    fn mean(&self, key: LookKey) -> Option<Arc<Mean>> {
        if let Some(mean) = self.kept.means.get(&key) {
            return Some(mean);
        }
        let kind = self.kind(key.board)?;
        let mean = Arc::new(Mean::new(kind, &key.options(), &self.kept.painter)?);
        self.kept.means.insert(key, mean.clone());
        Some(mean)
    }

    fn look(&self, key: LookKey) -> Option<Arc<Look>> {
        if let Some(look) = self.kept.looks.get(&key) {
            return Some(look);
        }
        let kind = self.kind(key.board)?;
        let look = Arc::new(Look::new(kind, key.options(), &self.kept.painter)?);
        self.kept.looks.insert(key, look.clone());
        Some(look)
    }

    /// The sprites of a look, which are drawn when they are first needed.
    fn sprites(&self, key: LookKey) -> Arc<Sprites> {
        if let Some(sprites) = self.kept.sprites.get(&key) {
            return sprites;
        }
        let sprites = Arc::new(Sprites::default());
        self.kept.sprites.insert(key, sprites.clone());
        sprites
    }
}

/// The boards of a picture that were found, and what was read.
#[derive(Default)]
struct Attempts {
    /// The boards that weren't read.
    left: Vec<Found>,
    tried: Vec<LookKey>,
    /// What differs least from its drawing, and by how much.
    best: Option<(f32, Reading)>,
    is_certain: bool,
}

impl Attempts {
    /// The likeliest boards first.
    fn sort(&mut self) {
        self.left.sort_by(|a, b| a.excess().total_cmp(&b.excess()));
    }

    fn best(self) -> Result<Reading, ReadError> {
        self.best.map(|(_, reading)| reading).ok_or(ReadError::NoBoard)
    }
}

impl Found {
    /// How much more the picture differs from the board's mean than games do.
    fn excess(&self) -> f32 {
        self.place.misfit - self.mean.spread
    }

    /// Whether the corners of the board are less than half a pixel of its mean from where they are by a projection.
    fn is_at(&self, projection: &Projection) -> bool {
        let (width, height) = (self.mean.colours.width() as f32, self.mean.colours.height() as f32);
        let most = self.place.projection.scale() / 2.0;
        [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].into_iter().all(|(x, y)| {
            let ((u, v), (other_u, other_v)) = (self.place.projection.at(x, y), projection.at(x, y));
            (u - other_u).hypot(v - other_v) < most
        })
    }
}

impl LookKey {
    fn game(&self) -> &'static str {
        BOARDS[self.board].game
    }

    fn options(&self) -> DrawOptions {
        let LookKey { theme, style, patterns, side, .. } = *self;
        DrawOptions { theme: theme.to_owned(), style, patterns, ..DrawOptions::from_seat(side) }
    }
}

/// The themes that explain a part of the picture best, the best first.
fn likely<'a>(palettes: &'a [Palette], image: &RgbImage) -> Vec<(&'a Palette, Fit)> {
    let points = Points::of(image);
    let fits = palettes.iter().filter_map(|palette| Some((palette, palette.fit(&points)?)));
    let mut fits: Vec<_> = fits.collect();
    fits.sort_by(|a, b| b.1.rank.total_cmp(&a.1.rank));
    let best = fits.first().map_or(0.0, |(_, fit)| fit.rank);
    fits.retain(|(_, fit)| fit.rank > best * LEAST_RANK);
    fits.truncate(MOST_THEMES);
    fits
}

/// A board in a photograph, and what the light changed.
struct Photographed {
    found: Found,
    correction: Correction,
}

/// The boards in a photograph that fit best, at their exact places.
fn photographed(mut found: Vec<Found>, picture: &Pyramid) -> Vec<Found> {
    found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
    found.truncate(MOST_PHOTOGRAPHED);
    let near = Alignment { freedom: Freedom::Similar, blur: 3, step: 2, most: 14 };
    let nearer = Alignment { freedom: Freedom::Projective, blur: 3, step: 2, most: 20 };
    let exact = Alignment { freedom: Freedom::Projective, blur: 1, step: 1, most: 40 };
    for Found { mean, place, .. } in &mut found {
        for how in [near, nearer, exact] {
            *place = aligned(place.projection, picture, &mean.colours, Some(&mean.weights), how);
        }
    }
    found
}

impl Photographed {
    /// The board as it was drawn, and its place there.
    fn rectified(self, picture: &Pyramid) -> (Pyramid, Found) {
        let Found { key, mean, place } = self.found;
        let smaller = 1.0 / RECTIFIED as f32;
        let from = place.projection.after(&[smaller, 0.0, 0.0, 0.0, smaller, 0.0, 0.0, 0.0, 1.0]);
        let size = (mean.colours.width() * RECTIFIED, mean.colours.height() * RECTIFIED);
        let rectified = Pyramid::new(self.correction.rectified(picture, &from, size));
        let projection = Projection::similar(RECTIFIED as f32, 0.0, 0.0, 0.0);
        let misfit = mean.misfit(&rectified, &projection, 1);
        (rectified, Found { key, mean, place: Place { projection, misfit } })
    }
}

/// The boards that fit best once their places are exact.
fn best(mut found: Vec<Found>, picture: &Pyramid, size: (f32, f32)) -> Vec<Found> {
    found.retain(|found| found.mean.geometry.is_inside(&found.place.projection, size, 0.7));
    found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
    found.truncate(MOST_PLACES);
    let near = Alignment { freedom: Freedom::Similar, blur: 1, step: 2, most: 14 };
    let exact = Alignment { freedom: Freedom::Affine, blur: 0, step: 1, most: 40 };
    for how in [near, exact] {
        // Several places of one board share what does not depend on the place.
        let mut aligners: HashMap<LookKey, Aligner> = HashMap::new();
        for Found { key, mean, place } in &mut found {
            let aligner = aligners.entry(*key);
            let aligner = aligner.or_insert_with(|| Aligner::new(&mean.colours, Some(&mean.weights), how));
            *place = aligner.aligned(place.projection, picture);
            place.misfit = mean.misfit(picture, &place.projection, how.step);
        }
        found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
        found = distinct(found, MOST_EXACT);
    }
    found.retain(|found| found.mean.geometry.is_inside(&found.place.projection, size, 0.3));
    found
}

/// The first of each group of boards that are at the same place.
fn distinct(found: Vec<Found>, most: usize) -> Vec<Found> {
    let mut first: Vec<Found> = Vec::new();
    for found in found {
        let is_same = |other: &Found| other.key == found.key && found.is_at(&other.place.projection);
        if first.len() < most && !first.iter().any(is_same) {
            first.push(found);
        }
    }
    first
}

/// The plane with its longer side at most this long, and by how much it was shrunk.
fn shrunk(plane: &Plane, most: usize) -> (Plane, f32) {
    let longest = plane.width.max(plane.height);
    let by = (most as f32 / longest as f32).min(1.0);
    let size = |n: usize| ((n as f32 * by).round() as usize).max(1);
    (plane.resized(size(plane.width), size(plane.height)), by)
}
