//! The HTML of the list of a person's games.

use maud::{Markup, PreEscaped, html};
use rookery_i18n::Localizer;
use rookery_table::TableId;

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

/// Renders the list of a person's running games (there are `all`), and of the latest finished ones.
pub(super) fn mine(words: &Localizer, games: &[Listed], all: usize, finished: &[Finished]) -> Markup {
    let body = html! {
        header.top {
            h1 { (words.word("page-mine")) }
            a #set-up href="/play/set-up" { (words.word("page-set-up")) }
        }
        main.games {
            @if games.is_empty() { p.quiet { (words.word("page-no-games")) } }
            ul {
                @for game in games {
                    li.waits[game.waits] {
                        a href={ "/play/" (game.table) } {
                            div.small-board { (PreEscaped(&game.board)) }
                            strong { (game.game) } " " span.quiet { (game.table) }
                            (against(&game.against))
                            span.turn { (game.headline) }
                        }
                    }
                }
            }
            @if all > games.len() {
                p.quiet { (words.say("page-more-games", &[("count", (all - games.len()).into())])) }
            }
            (over(words, finished))
        }
    };
    document(words, &words.word("page-mine"), None, &body)
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
                        a href={ "/play/" (game.table) } {
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
