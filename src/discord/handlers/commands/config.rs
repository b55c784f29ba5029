//! `/config`: a server's settings, on a panel for its managers; and a check of the bot's permissions there.

use async_trait::async_trait;

use super::command::Command;
use super::common_options::PersonOptions;
use super::options::{NoOptions, command_options};
use crate::discord::handlers::settings::{ServerPage, check};
use crate::discord::policy::bans;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Config;

command_options! {
    pub(super) enum ConfigOptions otherwise Panel {
        Panel(NoOptions) = "panel", "command-config-panel";
        Check(NoOptions) = "check", "command-config-check";
        Ban(PersonOptions) = "ban", "command-config-ban";
        Unban(PersonOptions) = "unban", "command-config-unban";
        Bans(NoOptions) = "bans", "command-config-bans";
    }
}

#[async_trait]
impl Command for Config {
    type Input = ConfigOptions;

    fn name(&self) -> &'static str {
        "config"
    }

    fn for_managers(&self) -> bool {
        true
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ConfigOptions) -> OutgoingMessage {
        let Some(guild) = interaction.place.guild else {
            return OutgoingMessage::text(ctx.words.word("config-no-server"));
        };
        match input {
            ConfigOptions::Panel(_) => ServerPage::Places.show(ctx, guild).await,
            ConfigOptions::Check(_) => check(ctx, interaction).await,
            ConfigOptions::Ban(who) => bans::ban(ctx, interaction, guild, who.person).await,
            ConfigOptions::Unban(who) => bans::unban(ctx, guild, who.person).await,
            ConfigOptions::Bans(_) => ServerPage::Safety.show(ctx, guild).await,
        }
    }
}
