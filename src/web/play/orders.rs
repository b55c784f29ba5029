//! Orders of pages: the page makes an order's id, and sends it with the same id until it is answered.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use rookery_table::digest::sha256_hex;
use rookery_table::{SourceId, UserId};
use serde_json::json;

use super::super::session::{CSRF_HEADER, SignedIn, is_same_origin_request, signed_in};
use super::super::state::Web;
use super::access::{discord_side, read_table, state_of};
use super::order_query::OrderQuery;
use super::response::Denied;
use super::sentence::plain;

/// Takes an order of a page; responds with what was done, in words, and the new state.
pub(in crate::web) async fn order(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
    query: Result<Query<OrderQuery>, QueryRejection>,
) -> Response {
    let done = async {
        let person = signed_in(&web, &headers).await?.ok_or(Denied::SignedOut)?;
        check_csrf(&web, &headers, &person)?;
        let Query(query) = query.map_err(|_| Denied::Malformed)?;
        let (discord, table) = (discord_side(&web)?, read_table(&web, &table)?);
        let order = query.order().ok_or(Denied::Malformed)?;
        let id = page_order_id(person.who, table.as_str(), &query.id);
        let done = discord.order(person.who, table, order, id).await?;
        let opened = discord.open(person.who, table).await?;
        let said = plain(&done.said, &|who| opened.names.get(&who).cloned());
        let state = web.compute(move |web| state_of(web, &opened, person.who)).await?;
        let hint = done.hint.map(|hint| json!({ "move": hint.text, "ply": hint.ply }));
        let answer = json!({ "said": said, "next": done.next, "hint": hint, "state": state });
        Ok(Json(answer).into_response())
    };
    done.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// Checks that a request that changes or costs something comes from a page of this session (CSRF).
pub(super) fn check_csrf(web: &Web, headers: &HeaderMap, person: &SignedIn) -> Result<(), Denied> {
    let sent = headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok());
    let token = sent.filter(|_| is_same_origin_request(web, headers, person)).ok_or(Denied::OtherSite)?;
    if token == person.csrf_token() { Ok(()) } else { Err(Denied::OtherSession) }
}

/// Returns the id under which an order is known, from the one that the page made; `place` says what it is an order for. One
/// page's ids never meet another person's.
pub(super) fn page_order_id(who: UserId, place: &str, id: &str) -> SourceId {
    let digest = sha256_hex(&format!("order {} {place} {id}", who.0));
    SourceId::from_page(u64::from_str_radix(&digest[..16], 16).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_orders_of_two_people_have_different_ids() {
        let [one, two] = [UserId(1), UserId(2)].map(|who| page_order_id(who, "K7Q2", "0123456789abcdef"));
        assert!(one != two && one.is_from_page());
        assert_eq!(one, page_order_id(UserId(1), "K7Q2", "0123456789abcdef"));
    }
}
