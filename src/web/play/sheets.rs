//! Pages to print and to play on, as PDF or SVG: of a position of a table's game, or of one in the position editor.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use rookery_core::Play;
use rookery_core::printed_page::PaperSize;
use rookery_core::svg::page_svg;
use rookery_games::printed::printed_page;
use rookery_i18n::Localizer;
use serde::Deserialize;

use super::super::state::Web;
use super::access::open_for_signed_in;
use super::positions::PlaceQuery;
use super::response::Denied;

/// The formats of a page to print.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum SheetFormat {
    #[default]
    Pdf,
    Svg,
}

/// The paper and the format of a page to print. The position is in a query of its own, of the same request.
#[derive(Deserialize)]
pub(in crate::web) struct SheetQuery {
    /// The paper's key ([`PaperSize::key`]); A4 without it.
    paper: Option<String>,
    #[serde(default, rename = "as")]
    format: SheetFormat,
}

impl SheetQuery {
    /// Parses the key of the paper; returns it with the format.
    pub(super) fn sheet(&self) -> Result<(PaperSize, SheetFormat), Denied> {
        let paper = self.paper.as_deref().map_or(Some(PaperSize::A4), PaperSize::named);
        Ok((paper.ok_or(Denied::Malformed)?, self.format))
    }
}

/// Serves the page of a table's position.
pub(in crate::web) async fn sheet(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    place: Result<Query<PlaceQuery>, QueryRejection>,
    query: Result<Query<SheetQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let (_, opened) = open_for_signed_in(&web, &table, &headers).await?;
        let Query(place) = place.map_err(|_| Denied::Malformed)?;
        let (paper, format) = query.map_err(|_| Denied::Malformed)?.sheet()?;
        let name = opened.table.id().to_string();
        let bytes = web.compute(move |_| {
            let play = place.position(&opened.table).ok_or(Denied::Malformed)?;
            Ok::<_, Denied>(drawn(opened.words, play.as_ref(), paper, format))
        });
        Ok(file(&name, format, bytes.await?))
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_page(web.words))
}

/// Draws the page.
pub(super) fn drawn(words: &Localizer, play: &dyn Play, paper: PaperSize, format: SheetFormat) -> Vec<u8> {
    let page = printed_page(play, &words.page_words(play));
    match format {
        SheetFormat::Pdf => rookery_render::pdf(&page, paper),
        SheetFormat::Svg => page_svg(&page, paper).into_bytes(),
    }
}

/// Responds with a file of this name. Browsers show a PDF and save an SVG, which may be changed before it's printed.
pub(super) fn file(name: &str, format: SheetFormat, bytes: Vec<u8>) -> Response {
    let (kind, named) = match format {
        SheetFormat::Pdf => ("application/pdf", format!("inline; filename=\"{name}.pdf\"")),
        SheetFormat::Svg => ("image/svg+xml", format!("attachment; filename=\"{name}.svg\"")),
    };
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, named)], bytes).into_response()
}
