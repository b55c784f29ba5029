//! What every slash command has: its name, its input, where it can be used, and the table that it is about.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::{Localizer, clip};
use rookery_table::Table;

use super::option_types::TableName;
use super::options::CommandOptions;
use crate::discord::policy::table_lookup::{self, TablePurpose};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{FocusedOption, GivenOptions, Interaction};
use crate::discord::wire::limits::MAX_DESCRIPTION_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The interaction contexts: servers, direct messages with the bot, and other private channels.
pub(super) const EVERYWHERE: [u8; 3] = [0, 1, 2];
/// The installation types: for a server, and for a user.
pub(super) const BY_ANYBODY: [u8; 2] = [0, 1];

/// A slash command with its typed input.
#[async_trait]
pub(super) trait Command: Send + Sync {
    type Input: CommandOptions;
    /// Returns the name, in lower case.
    fn name(&self) -> &'static str;
    /// Returns whether only the managers of a server see it.
    fn for_managers(&self) -> bool {
        false
    }
    /// Returns what the table is needed for: autocompletion offers matching tables, and one of them is chosen
    /// if none is named.
    fn purpose(&self) -> TablePurpose {
        TablePurpose::Act
    }
    /// Carries the command out and returns the answer, which only the asker sees.
    async fn run(&self, ctx: &Context, interaction: &Interaction, input: Self::Input) -> OutgoingMessage;
    /// Returns the completions of the option being typed. `input` is `None` while a required option is missing.
    async fn complete(
        &self,
        _ctx: &Context,
        _interaction: &Interaction,
        _focus: &FocusedOption,
        _input: Option<Self::Input>,
    ) -> Vec<String> {
        Vec::new()
    }
}

/// A command in the list of all, whatever its input.
#[async_trait]
pub trait RegisteredCommand: Send + Sync {
    /// Returns the name, in lower case.
    fn name(&self) -> &'static str;
    /// Returns whether only the managers of a server see it.
    fn for_managers(&self) -> bool;
    /// Returns what the table is needed for.
    fn purpose(&self) -> TablePurpose;
    /// Returns the options as Discord registers them.
    fn options(&self, words: &Localizer) -> Vec<Value>;
    /// Reads the input and carries the command out.
    async fn run(&self, ctx: &Context, interaction: &Interaction, given: &GivenOptions) -> OutgoingMessage;
    /// Returns the completions of the option being typed.
    async fn complete(
        &self,
        ctx: &Context,
        interaction: &Interaction,
        focus: &FocusedOption,
        given: &GivenOptions,
    ) -> Vec<String>;
}

#[async_trait]
impl<C: Command> RegisteredCommand for C {
    fn name(&self) -> &'static str {
        Command::name(self)
    }

    fn for_managers(&self) -> bool {
        Command::for_managers(self)
    }

    fn purpose(&self) -> TablePurpose {
        Command::purpose(self)
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        C::Input::register(words)
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, given: &GivenOptions) -> OutgoingMessage {
        match C::Input::read(given) {
            Ok(input) => Command::run(self, ctx, interaction, input).await,
            Err(error) => {
                tracing::warn!(command = Command::name(self), %error, "could not read a command");
                OutgoingMessage::text(error.sentence(ctx.words))
            }
        }
    }

    async fn complete(
        &self,
        ctx: &Context,
        interaction: &Interaction,
        focus: &FocusedOption,
        given: &GivenOptions,
    ) -> Vec<String> {
        Command::complete(self, ctx, interaction, focus, C::Input::read_incomplete(given)).await
    }
}

/// Returns the description of a command.
pub fn describe(words: &Localizer, name: &str) -> String {
    clip(&words.word(&format!("command-{name}")), MAX_DESCRIPTION_CHARS)
}

/// Returns the table that a command is about: the one that the option names, otherwise the one that fits the
/// channel best.
///
/// # Errors
/// The question to ask back, or the refusal.
pub(super) async fn meant(
    ctx: &Context,
    interaction: &Interaction,
    table: Option<&TableName>,
    purpose: TablePurpose,
) -> Result<Arc<Table>, Box<OutgoingMessage>> {
    let named = table.map(|table| table.0.as_str());
    table_lookup::find_table(ctx, interaction.into(), interaction.place.into(), named, purpose).await
}
