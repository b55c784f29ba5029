//! What a person chooses for a new game in panels, where it is kept until they change it.

use std::collections::BTreeMap;

use rookery_core::player::Level;
use rookery_core::rules::{AllowedValues, GameInfo, Setup};
use rookery_i18n::{Localizer, quoted};
use rookery_table::preferences::PersonalPreferences;
use serde_json::Value;

use super::open_table::{AI_SEATS, CLOCK, GUESTS, OPEN, OpenTable, PIE, PLAYERS, offered, own_options};
use super::options::{CommandOptions, OptionKind};
use super::play_input::{GAME, LEVEL};
use super::typed_value::{is_valid, request};
use super::{clock_option, seating, team_option};
use crate::discord::policy::server_rules;
use crate::discord::state::context::Context;
use crate::discord::view::start::{OptionChoice, StartOption};
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most characters of a value that is kept.
pub(in crate::discord) const MAX_VALUE_CHARS: usize = 200;
/// The option for rated games.
const RATED: &str = "rated";

/// Returns the game with this key.
///
/// # Errors
/// The answer that there is none.
pub(in crate::discord) fn game_info(
    ctx: &Context,
    game: &str,
) -> Result<&'static GameInfo, Box<OutgoingMessage>> {
    let info = rookery_games::named(game).map(|game| game.info());
    let refused = || ctx.words.say("refused-no-game", &[("name", quoted(game).into())]);
    info.ok_or_else(|| Box::new(OutgoingMessage::text(refused())))
}

/// Asks for the opponent in a game, after keeping the options that were given.
pub(super) async fn ask_for_opponent(
    ctx: &Context,
    interaction: &Interaction,
    game: &str,
    given: BTreeMap<String, String>,
) -> OutgoingMessage {
    let info = match game_info(ctx, game) {
        Ok(info) => info,
        Err(refusal) => return *refusal,
    };
    if !given.is_empty()
        && let Err(sentence) = keep(ctx, interaction, info, |chosen| chosen.extend(given)).await
    {
        return OutgoingMessage::text(sentence);
    }
    opponents(ctx, interaction, info).await
}

/// Builds the panel that asks for the opponent. In a direct message only the bot can be one.
pub(in crate::discord) async fn opponents(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
) -> OutgoingMessage {
    if interaction.place.guild.is_none() && interaction.place.ours {
        return levels(ctx, interaction, info).await;
    }
    let summary = summary(ctx, interaction, info).await;
    ctx.view().start_opponent(info, &summary)
}

/// Builds the panel that asks for the game against the bot at a level: the chosen one, otherwise the one that the
/// person chose last. A game starts with one press.
pub(in crate::discord) async fn games_against_bot(
    ctx: &Context,
    interaction: &Interaction,
    level: Option<Level>,
) -> OutgoingMessage {
    let (last, most) = last_level(ctx, interaction).await;
    ctx.view().start_games_against_bot(level.or(last), most)
}

/// Returns the level for a game of one press: the one that the person chose last, otherwise the server's.
pub(in crate::discord) async fn usual_level(ctx: &Context, interaction: &Interaction) -> Level {
    let (last, most) = last_level(ctx, interaction).await;
    match last {
        Some(last) => last.min(most),
        None => server_rules::default_level(ctx, interaction.place.guild).await,
    }
}

/// Returns the level that the person chose last, and the highest that the server allows.
async fn last_level(ctx: &Context, interaction: &Interaction) -> (Option<Level>, Level) {
    let most = server_rules::max_level(ctx, interaction.place.guild).await;
    let personal = ctx.registry.preferences_cache().person(interaction.who).await;
    (personal.play.level.as_deref().and_then(Level::named), most)
}

/// Builds the panel that asks for the level of the bot, with the level that the person chose last marked.
pub(in crate::discord) async fn levels(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
) -> OutgoingMessage {
    let levels = last_level(ctx, interaction).await;
    let summary = summary(ctx, interaction, info).await;
    ctx.view().start_levels(info, levels, &summary)
}

/// Builds the panel that asks for the person to challenge.
pub(in crate::discord) async fn person(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
) -> OutgoingMessage {
    if interaction.place.guild.is_none() && interaction.place.ours {
        return OutgoingMessage::text(ctx.words.word("play-dm"));
    }
    let summary = summary(ctx, interaction, info).await;
    ctx.view().start_person(info, &summary)
}

/// Returns the options that are chosen in a panel for this game, in the order of `/play`.
pub(in crate::discord) fn options(words: &Localizer, info: &GameInfo, rated: bool) -> Vec<StartOption> {
    let all = OpenTable::register(words);
    let is_offered = |name: &str| match name {
        GAME | LEVEL | OPEN => false,
        PLAYERS => info.seats.len() > 1,
        AI_SEATS => info.seats.last().is_some_and(|most| *most > 2),
        RATED => rated,
        _ if GUESTS.contains(&name) => false,
        _ => !own_options().contains_key(name) || has(info, name),
    };
    let named = all.iter().filter_map(|option| Some((option["name"].as_str()?, option)));
    named
        .filter(|(name, _)| is_offered(name))
        .map(|(name, option)| StartOption {
            key: name.to_owned(),
            note: option["description"].as_str().unwrap_or_default().to_owned(),
            choices: choices(words, info, name, option),
        })
        .collect()
}

fn has(info: &GameInfo, name: &str) -> bool {
    info.options.iter().any(|own| own.key == name)
}

/// Returns the choices of an option; none if its value is typed.
fn choices(words: &Localizer, info: &GameInfo, name: &str, option: &Value) -> Vec<OptionChoice> {
    let plain = |value: String| OptionChoice { label: value.clone(), value };
    if let Some(own) = info.options.iter().find(|own| own.key == name) {
        let usual = |value: &String| !matches!(own.allowed, AllowedValues::Text) && *value != own.default;
        return offered(&own.allowed).into_iter().filter(usual).map(plain).collect();
    }
    let labelled = |key: &str, word: &str| OptionChoice { value: key.to_owned(), label: words.word(word) };
    match name {
        CLOCK => words.presets().into_iter().map(plain).collect(),
        PLAYERS => info.seats.iter().map(|seats| plain(seats.to_string())).collect(),
        AI_SEATS => (1..=info.seats.last().copied().unwrap_or(2)).map(|n| plain(n.to_string())).collect(),
        _ if OptionKind::of(option) == Some(OptionKind::Yes) => vec![labelled("yes", "value-on")],
        _ => {
            let known = option["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
            let fits = |choice: &&Value| choice["value"] != PIE || has(info, PIE);
            let read = |choice: &Value| {
                let text = |part: &str| choice[part].as_str().map(str::to_owned);
                Some(OptionChoice { value: text("value")?, label: text("name")? })
            };
            known.iter().filter(fits).filter_map(read).collect()
        }
    }
}

/// Whether rated games may be chosen here.
pub(in crate::discord) async fn may_rate(ctx: &Context, interaction: &Interaction) -> bool {
    let place = interaction.place;
    place.guild.is_some() && ctx.registry.preferences_cache().server(place.guild).await.rated
}

/// Returns what the person chose last for a game, without values that can't be used here or any more.
pub(in crate::discord) async fn remembered(
    ctx: &Context,
    interaction: &Interaction,
    info: &GameInfo,
) -> BTreeMap<String, String> {
    let personal = ctx.registry.preferences_cache().person(interaction.who).await;
    let mut chosen = personal.play.options.get(info.key).cloned().unwrap_or_default();
    let known = options(ctx.words, info, may_rate(ctx, interaction).await);
    chosen.retain(|key, value| {
        known.iter().any(|option| option.key == *key) && is_valid(ctx.words, key, value)
    });
    chosen
}

/// Describes what differs from a standard game: "size: 6x6, clock: live"; empty if nothing does.
async fn summary(ctx: &Context, interaction: &Interaction, info: &GameInfo) -> String {
    let chosen = remembered(ctx, interaction, info).await;
    let line = |(key, value): (&String, &String)| ctx.view().option_line(key, value);
    chosen.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// Keeps a change of what the person chose for a game.
///
/// # Errors
/// The sentence that says why this is no game, or that it could not be stored. Nothing has changed then.
pub(in crate::discord) async fn keep(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
    change: impl FnOnce(&mut BTreeMap<String, String>),
) -> Result<(), String> {
    let mut chosen = remembered(ctx, interaction, info).await;
    change(&mut chosen);
    chosen.retain(|_, value| !value.is_empty());
    check(ctx, interaction, info, &request(ctx.words, info.key, &chosen)?)?;
    let store = |personal: &mut PersonalPreferences| match chosen.is_empty() {
        true => drop(personal.play.options.remove(info.key)),
        false => drop(personal.play.options.insert(info.key.to_owned(), chosen)),
    };
    let kept = ctx.registry.preferences_cache().change_person(interaction.who, store).await;
    kept.map(drop).map_err(|error| {
        tracing::error!(%error, "what a person chose for a game could not be kept");
        ctx.words.word("denied-journal")
    })
}

/// Checks what is known before the opponents are: the clock, the teams, the bots and the first position.
fn check(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
    request: &OpenTable,
) -> Result<(), String> {
    let words = ctx.words;
    clock_option::parse_clock(words, request, None)?;
    team_option::parse_teams(words, interaction, request)?;
    seating::parse_request(ctx, interaction, request, info, None)?;
    let players = request.players.and_then(|players| usize::try_from(players).ok());
    let seats = players.unwrap_or(info.fewest());
    let setup = Setup { options: request.options.clone(), ..Setup::new(seats) };
    let started = rookery_games::named(info.key).map(|game| game.start(&setup));
    match started {
        Some(Err(error)) => Err(words.setup(&error)),
        _ => Ok(()),
    }
}
