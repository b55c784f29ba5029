//! `/tv`: keeps the best game going on on this server on one board in a channel.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;
use rookery_table::Denied;

use super::super::asked::{Asked, Given, missing};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::tv;
use super::{Command, Kind, chosen, option};

/// Puts the television up, or away.
pub(super) struct Tv;

#[async_trait]
impl Command for Tv {
    fn name(&self) -> &'static str {
        "tv"
    }

    fn for_managers(&self) -> bool {
        true
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let ways = [("here", "tv-here"), ("off", "tv-off")];
        let ways = ways.map(|(way, offer)| (words.word(offer), way.to_owned()));
        vec![chosen(option(words, Kind::Text, "where", "command-tv-where"), ways)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let Some(guild) = asked.place.guild else { return Post::text(desk.words.word("config-no-server")) };
        let away = given.text("where") == Some("off");
        let lacks: Vec<_> = missing(asked.place).into_iter().map(|key| desk.words.word(key)).collect();
        if !away && !lacks.is_empty() {
            let args = [("permissions", desk.words.join(&lacks).into())];
            return Post::text(desk.words.say("play-missing", &args));
        }
        match tv::put(desk, guild, (!away).then_some(asked.place.channel)).await {
            Ok(()) => Post::text(desk.words.word(if away { "tv-gone" } else { "tv-there" })),
            Err(error) => Post::text(desk.words.denied(&Denied::Journal(error.to_string()), None)),
        }
    }
}
