//! The command in the menu on a person: challenge them to a game.

use serde_json::{Value, json};

use rookery_i18n::{Words, clip, person};
use rookery_table::Person;

use super::super::asked::{self, Asked, Given};
use super::super::desk::Desk;
use super::super::limits::{CHOICE_MOST, COMMAND_NAME_MOST};
use super::super::post::{Choice, Part, Post};
use super::super::press::Challenge;

/// How Discord is told of it.
pub(super) fn registration(words: &Words) -> Value {
    const ON_PERSON: u8 = 2;
    const ON_SERVERS: [u8; 1] = [0];
    json!({
        "name": clip(&words.word("command-challenge"), COMMAND_NAME_MOST),
        "type": ON_PERSON,
        "contexts": ON_SERVERS,
        "integration_types": super::BY_ANYBODY,
    })
}

/// Asks which game it is to be.
pub(super) fn run(desk: &Desk, given: &Given, target: Person) -> Post {
    let words = desk.words;
    if given.bots.contains(&target) && target != desk.me() {
        return Post::text(words.say("play-bot", &[("who", person(target).into())]));
    }
    let choice = |(name, key): (String, String)| Choice {
        label: clip(&name, CHOICE_MOST),
        value: key,
        note: String::new(),
    };
    let select = Part::Select {
        id: Challenge(target).id(),
        placeholder: words.word("challenge-which"),
        choices: super::games_by_name(words).into_iter().map(choice).collect(),
    };
    Post::text(words.say("challenge-ask", &[("who", person(target).into())])).row([select])
}

/// The game was chosen: opens a table of it with its usual terms.
pub async fn chosen(desk: &Desk, asked: &Asked, target: Person, game: Option<&str>) -> Post {
    let game = asked::Value::Text(game.unwrap_or_default().to_owned());
    let options = vec![("game".to_owned(), game), ("opponent".to_owned(), asked::Value::Person(target))];
    let given = Given { name: "play".to_owned(), options, ..Given::default() };
    super::run(desk, asked, &given).await
}
