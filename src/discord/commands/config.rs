//! `/config`: what those who manage a server choose for it, on a panel; and what we may do there.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;

use super::super::asked::{Asked, Given};
use super::super::bans;
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::settings::{Ours, check};
use super::{Command, Kind, option, part, required};

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
        let who = || vec![required(option(words, Kind::Person, "person", "command-block-person"))];
        vec![
            part(words, "panel", "command-config-panel", Vec::new()),
            part(words, "check", "command-config-check", Vec::new()),
            part(words, "ban", "command-config-ban", who()),
            part(words, "unban", "command-config-unban", who()),
            part(words, "bans", "command-config-bans", Vec::new()),
        ]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let Some(guild) = asked.place.guild else { return Post::text(desk.words.word("config-no-server")) };
        let page = match (given.part.as_deref(), given.person("person")) {
            (Some("check"), _) => return check(desk, asked).await,
            (Some("ban"), Some(who)) => return bans::ban(desk, asked, guild, who).await,
            (Some("unban"), Some(who)) => return bans::unban(desk, guild, who).await,
            (Some("bans"), _) => Ours::Safety,
            _ => Ours::Places,
        };
        page.show(desk, guild).await
    }
}
