//! `/leaderboard`: the best at a game.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::{Localizer, quoted};
use rookery_table::level_ratings;
use rookery_table::rating::Pool;

use super::{Command, OptionKind, chosen, games_by_name, option, required};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Lists the best at a game.
pub(super) struct Leaderboard;

#[async_trait]
impl Command for Leaderboard {
    fn name(&self) -> &'static str {
        "leaderboard"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let pools = Pool::ALL.map(|pool| (words.pool(pool), pool.key().to_owned()));
        let places =
            ["server", "everywhere"].map(|key| (words.word(&format!("choice-{key}")), key.to_owned()));
        vec![
            required(chosen(
                option(words, OptionKind::Text, "game", "command-play-game"),
                games_by_name(words),
            )),
            chosen(option(words, OptionKind::Text, "among", "command-leaderboard-among"), pools),
            chosen(option(words, OptionKind::Text, "where", "command-leaderboard-where"), places),
        ]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let game = input.text("game").unwrap_or_default();
        if rookery_games::named(game).is_none() {
            return OutgoingMessage::text(ctx.words.say("refused-no-game", &[("name", quoted(game).into())]));
        }
        let pool = input.text("among").and_then(Pool::named).unwrap_or(Pool::Two);
        let guild = interaction.place.guild.filter(|_| input.text("where") != Some("everywhere"));
        match ctx.registry.journal().ratings().leaders(game, pool, guild).await {
            Ok(played) => {
                let leaders = level_ratings::leaderboard(game, pool, played);
                ctx.view().leaders(game, pool, guild.is_some(), &leaders)
            }
            Err(error) => OutgoingMessage::text(ctx.words.table_error(&error.into(), None)),
        }
    }
}
