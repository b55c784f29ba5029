//! `/analyse`: the bot's analysis of a finished game.

use async_trait::async_trait;

use rookery_core::Play;
use rookery_table::fair_play::HelpKind;
use rookery_table::quota::LimitedAction;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{OrderError, Status, Table, hints};

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Analyse;

#[async_trait]
impl Command for Analyse {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "analyse"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Review
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => analyse(ctx, interaction, &table).await,
            Err(post) => *post,
        }
    }
}

/// Builds the analysis of a finished game.
pub async fn analyse(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    if let Err(post) = may_have(ctx, interaction, table).await {
        return *post;
    }
    if let Some(play) = table.play().filter(|play| play.ply() == 0) {
        return position(ctx, table, play).await;
    }
    match ctx.registry.review(BudgetOwner::asker(interaction.who), table).await {
        Some(review) => {
            let table = table.clone();
            ctx.build_message_blocking(move |layout| Some(layout.review(&table, &review))).await
        }
        None => OutgoingMessage::text(ctx.words.word("hint-busy")),
    }
}

/// Builds the analysis of an imported position without moves: the best few lines from there.
async fn position(ctx: &Context, table: &Table, play: &dyn Play) -> OutgoingMessage {
    let Some(analysis) = ctx.registry.best_lines(play).await else {
        return OutgoingMessage::text(ctx.words.word("hint-busy"));
    };
    let table = table.clone();
    ctx.build_message_blocking(move |layout| layout.best_lines(&table, &analysis)).await
}

/// Builds one turning point of the analysis.
pub async fn turning(ctx: &Context, interaction: &Interaction, table: &Table, ply: usize) -> OutgoingMessage {
    if let Err(post) = may_have(ctx, interaction, table).await {
        return *post;
    }
    let Some(review) = ctx.registry.review(BudgetOwner::asker(interaction.who), table).await else {
        return OutgoingMessage::text(ctx.words.word("hint-busy"));
    };
    let (table, words) = (table.clone(), ctx.words);
    // The owners of cells are searched for on three boards.
    let shown = move |layout: &MessageView<'_>| {
        let turn = review.turns.iter().find(|turn| turn.ply == ply);
        let shown = turn.and_then(|turn| layout.turning(&table, turn));
        Some(shown.unwrap_or_else(|| OutgoingMessage::text(words.word("old-button"))))
    };
    ctx.build_message_blocking(shown).await
}

/// Checks whether an analysis may be shown, and counts it against the asker's quota if it is not cached.
async fn may_have(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
) -> Result<(), Box<OutgoingMessage>> {
    may_analyse(ctx, interaction, table).await.map_err(|why| Box::new(OutgoingMessage::text(why)))?;
    if ctx.registry.is_reviewed(table.id()) {
        Ok(())
    } else {
        ctx.count_use(interaction, LimitedAction::Analysis)
    }
}

/// Checks whether a game may be analysed: only a finished one, because players of a running game must not
/// learn more than their opponents. If its last position is that of a running rated game, the analysis waits
/// for the end of that game.
async fn may_analyse(ctx: &Context, interaction: &Interaction, table: &Table) -> Result<(), String> {
    hints::may_help(table).map_err(|refused| ctx.words.order_error(&refused, Some(table)))?;
    let refused = match (table.status(), table.play()) {
        (Status::Running, _) => "analyse-running",
        (_, None) => "refused-not-begun",
        (_, Some(play)) if play.ply() == 0 && (!table.is_imported() || play.outcome().is_some()) => {
            "analyse-nothing"
        }
        (_, Some(play)) => {
            let helps = ctx
                .registry
                .would_help_rated_game(&[interaction.who], interaction.place.guild, play, HelpKind::Evaluates)
                .await;
            let refused = || ctx.words.order_error(&OrderError::NoHelp, Some(table));
            return if helps { Err(refused()) } else { Ok(()) };
        }
    };
    Err(ctx.words.word(refused))
}
