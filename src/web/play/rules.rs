//! The rules of a game, with its examples drawn, also for people who aren't signed in.

use std::sync::{Arc, LazyLock};

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, Parser, Tag, TagEnd};
use quick_cache::sync::Cache;
use rookery_core::scene::DrawOptions;
use rookery_core::svg::inline_svg;
use rookery_core::{Game, Seat};
use rookery_games::rules_page::{example_position, without_title};

use super::super::discord_side::{Preferences, Refusal};
use super::super::session::signed_in;
use super::super::state::Web;
use super::page::document;
use super::response::{Denied, html_response};

/// The most pages in the cache.
const MAX_PAGES: usize = 64;

/// The pages drawn last, as HTML.
static PAGE_CACHE: LazyLock<Cache<String, Arc<str>>> = LazyLock::new(|| Cache::new(MAX_PAGES));

/// Serves the rules of a game, in the language and the theme of the person who is signed in.
pub(in crate::web) async fn page(
    State(web): State<Arc<Web>>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let game =
            rookery_games::named(&game).ok_or_else(|| Refusal::NoTable(web.words.word("page-no-table")))?;
        // It is also shown before the bot has found Discord, in the usual theme.
        let preferences = match (signed_in(&web, &headers).await?, web.discord_side.get()) {
            (Some(person), Some(discord)) => discord.preferences(person.who).await,
            _ => Preferences {
                words: web.words,
                look: DrawOptions { theme: web.theme.clone(), ..DrawOptions::from_seat(Seat::FIRST) },
            },
        };
        let page = match PAGE_CACHE.get(&key(game, &preferences)) {
            Some(kept) => kept,
            None => web.compute(move |_| Ok::<_, Denied>(kept(game, &preferences))).await?,
        };
        Ok(html_response(PreEscaped(page.to_string())))
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_page(web.words))
}

/// What a page depends on.
fn key(game: &dyn Game, preferences: &Preferences) -> String {
    format!("{} {} {:?}", game.info().key, preferences.words.tag(), preferences.look)
}

/// Renders the page and keeps it for the next visitor with the same language and look.
fn kept(game: &dyn Game, preferences: &Preferences) -> Arc<str> {
    let page: Arc<str> = rules(game, preferences).into_string().into();
    PAGE_CACHE.insert(key(game, preferences), page.clone());
    page
}

/// Renders the page.
fn rules(game: &dyn Game, preferences: &Preferences) -> Markup {
    let (words, info) = (preferences.words, game.info());
    let name = words.game(info.key);
    let body = html! {
        header.top {
            a.home href="/play" { (words.word("page-mine")) }
            h1 { (name) " " span.quiet { (words.word("page-rules")) } }
        }
        main.rules {
            (text(game, preferences))
            @if let Some(by) = words.designers(info) { p.quiet { (by) } }
        }
    };
    document(words, &format!("{name}: {}", words.word("page-rules")), None, &body)
}

/// The text as HTML. Its positions are drawn below the paragraph that names them by number.
fn text(game: &dyn Game, preferences: &Preferences) -> Markup {
    let page = preferences.words.rules_page(game.info().key);
    let mut examples = Examples { game, preferences, count: 0, waiting: String::new() };
    // The title is in the head of the page.
    let events = Parser::new(without_title(&page)).flat_map(|event| examples.placed(event));
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, events);
    PreEscaped(text)
}

/// The examples of a text.
struct Examples<'a> {
    game: &'a dyn Game,
    preferences: &'a Preferences,
    count: usize,
    /// Those that were named and are not drawn yet, as HTML.
    waiting: String,
}

impl Examples<'_> {
    /// Replaces a position by its number, and draws it at the end of its paragraph or list item.
    fn placed<'e>(&mut self, event: Event<'e>) -> Vec<Event<'e>> {
        match event {
            Event::Code(span) => match self.numbered(&span) {
                Some(name) => {
                    vec![Event::Start(Tag::Strong), Event::Text(name.into()), Event::End(TagEnd::Strong)]
                }
                None => vec![Event::Code(span)],
            },
            // A list item may have paragraphs, or only text.
            Event::End(TagEnd::Paragraph) => vec![event, self.drawn()],
            Event::End(TagEnd::Item) => vec![self.drawn(), event],
            Event::Html(html) | Event::InlineHtml(html) => vec![Event::Text(html)],
            other => vec![other],
        }
    }

    /// The name of the position in a code span, which is then drawn.
    fn numbered(&mut self, span: &str) -> Option<String> {
        let play = example_position(self.game, span)?;
        self.count += 1;
        let name = self.preferences.words.say("page-rules-board", &[("number", self.count.into())]);
        let look = DrawOptions { strip: false, ..self.preferences.look.clone() };
        let figure = html! {
            figure {
                div.example { (PreEscaped(inline_svg(&play.scene(&look)))) }
                figcaption { (name) }
                pre.hidden { (play.text_board()) }
            }
        };
        self.waiting.push_str(&figure.into_string());
        Some(name)
    }

    fn drawn<'e>(&mut self) -> Event<'e> {
        Event::Html(CowStr::from(std::mem::take(&mut self.waiting)))
    }
}

#[cfg(test)]
mod tests {
    use rookery_i18n::Localizer;

    use super::*;

    #[test]
    fn rules_are_kept_for_each_game_and_look() {
        let looks = |theme: &str, patterns| Preferences {
            words: Localizer::english(),
            look: DrawOptions { theme: theme.to_owned(), patterns, ..DrawOptions::from_seat(Seat::FIRST) },
        };
        let usual = looks("walnut", false);
        for game in rookery_games::all() {
            let page = kept(*game, &usual);
            assert_eq!(*page, rules(*game, &usual).into_string());
            assert!(PAGE_CACHE.get(&key(*game, &usual)).is_some_and(|again| Arc::ptr_eq(&page, &again)));
        }
        let amazons = rookery_games::named("amazons").unwrap();
        let keys = [("slate", false), ("walnut", true)].map(|(theme, on)| key(amazons, &looks(theme, on)));
        assert!(!keys.contains(&key(amazons, &usual)), "{keys:?}");
    }
}
