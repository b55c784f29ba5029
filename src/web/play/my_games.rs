//! The list of a person's running games, those that wait for them first, and of their finished games and studies.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::TryStreamExt;
use futures_util::future::join_all;
use rookery_core::Play;
use rookery_i18n::Localizer;
use rookery_table::digest::sha256_hex;
use rookery_table::ports::{Card, Filter, PersonalResult, Stage};
use rookery_table::{ChannelId, TableId, UserId};
use serde::Deserialize;
use serde_json::json;

use super::super::discord_side::DiscordSide;
use super::super::session::signed_in;
use super::super::state::Web;
use super::access::{discord_side, not_begun};
use super::board::{headline, small_board};
use super::expected_person::ExpectedPerson;
use super::my_games_page::{self, Finished, Listed};
use super::names::{name_of, player_name};
use super::page::full_title;
use super::response::{Denied, html_response};
use super::sentence::plain;

/// The most games with a board on the page.
const MAX_LISTED: usize = 24;
/// The most games that are looked through for those that wait.
const MAX_READ: usize = 200;
/// The most finished games and studies on the page.
const MAX_FINISHED: usize = 20;
/// The most that are looked through for those that had begun.
const MAX_FINISHED_READ: usize = 60;

/// What the page shows.
pub(super) struct OwnGames {
    /// The running games, those that wait for the person first.
    pub(super) games: Vec<Listed>,
    /// The number of all running games: the page doesn't show more than [`MAX_LISTED`].
    pub(super) running: usize,
    /// The number of all that wait for the person.
    pub(super) waiting: usize,
    /// The digest of the running games.
    pub(super) digest: String,
    /// The latest finished games and studies.
    pub(super) finished: Vec<Finished>,
}

/// Serves the page.
pub(in crate::web) async fn page(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    let found = async {
        let person = signed_in(&web, &headers).await?.ok_or(Denied::SignedOut)?;
        let own = own_games(&web, person.who).await?;
        Ok(html_response(my_games_page::page(web.words, &own, person.who)))
    };
    found.await.unwrap_or_else(|denied: Denied| denied.into_page(web.words))
}

/// Serves the list as JSON, for the page of a person. It must not turn into that of another who signs in with the same
/// browser.
pub(in crate::web) async fn list(
    State(web): State<Arc<Web>>,
    Query(expected): Query<ExpectedPerson>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let person = expected.signed_in(&web, &headers).await?;
        let own = own_games(&web, person.who).await?;
        let games = my_games_page::games(web.words, &own).into_string();
        let title = full_title(&my_games_page::title(web.words, own.waiting));
        Ok(Json(json!({ "digest": own.digest, "title": title, "games": games })).into_response())
    };
    found.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

async fn own_games(web: &Arc<Web>, who: UserId) -> Result<OwnGames, Denied> {
    let (discord, cards) = (discord_side(web)?, running(web, who).await?);
    let (running, waiting) = (cards.len(), cards.iter().filter(|card| card.waits_now_on(who)).count());
    let digest = digest(&cards, who);
    let mut games = Vec::new();
    for card in cards.into_iter().take(MAX_LISTED) {
        let table = card.id;
        match listed(web, discord.as_ref(), who, card).await {
            Ok(game) => games.push(game),
            // A table that can't be read must not hide the others.
            Err(refusal) => tracing::warn!(%table, ?refusal, "a game is missing from a list"),
        }
    }
    Ok(OwnGames { games, running, waiting, digest, finished: finished(web, who).await? })
}

/// Opens and draws a running game for the list.
async fn listed(
    web: &Arc<Web>,
    discord: &dyn DiscordSide,
    who: UserId,
    card: Card,
) -> Result<Listed, Denied> {
    let opened = discord.open(who, card.id).await?;
    web.compute(move |_| {
        let play = opened.table.play().ok_or_else(|| not_begun(&opened))?;
        let waits = card.waits_now_on(who);
        let player = |play: &dyn Play, seat| player_name(&opened, play, seat);
        let headline = plain(&headline(&opened, play, waits, &player), &|who| name_of(&opened, play, who));
        let game = opened.words.game(&opened.table.terms().game);
        let against = against(opened.words, &card, who, &opened.names);
        let board = small_board(&opened, play);
        Ok(Listed { table: opened.table.id(), game, against, headline, board, waits })
    })
    .await
}

/// Returns a digest of a person's running games, which differs after each entry of their tables.
pub(super) fn digest(cards: &[Card], who: UserId) -> String {
    let line = |card: &Card| {
        format!("{} {} {} {}\n", card.id, card.at.as_millisecond(), card.ply, card.waits_now_on(who))
    };
    sha256_hex(&cards.iter().map(line).collect::<String>())[..16].to_owned()
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
    found.await.map_or_else(
        |denied: Denied| denied.into_page(web.words),
        |there: String| Redirect::to(&there).into_response(),
    )
}

/// Returns a person's running games, those that wait for them first.
pub(super) async fn running(web: &Web, who: UserId) -> Result<Vec<Card>, Denied> {
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
    let begun = cards.into_iter().filter(|card| card.imported || card.ply > 0).take(MAX_FINISHED);
    let discord = discord_side(web)?;
    let finished = begun.map(async |card| Finished {
        against: against(web.words, &card, who, &discord.names(&card).await),
        table: card.id,
        game: web.words.game(&card.game),
        kind: kind(&card, who),
        ply: card.ply,
    });
    Ok(join_all(finished).await)
}

/// Says who the opponents are; empty without any.
fn against(words: &Localizer, card: &Card, who: UserId, names: &BTreeMap<UserId, String>) -> String {
    let unnamed = |who: UserId| words.say("page-unnamed", &[("id", who.0.to_string().into())]);
    let name = |who: UserId| Some(names.get(&who).cloned().unwrap_or_else(|| unnamed(who)));
    match words.opponents(card, who) {
        opponents if opponents.is_empty() => opponents,
        opponents => words.say("page-against", &[("who", plain(&opponents, &name).into())]),
    }
}

/// Returns what kind of game it was, or how it ended for a person. A study belongs to no channel.
fn kind(card: &Card, who: UserId) -> &'static str {
    match card.result_for(who) {
        _ if card.imported && card.opened_in == Some(ChannelId::default()) => "study",
        _ if card.imported => "imported",
        Some(PersonalResult::Won) => "won",
        Some(PersonalResult::Shared) => "drew",
        Some(PersonalResult::Lost) => "lost",
        None => "over",
    }
}

/// Returns the latest tables that match a filter, `most` at most.
async fn latest(web: &Web, filter: &Filter, most: usize) -> Result<Vec<Card>, Denied> {
    let mut latest = web.registry.latest(filter);
    let mut cards = Vec::new();
    while cards.len() < most
        && let Some(card) = latest.try_next().await.map_err(|error| {
            tracing::warn!(%error, "could not list a person's games");
            Denied::Later("denied-journal")
        })?
    {
        cards.push(card);
    }
    Ok(cards)
}
