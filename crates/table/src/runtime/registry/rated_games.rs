//! The in-memory index of running rated games by server and person, for fair-play checks.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quick_cache::unsync::Cache;
use tokio::sync::Semaphore;

use crate::fair_play::RatedGame;
use crate::model::UserId;
use crate::{GuildId, Table, TableId};

/// The most comparisons at the same time, off the async threads.
const MAX_COMPARISONS: usize = 2;

/// The most pairs of scope and game remembered as loaded; a forgotten pair is read again at its next use.
const MAX_LOADED_SCOPES: usize = 100_000;

/// The scope of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// All rated games on a server.
    Guild(GuildId),
    /// Those in which a person is seated or invited.
    Person(UserId),
}

/// The index. A table's actor updates it after loading and after each change, in order. A table that is unloaded stays
/// in it.
pub(super) struct RatedGames {
    index: Mutex<Index>,
    /// Permits to compare games.
    pub(super) comparisons: Semaphore,
}

struct Index {
    games: HashMap<TableId, Arc<RatedGame>>,
    scopes: HashMap<Scope, HashSet<TableId>>,
    /// Scopes and games (by key) whose rated games have all been read from the journal since the start.
    loaded: Cache<(Scope, &'static str), ()>,
}

impl Default for Index {
    fn default() -> Index {
        let (games, scopes) = Default::default();
        Index { games, scopes, loaded: Cache::new(MAX_LOADED_SCOPES) }
    }
}

impl Default for RatedGames {
    fn default() -> RatedGames {
        RatedGames { index: Mutex::default(), comparisons: Semaphore::new(MAX_COMPARISONS) }
    }
}

impl RatedGames {
    /// Updates a table's entry; removes a table that is over or not rated.
    pub(super) fn update(&self, table: &Table) {
        let game = RatedGame::of(table);
        let mut index = self.index();
        index.remove(table.id());
        if let Some(game) = game {
            index.insert(table.id(), game);
        }
    }

    /// Removes a table that was deleted.
    pub(super) fn remove(&self, table: TableId) {
        self.index().remove(table);
    }

    pub(super) fn has(&self, table: TableId) -> bool {
        self.index().games.contains_key(&table)
    }

    /// Returns the rated games of one kind (by key) in any of some scopes, each once.
    pub(super) fn within(&self, scopes: &[Scope], game: &str) -> Vec<Arc<RatedGame>> {
        let index = self.index();
        let ids: HashSet<TableId> =
            scopes.iter().filter_map(|scope| index.scopes.get(scope)).flatten().copied().collect();
        let games = ids.iter().filter_map(|id| index.games.get(id));
        games.filter(|rated| rated.game == game).cloned().collect()
    }

    /// Removes the games of a kind in a scope, except some tables'.
    pub(super) fn retain(&self, scope: Scope, game: &str, tables: &HashSet<TableId>) {
        let mut index = self.index();
        let known: Vec<TableId> = index.scopes.get(&scope).into_iter().flatten().copied().collect();
        for table in known.into_iter().filter(|table| !tables.contains(table)) {
            if index.games.get(&table).is_some_and(|rated| rated.game == game) {
                index.remove(table);
            }
        }
    }

    pub(super) fn is_loaded(&self, scope: Scope, game: &'static str) -> bool {
        self.index().loaded.get(&(scope, game)).is_some()
    }

    pub(super) fn set_loaded(&self, scope: Scope, game: &'static str) {
        self.index().loaded.insert((scope, game), ());
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index {
    fn insert(&mut self, table: TableId, game: RatedGame) {
        for scope in scopes(&game) {
            self.scopes.entry(scope).or_default().insert(table);
        }
        self.games.insert(table, Arc::new(game));
    }

    fn remove(&mut self, table: TableId) {
        let Some(game) = self.games.remove(&table) else { return };
        for scope in scopes(&game) {
            let Some(tables) = self.scopes.get_mut(&scope) else { continue };
            tables.remove(&table);
            if tables.is_empty() {
                self.scopes.remove(&scope);
            }
        }
    }
}

fn scopes(game: &RatedGame) -> Vec<Scope> {
    let people = game.people.iter().copied().map(Scope::Person);
    people.chain(game.guild.map(Scope::Guild)).collect()
}
