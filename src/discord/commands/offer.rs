//! `/count`, `/draw`, `/undo`, `/pause`, `/abort`: offers to the other side; `/resume` and `/back`.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;
use rookery_table::{Offer, Order};

use super::super::asked::{Asked, Given};
use super::super::buttons;
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, meant, table_option};

/// Asks a table for something that needs no more words.
pub(super) struct Asking {
    name: &'static str,
    order: Order,
}

/// Offers to stop and count.
pub(super) const COUNT: Asking = offering("count", Offer::Count);
/// Offers a draw.
pub(super) const DRAW: Asking = offering("draw", Offer::Draw);
/// Takes a move back.
pub(super) const UNDO: Asking = offering("undo", Offer::Undo);
/// Lets a game stand still.
pub(super) const PAUSE: Asking = offering("pause", Offer::Pause);
/// Calls a game off.
pub(super) const ABORT: Asking = offering("abort", Offer::Abort);
/// Takes a game up again that stands still.
pub(super) const RESUME: Asking = Asking { name: "resume", order: Order::Resume };

/// Takes one's seat back from the program.
pub(super) const BACK: Asking = Asking { name: "back", order: Order::ComeBack };

const fn offering(name: &'static str, offer: Offer) -> Asking {
    Asking { name, order: Order::Offer(offer) }
}

#[async_trait]
impl Command for Asking {
    fn name(&self) -> &'static str {
        self.name
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let table = match meant(desk, asked, given, Want::Act).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        let post = buttons::asking(desk, asked, &table, self.order.clone()).await;
        desk.about(&table, asked.place.channel, post)
    }
}
