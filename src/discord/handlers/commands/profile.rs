//! `/profile`: somebody's ratings and results.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::player::Level;
use rookery_i18n::Localizer;
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::rated::{Account, RatingRecord};
use rookery_table::{TableError, UserId, level_ratings};

use super::{Command, OptionKind, chosen, games_by_name, option};
use crate::discord::state::context::Context;
use crate::discord::view::ratings::Profile as Shown;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Finished games that are counted at most: the latest ones.
const MAX_GAMES: usize = 5_000;

/// Shows somebody's ratings and results.
pub(super) struct Profile;

#[async_trait]
impl Command for Profile {
    fn name(&self) -> &'static str {
        "profile"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        vec![
            option(words, OptionKind::User, "person", "command-profile-person"),
            chosen(option(words, OptionKind::Text, "game", "command-profile-game"), games_by_name(words)),
        ]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let who = input.person("person").unwrap_or(interaction.who);
        if who == ctx.me() {
            return ours(ctx)
                .await
                .unwrap_or_else(|denied| OutgoingMessage::text(ctx.words.table_error(&denied, None)));
        }
        match look_up(ctx, who).await {
            Ok((history, cards)) => ctx.view().profile(&Shown {
                who,
                asker: interaction.who,
                history: &history,
                cards: &cards,
                game: input.text("game"),
            }),
            Err(denied) => OutgoingMessage::text(ctx.words.table_error(&denied, None)),
        }
    }
}

/// The program's own profile: its levels.
async fn ours(ctx: &Context) -> Result<OutgoingMessage, TableError> {
    let mut histories = Vec::new();
    for level in Level::ALL {
        histories.push(ctx.registry.journal().ratings().history(Account::Program(level)).await?);
    }
    Ok(ctx.view().ladders(&level_ratings::ladders(&histories)))
}

async fn look_up(ctx: &Context, who: UserId) -> Result<(Vec<RatingRecord>, Vec<Card>), TableError> {
    let history = ctx.registry.journal().ratings().history(Account::Person(who)).await?;
    let filter = Filter { person: Some(who), stage: Some(Stage::Over), most: MAX_GAMES, ..Filter::default() };
    Ok((history, ctx.registry.list(&filter).await?))
}
