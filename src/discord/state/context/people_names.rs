//! Lookups of the names of a table's players.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::future::join_all;
use rookery_core::Seat;
use rookery_table::{GuildId, Table, UserId};

use crate::discord::state::context::Context;

/// The most people of a table whose names are looked up: sentences about teams name fewer.
const MAX_NAMED: usize = 16;
/// How long a page waits for names; afterwards it shows sides.
const PATIENCE: Duration = Duration::from_secs(2);

impl Context {
    /// Returns the names of a table's players, as far as Discord tells them soon.
    pub(in crate::discord) async fn names_at(&self, table: &Table) -> BTreeMap<UserId, String> {
        let guild = table.terms().guild.filter(|_| !table.terms().user_install);
        let seats = Seat::all(table.chairs().len());
        let replaced = table.substitutions().iter().map(|(_, who)| *who);
        let players = seats.flat_map(|seat| table.players_of(seat)).chain(replaced);
        self.names_of(guild, players).await
    }

    /// Returns the names of people as a server shows them, as far as Discord tells them soon.
    pub(in crate::discord) async fn names_of(
        &self,
        guild: Option<GuildId>,
        people: impl Iterator<Item = UserId>,
    ) -> BTreeMap<UserId, String> {
        let people: BTreeSet<UserId> = people.filter(|who| !who.is_pseudonym()).take(MAX_NAMED).collect();
        let named = people.into_iter().map(async |who| Some((who, self.name_of(guild, who).await?)));
        join_all(named).await.into_iter().flatten().collect()
    }

    async fn name_of(&self, guild: Option<GuildId>, who: UserId) -> Option<String> {
        let (key, now) = ((guild, who), self.registry.now());
        if let Some(known) = self.names.get(key, now) {
            return known;
        }
        let found = tokio::time::timeout(PATIENCE, self.api.name_of(guild, who)).await;
        let name = found.ok().and_then(|found| {
            found.unwrap_or_else(|fault| {
                tracing::info!(%fault, "could not read the name of a player");
                None
            })
        });
        self.names.keep(key, name.clone(), now);
        name
    }
}
