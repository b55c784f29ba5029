//! `/move`: plays a move, with completion step by step.

use async_trait::async_trait;

use rookery_core::{IllegalMove, MoveError};
use rookery_table::fair_play::HelpKind;
use rookery_table::{Order, Status, Table, hints};

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::games;
use super::option_types::{CompletedText, TableName};
use super::options::command_options;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::state::ranked_moves::RankedList;
use crate::discord::wire::interaction::{FocusedOption, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::{actions::relocation, handlers::components, policy::teams, view::move_completion};

pub(super) struct PlayMove;

command_options! {
    pub(super) struct MoveOptions {
        text: CompletedText = "move", "command-move-move";
        table: Option<TableName> = TABLE, "command-option-table";
    }
}

#[async_trait]
impl Command for PlayMove {
    type Input = MoveOptions;

    fn name(&self) -> &'static str {
        "move"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: MoveOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), TablePurpose::Act).await {
            Ok(table) => {
                let table = teams::enlisted(ctx, table, interaction.into()).await;
                let post = play(ctx, interaction, &table, &input.text.0).await;
                ctx.about(&table, interaction.place.channel, post)
            }
            Err(post) => *post,
        }
    }

    async fn complete(
        &self,
        ctx: &Context,
        interaction: &Interaction,
        focus: &FocusedOption,
        input: Option<MoveOptions>,
    ) -> Vec<String> {
        let named = input.and_then(|input| input.table);
        match meant(ctx, interaction, named.as_ref(), TablePurpose::Act).await {
            Ok(table) => moves(ctx, &table, interaction, &focus.typed).await,
            Err(_) => Vec::new(),
        }
    }
}

/// Returns the completions for the player to move; nobody else gets any.
async fn moves(ctx: &Context, table: &Table, interaction: &Interaction, typed: &str) -> Vec<String> {
    let theirs = table.to_move().is_some_and(|turn| teams::plays(table, turn, interaction.into()));
    let Some(play) = table.play().filter(|_| theirs) else { return Vec::new() };
    // Even the order of the moves would help.
    let helps = hints::may_help(table).is_err()
        || ctx
            .registry
            .would_help_rated_game(&[interaction.who], interaction.place.guild, play, HelpKind::Evaluates)
            .await;
    let best =
        if helps { RankedList::default() } else { ctx.ranked_moves.of(ctx.registry.tasks(), table).await };
    let (play, typed) = (play.clone_play(), typed.to_owned());
    let found = move || move_completion::completions(play.as_ref(), &typed, &best);
    ctx.registry.tasks().compute("completion", found).await.unwrap_or_default()
}

/// Plays a move. If the text is only the beginning of a move, the panel is opened after its steps.
async fn play(ctx: &Context, interaction: &Interaction, table: &Table, text: &str) -> OutgoingMessage {
    let unfinished = table.play().filter(|_| *table.status() == Status::Running).and_then(|play| {
        let incomplete = matches!(play.read(text), Err(MoveError::Illegal(IllegalMove::Incomplete { .. })));
        incomplete.then(|| move_completion::split_steps(play, text).taken)
    });
    if let Some(taken) = unfinished {
        return components::panel_at(ctx, interaction, table, &taken, None);
    }
    let order = Order::Move { text: text.to_owned(), ply: None };
    match ctx.order(table.id(), interaction.into(), order, interaction.token.id).await {
        Ok(seen) => {
            let post = components::played(ctx, &seen);
            let post = games::with_next_game(ctx, interaction.who, table.id(), post).await;
            relocation::with_board(ctx, interaction.place, interaction.who, &seen.table, post).await
        }
        Err(post) => *post,
    }
}
