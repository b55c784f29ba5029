//! `/profile`: a person's ratings and results.

use async_trait::async_trait;
use futures_util::TryStreamExt;

use rookery_core::player::Level;
use rookery_table::ports::{Filter, Stage, walk_pages};
use rookery_table::rated::{Account, RatingRecord};
use rookery_table::rating::RatingPool;
use rookery_table::{TableError, UserId, level_ratings};

use super::command::Command;
use super::option_types::GameKey;
use super::options::command_options;
use crate::discord::state::context::Context;
use crate::discord::view::ratings::{Profile as Shown, Results};
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

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
        match look_up(ctx, who, interaction.who).await {
            Ok((history, results)) => ctx.view().profile(&Shown {
                who,
                asker: interaction.who,
                history: &history,
                results: &results,
                game: input.game.as_ref().map(|game| game.0.as_str()),
            }),
            Err(denied) => OutgoingMessage::text(ctx.words.table_error(&denied, None)),
        }
    }
}

/// Builds the bot's own profile: its levels.
async fn bot_profile(ctx: &Context) -> Result<OutgoingMessage, TableError> {
    let (ratings, mut histories) = (ctx.registry.journal().ratings(), Vec::new());
    for level in Level::ALL {
        let mut latest = Vec::new();
        for game in rookery_games::all() {
            let who = Account::Program(level);
            latest.extend(ratings.rating(who, game.info().key, RatingPool::Program).await?);
        }
        histories.push(latest);
    }
    Ok(ctx.view().level_ratings(&level_ratings::ladders(&histories)))
}

async fn look_up(
    ctx: &Context,
    who: UserId,
    asker: UserId,
) -> Result<(Vec<RatingRecord>, Results), TableError> {
    let ratings = ctx.registry.journal().ratings();
    let history = walk_pages(|page| ratings.history(Account::Person(who), page)).try_collect().await?;
    let filter = Filter { person: Some(who), stage: Some(Stage::Over), ..Filter::default() };
    let (mut cards, mut results) = (ctx.registry.scan(&filter), Results::default());
    while let Some(card) = cards.try_next().await? {
        results.add(who, asker, &card);
    }
    Ok((history, results))
}
