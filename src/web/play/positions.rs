//! Positions of a game: those after earlier turns, and those that moves of one's own lead to.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use rookery_core::Play;
use rookery_core::scene::DrawOptions;
use rookery_core::svg::inline_svg;
use rookery_table::{Status, Table, UserId, hints};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::discord_side::OpenedTable;
use super::super::state::Web;
use super::access::{discord_side, open_for_signed_in};
use super::board::{
    CellContent, SeatName, cell_contents, headline, last_move, look, marks, may_plan, scores, spoken,
};
use super::move_tree::move_tree;
use super::names::{name_of, player_name};
use super::response::Denied;
use super::sentence::plain;

/// Separates the moves of a line in a query.
pub(in crate::web) const MOVE: char = ',';
/// The most moves of a line: plans and lines of the engine are shorter.
const MAX_LINE_MOVES: usize = 60;
/// The most bytes of a line.
const MAX_LINE_BYTES: usize = 2_000;

/// Where a position of a table's game is.
#[derive(Deserialize)]
pub(in crate::web) struct PlaceQuery {
    /// The number of turns taken in the game; the latest position without it.
    ply: Option<usize>,
    /// The moves after them, with [`MOVE`] between them.
    #[serde(default)]
    line: String,
}

impl PlaceQuery {
    /// Returns the position there; `None` if there is none.
    pub(super) fn position(&self, table: &Table) -> Option<Box<dyn Play>> {
        position(table, self.ply.unwrap_or_else(|| table.ply()), &self.line)
    }
}

/// A position of a table's game, and what is wanted of it.
#[derive(Deserialize)]
pub(in crate::web) struct PositionQuery {
    /// The number of turns taken in the game.
    ply: usize,
    /// The moves after them, with [`MOVE`] between them.
    #[serde(default)]
    line: String,
    /// Whether the legal moves are wanted, to try them.
    #[serde(default)]
    tries: bool,
    /// Whether regions are tinted by their owner.
    #[serde(default)]
    territory: bool,
}

/// Returns the position after turns of the game and the moves of a line; `None` if there is none.
pub(in crate::web) fn position(table: &Table, ply: usize, line: &str) -> Option<Box<dyn Play>> {
    let play = table.play().filter(|play| ply <= play.ply() && line.len() <= MAX_LINE_BYTES)?;
    let mut play = play.at_ply(ply);
    let moves = line.split(MOVE).filter(|text| !text.is_empty());
    for (number, text) in moves.enumerate() {
        if number >= MAX_LINE_MOVES {
            return None;
        }
        play.play(text).ok()?;
    }
    Some(play)
}

/// Whether a person may try moves at a table: after the game, or while they wait for another player and may plan.
pub(super) fn may_try(opened: &OpenedTable, who: UserId) -> bool {
    matches!(opened.table.status(), Status::Over(_)) || may_plan(opened, who)
}

/// What a page shows of a position.
#[derive(Serialize)]
struct PositionView {
    /// Whose turn it is, or the result.
    headline: String,
    spoken: String,
    /// The last move in words; empty before the first.
    played: String,
    /// The drawing.
    board: String,
    /// The ids of the stamps that mark the last move or whose turn it is.
    marks: Vec<String>,
    /// What is on each cell, in the order of the board.
    cells: Vec<CellContent>,
    /// The board in plain characters.
    text: String,
    /// The index of the player to move; `None` at the end of the game.
    turn: Option<usize>,
    /// The points of each player, in games with points.
    scores: Option<Vec<String>>,
    /// The index of the player of each move of the line.
    movers: Vec<usize>,
    /// The tree of legal moves, if it was asked for.
    steps: Option<Value>,
    /// Who owns which region, in words, if it was asked for.
    legend: Option<String>,
}

/// Serves a position as JSON.
pub(in crate::web) async fn position_view(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    Query(query): Query<PositionQuery>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let (person, opened) = open_for_signed_in(&web, &table, &headers).await?;
        if query.tries && !may_try(&opened, person.who) {
            return Err(Denied::Malformed);
        }
        let (shown, ply, line) = (opened.clone(), query.ply, query.line.clone());
        let play = web.compute(move |_| position(&shown.table, ply, &line).ok_or(Denied::Malformed)).await?;
        if query.territory {
            discord_side(&web)?.check_comment(person.who, &opened.table, play.clone()).await?;
        }
        web.compute(move |_| Ok(view(&opened, play.as_ref(), &query))).await
    };
    found.await.map_or_else(|denied: Denied| denied.into_json(web.words), |view| Json(view).into_response())
}

fn view(opened: &OpenedTable, play: &dyn Play, query: &PositionQuery) -> PositionView {
    let (table, words) = (&*opened.table, opened.words);
    let territory = query.territory.then(|| hints::territory(table, play).ok().flatten()).flatten();
    let legend = territory.as_ref().map(|reach| words.territory(play, reach));
    let look = DrawOptions { territory, ..look(opened, play) };
    let scene = play.scene(&look);
    let is_end = table.ends_with(play);
    let headline = |name: SeatName<'_>| {
        let text = match () {
            () if is_end => headline(opened, play, false, name),
            () if play.outcome().is_some() => words.word("page-line-over"),
            () => words.say("web-turn", &[("who", name(play, play.turn()).into())]),
        };
        plain(&text, &|who| name_of(opened, play, who))
    };
    let side = |play: &dyn Play, seat| words.side(play, seat);
    PositionView {
        headline: headline(&side),
        spoken: spoken(opened, play, &headline(&|play, seat| player_name(opened, play, seat))),
        played: last_move(opened, play, &side),
        marks: marks(play, &look, &scene),
        board: inline_svg(&scene),
        cells: cell_contents(words, play),
        text: play.text_board(),
        turn: (!is_end && play.outcome().is_none()).then(|| play.turn().index()),
        scores: scores(opened, play).map(|all| all.iter().map(|score| score.points.to_string()).collect()),
        movers: play.movers().iter().skip(query.ply).map(|seat| seat.index()).collect(),
        steps: (query.tries && play.outcome().is_none()).then(|| move_tree(words, play, look.side)),
        legend,
    }
}
