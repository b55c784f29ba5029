//! `/share`: creates, shows or withdraws the link with which people outside Discord watch a game.

use async_trait::async_trait;

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::TableName;
use super::options::command_options;
use crate::discord::actions::sharing;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::share_id::ShareAction;

pub(super) struct Share;

command_options! {
    pub(super) struct ShareOptions {
        link: Option<ShareAction> = "link", "command-share-link";
        table: Option<TableName> = TABLE, "command-option-table";
    }
}

#[async_trait]
impl Command for Share {
    type Input = ShareOptions;

    fn name(&self) -> &'static str {
        "share"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::See
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ShareOptions) -> OutgoingMessage {
        let action = input.link.unwrap_or(ShareAction::Show);
        match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => sharing::carry_out(ctx, interaction, &table, action).await,
            Err(post) => *post,
        }
    }
}
