//! `/hint`: the bot's advice for the player to move. Everyone at the table can see that a hint was used.

use std::time::Duration;

use async_trait::async_trait;

use rookery_table::fair_play::HelpKind;
use rookery_table::quota::LimitedAction;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{Order, OrderError, Table};

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The node limit of the search for a hint.
const NODES: u64 = 200_000;
/// The time limit of the search for a hint.
const TIME: Duration = Duration::from_secs(2);

pub(super) struct Hint;

#[async_trait]
impl Command for Hint {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "hint"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), TablePurpose::Act).await {
            Ok(table) => ctx.about(&table, interaction.place.channel, hint(ctx, interaction, &table).await),
            Err(post) => *post,
        }
    }
}

/// Records the use of a hint before the search for it starts, so that no hint is secret.
pub async fn hint(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    // A table opened from the position of a rated game must not become a way around the rule.
    if let Some(play) = table.play()
        && ctx
            .registry
            .would_help_rated_game(&[interaction.who], interaction.place.guild, play, HelpKind::Evaluates)
            .await
    {
        return OutgoingMessage::text(ctx.words.order_error(&OrderError::NoHelp, Some(table)));
    }
    if let Err(post) = ctx.count_use(interaction, LimitedAction::Hint) {
        return *post;
    }
    let seen = match ctx.order(table.id(), interaction.into(), Order::Hint, interaction.token.id).await {
        Ok(seen) => seen,
        Err(post) => return *post,
    };
    let Some(play) = seen.table.play() else {
        return OutgoingMessage::text(ctx.words.word("refused-not-begun"));
    };
    match ctx.registry.advise(BudgetOwner::of(&seen.table), &seen.table, (NODES, TIME)).await {
        Some(thought) => ctx.view().hint(&seen.table, play, &thought),
        None => OutgoingMessage::text(ctx.words.word("hint-busy")),
    }
}
