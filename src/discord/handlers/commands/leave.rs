//! `/leave`: gives up a seat before the start, hands it to the program after. `/back` takes it back.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::player::Level;
use rookery_i18n::Localizer;
use rookery_table::{Order, Status};

use super::{Command, OptionKind, chosen, meant, option, table_option};
use crate::discord::handlers::components;
use crate::discord::policy::server_rules;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Leaves a seat.
pub(super) struct Leave;

#[async_trait]
impl Command for Leave {
    fn name(&self) -> &'static str {
        "leave"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let levels = Level::ALL.into_iter().map(|level| (words.level(level), level.key().to_owned()));
        let level = chosen(option(words, OptionKind::Text, "ai", "command-leave-ai"), levels);
        vec![table_option(words), level]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let table = match meant(ctx, interaction, input, TablePurpose::Act).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        if *table.status() == Status::Waiting {
            return components::leave(ctx, interaction, &table).await;
        }
        let level = match input.text("ai").and_then(Level::named) {
            Some(level) => level,
            None => server_rules::usual_in(ctx, table.terms().guild).await,
        };
        let post = components::asking(ctx, interaction, &table, Order::Substitute { level }).await;
        ctx.about(&table, interaction.place.channel, post)
    }
}
