//! Pages to print and to play on, as PDF: of a position of a table's game, or of one in the position editor.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use rookery_core::Play;
use rookery_core::printed_page::PaperSize;
use rookery_games::printed::printed_page;
use rookery_i18n::Localizer;
use serde::Deserialize;

use super::super::state::Web;
use super::access::{compute, opened};
use super::positions::position;
use super::response::Denied;

/// A position of a table's game, and the paper.
#[derive(Deserialize)]
pub(in crate::web) struct SheetQuery {
    /// The number of turns taken in the game; the latest position without it.
    ply: Option<usize>,
    /// The moves after them, with [`MOVE`](super::positions::MOVE) between them.
    #[serde(default)]
    line: String,
    /// The paper's key ([`PaperSize::key`]); A4 without it.
    paper: Option<String>,
}

/// Serves the page of a table's position.
pub(in crate::web) async fn sheet(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    query: Result<Query<SheetQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let (_, opened) = opened(&web, &table, &headers).await?;
        let Query(query) = query.map_err(|_| Denied::Malformed)?;
        let paper = paper(query.paper.as_deref())?;
        let name = opened.table.id().to_string();
        let bytes = compute(&web, move |_| {
            let ply = query.ply.unwrap_or_else(|| opened.table.ply());
            let play = position(&opened.table, ply, &query.line)?;
            Some(pdf(opened.words, play.as_ref(), paper))
        });
        Ok(file(&name, bytes.await?))
    };
    made.await.unwrap_or_else(Denied::into_page)
}

/// Parses the key of a paper.
pub(super) fn paper(key: Option<&str>) -> Result<PaperSize, Denied> {
    let Some(key) = key else { return Ok(PaperSize::A4) };
    PaperSize::named(key).ok_or(Denied::Malformed)
}

/// Draws the page.
pub(super) fn pdf(words: &Localizer, play: &dyn Play, paper: PaperSize) -> Vec<u8> {
    rookery_render::pdf(&printed_page(play, &words.page_words(play)), paper)
}

/// Responds with a file that browsers show; it has this name when it's kept.
pub(super) fn file(name: &str, bytes: Vec<u8>) -> Response {
    let named = format!("inline; filename=\"{name}.pdf\"");
    let kind = (header::CONTENT_TYPE, "application/pdf".to_owned());
    ([kind, (header::CONTENT_DISPOSITION, named)], bytes).into_response()
}
