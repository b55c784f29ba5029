//! What those who manage a server set for it: a panel of two pages.

use crate::kit::player::Level;
use crate::table::patron::Bounds;
use crate::table::preferences::Server;
use crate::words::Words;

use super::super::asked::Asked;
use super::super::desk::Desk;
use super::super::limits::CHOICES_MOST;
use super::super::lobby;
use super::super::post::{Part, Post};
use super::{NONE, Panel, SERVER, chosen, language, languages, not_kept, on_or_off, theme, themes};

/// The clocks that are offered, by their keys; the first is none.
const CLOCKS: [&str; 6] = ["none", "live", "fast", "daily", "weekly", "golem"];
/// Numbers of games against the program that are offered.
const GAMES: [u16; 8] = [0, 5, 10, 20, 50, 100, 200, 1_000];
/// Numbers of games of the program against itself that are offered.
const SHOWS: [u16; 6] = [0, 1, 2, 3, 5, 10];

/// A page of a server's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ours {
    /// Where games are played, and how they look and speak.
    Places,
    /// What games there may be.
    Games,
}

impl Ours {
    /// The page as it is for a server.
    pub fn show(self, desk: &Desk, server: &Server) -> Post {
        match self {
            Ours::Places => places(desk, server),
            Ours::Games => games(desk.words, server, desk.hall.bounds()),
        }
    }
}

fn places(desk: &Desk, it: &Server) -> Post {
    let (words, panel) = (desk.words, Panel { words: desk.words, kind: SERVER });
    let own_theme = theme(words, it.theme.as_deref());
    let own_language = language(desk, it.language.as_deref(), "value-server");
    let lobby = it.lobby.into_iter().collect::<Vec<_>>();
    let lines = [
        words.word("config-places"),
        panel.line("channels", &channels(words, &it.channels, "value-everywhere")),
        panel.line("lobby", &channels(words, &lobby, "value-none")),
        panel.line("theme", &own_theme),
        panel.line("language", &own_language),
        panel.line("threads", &on_or_off(words, it.threads)),
    ];
    Post::text(lines.join("\n"))
        .row([picker(&panel, "channels", &it.channels, CHOICES_MOST)])
        .row([picker(&panel, "lobby", &lobby, 1)])
        .row(panel.select("theme", &own_theme, themes(words)))
        .row(panel.select("language", &own_language, languages(desk, "value-server")))
        .row([panel.switch("threads", it.threads), panel.page("games"), panel.page("check")])
}

fn picker(panel: &Panel<'_>, what: &str, now: &[u64], most: usize) -> Part {
    Part::Channels { id: panel.id(what), placeholder: panel.name(what), chosen: now.to_vec(), most }
}

fn channels(words: &Words, channels: &[u64], none: &str) -> String {
    if channels.is_empty() {
        return words.word(none);
    }
    channels.iter().map(|channel| format!("<#{channel}>")).collect::<Vec<_>>().join(", ")
}

fn games(words: &Words, it: &Server, bounds: Bounds) -> Post {
    let panel = Panel { words, kind: SERVER };
    let clock = clock_name(words, it.clock.as_deref().unwrap_or(CLOCKS[0]));
    let strongest = strongest(words, it);
    let (games, shows) = (it.ai.games.to_string(), it.ai.shows.to_string());
    let lines = [
        words.word("config-games"),
        panel.line("clock", &clock),
        panel.line("strongest", &strongest),
        panel.line("ai-games", &games),
        panel.line("ai-shows", &shows),
        panel.line("rated", &on_or_off(words, it.rated)),
        thinking(words, bounds),
    ];
    let clocks = CLOCKS.map(|key| (key.to_owned(), clock_name(words, key))).to_vec();
    let levels = Level::ALL.into_iter().map(|level| (level.key().to_owned(), words.level(level)));
    let levels = std::iter::once((NONE.to_owned(), words.word("value-any"))).chain(levels).collect();
    let numbers = |all: &[u16]| all.iter().map(|n| (n.to_string(), n.to_string())).collect();
    Post::text(lines.join("\n"))
        .row(panel.select("clock", &clock, clocks))
        .row(panel.select("strongest", &strongest, levels))
        .row(panel.select("ai-games", &games, numbers(&GAMES)))
        .row(panel.select("ai-shows", &shows, numbers(&SHOWS)))
        .row([panel.switch("rated", it.rated), panel.page("places")])
}

/// What whoever runs the program lets it think here; nobody else changes that.
fn thinking(words: &Words, bounds: Bounds) -> String {
    let minutes = bounds.hourly.as_secs() / 60;
    words.say("config-thinking", &[("tables", bounds.tables.into()), ("minutes", minutes.into())])
}

fn clock_name(words: &Words, key: &str) -> String {
    words.word(&format!("config-clock-{key}"))
}

fn strongest(words: &Words, it: &Server) -> String {
    let level = it.ai.strongest.as_deref().and_then(Level::named);
    level.map_or_else(|| words.word("value-any"), |level| words.level(level))
}

/// Sets one thing and shows the page that it is on.
pub(super) async fn set(desk: &Desk, asked: &Asked, what: &str, values: &[String]) -> Post {
    let Some(guild) = asked.place.guild else { return Post::text(desk.words.word("config-no-server")) };
    if !asked.manages {
        return Post::text(desk.words.word("config-not-yours"));
    }
    if what == "check" {
        return super::check(desk, asked).await;
    }
    let on_games = matches!(what, "games" | "clock" | "strongest" | "ai-games" | "ai-shows" | "rated");
    let page = if on_games { Ours::Games } else { Ours::Places };
    let (mut known, mut before) = (true, None);
    let change = |it: &mut Server| {
        before = it.lobby;
        known = put(it, what, values);
    };
    let kept = desk.hall.drawer().change_server(guild, change).await;
    if what == "lobby" {
        // Where it stood it goes; where it is to stand it is posted anew.
        let after = values.first().and_then(|channel| channel.parse().ok());
        for channel in [before, after.filter(|_| after != before)].into_iter().flatten() {
            lobby::take_down(desk, guild, channel).await;
        }
    }
    match kept {
        _ if !known => Post::text(desk.words.word("old-button")),
        Err(error) => not_kept(desk.words, &error),
        Ok(server) => page.show(desk, &server),
    }
}

/// Puts values where they belong; whether there is such a thing.
fn put(it: &mut Server, what: &str, values: &[String]) -> bool {
    let value = values.first().map_or(NONE, String::as_str);
    let number = value.parse().ok();
    match what {
        "places" | "games" => {}
        "channels" => it.channels = values.iter().filter_map(|id| id.parse().ok()).collect(),
        "lobby" => it.lobby = number,
        "theme" => it.theme = chosen(value),
        "language" => it.language = chosen(value),
        "threads" => it.threads = value == "on",
        "rated" => it.rated = value == "on",
        "clock" => {
            it.clock = (value != CLOCKS[0]).then(|| value.to_owned()).filter(|_| CLOCKS.contains(&value))
        }
        "strongest" => it.ai.strongest = chosen(value).filter(|key| Level::named(key).is_some()),
        "ai-games" => it.ai.games = small(number, it.ai.games),
        "ai-shows" => it.ai.shows = small(number, it.ai.shows),
        _ => return false,
    }
    true
}

fn small(number: Option<u64>, now: u16) -> u16 {
    number.and_then(|number| number.try_into().ok()).unwrap_or(now)
}
