//! What a server lets people open.

use crate::kit::player::Level;
use crate::table::Occupant;
use crate::table::ports::{Filter, Stage};
use crate::table::preferences::Server;

use super::super::asked::Asked;
use super::super::desk::Desk;

/// Whether this server lets such a table be opened here.
///
/// # Errors
/// What to tell whoever asked.
pub async fn allowed(desk: &Desk, asked: &Asked, chairs: &[Occupant]) -> Result<(), String> {
    let Some(guild) = asked.place.guild else { return Ok(()) };
    let (words, server) = (desk.words, desk.hall.drawer().server(Some(guild)).await);
    if !server.channels.is_empty() && !server.channels.contains(&asked.place.channel) {
        let channels: Vec<_> = server.channels.iter().map(|channel| format!("<#{channel}>")).collect();
        return Err(words.say("config-channel", &[("channels", words.either(&channels).into())]));
    }
    let levels: Vec<Level> = chairs.iter().filter_map(level).collect();
    if let Some(strongest) =
        strongest(&server).filter(|most| levels.iter().any(|level| rank(*level) > rank(*most)))
    {
        return Err(words.say("config-level", &[("level", words.level(strongest).into())]));
    }
    let all_ai = levels.len() == chairs.len();
    let most = if all_ai { server.ai.shows } else { server.ai.games };
    if levels.is_empty() || against_us(desk, guild, all_ai).await < usize::from(most) {
        return Ok(());
    }
    Err(words.say("config-ai-games", &[("count", most.into())]))
}

fn level(chair: &Occupant) -> Option<Level> {
    match chair {
        Occupant::Ai { level } => Some(*level),
        _ => None,
    }
}

fn strongest(server: &Server) -> Option<Level> {
    server.ai.strongest.as_deref().and_then(Level::named)
}

/// A level's place among all, from the weakest.
fn rank(level: Level) -> usize {
    Level::ALL.iter().position(|one| *one == level).unwrap_or_default()
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
    let ours = |people: &[Option<crate::table::Person>]| {
        let people_there = people.iter().flatten().count();
        if all_ai { people_there == 0 } else { people_there > 0 && people_there < people.len() }
    };
    cards.iter().filter(|card| ours(&card.people)).count()
}
