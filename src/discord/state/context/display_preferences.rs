//! The context in the language and with the preferences of a person, a table or a server.

use crate::discord::state::context::Context;
use crate::discord::state::display_preferences::DisplayPreferences;
use crate::discord::wire::interaction::{Interaction, InteractionChannel};
use crate::discord::wire::snowflake::GuildOrChannel;
use rookery_table::preferences::PersonalPreferences;
use rookery_table::{ChannelId, GuildId, Table, UserId};
use std::sync::Arc;

impl Context {
    /// Returns the context for the author of an interaction: in their language, with their preferences.
    pub async fn for_asker(&self, interaction: &Interaction) -> Context {
        self.store_locale(interaction);
        self.for_one(
            interaction.who,
            interaction.place.guild,
            interaction.place.channel,
            interaction.locale.as_deref(),
        )
        .await
    }

    /// Returns the context for the author of a message. Discord sends no language with messages.
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

    /// Returns the context for messages to everyone at a table: with the server's language and theme, or with
    /// the preferences of the only human player if the bot holds all other seats.
    pub async fn for_table(&self, table: &Table) -> Context {
        let (terms, preferences_cache) = (table.terms(), self.registry.preferences_cache());
        let server = preferences_cache.server(terms.guild).await;
        let alone = table.only_person();
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

    /// Returns the context for an answer to one person that everyone at a table can see: in that person's language, with
    /// the looks that everyone shares.
    pub async fn seen_by_all(&self, table: &Table) -> Context {
        let display = self.for_table(table).await.display;
        self.with(self.words, display)
    }

    /// Returns the context for messages to everyone on a server.
    pub async fn for_server(&self, guild: GuildId) -> Context {
        let server = self.registry.preferences_cache().server(Some(guild)).await;
        let here = self.locales.of(GuildOrChannel::Guild(guild));
        let words = self.languages.best([server.language.as_deref(), here.as_deref()]);
        self.with(
            words,
            DisplayPreferences::of(&PersonalPreferences::default(), &server, &self.settings.theme),
        )
    }

    /// Returns whether the player to move wants the board as text as well.
    async fn mover_reads(&self, table: &Table) -> bool {
        let mover = table.to_move().and_then(|seat| table.occupant(seat)).and_then(|it| it.person());
        match mover {
            Some(who) => self.registry.preferences_cache().person(who).await.text_board,
            None => false,
        }
    }

    fn store_locale(&self, interaction: &Interaction) {
        let InteractionChannel { guild, channel, .. } = interaction.place;
        let locale = if guild.is_some() { &interaction.guild_locale } else { &interaction.locale };
        if let Some(locale) = locale {
            // Where the bot is not a member of the server, the language is stored by channel.
            let known_by = GuildOrChannel::new(guild.filter(|_| interaction.place.ours), channel);
            self.locales.insert(known_by, locale);
        }
    }
}
