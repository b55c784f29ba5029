//! Requests for one table.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Play, Reach, Seat};
use rookery_i18n::{GameResult, Naming};
use rookery_render::{Card, CardPlayer, Fingerprint, Painter, png};
use rookery_table::{Status, Table, game_record, hints};

use super::page::{self, Address};
use super::response::{PageError, html};
use super::shared::{SharedTable, shared_table};
use super::state::Web;
use super::view::{Step, View, player_at, program, result_by_sides};
use crate::drawing::{DrawError, File, Kind, WaitPolicy};

/// The width of a board's picture in pixels: enough for a phone with a pixel ratio of two.
const WIDTH_PX: u32 = 840;

/// Serves the table's page.
pub(super) async fn page(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    Query(view): Query<View>,
) -> Result<Response, PageError> {
    let (web, shown, view) = find_view(web, &token, view).await?;
    let more = shown.server_page(&web).await?;
    let board = board_file(&web, &shown.table, view).await?;
    web.compute(move |web| {
        let step = step_of(web, &shown.table, view, &board).ok_or(PageError::NotFound)?;
        let address = Address { table: shown.address(), server: more };
        Ok(html(page::table(web, &shown.table, &step, view, &address)))
    })
    .await
}

/// Serves the contents at one ply as JSON, for stepping in place. All who watch a game ask for the same after each move, so
/// the response is made once.
pub(super) async fn step(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    Query(view): Query<View>,
) -> Result<Response, PageError> {
    let (web, shown, view) = find_view(web, &token, view).await?;
    let board = board_file(&web, &shown.table, view).await?;
    let (of, drawing) = (step_cache_key(&web, &shown.table, view), web.drawing.clone());
    let (made, table) = (web.clone(), shown.table);
    let write = move |_: &Painter| serde_json::to_vec(&step_of(&made, &table, view, &board)?).ok();
    let step = drawing.picture(of, Kind::Still, WaitPolicy::Refuse, write).await;
    let json = |file: File| ([(header::CONTENT_TYPE, "application/json")], file.to_vec()).into_response();
    Ok(json(step?))
}

/// Serves the board's picture.
pub(super) async fn board(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    Query(view): Query<View>,
) -> Result<Response, PageError> {
    let (web, shown, view) = find_view(web, &token, view).await?;
    Ok(image(board_file(&web, &shown.table, view).await?.to_vec()))
}

/// Serves the picture for previews of the page's link.
pub(super) async fn card(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Response, PageError> {
    let table = shared_table(&web, &token).await?.table;
    let (of, drawing) = (card_cache_key(&web, &table), web.drawing.clone());
    let card = web.clone();
    let drawn =
        drawing.picture(of, Kind::Still, WaitPolicy::Refuse, move |_| share_card(&card, &table)).await;
    Ok(image(drawn?.to_vec()))
}

/// Serves the game's record as plain text.
pub(super) async fn record(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Response, PageError> {
    let table = shared_table(&web, &token).await?.table;
    web.compute(move |_| {
        let text = record_of(&table).ok_or(PageError::NotFound)?;
        Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
    })
    .await
}

/// Returns the table behind a token and the view. The territory view is switched off if a casual game's
/// position would help in a rated game.
async fn find_view(
    web: Arc<Web>,
    token: &str,
    view: View,
) -> Result<(Arc<Web>, SharedTable, View), PageError> {
    let shown = shared_table(&web, token).await?;
    let helps = view.territory && would_reveal_rated_game(&web, &shown.table, view).await?;
    Ok((web, shown, View { territory: view.territory && !helps, ..view }))
}

/// Whether the territory of a casual game's position would reveal that of a rated game.
async fn would_reveal_rated_game(web: &Web, table: &Arc<Table>, view: View) -> Result<bool, PageError> {
    let of = table.clone();
    let computed = web.registry.tasks().compute("position", move || at(&of, view)).await;
    let moment = computed.map_err(|error| {
        tracing::error!(%error, "a position could not be computed");
        PageError::Unavailable
    })?;
    Ok(match moment {
        Some(play) => web.registry.would_reveal_rated_game(table, play.as_ref()).await,
        None => false,
    })
}

/// Returns the cache key of a board. A table with the same number of entries has not changed.
fn board_cache_key(web: &Web, table: &Table, view: View) -> Fingerprint {
    Fingerprint::of(|parts| {
        parts.text("web board");
        parts.text(&format!("{} {} {:?} {}", table.id(), table.sequence(), view, web.theme));
    })
}

/// Returns the cache key of the contents at one ply.
fn step_cache_key(web: &Web, table: &Table, view: View) -> Fingerprint {
    let board = board_cache_key(web, table, view);
    Fingerprint::of(|parts| parts.text(&format!("web step {board:?}")))
}

/// Returns the cache key of a share card.
fn card_cache_key(web: &Web, table: &Table) -> Fingerprint {
    Fingerprint::of(|parts| {
        parts.text("web card");
        parts.text(&format!("{} {} {}", table.id(), table.sequence(), web.theme));
    })
}

/// Returns the board as a PNG. The picture cache draws it once for the picture's own address, the page and the steps.
async fn board_file(web: &Arc<Web>, table: &Arc<Table>, view: View) -> Result<File, DrawError> {
    let (of, drawing) = (board_cache_key(web, table, view), web.drawing.clone());
    let (web, table) = (web.clone(), table.clone());
    let draw = move |_: &Painter| Some(picture(&web, &table, at(&table, view)?.as_ref(), view));
    drawing.picture(of, Kind::Still, WaitPolicy::Refuse, draw).await
}

fn image(png: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "image/png")], png).into_response()
}

/// Returns the position at a ply; `None` before the game has begun.
fn at(table: &Table, view: View) -> Option<Box<dyn Play>> {
    let play = table.play()?;
    Some(play.at_ply(view.ply.unwrap_or(usize::MAX).min(play.ply())))
}

fn step_of(web: &Web, table: &Table, view: View, board: &[u8]) -> Option<Step> {
    let play = at(table, view)?;
    let words = web.words;
    // The description names the owners of regions only when they are tinted.
    let tinted = view.territory.then(|| look(web, table, play.as_ref(), view));
    Some(Step {
        ply: play.ply(),
        last: table.ply(),
        played: played(web, play.as_ref(), table.ply()),
        state: state(web, table, play.as_ref()),
        alt: words.alt(&words.board(table, play.as_ref(), tinted.as_ref())),
        legend: legend(web, table, play.as_ref(), view),
        text: play.text_board(),
        position: play.line(),
        record: page::record(&record_of(table).unwrap_or_default()).into_string(),
        picture: format!("data:image/png;base64,{}", STANDARD.encode(board)),
    })
}

/// Describes the territory under the picture, or says why a running rated game shows none; empty if it is not shown.
fn legend(web: &Web, table: &Table, play: &dyn Play, view: View) -> String {
    match hints::territory(table, play) {
        _ if !view.territory => String::new(),
        Err(_) => web.words.word("web-territory-rated"),
        Ok(reach) => reach.map(|reach| web.words.territory(play, &reach)).unwrap_or_default(),
    }
}

/// Describes the ply among `last` plies, and the move that led to it.
fn played(web: &Web, play: &dyn Play, last: usize) -> String {
    let moment = [("ply", play.ply().into()), ("last", last.into())];
    match play.record().pop() {
        Some(text) => {
            let [ply, last] = moment;
            web.words.say("web-played", &[ply, last, ("move", text.into())])
        }
        None => web.words.say("web-start", &moment),
    }
}

/// Describes the result at the final ply, and whose turn it is elsewhere.
pub(super) fn state(web: &Web, table: &Table, play: &dyn Play) -> String {
    match table.status() {
        Status::Over(_) if table.ends_with(play) => result_by_sides(web.words, table, play),
        _ => web.words.say("web-turn", &[("who", player_at(web, table, play, play.turn()).into())]),
    }
}

fn look(web: &Web, table: &Table, play: &dyn Play, view: View) -> DrawOptions {
    let territory = if view.territory { territory(table, play) } else { None };
    let over = table.ends_with(play);
    DrawOptions { theme: web.theme.clone(), territory, over, ..DrawOptions::from_seat(Seat::FIRST) }
}

fn scene(web: &Web, table: &Table, play: &dyn Play, view: View) -> Scene {
    play.scene(&look(web, table, play, view))
}

fn picture(web: &Web, table: &Table, play: &dyn Play, view: View) -> Vec<u8> {
    png(&web.drawing.painter().picture(&scene(web, table, play, view), WIDTH_PX))
}

/// Returns who reaches which free cells; `None` during a rated game and in games without territory.
fn territory(table: &Table, play: &dyn Play) -> Option<Reach> {
    hints::territory(table, play).ok().flatten()
}

fn share_card(web: &Web, table: &Table) -> Option<Vec<u8>> {
    let play = table.play()?;
    let board = play.scene(&DrawOptions { strip: false, ..look(web, table, play, View::default()) });
    let title = format!("{} · {}", web.words.game(&table.terms().game), table.id());
    let winners = match table.status() {
        Status::Over(ending) => ending.winners.clone(),
        _ => Vec::new(),
    };
    let result = result(web, table, play);
    let scores = table.scores();
    let sides: Vec<_> = Seat::all(table.chairs().len())
        .map(|seat| (web.words.side(play, seat), program(web, table, seat)))
        .collect();
    let players: Vec<_> = Seat::all(sides.len())
        .zip(&sides)
        .map(|(seat, (side, program))| CardPlayer {
            name: side,
            seat: side,
            note: program,
            emblem: Some(play.emblem(seat)),
            score: scores.as_ref().map(|scores| scores[seat.index()].points.to_string()),
            won: winners.contains(&seat),
        })
        .collect();
    let card = Card { board: &board, title: &title, result: &result, players: &players };
    Some(web.drawing.painter().card(&card, &web.names))
}

/// Returns the lines of a share card: who won and why, or whose turn it is.
fn result(web: &Web, table: &Table, play: &dyn Play) -> Vec<String> {
    match GameResult::of(table) {
        Some(result) => {
            web.words.result_lines(&result, &|seat| web.words.result_name(table, seat, Naming::Sides)).into()
        }
        None => vec![state(web, table, play)],
    }
}

/// Returns the record of a table, with the table's name but without names of people.
fn record_of(table: &Table) -> Option<String> {
    Some(game_record::public_record(table)?.write(table.chairs().len()))
}
