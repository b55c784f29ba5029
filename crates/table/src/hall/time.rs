//! The hall and time: what is due is done, and lost time is given back.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::super::clock::{HOUR_MS, Span};
use super::super::ports::{Card, Filter, JournalError, Stage};
use super::super::watch::Part;
use super::super::words::{By, Denied, Order};
use super::super::{Table, TableId};
use super::Hall;
use rookery_tasks::beat;

/// Under which name the moment is kept at which we were last there.
const ALIVE_NOTE: &str = "alive";
/// Under which name the times before that are kept in which nobody reached us.
const LOSSES_NOTE: &str = "losses";
/// How far ahead it is looked up what time brings.
const AHEAD_MS: i64 = HOUR_MS;
/// The wait before a table is looked at again where nobody could answer, or we had a fault.
const AGAIN_MS: i64 = 30_000;
/// The wait before a table is looked at again whose journal failed: all goes on at once when that works again.
const JOURNAL_AGAIN_MS: i64 = 1_000;
/// A wait of a second that took this long, in milliseconds, was none.
const SLEPT_MS: i64 = 10_000;

impl Hall {
    /// Does what time has brought: days off, reminders, times that are up. Call it every second or so. Returns
    /// how many tables were looked at.
    pub async fn tick(&self) -> usize {
        self.take_up_untaken().await;
        self.rest_when_due().await;
        self.look_ahead_when_due().await;
        let due = self.watch.due(self.now_ms());
        self.muster(&due).await;
        let mut looked = 0;
        for table in due {
            beat();
            looked += usize::from(self.look_at_if_there(table).await);
        }
        looked
    }

    /// Looks at a table unless nobody could answer there: then it is looked at a little later. Whether it was.
    async fn look_at_if_there(&self, id: TableId) -> bool {
        let is_lost = self.see(id).await.is_ok_and(|table| self.watch.is_lost(&parts(&table)));
        if is_lost {
            self.watch.set(id, Some(self.now_ms() + AGAIN_MS));
        } else {
            self.look_at(id).await;
        }
        !is_lost
    }

    async fn look_at(&self, id: TableId) {
        let next_ms = match self.order(id, By::House, Order::Tick, None).await {
            Ok(seen) => seen.table.next_ms(),
            Err(Denied::Refused(_) | Denied::NoTable(_) | Denied::Unreadable(_)) => None,
            Err(error) => {
                tracing::warn!(table = %id, %error, "what time has brought could not be done; trying again");
                let wait_ms = if matches!(error, Denied::Journal(_)) { JOURNAL_AGAIN_MS } else { AGAIN_MS };
                Some(self.now_ms() + wait_ms)
            }
        };
        self.watch.set(id, next_ms);
    }

    /// Notes that people reach us. Call it every minute: after a crash the time since then is given back.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn note_alive(&self) -> Result<(), JournalError> {
        if !self.watch.is_there() {
            return Ok(());
        }
        let now_ms = self.now_ms();
        // First what lies before that moment: it is not told by it.
        if let Some(losses) = self.watch.to_note(now_ms) {
            self.journal().keep_note(LOSSES_NOTE, &losses).await?;
            self.watch.has_noted(losses);
        }
        self.journal().keep_note(ALIVE_NOTE, &now_ms.to_string()).await
    }

    /// When people last reached us as far as it was noted, in milliseconds since 1970; before people reach this
    /// process, that is the end of the one before it.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn last_alive_ms(&self) -> Result<Option<i64>, JournalError> {
        Ok(self.journal().note(ALIVE_NOTE).await?.and_then(|text| text.parse().ok()))
    }

    /// The wait for the next moment, of a second or so, began at one and is over. If it took far longer, the
    /// machine slept, or its clock was set: nobody could reach us, and nobody's time is up before they can.
    pub fn waited_since(&self, began_ms: i64) {
        let slept_ms = self.now_ms() - began_ms;
        if slept_ms >= SLEPT_MS {
            tracing::warn!(slept_ms, "this machine slept, or its clock was set; nobody loses time by it");
            self.watch.lose(began_ms);
        }
    }

    /// Discord cannot be reached from now on: nobody's time is up until it can.
    pub fn out_of_reach(&self) {
        self.watch.lose(self.now_ms());
    }

    /// For how long Discord has been out of reach now; `None` if it is not, or only for a blink.
    pub fn out_of_reach_for(&self) -> Option<Duration> {
        let lost_ms = self.watch.lost_ms(self.now_ms())?;
        Some(Duration::from_millis(lost_ms.unsigned_abs()))
    }

    /// Discord can be reached: the time since it was lost, or since the program last ran, is given back.
    pub async fn in_reach(&self) {
        if !self.watch.regain(self.now_ms()) {
            return;
        }
        match self.running().await {
            Ok(cards) => {
                let timed: Vec<TableId> =
                    cards.iter().filter(|card| card.timed).map(|card| card.id).collect();
                self.muster(&timed).await;
                for table in timed {
                    self.look_at(table).await;
                }
            }
            Err(error) => tracing::error!(%error, "tables are told of lost time only when they are met"),
        }
        self.watch.told();
    }

    /// Nobody reaches a part of the tables, since this moment or longer, in milliseconds since 1970: nobody's time
    /// is up there until they can.
    pub fn lose(&self, part: Part, since_ms: i64) {
        self.watch.lose_part(part, since_ms);
    }

    /// Whether nobody reaches it now.
    pub fn is_lost(&self, part: Part) -> bool {
        self.watch.is_lost(&[part])
    }

    /// People reach it (again): the time since it was lost is given back there.
    pub async fn regain(&self, part: Part) {
        if !self.watch.regain_part(part, self.now_ms()) {
            return;
        }
        let guild = match part {
            Part::Table(table) => return self.look_at(table).await,
            Part::Server(guild) => guild,
        };
        let running = Filter { guild: Some(guild), stage: Some(Stage::Running), ..Filter::default() };
        match self.list(&Filter { most: usize::MAX >> 1, ..running }).await {
            Ok(cards) => {
                for card in cards.into_iter().filter(|card| card.timed) {
                    self.look_at(card.id).await;
                }
            }
            Err(error) => {
                tracing::error!(%error, guild, "tables are told of lost time only when they are met")
            }
        }
    }

    /// After a restart: what time brings soon, proofs that are owed, and since when nobody reached us.
    pub(super) async fn resume_time(&self) -> Result<(), Denied> {
        self.look_ahead().await?;
        let owing = self.journal().owing_proof().await;
        self.resume_proofs(&owing.map_err(|error| Denied::Journal(error.to_string()))?);
        let note = async |name| self.journal().note(name).await.map_err(|e| Denied::Journal(e.to_string()));
        if let Some(losses) = note(LOSSES_NOTE).await?
            && let Err(error) = self.watch.recall(&losses)
        {
            tracing::error!(%error, "earlier times in which nobody reached us are forgotten");
        }
        let alive = note(ALIVE_NOTE).await?;
        if let Some(alive_ms) = alive.and_then(|text| text.parse().ok()) {
            self.watch.lose(alive_ms);
        }
        Ok(())
    }

    /// Looks up anew what time brings before that is needed: tables that nobody asks for are not remembered for
    /// longer.
    async fn look_ahead_when_due(&self) {
        if self.now_ms() < self.ahead_ms.load(Ordering::Relaxed) - AHEAD_MS / 2 {
            return;
        }
        if let Err(error) = self.look_ahead().await {
            tracing::warn!(%error, "what time brings cannot be looked up; trying again");
        }
    }

    async fn look_ahead(&self) -> Result<(), Denied> {
        let until_ms = self.now_ms() + AHEAD_MS;
        let moments = self.journal().moments(until_ms).await;
        for (table, next_ms) in moments.map_err(|error| Denied::Journal(error.to_string()))? {
            self.watch.learn(table, next_ms);
        }
        self.ahead_ms.store(until_ms, Ordering::Relaxed);
        Ok(())
    }

    pub(super) async fn running(&self) -> Result<Vec<Card>, Denied> {
        self.list(&Filter { stage: Some(Stage::Running), most: usize::MAX >> 1, ..Filter::default() }).await
    }

    /// The times since a table's latest event in which nobody could move, up to now.
    pub(in super::super) fn losses(&self, table: &Table, now_ms: i64) -> Vec<Span> {
        self.watch.losses(&parts(table), table.at_ms(), now_ms)
    }

    /// Ends the challenges that have waited for longer than `oldest`, not counting times in which nobody could
    /// have answered. Returns how many.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn let_run_out(&self, oldest: Duration) -> Result<usize, Denied> {
        let oldest_ms = i64::try_from(oldest.as_millis()).unwrap_or(i64::MAX);
        let filter = Filter { stage: Some(Stage::Waiting), most: usize::MAX >> 1, ..Filter::default() };
        let mut ended = 0;
        let waiting = self.list(&filter).await?;
        for card in waiting.into_iter().filter(|card| self.reachable_ms(card.guild, card.at_ms) > oldest_ms) {
            beat();
            // Somebody may have sat down this very moment: then the table refuses, rightly.
            ended += usize::from(self.order(card.id, By::House, Order::Expire, None).await.is_ok());
        }
        Ok(ended)
    }

    /// For how long people of a server could have done something since a moment, in milliseconds, as far as this
    /// process knows.
    fn reachable_ms(&self, guild: Option<u64>, since_ms: i64) -> i64 {
        let now_ms = self.now_ms();
        let since = Span { from_ms: since_ms, until_ms: now_ms };
        let parts: Vec<Part> = guild.map(Part::Server).into_iter().collect();
        let lost =
            self.watch.losses(&parts, since_ms, now_ms).into_iter().filter_map(|span| span.meets(since));
        now_ms - since_ms - lost.map(|span| span.until_ms - span.from_ms).sum::<i64>()
    }
}

/// The parts of all tables that one belongs to.
fn parts(table: &Table) -> Vec<Part> {
    table.terms().guild.map(Part::Server).into_iter().chain([Part::Table(table.id())]).collect()
}
