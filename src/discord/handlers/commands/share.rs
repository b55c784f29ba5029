//! `/share`: makes, shows or withdraws the link with which people outside Discord watch a game.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;

use super::{Command, OptionKind, chosen, meant, option, table_option};
use crate::discord::actions::sharing;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::share_id::ShareAction;

/// The option that says what becomes of the link.
const LINK: &str = "link";

/// Shares a game.
pub(super) struct Share;

#[async_trait]
impl Command for Share {
    fn name(&self) -> &'static str {
        "share"
    }

    fn want(&self) -> TablePurpose {
        TablePurpose::See
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let ways = ShareAction::ALL.map(|action| (words.word(action.offer()), action.key().to_owned()));
        vec![chosen(option(words, OptionKind::Text, LINK, "command-share-link"), ways), table_option(words)]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let action = input.text(LINK).and_then(ShareAction::named).unwrap_or(ShareAction::Show);
        match meant(ctx, interaction, input, self.want()).await {
            Ok(table) => sharing::carry_out(ctx, interaction, &table, action).await,
            Err(post) => *post,
        }
    }
}
