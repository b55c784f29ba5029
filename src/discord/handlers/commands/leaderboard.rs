//! `/leaderboard`: the best players of a game.

use async_trait::async_trait;

use rookery_core::player::Level;
use rookery_table::GuildId;
use rookery_table::level_ratings::{self, LeaderboardEntry};
use rookery_table::ports::StoreError;
use rookery_table::rated::Account;
use rookery_table::rating::RatingPool;

use super::command::Command;
use super::option_types::GameKey;
use super::options::{command_options, option_choices};
use crate::discord::state::context::Context;
use crate::discord::view::ratings::MAX_ENTRIES;
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
        match leaders(ctx, game, pool, guild).await {
            Ok(leaders) => ctx.view().leaderboard(game, pool, guild.is_some(), &leaders),
            Err(error) => OutgoingMessage::text(ctx.words.table_error(&error.into(), None)),
        }
    }
}

/// Returns the first entries of a leaderboard.
async fn leaders(
    ctx: &Context,
    game: &str,
    pool: RatingPool,
    guild: Option<GuildId>,
) -> Result<Vec<LeaderboardEntry>, StoreError> {
    let ratings = ctx.registry.journal().ratings();
    let played = ratings.leaders(game, pool, guild, MAX_ENTRIES).await?;
    let is_whole = played.len() < MAX_ENTRIES;
    let mut rated = Vec::new();
    for level in Level::ALL.into_iter().filter(|_| !is_whole) {
        let who = Account::Program(level);
        rated.extend(ratings.rating(who, game, pool).await?.map(|it| it.who));
    }
    let mut leaders = level_ratings::leaderboard(game, pool, played);
    // A level that has played, but not well enough for the list, is not a newcomer.
    leaders.retain(|leader| leader.games > 0 || !rated.contains(&leader.who));
    Ok(leaders)
}
