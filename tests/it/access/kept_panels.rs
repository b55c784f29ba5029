//! Panels that a person opened while they could read a game's channel show nothing of the game once they cannot.

use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;

use super::changes::{A_WHILE, asks, club, game, is_no_table, writes};
use crate::test_bot::TestBot;

/// A press of a button, or a choice from a select, of one copy of a panel.
struct Press {
    panel: VisibleMessage,
    custom_id: String,
    /// The value to choose, for a select.
    value: Option<String>,
}

impl Press {
    async fn answer(&self, person: &Person) -> VisibleMessage {
        let pressed = match &self.value {
            None => person.click(&self.panel, &self.custom_id),
            Some(value) => person.choose(&self.panel, &self.custom_id, &[value]),
        };
        pressed.unwrap().message().await.unwrap()
    }
}

/// Returns the buttons and selects of a panel that name a table, each with the value to choose.
fn ways_on(panel: &VisibleMessage, table: &str) -> Vec<(String, Option<String>)> {
    let buttons = panel.buttons().into_iter().filter_map(|label| panel.button(label)).map(|id| (id, None));
    let selects = panel.selects().into_iter().map(|select| {
        let last = select["options"].as_array().and_then(|options| options.last()).unwrap();
        (select["custom_id"].as_str().unwrap(), last["value"].as_str().map(str::to_owned))
    });
    let about_it = buttons.chain(selects).filter(|(id, _)| id.contains(table));
    about_it.map(|(id, value)| (id.to_owned(), value)).collect()
}

/// Opens a command's panel once for every button and select on it.
async fn panels(person: &Person, command: &str, table: &str) -> Vec<Press> {
    let first = asks(person, command, table).await;
    let mut presses = Vec::new();
    for (custom_id, value) in ways_on(&first, table) {
        let panel = asks(person, command, table).await;
        presses.push(Press { panel, custom_id, value });
    }
    presses
}

async fn all_panels(person: &Person, running: &str, finished: &str) -> Vec<(String, Press)> {
    let mut all = Vec::new();
    for table in [running, finished] {
        for command in ["board", "replay", "watch", "analyse"] {
            all.extend(
                panels(person, command, table).await.into_iter().map(|press| (table.to_owned(), press)),
            );
        }
    }
    all
}

/// Presses everything; returns whether each answer is the one for a table that does not exist.
async fn hidden(person: &Person, presses: &[(String, Press)]) -> Vec<(String, bool)> {
    let mut answers = Vec::new();
    for (table, press) in presses {
        let answer = press.answer(person).await;
        answers.push((press.custom_id.clone(), is_no_table(&answer, table)));
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn access_by_kept_panels_ends_with_the_role() {
    let bot = TestBot::start().await;
    let (ben, cleo) = (bot.ben(), bot.cleo());
    let (closed, role) = club(&bot, &[&ben, &cleo]);
    let (running, finished) = (game(&bot, closed).await, game(&bot, closed).await);
    for table in [&running, &finished] {
        let text = bot.table(table).await.play().unwrap().moves().remove(0);
        writes(&bot, &ben, &format!("{table} {text}")).await;
    }
    asks(&ben, "resign", &finished).await;
    bot.wait_until_idle().await;

    let shown = hidden(&cleo, &all_panels(&cleo, &running, &finished).await).await;
    assert!(shown.len() >= 16, "the panels have buttons: {shown:?}");
    assert!(shown.iter().all(|(_, is_hidden)| !is_hidden), "{shown:?}");
    let kept = all_panels(&cleo, &running, &finished).await;
    bot.playground.take_role(&cleo, role);
    bot.advance(A_WHILE).await;
    let kept = hidden(&cleo, &kept).await;
    assert_eq!(kept.len(), shown.len());
    assert!(kept.iter().all(|(_, is_hidden)| *is_hidden), "{kept:?}");
    bot.stop_after(&[404]).await;
}
