//! What a server lets people open, and whom it lets sit down there.

use rookery_core::player::Level;
use rookery_i18n::Words;
use rookery_table::ports::{Filter, Stage};
use rookery_table::preferences::Server;
use rookery_table::{By, Event, Occupant, Order, Person, Table, state};

use super::super::asked::{Asked, Place};
use super::super::desk::Desk;

/// Whether this server lets such a table be opened here.
///
/// # Errors
/// What to tell whoever asked.
pub async fn allowed(desk: &Desk, asked: &Asked, chairs: &[Occupant]) -> Result<(), String> {
    let Some(guild) = asked.place.guild else { return Ok(()) };
    let server = desk.hall.drawer().server(Some(guild)).await;
    in_its_channels(desk.words, &server, asked.place)?;
    let levels: Vec<Level> = chairs.iter().filter_map(level_of).collect();
    let Some(strongest) = levels.iter().max() else { return Ok(()) };
    up_to(desk.words, &server, *strongest)?;
    room(desk, guild, levels.len() == chairs.len()).await
}

/// Whether the server of a table lets the program take the seats there that an order would give it. An order
/// that gives it none, for whatever reason, is the table's own business.
///
/// # Errors
/// What to tell whoever ordered it.
pub async fn may_seat(desk: &Desk, table: &Table, who: Person, order: &Order) -> Result<(), String> {
    let (Some(level), Some(guild)) = (seats(order), table.terms().guild) else { return Ok(()) };
    let decided = state::decide(table, By::Person(who), order, None, desk.hall.now_ms());
    let sits = |event: &Event| matches!(event, Event::Seated { occupant: Occupant::Ai { .. }, .. });
    if !decided.is_ok_and(|events| events.iter().any(sits)) {
        return Ok(());
    }
    let server = desk.hall.drawer().server(Some(guild)).await;
    up_to(desk.words, &server, level)?;
    // A game in which it plays already is one of those that are counted.
    if table.chairs().iter().any(|chair| level_of(chair).is_some()) {
        return Ok(());
    }
    room(desk, guild, false).await
}

/// The strongest level that a server lets play there; anywhere else any may.
pub async fn strongest_in(desk: &Desk, guild: Option<u64>) -> Level {
    let server = desk.hall.drawer().server(guild).await;
    strongest(&server).unwrap_or(Level::Expert)
}

/// How strong the program plays on a server where nobody says.
pub async fn usual_in(desk: &Desk, guild: Option<u64>) -> Level {
    Level::DEFAULT.min(strongest_in(desk, guild).await)
}

/// The level at which an order would have the program sit down.
fn seats(order: &Order) -> Option<Level> {
    match order {
        Order::Fill(level) | Order::StandIn { level } | Order::SeatProgram { level } => Some(*level),
        _ => None,
    }
}

/// A thread goes by the channel that it hangs under.
fn in_its_channels(words: &Words, server: &Server, place: Place) -> Result<(), String> {
    let here = [Some(place.channel), place.parent];
    if server.channels.is_empty() || server.channels.iter().any(|channel| here.contains(&Some(*channel))) {
        return Ok(());
    }
    let channels: Vec<_> = server.channels.iter().map(|channel| format!("<#{channel}>")).collect();
    Err(words.say("config-channel", &[("channels", words.either(&channels).into())]))
}

fn up_to(words: &Words, server: &Server, level: Level) -> Result<(), String> {
    match strongest(server).filter(|most| level > *most) {
        Some(most) => Err(words.say("config-level", &[("level", words.level(most).into())])),
        None => Ok(()),
    }
}

/// Whether one more game with the program may go on at a server, or one more of the program alone.
async fn room(desk: &Desk, guild: u64, all_ai: bool) -> Result<(), String> {
    let server = desk.hall.drawer().server(Some(guild)).await;
    let most = if all_ai { server.ai.shows } else { server.ai.games };
    if against_us(desk, guild, all_ai).await < usize::from(most) {
        return Ok(());
    }
    Err(desk.words.say("config-ai-games", &[("count", most.into())]))
}

fn level_of(chair: &Occupant) -> Option<Level> {
    match chair {
        Occupant::Ai { level } => Some(*level),
        _ => None,
    }
}

fn strongest(server: &Server) -> Option<Level> {
    server.ai.strongest.as_deref().and_then(Level::named)
}

/// Games with the program going on at a server: those where it holds all seats, or all others.
async fn against_us(desk: &Desk, guild: u64, all_ai: bool) -> usize {
    let filter = Filter {
        guild: Some(guild),
        stage: Some(Stage::Running),
        most: usize::from(u16::MAX),
        ..Filter::default()
    };
    let cards = desk.hall.list(&filter).await.unwrap_or_default();
    let ours = |people: &[Option<rookery_table::Person>]| {
        let people_there = people.iter().flatten().count();
        if all_ai { people_there == 0 } else { people_there > 0 && people_there < people.len() }
    };
    cards.iter().filter(|card| ours(&card.people)).count()
}
