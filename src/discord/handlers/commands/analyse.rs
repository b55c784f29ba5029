//! `/analyse`: the bot's analysis of a finished game, or of one position of it.

use async_trait::async_trait;

use rookery_core::{Play, Seat};
use rookery_table::Table;
use rookery_table::quota::LimitedAction;
use rookery_table::thinking_limits::BudgetOwner;

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::{NumberFrom, TableName};
use super::options::command_options;
use crate::discord::actions::analysis;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ViewOptions;

command_options! {
    pub(super) struct AnalyseOptions {
        table: Option<TableName> = TABLE, "command-option-table";
        ply: Option<NumberFrom<0>> = "move", "command-analyse-move";
    }
}

pub(super) struct Analyse;

#[async_trait]
impl Command for Analyse {
    type Input = AnalyseOptions;

    fn name(&self) -> &'static str {
        "analyse"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Review
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: AnalyseOptions) -> OutgoingMessage {
        let table = match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        match input.ply.map(|number| usize::try_from(number.0).unwrap_or(usize::MAX)) {
            Some(ply) => best_lines(ctx, interaction, &table, ply).await,
            None => analyse(ctx, interaction, &table).await,
        }
    }
}

/// Builds the analysis of a finished game.
pub async fn analyse(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    // An imported position without moves has no course to review.
    let is_open = |play: &dyn Play| play.ply() == 0 && play.outcome().is_none();
    if table.is_imported() && table.play().is_some_and(is_open) {
        return best_lines(ctx, interaction, table, 0).await;
    }
    if let Err(post) = may_have(ctx, interaction, table).await {
        return *post;
    }
    match ctx.registry.review(BudgetOwner::asker(interaction.who), table).await {
        Some(review) => {
            let table = table.clone();
            ctx.build_message_blocking(move |layout| Some(layout.review(&table, &review))).await
        }
        None => OutgoingMessage::text(ctx.words.word("hint-busy")),
    }
}

/// Builds the viewer with the best moves at a ply.
async fn best_lines(ctx: &Context, interaction: &Interaction, table: &Table, ply: usize) -> OutgoingMessage {
    if let Err(why) = analysis::find_best_lines(ctx, interaction, table, ply).await {
        return OutgoingMessage::text(why);
    }
    let side = table.seat_of(interaction.who).unwrap_or(Seat::FIRST);
    analysis::viewer(ctx, interaction, table, ply, ViewOptions::from(side)).await
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

/// Checks whether an analysis may be shown, and counts it against the asker's quota if it is not known.
async fn may_have(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
) -> Result<(), Box<OutgoingMessage>> {
    may_analyse(ctx, interaction, table).await.map_err(|why| Box::new(OutgoingMessage::text(why)))?;
    if ctx.registry.is_reviewed(table).await {
        Ok(())
    } else {
        ctx.count_use(interaction, LimitedAction::Analysis)
    }
}

/// Checks whether a game may be analysed: only a finished one. If its last position is that of a running rated game,
/// the analysis waits for the end of that game.
async fn may_analyse(ctx: &Context, interaction: &Interaction, table: &Table) -> Result<(), String> {
    analysis::check_finished(ctx, table)?;
    match table.play() {
        None => Err(ctx.words.word("refused-not-begun")),
        Some(play) if play.ply() == 0 => Err(ctx.words.word("analyse-nothing")),
        Some(play) => analysis::check_fair(ctx, interaction, table, play).await,
    }
}
