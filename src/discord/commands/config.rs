//! `/config`: what those who manage a server choose for it, on a panel; and what we may do there.

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::settings::{Ours, check};
use super::{Command, Kind, option};

/// Shows a server's settings.
pub(super) struct Config;

#[async_trait]
impl Command for Config {
    fn name(&self) -> &'static str {
        "config"
    }

    fn for_managers(&self) -> bool {
        true
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let part = |name: &str, key: &str| {
            let mut part = option(words, Kind::Part, name, key);
            part["options"] = json!([]);
            part.as_object_mut().map(|fields| fields.remove("required"));
            part
        };
        vec![part("panel", "command-config-panel"), part("check", "command-config-check")]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let Some(guild) = asked.place.guild else { return Post::text(desk.words.word("config-no-server")) };
        match given.part.as_deref() {
            Some("check") => check(desk, asked).await,
            _ => Ours::Places.show(desk, &*desk.hall.drawer().server(Some(guild)).await),
        }
    }
}
