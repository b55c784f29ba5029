//! A server's settings for its managers, on several pages.

use rookery_core::player::Level;
use rookery_i18n::{Localizer, clip};
use rookery_table::preferences::ServerPreferences;
use rookery_table::thinking_limits::ThinkingLimits;
use rookery_table::{ChannelId, GuildId};

use super::panel::{NONE, Panel, chosen, language_select, not_kept, theme, themes};
use super::permission_check::check;
use super::welcome_page::{self, WELCOME};
use crate::discord::actions::lobby_message;
use crate::discord::policy::bans;
use crate::discord::policy::server_managers::refusal_to_others;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::limits::{MAX_CHOICES, MAX_PLACEHOLDER_CHARS};
use crate::discord::wire::outgoing_message::{Component, OutgoingMessage};
use crate::discord::wire::setting_id::SettingsPanel;

/// The offered clocks by their keys, beginning with none.
const CLOCKS: [&str; 6] = ["none", "live", "fast", "daily", "weekly", "golem"];
/// The offered limits on games against the bot.
const GAMES: [u16; 8] = [0, 5, 10, 20, 50, 100, 200, 1_000];
/// The offered limits on games of the bot against itself.
const SHOW_LIMITS: [u16; 6] = [0, 1, 2, 3, 5, 10];

/// The key of the page for the welcome message.
const WELCOME_PAGE: &str = "welcome-page";

/// The key of the setting for public pages.
const PAGES: &str = "pages";

/// The key of the setting for boards that show the last move in motion.
const MOTION: &str = "motion";

/// A page of a server's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerPage {
    /// Where games are played, how they look, and their language.
    Places,
    /// Which games are allowed.
    Games,
    /// Where reports are posted, and who is banned.
    Safety,
    /// The channel of the welcome message.
    Welcome,
}

impl ServerPage {
    /// Builds the page with a server's current settings.
    pub async fn show(self, ctx: &Context, guild: GuildId) -> OutgoingMessage {
        let server = ctx.registry.preferences_cache().server(Some(guild)).await;
        match self {
            ServerPage::Places => places(ctx, &server),
            ServerPage::Games => games(ctx, &server, pages(ctx, guild).await),
            ServerPage::Safety => safety(ctx, guild, &server).await,
            ServerPage::Welcome => welcome_page::page(ctx, &server),
        }
    }

    /// Returns the page of a setting.
    fn of(what: &str) -> ServerPage {
        match what {
            "games" | "clock" | "strongest" | "ai-games" | "ai-shows" | "rated" | MOTION => ServerPage::Games,
            "safety" | "reports" => ServerPage::Safety,
            WELCOME_PAGE => ServerPage::Welcome,
            _ => ServerPage::Places,
        }
    }
}

async fn safety(ctx: &Context, guild: GuildId, it: &ServerPreferences) -> OutgoingMessage {
    let (words, panel) = (ctx.words, Panel { words: ctx.words, panel: SettingsPanel::Server });
    let reports = it.reports.into_iter().collect::<Vec<_>>();
    let about = if it.reports.is_some() { "config-safety-reports" } else { "config-safety-unset" };
    let lines = [
        words.word("config-safety"),
        words.word(about),
        words.say("config-safety-bans", &[("people", bans::list_banned(ctx, guild).await.into())]),
        words.word("config-safety-how"),
    ];
    OutgoingMessage::text(lines.join("\n"))
        .row([picker(&panel, "reports", &reports, (1, "value-none"))])
        .row([panel.page("places"), panel.page("games")])
}

fn places(ctx: &Context, it: &ServerPreferences) -> OutgoingMessage {
    let (words, panel) = (ctx.words, Panel { words: ctx.words, panel: SettingsPanel::Server });
    let own_theme = theme(words, it.theme.as_deref());
    let lobby = it.lobby.into_iter().collect::<Vec<_>>();
    // The selects and buttons show the values.
    let post = OutgoingMessage::text(words.word("config-places"))
        .row([picker(&panel, "channels", &it.channels, (MAX_CHOICES, "value-everywhere"))])
        .row([picker(&panel, "lobby", &lobby, (1, "value-none"))])
        .row(panel.select("theme", &own_theme, themes(words)));
    let language = language_select(ctx, &panel, it.language.as_deref(), "value-server");
    language.into_iter().fold(post, OutgoingMessage::row).row([
        panel.switch("threads", it.threads),
        panel.page("games"),
        panel.page("safety"),
        panel.page(WELCOME_PAGE),
        panel.page("check"),
    ])
}

/// Builds a select of up to `most` channels; without any its placeholder says what that means, by the key `none`.
fn picker(panel: &Panel<'_>, what: &str, now: &[ChannelId], (most, none): (usize, &str)) -> Component {
    let placeholder = clip(&panel.line(what, &panel.words.word(none)), MAX_PLACEHOLDER_CHARS);
    Component::Channels { id: panel.id(what), placeholder, chosen: now.to_vec(), most }
}

/// Returns the line with the link to the server's list of games, if its games have public pages.
async fn pages(ctx: &Context, guild: GuildId) -> Option<String> {
    ctx.settings.web.as_ref()?;
    let link = ctx.registry.server_link(guild).await;
    let link = link.inspect_err(|error| tracing::warn!(%error, "could not get a server's link")).ok()??;
    let address = ctx.view().page_address(&link)?;
    Some(ctx.words.say("config-pages", &[("address", address.into())]))
}

fn games(ctx: &Context, it: &ServerPreferences, pages: Option<String>) -> OutgoingMessage {
    let (words, bounds) = (ctx.words, ctx.registry.bounds());
    let panel = Panel { words, panel: SettingsPanel::Server };
    let clock = clock_name(words, it.clock.as_deref().unwrap_or(CLOCKS[0]));
    let strongest = strongest(words, it);
    let (games, shows) = (it.ai.games.to_string(), it.ai.shows.to_string());
    let has_pages = ctx.settings.web.is_some();
    let mut lines = vec![words.word("config-games")];
    lines.extend(pages);
    lines.push(thinking(words, bounds));
    let clocks = CLOCKS.map(|key| (key.to_owned(), clock_name(words, key))).to_vec();
    let levels = Level::ALL.into_iter().map(|level| (level.key().to_owned(), words.level(level)));
    let levels = std::iter::once((NONE.to_owned(), words.word("value-any"))).chain(levels).collect();
    let switches = [panel.switch("rated", it.rated), panel.switch(MOTION, it.motion)].into_iter();
    let switches = switches.chain(has_pages.then(|| panel.switch(PAGES, it.public_pages)));
    let numbers = |all: &[u16]| all.iter().map(|n| (n.to_string(), n.to_string())).collect();
    OutgoingMessage::text(lines.join("\n"))
        .row(panel.select("clock", &clock, clocks))
        .row(panel.select("strongest", &strongest, levels))
        .row(panel.select("ai-games", &games, numbers(&GAMES)))
        .row(panel.select("ai-shows", &shows, numbers(&SHOW_LIMITS)))
        .row(switches.chain([panel.page("places"), panel.page("safety")]))
}

/// Describes the operator's limits on the bot's thinking time for this server.
fn thinking(words: &Localizer, bounds: ThinkingLimits) -> String {
    let minutes = bounds.hourly.as_secs() / 60;
    words.say("config-thinking", &[("tables", bounds.tables.into()), ("minutes", minutes.into())])
}

fn clock_name(words: &Localizer, key: &str) -> String {
    words.word(&format!("config-clock-{key}"))
}

fn strongest(words: &Localizer, it: &ServerPreferences) -> String {
    let level = it.ai.strongest.as_deref().and_then(Level::named);
    level.map_or_else(|| words.word("value-any"), |level| words.level(level))
}

/// Changes a setting and shows its page.
pub(super) async fn set(
    ctx: &Context,
    interaction: &Interaction,
    what: &str,
    values: &[String],
) -> OutgoingMessage {
    if let Some(refused) = refusal_to_others(ctx, interaction) {
        return refused;
    }
    let Some(guild) = interaction.place.guild else {
        return OutgoingMessage::text(ctx.words.word("config-no-server"));
    };
    match what {
        "check" => return check(ctx, interaction).await,
        PAGES => return set_pages(ctx, guild, values).await,
        WELCOME => {
            let channel = values.first().and_then(|channel| channel.parse().ok());
            return welcome_page::choose(ctx, guild, channel).await;
        }
        _ => {}
    }
    let page = ServerPage::of(what);
    let (mut known, mut before) = (true, None);
    let change = |it: &mut ServerPreferences| {
        before = it.lobby;
        known = put(it, what, values);
    };
    let kept = ctx.registry.preferences_cache().change_server(guild, change).await;
    if what == "lobby" {
        // The old message is deleted; the lobby is posted anew in the new channel.
        let after = values.first().and_then(|channel| channel.parse().ok());
        for channel in [before, after.filter(|_| after != before)].into_iter().flatten() {
            lobby_message::take_down(ctx, guild, channel).await;
        }
    }
    if ["theme", "language"].contains(&what) {
        // The welcome message shows both.
        ctx.welcomes.add(guild);
    }
    match kept {
        _ if !known => OutgoingMessage::text(ctx.words.word("old-button")),
        Err(error) => not_kept(ctx.words, &error),
        Ok(_) => page.show(ctx, guild).await,
    }
}

/// Switches public pages on or off, which creates or withdraws their link.
async fn set_pages(ctx: &Context, guild: GuildId, values: &[String]) -> OutgoingMessage {
    let on = values.first().is_some_and(|value| value == "on");
    match ctx.registry.set_public_pages(guild, on).await {
        Ok(()) => ServerPage::Games.show(ctx, guild).await,
        Err(error) => not_kept(ctx.words, &error),
    }
}

/// Changes a setting; returns whether it exists.
fn put(it: &mut ServerPreferences, what: &str, values: &[String]) -> bool {
    let value = values.first().map_or(NONE, String::as_str);
    match what {
        "places" | "games" | "safety" | WELCOME_PAGE => {}
        "reports" => it.reports = value.parse().ok(),
        "channels" => it.channels = values.iter().filter_map(|id| id.parse().ok()).collect(),
        "lobby" => it.lobby = value.parse().ok(),
        "theme" => it.theme = chosen(value),
        "language" => it.language = chosen(value),
        "threads" => it.threads = value == "on",
        "rated" => it.rated = value == "on",
        MOTION => it.motion = value == "on",
        "clock" => {
            it.clock = (value != CLOCKS[0]).then(|| value.to_owned()).filter(|_| CLOCKS.contains(&value))
        }
        "strongest" => it.ai.strongest = chosen(value).filter(|key| Level::named(key).is_some()),
        "ai-games" => it.ai.games = small(value, it.ai.games),
        "ai-shows" => it.ai.shows = small(value, it.ai.shows),
        _ => return false,
    }
    true
}

fn small(value: &str, now: u16) -> u16 {
    value.parse().unwrap_or(now)
}
