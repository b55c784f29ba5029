//! `/board`: shows a game to the asker.

use async_trait::async_trait;

use rookery_table::Table;

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::actions::relocation;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Board;

/// Shows the board to the asker. Everyone sees it if the game has lost its channel and moves here, or if the
/// game is a single message here that can only be posted as an answer.
async fn show(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    let board = ctx.view().state(table, Some(interaction.who));
    let post = relocation::above_board(ctx, interaction, table, board).await;
    let here = !interaction.place.ours && interaction.place.channel == table.terms().channel;
    if table.is_user_install() && here && table.is_participant(interaction.who) {
        ctx.user_install_messages.detach(table).await;
    }
    post
}

#[async_trait]
impl Command for Board {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "board"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Board
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => show(ctx, interaction, &table).await,
            Err(post) => *post,
        }
    }
}
