//! What a server lets people open, and whom it lets sit down there.

use rookery_core::player::Level;
use rookery_i18n::Localizer;
use rookery_table::ports::{Filter, Stage};
use rookery_table::preferences::ServerPreferences;
use rookery_table::{Actor, Event, GuildId, Occupant, Order, Table, UserId, decide};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Interaction, InteractionChannel};

/// Whether this server lets such a table be opened here.
///
/// # Errors
/// The sentence to answer with.
pub(crate) async fn allowed(
    ctx: &Context,
    interaction: &Interaction,
    chairs: &[Occupant],
) -> Result<(), String> {
    let Some(guild) = interaction.place.guild else { return Ok(()) };
    let server = ctx.registry.preferences_cache().server(Some(guild)).await;
    in_its_channels(ctx.words, &server, interaction.place)?;
    let levels: Vec<Level> = chairs.iter().filter_map(level_of).collect();
    let Some(strongest) = levels.iter().max() else { return Ok(()) };
    up_to(ctx.words, &server, *strongest)?;
    room(ctx, guild, levels.len() == chairs.len()).await
}

/// Whether the server of a table lets the program take the seats there that an order would give it. An order
/// that gives it none, for whatever reason, is the table's own business.
///
/// # Errors
/// The sentence to answer with.
pub(crate) async fn may_seat(ctx: &Context, table: &Table, who: UserId, order: &Order) -> Result<(), String> {
    let (Some(level), Some(guild)) = (seats(order), table.terms().guild) else { return Ok(()) };
    let decided = decide::decide(table, Actor::Person(who), order, None, ctx.registry.now());
    let sits = |event: &Event| matches!(event, Event::Seated { occupant: Occupant::Ai { .. }, .. });
    if !decided.is_ok_and(|decision| decision.events.iter().any(sits)) {
        return Ok(());
    }
    let server = ctx.registry.preferences_cache().server(Some(guild)).await;
    up_to(ctx.words, &server, level)?;
    // A game in which it plays already is one of those that are counted.
    if table.chairs().iter().any(|chair| level_of(chair).is_some()) {
        return Ok(());
    }
    room(ctx, guild, false).await
}

/// The strongest level that a server lets play there; anywhere else any may.
pub(crate) async fn strongest_in(ctx: &Context, guild: Option<GuildId>) -> Level {
    let server = ctx.registry.preferences_cache().server(guild).await;
    strongest(&server).unwrap_or(Level::Expert)
}

/// How strong the program plays on a server where nobody says.
pub(crate) async fn usual_in(ctx: &Context, guild: Option<GuildId>) -> Level {
    Level::DEFAULT.min(strongest_in(ctx, guild).await)
}

/// The level at which an order would have the program sit down.
fn seats(order: &Order) -> Option<Level> {
    match order {
        Order::Fill(level) | Order::Substitute { level } | Order::SeatProgram { level } => Some(*level),
        _ => None,
    }
}

/// A thread goes by the channel that it hangs under.
fn in_its_channels(
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

fn up_to(words: &Localizer, server: &ServerPreferences, level: Level) -> Result<(), String> {
    match strongest(server).filter(|most| level > *most) {
        Some(most) => Err(words.say("config-level", &[("level", words.level(most).into())])),
        None => Ok(()),
    }
}

/// Whether one more game with the program may go on at a server, or one more of the program alone.
async fn room(ctx: &Context, guild: GuildId, all_ai: bool) -> Result<(), String> {
    let server = ctx.registry.preferences_cache().server(Some(guild)).await;
    let most = if all_ai { server.ai.shows } else { server.ai.games };
    if against_us(ctx, guild, all_ai).await < usize::from(most) {
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

/// Games with the program going on at a server: those where it holds all seats, or all others.
async fn against_us(ctx: &Context, guild: GuildId, all_ai: bool) -> usize {
    let filter = Filter {
        guild: Some(guild),
        stage: Some(Stage::Running),
        most: usize::from(u16::MAX),
        ..Filter::default()
    };
    let cards = ctx.registry.list(&filter).await.unwrap_or_default();
    let ours = |people: &[Option<rookery_table::UserId>]| {
        let people_there = people.iter().flatten().count();
        if all_ai { people_there == 0 } else { people_there > 0 && people_there < people.len() }
    };
    cards.iter().filter(|card| ours(&card.people)).count()
}
