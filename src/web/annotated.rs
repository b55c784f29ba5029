//! The page behind the link to a person's annotations: the game, read-only, with what they wrote and drew.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use rookery_core::scene::DrawOptions;
use rookery_core::svg::inline_svg;
use rookery_core::{Play, Seat};
use rookery_table::access::{self, Action, Venue, Viewer};
use rookery_table::annotation::{AnnotatedPosition, Annotation};
use rookery_table::share::ShareToken;
use rookery_table::{Status, Table, UserId};
use serde::Deserialize;

use super::annotated_page::{self, Shown};
use super::play::cells::cells;
use super::play::drawn::{DrawnColours, drawn_elements, drawn_words};
use super::play::positions::{MOVE, position};
use super::play::response::html_response;
use super::response::PageError;
use super::state::Web;
use super::table::state;
use super::view::player_at;

/// The position to show.
#[derive(Deserialize)]
pub(super) struct PositionQuery {
    /// The number of turns of the game; without it the first annotated position is shown.
    ply: Option<usize>,
    /// The moves after them, as in [`AnnotatedPosition`].
    #[serde(default)]
    line: String,
}

/// A game with the annotations that a link shows.
pub(super) struct AnnotatedGame {
    pub(super) table: Arc<Table>,
    pub(super) author: UserId,
    /// By position.
    pub(super) annotations: Vec<Annotation>,
    /// The path of the page.
    pub(super) address: String,
}

/// Serves the page, at a position of the game or of an annotated variation.
pub(super) async fn page(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    Query(query): Query<PositionQuery>,
) -> Result<Response, PageError> {
    let game = annotated_game(&web, &token).await?;
    web.compute(move |web| {
        let at = wanted(&game, query);
        let shown = shown(web, &game, at).ok_or(PageError::NotFound)?;
        Ok(html_response(annotated_page::page(web, &game, &shown)))
    })
    .await
}

/// Returns what a token shows.
///
/// # Errors
/// [`PageError::NotFound`] for every token that shows nothing, whatever the reason.
async fn annotated_game(web: &Web, token: &str) -> Result<AnnotatedGame, PageError> {
    let token = ShareToken::read(token).ok_or(PageError::NotFound)?;
    let link = web.registry.shared_annotations(&token).await?.ok_or(PageError::NotFound)?;
    let table = web.registry.table(link.table).await?;
    access::check(Action::See, &Viewer::LINK_HOLDER, Venue::of(&table)).map_err(|_| PageError::NotFound)?;
    // Asked again: the author may have lost what let them make the link.
    access::may_share(&table, link.author).map_err(|_| PageError::NotFound)?;
    if !matches!(table.status(), Status::Over(_)) {
        return Err(PageError::NotFound);
    }
    let annotations = web.registry.journal().annotations().annotations_of(link.author, table.id()).await?;
    let address = format!("/n/{}", token.as_str());
    Ok(AnnotatedGame { table, author: link.author, annotations, address })
}

/// Returns the position to show: the one that was asked for, if it is one of the game or leads to an annotated one.
fn wanted(game: &AnnotatedGame, query: PositionQuery) -> AnnotatedPosition {
    let first = || game.annotations.first().map(|first| first.position.clone()).unwrap_or_default();
    let Some(ply) = query.ply else { return first() };
    let at = AnnotatedPosition { ply: ply.min(game.table.ply()), line: query.line };
    let leads = |to: &AnnotatedPosition| {
        let rest = to.line.strip_prefix(&at.line);
        to.ply == at.ply && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(MOVE))
    };
    let is_known = at.line.is_empty() || game.annotations.iter().any(|it| leads(&it.position));
    if is_known { at } else { AnnotatedPosition { line: String::new(), ..at } }
}

fn shown(web: &Web, game: &AnnotatedGame, at: AnnotatedPosition) -> Option<Shown> {
    let (table, words) = (&*game.table, web.words);
    let play = position(table, at.ply, &at.line)?;
    let look = DrawOptions {
        theme: web.theme.clone(),
        over: table.ends_with(play.as_ref()),
        strip: false,
        ..DrawOptions::from_seat(Seat::FIRST)
    };
    let scene = play.scene(&look);
    let annotation = game.annotations.iter().find(|it| it.position == at);
    let drawn = annotation.zip(cells(play.as_ref(), &look)).map(|(annotation, cells)| {
        drawn_elements(annotation, play.board(), &cells, &DrawnColours::of(scene.theme))
    });
    Some(Shown {
        headline: headline(web, table, play.as_ref()),
        played: played(web, table, play.as_ref()),
        alt: words.alt(&words.board(table, play.as_ref(), None)),
        text: play.text_board(),
        board: inline_svg(&scene),
        size: (scene.width, scene.height),
        drawn: drawn.unwrap_or_default(),
        comment: annotation.map(|it| it.comment.clone()).unwrap_or_default(),
        drawn_words: annotation.map(|it| drawn_words(words, it)).unwrap_or_default(),
        at,
    })
}

/// Formats the result at the end, and elsewhere whose turn it was.
fn headline(web: &Web, table: &Table, play: &dyn Play) -> String {
    if play.outcome().is_some() && !table.ends_with(play) {
        return web.words.word("page-line-over");
    }
    state(web, table, play)
}

/// Formats the move that led to a position; empty before the first.
fn played(web: &Web, table: &Table, play: &dyn Play) -> String {
    let (Some(text), Some(mover)) = (play.record().pop(), play.movers().pop()) else { return String::new() };
    // A swap changes the sides, so they are those before the move.
    let before = play.at_ply(play.ply().saturating_sub(1));
    let who = player_at(web, table, before.as_ref(), mover);
    web.words.say("page-played", &[("who", who.into()), ("move", text.into())])
}
