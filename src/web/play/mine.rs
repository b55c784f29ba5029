//! The list of a person's running games, those that wait for them first.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::TryStreamExt;
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::{TableId, UserId};
use serde::Deserialize;

use super::super::session::signed_in;
use super::super::state::Web;
use super::access::{compute, players};
use super::board::{headline, small_board};
use super::names::name_of;
use super::page::{self, Listed};
use super::response::{Denied, own_page};
use super::sentence::plain;

/// The most games with a board on the page.
const MAX_LISTED: usize = 24;
/// The most games that are looked through for those that wait.
const MAX_READ: usize = 200;

/// Serves the page.
pub(in crate::web) async fn page(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    list(&web, &headers).await.unwrap_or_else(Denied::into_page)
}

async fn list(web: &Arc<Web>, headers: &HeaderMap) -> Result<Response, Denied> {
    let who = signed_in(web, headers).await?.ok_or(Denied::SignedOut)?.who;
    let (players, cards) = (players(web)?, running(web, who).await?);
    let mut listed = Vec::new();
    for card in cards.iter().take(MAX_LISTED) {
        // A table that can't be read must not hide the others.
        let Ok(opened) = players.open(who, card.id).await else { continue };
        let waits = card.waits_now_on(who);
        let game = compute(web, move |_| {
            let play = opened.table.play()?;
            let headline = plain(&headline(&opened, play, waits), &|who| name_of(&opened, play, who));
            let game = opened.words.game(&opened.table.terms().game);
            Some(Listed { table: opened.table.id(), game, headline, board: small_board(&opened)?, waits })
        });
        listed.extend(game.await.ok());
    }
    Ok(own_page(page::mine(web.words, &listed, cards.len())))
}

/// The table after which the next one is asked for.
#[derive(Deserialize)]
pub(in crate::web) struct After {
    after: Option<String>,
}

/// Leads to the next game that waits for the person, or to the list if none does.
pub(in crate::web) async fn next(
    State(web): State<Arc<Web>>,
    Query(After { after }): Query<After>,
    headers: HeaderMap,
) -> Response {
    let after: Option<TableId> = after.and_then(|after| after.parse().ok());
    let found = async {
        let who = signed_in(&web, &headers).await?.ok_or(Denied::SignedOut)?.who;
        let mut waiting: Vec<_> =
            running(&web, who).await?.into_iter().filter(|card| card.waits_now_on(who)).collect();
        waiting.sort_by_key(|card| card.id);
        let later = waiting.iter().find(|card| Some(card.id) > after);
        let next = later.or(waiting.first()).map(|card| card.id).filter(|id| Some(*id) != after);
        Ok(next.map_or_else(|| "/play".to_owned(), |id| format!("/play/{id}")))
    };
    found.await.map_or_else(Denied::into_page, |there: String| Redirect::to(&there).into_response())
}

/// Returns a person's running games, those that wait for them first.
async fn running(web: &Web, who: UserId) -> Result<Vec<Card>, Denied> {
    let filter = Filter { person: Some(who), stage: Some(Stage::Running), ..Filter::default() };
    let mut latest = web.registry.latest(&filter);
    let mut cards = Vec::new();
    while cards.len() < MAX_READ
        && let Some(card) = latest.try_next().await.map_err(|error| {
            tracing::warn!(%error, "could not list a person's games");
            Denied::Later(web.words.word("denied-journal"))
        })?
    {
        cards.push(card);
    }
    cards.sort_by_key(|card| !card.waits_now_on(who));
    Ok(cards)
}
