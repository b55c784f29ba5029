//! `/share`: makes, shows or withdraws the link with which people outside Discord watch a game.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::sharing::{self, ShareAction};
use super::super::which::Want;
use super::{Command, Kind, chosen, meant, option, table_option};

/// The option that says what becomes of the link.
const LINK: &str = "link";

/// Shares a game.
pub(super) struct Share;

#[async_trait]
impl Command for Share {
    fn name(&self) -> &'static str {
        "share"
    }

    fn want(&self) -> Want {
        Want::See
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let ways = ShareAction::ALL.map(|action| (words.word(action.offer()), action.key().to_owned()));
        vec![chosen(option(words, Kind::Text, LINK, "command-share-link"), ways), table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let action = given.text(LINK).and_then(ShareAction::named).unwrap_or(ShareAction::Show);
        match meant(desk, asked, given, self.want()).await {
            Ok(table) => sharing::carry_out(desk, asked, &table, action).await,
            Err(post) => *post,
        }
    }
}
