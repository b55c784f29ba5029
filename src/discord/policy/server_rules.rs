//! The tables that a server allows, and the levels at which the bot may play there.

use futures_util::TryStreamExt;
use rookery_core::player::Level;
use rookery_i18n::Localizer;
use rookery_table::ports::{Filter, Stage};
use rookery_table::preferences::ServerPreferences;
use rookery_table::{Actor, Event, GuildId, Occupant, Order, Table, UserId, decide};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{InteractionChannel, Requester};

/// Checks whether this server allows such a table.
///
/// # Errors
/// The answer for the person.
pub(crate) async fn allowed(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    chairs: &[Occupant],
) -> Result<(), String> {
    let Requester { place, .. } = requester.into();
    let Some(guild) = place.guild else { return Ok(()) };
    let server = ctx.registry.preferences_cache().server(Some(guild)).await;
    check_allowed_channels(ctx.words, &server, place)?;
    let levels: Vec<Level> = chairs.iter().filter_map(level_of).collect();
    let Some(strongest) = levels.iter().max() else { return Ok(()) };
    check_max_level(ctx.words, &server, *strongest)?;
    check_bot_games(ctx, guild, levels.len() == chairs.len()).await
}

/// Checks whether the server of a table lets the bot take the seats that an order would give it. Orders that
/// seat no bot always pass.
///
/// # Errors
/// The answer for the person.
pub(crate) async fn may_seat(ctx: &Context, table: &Table, who: UserId, order: &Order) -> Result<(), String> {
    let (Some(level), Some(guild)) = (bot_level_of_order(order), table.terms().guild) else { return Ok(()) };
    let decided = decide::decide(table, Actor::Person(who), order, None, ctx.registry.now());
    let sits = |event: &Event| matches!(event, Event::Seated { occupant: Occupant::Ai { .. }, .. });
    if !decided.is_ok_and(|decision| decision.events.iter().any(sits)) {
        return Ok(());
    }
    let server = ctx.registry.preferences_cache().server(Some(guild)).await;
    check_max_level(ctx.words, &server, level)?;
    // A game in which the bot plays already is included in the count.
    if table.chairs().iter().any(|chair| level_of(chair).is_some()) {
        return Ok(());
    }
    check_bot_games(ctx, guild, false).await
}

/// Returns the highest level that a server allows; all levels are allowed elsewhere.
pub(crate) async fn max_level(ctx: &Context, guild: Option<GuildId>) -> Level {
    let server = ctx.registry.preferences_cache().server(guild).await;
    strongest(&server).unwrap_or(Level::Expert)
}

/// Returns the level at which the bot plays on a server by default.
pub(crate) async fn default_level(ctx: &Context, guild: Option<GuildId>) -> Level {
    Level::DEFAULT.min(max_level(ctx, guild).await)
}

/// Returns the level at which an order would seat the bot.
fn bot_level_of_order(order: &Order) -> Option<Level> {
    match order {
        Order::Fill(level) | Order::Substitute { level } | Order::SeatProgram { level } => Some(*level),
        _ => None,
    }
}

/// Checks the channels that a server allows for games. For a thread its parent channel decides.
fn check_allowed_channels(
    words: &Localizer,
    server: &ServerPreferences,
    place: InteractionChannel,
) -> Result<(), String> {
    let here = [Some(place.channel), place.parent];
    if server.channels.is_empty() || server.channels.iter().any(|channel| here.contains(&Some(*channel))) {
        return Ok(());
    }
    let channels: Vec<_> = server.channels.iter().map(|channel| format!("<#{channel}>")).collect();
    Err(words.say("config-channel", &[("channels", words.either(&channels).into())]))
}

fn check_max_level(words: &Localizer, server: &ServerPreferences, level: Level) -> Result<(), String> {
    match strongest(server).filter(|most| level > *most) {
        Some(most) => Err(words.say("config-level", &[("level", words.level(most).into())])),
        None => Ok(()),
    }
}

/// Checks whether another game with the bot, or another one of the bot alone, may run on a server.
async fn check_bot_games(ctx: &Context, guild: GuildId, all_ai: bool) -> Result<(), String> {
    let server = ctx.registry.preferences_cache().server(Some(guild)).await;
    let most = if all_ai { server.ai.shows } else { server.ai.games };
    if games_with_bot(ctx, guild, all_ai).await < usize::from(most) {
        return Ok(());
    }
    Err(ctx.words.say("config-ai-games", &[("count", most.into())]))
}

fn level_of(chair: &Occupant) -> Option<Level> {
    match chair {
        Occupant::Ai { level } => Some(*level),
        _ => None,
    }
}

fn strongest(server: &ServerPreferences) -> Option<Level> {
    server.ai.strongest.as_deref().and_then(Level::named)
}

/// Counts the running games with the bot on a server: with `all_ai` those without human players, otherwise
/// those with both.
async fn games_with_bot(ctx: &Context, guild: GuildId, all_ai: bool) -> usize {
    let filter = Filter { guild: Some(guild), stage: Some(Stage::Running), ..Filter::default() };
    let ours = |people: &[Option<rookery_table::UserId>]| {
        let people_there = people.iter().flatten().count();
        if all_ai { people_there == 0 } else { people_there > 0 && people_there < people.len() }
    };
    let (mut cards, mut count) = (ctx.registry.scan(&filter), 0);
    while let Ok(Some(card)) = cards.try_next().await {
        count += usize::from(ours(&card.people));
    }
    count
}
