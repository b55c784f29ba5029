//! Pages on which people play: the board is touched, and the bot decides. A signed-in person sees what they may see on
//! Discord; every order passes the same checks there.

mod board;
mod cells;
pub(super) mod events;
pub(super) mod mine;
mod move_tree;
pub(super) mod orders;
mod page;
pub(super) mod response;
mod sentence;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use rookery_table::TableId;
use serde::Deserialize;
use serde_json::json;

use super::players::{Opened, Players, Refusal};
use super::session::{SignedIn, signed_in};
use super::state::Web;
use crate::drawing::{DrawError, Kind, WaitPolicy};
use board::BoardState;
use response::{Denied, own_page};

pub(super) use page::{sign_in as sign_in_page, used_link};

/// Separates the steps of a half-made move in a query.
const STEP: char = '~';
/// The most bytes of a half-made move, far above the longest.
const MAX_STEPS_BYTES: usize = 100;

/// Serves a table's page.
pub(super) async fn page(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    match opened(&web, &table, &headers).await {
        Ok((person, opened)) => {
            let board = opened.clone();
            match compute(&web, move |web| BoardState::of(web, &board, person.who).map(|it| (it, person)))
                .await
            {
                Ok((state, person)) => own_page(page::table(&opened, &state, &person.page_token())),
                Err(denied) => denied.into_page(),
            }
        }
        Err(denied) => denied.into_page(),
    }
}

/// Serves what the page shows, as JSON.
pub(super) async fn state(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let (person, opened) = opened(&web, &table, &headers).await?;
        compute(&web, move |web| BoardState::of(web, &opened, person.who)).await
    };
    found.await.map_or_else(Denied::into_json, |state| Json(state).into_response())
}

/// A half-made move.
#[derive(Deserialize)]
pub(super) struct HalfMove {
    /// The number of turns taken before it.
    ply: usize,
    /// Its steps, with [`STEP`] between them.
    steps: String,
}

/// Serves the board after the steps of a half-made move.
pub(super) async fn after(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    Query(half): Query<HalfMove>,
    headers: HeaderMap,
) -> Response {
    let drawn = async {
        let (person, opened) = opened(&web, &table, &headers).await?;
        let moves = opened.table.to_move().is_some_and(|seat| opened.table.seat_of(person.who) == Some(seat));
        if !moves || half.ply != opened.table.ply() || half.steps.len() > MAX_STEPS_BYTES {
            return Err(Denied::Malformed);
        }
        let steps: Vec<String> = half.steps.split(STEP).map(str::to_owned).collect();
        compute(&web, move |_| board::after_steps(&opened, &steps)).await
    };
    drawn.await.map_or_else(Denied::into_json, |board| Json(json!({ "board": board })).into_response())
}

/// Opens a table to the person who is signed in.
async fn opened(web: &Web, table: &str, headers: &HeaderMap) -> Result<(SignedIn, Opened), Denied> {
    let person = signed_in(web, headers).await?.ok_or(Denied::SignedOut)?;
    let players = players(web)?;
    let table = read_table(web, table)?;
    let opened = players.open(person.who, table).await?;
    Ok((person, opened))
}

/// Parses the name of a table; what can't be one leads to no table.
fn read_table(web: &Web, table: &str) -> Result<TableId, Denied> {
    table.parse().map_err(|_| Denied::Refused(Refusal::NoTable(web.words.word("page-no-table"))))
}

/// Returns the bot's side, once it has found Discord.
fn players(web: &Web) -> Result<Arc<dyn Players>, Denied> {
    web.players.get().ok_or_else(|| Denied::Later(web.words.word("page-starting")))
}

/// Computes off the async threads.
async fn compute<T: Send + 'static>(
    web: &Arc<Web>,
    work: impl FnOnce(&Web) -> Option<T> + Send + 'static,
) -> Result<T, Denied> {
    let of = web.clone();
    match web.drawing.run(Kind::Still, WaitPolicy::Refuse, move |_| work(&of)).await {
        Ok(Some(done)) => Ok(done),
        Ok(None) => Err(Denied::Malformed),
        Err(DrawError::TooMany) => Err(Denied::Later(web.words.word("too-many-pictures"))),
        Err(DrawError::Failed(why)) => {
            tracing::error!(why, "a page could not be made");
            Err(Denied::Later(web.words.word("denied-fault")))
        }
    }
}
