//! `/leaderboard`: the best players of a game.

use async_trait::async_trait;

use rookery_table::level_ratings;
use rookery_table::rating::RatingPool;

use super::command::Command;
use super::option_types::GameKey;
use super::options::{command_options, option_choices};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Leaderboard;

option_choices! {
    /// The scope of a leaderboard.
    pub(super) enum LeaderboardPlace {
        Server = "server", "choice-server";
        Everywhere = "everywhere", "choice-everywhere";
    }
}

command_options! {
    pub(super) struct LeaderboardOptions {
        game: GameKey = "game", "command-play-game";
        among: Option<RatingPool> = "among", "command-leaderboard-among";
        place: Option<LeaderboardPlace> = "where", "command-leaderboard-where";
    }
}

#[async_trait]
impl Command for Leaderboard {
    type Input = LeaderboardOptions;

    fn name(&self) -> &'static str {
        "leaderboard"
    }

    async fn run(
        &self,
        ctx: &Context,
        interaction: &Interaction,
        input: LeaderboardOptions,
    ) -> OutgoingMessage {
        let game = input.game.0.as_str();
        if rookery_games::named(game).is_none() {
            return OutgoingMessage::text(ctx.words.no_such_game(game));
        }
        let pool = input.among.unwrap_or(RatingPool::Two);
        let guild = interaction.place.guild.filter(|_| input.place != Some(LeaderboardPlace::Everywhere));
        match ctx.registry.journal().ratings().leaders(game, pool, guild).await {
            Ok(played) => {
                let leaders = level_ratings::leaderboard(game, pool, played);
                ctx.view().leaderboard(game, pool, guild.is_some(), &leaders)
            }
            Err(error) => OutgoingMessage::text(ctx.words.table_error(&error.into(), None)),
        }
    }
}
