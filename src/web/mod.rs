//! Web pages, served only if `web.listen` is set: watching by the random token of a link ([`rookery_table::share`]; `/g`, `/n`
//! and `/s`), signing in (`/in`, `/discord`), playing and setting up positions (`/play`), and the frame inside Discord (`/`).
//!
//! A page for watching is complete without JavaScript: it contains the board, steps through plies with links, and offers
//! the position and record as text. With JavaScript, arrow keys step in place, and a running game updates
//! itself (server-sent events). Visitors are not tracked, and people appear there only as their sides, because such a
//! page may be public. The rules of the games (`play::rules`) are for everyone.
//!
//! People also play on pages (`play`): a link from Discord signs their browser in (`sign_in_link`), or their Discord account
//! (`oauth`). Who may see a table and act there is decided by the bot ([`DiscordSide`]), as on Discord. Discord can show these
//! pages in a frame, as an Activity (`frame`).

mod annotated;
mod annotated_page;
mod discord_side;
mod discord_sign_in;
mod events;
mod frame;
mod oauth;
mod page;
mod play;
mod redirect_target;
mod response;
mod script_data;
mod session;
mod shared;
mod sign_in_link;
mod sign_in_pages;
mod state;
mod table;
mod view;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware;
use axum::response::Response;
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;

pub use discord_side::{
    DiscordSide, DiscordSideSlot, HintedMove, OpenOffer, OpenedTable, PageOrder, PageOrderOutcome,
    Preferences, Refusal, RematchState, TableAction,
};
pub use discord_sign_in::{DiscordSignIn, DiscordSignInError, FrameGrant, FramePlace, FrameToken};
pub use oauth::REDIRECT;
pub use state::Web;

use response::{PageError, with_error_page};

use crate::http_server::{Limits, Server};

/// Creates the server of the pages, within limits.
pub fn page_server(listener: TcpListener, web: Web, limits: Limits) -> Server {
    let tasks = web.registry.tasks().clone();
    Server::new("web", listener, router(Arc::new(web)), limits, tasks)
}

fn router(web: Arc<Web>) -> Router {
    Router::new()
        .route("/", get(frame::front))
        .route("/frame/session", post(frame::enter))
        .route("/g/{token}", get(table::page))
        .route("/g/{token}/step", get(table::step))
        .route("/g/{token}/board.png", get(table::board))
        .route("/g/{token}/card.png", get(table::card))
        .route("/g/{token}/record.txt", get(table::record))
        .route("/g/{token}/events", get(events::events))
        .route("/n/{token}", get(annotated::page))
        .route("/s/{token}", get(shared::server))
        .route("/in/{token}", get(sign_in_link::page).post(sign_in_link::sign_in))
        .route("/discord", get(oauth::begin))
        .route("/discord/return", get(oauth::finish))
        .route("/play", get(play::my_games::page))
        .route("/play/list", get(play::my_games::list))
        .route("/play/events", get(play::my_games_events::events))
        .route("/play/next", get(play::my_games::next))
        .route("/play/rules/{game}", get(play::rules::page))
        .route("/play/set-up", get(play::set_up::games))
        .route("/play/set-up/{game}", get(play::set_up::page))
        .route("/play/set-up/{game}/sheet", get(play::set_up::sheet))
        .route("/play/set-up/{game}/position", get(play::set_up::position))
        .route("/play/set-up/{game}/study", post(play::set_up::study))
        .route("/play/set-up/{game}/play", post(play::set_up::play_on))
        .route("/play/{table}", get(play::tables::page))
        .route("/play/{table}/state", get(play::tables::state))
        .route("/play/{table}/after", get(play::tables::after))
        .route("/play/{table}/position", get(play::positions::position_view))
        .route("/play/{table}/set-up", get(play::set_up::of_table))
        .route("/play/{table}/sheet", get(play::sheets::sheet))
        .route("/play/{table}/lines", post(play::lines::lines))
        .route("/play/{table}/events", get(play::events::events))
        .route("/play/{table}/annotations", get(play::annotations::list))
        .route("/play/{table}/annotation", post(play::annotations::save))
        .route("/play/{table}/annotations/share", post(play::annotations::share))
        .route("/play/{table}/annotations/stop", post(play::annotations::stop_sharing))
        .route("/play/{table}/order", post(play::orders::order))
        // Addresses of older versions contain a table's name; they get the same response as unknown ones, without a
        // lookup.
        .fallback(|| async { PageError::NotFound })
        .layer(middleware::map_response_with_state(web.clone(), with_error_page))
        .layer(middleware::from_fn_with_state(web.clone(), oauth::offer))
        .layer(middleware::from_fn_with_state(web.clone(), frame::allow))
        .layer(middleware::map_response(with_privacy_headers))
        // The scripts and the style are the same for all people, so browsers may keep them, and nobody learns a secret from how much
        // they shrink. Pages contain secrets, and text that others chose, and so aren't compressed.
        .route("/play/files/{version}/{name}", get(play::files::file).layer(CompressionLayer::new()))
        .with_state(web)
}

/// Adds headers to a response: no cache may keep it, no search engine may list it, and no referrer may reveal
/// its address, which grants the access.
async fn with_privacy_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("no-referrer"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow, noarchive"));
    response
}
