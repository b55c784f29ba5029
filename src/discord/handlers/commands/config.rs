//! `/config`: what those who manage a server choose for it, on a panel; and what we may do there.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;

use super::{Command, OptionKind, option, part, required};
use crate::discord::handlers::settings::{ServerPage, check};
use crate::discord::policy::bans;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Shows a server's settings.
pub(super) struct Config;

#[async_trait]
impl Command for Config {
    fn name(&self) -> &'static str {
        "config"
    }

    fn for_managers(&self) -> bool {
        true
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let who = || vec![required(option(words, OptionKind::User, "person", "command-block-person"))];
        vec![
            part(words, "panel", "command-config-panel", Vec::new()),
            part(words, "check", "command-config-check", Vec::new()),
            part(words, "ban", "command-config-ban", who()),
            part(words, "unban", "command-config-unban", who()),
            part(words, "bans", "command-config-bans", Vec::new()),
        ]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let Some(guild) = interaction.place.guild else {
            return OutgoingMessage::text(ctx.words.word("config-no-server"));
        };
        let page = match (input.subcommand.as_deref(), input.person("person")) {
            (Some("check"), _) => return check(ctx, interaction).await,
            (Some("ban"), Some(who)) => return bans::ban(ctx, interaction, guild, who).await,
            (Some("unban"), Some(who)) => return bans::unban(ctx, guild, who).await,
            (Some("bans"), _) => ServerPage::Safety,
            _ => ServerPage::Places,
        };
        page.show(ctx, guild).await
    }
}
