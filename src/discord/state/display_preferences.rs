//! For whom something is said: in which language, and how boards look to them.

use crate::discord::wire::snowflake::GuildOrChannel;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Style};
use rookery_table::preferences::{Orientation, PersonalPreferences, ServerPreferences};
use rookery_table::{ChannelId, GuildId, Table, UserId};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Interaction, InteractionChannel};

/// For how many places the language of their clients is remembered.
const CACHE_CAPACITY: usize = 20_000;

/// How boards look to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayPreferences {
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

impl DisplayPreferences {
    /// The preferences of a person who chose none.
    pub fn usual(theme: &str) -> DisplayPreferences {
        let (theme, orientation) = (theme.to_owned(), Orientation::Own);
        DisplayPreferences { theme, style: Style::Full, patterns: false, text_board: false, orientation }
    }

    /// How a board is drawn with these preferences, seen from a seat.
    pub fn look(&self, side: Seat) -> DrawOptions {
        let (theme, style, patterns) = (self.theme.clone(), self.style, self.patterns);
        DrawOptions { theme, style, patterns, ..DrawOptions::from_seat(side) }
    }

    fn of(personal: &PersonalPreferences, server: &ServerPreferences, usual: &str) -> DisplayPreferences {
        let theme = personal.theme.as_deref().or(server.theme.as_deref()).unwrap_or(usual);
        DisplayPreferences {
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
pub struct LocaleCache(Arc<Mutex<HashMap<GuildOrChannel, String>>>);

impl LocaleCache {
    /// Remembers the language of a server, or of a direct message.
    pub fn learn(&self, place: GuildOrChannel, locale: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CACHE_CAPACITY {
            known.clear();
        }
        if known.get(&place).is_none_or(|old| old != locale) {
            known.insert(place, locale.to_owned());
        }
    }

    fn of(&self, place: GuildOrChannel) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned()
    }
}

impl Context {
    /// The context for the author of an interaction: in their language, with their preferences.
    pub async fn for_asker(&self, interaction: &Interaction) -> Context {
        self.learn(interaction);
        self.for_one(
            interaction.who,
            interaction.place.guild,
            interaction.place.channel,
            interaction.locale.as_deref(),
        )
        .await
    }

    /// The context for the author of a message. Discord doesn't send their language with it.
    pub async fn for_writer(&self, who: UserId, guild: Option<GuildId>, channel: ChannelId) -> Context {
        self.for_one(who, guild, channel, None).await
    }

    async fn for_one(
        &self,
        who: UserId,
        guild: Option<GuildId>,
        channel: ChannelId,
        client: Option<&str>,
    ) -> Context {
        let preferences_cache = self.registry.preferences_cache();
        let (personal, server) = (preferences_cache.person(who).await, preferences_cache.server(guild).await);
        let here = self.locales.of(GuildOrChannel::new(guild, channel));
        let wishes = [personal.language.as_deref(), client, server.language.as_deref(), here.as_deref()];
        let words = self.languages.best(wishes);
        let mut ctx = self.with(words, DisplayPreferences::of(&personal, &server, &self.settings.theme));
        ctx.settings.confirm &= personal.confirm;
        ctx
    }

    /// The context for everybody at a table: the server's language and theme; or the preferences of the only
    /// person who
    /// plays, if all others are the program.
    pub async fn for_table(&self, table: &Table) -> Context {
        let (terms, preferences_cache) = (table.terms(), self.registry.preferences_cache());
        let server = preferences_cache.server(terms.guild).await;
        let alone = only_person(table);
        let personal = match alone {
            Some(who) => preferences_cache.person(who).await,
            None => Arc::default(),
        };
        let own = personal.language.as_deref().filter(|_| terms.guild.is_none());
        let here = self.locales.of(GuildOrChannel::new(terms.guild, terms.channel));
        let words = self.languages.best([own, server.language.as_deref(), here.as_deref()]);
        let mut display = DisplayPreferences::of(&personal, &server, &self.settings.theme);
        if alone.is_none() {
            display.text_board = self.mover_reads(table).await;
        }
        self.with(words, display)
    }

    /// The context for everybody on a server.
    pub async fn for_server(&self, guild: GuildId) -> Context {
        let server = self.registry.preferences_cache().server(Some(guild)).await;
        let here = self.locales.of(GuildOrChannel::Guild(guild));
        let words = self.languages.best([server.language.as_deref(), here.as_deref()]);
        self.with(
            words,
            DisplayPreferences::of(&PersonalPreferences::default(), &server, &self.settings.theme),
        )
    }

    /// Whether the person to move wants the board as text as well.
    async fn mover_reads(&self, table: &Table) -> bool {
        let mover = table.to_move().and_then(|seat| table.occupant(seat)).and_then(|it| it.person());
        match mover {
            Some(who) => self.registry.preferences_cache().person(who).await.text_board,
            None => false,
        }
    }

    fn learn(&self, interaction: &Interaction) {
        let InteractionChannel { guild, channel, .. } = interaction.place;
        let locale = if guild.is_some() { &interaction.guild_locale } else { &interaction.locale };
        if let Some(locale) = locale {
            // Games in a place that we are no member of are known by its channel.
            let known_by = GuildOrChannel::new(guild.filter(|_| interaction.place.ours), channel);
            self.locales.learn(known_by, locale);
        }
    }
}

/// The person who plays, if all other seats are the program's or theirs as well. A team is not one person.
fn only_person(table: &Table) -> Option<UserId> {
    if table.terms().has_teams() {
        return None;
    }
    let mut people = table.chairs().iter().filter_map(|chair| chair.person());
    let first = people.next()?;
    people.all(|who| who == first).then_some(first)
}

/// The seat at the bottom of a board that everybody sees: that of the one person, or team, who plays, if
/// they like to look from their own side.
pub fn public_side(table: &Table, display: &DisplayPreferences) -> Seat {
    let held = |seat: &Seat| table.occupant(*seat).and_then(|occupant| occupant.person()).is_some();
    let mut seats = Seat::all(table.chairs().len()).filter(held);
    // Who holds several seats would see the board turn under them.
    match (seats.next(), seats.next()) {
        (Some(only), None) if display.orientation == Orientation::Own => only,
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
