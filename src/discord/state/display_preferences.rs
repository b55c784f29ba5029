//! The display preferences of a recipient, and the languages of clients.

use crate::discord::wire::snowflake::GuildOrChannel;
use std::sync::Arc;

use quick_cache::sync::Cache;
use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Style};
use rookery_table::Table;
use rookery_table::preferences::{Orientation, PersonalPreferences, ServerPreferences};

/// The most cached languages of clients.
const CACHE_CAPACITY: usize = 20_000;

/// The preferences with which boards are drawn for a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayPreferences {
    /// The theme's key.
    pub theme: String,
    /// The amount of detail and the size.
    pub style: Style,
    /// Whether patterns distinguish the sides, in addition to colours.
    pub patterns: bool,
    /// Whether the board as text follows the picture.
    pub text_board: bool,
    /// The side at the bottom.
    pub orientation: Orientation,
    /// Whether posted boards show the last move in motion.
    pub motion: bool,
}

impl DisplayPreferences {
    /// Returns the preferences of a person who has chosen none.
    pub fn usual(theme: &str) -> DisplayPreferences {
        let (theme, orientation) = (theme.to_owned(), Orientation::Own);
        DisplayPreferences {
            theme,
            style: Style::Full,
            patterns: false,
            text_board: false,
            orientation,
            motion: false,
        }
    }

    /// Returns the drawing options for a board seen from this seat.
    pub fn look(&self, side: Seat) -> DrawOptions {
        let (theme, style, patterns) = (self.theme.clone(), self.style, self.patterns);
        DrawOptions { theme, style, patterns, ..DrawOptions::from_seat(side) }
    }

    /// Whether a table's board is turned to a player's own side: only if that is preferred, and in games with sides.
    pub fn turns_board(&self, table: &Table) -> bool {
        let has_sides = table.game().is_some_and(|game| game.info().has_home_sides());
        has_sides && self.orientation == Orientation::Own
    }

    pub(super) fn of(
        personal: &PersonalPreferences,
        server: &ServerPreferences,
        usual: &str,
    ) -> DisplayPreferences {
        let theme = personal.theme.as_deref().or(server.theme.as_deref()).unwrap_or(usual);
        DisplayPreferences {
            theme: theme.to_owned(),
            style: if personal.large_print { Style::Large } else { Style::Full },
            patterns: personal.patterns,
            text_board: personal.text_board,
            orientation: personal.orientation,
            motion: server.motion,
        }
    }
}

/// The languages of recently seen clients, by server, or by channel for direct messages.
#[derive(Clone)]
pub struct LocaleCache(Arc<Cache<GuildOrChannel, String>>);

impl Default for LocaleCache {
    fn default() -> LocaleCache {
        LocaleCache(Arc::new(Cache::new(CACHE_CAPACITY)))
    }
}

impl LocaleCache {
    /// Stores the language of a server or of a direct message.
    pub fn insert(&self, place: GuildOrChannel, locale: &str) {
        if self.of(place).is_none_or(|old| old != locale) {
            self.0.insert(place, locale.to_owned());
        }
    }

    pub(super) fn of(&self, place: GuildOrChannel) -> Option<String> {
        self.0.get(&place)
    }
}

/// Returns the seat at the bottom of a public board: that of the only person or team who plays, if the
/// preferred orientation is the player's own side; otherwise the first.
pub fn public_side(table: &Table, display: &DisplayPreferences) -> Seat {
    let held = |seat: &Seat| table.occupant(*seat).and_then(|occupant| occupant.person()).is_some();
    let mut seats = Seat::all(table.chairs().len()).filter(held);
    // The board would turn every ply if one person held several seats.
    match (seats.next(), seats.next()) {
        (Some(only), None) if display.turns_board(table) => only,
        _ => Seat::FIRST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_come_on_top_of_whatever_theme_somebody_chose() {
        let personal = PersonalPreferences {
            theme: Some("paper".into()),
            patterns: true,
            ..PersonalPreferences::default()
        };
        let look =
            DisplayPreferences::of(&personal, &ServerPreferences::default(), "walnut").look(Seat::SECOND);
        assert_eq!((look.theme.as_str(), look.patterns, look.side), ("paper", true, Seat::SECOND));
        assert!(!DisplayPreferences::usual("walnut").look(Seat::FIRST).patterns);
    }
}
