//! Slash commands: one file for each, and the list of all.

pub mod analyse;
mod block;
mod board;
pub mod challenge_menu;
mod clock_option;
mod clocks;
mod config;
mod export;
pub(in crate::discord) mod games;
pub mod help;
pub mod hint;
mod import;
mod leaderboard;
mod leave;
#[cfg(test)]
mod locale_key_tests;
mod localise;
mod message_menus;
mod offer;
mod open_table;
mod options;
pub mod plan;
mod play;
mod play_move;
pub mod privacy;
mod profile;
mod replay;
mod report;
mod resign;
mod rules;
mod seating;
mod settings;
mod share;
mod team_option;
mod tutorial;
mod tv;
mod vacation;
mod verify;
mod watch;

pub(in crate::discord) use open_table::{GUESTS, OpenTable};
pub(in crate::discord) use options::{CommandOptions, OptionKind};
pub(in crate::discord) use play::{LAYOUT, open_table};
pub(in crate::discord) use team_option::AGAINST;
pub(in crate::discord) use tutorial::first_game;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use rookery_core::Play;
use rookery_core::player::Level;
use rookery_i18n::{Languages, Localizer, clip};
use rookery_table::{Table, digest::sha256_hex};

use crate::discord::policy::bans;
use crate::discord::policy::table_lookup::{self, TablePurpose};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, FocusedOption, GivenOptions, Interaction};
use crate::discord::wire::limits::{MAX_COMPLETION_CHARS, MAX_COMPLETIONS, MAX_DESCRIPTION_CHARS};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use options::{TABLE, TableName, TableOptions};

/// A slash command with its typed input.
#[async_trait]
trait Command: Send + Sync {
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
                tracing::warn!(command = Command::name(self), %error, "a command cannot be read");
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

/// All commands in the order of the help page.
pub static ALL: [&dyn RegisteredCommand; 36] = [
    &play::Play,
    &play_move::PlayMove,
    &plan::PlanCommand,
    &board::Board,
    &clocks::Clocks,
    &games::Games,
    &resign::Resign,
    &offer::COUNT,
    &offer::DRAW,
    &offer::UNDO,
    &offer::PAUSE,
    &offer::RESUME,
    &offer::ABORT,
    &hint::Hint,
    &watch::Watch,
    &watch::Unwatch,
    &share::Share,
    &tv::Tv,
    &replay::Replay,
    &export::Export,
    &import::Import,
    &analyse::Analyse,
    &verify::Verify,
    &profile::Profile,
    &leaderboard::Leaderboard,
    &leave::Leave,
    &offer::BACK,
    &rules::Rules,
    &tutorial::Tutorial,
    &settings::Settings,
    &vacation::Vacation,
    &config::Config,
    &block::Block,
    &report::Report,
    &privacy::Privacy,
    &help::Help,
];

/// The interaction contexts: servers, direct messages with the bot, and other private channels.
const EVERYWHERE: [u8; 3] = [0, 1, 2];
/// The installation types: for a server, and for a user.
const BY_ANYBODY: [u8; 2] = [0, 1];

/// Returns the command with this name.
pub fn named(name: &str) -> Option<&'static dyn RegisteredCommand> {
    ALL.into_iter().find(|command| command.name() == name)
}

/// Discord's permission bit MANAGE_GUILD.
const MANAGE_SERVER: u64 = 1 << 5;

/// Returns the registration of all commands, in every language.
pub fn registration(languages: &Languages) -> Value {
    let mut all = in_one_language(languages.default_language());
    for words in &languages.all()[1..] {
        localise::add(&mut all, &in_one_language(words), words, &languages.clients(words));
    }
    all
}

fn in_one_language(words: &Localizer) -> Value {
    let one = |command: &dyn RegisteredCommand| {
        let mut one = json!({
            "name": command.name(),
            "description": describe(words, command.name()),
            "type": 1,
            "options": command.options(words),
            "contexts": EVERYWHERE,
            "integration_types": BY_ANYBODY,
        });
        if command.for_managers() {
            (one["contexts"], one["integration_types"]) = (json!([0]), json!([0]));
            one["default_member_permissions"] = json!(MANAGE_SERVER);
        }
        one
    };
    ALL.into_iter()
        .map(one)
        .chain([challenge_menu::registration(words), block::registration(words)])
        .chain(message_menus::registration(words))
        .collect()
}

/// Returns a hash of the registration, so that the commands are registered again only after a change.
pub fn digest(registration: &Value) -> String {
    sha256_hex(&registration.to_string())
}

/// Answers a command; an unknown one is left over from another version.
pub async fn run(ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
    let table = TableOptions::read_incomplete(&input.options).and_then(|options| options.table);
    let table = table.as_ref().map(|table| table.0.as_str());
    if let Some(post) = bans::refuse_banned_command(ctx, interaction, input, table).await {
        return post;
    }
    if let Some(target) =
        input.target.filter(|_| input.name == block::menu_name(ctx.languages.default_language()))
    {
        return block::add(ctx, interaction.who, target).await;
    }
    if let Some(target) = input.target {
        return challenge_menu::run(ctx, target, input.options.bots().contains(&target));
    }
    if let Some(target) = &input.message {
        return message_menus::run(ctx, interaction, &input.name, target).await;
    }
    match named(&input.name) {
        // Discord shows such a command only to managers, but a server can change that, so it protects
        // nothing.
        Some(command) if command.for_managers() => match refusal_to_others(ctx, interaction) {
            Some(post) => post,
            None => command.run(ctx, interaction, &input.options).await,
        },
        Some(command) => command.run(ctx, interaction, &input.options).await,
        None => OutgoingMessage::text(ctx.words.word("old-command")),
    }
}

/// Returns the refusal of a manager's command for people who may not manage the server; `None` for managers.
pub(in crate::discord) fn refusal_to_others(
    ctx: &Context,
    interaction: &Interaction,
) -> Option<OutgoingMessage> {
    let key = match interaction.place.guild {
        None => "config-no-server",
        Some(_) if !interaction.manages => "config-not-yours",
        Some(_) => return None,
    };
    Some(OutgoingMessage::text(ctx.words.word(key)))
}

/// Returns the completions of the option being typed, as names and values within Discord's limits.
pub async fn complete(
    ctx: &Context,
    interaction: &Interaction,
    input: &CommandInput,
) -> Vec<(String, String)> {
    let Some(command) = named(&input.name) else { return Vec::new() };
    let refused = command.for_managers() && refusal_to_others(ctx, interaction).is_some();
    if refused || bans::is_completion_banned(ctx, interaction, command.name()).await {
        return Vec::new();
    }
    let Some(focus) = &input.focus else { return Vec::new() };
    let found = match focus.name.as_str() {
        TABLE => {
            let place = interaction.place.into();
            table_lookup::complete(ctx, interaction.who, place, &focus.typed, command.purpose()).await
        }
        _ => command.complete(ctx, interaction, focus, &input.options).await,
    };
    let short =
        found.into_iter().filter(|text| text.chars().count() <= MAX_COMPLETION_CHARS && !text.is_empty());
    short.take(MAX_COMPLETIONS).map(|text| (text.clone(), text)).collect()
}

/// Opens a table from a position against the bot; returns the answer.
pub async fn play_from(
    ctx: &Context,
    interaction: &Interaction,
    play: &dyn Play,
    level: Level,
) -> OutgoingMessage {
    let others = import::OtherSeats { opponent: None, ai: Some(level) };
    let played = import::play_on(ctx, interaction, play, others).await;
    played.map_or_else(OutgoingMessage::text, |table| play::opened(ctx.words, &table, interaction.place))
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
async fn meant(
    ctx: &Context,
    interaction: &Interaction,
    table: Option<&TableName>,
    purpose: TablePurpose,
) -> Result<Arc<Table>, Box<OutgoingMessage>> {
    let named = table.map(|table| table.0.as_str());
    table_lookup::find_table(ctx, interaction.into(), interaction.place.into(), named, purpose).await
}

/// Returns all games by name and key.
fn games_by_name(words: &Localizer) -> Vec<(String, String)> {
    let games = rookery_games::all().iter().map(|game| game.info().key);
    games.map(|key| (words.game(key), key.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::limits::MAX_OPTIONS;

    fn characters(value: &Value) -> usize {
        match value {
            Value::Object(fields) => fields
                .iter()
                .map(|(key, value)| match (key.as_str(), value) {
                    ("name" | "description" | "value", Value::String(text)) => text.chars().count(),
                    (_, value) => characters(value),
                })
                .sum(),
            Value::Array(values) => values.iter().map(characters).sum(),
            _ => 0,
        }
    }

    #[test]
    fn commands_keep_discords_limits() {
        let all = registration(&Languages::built_in());
        for command in all.as_array().unwrap().iter().filter(|command| command["type"] == 1) {
            let name = command["name"].as_str().unwrap();
            assert!(characters(command) <= 8_000, "{name}");
            // A menu command has no options.
            let options = command["options"].as_array().map_or(&[][..], Vec::as_slice);
            assert!(options.len() <= MAX_OPTIONS, "{name} has {} options", options.len());
            let mut optional = false;
            let mut names = Vec::new();
            for option in options {
                let option_name = option["name"].as_str().unwrap();
                assert!(!names.contains(&option_name), "{name} {option_name} twice");
                names.push(option_name);
                assert!(
                    option_name
                        .chars()
                        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
                );
                let required = option["required"] == true;
                assert!(!(required && optional), "{name}: {option_name} is required after an optional one");
                optional |= !required;
                let description = option["description"].as_str().unwrap();
                assert!(
                    (1..=100).contains(&description.chars().count()),
                    "{name} {option_name}: {description}"
                );
                assert!(!description.starts_with('['), "{name} {option_name} is not described");
                assert!(option["choices"].as_array().is_none_or(|choices| choices.len() <= 25));
            }
        }
    }

    #[test]
    fn registration_digest_changes_with_the_registration() {
        assert_ne!(digest(&json!([{ "name": "a" }])), digest(&json!([{ "name": "b" }])));
        assert_eq!(digest(&registration(&Languages::built_in())).len(), 64);
    }

    #[test]
    fn every_command_is_found_by_its_name() {
        for command in ALL {
            assert_eq!(named(command.name()).map(|found| found.name()), Some(command.name()));
        }
    }
}
