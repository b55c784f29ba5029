//! What a table's page shows: its data, apart from how it is served and rendered.

use maud::{Markup, html};
use rookery_core::{Play, Seat};
use rookery_i18n::{Localizer, Naming};
use rookery_table::{Occupant, Status, Table};
use serde::{Deserialize, Serialize};

use super::state::Web;

/// The ply to show, and the options of the view.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct View {
    /// The ply to show; the latest by default and for a later one.
    pub(super) ply: Option<usize>,
    /// Whether to tint regions by their owner.
    pub(super) territory: bool,
}

/// The contents of a page at one ply.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    /// The ply that is shown.
    pub(super) ply: usize,
    /// The latest ply of the game.
    pub(super) last: usize,
    /// The ply and the move that led to it, as text.
    pub(super) played: String,
    /// The table's result, or whose turn it was.
    pub(super) state: String,
    /// The description of the board.
    pub(super) alt: String,
    /// The counts of the territory, if it is shown.
    pub(super) legend: String,
    /// The board in plain characters.
    pub(super) text: String,
    /// The position in the game's own notation.
    pub(super) position: String,
    /// The whole game, as the HTML that [`page::record`](super::page::record) makes.
    pub(super) record: String,
    /// The board as a data URL.
    pub(super) picture: String,
}

/// Names the player of a seat: people by their side, the bot by its level as well.
pub(super) fn player(web: &Web, table: &Table, seat: Seat) -> String {
    table.play().map(|play| player_at(web, table, play, seat)).unwrap_or_default()
}

/// Names the player of a seat with the side that they have at a position, as pages for playing write it.
pub(super) fn player_at(web: &Web, table: &Table, play: &dyn Play, seat: Seat) -> String {
    match table.occupant(seat) {
        _ if table.resigned_before_start().contains(&seat) => {
            web.words.on_side(play, seat, web.words.word("seat-gone"))
        }
        Some(Occupant::Ai { .. }) => web.words.player_with_side(table, play, seat),
        _ => web.words.side(play, seat),
    }
}

/// Describes the result by the sides. Of a study without one, it says first whose turn it is at the end.
pub(super) fn result_by_sides(words: &Localizer, table: &Table, play: &dyn Play) -> String {
    let result = words.result(table, Naming::Sides);
    match table.status() {
        Status::Over(ending)
            if table.is_imported() && ending.winners.is_empty() && play.outcome().is_none() =>
        {
            let who = words.side(play, play.turn());
            words.say("page-study", &[("who", who.into()), ("result", result.into())])
        }
        _ => result,
    }
}

/// Names the level of the bot at a seat; empty for people.
pub(super) fn program(web: &Web, table: &Table, seat: Seat) -> String {
    let ai = table.occupant(seat).filter(|who| matches!(who, Occupant::Ai { .. }));
    ai.map(|ai| web.words.occupant(ai)).unwrap_or_default()
}

/// Renders the link to the rules of a game.
pub(super) fn rules_link(words: &Localizer, game: &str) -> Markup {
    html! { p #rules { a href={ "/play/rules/" (game) } { (words.word("page-rules-of")) } } }
}
