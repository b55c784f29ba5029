//! `/settings`: what somebody chooses for themselves, on a panel.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;
use rookery_table::calendar::Zone;

use super::{Command, OptionKind, completed, option};
use crate::discord::handlers::settings::{PersonalPage, set_zone};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Shows somebody's settings.
pub(super) struct Settings;

#[async_trait]
impl Command for Settings {
    fn name(&self) -> &'static str {
        "settings"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        vec![completed(option(words, OptionKind::Text, "zone", "command-settings-zone"))]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        match input.text("zone") {
            Some(name) => set_zone(ctx, interaction, name).await,
            None => PersonalPage::Appearance
                .show(ctx, &*ctx.registry.preferences_cache().person(interaction.who).await),
        }
    }

    /// Zones with what was typed somewhere in their names: people know their city, not its continent.
    async fn complete(&self, _desk: &Context, _asked: &Interaction, input: &CommandInput) -> Vec<String> {
        let typed = input.typed().trim().to_lowercase().replace(' ', "_");
        Zone::all().into_iter().filter(|name| name.to_lowercase().contains(&typed)).collect()
    }
}
