//! A journal in memory, for tests and experiments.

mod share_links;
mod web_sessions;

use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::annotation::{AnnotatedPosition, Annotation, AnnotationLink};
use crate::hash_chain::{self, ChainEntry, HashChain};
use crate::moderation::ModerationStore;
use crate::ports::{
    AfterFailure, AnalysisStore, Annotations, Batch, Card, Deletion, DueItem, DueTable, Entry, Filter,
    Follows, Job, Journal, OpenTables, Page, PageRequest, Posted, Preferences, Privacy, Ratings, ShareLinks,
    Stage, StoreError, WatchMode, WebSessions,
};
use crate::preferences::{PersonalPreferences, ServerPreferences};
use crate::rated::RatingRecord;
use crate::share::ShareLink;
use crate::web_session::{SignIn, WebSession};
use crate::{GuildId, MessageId, OutboxItem, TableId, UserId};

use crate::pseudonyms::Pseudonyms;
use pages::page_of;

mod analysis;
mod annotations;
mod pages;
mod people;
mod privacy;
mod pruning;
mod ratings;

/// A journal that is lost with the process.
#[derive(Default)]
pub struct MemoryJournal(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    links: BTreeMap<TableId, Vec<ChainEntry>>,
    pseudonyms: BTreeMap<TableId, Pseudonyms>,
    erased: BTreeSet<TableId>,
    cards: BTreeMap<TableId, Card>,
    outbox: Vec<Row>,
    /// The number of outbox rows ever written.
    rows: i64,
    /// The messages of pruned games, with the ply of a board.
    messages: HashMap<MessageId, (TableId, Option<usize>)>,
    deletions: BTreeMap<UserId, Deletion>,
    jobs: BTreeMap<TableId, Job>,
    notes: HashMap<String, String>,
    people: HashMap<UserId, PersonalPreferences>,
    servers: HashMap<GuildId, ServerPreferences>,
    follows: BTreeMap<(TableId, UserId), WatchMode>,
    /// The person who blocks, and the blocked person.
    blocks: BTreeSet<(UserId, UserId)>,
    /// The server, and the person banned there.
    bans: BTreeSet<(GuildId, UserId)>,
    share_links: Vec<ShareLink>,
    annotations: BTreeMap<(UserId, TableId, AnnotatedPosition), Annotation>,
    annotation_links: Vec<AnnotationLink>,
    /// By the digests of their tokens.
    sign_ins: Vec<(String, SignIn)>,
    web_sessions: Vec<(String, WebSession)>,
    /// Games for which the server's setting creates no links.
    share_withdrawn: BTreeSet<TableId>,
    /// By their numbers, in the order of writing, each with the server of the game.
    ratings: BTreeMap<i64, (RatingRecord, Option<GuildId>)>,
    /// The number of ratings ever written.
    rated: i64,
}

struct Row {
    due: DueItem,
    /// `None` once it is done.
    after_failure: Option<AfterFailure>,
    posted: Option<Posted>,
}

impl MemoryJournal {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn append(&self, batch: &Batch) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let next = kept.links.get(&batch.table).map_or(0, Vec::len) as u64 + 1;
        let taken = batch.entries.first().is_some_and(|entry| entry.sequence != next);
        if taken || kept.erased.contains(&batch.table) {
            return Err(StoreError::Conflict(batch.table));
        }
        if !ratings::are_latest(&kept.ratings, batch) {
            return Err(StoreError::OldRating(batch.table));
        }
        let entries = kept.pseudonyms.entry(batch.table).or_default().hide(&batch.entries)?;
        let links = kept.links.entry(batch.table).or_default();
        links.extend(hash_chain::chain_entries(
            batch.table,
            &entries,
            hash_chain::last_seal(batch.table, links),
        ));
        kept.cards.insert(batch.table, batch.card.clone());
        for rating in batch.entries.iter().flat_map(|entry| ratings::changes(batch, entry)) {
            kept.rated += 1;
            let number = kept.rated;
            kept.ratings.insert(number, rating);
        }
        for item in &batch.outbox_items {
            kept.rows += 1;
            let due = DueItem {
                id: kept.rows,
                table: batch.table,
                item: item.clone(),
                tries: 0,
                due_since: Some(batch.at()),
            };
            kept.outbox.push(Row { due, after_failure: Some(AfterFailure::Retry), posted: None });
        }
        match batch.job {
            Some(job) => kept.jobs.insert(batch.table, job),
            None => kept.jobs.remove(&batch.table),
        };
        Ok(())
    }

    async fn load(&self, table: TableId) -> Result<Vec<Entry>, StoreError> {
        let kept = self.kept();
        let links = kept.links.get(&table).map(Vec::as_slice).unwrap_or_default();
        let read = |link: &ChainEntry| {
            let sequence = link.sequence;
            link.entry().map_err(|error| StoreError::Unreadable { table, sequence, why: error.to_string() })
        };
        let mut entries = links.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        kept.pseudonyms.get(&table).inspect(|known| known.reveal(&mut entries));
        Ok(entries)
    }

    async fn chain(&self, table: TableId) -> Result<HashChain, StoreError> {
        let links = self.kept().links.get(&table).cloned().unwrap_or_default();
        let head = links.last().and_then(|link| link.seal.clone());
        Ok(HashChain { links, head })
    }

    async fn list(
        &self,
        filter: &Filter,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<Card, (Timestamp, TableId)>, StoreError> {
        let kept = self.kept();
        let fitting = kept.cards.values().filter(|card| fits(filter, card));
        let after = page.after.map(|(at, table)| (Reverse(at), table));
        let newest_first = PageRequest { after, limit: page.limit };
        let found = page_of(fitting.map(|card| ((Reverse(card.at), card.id), card.clone())), newest_first);
        Ok(Page { rows: found.rows, next: found.next.map(|(Reverse(at), table)| (at, table)) })
    }

    async fn scan(
        &self,
        filter: &Filter,
        page: PageRequest<TableId>,
    ) -> Result<Page<Card, TableId>, StoreError> {
        let kept = self.kept();
        let fitting = kept.cards.values().filter(|card| fits(filter, card));
        Ok(page_of(fitting.map(|card| (card.id, card.clone())), page))
    }

    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, StoreError> {
        let fits = |card: &&Card| match which {
            OpenTables::HostedBy(who) => card.stage != Stage::Over && card.host == Some(who),
            OpenTables::WaitingFor(who) => card.stage == Stage::Waiting && card.host == Some(who),
            OpenTables::OnServer(guild) => card.stage != Stage::Over && card.guild == Some(guild),
            OpenTables::Everywhere => card.stage != Stage::Over,
        };
        Ok(self.kept().cards.values().filter(fits).take(most).count())
    }

    async fn servers_playing(
        &self,
        page: PageRequest<GuildId>,
    ) -> Result<Page<GuildId, GuildId>, StoreError> {
        let kept = self.kept();
        let playing =
            kept.cards.values().filter(|card| card.stage == Stage::Running && card.frozen_since.is_none());
        let guilds: BTreeSet<GuildId> = playing.filter_map(|card| card.guild).collect();
        Ok(page_of(guilds.into_iter().map(|guild| (guild, guild)), page))
    }

    async fn timers(
        &self,
        until: Timestamp,
        page: PageRequest<(Timestamp, TableId)>,
    ) -> Result<Page<(TableId, Timestamp), (Timestamp, TableId)>, StoreError> {
        let kept = self.kept();
        let running = kept.cards.values().filter(|card| card.stage == Stage::Running);
        let moments = running.filter_map(|card| Some((card.next_due?, card.id)));
        let due = moments.filter(|(next_due, _)| *next_due <= until);
        Ok(page_of(due.map(|(next_due, table)| ((next_due, table), (table, next_due))), page))
    }

    async fn owing_proof(
        &self,
        page: PageRequest<TableId>,
    ) -> Result<Page<(TableId, usize), TableId>, StoreError> {
        let kept = self.kept();
        let owing = kept.cards.values().filter(|card| card.stage == Stage::Running && card.proof_owed);
        Ok(page_of(owing.map(|card| (card.id, (card.id, card.ply))), page))
    }

    async fn due(&self, after: i64, most: usize) -> Result<Vec<DueItem>, StoreError> {
        let kept = self.kept();
        let rows = kept
            .outbox
            .iter()
            .filter(|row| row.after_failure == Some(AfterFailure::Retry) && row.due.id > after);
        Ok(rows.take(most).map(|row| row.due.clone()).collect())
    }

    async fn oldest_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let kept = self.kept();
        let due = kept.outbox.iter().filter(|row| row.after_failure == Some(AfterFailure::Retry));
        Ok(due.filter_map(|row| row.due.due_since).min())
    }

    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, StoreError> {
        let guild = |table| self.kept().cards.get(&table).and_then(|card| card.guild);
        let due = self.due(after, most).await?.into_iter();
        Ok(due.map(|DueItem { id, table, .. }| DueTable { id, table, guild: guild(table) }).collect())
    }

    async fn last_row(&self) -> Result<i64, StoreError> {
        Ok(self.kept().outbox.last().map_or(0, |row| row.due.id))
    }

    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<DueItem>, StoreError> {
        let kept = self.kept();
        let rows = kept.outbox.iter().map(|row| (&row.due, row.after_failure));
        let due = rows
            .filter(|(due, after_failure)| *after_failure == Some(AfterFailure::Retry) && due.table == table);
        Ok(due.take(most).map(|(due, _)| due.clone()).collect())
    }

    async fn mark_posted(&self, id: i64, posted: Option<Posted>) -> Result<(), StoreError> {
        self.with_row(id, |row| {
            row.after_failure = None;
            row.posted = posted;
        })
    }

    async fn mark_failed(&self, id: i64, _why: &str, after_failure: AfterFailure) -> Result<(), StoreError> {
        self.with_row(id, |row| {
            if row.after_failure.is_some() {
                row.due.tries += 1;
                row.after_failure = Some(after_failure);
            }
        })
    }

    async fn requeue(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        self.with_row(id, |row| {
            if row.after_failure == Some(AfterFailure::Blocked) {
                (row.after_failure, row.due.due_since) = (Some(AfterFailure::Retry), Some(now));
            }
        })
    }

    async fn blocked_items(&self, page: PageRequest<i64>) -> Result<Page<DueItem, i64>, StoreError> {
        let kept = self.kept();
        let rows = kept.outbox.iter().filter(|row| row.after_failure == Some(AfterFailure::Blocked));
        Ok(page_of(rows.map(|row| (row.due.id, row.due.clone())), page))
    }

    async fn count_blocked(&self) -> Result<usize, StoreError> {
        let kept = self.kept();
        Ok(kept.outbox.iter().filter(|row| row.after_failure == Some(AfterFailure::Blocked)).count())
    }

    async fn posted(&self, table: TableId, item: &OutboxItem) -> Result<Option<Posted>, StoreError> {
        let kept = self.kept();
        let same = |row: &&Row| row.due.table == table && row.due.item.key() == item.key();
        Ok(kept.outbox.iter().rev().filter(same).find_map(|row| row.posted))
    }

    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<MessageId>, StoreError> {
        let kept = self.kept();
        let before = kept.outbox.iter().filter(|it| it.due.table == table && it.due.id < row);
        Ok(before.filter_map(|it| it.posted.map(|posted| posted.message)).max())
    }

    async fn latest(&self, table: TableId, item: &OutboxItem) -> Result<Option<(i64, bool)>, StoreError> {
        let kept = self.kept();
        let same = |row: &&Row| row.due.table == table && row.due.item.key() == item.key();
        Ok(kept.outbox.iter().rev().find(same).map(|row| (row.due.id, row.posted.is_some())))
    }

    async fn table_of(&self, message: MessageId) -> Result<Option<TableId>, StoreError> {
        let kept = self.kept();
        let is_wanted = |row: &&Row| row.posted.is_some_and(|posted| posted.message == message);
        let pruned = || kept.messages.get(&message).map(|(table, _)| *table);
        Ok(kept.outbox.iter().find(is_wanted).map(|row| row.due.table).or_else(pruned))
    }

    async fn posted_item(
        &self,
        message: MessageId,
    ) -> Result<Option<(TableId, Option<OutboxItem>)>, StoreError> {
        let kept = self.kept();
        let is_wanted = |row: &&Row| row.posted.is_some_and(|posted| posted.message == message);
        let said = kept.outbox.iter().find(is_wanted).map(|row| (row.due.table, Some(row.due.item.clone())));
        let board = |ply: usize| OutboxItem::Board { ply };
        Ok(said.or_else(|| kept.messages.get(&message).map(|(table, ply)| (*table, ply.map(board)))))
    }

    async fn prune_outbox(&self, before: Timestamp, most: usize) -> Result<usize, StoreError> {
        Ok(pruning::prune_outbox(&mut self.kept(), before, most))
    }

    async fn jobs(&self, page: PageRequest<TableId>) -> Result<Page<Job, TableId>, StoreError> {
        Ok(page_of(self.kept().jobs.iter().map(|(table, job)| (*table, *job)), page))
    }

    async fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        Ok(self.kept().notes.get(key).cloned())
    }

    async fn store_note(&self, key: &str, value: &str) -> Result<(), StoreError> {
        let mut kept = self.kept();
        match value {
            "" => kept.notes.remove(key),
            _ => kept.notes.insert(key.to_owned(), value.to_owned()),
        };
        Ok(())
    }

    async fn probe(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn follows(&self) -> &dyn Follows {
        self
    }

    fn preferences(&self) -> &dyn Preferences {
        self
    }

    fn share_links(&self) -> &dyn ShareLinks {
        self
    }

    fn annotations(&self) -> &dyn Annotations {
        self
    }

    fn web_sessions(&self) -> &dyn WebSessions {
        self
    }

    fn ratings(&self) -> &dyn Ratings {
        self
    }

    fn privacy(&self) -> &dyn Privacy {
        self
    }

    fn moderation(&self) -> &dyn ModerationStore {
        self
    }

    fn analyses(&self) -> &dyn AnalysisStore {
        self
    }
}

impl MemoryJournal {
    fn with_row(&self, id: i64, change: impl FnOnce(&mut Row)) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let row = kept.outbox.iter_mut().find(|row| row.due.id == id);
        row.map(change).ok_or_else(|| StoreError::Backend(format!("the outbox has no row {id}")))
    }
}

fn fits(filter: &Filter, card: &Card) -> bool {
    filter.person.is_none_or(|person| card.has(person))
        && filter.guild.is_none_or(|guild| card.guild == Some(guild))
        && filter.channel.is_none_or(|channel| {
            card.board_channel.is_some_and(|board_channel| board_channel.channel == channel)
        })
        && filter.stage.is_none_or(|stage| card.stage == stage)
        && (!filter.unfinished || card.stage != Stage::Over)
        && filter.game.as_ref().is_none_or(|game| card.game == *game)
        && (!filter.frozen || card.frozen_since.is_some())
        && (!filter.rests || card.rests)
        && (!filter.imported || card.imported)
        && (!filter.rated || card.rated.unwrap_or(true))
        && filter.table.is_none_or(|table| card.id == table)
}
