//! `/games`: lists games, with links to where they are played.

use async_trait::async_trait;
use serde_json::Value;

use crate::table::ports::{Filter, Stage};
use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::{Command, Kind, chosen, option};

/// Lists games.
pub(super) struct Games;

#[async_trait]
impl Command for Games {
    fn name(&self) -> &'static str {
        "games"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let which = ["mine", "here"].map(|key| (words.word(&format!("choice-{key}")), key.to_owned()));
        vec![chosen(option(words, Kind::Text, "which", "command-games-which"), which)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let here = given.text("which") == Some("here");
        let (title, filter) = match asked.place.guild {
            Some(guild) if here => ("games-here", Filter { guild: Some(guild), ..Filter::default() }),
            None if here => {
                ("games-here", Filter { channel: Some(asked.place.channel), ..Filter::default() })
            }
            _ => ("games-mine", Filter { person: Some(asked.who), ..Filter::default() }),
        };
        match desk.hall.list(&filter).await {
            Err(denied) => Post::text(desk.words.denied(&denied, None)),
            Ok(mut cards) => {
                cards.retain(|card| card.stage != Stage::Over);
                // Those that wait for the asker come first; the order is kept otherwise.
                cards.sort_by_key(|card| card.waits_for != Some(asked.who));
                desk.layout().games(title, &cards, asked.who)
            }
        }
    }
}
