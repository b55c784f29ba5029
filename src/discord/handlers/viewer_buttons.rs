//! The viewer's buttons: another turn, another side, the position in words, or a new game from there.

use rookery_core::Seat;
use rookery_table::quota::LimitedAction;
use rookery_table::{Status, Table};

use crate::discord::actions::{analysis, relocation};
use crate::discord::handlers::commands::play_choices;
use crate::discord::handlers::commands::play_from::play_from;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::view::viewer::Span;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::{ViewOptions, ViewerAction};

/// Carries out a press in the viewer; `chosen` is the choice in its select.
pub(in crate::discord) async fn handle(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    (ply, step, view_options): (usize, ViewerAction, ViewOptions),
    chosen: Option<&str>,
) -> OutgoingMessage {
    match step {
        ViewerAction::PlayFrom => play_on(ctx, interaction, table, ply).await,
        ViewerAction::Text => {
            let table = table.clone();
            ctx.build_message_blocking(move |view| view.characters(&table, ply)).await
        }
        ViewerAction::Play => {
            if let Err(post) = ctx.count_use(interaction, LimitedAction::Gif) {
                return *post;
            }
            let (table, span) = (table.clone(), Span::within(table.ply(), None, None));
            ctx.build_message_blocking(move |view| view.replay(&table, span, view_options.side)).await
        }
        ViewerAction::Jump => {
            let chosen = chosen.and_then(|chosen| chosen.parse().ok());
            analysis::viewer(ctx, interaction, table, chosen.unwrap_or(ply), view_options).await
        }
        ViewerAction::Lines => best_lines(ctx, interaction, table, ply, view_options).await,
        ViewerAction::First
        | ViewerAction::Back
        | ViewerAction::Next
        | ViewerAction::Last
        | ViewerAction::Turn
        | ViewerAction::Tint => analysis::viewer(ctx, interaction, table, ply, view_options).await,
    }
}

/// Builds the viewer with the best moves at a turn, or with the reason why they can't be shown.
async fn best_lines(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    ply: usize,
    view_options: ViewOptions,
) -> OutgoingMessage {
    let found = analysis::find_best_lines(ctx, interaction, table, ply).await;
    let mut post = analysis::viewer(ctx, interaction, table, ply, view_options).await;
    if let Err(why) = found {
        post.content = format!("{}\n{why}", post.content);
    }
    post
}

/// Builds the board for the person who presses: players see their position, all others can step through the
/// game. A game that has lost its channel moves here, if a player asks.
pub(in crate::discord) async fn watch(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
) -> OutgoingMessage {
    let who = interaction.who;
    let plays = table.seat_of(who).is_some();
    let shown = table.clone();
    let board = move |view: &MessageView<'_>| {
        let viewer = || view.viewer(&shown, shown.ply(), ViewOptions::from(Seat::FIRST));
        let stepped = if plays { None } else { viewer() };
        Some(stepped.unwrap_or_else(|| view.state(&shown, Some(who))))
    };
    let board = ctx.build_message_blocking(board).await;
    relocation::above_board(ctx, interaction, table, board).await
}

/// Opens a table from a turn, against the bot. This is refused for a running rated game: trying out moves
/// against the bot would amount to help from it.
async fn play_on(ctx: &Context, interaction: &Interaction, table: &Table, ply: usize) -> OutgoingMessage {
    if table.is_rated() && *table.status() == Status::Running {
        return OutgoingMessage::text(ctx.words.word("viewer-rated"));
    }
    let Some(play) = analysis::position(ctx, table, ply).await else {
        return OutgoingMessage::text(ctx.words.word("refused-not-begun"));
    };
    let level = play_choices::usual_level(ctx, interaction).await;
    play_from(ctx, interaction, play.as_ref(), level).await
}
