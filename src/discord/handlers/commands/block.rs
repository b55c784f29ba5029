//! `/block`: stops a person from challenging, joining or pinging another one through the bot.

use async_trait::async_trait;
use futures_util::TryStreamExt;
use serde_json::{Value, json};

use rookery_i18n::{Localizer, clip, person};
use rookery_table::moderation::{ListChange, MAX_BLOCKS};
use rookery_table::ports::{Card, Filter, Stage, StoreError};
use rookery_table::{TableError, UserId};

use super::command::{BY_ANYBODY, Command, EVERYWHERE};
use super::common_options::PersonOptions;
use super::options::{NoOptions, command_options};
use crate::discord::policy::bans;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::limits::MAX_COMMAND_NAME_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most tables that the answer names.
const MAX_NAMED: usize = 10;

pub(super) struct Block;

command_options! {
    pub(super) enum BlockOptions otherwise List {
        Add(PersonOptions) = "add", "command-block-add";
        Remove(PersonOptions) = "remove", "command-block-remove";
        List(NoOptions) = "list", "command-block-list";
    }
}

#[async_trait]
impl Command for Block {
    type Input = BlockOptions;

    fn name(&self) -> &'static str {
        "block"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: BlockOptions) -> OutgoingMessage {
        match input {
            BlockOptions::Add(other) => add(ctx, interaction.who, other.person).await,
            BlockOptions::Remove(other) => remove(ctx, interaction.who, other.person).await,
            BlockOptions::List(_) => list(ctx, interaction.who).await,
        }
    }
}

/// Returns the name of the user menu command.
pub(super) fn menu_name(words: &Localizer) -> String {
    clip(&words.word("menu-block"), MAX_COMMAND_NAME_CHARS)
}

/// Returns the registration of the user menu command.
pub(super) fn registration(words: &Localizer) -> Value {
    const ON_PERSON: u8 = 2;
    json!({
        "name": menu_name(words),
        "type": ON_PERSON,
        "contexts": EVERYWHERE,
        "integration_types": BY_ANYBODY,
    })
}

/// Blocks a person, and declines their open challenges.
pub(super) async fn add(ctx: &Context, who: UserId, other: UserId) -> OutgoingMessage {
    if other == who || other == ctx.me() {
        return OutgoingMessage::text(ctx.words.word(if other == who { "block-self" } else { "block-me" }));
    }
    match ctx.registry.moderation().block(who, other, ctx.registry.now()).await {
        Ok(ListChange::Done) => blocked(ctx, who, other).await,
        Ok(ListChange::Already) => about(ctx, "block-already", other),
        Ok(ListChange::Full) => {
            OutgoingMessage::text(ctx.words.say("block-full", &[("most", MAX_BLOCKS.into())]))
        }
        Err(error) => failed(ctx, error),
    }
}

async fn blocked(ctx: &Context, who: UserId, other: UserId) -> OutgoingMessage {
    let mut lines = vec![ctx.words.say("block-done", &[("who", person(other).into())])];
    // The person is blocked even if these tables cannot be read now.
    let shared = shared_tables(ctx, who, other).await.unwrap_or_default();
    let mut declined = 0_usize;
    for card in shared.iter().filter(|card| card.stage == Stage::Waiting && card.asked.contains(&who)) {
        declined += usize::from(bans::leave(ctx, card.id, who).await);
    }
    let running: Vec<&str> =
        shared.iter().filter(|card| card.stage == Stage::Running).map(|card| card.id.as_str()).collect();
    if !running.is_empty() {
        let tables = running[..running.len().min(MAX_NAMED)].join(", ");
        let args = [("count", running.len().into()), ("tables", tables.into())];
        lines.push(ctx.words.say("block-games", &args));
    }
    if declined > 0 {
        lines.push(ctx.words.say("block-declined", &[("count", declined.into())]));
    }
    OutgoingMessage::text(lines.join("\n"))
}

/// Returns the unfinished tables shared by two people.
async fn shared_tables(ctx: &Context, who: UserId, other: UserId) -> Result<Vec<Card>, TableError> {
    let filter = Filter { person: Some(who), unfinished: true, ..Filter::default() };
    let is_shared = |card: &Card| std::future::ready(card.has(other) || card.host == Some(other));
    ctx.registry.latest(&filter).try_filter(is_shared).try_collect().await
}

async fn remove(ctx: &Context, who: UserId, other: UserId) -> OutgoingMessage {
    match ctx.registry.moderation().unblock(who, other).await {
        Ok(true) => about(ctx, "block-removed", other),
        Ok(false) => about(ctx, "block-not-there", other),
        Err(error) => failed(ctx, error),
    }
}

async fn list(ctx: &Context, who: UserId) -> OutgoingMessage {
    match ctx.registry.moderation().blocked_by(who).await {
        Ok(people) if people.is_empty() => OutgoingMessage::text(ctx.words.word("block-list-none")),
        Ok(people) => {
            let people = bans::listed(ctx, people.iter().copied());
            OutgoingMessage::text(ctx.words.say("block-list", &[("people", people.into())]))
        }
        Err(error) => failed(ctx, error),
    }
}

fn about(ctx: &Context, key: &str, other: UserId) -> OutgoingMessage {
    OutgoingMessage::text(ctx.words.say(key, &[("who", person(other).into())]))
}

fn failed(ctx: &Context, error: StoreError) -> OutgoingMessage {
    OutgoingMessage::text(ctx.words.table_error(&TableError::from(error), None))
}
