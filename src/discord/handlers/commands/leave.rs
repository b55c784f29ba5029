//! `/leave`: gives up a seat before the start, and hands it to the bot afterwards. `/back` takes it back.

use async_trait::async_trait;

use rookery_core::player::Level;
use rookery_table::{Order, Status};

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::TableName;
use super::options::command_options;
use crate::discord::handlers::components;
use crate::discord::policy::server_rules;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Leave;

command_options! {
    pub(super) struct LeaveOptions {
        table: Option<TableName> = TABLE, "command-option-table";
        ai: Option<Level> = "ai", "command-leave-ai";
    }
}

#[async_trait]
impl Command for Leave {
    type Input = LeaveOptions;

    fn name(&self) -> &'static str {
        "leave"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: LeaveOptions) -> OutgoingMessage {
        let table = match meant(ctx, interaction, input.table.as_ref(), TablePurpose::Act).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        if *table.status() == Status::Waiting {
            return components::leave(ctx, interaction, &table).await;
        }
        let level = match input.ai {
            Some(level) => level,
            None => server_rules::default_level(ctx, table.terms().guild).await,
        };
        let post =
            components::order_with_consent(ctx, interaction, &table, Order::Substitute { level }).await;
        ctx.about(&table, interaction.place.channel, post)
    }
}
