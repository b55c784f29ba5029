//! Slash commands: one file for each, and the list of all.

pub mod analyse;
mod block;
mod board;
pub mod challenge_menu;
mod clock_option;
mod clocks;
mod command;
mod common_options;
mod config;
mod entry_point;
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
mod option_types;
mod options;
pub mod owner;
mod paper;
mod picture_contents;
pub mod picture_import;
mod picture_points;
pub mod plan;
mod play;
pub(in crate::discord) mod play_choices;
pub(in crate::discord) mod play_from;
mod play_input;
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
mod typed_value;
mod vacation;
mod verify;
mod watch;

pub(in crate::discord) use open_table::{AI_SEATS, AiStrength, GUESTS, OpenTable};
pub(in crate::discord) use options::CommandOptions;
pub(in crate::discord) use play::{LAYOUT, open_and_link, open_or_ask};
pub(in crate::discord) use play_input::PlayInput;
pub(in crate::discord) use team_option::AGAINST;
pub(in crate::discord) use typed_value::{request as request_of, typed_value};

pub use command::{RegisteredCommand, describe};

use serde_json::{Value, json};

use rookery_i18n::{Languages, Localizer};
use rookery_table::digest::sha256_hex;

use crate::discord::actions::browsers;
use crate::discord::policy::bans;
use crate::discord::policy::server_managers::refusal_to_others;
use crate::discord::policy::table_lookup;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::limits::{MAX_COMPLETION_CHARS, MAX_COMPLETIONS};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use command::{BY_ANYBODY, EVERYWHERE};
use common_options::{TABLE, TableOptions};

/// All commands in the order of the help page and of clients that keep it: what a newcomer needs comes first.
pub static ALL: [&dyn RegisteredCommand; 37] = [
    &play::Play,
    &tutorial::Tutorial,
    &rules::Rules,
    &games::Games,
    &help::Help,
    &play_move::PlayMove,
    &board::Board,
    &hint::Hint,
    &offer::UNDO,
    &resign::Resign,
    &offer::DRAW,
    &offer::COUNT,
    &plan::PlanCommand,
    &clocks::Clocks,
    &offer::PAUSE,
    &offer::RESUME,
    &offer::ABORT,
    &leave::Leave,
    &offer::BACK,
    &watch::Watch,
    &watch::Unwatch,
    &replay::Replay,
    &analyse::Analyse,
    &share::Share,
    &tv::Tv,
    &export::Export,
    &import::Import,
    &paper::Paper,
    &verify::Verify,
    &profile::Profile,
    &leaderboard::Leaderboard,
    &settings::Settings,
    &vacation::Vacation,
    &config::Config,
    &block::Block,
    &report::Report,
    &privacy::Privacy,
];

/// Returns the command with this name.
pub fn named(name: &str) -> Option<&'static dyn RegisteredCommand> {
    ALL.into_iter().find(|command| command.name() == name)
}

/// Discord's permission bit MANAGE_GUILD.
const MANAGE_SERVER: u64 = 1 << 5;

/// Returns the registration of all commands, in every language. With an Activity, one of them opens it; Discord removes that
/// one if it's missing from the list.
pub fn registration(languages: &Languages, activity: bool) -> Value {
    let mut all = in_one_language(languages.default_language(), activity);
    for words in &languages.all()[1..] {
        localise::add(&mut all, &in_one_language(words, activity), words, &languages.clients(words));
    }
    all
}

/// Returns the registration of the commands for operators, which only their server gets.
pub fn owner_registration(languages: &Languages) -> Value {
    let mut all = json!([owner::registration(languages.default_language())]);
    for words in &languages.all()[1..] {
        localise::add(&mut all, &json!([owner::registration(words)]), words, &languages.clients(words));
    }
    all
}

fn in_one_language(words: &Localizer, activity: bool) -> Value {
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
        .chain(activity.then(|| entry_point::registration(words)))
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
        return challenge_menu::run(ctx, target, input.targets_bot());
    }
    if let Some(target) = &input.message {
        return message_menus::run(ctx, interaction, &input.name, target).await;
    }
    if input.name == owner::COMMAND.name() {
        return owner::run(ctx, interaction, input).await;
    }
    if input.name == entry_point::NAME {
        return browsers::open_games(ctx);
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
        let mut all = registration(&Languages::built_in(), true);
        all.as_array_mut()
            .unwrap()
            .extend(owner_registration(&Languages::built_in()).as_array().unwrap().clone());
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
        assert_eq!(digest(&registration(&Languages::built_in(), false)).len(), 64);
    }

    #[test]
    fn every_command_is_found_by_its_name() {
        for command in ALL {
            assert_eq!(named(command.name()).map(|found| found.name()), Some(command.name()));
        }
    }
}
