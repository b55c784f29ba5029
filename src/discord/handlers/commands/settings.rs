//! `/settings`: a person's own settings, on a panel.

use async_trait::async_trait;

use rookery_table::calendar::Zone;

use super::command::Command;
use super::option_types::CompletedText;
use super::options::command_options;
use crate::discord::handlers::settings::{PersonalPage, set_zone};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{FocusedOption, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Settings;

command_options! {
    pub(super) struct SettingsOptions {
        zone: Option<CompletedText> = "zone", "command-settings-zone";
    }
}

#[async_trait]
impl Command for Settings {
    type Input = SettingsOptions;

    fn name(&self) -> &'static str {
        "settings"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: SettingsOptions) -> OutgoingMessage {
        match input.zone {
            Some(name) => set_zone(ctx, interaction, &name.0).await,
            None => PersonalPage::Appearance
                .show(ctx, &*ctx.registry.preferences_cache().person(interaction.who).await),
        }
    }

    /// Completes time zones whose name contains the text: people know their city, not its continent.
    async fn complete(
        &self,
        _: &Context,
        _: &Interaction,
        focus: &FocusedOption,
        _: Option<SettingsOptions>,
    ) -> Vec<String> {
        let typed = focus.typed.trim().to_lowercase().replace(' ', "_");
        Zone::all().into_iter().filter(|name| name.to_lowercase().contains(&typed)).collect()
    }
}
