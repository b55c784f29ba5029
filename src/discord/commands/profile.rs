//! `/profile`: somebody's ratings and results.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::player::Level;
use rookery_i18n::Words;
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::rated::{Account, Standing};
use rookery_table::{Denied, Person, scale};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::layout::ratings::Profile as Shown;
use super::super::post::Post;
use super::{Command, Kind, chosen, games_by_name, option};

/// Finished games that are counted at most: the latest ones.
const GAMES_MOST: usize = 5_000;

/// Shows somebody's ratings and results.
pub(super) struct Profile;

#[async_trait]
impl Command for Profile {
    fn name(&self) -> &'static str {
        "profile"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![
            option(words, Kind::Person, "person", "command-profile-person"),
            chosen(option(words, Kind::Text, "game", "command-profile-game"), games_by_name(words)),
        ]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let who = given.person("person").unwrap_or(asked.who);
        if who == desk.me() {
            return ours(desk).await.unwrap_or_else(|denied| Post::text(desk.words.denied(&denied, None)));
        }
        match look_up(desk, who).await {
            Ok((history, cards)) => desk.layout().profile(&Shown {
                who,
                asker: asked.who,
                history: &history,
                cards: &cards,
                game: given.text("game"),
            }),
            Err(denied) => Post::text(desk.words.denied(&denied, None)),
        }
    }
}

/// The program's own profile: its levels.
async fn ours(desk: &Desk) -> Result<Post, Denied> {
    let mut histories = Vec::new();
    for level in Level::ALL {
        histories.push(desk.hall.journal().ratings().history(Account::Program(level)).await?);
    }
    Ok(desk.layout().ladders(&scale::ladders(&histories)))
}

async fn look_up(desk: &Desk, who: Person) -> Result<(Vec<Standing>, Vec<Card>), Denied> {
    let history = desk.hall.journal().ratings().history(Account::Person(who)).await?;
    let filter =
        Filter { person: Some(who), stage: Some(Stage::Over), most: GAMES_MOST, ..Filter::default() };
    Ok((history, desk.hall.list(&filter).await?))
}
