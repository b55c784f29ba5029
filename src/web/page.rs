//! The HTML of the pages.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use rookery_core::Seat;
use rookery_i18n::Localizer;
use rookery_table::Table;
use rookery_table::ports::Card;

use super::state::Web;
use super::view::{Step, View, player, rules_link};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The paths of a game's pages.
pub(super) struct Address {
    /// The path of the game's own page.
    pub(super) table: String,
    /// The path of the list of its server's games, if the viewer may see it.
    pub(super) server: Option<String>,
}

/// Renders a table at one ply.
pub(super) fn table(web: &Web, table: &Table, step: &Step, view: View, address: &Address) -> Markup {
    let words = web.words;
    let game = words.game(&table.terms().game);
    let title = format!("{game} · {}", table.id());
    let Address { table: address, server } = address;
    let description = format!("{}. {}", step.state, step.alt);
    let head = html! {
        meta property="og:title" content=(title);
        meta property="og:description" content=(step.state);
        meta property="og:image" content={ (web.address.as_deref().unwrap_or_default()) (address) "/card.png" };
        meta name="twitter:card" content="summary_large_image";
        meta name="description" content=(description);
    };
    let body = html! {
        main data-address=(address) data-ply=(step.ply) data-last=(step.last) data-entry=(table.sequence()) {
            h1 { (game) " " span.quiet { (table.id()) } }
            p.players { (players(web, table)) }
            p #state aria-live="polite" { (step.state) }
            img #board src=(step.picture) alt=(step.alt) width="840";
            p #legend { (step.legend) }
            (steps(web, table, address, step, view))
            p #played { (step.played) }
            details open { summary { (words.word("web-text")) } pre #text { (step.text) } }
            details {
                summary { (words.word("web-position")) }
                input #position readonly aria-label=(words.word("web-position")) value=(step.position);
            }
            details {
                summary { (words.word("web-record")) }
                pre #record { (PreEscaped(&step.record)) }
                a href={ (address) "/record.txt" } { (words.word("web-record-file")) }
            }
            (rules_link(words, &table.terms().game))
            @if let Some(server) = server {
                p { a href=(server) { (words.word("web-more")) } }
            }
        }
        script { (PreEscaped(SCRIPT)) }
    };
    whole(words, &title, &head, &body)
}

/// Renders a record, whose moves aren't broken at their hyphens.
pub(super) fn record(text: &str) -> Markup {
    html! {
        @for line in text.split_inclusive('\n') {
            @if line.starts_with('[') { (line) } @else { (moves(line)) }
        }
    }
}

fn moves(line: &str) -> Markup {
    html! {
        @for word in line.split_inclusive([' ', '\n']) {
            @let text = word.trim_end();
            @if text.contains('-') { span.move { (text) } (word[text.len()..]) } @else { (word) }
        }
    }
}

fn players(web: &Web, table: &Table) -> String {
    let all: Vec<_> = Seat::all(table.chairs().len()).map(|seat| player(web, table, seat)).collect();
    all.join(" – ")
}

/// Renders the links for stepping, which work without JavaScript.
fn steps(web: &Web, table: &Table, address: &str, step: &Step, view: View) -> Markup {
    let words = web.words;
    let has_territory = table.play().is_some_and(|play| play.reach().is_some());
    let other = View { ply: Some(step.ply), territory: !view.territory };
    let link = |ply: usize| linked(address, View { ply: Some(ply), territory: view.territory });
    html! {
        nav aria-label=(words.word("web-steps")) {
            a #first href=(link(0)) { (words.word("web-first")) }
            a #back href=(link(step.ply.saturating_sub(1))) rel="prev" { (words.word("web-back")) }
            a #next href=(link((step.ply + 1).min(step.last))) rel="next" { (words.word("web-next")) }
            a #latest href=(linked(address, View { ply: None, territory: view.territory })) { (words.word("web-latest")) }
            @if has_territory {
                a #territory href=(linked(address, other)) aria-current=(view.territory) { (words.word("web-territory")) }
            }
        }
    }
}

fn linked(address: &str, view: View) -> String {
    let ply = view.ply.map(|ply| format!("ply={ply}"));
    let territory = view.territory.then(|| "territory=true".to_owned());
    let query: Vec<_> = ply.into_iter().chain(territory).collect();
    if query.is_empty() { address.to_owned() } else { format!("{address}?{}", query.join("&")) }
}

/// Renders the list of a server's games, each with the path of its page.
pub(super) fn server(web: &Web, running: &[(Card, String)], over: &[(Card, String)]) -> Markup {
    let words = web.words;
    let title = words.word("web-server");
    let body = html! {
        main {
            h1 { (title) }
            (games(words, "web-running", running))
            (games(words, "web-over", over))
        }
    };
    whole(words, &title, &html! {}, &body)
}

fn games(words: &Localizer, heading: &str, cards: &[(Card, String)]) -> Markup {
    html! {
        h2 { (words.word(heading)) }
        @if cards.is_empty() { p.quiet { (words.word("web-none")) } }
        ul {
            @for (card, address) in cards {
                li {
                    a href=(address) { (words.game(&card.game)) " " (card.id) }
                    " " span.quiet { (words.say("web-plies", &[("ply", card.ply.into())])) }
                }
            }
        }
    }
}

/// Renders the front page, which explains links. It names no game, because any visitor can read it.
pub(super) fn front(words: &Localizer) -> Markup {
    let title = words.word("web-front");
    let way = words.word("web-front-link");
    let body = html! {
        main {
            h1 { (title) }
            p { (words.word("web-front-what")) }
            p { (way) }
        }
    };
    whole(words, &title, &html! {}, &body)
}

/// Renders the page for a path that does not exist.
pub(super) fn missing(words: &Localizer) -> Markup {
    let title = words.word("web-missing");
    whole(words, &title, &html! {}, &html! { main { h1 { (title) } p { (words.word("web-missing-why")) } } })
}

/// Renders why a page can't be shown now.
pub(super) fn unavailable(words: &Localizer, why: &str) -> Markup {
    let title = words.word("page-not-shown");
    whole(words, &title, &html! {}, &html! { main { h1 { (title) } p { (why) } } })
}

fn whole(words: &Localizer, title: &str, head: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Rookery" }
                link rel="icon" href="data:,";
                (head)
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
}
