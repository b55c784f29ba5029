//! The steps from a picture to a position, and what is kept between pictures.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use image::{RgbImage, imageops};
use quick_cache::sync::Cache;
use rookery_core::rules::Setup;
use rookery_core::scene::{DrawOptions, Style, Theme};
use rookery_core::{Game, Seat};
use rookery_render::Painter;

use crate::align::{Alignment, Freedom, Place, aligned};
use crate::decide::{Decision, decide};
use crate::fourier::Fourier;
use crate::kind::{Content, Kind};
use crate::lattice::{Lattice, Repetition};
use crate::look::{Look, whole_preference};
use crate::palette::{Area, Fit, Palette, Points};
use crate::plane::{Colours, Plane, Pyramid};
use crate::search::Search;
use crate::{ReadError, Reading, sheet};

/// The games that are read, with the values of their option `size`.
const GAMES: [(&str, &[&str]); 4] = [
    ("amazons", &["10x10", "8x8", "6x6"]),
    ("penguins", &[""]),
    ("amazon_penguins", &[""]),
    ("paper_penguins", &[""]),
];
/// The side of the transform that finds the size of cells, and the longest side of a picture in it.
const SIDE: usize = 512;
const SHRUNK: usize = 400;
/// The most looks that are kept; each takes about 8 MiB.
const MOST_LOOKS: usize = 10;
/// The smallest picture that is read. A larger one than the largest is shrunk, so that its planes take at most 80 MiB.
const MIN_SIDE: u32 = 150;
const LARGEST: u32 = 2_200;
/// The most themes that are tried, and the least rank of one against the best.
const MOST_THEMES: usize = 3;
const LEAST_RANK: f32 = 0.55;
/// The most periods and places that are tried.
const MOST_LATTICES: usize = 3;
const MOST_PLACES: usize = 16;
const MOST_EXACT: usize = 6;
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

/// The kinds of boards by game and size.
type Kinds = HashMap<(&'static str, &'static str), Option<Arc<Kind>>>;

struct Kept {
    painter: Painter,
    fine: Fourier,
    coarse: Fourier,
    palettes: Mutex<Option<Arc<Vec<Palette>>>>,
    kinds: Mutex<Kinds>,
    looks: Cache<LookKey, Arc<Look>>,
}

impl Default for Kept {
    fn default() -> Kept {
        Kept {
            painter: Painter::new(),
            fine: Fourier::new(SIDE),
            coarse: Fourier::new(SIDE / 2),
            palettes: Mutex::default(),
            kinds: Mutex::default(),
            looks: Cache::new(MOST_LOOKS),
        }
    }
}

/// A kind of board and how it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct LookKey {
    game: &'static str,
    size: &'static str,
    theme: &'static str,
    style: Style,
    side: Seat,
}

/// A board that may be in the picture.
#[derive(Clone)]
struct Found {
    key: LookKey,
    look: Arc<Look>,
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
        let mut found: Vec<Found> = Vec::new();
        for (palette, fit) in likely(&palettes, image) {
            found.extend(self.search(&picture, palette, fit.area));
        }
        let size = (image.width() as f32, image.height() as f32);
        let found = best(found, &picture, size).ok_or(ReadError::NoBoard)?;
        let found = self.in_its_style(found, &picture);
        let decision = self.decide(&found, &picture).ok_or(ReadError::NoBoard)?;
        if decision.misfit() > MOST_MISFIT || !found.look.is_inside(&decision.place.projection, size, 0.2) {
            return Err(ReadError::NoBoard);
        }
        let unclear = decision.cells.iter().filter(|cell| !cell.is_clear());
        let unclear = unclear.map(|cell| cell.cell).collect();
        Ok(Reading { play: decision.play, theme: found.look.theme.name, unclear })
    }

    /// What a cell of the game with this key may hold, the empty cell first; nothing if pictures of the game aren't read.
    #[must_use]
    pub fn contents(&self, game: &str) -> Vec<Content> {
        let known = GAMES.iter().find(|(key, _)| *key == game);
        let kind = known.and_then(|(game, sizes)| self.kind(game, sizes.first()?));
        kind.map(|kind| kind.all_contents()).unwrap_or_default()
    }

    /// The places of a theme's boards in a part of the picture.
    fn search(&self, picture: &Pyramid, palette: &Palette, area: Area) -> Vec<Found> {
        let cut = picture.full().planes[0].cut(area);
        let (fine, by_fine) = shrunk(&cut, SHRUNK);
        let (coarse, by) = shrunk(&cut, SHRUNK / 2);
        let repetition = Repetition::of(&fine, &self.kept.fine);
        let search = Search::new(&coarse, &self.kept.coarse);
        let mut all = Vec::new();
        // The cells of all boards of a game are arranged alike, so their lattices are looked for once.
        let mut found: Option<Vec<Lattice>> = None;
        for key in self.keys(palette) {
            let Some(look) = self.look(key, palette.theme) else { continue };
            let own = look.lattice;
            let found =
                found.get_or_insert_with(|| repetition.lattices(own.arrangement, own.angle, MOST_LATTICES));
            for lattice in found.iter().filter(|it| it.score > found[0].score * 0.5) {
                let scale = lattice.pitch / by_fine * by / own.pitch;
                for place in search.best(&look, scale, lattice.angle - own.angle, MOST_LATTICES) {
                    let projection =
                        place.projection.enlarged(1.0 / by).moved(area.left as f32, area.top as f32);
                    all.push(Found { key, look: look.clone(), place: Place { projection, ..place } });
                }
            }
        }
        all
    }

    /// The kinds of boards that a theme is for.
    fn keys(&self, palette: &Palette) -> Vec<LookKey> {
        let mut keys = Vec::new();
        for (game, sizes) in GAMES.iter().filter(|(game, _)| *game == palette.game.info().key) {
            for size in *sizes {
                let Some(kind) = self.kind(game, size) else { continue };
                for style in kind.styles.iter().copied() {
                    let key = |side| LookKey { game, size, theme: palette.theme.name, style, side };
                    keys.extend(kind.sides().iter().map(|side| key(*side)));
                }
            }
        }
        keys
    }

    /// The style whose surroundings of the cells are those in the picture.
    fn in_its_style(&self, found: Found, picture: &Pyramid) -> Found {
        let Some(kind) = self.kind(found.key.game, found.key.size) else { return found };
        let mut best = found.clone();
        for style in kind.styles.iter().copied().filter(|style| *style != found.key.style) {
            let key = LookKey { style, ..found.key };
            let Some(look) = self.look(key, found.look.theme) else { continue };
            let projection = look.over(&found.look, &found.place.projection);
            let place = Place { projection, misfit: look.colour_misfit(picture, &projection) };
            if place.misfit < best.place.misfit {
                best = Found { key, look, place };
            }
        }
        best
    }

    /// Reads the board as each side sees it, if the cells have the same places. `None` if neither explains the picture better
    /// than the other.
    fn decide(&self, found: &Found, picture: &Pyramid) -> Option<Decision> {
        let painter = &self.kept.painter;
        let kind = self.kind(found.key.game, found.key.size)?;
        if kind.sides().len() > 1 {
            return decide(&kind, &found.look, picture, &found.place, painter);
        }
        let turned = self.look(LookKey { side: Seat::SECOND, ..found.key }, found.look.theme)?;
        let decisions =
            [&found.look, &turned].map(|look| decide(&kind, look, picture, &found.place, painter));
        match decisions {
            [Some(first), Some(second)] => {
                let [here, there] = [(&first, &found.look), (&second, &turned)]
                    .map(|(decision, look)| look.drawn(decision.play.as_ref(), painter).blurred(1));
                let preference = whole_preference(&first.flat, &here, &there);
                // The same board turned has its cells elsewhere, so that one of both is misread or they differ in their
                // letters and numbers alone.
                match preference {
                    ORIENTED.. => Some(first),
                    _ if preference <= -ORIENTED => Some(second),
                    _ => None,
                }
            }
            [first, second] => first.or(second),
        }
    }

    fn palettes(&self) -> Arc<Vec<Palette>> {
        let mut kept = self.kept.palettes.lock().unwrap_or_else(PoisonError::into_inner);
        let made = kept.get_or_insert_with(|| {
            let games = GAMES.iter().filter_map(|(key, _)| rookery_games::named(key));
            let themes = games.flat_map(|game| game.themes().iter().map(move |theme| (game, *theme)));
            Arc::new(
                themes.filter_map(|(game, theme)| Palette::new(game, theme, &self.kept.painter)).collect(),
            )
        });
        made.clone()
    }

    fn kind(&self, game: &'static str, size: &'static str) -> Option<Arc<Kind>> {
        let mut kinds = self.kept.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.entry((game, size)).or_insert_with(|| made(rookery_games::named(game)?, size)).clone()
    }

    fn look(&self, key: LookKey, theme: &'static Theme) -> Option<Arc<Look>> {
        if let Some(look) = self.kept.looks.get(&key) {
            return Some(look);
        }
        let kind = self.kind(key.game, key.size)?;
        let options = DrawOptions {
            theme: theme.name.to_owned(),
            style: key.style,
            ..DrawOptions::from_seat(key.side)
        };
        let look = Arc::new(Look::new(&kind, theme, options, &self.kept.painter)?);
        self.kept.looks.insert(key, look.clone());
        Some(look)
    }
}

fn made(game: &'static dyn Game, size: &str) -> Option<Arc<Kind>> {
    let setup = Setup::new(2);
    let setup = if size.is_empty() { setup } else { setup.with("size", size) };
    Kind::new(game, &setup).map(Arc::new)
}

/// The themes that explain a part of the picture best, the best first.
fn likely<'a>(palettes: &'a [Palette], image: &RgbImage) -> Vec<(&'a Palette, Fit)> {
    let points = Points::of(image);
    let fits = palettes.iter().filter_map(|palette| Some((palette, palette.fit(&points)?)));
    let mut fits: Vec<_> = fits.collect();
    fits.sort_by(|a, b| b.1.rank().total_cmp(&a.1.rank()));
    let best = fits.first().map_or(0.0, |(_, fit)| fit.rank());
    fits.retain(|(_, fit)| fit.rank() > best * LEAST_RANK);
    fits.truncate(MOST_THEMES);
    fits
}

/// The board that fits best once its place is exact.
fn best(mut found: Vec<Found>, picture: &Pyramid, size: (f32, f32)) -> Option<Found> {
    found.retain(|found| found.look.is_inside(&found.place.projection, size, 0.7));
    found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
    found.truncate(MOST_PLACES);
    let near = Alignment { freedom: Freedom::Similar, blur: 3, step: 6, most: 14 };
    let exact = Alignment { freedom: Freedom::Affine, blur: 1, step: 4, most: 40 };
    for how in [near, exact] {
        for Found { look, place, .. } in &mut found {
            *place = aligned(place.projection, picture, &look.mean, Some(&look.weights), how);
            place.misfit = look.colour_misfit(picture, &place.projection);
        }
        found.sort_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit));
        found.truncate(MOST_EXACT);
    }
    found.retain(|found| found.look.is_inside(&found.place.projection, size, 0.3));
    found.into_iter().min_by(|a, b| a.place.misfit.total_cmp(&b.place.misfit))
}

/// The plane with its longer side at most this long, and by how much it was shrunk.
fn shrunk(plane: &Plane, most: usize) -> (Plane, f32) {
    let longest = plane.width.max(plane.height);
    let by = (most as f32 / longest as f32).min(1.0);
    let size = |n: usize| ((n as f32 * by).round() as usize).max(1);
    (plane.resized(size(plane.width), size(plane.height)), by)
}
