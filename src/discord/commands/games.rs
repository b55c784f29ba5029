//! `/games`: lists games, with links to their boards.

use async_trait::async_trait;
use serde_json::Value;

use crate::table::Denied;
use crate::table::ports::{Card, Filter, Posted, Stage};
use crate::table::{Person, Say};
use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::layout::lists::Listed;
use super::super::post::Post;
use super::{Command, Kind, chosen, games_by_name, option};

/// Games whose board is looked for, to link to it: as many as a message has room for.
const LINKED_MOST: usize = 25;

/// Lists games.
pub(super) struct Games;

/// Which games are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// Somebody's, going on.
    Mine,
    /// Those in which it is their turn.
    Turn,
    /// Those that wait for players, here.
    Open,
    /// Those going on here.
    Here,
    /// Those that are over: somebody's, or here.
    Finished,
}

impl Which {
    /// Each with its key, the sentence that offers it, and the title of its list.
    const ALL: [(Which, &'static str, &'static str, &'static str); 5] = [
        (Which::Mine, "mine", "games-which-mine", "games-mine"),
        (Which::Turn, "turn", "games-which-turn", "games-turn"),
        (Which::Open, "open", "games-which-open", "games-open"),
        (Which::Here, "here", "games-which-here", "games-here"),
        (Which::Finished, "finished", "games-which-finished", "games-finished"),
    ];

    fn named(key: &str) -> Option<Which> {
        Which::ALL.iter().find(|(_, known, _, _)| *known == key).map(|(which, ..)| *which)
    }

    fn title(self) -> &'static str {
        Which::ALL.iter().find(|(which, ..)| *which == self).map_or("", |(.., title)| title)
    }

    fn stage(self) -> Option<Stage> {
        match self {
            Which::Mine => None,
            Which::Turn | Which::Here => Some(Stage::Running),
            Which::Open => Some(Stage::Waiting),
            Which::Finished => Some(Stage::Over),
        }
    }

    fn takes(self, card: &Card, who: Person) -> bool {
        match self {
            Which::Turn => card.waits_on(who),
            Which::Mine | Which::Open | Which::Here | Which::Finished => true,
        }
    }
}

#[async_trait]
impl Command for Games {
    fn name(&self) -> &'static str {
        "games"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let which = Which::ALL.map(|(_, key, offer, _)| (words.word(offer), key.to_owned()));
        vec![
            chosen(option(words, Kind::Text, "which", "command-games-which"), which),
            option(words, Kind::Person, "person", "command-games-person"),
            chosen(option(words, Kind::Text, "game", "command-games-game"), games_by_name(words)),
        ]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let which = given.text("which").and_then(Which::named).unwrap_or(Which::Mine);
        let who = given.person("person").unwrap_or(asked.who);
        let filter = filter(which, asked, given);
        match listed(desk, asked, &filter, (which, who)).await {
            Ok(cards) => desk.layout().games(which.title(), &cards, asked.who),
            Err(denied) => Post::text(desk.words.denied(&denied, None)),
        }
    }
}

/// Of other people, and of all people, only what goes on here is told, and what whoever reads this channel can
/// see where it is played.
fn filter(which: Which, asked: &Asked, given: &Given) -> Filter {
    let person = given.person("person");
    let (guild, channel) = (asked.place.guild, asked.place.channel);
    let of_all = matches!(which, Which::Open | Which::Here) || (which == Which::Finished && guild.is_some());
    let here = of_all || person.is_some_and(|person| person != asked.who);
    Filter {
        person: person.or((!of_all).then_some(asked.who)),
        guild: guild.filter(|_| here),
        channel: (here && guild.is_none()).then_some(channel),
        stage: which.stage(),
        unfinished: which == Which::Mine,
        game: given.text("game").map(str::to_owned),
        ..Filter::default()
    }
}

async fn listed(
    desk: &Desk,
    asked: &Asked,
    filter: &Filter,
    (which, who): (Which, Person),
) -> Result<Vec<Listed>, Denied> {
    let mut cards = desk.hall.list(filter).await?;
    cards.retain(|card| which.takes(card, who));
    // Those that wait for somebody come first in their list; the order is kept otherwise.
    cards.sort_by_key(|card| !card.waits_on(who));
    let mut listed = Vec::with_capacity(cards.len());
    for card in cards {
        if !card.has(asked.who) && !desk.may_list(&card, asked.place.channel).await {
            continue;
        }
        let board = if listed.len() < LINKED_MOST { board(desk, &card).await } else { None };
        listed.push(Listed { card, board });
    }
    Ok(listed)
}

/// The message with a table's latest board, if it is posted.
async fn board(desk: &Desk, card: &Card) -> Option<Posted> {
    let say = if card.stage == Stage::Waiting { Say::Announce } else { Say::Board { ply: card.ply } };
    desk.hall.journal().posted(card.id, &say).await.ok().flatten()
}
