//! The engine's best lines at a position of a finished game.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::state::Web;
use super::access::{compute, opened, players};
use super::orders::check_own_page;
use super::positions::position;
use super::response::Denied;

/// A position of a game.
#[derive(Deserialize)]
pub(in crate::web) struct LinesQuery {
    /// The number of turns taken.
    ply: usize,
}

/// A line of play.
#[derive(Serialize)]
struct LineView {
    /// How good it is, in words.
    value: String,
    /// The move, then the expected continuation.
    moves: Vec<String>,
}

/// Finds the best lines, and serves them as JSON. It costs thinking time, so the request must come from the page.
pub(in crate::web) async fn lines(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    Query(LinesQuery { ply }): Query<LinesQuery>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let (person, opened) = opened(&web, &table, &headers).await?;
        check_own_page(&web, &headers, &person)?;
        let found = players(&web)?.best_lines(person.who, opened.table.id(), ply).await?;
        let views = compute(&web, move |_| {
            let play = position(&opened.table, ply, "")?;
            let view = |line: &rookery_table::saved_analysis::BestLine| LineView {
                value: opened.words.value(play.as_ref(), play.turn(), line.value),
                moves: line.moves.clone(),
            };
            Some(found.iter().map(view).collect::<Vec<_>>())
        });
        Ok(Json(json!({ "lines": views.await? })).into_response())
    };
    found.await.unwrap_or_else(Denied::into_json)
}
