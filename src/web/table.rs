//! What is asked of one table.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::page::Address;
use super::shared::{SharedTable, shared_table};
use super::{PageNotFound, Web, html, page};
use crate::drawing::{DrawError, File, Kind, WaitPolicy};
use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Cell, Play, Seat};
use rookery_i18n::last_out;
use rookery_render::{Card, CardPlayer, Fingerprint, Painter, png};
use rookery_table::{Occupant, Status, Table, game_record, hints};

/// The width of a board's picture in pixels: sharp at twice the density of a phone.
const WIDTH_PX: u32 = 840;
/// After how many seconds to ask again where too many pictures are being drawn.
const RETRY_AFTER_S: &str = "2";
/// How strongly a region is tinted by whose it is.
const TINT: f32 = 0.45;

/// Which moment of a game, and how it is looked at.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct View {
    /// Turns taken; the latest if none is given or it has not come to that.
    pub(super) ply: Option<usize>,
    /// Whether regions are tinted by whose they are.
    pub(super) territory: bool,
}

/// A moment of a game, ready to be shown.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    /// Turns taken.
    pub(super) ply: usize,
    /// Turns taken by now.
    pub(super) last: usize,
    /// Which moment this is, and the move that led here, in words.
    pub(super) played: String,
    /// What the table's state is, or whose turn it was.
    pub(super) state: String,
    /// The board in words.
    pub(super) alt: String,
    /// The board in plain characters.
    pub(super) text: String,
    /// The position in the game's own line.
    pub(super) position: String,
    /// The whole game as plain text.
    pub(super) record: String,
    /// The board as a data URL.
    pub(super) picture: String,
}

/// The table's page.
pub(super) async fn page(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    Query(view): Query<View>,
) -> Result<Response, PageNotFound> {
    let (web, shown, view) = find_view(web, &token, view).await?;
    let more = shown.server_page(&web).await?;
    let board = match board_file(&web, &shown.table, view).await {
        Ok(board) => board,
        Err(why) => return not_drawn(&web, &why),
    };
    compute(&web.clone(), move || {
        let step = step_of(&web, &shown.table, view, &board)?;
        let address = Address { table: shown.address(), server: more };
        Some(html(page::table(&web, &shown.table, &step, view, &address)))
    })
    .await
}

/// The same moment as data, for stepping in place.
pub(super) async fn step(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    Query(view): Query<View>,
) -> Result<Response, PageNotFound> {
    let (web, shown, view) = find_view(web, &token, view).await?;
    let board = match board_file(&web, &shown.table, view).await {
        Ok(board) => board,
        Err(why) => return not_drawn(&web, &why),
    };
    compute(&web.clone(), move || Some(Json(step_of(&web, &shown.table, view, &board)?).into_response()))
        .await
}

/// The board alone.
pub(super) async fn board(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
    Query(view): Query<View>,
) -> Result<Response, PageNotFound> {
    let (web, shown, view) = find_view(web, &token, view).await?;
    let drawn = board_file(&web, &shown.table, view).await;
    drawn.map(|file| image(file.to_vec())).or_else(|why| not_drawn(&web, &why))
}

/// The picture beside a link to the page.
pub(super) async fn card(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Response, PageNotFound> {
    let table = shared_table(&web, &token).await?.table;
    let (of, drawing) = (card_print(&web, &table), web.drawing.clone());
    let card = web.clone();
    let drawn =
        drawing.picture(of, Kind::Still, WaitPolicy::Refuse, move |_| share_card(&card, &table)).await;
    drawn.map(|file| image(file.to_vec())).or_else(|why| not_drawn(&web, &why))
}

/// The game as plain text.
pub(super) async fn record(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Response, PageNotFound> {
    let table = shared_table(&web, &token).await?.table;
    compute(&web, move || {
        let text = record_of(&table)?;
        Some(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
    })
    .await
}

/// What a token shows, and how it is looked at: whose regions are is not told of a casual game where a rated one
/// stands.
async fn find_view(
    web: Arc<Web>,
    token: &str,
    view: View,
) -> Result<(Arc<Web>, SharedTable, View), PageNotFound> {
    let shown = shared_table(&web, token).await?;
    let helps = view.territory && would_reveal_rated_game(&web, &shown.table, view).await?;
    Ok((web, shown, View { territory: view.territory && !helps, ..view }))
}

/// Whether whose regions are at a moment of a casual game is help in a rated one.
async fn would_reveal_rated_game(web: &Web, table: &Arc<Table>, view: View) -> Result<bool, PageNotFound> {
    let of = table.clone();
    let moment =
        web.registry.tasks().compute("position", move || at(&of, view)).await.map_err(|_| PageNotFound)?;
    Ok(match moment {
        Some(play) => web.registry.would_reveal_rated_game(table, play.as_ref()).await,
        None => false,
    })
}

/// What tells a board apart from all others: a table that has as many entries as before is as it was.
fn board_print(web: &Web, table: &Table, view: View) -> Fingerprint {
    Fingerprint::of(|parts| {
        parts.text("web board");
        parts.text(&format!("{} {} {:?} {}", table.id(), table.sequence(), view, web.theme));
    })
}

/// The same of a card.
fn card_print(web: &Web, table: &Table) -> Fingerprint {
    Fingerprint::of(|parts| {
        parts.text("web card");
        parts.text(&format!("{} {} {}", table.id(), table.sequence(), web.theme));
    })
}

/// The board at a moment, as a PNG: the picture cache draws it once for the board's own address, the page and the steps.
async fn board_file(web: &Arc<Web>, table: &Arc<Table>, view: View) -> Result<File, DrawError> {
    let (of, drawing) = (board_print(web, table, view), web.drawing.clone());
    let (web, table) = (web.clone(), table.clone());
    let draw = move |_: &Painter| Some(picture(&web, &table, at(&table, view)?.as_ref(), view));
    drawing.picture(of, Kind::Still, WaitPolicy::Refuse, draw).await
}

/// Drawing and counting are done on a drawing thread; where too many wait for one, nothing is done.
async fn compute(
    web: &Web,
    work: impl FnOnce() -> Option<Response> + Send + 'static,
) -> Result<Response, PageNotFound> {
    match web.drawing.run(Kind::Still, WaitPolicy::Refuse, |_| work()).await {
        Ok(done) => done.ok_or(PageNotFound),
        Err(why) => not_drawn(web, &why),
    }
}

fn not_drawn(web: &Web, why: &DrawError) -> Result<Response, PageNotFound> {
    match why {
        DrawError::Failed(_) => Err(PageNotFound),
        DrawError::TooMany => {
            let told = web.words.word("too-many-pictures");
            let later = [(header::RETRY_AFTER, RETRY_AFTER_S)];
            Ok((StatusCode::SERVICE_UNAVAILABLE, later, told).into_response())
        }
    }
}

fn image(png: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "image/png")], png).into_response()
}

/// The game at a moment; `None` before it has begun.
fn at(table: &Table, view: View) -> Option<Box<dyn Play>> {
    let play = table.play()?;
    Some(play.at_ply(view.ply.unwrap_or(usize::MAX).min(play.ply())))
}

fn step_of(web: &Web, table: &Table, view: View, board: &[u8]) -> Option<Step> {
    let play = at(table, view)?;
    let words = web.words;
    // Whose regions are is told where it is shown.
    let tinted = view.territory.then(|| look(web, table, play.as_ref(), view));
    Some(Step {
        ply: play.ply(),
        last: table.ply(),
        played: played(web, play.as_ref(), table.ply()),
        state: state(web, table, play.as_ref()),
        alt: words.alt(&words.board(table, play.as_ref(), tinted.as_ref())),
        text: play.text_board(),
        position: play.line(),
        record: record_of(table).unwrap_or_default(),
        picture: format!("data:image/png;base64,{}", STANDARD.encode(board)),
    })
}

/// Which of so many turns this is, and the move that was played.
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

/// How it ended, where it ends; whose turn it is, where it does not.
fn state(web: &Web, table: &Table, play: &dyn Play) -> String {
    match table.status() {
        Status::Over(ending) if table.ends_with(play) => {
            web.words.ending_of(ending, last_out(table), |seat| player(web, table, seat))
        }
        _ => web.words.say("web-turn", &[("who", player(web, table, play.turn()).into())]),
    }
}

/// Who holds a seat: people by the side they play, the program by its level as well.
pub(super) fn player(web: &Web, table: &Table, seat: Seat) -> String {
    let Some(play) = table.play() else { return String::new() };
    match table.occupant(seat) {
        _ if table.gone().contains(&seat) => web.words.on_side(play, seat, web.words.word("seat-gone")),
        Some(ai @ Occupant::Ai { .. }) => web.words.on_side(play, seat, web.words.occupant(ai)),
        _ => web.words.side(play, seat),
    }
}

fn look(web: &Web, table: &Table, play: &dyn Play, view: View) -> DrawOptions {
    let owners = if view.territory { territory(table, play) } else { Vec::new() };
    let over = table.ends_with(play);
    DrawOptions { theme: web.theme.clone(), owners, over, ..DrawOptions::from_seat(Seat::FIRST) }
}

fn scene(web: &Web, table: &Table, play: &dyn Play, view: View) -> Scene {
    play.scene(&look(web, table, play, view))
}

fn picture(web: &Web, table: &Table, play: &dyn Play, view: View) -> Vec<u8> {
    png(&web.drawing.painter().picture(&scene(web, table, play, view), WIDTH_PX))
}

/// The regions that only one side can still use. None while they are shared, which is most of a game, and
/// while a game goes on that counts for ratings.
fn territory(table: &Table, play: &dyn Play) -> Vec<(Cell, Seat, f32)> {
    let owned = hints::territory(table, play).ok().flatten().unwrap_or_default();
    owned.into_iter().map(|(cell, owner)| (cell, owner, TINT)).collect()
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
            won: winners.contains(&(seat.index() as u8)),
        })
        .collect();
    let card = Card { board: &board, title: &title, result: &result, players: &players };
    Some(web.drawing.painter().card(&card, &web.names))
}

/// The lines of a card: who won and why, or whose turn it is.
fn result(web: &Web, table: &Table, play: &dyn Play) -> Vec<String> {
    match table.status() {
        Status::Over(ending) => {
            web.words.ending_lines(ending, last_out(table), |seat| web.words.side(play, seat)).into()
        }
        _ => vec![state(web, table, play)],
    }
}

/// What the program at a seat is called; nothing for people.
fn program(web: &Web, table: &Table, seat: Seat) -> String {
    let ai = table.occupant(seat).filter(|who| matches!(who, Occupant::Ai { .. }));
    ai.map(|ai| web.words.occupant(ai)).unwrap_or_default()
}

/// The record of a table, with the table's name and no people's.
fn record_of(table: &Table) -> Option<String> {
    Some(game_record::public_record(table)?.write(table.chairs().len()))
}
