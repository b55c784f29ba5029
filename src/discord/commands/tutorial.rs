//! `/tutorial`: a game in a few short steps, with something to tap in each.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::player::Level;
use rookery_i18n::{Words, quoted};

use super::super::asked::{Asked, Given, Value as Chosen};
use super::super::desk::Desk;
use super::super::lesson;
use super::super::post::Post;
use super::play::Play;
use super::{Command, Kind, chosen, games_by_name, option, required};

/// Begins a lesson.
pub(super) struct Tutorial;

#[async_trait]
impl Command for Tutorial {
    fn name(&self) -> &'static str {
        "tutorial"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![required(chosen(option(words, Kind::Text, "game", "command-play-game"), games_by_name(words)))]
    }

    async fn run(&self, desk: &Desk, _asked: &Asked, given: &Given) -> Post {
        let game = given.text("game").unwrap_or_default();
        let first = lesson::begin(desk, game);
        first.unwrap_or_else(|| {
            Post::text(desk.words.say("refused-no-game", &[("name", quoted(game).into())]))
        })
    }
}

/// Opens a first game against the program at its gentlest, as `/play` would.
pub(in crate::discord) async fn first_game(desk: &Desk, asked: &Asked, game: &str) -> Post {
    let text = |name: &str, value: &str| (name.to_owned(), Chosen::Text(value.to_owned()));
    let options = vec![text("game", game), text("ai", Level::Beginner.key())];
    Play.run(desk, asked, &Given { name: Play.name().to_owned(), options, ..Given::default() }).await
}
