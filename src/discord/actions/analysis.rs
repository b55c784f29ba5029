//! The best moves at any turn of a finished game, and the viewer that shows what is known of it.

use rookery_core::Play;
use rookery_table::fair_play::HelpKind;
use rookery_table::quota::LimitedAction;
use rookery_table::saved_analysis::{BestLines, KnownAnalysis};
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{OrderError, Status, Table, hints};

use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::interaction::{Interaction, Requester};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ViewOptions;

/// Finds the best moves at a ply of a finished game for one person. What is not known yet counts against their limits.
///
/// # Errors
/// The answer for the person, if the position may not be analysed or could not be.
pub async fn find_best_lines(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    table: &Table,
    ply: usize,
) -> Result<BestLines, String> {
    let requester = requester.into();
    check_finished(ctx, table)?;
    let ply = ply.min(table.ply());
    let Some(play) = position(ctx, table, ply).await else {
        return Err(ctx.words.word("refused-not-begun"));
    };
    check_analysable(ctx, requester, table, play.as_ref()).await?;
    if ctx.registry.known_analysis(table, ply).await.lines.is_none() {
        ctx.count_use(requester, LimitedAction::Analysis).map_err(|post| post.content)?;
    }
    let lines = ctx.registry.best_lines(BudgetOwner::asker(requester.who), table, ply).await;
    lines.ok_or_else(|| ctx.words.word("hint-busy"))
}

/// Finds the best moves at a position that a person reached by moves of their own, beside a finished game. What is not known
/// yet counts against their limits.
///
/// # Errors
/// The answer for the person, if the position may not be analysed or could not be.
pub async fn find_variation_lines(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    table: &Table,
    play: Box<dyn Play>,
) -> Result<BestLines, String> {
    let requester = requester.into();
    check_finished(ctx, table)?;
    check_analysable(ctx, requester, table, play.as_ref()).await?;
    if !ctx.registry.knows_variation(play.as_ref()) {
        ctx.count_use(requester, LimitedAction::Analysis).map_err(|post| post.content)?;
    }
    let lines = ctx.registry.variation_lines(BudgetOwner::asker(requester.who), play).await;
    lines.ok_or_else(|| ctx.words.word("hint-busy"))
}

/// Checks that the game is not over at a position, and that its analysis would not help in a running rated game.
async fn check_analysable(
    ctx: &Context,
    requester: Requester<'_>,
    table: &Table,
    play: &dyn Play,
) -> Result<(), String> {
    check_fair(ctx, requester, table, play).await?;
    match play.outcome() {
        Some(_) => Err(ctx.words.word("analyse-over")),
        None => Ok(()),
    }
}

/// Builds the viewer at a ply, with what is known of it from an analysis. If a running rated game has the same position,
/// that is left out, and so are the owners of cells, with the reason.
pub async fn viewer(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    ply: usize,
    view_options: ViewOptions,
) -> OutgoingMessage {
    let known = known(ctx, table, ply.min(table.ply())).await;
    let asks_owners = view_options.tints && hints::may_help(table).is_ok();
    let is_known = known.review.is_some() || known.lines.is_some();
    let helps = match asks_owners || is_known {
        true => would_help_at(ctx, interaction, table, ply).await,
        false => None,
    };
    let withheld = asks_owners && helps == Some(true);
    let known = if helps == Some(false) { known } else { KnownAnalysis::default() };
    let view_options = ViewOptions { tints: view_options.tints && !withheld, ..view_options };
    let shown = table.clone();
    // The owners of cells are found by a search.
    let build = move |view: &MessageView<'_>| view.analysed_viewer(&shown, ply, view_options, &known);
    let mut post = ctx.build_message_blocking(build).await;
    if withheld {
        post.content =
            format!("{}\n{}", post.content, ctx.words.order_error(&OrderError::NoHelp, Some(table)));
    }
    post
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
    requester: impl Into<Requester<'_>>,
    table: &Table,
    play: &dyn Play,
) -> Result<(), String> {
    if would_help(ctx, requester.into(), play).await {
        return Err(ctx.words.order_error(&OrderError::NoHelp, Some(table)));
    }
    Ok(())
}

async fn would_help(ctx: &Context, requester: Requester<'_>, play: &dyn Play) -> bool {
    let (who, guild) = (requester.who, requester.place.guild);
    ctx.registry.would_help_rated_game(&[who], guild, play, HelpKind::Evaluates).await
}

/// Whether a running rated game has the position of a table at a ply; `None` before the table's game has begun.
async fn would_help_at(ctx: &Context, interaction: &Interaction, table: &Table, ply: usize) -> Option<bool> {
    let play = position(ctx, table, ply).await?;
    Some(would_help(ctx, interaction.into(), play.as_ref()).await)
}

/// Returns what is known of an analysis of a finished game at a ply.
async fn known(ctx: &Context, table: &Table, ply: usize) -> KnownAnalysis {
    if check_finished(ctx, table).is_err() || table.play().is_none() {
        return KnownAnalysis::default();
    }
    ctx.registry.known_analysis(table, ply).await
}

/// Returns a table's game after some turns, replayed off the async threads; `None` before it has begun.
pub async fn position(ctx: &Context, table: &Table, ply: usize) -> Option<Box<dyn Play>> {
    let play = table.play()?.clone_play();
    ctx.registry.tasks().compute("position", move || play.at_ply(ply)).await.ok()
}
