//! `/count`, `/draw`, `/undo`, `/pause`, `/abort`: offers to the opponents; `/resume` and `/back`.

use async_trait::async_trait;

use rookery_table::{Offer, Order};

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::handlers::components;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// A command whose order has no options.
pub(super) struct OfferCommand {
    name: &'static str,
    order: Order,
}

/// Offers to end the game and count the points.
pub(super) const COUNT: OfferCommand = offering("count", Offer::Count);
pub(super) const DRAW: OfferCommand = offering("draw", Offer::Draw);
/// Offers to take a move back.
pub(super) const UNDO: OfferCommand = offering("undo", Offer::Undo);
pub(super) const PAUSE: OfferCommand = offering("pause", Offer::Pause);
pub(super) const ABORT: OfferCommand = offering("abort", Offer::Abort);
pub(super) const RESUME: OfferCommand = OfferCommand { name: "resume", order: Order::Resume };

/// Takes the person's seat back from the bot.
pub(super) const BACK: OfferCommand = OfferCommand { name: "back", order: Order::ComeBack };

const fn offering(name: &'static str, offer: Offer) -> OfferCommand {
    OfferCommand { name, order: Order::Offer(offer) }
}

#[async_trait]
impl Command for OfferCommand {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        self.name
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        let table = match meant(ctx, interaction, input.table.as_ref(), TablePurpose::Act).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        let post = components::order_with_consent(ctx, interaction, &table, self.order.clone()).await;
        ctx.about(&table, interaction.place.channel, post)
    }
}
