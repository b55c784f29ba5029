//! The HTML of the list of a person's games.

use maud::{Markup, PreEscaped, html};
use rookery_i18n::Localizer;
use rookery_table::{TableId, UserId};
use serde_json::json;

use super::super::script_data::{data_block, sentences};
use super::my_games::OwnGames;
use super::page::document;

/// A game of the list.
pub(super) struct Listed {
    /// The table.
    pub(super) table: TableId,
    /// The name of the game.
    pub(super) game: String,
    /// The opponents, in a sentence; empty without any.
    pub(super) against: String,
    /// Whose turn it is.
    pub(super) headline: String,
    /// The drawing of the board.
    pub(super) board: String,
    /// Whether the game waits for the person.
    pub(super) waits: bool,
}

/// A finished game, or a study.
pub(super) struct Finished {
    /// The table.
    pub(super) table: TableId,
    /// The name of the game.
    pub(super) game: String,
    /// The opponents, in a sentence; empty without any.
    pub(super) against: String,
    /// Whether it is a study (`study`) or `imported`, or else how it ended for the person: `won`, `lost`, `drew` or `over`.
    pub(super) kind: &'static str,
    /// The turns taken.
    pub(super) ply: usize,
}

/// The sentences that the script shows; it knows them without `page-`.
const SCRIPT_WORDS: [&str; 3] = ["page-lost", "page-signed-out", "page-reload"];

/// Renders the page.
pub(super) fn page(words: &Localizer, own: &OwnGames, who: UserId) -> Markup {
    let said = sentences(words, "page-", &SCRIPT_WORDS, &[]);
    let data = json!({ "viewer": who.0.to_string(), "words": said });
    let body = html! {
        header.top {
            h1 { (words.word("page-mine")) }
            a #set-up href="/play/set-up" { (words.word("page-set-up")) }
        }
        p #notice role="status" {}
        main.games data-digest=(own.digest) { (games(words, own)) }
        div #live.hidden aria-live="polite" {}
        (data_block(&data))
    };
    document(words, &title(words, own.waiting), Some("mine.js"), &body)
}

/// Returns the title of the page, with the number of games that wait.
pub(super) fn title(words: &Localizer, waiting: usize) -> String {
    match waiting {
        0 => words.word("page-mine"),
        waiting => words.say("page-mine-waiting", &[("waiting", waiting.into())]),
    }
}

/// Renders the list of a person's running games, and of the latest finished ones. The script compares it with what it shows, by
/// the keys of the links.
pub(super) fn games(words: &Localizer, own: &OwnGames) -> Markup {
    html! {
        @if own.games.is_empty() { p.quiet { (words.word("page-no-games")) } }
        ul #running {
            @for game in &own.games {
                li.waits[game.waits] {
                    a href={ "/play/" (game.table) } data-key=(game.table) {
                        div.small-board { (PreEscaped(&game.board)) }
                        strong { (game.game) } " " span.quiet { (game.table) }
                        (against(&game.against))
                        span.turn { (game.headline) }
                    }
                }
            }
        }
        @if own.running > own.games.len() {
            p.quiet { (words.say("page-more-games", &[("count", (own.running - own.games.len()).into())])) }
        }
        (over(words, &own.finished))
    }
}

fn against(opponents: &str) -> Markup {
    html! { @if !opponents.is_empty() { span.against { (opponents) } } }
}

/// Renders the list of finished games and studies.
fn over(words: &Localizer, finished: &[Finished]) -> Markup {
    html! {
        @if !finished.is_empty() {
            h2 { (words.word("page-finished")) }
            ul #finished {
                @for game in finished {
                    li {
                        a href={ "/play/" (game.table) } data-key=(game.table) {
                            strong { (game.game) } " " span.quiet { (game.table) }
                            (against(&game.against))
                            span.turn {
                                (words.say("page-finished-how", &[("kind", game.kind.into())]))
                                @if game.ply > 0 { " · " (words.say("web-plies", &[("ply", game.ply.into())])) }
                            }
                        }
                    }
                }
            }
        }
    }
}
