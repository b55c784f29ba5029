//! Timers and outages: due events are applied, and lost time is given back.

use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};

use super::TableRegistry;
use super::cluster::shard_of;
use crate::clock::TimeSpan;
use crate::model::millis;
use crate::model::{Actor, Order, TableError};
use crate::ports::{Card, Cluster, Filter, LeaderTask, Stage, StoreError, walk_pages};
use crate::timers::OutageScope;
use crate::{GuildId, Table, TableId};
use rookery_tasks::heartbeat;

/// The key of the note with the moment at which the bot was last reachable.
const ALIVE_NOTE: &str = "alive";
/// The key of the note with the outages before that moment.
const OUTAGES_NOTE: &str = "losses";
/// How far ahead timers are loaded.
const LOOK_AHEAD: SignedDuration = SignedDuration::from_hours(1);
/// After this time without a sign of its gateway session a shard counts as unreachable.
const MAX_SHARD_SILENCE: SignedDuration = SignedDuration::from_secs(15);
/// After this time without its message a table counts as unreachable. Short waits are no outage.
const MAX_POST_DELAY: SignedDuration = SignedDuration::from_secs(10);
/// The delay before a table is checked again if it is unreachable or had a fault.
const RETRY: SignedDuration = SignedDuration::from_secs(30);
/// The delay before a table is checked again if its journal failed: everything continues as soon as it works.
pub(super) const JOURNAL_AGAIN: SignedDuration = SignedDuration::from_secs(1);

impl TableRegistry {
    /// Applies due events: days off, reminders, time-outs. Call it about once a second. Returns the number of tables
    /// checked.
    pub async fn tick(&self) -> usize {
        self.check_for_sleep();
        self.retry_deferred_jobs().await;
        if self.paused_since().is_some() || !self.leads(LeaderTask::Clocks).await {
            return 0;
        }
        self.apply_time_off_when_due().await;
        let due = match self.cluster() {
            None => {
                self.load_timers_when_due().await;
                self.timers.due(self.now())
            }
            Some(cluster) => self.due_in_store(cluster).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "what time brings cannot be looked up; trying again");
                Vec::new()
            }),
        };
        self.dismiss_former_members(&due).await;
        let mut looked = 0;
        for table in due {
            heartbeat();
            looked += usize::from(self.tick_table_if_reachable(table).await);
        }
        looked
    }

    /// Checks a table unless nobody could answer there; then it is checked a little later. Returns whether it was
    /// checked.
    async fn tick_table_if_reachable(&self, id: TableId) -> bool {
        let is_lost = self.table(id).await.is_ok_and(|table| self.timers.is_lost(&self.scopes(&table)));
        let is_lost = is_lost || (self.cluster().is_some() && self.has_late_message(id).await);
        if is_lost {
            self.look_again(id, Some(self.now() + RETRY));
        } else {
            self.tick_table(id).await;
        }
        !is_lost
    }

    async fn tick_table(&self, id: TableId) {
        let next_due = match self.order(id, Actor::System, Order::Tick, None).await {
            // The store says when the table is due next.
            Ok(_) if self.cluster().is_some() => return,
            Ok(seen) => seen.table.next_due(),
            Err(TableError::Refused(_) | TableError::NoTable(_) | TableError::Unreadable(_)) => None,
            Err(error) => {
                tracing::warn!(table = %id, %error, "what time has brought could not be done; trying again");
                let wait = if matches!(error, TableError::Store(_)) { JOURNAL_AGAIN } else { RETRY };
                Some(self.now() + wait)
            }
        };
        self.look_again(id, next_due);
    }

    /// Sets when a table is looked at again. If the store says for all processes when it is due, it is left alone until
    /// then because an attempt has failed.
    fn look_again(&self, id: TableId, at: Option<Timestamp>) {
        match self.cluster() {
            None => self.timers.set(id, at),
            Some(_) => self.timers.postpone(id, at.unwrap_or_else(|| self.now() + RETRY)),
        }
    }

    /// Finds out which shards no process has connected: nobody can answer there.
    pub(super) async fn find_silent_shards(&self, cluster: &dyn Cluster) -> Result<(), StoreError> {
        let known = cluster.shards().await?;
        let latest = known.iter().max_by_key(|(_, state)| state.alive_at);
        let total = latest.map_or(0, |(_, state)| state.total).max(1);
        let oldest = self.now() - MAX_SHARD_SILENCE;
        let is_alive = |shard: u32| {
            known.iter().any(|(it, state)| *it == shard && state.alive_at.is_some_and(|at| at >= oldest))
        };
        self.timers.set_shard_count(total);
        self.timers.set_silent_shards((0..total).filter(|shard| !is_alive(*shard)).collect());
        Ok(())
    }

    /// Whether a table's oldest message waits for so long that its players may not know whose turn it is. The process
    /// that posts it gives the time back.
    async fn has_late_message(&self, id: TableId) -> bool {
        let Ok(due) = self.journal().due_at(id, 1).await else { return true };
        let since = due.first().and_then(|row| row.due_since);
        since.is_some_and(|since| self.now().duration_since(since) >= MAX_POST_DELAY)
    }

    /// Returns the running tables with a timer up to a moment, by the store.
    async fn timers_until(&self, until: Timestamp) -> Result<Vec<(TableId, Timestamp)>, StoreError> {
        walk_pages(|page| self.journal().timers(until, page)).try_collect().await
    }

    /// Returns the tables that are due by the store, except those that were postponed.
    async fn due_in_store(&self, cluster: &dyn Cluster) -> Result<Vec<TableId>, StoreError> {
        self.find_silent_shards(cluster).await?;
        let now = self.now();
        let due = self.timers_until(now).await?.into_iter().map(|(table, _)| table).collect();
        Ok(self.timers.without_postponed(due, now))
    }

    /// Stores that the bot is reachable. Call it every minute: after a crash the time since then is given back.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn note_alive(&self) -> Result<(), StoreError> {
        self.check_for_sleep();
        // With several processes each shard has its own moment.
        if !self.timers.is_connected() || self.cluster().is_some() {
            return Ok(());
        }
        let now = self.now();
        // The outages before that moment come first, because the moment does not cover them.
        if let Some(outages) = self.timers.to_note(now) {
            self.journal().store_note(OUTAGES_NOTE, &outages).await?;
            self.timers.has_noted(outages);
        }
        self.journal().store_note(ALIVE_NOTE, &now.as_millisecond().to_string()).await
    }

    /// Returns when the bot was last reachable, as stored; until this process is reachable, by the previous process.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn last_alive(&self) -> Result<Option<Timestamp>, StoreError> {
        let note = self.journal().note(ALIVE_NOTE).await?;
        Ok(note.and_then(|text| text.parse().ok()).map(millis::timestamp))
    }

    /// Watches whether this machine sleeps, by a task that runs about every second. It is the task of one shard; in a
    /// process that has the store alone, it stands for all shards.
    pub fn watch_for_sleep(&self, shard: u32) -> SleepWatch<'_> {
        self.timers.note_awake(shard, self.now());
        SleepWatch { registry: self, shard }
    }

    fn check_for_sleep(&self) {
        if let Some(slept) = self.timers.check_for_sleep(self.now(), self.cluster().is_some()) {
            tracing::warn!(
                ?slept,
                "this machine slept, its clock was set, or the store was slow; nobody loses time by it"
            );
        }
    }

    /// Starts an outage of Discord: no time-out happens until it ends.
    pub fn connection_lost(&self) {
        self.timers.begin_outage(self.now());
    }

    /// Returns how long Discord has been unreachable; `None` if it is reachable, or only briefly was not.
    pub fn outage_duration(&self) -> Option<Duration> {
        let lost = self.timers.lost(self.now())?;
        Some(lost.unsigned_abs())
    }

    /// Ends the outage of Discord: the time since it began, or since the program last ran, is given back.
    pub async fn connection_restored(&self) {
        if !self.timers.end_outage(self.now()) {
            return;
        }
        self.tick_timed_tables().await;
        self.timers.outage_applied();
    }

    /// Lets all running tables with a clock record the time that they got back.
    pub(super) async fn tick_timed_tables(&self) {
        match self.timed(&Filter::default(), |_| true).await {
            Ok(timed) => {
                self.dismiss_former_members(&timed).await;
                for table in timed {
                    self.tick_table(table).await;
                }
            }
            Err(error) => tracing::error!(%error, "tables are told of lost time only when they are met"),
        }
    }

    /// Starts an outage of some tables at this moment or earlier: no time-out happens there until it ends.
    pub fn begin_outage(&self, scope: OutageScope, since: Timestamp) {
        self.timers.begin_outage_of(scope, since);
    }

    /// Whether a scope has an outage now.
    pub fn is_lost(&self, scope: OutageScope) -> bool {
        self.timers.is_lost(&[scope])
    }

    /// Ends the outage of a scope: the time since it began is given back there.
    pub async fn end_outage(&self, scope: OutageScope) {
        if !self.timers.end_outage_of(scope, self.now()) {
            return;
        }
        let guild = match scope {
            OutageScope::Table(table) => return self.tick_table(table).await,
            OutageScope::Server(guild) => Some(guild),
            OutageScope::Shard(_) => None,
        };
        let concerns = |card: &Card| self.scopes_at(card.guild, card.id).contains(&scope);
        match self.timed(&Filter { guild, ..Filter::default() }, concerns).await {
            Ok(timed) => {
                for table in timed {
                    self.tick_table(table).await;
                }
            }
            Err(error) => {
                tracing::error!(%error, ?scope, "tables are told of lost time only when they are met")
            }
        }
    }

    /// Restores after a restart: upcoming timers, owed proofs, and the outage since the last run.
    pub(super) async fn resume_time(&self) -> Result<(), TableError> {
        let is_alone = self.cluster().is_none();
        if is_alone {
            self.load_timers().await?;
            self.resume_proofs();
        }
        let note = async |name| self.journal().note(name).await.map_err(|e| TableError::Store(e.to_string()));
        if let Some(outages) = note(OUTAGES_NOTE).await?
            && let Err(error) = self.timers.recall(&outages)
        {
            tracing::error!(%error, "earlier times in which nobody reached us are forgotten");
        }
        let alive = if is_alone { note(ALIVE_NOTE).await? } else { None };
        if let Some(alive_ms) = alive.and_then(|text| text.parse().ok()) {
            self.timers.begin_outage(millis::timestamp(alive_ms));
        }
        Ok(())
    }

    /// Loads the next timers before they are due: tables that are not loaded are not remembered for longer.
    async fn load_timers_when_due(&self) {
        let until = millis::timestamp(self.timers_loaded_until_ms.load(Ordering::Relaxed));
        if self.now() + LOOK_AHEAD / 2 < until {
            return;
        }
        if let Err(error) = self.load_timers().await {
            tracing::warn!(%error, "what time brings cannot be looked up; trying again");
        }
    }

    async fn load_timers(&self) -> Result<(), TableError> {
        let until = self.now() + LOOK_AHEAD;
        let moments = self.timers_until(until).await;
        for (table, next_due) in moments.map_err(|error| TableError::Store(error.to_string()))? {
            self.timers.set_if_unknown(table, next_due);
        }
        self.timers_loaded_until_ms.store(until.as_millisecond(), Ordering::Relaxed);
        Ok(())
    }

    /// Returns the running tables with a running clock that match a filter and are `wanted`.
    async fn timed(
        &self,
        filter: &Filter,
        wanted: impl Fn(&Card) -> bool,
    ) -> Result<Vec<TableId>, TableError> {
        let filter = Filter { stage: Some(Stage::Running), ..filter.clone() };
        let (mut cards, mut timed) = (self.scan(&filter), Vec::new());
        while let Some(card) = cards.try_next().await? {
            timed.extend((card.timed && wanted(&card)).then_some(card.id));
        }
        Ok(timed)
    }

    /// Returns the outages since a table's latest event, up to now. An order may come before it is noticed otherwise that
    /// the machine slept.
    pub(crate) fn outages(&self, table: &Table, now: Timestamp) -> Vec<TimeSpan> {
        self.check_for_sleep();
        self.timers.outages(&self.scopes(table), table.at(), now)
    }

    /// Ends the challenges that have waited for longer than `oldest`, not counting outages. Returns their number.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn expire_challenges(&self, oldest: Duration) -> Result<usize, TableError> {
        self.check_for_sleep();
        let oldest = SignedDuration::try_from(oldest).unwrap_or(SignedDuration::MAX);
        let filter = Filter { stage: Some(Stage::Waiting), ..Filter::default() };
        let (mut waiting, mut ended) = (self.scan(&filter), 0);
        while let Some(card) = waiting.try_next().await? {
            heartbeat();
            if self.reachable(card.guild, card.at) <= oldest {
                continue;
            }
            // If a person has just taken the seat, the table refuses.
            ended += usize::from(self.order(card.id, Actor::System, Order::Expire, None).await.is_ok());
        }
        Ok(ended)
    }

    /// Returns how long people of a server could act since a moment, as far as this process knows.
    fn reachable(&self, guild: Option<GuildId>, since: Timestamp) -> SignedDuration {
        let now = self.now();
        let span = TimeSpan { from: since, until: now };
        let lost = self
            .timers
            .outages(&self.scopes_of_server(guild), since, now)
            .into_iter()
            .filter_map(|lost| lost.intersection(span));
        now.duration_since(since)
            - lost.map(|span| span.until.duration_since(span.from)).sum::<SignedDuration>()
    }

    /// Returns the outage scopes that a table belongs to.
    fn scopes(&self, table: &Table) -> Vec<OutageScope> {
        self.scopes_at(table.terms().guild, table.id())
    }

    fn scopes_at(&self, guild: Option<GuildId>, table: TableId) -> Vec<OutageScope> {
        [self.scopes_of_server(guild), vec![OutageScope::Table(table)]].concat()
    }

    /// Returns the outage scopes of all tables of a server, or of those outside of servers.
    fn scopes_of_server(&self, guild: Option<GuildId>) -> Vec<OutageScope> {
        let shard = self.timers.shard_count().map(|shards| OutageScope::Shard(shard_of(guild, shards)));
        guild.map(OutageScope::Server).into_iter().chain(shard).collect()
    }
}

/// Notices that this machine slept, as long as it is not dropped.
pub struct SleepWatch<'a> {
    registry: &'a TableRegistry,
    shard: u32,
}

impl SleepWatch<'_> {
    /// Starts an outage if the last call was far longer than a second ago: then the machine slept or its clock was set.
    pub fn check(&self) {
        self.registry.check_for_sleep();
        self.registry.timers.note_awake(self.shard, self.registry.now());
    }
}

impl Drop for SleepWatch<'_> {
    fn drop(&mut self) {
        self.registry.timers.forget_awake(self.shard);
    }
}
