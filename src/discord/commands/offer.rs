//! `/count` and `/draw`: offers to the other side.

use async_trait::async_trait;
use serde_json::Value;

use crate::table::{Offer, Order};
use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::{self, Want};
use super::{Command, table_option};

/// Offers something.
pub(super) struct Offering {
    name: &'static str,
    offer: Offer,
}

/// Offers to stop and count.
pub(super) const COUNT: Offering = Offering { name: "count", offer: Offer::Count };
/// Offers a draw.
pub(super) const DRAW: Offering = Offering { name: "draw", offer: Offer::Draw };

#[async_trait]
impl Command for Offering {
    fn name(&self) -> &'static str {
        self.name
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let table =
            match which::table(desk, asked.who, asked.place.channel, given.text("table"), Want::Act).await {
                Ok(table) => table,
                Err(post) => return *post,
            };
        match desk.order(table.id(), asked.who, Order::Offer(self.offer), asked.ticket.id).await {
            Ok(_) => Post::text(desk.words.say("offer-made", &[("table", table.id().as_str().into())])),
            Err(post) => *post,
        }
    }

    async fn complete(&self, desk: &Desk, asked: &Asked, given: &Given) -> Vec<String> {
        let typed = given.focus.as_ref().map_or("", |(_, typed)| typed);
        which::complete(desk, asked.who, typed).await
    }
}
