//! Which table somebody means who names none.

use std::sync::Arc;

use crate::table::ports::{Card, Filter, Stage};
use crate::table::{Person, Table, TableId};

use super::desk::Desk;
use super::post::Post;

/// What somebody wants of the table they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// To see it: games of others count as well.
    See,
    /// To do something there: their own games come first.
    Act,
}

/// The table that somebody means in a channel: the one they name, else that of the thread, else theirs
/// there, else the only one that fits.
///
/// # Errors
/// What to ask back.
pub async fn table(
    desk: &Desk,
    who: Person,
    channel: u64,
    named: Option<&str>,
    want: Want,
) -> Result<Arc<Table>, Box<Post>> {
    let id = match named {
        Some(text) => named_table(desk, text)?,
        None => meant(desk, who, channel, want).await?,
    };
    desk.see(id).await
}

fn named_table(desk: &Desk, text: &str) -> Result<TableId, Box<Post>> {
    let words = desk.words;
    text.parse().map_err(|_| {
        let text = text.replace(['@', '<', '`'], "");
        Box::new(Post::text(words.say("which-no-table", &[("text", text.into())])))
    })
}

async fn meant(desk: &Desk, who: Person, channel: u64, want: Want) -> Result<TableId, Box<Post>> {
    let here = cards(desk, Filter { channel: Some(channel), ..Filter::default() }).await?;
    let theirs = cards(desk, Filter { person: Some(who), ..Filter::default() }).await?;
    choose(&here, &theirs, who, want).map_err(|why| Box::new(Post::text(ask_back(desk, &why))))
}

async fn cards(desk: &Desk, filter: Filter) -> Result<Vec<Card>, Box<Post>> {
    let found = desk.hall.list(&filter).await;
    found.map_err(|denied| Box::new(Post::text(desk.words.denied(&denied, None))))
}

/// Why it is not clear which table is meant.
#[derive(Debug, PartialEq, Eq)]
enum Unclear {
    None,
    Several(Vec<TableId>),
}

/// `here` are the tables of a channel, `theirs` those of a person, both with the latest first.
fn choose(here: &[Card], theirs: &[Card], who: Person, want: Want) -> Result<TableId, Unclear> {
    let seated = |card: &&Card| card.has(who);
    let running = |card: &&Card| card.stage == Stage::Running;
    let waits = |card: &&Card| card.waits_on(who);
    let open = |card: &&Card| card.stage != Stage::Over;
    let own_thread = |card: &&Card| card.home.is_some_and(|home| home.thread);
    let in_thread = vec![here.iter().filter(own_thread).collect::<Vec<_>>()];
    let seated_here = vec![
        here.iter().filter(seated).filter(running).collect(),
        here.iter().filter(seated).filter(running).filter(waits).collect(),
    ];
    let others = vec![here.iter().filter(running).collect()];
    let elsewhere = vec![
        theirs.iter().filter(running).collect(),
        theirs.iter().filter(running).filter(waits).collect(),
        theirs.iter().filter(open).collect(),
    ];
    let rest = vec![here.iter().filter(open).collect(), here.iter().take(1).collect()];
    let tries: Vec<Vec<&Card>> = match want {
        Want::See => [in_thread, seated_here, others, elsewhere, rest].concat(),
        Want::Act => [in_thread, seated_here, elsewhere, others, rest].concat(),
    };
    if let Some(only) = tries.iter().find(|found| found.len() == 1) {
        return Ok(only[0].id);
    }
    match tries.iter().find(|found| found.len() > 1) {
        Some(found) => Err(Unclear::Several(found.iter().map(|card| card.id).collect())),
        None => Err(Unclear::None),
    }
}

fn ask_back(desk: &Desk, why: &Unclear) -> String {
    match why {
        Unclear::None => desk.words.word("which-none"),
        Unclear::Several(tables) => {
            let names: Vec<_> = tables.iter().take(10).map(ToString::to_string).collect();
            let example = names.first().cloned().unwrap_or_default();
            desk.words.say(
                "which-several",
                &[("tables", desk.words.join(&names).into()), ("example", example.into())],
            )
        }
    }
}

/// Names of somebody's tables that begin with what they typed, for completion.
pub async fn complete(desk: &Desk, who: Person, typed: &str) -> Vec<String> {
    let filter = Filter { person: Some(who), ..Filter::default() };
    let cards = desk.hall.list(&filter).await.unwrap_or_default();
    let typed = typed.trim().trim_start_matches('#').to_ascii_uppercase();
    let going = cards.iter().filter(|card| card.stage != Stage::Over);
    going.map(|card| card.id.to_string()).filter(|id| id.starts_with(&typed)).collect()
}

/// The same with tables that are over, for those who look back.
pub async fn complete_any(desk: &Desk, who: Person, typed: &str) -> Vec<String> {
    let filter = Filter { person: Some(who), ..Filter::default() };
    let cards = desk.hall.list(&filter).await.unwrap_or_default();
    let typed = typed.trim().trim_start_matches('#').to_ascii_uppercase();
    cards.iter().map(|card| card.id.to_string()).filter(|id| id.starts_with(&typed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Person = Person(1);
    const BEN: Person = Person(2);

    fn card(id: &str, stage: Stage, waits_for: Person) -> Card {
        Card {
            id: id.parse().unwrap(),
            game: "amazons".into(),
            stage,
            ply: 0,
            guild: None,
            home: None,
            people: vec![Some(ADA), Some(BEN)],
            programs: Vec::new(),
            waits_for: Some(waits_for),
            asked: Vec::new(),
            winners: Vec::new(),
            at_ms: 0,
            frozen_ms: None,
            set: None,
            rests: false,
            proof_owed: false,
            next_ms: None,
            timed: false,
            teams: Vec::new(),
            members: Vec::new(),
        }
    }

    #[test]
    fn the_game_in_this_channel_comes_first() {
        let here = [card("K7Q2", Stage::Running, BEN)];
        let theirs = [card("AAAA", Stage::Running, ADA), here[0].clone()];
        assert_eq!(choose(&here, &theirs, ADA, Want::Act), Ok(here[0].id));
    }

    #[test]
    fn of_several_the_one_that_waits_is_meant() {
        let theirs = [card("AAAA", Stage::Running, BEN), card("BBBB", Stage::Running, ADA)];
        assert_eq!(choose(&[], &theirs, ADA, Want::Act), Ok(theirs[1].id));
    }

    #[test]
    fn several_that_wait_are_asked_about() {
        let theirs = [card("AAAA", Stage::Running, ADA), card("BBBB", Stage::Running, ADA)];
        let both = vec![theirs[0].id, theirs[1].id];
        assert_eq!(choose(&[], &theirs, ADA, Want::Act), Err(Unclear::Several(both)));
    }

    #[test]
    fn who_watches_means_the_game_of_the_channel() {
        let here = [card("AAAA", Stage::Running, ADA)];
        assert_eq!(choose(&here, &[], Person(3), Want::See), Ok(here[0].id));
        assert_eq!(choose(&[card("AAAA", Stage::Over, ADA)], &[], ADA, Want::See), Ok(here[0].id));
        assert_eq!(choose(&[], &[], ADA, Want::See), Err(Unclear::None));
    }

    #[test]
    fn who_acts_means_a_game_of_their_own_unless_in_a_thread() {
        let mut here = [card("AAAA", Stage::Running, BEN)];
        here[0].people = vec![Some(BEN), None];
        let theirs = [card("BBBB", Stage::Running, ADA)];
        assert_eq!(choose(&here, &theirs, ADA, Want::Act), Ok(theirs[0].id));
        assert_eq!(choose(&here, &theirs, ADA, Want::See), Ok(here[0].id));
        here[0].home = Some(crate::table::Home { channel: 1, thread: true });
        assert_eq!(choose(&here, &theirs, ADA, Want::Act), Ok(here[0].id));
    }
}
