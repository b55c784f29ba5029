//! Requests for one table: its page, its state, and partial moves.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;

use super::super::state::Web;
use super::access::{open, open_for_signed_in, state_of};
use super::board::after_steps;
use super::expected_person::ExpectedPerson;
use super::page;
use super::positions::{may_try, position};
use super::response::{Denied, html_response};

/// Separates the steps of a partial move in a query.
const STEP: char = '~';
/// The most bytes of a partial move, far above the longest.
const MAX_STEPS_BYTES: usize = 100;

/// Serves a table's page.
pub(in crate::web) async fn page(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let (person, opened) = open_for_signed_in(&web, &table, &headers).await?;
        let (board, who) = (opened.clone(), person.who);
        let state = web.compute(move |web| state_of(web, &board, who)).await?;
        Ok(html_response(page::table(&opened, &state, &person)))
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_page(web.words))
}

/// Serves what the page shows, as JSON. A page of one person must not turn into that of another who signs in with the same
/// browser.
pub(in crate::web) async fn state(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    Query(expected): Query<ExpectedPerson>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let person = expected.signed_in(&web, &headers).await?;
        let opened = open(&web, &table, person.who).await?;
        web.compute(move |web| state_of(web, &opened, person.who)).await
    };
    found.await.map_or_else(|denied: Denied| denied.into_json(web.words), |state| Json(state).into_response())
}

/// A partial move.
#[derive(Deserialize)]
pub(in crate::web) struct PartialMove {
    /// The number of turns taken in the game before it.
    ply: usize,
    /// The moves that are tried after them, as in a position's query.
    #[serde(default)]
    line: String,
    /// Whether the move is only tried.
    #[serde(default)]
    tries: bool,
    /// Its steps, with [`STEP`] between them.
    steps: String,
}

/// Serves the board after the steps of a partial move.
pub(in crate::web) async fn after(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    Query(partial): Query<PartialMove>,
    headers: HeaderMap,
) -> Response {
    let drawn = async {
        let (person, opened) = open_for_signed_in(&web, &table, &headers).await?;
        let moves = opened.table.to_move().is_some_and(|seat| opened.table.seat_of(person.who) == Some(seat));
        let plays = moves && partial.ply == opened.table.ply() && partial.line.is_empty();
        let may = if partial.tries { may_try(&opened, person.who) } else { plays };
        if !may || partial.steps.len() > MAX_STEPS_BYTES {
            return Err(Denied::Malformed);
        }
        let steps: Vec<String> = partial.steps.split(STEP).map(str::to_owned).collect();
        web.compute(move |_| {
            let play = position(&opened.table, partial.ply, &partial.line).ok_or(Denied::Malformed)?;
            after_steps(&opened, play.as_ref(), &steps).ok_or(Denied::Malformed)
        })
        .await
    };
    drawn.await.map_or_else(
        |denied: Denied| denied.into_json(web.words),
        |board| Json(json!({ "board": board })).into_response(),
    )
}
