//! Commands: one file each, one list of all.

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
mod localise;
mod message_menus;
mod offer;
mod open_table;
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
#[cfg(test)]
mod sentences;
mod settings;
mod share;
mod team_option;
mod tutorial;
mod tv;
mod vacation;
mod verify;
mod watch;

pub(in crate::discord) use open_table::{GUESTS, OpenTable};
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
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::limits::{MAX_COMPLETION_CHARS, MAX_COMPLETIONS, MAX_DESCRIPTION_CHARS};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// A slash command.
#[async_trait]
pub trait Command: Send + Sync {
    /// Its name, lower case.
    fn name(&self) -> &'static str;
    /// Whether only those who manage a server see it.
    fn for_managers(&self) -> bool {
        false
    }
    /// What is wanted of the table that it is about: so one is offered, and chosen where none is named.
    fn want(&self) -> TablePurpose {
        TablePurpose::Act
    }
    /// Its options, as Discord wants them.
    fn options(&self, words: &Localizer) -> Vec<Value>;
    /// Carries it out; the answer is for the asker alone.
    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage;
    /// What the option being typed could become; one that names a table is completed without it.
    async fn complete(&self, _desk: &Context, _asked: &Interaction, _given: &CommandInput) -> Vec<String> {
        Vec::new()
    }
}

/// All commands, in the order in which help lists them.
pub static ALL: [&dyn Command; 36] = [
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

/// The option of many commands that names a table.
const TABLE: &str = "table";

/// On servers, in direct messages with us, and in those of others.
const EVERYWHERE: [u8; 3] = [0, 1, 2];
/// Attachment along by a server, or by a person for themselves.
const BY_ANYBODY: [u8; 2] = [0, 1];

/// The command of this name.
pub fn named(name: &str) -> Option<&'static dyn Command> {
    ALL.into_iter().find(|command| command.name() == name)
}

/// Discord's bit for managing a server.
const MANAGE_SERVER: u64 = 1 << 5;

/// All commands as Discord wants them registered, in every language of the house.
pub fn registration(languages: &Languages) -> Value {
    let mut all = in_one_language(languages.usual());
    for words in &languages.all()[1..] {
        localise::add(&mut all, &in_one_language(words), words, &languages.clients(words));
    }
    all
}

fn in_one_language(words: &Localizer) -> Value {
    let one = |command: &dyn Command| {
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

/// A digest of what is registered, so that it is registered again only when it has changed.
pub fn digest(registration: &Value) -> String {
    sha256_hex(&registration.to_string())
}

/// Answers a command; an unknown one is left from an older version.
pub async fn run(ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
    if let Some(post) = bans::bars_command(ctx, interaction, input).await {
        return post;
    }
    if let Some(target) = input.target.filter(|_| input.name == block::menu_name(ctx.languages.usual())) {
        return block::add(ctx, interaction.who, target).await;
    }
    if let Some(target) = input.target {
        return challenge_menu::run(ctx, input, target);
    }
    if let Some(target) = &input.message {
        return message_menus::run(ctx, interaction, &input.name, target).await;
    }
    match named(&input.name) {
        // That Discord shows it to managers alone is its servers' to change, and no protection.
        Some(command) if command.for_managers() => match refusal_to_others(ctx, interaction) {
            Some(post) => post,
            None => command.run(ctx, interaction, input).await,
        },
        Some(command) => command.run(ctx, interaction, input).await,
        None => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

/// The refusal of a manager's command for people who may not manage the server; `None` for those who may.
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

/// What the option being typed could become, as names and values within Discord's limits.
pub async fn complete(
    ctx: &Context,
    interaction: &Interaction,
    input: &CommandInput,
) -> Vec<(String, String)> {
    let Some(command) = named(&input.name) else { return Vec::new() };
    let refused = command.for_managers() && refusal_to_others(ctx, interaction).is_some();
    if refused || bans::bars_completion(ctx, interaction, command.name()).await {
        return Vec::new();
    }
    let found = match &input.focus {
        Some((name, typed)) if name == TABLE => {
            table_lookup::complete(ctx, interaction.who, interaction.place.into(), typed, command.want())
                .await
        }
        _ => command.complete(ctx, interaction, input).await,
    };
    let short =
        found.into_iter().filter(|text| text.chars().count() <= MAX_COMPLETION_CHARS && !text.is_empty());
    short.take(MAX_COMPLETIONS).map(|text| (text.clone(), text)).collect()
}

/// Opens a table from a position against the program; returns the answer.
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

/// A command's description.
pub fn describe(words: &Localizer, name: &str) -> String {
    clip(&words.word(&format!("command-{name}")), MAX_DESCRIPTION_CHARS)
}

/// The kinds of option used here, by Discord's numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::discord) enum OptionKind {
    Subcommand = 1,
    Text = 3,
    Number = 4,
    Yes = 5,
    User = 6,
    File = 11,
}

impl OptionKind {
    const ALL: [OptionKind; 6] = [
        OptionKind::Subcommand,
        OptionKind::Text,
        OptionKind::Number,
        OptionKind::Yes,
        OptionKind::User,
        OptionKind::File,
    ];

    /// The kind of an option that is registered.
    pub(in crate::discord) fn of(option: &Value) -> Option<OptionKind> {
        OptionKind::ALL.into_iter().find(|kind| option["type"] == *kind as u8)
    }
}

/// A part of a command, with options of its own; `key` finds its description.
fn part(words: &Localizer, name: &str, key: &str, options: Vec<Value>) -> Value {
    let mut part = option(words, OptionKind::Subcommand, name, key);
    part["options"] = options.into();
    part.as_object_mut().map(|fields| fields.remove("required"));
    part
}

/// An option; `key` finds its description.
fn option(words: &Localizer, kind: OptionKind, name: &str, key: &str) -> Value {
    json!({
        "type": kind as u8,
        "name": name,
        "description": clip(&words.word(key), MAX_DESCRIPTION_CHARS),
        "required": false,
    })
}

/// The option that names a table.
fn table_option(words: &Localizer) -> Value {
    completed(option(words, OptionKind::Text, TABLE, "command-option-table"))
}

/// The table that a command is about: the one that the option names, else the one that is meant where the
/// command was given.
///
/// # Errors
/// What to ask back.
async fn meant(
    ctx: &Context,
    interaction: &Interaction,
    input: &CommandInput,
    want: TablePurpose,
) -> Result<Arc<Table>, Box<OutgoingMessage>> {
    table_lookup::find_table(ctx, interaction.into(), interaction.place.into(), input.text(TABLE), want).await
}

/// The same, required.
fn required(mut option: Value) -> Value {
    option["required"] = json!(true);
    option
}

/// The same, completed while it is typed.
fn completed(mut option: Value) -> Value {
    option["autocomplete"] = json!(true);
    option
}

/// The same with a list of names and values.
fn chosen(mut option: Value, choices: impl IntoIterator<Item = (String, String)>) -> Value {
    let choices = choices.into_iter().map(|(name, value)| json!({ "name": name, "value": value }));
    option["choices"] = choices.collect();
    option
}

/// Every game by name and key.
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
            // A command of a message's menu has none.
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
    fn a_digest_changes_with_what_it_is_of() {
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
