//! The position editor: the server makes each position from the one before and an edit. The page keeps the position as a
//! line in its address, so that nothing is stored before a study or a game is opened.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use rookery_core::player::Level;
use rookery_core::rules::{AllowedValues, Setup};
use rookery_core::scene::{DrawOptions, Item, Style};
use rookery_core::svg::{inline_svg, stamp_svg};
use rookery_core::{Cell, EditorPiece, Game, Play, PositionEdit};
use rookery_i18n::Localizer;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::discord_side::{Preferences, Refusal};
use super::super::redirect_target::encoded;
use super::super::session::{SignedIn, signed_in};
use super::super::state::Web;
use super::access::{discord_side, open_for_signed_in};
use super::board::{CellView, cell_contents, cell_views, corner_views};
use super::cells::cells;
use super::edits::{self, Edited};
use super::order_query::ID_CHARS;
use super::orders::{check_csrf, page_order_id};
use super::positions::PlaceQuery;
use super::response::{Denied, html_response};
use super::set_up_page;
use super::sheets::{self, SheetQuery};

/// The most bytes of a position's line, far above the longest.
const MAX_LINE_BYTES: usize = 2_000;

/// The edit that takes all pieces off the board, and that which begins with another random layout.
const EMPTY: &str = "empty";
const RANDOM: &str = "random";

/// A position, and the edit that leads to the next one.
#[derive(Deserialize)]
pub(in crate::web) struct SetUpQuery {
    /// The position as a line; without it, the start of a game.
    position: Option<String>,
    /// The edits ([`PositionEdit::read`]) with commas between them, or [`EMPTY`] or [`RANDOM`], if any.
    edit: Option<String>,
    /// The number of players at the start.
    seats: Option<usize>,
    /// The size of the board at the start, in games with sizes.
    size: Option<String>,
    /// The seed of the layout at the start, or of [`RANDOM`], in games with random layouts.
    seed: Option<u32>,
}

/// A position to play on from.
#[derive(Deserialize)]
pub(in crate::web) struct PlayOnQuery {
    position: String,
    /// The bot's level, by its key.
    level: String,
    /// The id that the page made.
    id: String,
}

/// What the page shows of a position.
#[derive(Serialize)]
pub(super) struct SetUpView {
    /// The position as a line.
    pub(super) position: String,
    /// The drawing.
    pub(super) board: String,
    cells: Vec<CellView>,
    /// The corners of a cell, as distances from its centre.
    corners: Vec<[f32; 2]>,
    /// The number of the player to move, from 1.
    turn: u8,
    /// The points of each player, in games with points.
    points: Option<Vec<String>>,
    /// Whether the game is over.
    over: bool,
    /// What stays on a board that was emptied, and why, in words.
    stays: Option<String>,
    /// What the edit has changed besides what was asked for, in words.
    notes: Vec<String>,
}

/// A piece that can be put on the board.
pub(super) struct TrayPiece {
    /// Its sign in an edit.
    pub(super) sign: &'static str,
    pub(super) name: String,
    /// Its drawing, if it can be put anywhere now.
    pub(super) drawing: Option<String>,
    /// Whether there is only one: put on another cell, it leaves the cell where it was.
    pub(super) is_single: bool,
}

/// A board that can be begun with.
pub(super) struct NewBoard {
    pub(super) seats: usize,
    pub(super) size: Option<&'static str>,
}

/// Serves the list of the games.
pub(in crate::web) async fn games(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    match preferences(&web, &headers).await {
        Ok((_, Preferences { words, .. })) => html_response(set_up_page::games(words, rookery_games::all())),
        Err(denied) => denied.into_page(web.words),
    }
}

/// Leads to the page with a position of a table's game, also of a running one: who sees the board may copy it.
pub(in crate::web) async fn of_table(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    place: Result<Query<PlaceQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let (_, opened) = open_for_signed_in(&web, &table, &headers).await?;
        let Query(place) = place.map_err(|_| Denied::Malformed)?;
        let address = web.compute(move |_| {
            let play = place.position(&opened.table).ok_or(Denied::Malformed)?;
            Ok::<_, Denied>(format!("/play/set-up/{}?position={}", play.info().key, encoded(&play.line())))
        });
        Ok(Redirect::to(&address.await?).into_response())
    };
    found.await.unwrap_or_else(|denied: Denied| denied.into_page(web.words))
}

/// Serves the page.
pub(in crate::web) async fn page(
    State(web): State<Arc<Web>>,
    Path(game): Path<String>,
    query: Result<Query<SetUpQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let Request { person, preferences, game, query } = read(&web, &headers, &game, query).await?;
        let words = preferences.words;
        let drawn = move |_: &Web| {
            let (play, view) = shown(&preferences, game, &query)?;
            let tray = tray(&preferences, play.as_ref());
            Ok::<_, Denied>((play, view, tray))
        };
        let (play, view, tray) = web.compute(drawn).await?;
        let boards = new_boards(game);
        Ok(html_response(set_up_page::page(
            words,
            play.as_ref(),
            &view,
            &tray,
            &boards,
            &person.csrf_token(),
        )))
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_page(web.words))
}

/// Serves the position after an edit, as JSON.
pub(in crate::web) async fn position(
    State(web): State<Arc<Web>>,
    Path(game): Path<String>,
    query: Result<Query<SetUpQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let Request { preferences, game, query, .. } = read(&web, &headers, &game, query).await?;
        let (_, view) = web.compute(move |_| shown(&preferences, game, &query)).await?;
        Ok(Json(view).into_response())
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// Serves a page to print with the position.
pub(in crate::web) async fn sheet(
    State(web): State<Arc<Web>>,
    Path(game): Path<String>,
    query: Result<Query<SetUpQuery>, QueryRejection>,
    sheet: Result<Query<SheetQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let Request { preferences, game, query, .. } = read(&web, &headers, &game, query).await?;
        let (paper, format) = sheet.map_err(|_| Denied::Malformed)?.sheet()?;
        let words = preferences.words;
        let drawn = move |_: &Web| {
            let edited = edited(words, game, &query)?;
            Ok::<_, Denied>(sheets::drawn(words, edited.play.as_ref(), paper, format))
        };
        Ok(sheets::file(game.info().key, format, web.compute(drawn).await?))
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_page(web.words))
}

/// Stores the position as a study of the person; responds with its table.
pub(in crate::web) async fn study(
    State(web): State<Arc<Web>>,
    Path(game): Path<String>,
    query: Result<Query<SetUpQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let Request { person, preferences, game, query } = read(&web, &headers, &game, query).await?;
        check_csrf(&web, &headers, &person)?;
        let words = preferences.words;
        let Edited { play, .. } = web.compute(move |_| edited(words, game, &query)).await?;
        let table = discord_side(&web)?.study(person.who, play).await?;
        Ok(Json(json!({ "next": table })).into_response())
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// Opens a game against the bot from the position; responds with its table.
pub(in crate::web) async fn play_on(
    State(web): State<Arc<Web>>,
    Path(game): Path<String>,
    query: Result<Query<PlayOnQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let made = async {
        let (person, Preferences { words, .. }) = preferences(&web, &headers).await?;
        check_csrf(&web, &headers, &person)?;
        let (game, Query(query)) = (named(&web, &game)?, query.map_err(|_| Denied::Malformed)?);
        let level = Level::named(&query.level).ok_or(Denied::Malformed)?;
        if !ID_CHARS.contains(&query.id.len()) {
            return Err(Denied::Malformed);
        }
        let source = page_order_id(person.who, game.info().key, &query.id);
        let play = web.compute(move |_| resumed(words, game, &query.position)).await?;
        let table = discord_side(&web)?.play_on(person.who, play, level, source).await?;
        Ok(Json(json!({ "next": table })).into_response())
    };
    made.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// A request of a signed-in person about one game.
struct Request {
    person: SignedIn,
    preferences: Preferences,
    game: &'static dyn Game,
    query: SetUpQuery,
}

async fn read(
    web: &Web,
    headers: &HeaderMap,
    game: &str,
    query: Result<Query<SetUpQuery>, QueryRejection>,
) -> Result<Request, Denied> {
    let (person, preferences) = preferences(web, headers).await?;
    let (game, Query(query)) = (named(web, game)?, query.map_err(|_| Denied::Malformed)?);
    Ok(Request { person, preferences, game, query })
}

async fn preferences(web: &Web, headers: &HeaderMap) -> Result<(SignedIn, Preferences), Denied> {
    let person = signed_in(web, headers).await?.ok_or(Denied::SignedOut)?;
    let preferences = discord_side(web)?.preferences(person.who).await;
    Ok((person, preferences))
}

fn named(web: &Web, game: &str) -> Result<&'static dyn Game, Denied> {
    let found = rookery_games::named(game);
    found.ok_or_else(|| Denied::Refused(Refusal::NoTable(web.words.word("page-no-table"))))
}

/// Returns the position after the edits of a query, as a game that starts there.
fn edited(words: &Localizer, game: &dyn Game, query: &SetUpQuery) -> Result<Edited, Denied> {
    let play = match &query.position {
        Some(line) => resumed(words, game, line)?,
        None => start(game, query).ok_or(Denied::Malformed)?,
    };
    let play = match query.edit.as_deref() {
        None => play,
        Some(EMPTY) => emptied(play),
        Some(RANDOM) => random_start(game, play.as_ref(), query.seed).ok_or(Denied::Malformed)?,
        Some(edit) => return edits::edited(words, play, edit),
    };
    Ok(Edited { play, notes: Vec::new() })
}

/// Takes off the board whatever may be taken, piece by piece. What a position of the game needs stays, such as the last amazon
/// of each side.
fn emptied(mut play: Box<dyn Play>) -> Box<dyn Play> {
    loop {
        let before = play.line();
        for cell in play.board().cells() {
            while let Ok(after) = play.edited(&PositionEdit::Clear(cell)) {
                play = after;
            }
        }
        // A piece that had to stay may have to no longer, once others are gone.
        if play.line() == before {
            return play;
        }
    }
}

/// Returns the start of a game for as many players as a position has, on a board of its size if that size is offered.
fn random_start(game: &dyn Game, play: &dyn Play, seed: Option<u32>) -> Option<Box<dyn Play>> {
    let starts = new_boards(game).into_iter().filter(|board| board.seats == play.seats());
    let starts = starts.filter_map(|board| start_of(game, board.seats, board.size, seed));
    let mut starts: Vec<Box<dyn Play>> = starts.collect();
    let alike = starts.iter().position(|start| start.board().shape() == play.board().shape());
    (!starts.is_empty()).then(|| starts.swap_remove(alike.unwrap_or_default()))
}

/// Returns a game that starts at a position.
fn resumed(words: &Localizer, game: &dyn Game, line: &str) -> Result<Box<dyn Play>, Denied> {
    if line.len() > MAX_LINE_BYTES {
        return Err(Denied::Malformed);
    }
    game.resume(line).map_err(|bad| Denied::refused(words.bad_line(&bad)))
}

fn start(game: &dyn Game, query: &SetUpQuery) -> Option<Box<dyn Play>> {
    let seats = query.seats.unwrap_or_else(|| game.info().fewest());
    start_of(game, seats, query.size.as_deref(), query.seed)
}

fn start_of(game: &dyn Game, seats: usize, size: Option<&str>, seed: Option<u32>) -> Option<Box<dyn Play>> {
    let setup = Setup::new(seats).seeded(seed.unwrap_or_default().into());
    let setup = match size {
        Some(size) => setup.with("size", size),
        None => setup,
    };
    game.start(&setup).ok()
}

fn shown(
    preferences: &Preferences,
    game: &dyn Game,
    query: &SetUpQuery,
) -> Result<(Box<dyn Play>, SetUpView), Denied> {
    let Edited { play, notes } = edited(preferences.words, game, query)?;
    let look = DrawOptions { strip: false, ..preferences.look.clone() };
    let Some(found) = cells(play.as_ref(), &look) else {
        tracing::error!(position = play.line(), "the cells of a board were not found on its drawing");
        return Err(Denied::Later("denied-fault"));
    };
    let points = play.scores().map(|all| all.iter().map(|score| score.points.to_string()).collect());
    let view = SetUpView {
        position: play.line(),
        board: inline_svg(&play.scene(&look)),
        cells: cell_views(preferences.words, play.as_ref(), &found.centres),
        corners: corner_views(&found),
        turn: play.turn().number(),
        points,
        over: play.outcome().is_some(),
        stays: (query.edit.as_deref() == Some(EMPTY))
            .then(|| stays(preferences.words, play.as_ref()))
            .flatten(),
        notes,
    };
    Ok((play, view))
}

/// Returns the pieces that can be put on the board.
fn tray(preferences: &Preferences, play: &dyn Play) -> Vec<TrayPiece> {
    let look = DrawOptions { strip: false, style: Style::Plain, ..preferences.look.clone() };
    let free = cell_contents(preferences.words, play).into_iter().map(|content| content.bare);
    let free: Vec<Cell> =
        play.board().cells().zip(free).filter(|(_, bare)| *bare).map(|(cell, _)| cell).collect();
    let piece = |piece: EditorPiece| TrayPiece {
        sign: piece.sign,
        name: preferences.words.editor_piece(play, &piece),
        drawing: piece_drawing(play, &look, &piece),
        is_single: is_single(play, &piece, &free),
    };
    play.editor_pieces().into_iter().map(piece).collect()
}

/// Returns the position after a piece is put on a cell, if it can be.
fn with_piece(play: &dyn Play, piece: &EditorPiece, cell: Cell) -> Option<Box<dyn Play>> {
    play.edited(&PositionEdit::Put { piece: piece.sign.to_owned(), cell }).ok()
}

/// Whether a piece leaves a free cell as it was when it is put on another one.
fn is_single(play: &dyn Play, piece: &EditorPiece, free: &[Cell]) -> bool {
    let mut put = free.iter().filter_map(|cell| Some((*cell, with_piece(play, piece, *cell)?)));
    let (Some((_, first)), Some((cell, second))) = (put.next(), put.next()) else { return false };
    with_piece(first.as_ref(), piece, cell).is_some_and(|both| both.line() == second.line())
}

/// Draws a piece alone, as the board shows it: what is topmost on a cell where it was put. If all of its kind are on the board,
/// one is taken off first.
fn piece_drawing(play: &dyn Play, look: &DrawOptions, piece: &EditorPiece) -> Option<String> {
    let board = play.board();
    let put = |play: &dyn Play| board.cells().find_map(|cell| Some((cell, with_piece(play, piece, cell)?)));
    let less = || board.cells().find_map(|cell| put(play.edited(&PositionEdit::Clear(cell)).ok()?.as_ref()));
    let (cell, after) = put(play).or_else(less)?;
    let found = cells(after.as_ref(), look)?;
    let centre = found.centres[cell.index()];
    let radius = found.corners.iter().map(|corner| corner.x.hypot(corner.y)).fold(0.0, f32::max);
    let scene = after.scene(look);
    let stamp = scene.items.iter().rev().find_map(|item| match item {
        Item::Stamp(stamp, at) if (at.x - centre.x).hypot(at.y - centre.y) < radius * 0.6 => Some(stamp),
        _ => None,
    });
    stamp.map(|stamp| stamp_svg(stamp, scene.theme))
}

/// Says what stays on a board that was emptied, and why: positions need an amazon of each side, and a tile for every penguin
/// that is still to be placed.
fn stays(words: &Localizer, play: &dyn Play) -> Option<String> {
    let count = play.board().cells().filter(|cell| !play.signs_on(*cell).is_empty()).count();
    let left = play.placing().map(|placing| placing.left).unwrap_or_default();
    let args = [("game", play.info().key.into()), ("count", count.into()), ("left", left.into())];
    (count > 0).then(|| words.say("page-set-up-stays", &args))
}

/// Returns the boards that can be begun with: for each number of players, in each offered size.
fn new_boards(game: &dyn Game) -> Vec<NewBoard> {
    let sizes = game.info().options.iter().find_map(|option| match option.allowed {
        AllowedValues::Size { offered, .. } => Some(offered),
        _ => None,
    });
    let sizes: Vec<_> = sizes.map_or_else(|| vec![None], |sizes| sizes.iter().copied().map(Some).collect());
    let boards =
        |seats: &usize| sizes.iter().map(|size| NewBoard { seats: *seats, size: *size }).collect::<Vec<_>>();
    game.info().seats.iter().flat_map(boards).collect()
}
