//! The best moves at any turn of a finished game, and the viewer that shows what is known of it.

use rookery_core::Play;
use rookery_table::fair_play::HelpKind;
use rookery_table::quota::LimitedAction;
use rookery_table::saved_analysis::KnownAnalysis;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{OrderError, Status, Table, hints};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ViewOptions;

/// Finds the best moves at a ply of a finished game for one person, for the viewer to show. What is not known yet
/// counts against their limits.
///
/// # Errors
/// The answer for the person, if the position may not be analysed or could not be.
pub async fn find_best_lines(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    ply: usize,
) -> Result<(), String> {
    check_finished(ctx, table)?;
    let ply = ply.min(table.ply());
    let Some(play) = position(ctx, table, ply).await else {
        return Err(ctx.words.word("refused-not-begun"));
    };
    check_fair(ctx, interaction, table, play.as_ref()).await?;
    if play.outcome().is_some() {
        return Err(ctx.words.word("analyse-over"));
    }
    if ctx.registry.known_analysis(table, ply).await.lines.is_none() {
        ctx.count_use(interaction, LimitedAction::Analysis).map_err(|post| post.content)?;
    }
    let lines = ctx.registry.best_lines(BudgetOwner::asker(interaction.who), table, ply).await;
    lines.map(drop).ok_or_else(|| ctx.words.word("hint-busy"))
}

/// Builds the viewer at a ply, with what is known of it from an analysis.
pub async fn viewer(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    ply: usize,
    view_options: ViewOptions,
) -> OutgoingMessage {
    let (known, table) = (known(ctx, interaction, table, ply.min(table.ply())).await, table.clone());
    ctx.build_message_blocking(move |view| view.analysed_viewer(&table, ply, view_options, &known)).await
}

/// Checks that a game is over: players of a running game must not learn more than their opponents.
///
/// # Errors
/// The answer for the person.
pub fn check_finished(ctx: &Context, table: &Table) -> Result<(), String> {
    hints::may_help(table).map_err(|refused| ctx.words.order_error(&refused, Some(table)))?;
    match table.status() {
        Status::Running => Err(ctx.words.word("analyse-running")),
        _ => Ok(()),
    }
}

/// Checks that the analysis of a position would not help in a running rated game.
///
/// # Errors
/// The answer for the person.
pub async fn check_fair(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    play: &dyn Play,
) -> Result<(), String> {
    if would_help(ctx, interaction, play).await {
        return Err(ctx.words.order_error(&OrderError::NoHelp, Some(table)));
    }
    Ok(())
}

async fn would_help(ctx: &Context, interaction: &Interaction, play: &dyn Play) -> bool {
    let (who, guild) = (interaction.who, interaction.place.guild);
    ctx.registry.would_help_rated_game(&[who], guild, play, HelpKind::Evaluates).await
}

/// Returns what this person may see of an analysis of a finished game at a ply.
async fn known(ctx: &Context, interaction: &Interaction, table: &Table, ply: usize) -> KnownAnalysis {
    if check_finished(ctx, table).is_err() || table.play().is_none() {
        return KnownAnalysis::default();
    }
    let known = ctx.registry.known_analysis(table, ply).await;
    if known.review.is_none() && known.lines.is_none() {
        return known;
    }
    match position(ctx, table, ply).await {
        Some(play) if !would_help(ctx, interaction, play.as_ref()).await => known,
        _ => KnownAnalysis::default(),
    }
}

/// Returns a table's game after some turns, replayed off the async threads; `None` before it has begun.
pub async fn position(ctx: &Context, table: &Table, ply: usize) -> Option<Box<dyn Play>> {
    let play = table.play()?.clone_play();
    ctx.registry.tasks().compute("position", move || play.at_ply(ply)).await.ok()
}
