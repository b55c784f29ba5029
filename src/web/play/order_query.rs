//! An order in the query of its request, which has no body: `kind=move&ply=3&text=d1-d7/g7&id=…`.
//!
//! A plan is private, and may be in an address all the same: the server logs no addresses, a script's requests are in no
//! history and no referrer, and docs/operate.md asks to keep addresses out of a proxy's log. The people who run the bot or
//! Discord's proxy could read it there, but they can read plans in the journal or in Discord's messages as well. An
//! annotation may be too long for an address, and Discord never has it: it is in a header (`annotations`).

use rookery_core::Seat;
use rookery_table::Offer;
use serde::Deserialize;

use super::super::discord_side::PageOrder;

/// The characters of an order's id.
pub(super) const ID_CHARS: std::ops::RangeInclusive<usize> = 16..=64;
/// The most bytes of a move, far above the longest.
const MAX_MOVE_BYTES: usize = 100;
/// The most bytes of a plan, far above the longest.
const MAX_PLAN_BYTES: usize = 1_000;

/// An order in a query.
#[derive(Deserialize)]
pub(in crate::web) struct OrderQuery {
    kind: String,
    /// The id that the page made.
    pub(super) id: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    ply: usize,
    #[serde(default)]
    number: u64,
}

impl OrderQuery {
    /// Returns the order; `None` if it makes no sense.
    pub(super) fn order(&self) -> Option<PageOrder> {
        let most = if self.kind == "plan" { MAX_PLAN_BYTES } else { MAX_MOVE_BYTES };
        let is_within_limits = ID_CHARS.contains(&self.id.len()) && self.text.len() <= most;
        let ply = self.ply;
        match self.kind.as_str() {
            _ if !is_within_limits => None,
            "move" => Some(PageOrder::Move { text: self.text.clone(), ply }),
            "hint" => Some(PageOrder::Hint { ply }),
            "resign" => Some(PageOrder::Resign(Seat::new(usize::try_from(self.number).ok()?)?)),
            "offer" => Some(PageOrder::Offer(Offer::named(&self.text)?)),
            "agree" => Some(PageOrder::Answer { yes: true, number: self.number, ply }),
            "decline" => Some(PageOrder::Answer { yes: false, number: self.number, ply }),
            "resume" => Some(PageOrder::Resume),
            "claim" => Some(PageOrder::Claim),
            "give" => Some(PageOrder::GiveTime),
            "rematch" => Some(PageOrder::Rematch),
            "plan" => Some(PageOrder::Plan(self.text.clone())),
            "unplan" => Some(PageOrder::Unplan(self.text.clone())),
            // The query has no name of its own for the proposal: it is in the place of the ply.
            "vote" => Some(PageOrder::Vote { number: self.number, proposal: self.ply }),
            _ => None,
        }
    }
}

/// Formats an order as the query with which the page sends it, without its id.
pub(super) fn query_of(order: &PageOrder) -> String {
    match order {
        // The page makes these from the steps that were chosen.
        PageOrder::Move { text, ply } => format!("kind=move&ply={ply}&text={text}"),
        PageOrder::Hint { ply } => format!("kind=hint&ply={ply}"),
        PageOrder::Resign(seat) => format!("kind=resign&number={}", seat.index()),
        PageOrder::Offer(offer) => format!("kind=offer&text={}", offer.key()),
        PageOrder::Answer { yes: true, number, ply } => format!("kind=agree&number={number}&ply={ply}"),
        PageOrder::Answer { yes: false, number, ply } => format!("kind=decline&number={number}&ply={ply}"),
        PageOrder::Resume => "kind=resume".to_owned(),
        PageOrder::Claim => "kind=claim".to_owned(),
        PageOrder::GiveTime => "kind=give".to_owned(),
        PageOrder::Rematch => "kind=rematch".to_owned(),
        // The page makes these from the moves that were tried.
        PageOrder::Plan(text) => format!("kind=plan&text={}", text.replace(' ', "+")),
        PageOrder::Unplan(mark) => format!("kind=unplan&text={mark}"),
        PageOrder::Vote { number, proposal } => format!("kind=vote&number={number}&ply={proposal}"),
    }
}

#[cfg(test)]
mod tests {
    use axum::extract::Query;
    use axum::http::Uri;

    use super::*;

    #[test]
    fn page_orders_are_read_as_they_are_written() {
        let orders = [
            PageOrder::Move { text: "d1-d7/g7".into(), ply: 3 },
            PageOrder::Hint { ply: 3 },
            PageOrder::Resign(Seat::SECOND),
            PageOrder::Answer { yes: true, number: 7, ply: 3 },
            PageOrder::Answer { yes: false, number: 7, ply: 3 },
            PageOrder::Resume,
            PageOrder::Claim,
            PageOrder::GiveTime,
            PageOrder::Rematch,
            PageOrder::Plan("if d7-g7/g4 then a4-a6/c6".into()),
            PageOrder::Unplan("0123abcd".into()),
            PageOrder::Vote { number: 7, proposal: 2 },
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
}
