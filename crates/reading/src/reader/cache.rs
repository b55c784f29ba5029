//! What a reader keeps between pictures: the kinds of boards, and how they are drawn.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use quick_cache::sync::Cache;
use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Style};
use rookery_render::Painter;
use rookery_transforms::Fourier;

use super::outlines::{Drawing, drawings};
use crate::figures::Sprites;
use crate::kind::{BOARDS, Kind};
use crate::look::Look;
use crate::mean::Mean;
use crate::palette::Palette;

/// The side of the transform that finds the size of cells.
const SIDE: usize = 512;
/// The most means and looks that are kept. A mean takes about a quarter of a megabyte, a look half a megabyte, and one with figures
/// one and a half. There are fewer than 300 means.
const MAX_MEANS: usize = 320;
const MAX_LOOKS: usize = 48;
/// The most lists of drawings that are kept: all, for two sides and three choices of styles.
const MAX_DRAWINGS: usize = BOARDS.len() * 6;

/// Themes whose brightness correlates at least this much are looked for as one.
const RESEMBLING: f32 = 0.85;

/// Drawings and kinds of boards that are kept between pictures.
pub(super) struct ReaderCache {
    pub(super) painter: Painter,
    pub(super) fine: Fourier,
    pub(super) coarse: Fourier,
    palettes: Mutex<Option<Arc<Vec<Palette>>>>,
    kinds: [OnceLock<Option<Kind>>; BOARDS.len()],
    distinct: [OnceLock<Vec<&'static str>>; BOARDS.len()],
    means: Cache<LookKey, Arc<Mean>>,
    looks: Cache<LookKey, Arc<Look>>,
    sprites: Cache<LookKey, Arc<Sprites>>,
    drawings: Cache<DrawingsKey, Arc<Vec<Drawing>>>,
}

impl Default for ReaderCache {
    fn default() -> ReaderCache {
        ReaderCache {
            painter: Painter::new(),
            fine: Fourier::new(SIDE),
            coarse: Fourier::new(SIDE / 2),
            palettes: Mutex::default(),
            kinds: Default::default(),
            distinct: Default::default(),
            means: Cache::new(MAX_MEANS),
            looks: Cache::new(MAX_LOOKS),
            sprites: Cache::new(MAX_LOOKS),
            drawings: Cache::new(MAX_DRAWINGS),
        }
    }
}

impl ReaderCache {
    pub(super) fn palettes(&self) -> Arc<Vec<Palette>> {
        let mut kept = self.palettes.lock().unwrap_or_else(PoisonError::into_inner);
        let made = kept.get_or_insert_with(|| {
            let mut keys: Vec<&str> = BOARDS.iter().map(|board| board.game).collect();
            keys.dedup();
            let games = keys.into_iter().filter_map(rookery_games::named);
            let themes = games.flat_map(|game| game.themes().iter().map(move |theme| (game, *theme)));
            Arc::new(themes.filter_map(|(game, theme)| Palette::new(game, theme, &self.painter)).collect())
        });
        made.clone()
    }

    pub(super) fn kind(&self, board: usize) -> Option<&Kind> {
        self.kinds[board].get_or_init(|| Kind::new(&BOARDS[board])).as_ref()
    }

    pub(super) fn mean(&self, key: LookKey) -> Option<Arc<Mean>> {
        if let Some(mean) = self.means.get(&key) {
            return Some(mean);
        }
        let kind = self.kind(key.board)?;
        let mean = Arc::new(Mean::new(kind, &key.options(), &self.painter)?);
        self.means.insert(key, mean.clone());
        Some(mean)
    }

    /// Themes of a kind of board that have light and shade at different places. All other themes resemble one of these.
    pub(super) fn distinct_in_brightness(&self, board: usize) -> &[&'static str] {
        if let Some(known) = self.distinct[board].get() {
            return known;
        }
        // Not within `get_or_init`: a thread that draws means may meanwhile take on work that needs this.
        let mut distinct: Vec<(&'static str, Arc<Mean>)> = Vec::new();
        for theme in self.kind(board).into_iter().flat_map(|kind| kind.game.themes()) {
            let (style, side) = (Style::Full, Seat::FIRST);
            let key = LookKey { board, theme: theme.name, style, patterns: false, side };
            let Some(mean) = self.mean(key) else { continue };
            if distinct.iter().all(|(_, other)| mean.resemblance(other) < RESEMBLING) {
                distinct.push((theme.name, mean));
            }
        }
        self.distinct[board].get_or_init(|| distinct.into_iter().map(|(name, _)| name).collect())
    }

    pub(super) fn look(&self, key: LookKey) -> Option<Arc<Look>> {
        if let Some(look) = self.looks.get(&key) {
            return Some(look);
        }
        let kind = self.kind(key.board)?;
        let look = Arc::new(Look::new(kind, key.options(), &self.painter)?);
        self.looks.insert(key, look.clone());
        Some(look)
    }

    /// The drawings of a kind of board in some styles. They are the same in all themes.
    pub(super) fn drawings(&self, key: LookKey, styles: &'static [Style]) -> Arc<Vec<Drawing>> {
        let known = DrawingsKey { board: key.board, side: key.side, styles };
        if let Some(drawings) = self.drawings.get(&known) {
            return drawings;
        }
        let made = self.kind(key.board).map(|kind| drawings(&key, kind, styles));
        let made = Arc::new(made.unwrap_or_default());
        self.drawings.insert(known, made.clone());
        made
    }

    /// The sprites of a look, which are drawn when they are first needed.
    pub(super) fn sprites(&self, key: LookKey) -> Arc<Sprites> {
        if let Some(sprites) = self.sprites.get(&key) {
            return sprites;
        }
        let sprites = Arc::new(Sprites::default());
        self.sprites.insert(key, sprites.clone());
        sprites
    }
}

/// The drawings of a kind of board in some styles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DrawingsKey {
    board: usize,
    side: Seat,
    styles: &'static [Style],
}

/// A kind of board and how it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LookKey {
    /// The number of the kind of board.
    pub(super) board: usize,
    pub(super) theme: &'static str,
    pub(super) style: Style,
    pub(super) patterns: bool,
    pub(super) side: Seat,
}

impl LookKey {
    pub(super) fn game(&self) -> &'static str {
        BOARDS[self.board].game
    }

    pub(super) fn options(&self) -> DrawOptions {
        let LookKey { theme, style, patterns, side, .. } = *self;
        DrawOptions { theme: theme.to_owned(), style, patterns, ..DrawOptions::from_seat(side) }
    }
}
