//! `/leaderboard`: the best at a game.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::{Words, quoted};
use rookery_table::rating::Pool;
use rookery_table::scale;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::{Command, Kind, chosen, games_by_name, option, required};

/// Lists the best at a game.
pub(super) struct Leaderboard;

#[async_trait]
impl Command for Leaderboard {
    fn name(&self) -> &'static str {
        "leaderboard"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let pools = Pool::ALL.map(|pool| (words.pool(pool), pool.key().to_owned()));
        let places =
            ["server", "everywhere"].map(|key| (words.word(&format!("choice-{key}")), key.to_owned()));
        vec![
            required(chosen(option(words, Kind::Text, "game", "command-play-game"), games_by_name(words))),
            chosen(option(words, Kind::Text, "among", "command-leaderboard-among"), pools),
            chosen(option(words, Kind::Text, "where", "command-leaderboard-where"), places),
        ]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let game = given.text("game").unwrap_or_default();
        if rookery_games::named(game).is_none() {
            return Post::text(desk.words.say("refused-no-game", &[("name", quoted(game).into())]));
        }
        let pool = given.text("among").and_then(Pool::named).unwrap_or(Pool::Two);
        let guild = asked.place.guild.filter(|_| given.text("where") != Some("everywhere"));
        match desk.hall.journal().ratings().leaders(game, pool, guild).await {
            Ok(played) => {
                let leaders = scale::leaders(game, pool, played);
                desk.layout().leaders(game, pool, guild.is_some(), &leaders)
            }
            Err(error) => Post::text(desk.words.denied(&error.into(), None)),
        }
    }
}
