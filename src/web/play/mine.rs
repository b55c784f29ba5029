//! The list of a person's running games, those that wait for them first, and of their finished games and studies.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::TryStreamExt;
use rookery_core::Seat;
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::{TableId, UserId};
use serde::Deserialize;

use super::super::session::signed_in;
use super::super::state::Web;
use super::access::{compute, players};
use super::board::{headline, small_board};
use super::names::name_of;
use super::page::{self, Finished, Listed};
use super::response::{Denied, own_page};
use super::sentence::plain;

/// The most games with a board on the page.
const MAX_LISTED: usize = 24;
/// The most games that are looked through for those that wait.
const MAX_READ: usize = 200;
/// The most finished games and studies on the page.
const MAX_FINISHED: usize = 20;
/// The most that are looked through for those that had begun.
const MAX_FINISHED_READ: usize = 60;

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
    let finished = finished(web, who).await?;
    Ok(own_page(page::mine(web.words, &listed, cards.len(), &finished)))
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
    let mut cards = latest(web, &filter, MAX_READ).await?;
    cards.sort_by_key(|card| !card.waits_now_on(who));
    Ok(cards)
}

/// Returns a person's latest finished games and studies. Their index entries say all that is shown, so no table is read.
async fn finished(web: &Web, who: UserId) -> Result<Vec<Finished>, Denied> {
    let filter = Filter { person: Some(who), stage: Some(Stage::Over), ..Filter::default() };
    let cards = latest(web, &filter, MAX_FINISHED_READ).await?;
    // A game that never began has no board.
    let begun = cards.into_iter().filter(|card| card.imported || card.ply > 0);
    let listed = |card: Card| Finished {
        table: card.id,
        game: web.words.game(&card.game),
        kind: kind(&card, who),
        ply: card.ply,
    };
    Ok(begun.take(MAX_FINISHED).map(listed).collect())
}

/// Returns how a game ended for a person.
fn kind(card: &Card, who: UserId) -> &'static str {
    if card.imported {
        return "study";
    }
    let held: Vec<_> =
        Seat::all(card.people.len()).filter(|seat| card.people[seat.index()] == Some(who)).collect();
    let has_won = held.iter().any(|seat| card.winners.contains(seat));
    match (card.winners.len(), held.len()) {
        (0, _) | (_, 0) => "over",
        (winners, _) if winners == card.people.len() => "drew",
        _ if has_won => "won",
        _ => "lost",
    }
}

/// Returns the latest tables that match a filter, `most` at most.
async fn latest(web: &Web, filter: &Filter, most: usize) -> Result<Vec<Card>, Denied> {
    let mut latest = web.registry.latest(filter);
    let mut cards = Vec::new();
    while cards.len() < most
        && let Some(card) = latest.try_next().await.map_err(|error| {
            tracing::warn!(%error, "could not list a person's games");
            Denied::Later(web.words.word("denied-journal"))
        })?
    {
        cards.push(card);
    }
    Ok(cards)
}
