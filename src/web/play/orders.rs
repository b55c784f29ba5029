//! Orders of pages. An order is in the query of its request, which has no body: `kind=move&ply=3&text=d1-d7/g7&id=…`.
//! The page makes its id, and sends the order with the same id until it is answered.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use rookery_core::Seat;
use rookery_table::digest::sha256_hex;
use rookery_table::{Offer, SourceId, TableId, UserId};
use serde::Deserialize;
use serde_json::json;

use super::super::players::PageOrder;
use super::super::session::{PAGE_TOKEN, is_same_site, signed_in};
use super::super::state::Web;
use super::board::BoardState;
use super::response::Denied;
use super::sentence::plain;
use super::{compute, players, read_table};

/// The characters of an order's id.
const ID_CHARS: std::ops::RangeInclusive<usize> = 16..=64;
/// The most bytes of a move, far above the longest.
const MAX_MOVE_BYTES: usize = 100;

/// An order in a query.
#[derive(Deserialize)]
pub(in crate::web) struct OrderQuery {
    kind: String,
    id: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    ply: usize,
    #[serde(default)]
    number: u64,
}

/// Takes an order of a page; responds with what was done, in words, and the new state.
pub(in crate::web) async fn order(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
    query: Result<Query<OrderQuery>, QueryRejection>,
) -> Response {
    let done = async {
        let person = signed_in(&web, &headers).await?.ok_or(Denied::SignedOut)?;
        let sent = headers.get(PAGE_TOKEN).and_then(|value| value.to_str().ok());
        if !is_same_site(&web, &headers) || sent != Some(person.page_token().as_str()) {
            return Err(Denied::OtherSite);
        }
        let Query(query) = query.map_err(|_| Denied::Malformed)?;
        let (players, table) = (players(&web)?, read_table(&web, &table)?);
        let order = query.order().ok_or(Denied::Malformed)?;
        let said = players.order(person.who, table, order, source(person.who, table, &query.id)).await?;
        let opened = players.open(person.who, table).await?;
        let state = compute(&web, move |web| BoardState::of(web, &opened, person.who)).await?;
        Ok(Json(json!({ "said": plain(&said, &|_| None), "state": state })).into_response())
    };
    done.await.unwrap_or_else(Denied::into_json)
}

/// Returns the id under which a table knows an order. One page's ids never meet another person's.
fn source(who: UserId, table: TableId, id: &str) -> SourceId {
    let digest = sha256_hex(&format!("order {} {table} {id}", who.0));
    SourceId::from_page(u64::from_str_radix(&digest[..16], 16).unwrap_or_default())
}

impl OrderQuery {
    /// Returns the order; `None` if it makes no sense.
    fn order(&self) -> Option<PageOrder> {
        let is_id = ID_CHARS.contains(&self.id.len()) && self.text.len() <= MAX_MOVE_BYTES;
        let ply = self.ply;
        match self.kind.as_str() {
            _ if !is_id => None,
            "move" => Some(PageOrder::Move { text: self.text.clone(), ply }),
            "resign" => Some(PageOrder::Resign(Seat::new(usize::try_from(self.number).ok()?)?)),
            "offer" => Some(PageOrder::Offer(Offer::named(&self.text)?)),
            "agree" => Some(PageOrder::Answer { yes: true, number: self.number, ply }),
            "decline" => Some(PageOrder::Answer { yes: false, number: self.number, ply }),
            "resume" => Some(PageOrder::Resume),
            "claim" => Some(PageOrder::Claim),
            "give" => Some(PageOrder::GiveTime),
            _ => None,
        }
    }
}

/// Formats an order as the query with which the page sends it, without its id.
pub(super) fn query_of(order: &PageOrder) -> String {
    match order {
        // The page makes these from the steps that were chosen.
        PageOrder::Move { text, ply } => format!("kind=move&ply={ply}&text={text}"),
        PageOrder::Resign(seat) => format!("kind=resign&number={}", seat.index()),
        PageOrder::Offer(offer) => format!("kind=offer&text={}", offer.key()),
        PageOrder::Answer { yes: true, number, ply } => format!("kind=agree&number={number}&ply={ply}"),
        PageOrder::Answer { yes: false, number, ply } => format!("kind=decline&number={number}&ply={ply}"),
        PageOrder::Resume => "kind=resume".to_owned(),
        PageOrder::Claim => "kind=claim".to_owned(),
        PageOrder::GiveTime => "kind=give".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Uri;

    use super::*;

    #[test]
    fn page_orders_are_read_as_they_are_written() {
        let orders = [
            PageOrder::Move { text: "d1-d7/g7".into(), ply: 3 },
            PageOrder::Resign(Seat::SECOND),
            PageOrder::Answer { yes: true, number: 7, ply: 3 },
            PageOrder::Answer { yes: false, number: 7, ply: 3 },
            PageOrder::Resume,
            PageOrder::Claim,
            PageOrder::GiveTime,
        ];
        let offers = Offer::ALL.iter().map(|offer| PageOrder::Offer(*offer));
        for order in orders.into_iter().chain(offers) {
            let address = format!("/?{}&id=0123456789abcdef", query_of(&order)).parse::<Uri>().unwrap();
            let Query(query) = Query::<OrderQuery>::try_from_uri(&address).unwrap();
            assert_eq!(query.order(), Some(order));
        }
        for query in ["kind=move&id=short&text=a", "kind=dance&id=0123456789abcdef", "kind=resign"] {
            let read = Query::<OrderQuery>::try_from_uri(&format!("/?{query}").parse().unwrap());
            assert!(read.ok().is_none_or(|query| query.order().is_none()), "{query}");
        }
    }

    #[test]
    fn page_orders_of_two_people_have_different_ids() {
        let table = "K7Q2".parse().unwrap();
        let [one, two] = [UserId(1), UserId(2)].map(|who| source(who, table, "0123456789abcdef"));
        assert!(one != two && one.is_from_page());
        assert_eq!(one, source(UserId(1), table, "0123456789abcdef"));
    }
}
