//! `/leave`: gives up a seat before the start, hands it to the program after. `/back` takes it back.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::player::Level;
use rookery_i18n::Words;
use rookery_table::{Order, Status};

use super::super::asked::{Asked, Given};
use super::super::buttons;
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::settings;
use super::super::which::Want;
use super::{Command, Kind, chosen, meant, option, table_option};

/// Leaves a seat.
pub(super) struct Leave;

#[async_trait]
impl Command for Leave {
    fn name(&self) -> &'static str {
        "leave"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let levels = Level::ALL.into_iter().map(|level| (words.level(level), level.key().to_owned()));
        let level = chosen(option(words, Kind::Text, "ai", "command-leave-ai"), levels);
        vec![table_option(words), level]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let table = match meant(desk, asked, given, Want::Act).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        if *table.status() == Status::Waiting {
            return buttons::leave(desk, asked, &table).await;
        }
        let level = match given.text("ai").and_then(Level::named) {
            Some(level) => level,
            None => settings::usual_in(desk, table.terms().guild).await,
        };
        let post = buttons::asking(desk, asked, &table, Order::StandIn { level }).await;
        desk.about(&table, asked.place.channel, post)
    }
}
