//! For whom something is said: in which language, and how boards look to them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Style};
use rookery_table::preferences::{Orientation, Personal, Server};
use rookery_table::{Person, Table};

use super::asked::{Asked, Place};
use super::desk::Desk;

/// For how many places the language of their clients is remembered.
const REMEMBERED: usize = 20_000;

/// How boards look to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taste {
    /// The theme's name.
    pub theme: String,
    /// How much is drawn, and how large.
    pub style: Style,
    /// Whether sides are told apart by patterns too.
    pub patterns: bool,
    /// Whether the board in plain characters stands under its picture.
    pub text_board: bool,
    /// Who sits at the bottom.
    pub orientation: Orientation,
}

impl Taste {
    /// The taste of somebody who has none of their own.
    pub fn usual(theme: &str) -> Taste {
        let (theme, orientation) = (theme.to_owned(), Orientation::Own);
        Taste { theme, style: Style::Full, patterns: false, text_board: false, orientation }
    }

    /// How a board is drawn for somebody of this taste, seen from a seat.
    pub fn look(&self, side: Seat) -> DrawOptions {
        let (theme, style, patterns) = (self.theme.clone(), self.style, self.patterns);
        DrawOptions { theme, style, patterns, ..DrawOptions::from_seat(side) }
    }

    fn of(personal: &Personal, server: &Server, usual: &str) -> Taste {
        let theme = personal.theme.as_deref().or(server.theme.as_deref()).unwrap_or(usual);
        Taste {
            theme: theme.to_owned(),
            style: if personal.large_print { Style::Large } else { Style::Full },
            patterns: personal.patterns,
            text_board: personal.text_board,
            orientation: personal.orientation,
        }
    }
}

/// The languages of the clients seen lately, by server; by channel for direct messages.
#[derive(Clone, Default)]
pub struct Tongues(Arc<Mutex<HashMap<u64, String>>>);

impl Tongues {
    /// Remembers the language of a server, or of a direct message.
    pub fn learn(&self, place: u64, locale: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        if known.get(&place).is_none_or(|old| old != locale) {
            known.insert(place, locale.to_owned());
        }
    }

    fn of(&self, place: u64) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned()
    }
}

impl Desk {
    /// The desk for whoever asks by command or button: in their language, to their taste.
    pub async fn for_asker(&self, asked: &Asked) -> Desk {
        self.learn(asked);
        self.for_one(asked.who, asked.place.guild, asked.place.channel, asked.locale.as_deref()).await
    }

    /// The desk for whoever writes a message, of which Discord does not tell the language.
    pub async fn for_writer(&self, who: Person, guild: Option<u64>, channel: u64) -> Desk {
        self.for_one(who, guild, channel, None).await
    }

    async fn for_one(&self, who: Person, guild: Option<u64>, channel: u64, client: Option<&str>) -> Desk {
        let drawer = self.hall.drawer();
        let (personal, server) = (drawer.person(who).await, drawer.server(guild).await);
        let here = self.tongues.of(guild.unwrap_or(channel));
        let wishes = [personal.language.as_deref(), client, server.language.as_deref(), here.as_deref()];
        let words = self.languages.best(wishes);
        let mut desk = self.with(words, Taste::of(&personal, &server, &self.settings.theme));
        desk.settings.confirm &= personal.confirm;
        desk
    }

    /// The desk for everybody at a table: the server's language and theme; but to the taste of the one
    /// person who plays, where everybody else is the program.
    pub async fn for_table(&self, table: &Table) -> Desk {
        let (terms, drawer) = (table.terms(), self.hall.drawer());
        let server = drawer.server(terms.guild).await;
        let alone = only_person(table);
        let personal = match alone {
            Some(who) => drawer.person(who).await,
            None => Arc::default(),
        };
        let own = personal.language.as_deref().filter(|_| terms.guild.is_none());
        let here = self.tongues.of(terms.guild.unwrap_or(terms.channel));
        let words = self.languages.best([own, server.language.as_deref(), here.as_deref()]);
        let mut taste = Taste::of(&personal, &server, &self.settings.theme);
        if alone.is_none() {
            taste.text_board = self.mover_reads(table).await;
        }
        self.with(words, taste)
    }

    /// The desk for everybody on a server.
    pub async fn for_server(&self, guild: u64) -> Desk {
        let server = self.hall.drawer().server(Some(guild)).await;
        let here = self.tongues.of(guild);
        let words = self.languages.best([server.language.as_deref(), here.as_deref()]);
        self.with(words, Taste::of(&Personal::default(), &server, &self.settings.theme))
    }

    /// Whether whoever is to move wants the board in plain characters as well.
    async fn mover_reads(&self, table: &Table) -> bool {
        let mover = table.to_move().and_then(|seat| table.occupant(seat)).and_then(|it| it.person());
        match mover {
            Some(who) => self.hall.drawer().person(who).await.text_board,
            None => false,
        }
    }

    fn learn(&self, asked: &Asked) {
        let Place { guild, channel, .. } = asked.place;
        let locale = if guild.is_some() { &asked.guild_locale } else { &asked.locale };
        if let Some(locale) = locale {
            // Games in a place that we are no member of are known by its channel.
            let known_by = guild.filter(|_| asked.place.ours).unwrap_or(channel);
            self.tongues.learn(known_by, locale);
        }
    }
}

/// The person who plays, if all other seats are the program's or theirs as well. A team is not one person.
fn only_person(table: &Table) -> Option<Person> {
    if table.terms().has_teams() {
        return None;
    }
    let mut people = table.chairs().iter().filter_map(|chair| chair.person());
    let first = people.next()?;
    people.all(|who| who == first).then_some(first)
}

/// The seat at the bottom of a board that everybody sees: that of the one person, or team, who plays, if
/// they like to look from their own side.
pub fn public_side(table: &Table, taste: &Taste) -> Seat {
    let held = |seat: &Seat| table.occupant(*seat).and_then(|occupant| occupant.person()).is_some();
    let mut seats = Seat::all(table.chairs().len()).filter(held);
    // Who holds several seats would see the board turn under them.
    match (seats.next(), seats.next()) {
        (Some(only), None) if taste.orientation == Orientation::Own => only,
        _ => Seat::FIRST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_come_on_top_of_whatever_theme_somebody_chose() {
        let personal = Personal { theme: Some("paper".into()), patterns: true, ..Personal::default() };
        let look = Taste::of(&personal, &Server::default(), "walnut").look(Seat::SECOND);
        assert_eq!((look.theme.as_str(), look.patterns, look.side), ("paper", true, Seat::SECOND));
        assert!(!Taste::usual("walnut").look(Seat::FIRST).patterns);
    }
}
