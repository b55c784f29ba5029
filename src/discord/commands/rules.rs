//! `/rules`: shows how a game is played and written.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::{Words, quoted};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::{Command, Kind, chosen, games_by_name, option, required};

/// Shows the rules of a game.
pub(super) struct Rules;

#[async_trait]
impl Command for Rules {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![required(chosen(option(words, Kind::Text, "game", "command-play-game"), games_by_name(words)))]
    }

    async fn run(&self, desk: &Desk, _asked: &Asked, given: &Given) -> Post {
        let game = given.text("game").unwrap_or_default();
        let rules = desk.layout().rules(game);
        rules.unwrap_or_else(|| {
            Post::text(desk.words.say("refused-no-game", &[("name", quoted(game).into())]))
        })
    }
}
