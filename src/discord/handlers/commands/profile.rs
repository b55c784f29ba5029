//! `/profile`: a person's ratings and results.

use async_trait::async_trait;

use rookery_core::player::Level;
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::rated::{Account, RatingRecord};
use rookery_table::{TableError, UserId, level_ratings};

use super::command::Command;
use super::option_types::GameKey;
use super::options::command_options;
use crate::discord::state::context::Context;
use crate::discord::view::ratings::Profile as Shown;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most finished games that are counted, the latest first.
const MAX_GAMES: usize = 5_000;

pub(super) struct Profile;

command_options! {
    pub(super) struct ProfileOptions {
        person: Option<UserId> = "person", "command-profile-person";
        game: Option<GameKey> = "game", "command-profile-game";
    }
}

#[async_trait]
impl Command for Profile {
    type Input = ProfileOptions;

    fn name(&self) -> &'static str {
        "profile"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ProfileOptions) -> OutgoingMessage {
        let who = input.person.unwrap_or(interaction.who);
        if who == ctx.me() {
            return bot_profile(ctx)
                .await
                .unwrap_or_else(|denied| OutgoingMessage::text(ctx.words.table_error(&denied, None)));
        }
        match look_up(ctx, who).await {
            Ok((history, cards)) => ctx.view().profile(&Shown {
                who,
                asker: interaction.who,
                history: &history,
                cards: &cards,
                game: input.game.as_ref().map(|game| game.0.as_str()),
            }),
            Err(denied) => OutgoingMessage::text(ctx.words.table_error(&denied, None)),
        }
    }
}

/// Builds the bot's own profile: its levels.
async fn bot_profile(ctx: &Context) -> Result<OutgoingMessage, TableError> {
    let mut histories = Vec::new();
    for level in Level::ALL {
        histories.push(ctx.registry.journal().ratings().history(Account::Program(level)).await?);
    }
    Ok(ctx.view().level_ratings(&level_ratings::ladders(&histories)))
}

async fn look_up(ctx: &Context, who: UserId) -> Result<(Vec<RatingRecord>, Vec<Card>), TableError> {
    let history = ctx.registry.journal().ratings().history(Account::Person(who)).await?;
    let filter = Filter { person: Some(who), stage: Some(Stage::Over), most: MAX_GAMES, ..Filter::default() };
    Ok((history, ctx.registry.list(&filter).await?))
}
