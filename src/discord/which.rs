//! Which table somebody means who names none.

use std::sync::Arc;

use crate::table::ports::{Card, Filter, Stage};
use crate::table::{Person, Table, TableId};
use crate::words::quoted;

use super::desk::Desk;
use super::post::Post;

/// What somebody wants of the table they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// To see it: games of others count as well.
    See,
    /// To do something there: their own games come first.
    Act,
    /// To say yes or no: before all others comes what asks them.
    Answer,
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
    text.parse()
        .map_err(|_| Box::new(Post::text(words.say("which-no-table", &[("text", quoted(text).into())]))))
}

async fn meant(desk: &Desk, who: Person, channel: u64, want: Want) -> Result<TableId, Box<Post>> {
    let unfinished = Filter { unfinished: true, ..Filter::default() };
    let mut here = cards(desk, Filter { channel: Some(channel), ..unfinished.clone() }).await?;
    if here.is_empty() {
        here = cards(desk, Filter { channel: Some(channel), most: 1, ..Filter::default() }).await?;
    }
    let theirs = cards(desk, Filter { person: Some(who), ..unfinished }).await?;
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

/// `here` are the tables of a channel, `theirs` those of a person, both with the latest first. The first place
/// that has a table for them settles it: what lies further off never does, however few tables there are.
fn choose(here: &[Card], theirs: &[Card], who: Person, want: Want) -> Result<TableId, Unclear> {
    let running = |card: &&Card| card.stage == Stage::Running;
    let own_thread = |card: &&Card| card.home.is_some_and(|home| home.thread);
    let in_thread: Vec<_> = here.iter().filter(own_thread).collect();
    let seated_here: Vec<_> = here.iter().filter(running).filter(|card| card.has(who)).collect();
    let others: Vec<_> = here.iter().filter(running).collect();
    let elsewhere: Vec<_> = theirs.iter().filter(|card| card.stage != Stage::Over).collect();
    if want == Want::Answer
        && in_thread.is_empty()
        && let Some(asking) = asking(here, theirs, who)
    {
        return asking;
    }
    let places = match want {
        Want::See => [in_thread, seated_here, others, elsewhere],
        Want::Act | Want::Answer => [in_thread, seated_here, elsewhere, others],
    };
    match places.iter().find(|place| !place.is_empty()) {
        Some(place) => one_of(place, who),
        None => here.first().map(|card| card.id).ok_or(Unclear::None),
    }
}

/// The only table that asks somebody for an answer, in the first place where one does; `None` if none does. Of several
/// none is guessed: yes to one is not yes to another.
fn asking(here: &[Card], theirs: &[Card], who: Person) -> Option<Result<TableId, Unclear>> {
    let asks = |cards: &[Card]| -> Vec<TableId> {
        cards.iter().filter(|card| card.asked.contains(&who)).map(|card| card.id).collect()
    };
    let found = [asks(here), asks(theirs)].into_iter().find(|found| !found.is_empty())?;
    Some(if let [only] = found[..] { Ok(only) } else { Err(Unclear::Several(found)) })
}

/// The only table of several, the only one going on, or the only one of those that waits for somebody.
fn one_of(place: &[&Card], who: Person) -> Result<TableId, Unclear> {
    let running: Vec<_> = place.iter().copied().filter(|card| card.stage == Stage::Running).collect();
    let waits: Vec<_> = running.iter().copied().filter(|card| card.waits_on(who)).collect();
    let only = [place, &running, &waits].into_iter().find(|found| found.len() == 1);
    let asked_about = if running.is_empty() { place } else { &running };
    only.map(|found| found[0].id)
        .ok_or_else(|| Unclear::Several(asked_about.iter().map(|card| card.id).collect()))
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

/// Names of somebody's tables that begin with what they typed, for completion; of those that are over as well,
/// if `looks_back`.
pub async fn complete(desk: &Desk, who: Person, typed: &str, looks_back: bool) -> Vec<String> {
    let filter = Filter { person: Some(who), unfinished: !looks_back, ..Filter::default() };
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
            imported: false,
            opened_in: None,
            gone: Vec::new(),
            host: Some(ADA),
            waits_for: Some(waits_for),
            to_move: None,
            asked: Vec::new(),
            winners: Vec::new(),
            at_ms: 0,
            frozen_ms: None,
            set: None,
            rests: false,
            proof_owed: false,
            rated: None,
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
    fn of_two_games_in_this_channel_none_is_guessed() {
        let on_turn = |id| card(id, Stage::Running, ADA);
        let here = [on_turn("K7Q2"), on_turn("AAAA"), card("CCCC", Stage::Over, ADA)];
        let both = || Err(Unclear::Several(vec![here[0].id, here[1].id]));
        assert_eq!(choose(&here, &here[..2], ADA, Want::Act), both());
        assert_eq!(choose(&here, &here[..2], ADA, Want::See), both());
        let theirs_to_move = [card("K7Q2", Stage::Running, BEN), card("AAAA", Stage::Running, BEN)];
        let all = [&theirs_to_move[..], &[on_turn("BBBB")]].concat();
        assert_eq!(
            choose(&theirs_to_move, &all, ADA, Want::Act),
            both(),
            "what is elsewhere does not settle it"
        );
        assert_eq!(
            choose(&[here[0].clone(), theirs_to_move[1].clone()], &all, ADA, Want::Act),
            Ok(here[0].id)
        );
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

    #[test]
    fn who_answers_means_the_table_that_asks_them() {
        let mut theirs = [card("AAAA", Stage::Running, ADA), card("BBBB", Stage::Waiting, ADA)];
        assert_eq!(choose(&[], &theirs, ADA, Want::Answer), Ok(theirs[0].id));
        theirs[1].asked = vec![ADA];
        assert_eq!(choose(&[], &theirs, ADA, Want::Answer), Ok(theirs[1].id));
        theirs[0].asked = vec![ADA];
        let both = vec![theirs[0].id, theirs[1].id];
        assert_eq!(choose(&[], &theirs, ADA, Want::Answer), Err(Unclear::Several(both)));
        assert_eq!(choose(&theirs[..1], &theirs, ADA, Want::Answer), Ok(theirs[0].id), "it is here");
    }
}
