//! Look-ups of running rated games, wherever the bot would comment or play elsewhere.

use std::collections::HashSet;

use futures_util::TryStreamExt;

use crate::fair_play::{AskedGame, HelpKind};
use crate::model::{TableError, UserId};
use crate::ports::{Filter, Stage};
use crate::{GuildId, Table, TableId, hints};
use rookery_core::Play;

use super::TableRegistry;
use super::rated_games::Scope;

impl TableRegistry {
    /// Whether the bot's help with this game would be help in a running rated one, played by one of these people or on
    /// this server. Rotated and mirrored boards are not recognised.
    pub async fn would_help_rated_game(
        &self,
        who: &[UserId],
        guild: Option<GuildId>,
        play: &dyn Play,
        help: HelpKind,
    ) -> bool {
        let game = play.info().key;
        let own = who.iter().copied().map(Scope::Person);
        let scopes: Vec<Scope> = own.chain(guild.map(Scope::Guild)).collect();
        for scope in &scopes {
            self.load_rated_games(*scope, game).await;
        }
        let rated = self.rated_games.within(&scopes, game);
        if rated.is_empty() {
            return false;
        }
        let Ok(_turn) = self.rated_games.comparisons.acquire().await else { return true };
        let (play, who) = (play.clone_play(), who.to_vec());
        let compare = move || {
            let asked = AskedGame::of(play.as_ref());
            rated.iter().any(|rated| rated.is_helped(&asked, &who, help))
        };
        // After a fault, refuse help.
        self.tasks.blocking("fair play", compare).await.unwrap_or(true)
    }

    /// Whether the bot's comment on a position at a casual table would help a reader in a rated game.
    pub async fn would_reveal_rated_game(&self, table: &Table, play: &dyn Play) -> bool {
        let people: Vec<_> = table.chairs().iter().filter_map(|chair| chair.person()).collect();
        let casual = hints::may_help(table).is_ok();
        casual && self.would_help_rated_game(&people, table.terms().guild, play, HelpKind::Evaluates).await
    }

    /// Reads the rated games of a server or a person from the journal: once after the start if this process makes all
    /// later changes, and otherwise each time.
    async fn load_rated_games(&self, scope: Scope, game: &'static str) {
        let is_alone = self.cluster().is_none();
        if is_alone && self.rated_games.is_loaded(scope, game) {
            return;
        }
        let stage = Some(Stage::Running);
        let running = Filter { stage, game: Some(game.into()), rated: true, ..Filter::default() };
        let filter = match scope {
            Scope::Person(who) => Filter { person: Some(who), ..running },
            Scope::Guild(guild) => Filter { guild: Some(guild), ..running },
        };
        let rated: Result<HashSet<TableId>, _> =
            self.scan(&filter).map_ok(|card| card.id).try_collect().await;
        let Ok(rated) = rated else { return };
        let mut whole = true;
        if !is_alone {
            self.rated_games.retain(scope, game, &rated);
        }
        for table in rated.into_iter().filter(|table| !is_alone || !self.rated_games.has(*table)) {
            whole &= !matches!(self.table(table).await, Err(TableError::Store(_)));
        }
        if whole && is_alone {
            self.rated_games.set_loaded(scope, game);
        }
    }
}
