//! The engine's best lines at a position of a finished game, or at one that moves of one's own lead to.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::state::Web;
use super::access::{discord_side, open_for_signed_in};
use super::orders::check_csrf;
use super::positions::position;
use super::response::Denied;

/// A position of a game.
#[derive(Deserialize)]
pub(in crate::web) struct LinesQuery {
    /// The number of turns taken in the game.
    ply: usize,
    /// The moves after them, with [`MOVE`](super::positions::MOVE) between them.
    #[serde(default)]
    line: String,
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
    Query(LinesQuery { ply, line }): Query<LinesQuery>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let (person, opened) = open_for_signed_in(&web, &table, &headers).await?;
        check_csrf(&web, &headers, &person)?;
        let (table, is_variation) = (opened.table.clone(), !line.is_empty());
        let play = web.compute(move |_| position(&table, ply, &line).ok_or(Denied::Malformed)).await?;
        let (discord, who, id) = (discord_side(&web)?, person.who, opened.table.id());
        let found = match is_variation {
            true => discord.variation_lines(who, id, play.clone_play()).await?,
            false => discord.best_lines(who, id, ply).await?,
        };
        let views = web.compute(move |_| {
            let view = |line: &rookery_table::saved_analysis::BestLine| LineView {
                value: opened.words.value(play.as_ref(), play.turn(), line.value),
                moves: line.moves.clone(),
            };
            Ok::<_, Denied>(found.iter().map(view).collect::<Vec<_>>())
        });
        Ok(Json(json!({ "lines": views.await? })).into_response())
    };
    found.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}
