//! A journal in memory, for tests and experiments.

mod share_links;

use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::hash_chain::{self, ChainEntry, HashChain};
use crate::moderation::ModerationStore;
use crate::ports::{
    AfterFailure, AnalysisStore, Batch, Card, Deletion, DueItem, DueTable, Entry, Filter, Follows, Job,
    Journal, OpenTables, Posted, Preferences, Privacy, Ratings, ShareLinks, Stage, StoreError, WatchMode,
};
use crate::preferences::{PersonalPreferences, ServerPreferences};
use crate::rated::{Account, RatingChange, RatingRecord};
use crate::rating::RatingPool;
use crate::share::ShareLink;
use crate::{Event, GuildId, MessageId, OutboxItem, TableId, UserId};

use crate::pseudonyms::Pseudonyms;

mod analysis;
mod privacy;
mod pruning;

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
    /// Games for which the server's setting creates no links.
    share_withdrawn: BTreeSet<TableId>,
    /// In the order of writing, each with the server of the game.
    ratings: Vec<(RatingRecord, Option<GuildId>)>,
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
        let entries = kept.pseudonyms.entry(batch.table).or_default().hide(&batch.entries)?;
        let links = kept.links.entry(batch.table).or_default();
        links.extend(hash_chain::chain_entries(
            batch.table,
            &entries,
            hash_chain::last_seal(batch.table, links),
        ));
        kept.cards.insert(batch.table, batch.card.clone());
        kept.ratings.extend(batch.entries.iter().flat_map(|entry| ratings(batch, entry)));
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

    async fn list(&self, filter: &Filter) -> Result<Vec<Card>, StoreError> {
        let kept = self.kept();
        let mut cards: Vec<Card> = kept.cards.values().filter(|card| fits(filter, card)).cloned().collect();
        cards.sort_by_key(|card| std::cmp::Reverse(card.at));
        cards.truncate(filter.limit());
        Ok(cards)
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

    async fn servers_playing(&self) -> Result<Vec<GuildId>, StoreError> {
        let kept = self.kept();
        let playing =
            kept.cards.values().filter(|card| card.stage == Stage::Running && card.frozen_since.is_none());
        let guilds: BTreeSet<GuildId> = playing.filter_map(|card| card.guild).collect();
        Ok(guilds.into_iter().collect())
    }

    async fn timers(
        &self,
        until: Timestamp,
        after: Option<(Timestamp, TableId)>,
        most: usize,
    ) -> Result<Vec<(TableId, Timestamp)>, StoreError> {
        let kept = self.kept();
        let running = kept.cards.values().filter(|card| card.stage == Stage::Running);
        let moments = running.filter_map(|card| Some((card.id, card.next_due?)));
        let mut due: Vec<_> = moments.filter(|(_, next_due)| *next_due <= until).collect();
        due.sort_by_key(|(table, next_due)| (*next_due, *table));
        due.retain(|(table, next_due)| after.is_none_or(|after| (*next_due, *table) > after));
        due.truncate(most);
        Ok(due)
    }

    async fn owing_proof(&self) -> Result<Vec<(TableId, usize)>, StoreError> {
        let kept = self.kept();
        let owing = kept.cards.values().filter(|card| card.stage == Stage::Running && card.proof_owed);
        Ok(owing.map(|card| (card.id, card.ply)).collect())
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
            row.due.tries += 1;
            row.after_failure = Some(after_failure);
        })
    }

    async fn requeue(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        self.with_row(id, |row| {
            if row.after_failure == Some(AfterFailure::Blocked) {
                (row.after_failure, row.due.due_since) = (Some(AfterFailure::Retry), Some(now));
            }
        })
    }

    async fn blocked_items(&self) -> Result<Vec<DueItem>, StoreError> {
        let kept = self.kept();
        let rows = kept.outbox.iter().filter(|row| row.after_failure == Some(AfterFailure::Blocked));
        Ok(rows.map(|row| row.due.clone()).collect())
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

    async fn jobs(&self) -> Result<Vec<Job>, StoreError> {
        Ok(self.kept().jobs.values().copied().collect())
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

#[async_trait]
impl Follows for MemoryJournal {
    async fn follow(&self, who: UserId, table: TableId, how: WatchMode) -> Result<(), StoreError> {
        self.kept().follows.insert((table, who), how);
        Ok(())
    }

    async fn unfollow(&self, who: UserId, table: TableId) -> Result<bool, StoreError> {
        Ok(self.kept().follows.remove(&(table, who)).is_some())
    }

    async fn followers(&self, table: TableId) -> Result<Vec<(UserId, WatchMode)>, StoreError> {
        let kept = self.kept();
        let of_table = kept.follows.iter().filter(|((at, _), _)| *at == table);
        Ok(of_table.map(|((_, who), how)| (*who, *how)).collect())
    }

    async fn watched_by(&self, who: UserId) -> Result<Vec<TableId>, StoreError> {
        let kept = self.kept();
        Ok(kept.follows.keys().filter(|(_, by)| *by == who).map(|(table, _)| *table).collect())
    }

    async fn digests(&self) -> Result<Vec<(UserId, Vec<TableId>)>, StoreError> {
        let mut digests: BTreeMap<UserId, Vec<TableId>> = BTreeMap::new();
        for ((table, who), _) in self.kept().follows.iter().filter(|(_, how)| **how == WatchMode::Digest) {
            digests.entry(*who).or_default().push(*table);
        }
        Ok(digests.into_iter().collect())
    }
}

#[async_trait]
impl ModerationStore for MemoryJournal {
    async fn block(&self, who: UserId, other: UserId, _at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.kept().blocks.insert((who, other)))
    }

    async fn unblock(&self, who: UserId, other: UserId) -> Result<bool, StoreError> {
        Ok(self.kept().blocks.remove(&(who, other)))
    }

    async fn blocked_by(&self, who: UserId) -> Result<Vec<UserId>, StoreError> {
        let kept = self.kept();
        Ok(kept.blocks.iter().filter(|(by, _)| *by == who).map(|(_, other)| *other).collect())
    }

    async fn ban(&self, guild: GuildId, who: UserId, _at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.kept().bans.insert((guild, who)))
    }

    async fn unban(&self, guild: GuildId, who: UserId) -> Result<bool, StoreError> {
        Ok(self.kept().bans.remove(&(guild, who)))
    }

    async fn banned_from(&self, guild: GuildId) -> Result<Vec<UserId>, StoreError> {
        let kept = self.kept();
        Ok(kept.bans.iter().filter(|(from, _)| *from == guild).map(|(_, who)| *who).collect())
    }
}

#[async_trait]
impl Preferences for MemoryJournal {
    async fn personal(&self, who: UserId) -> Result<Option<PersonalPreferences>, StoreError> {
        Ok(self.kept().people.get(&who).cloned())
    }

    async fn store_personal(&self, who: UserId, personal: &PersonalPreferences) -> Result<(), StoreError> {
        self.kept().people.insert(who, personal.clone());
        Ok(())
    }

    async fn delete_preferences(&self, who: UserId) -> Result<(), StoreError> {
        self.kept().people.remove(&who);
        Ok(())
    }

    async fn server(&self, guild: GuildId) -> Result<Option<ServerPreferences>, StoreError> {
        Ok(self.kept().servers.get(&guild).cloned())
    }

    async fn store_server(&self, guild: GuildId, server: &ServerPreferences) -> Result<(), StoreError> {
        self.kept().servers.insert(guild, server.clone());
        Ok(())
    }

    async fn resting(&self) -> Result<Vec<UserId>, StoreError> {
        let kept = self.kept();
        let may_rest = |it: &PersonalPreferences| {
            it.vacation.is_some() || it.weekly.is_some() || it.clock_week.is_some()
        };
        let resting: BTreeSet<UserId> =
            kept.people.iter().filter(|(_, it)| may_rest(it)).map(|(who, _)| *who).collect();
        Ok(resting.into_iter().collect())
    }

    async fn servers_with_lobby(&self) -> Result<Vec<GuildId>, StoreError> {
        let kept = self.kept();
        let with_lobby: BTreeSet<GuildId> = kept
            .servers
            .iter()
            .filter(|(_, server)| server.lobby.is_some())
            .map(|(guild, _)| *guild)
            .collect();
        Ok(with_lobby.into_iter().collect())
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
}

fn ratings(batch: &Batch, entry: &Entry) -> Vec<(RatingRecord, Option<GuildId>)> {
    let Event::Rated { pool, changes } = &entry.event else { return Vec::new() };
    let standing = |change: &RatingChange| RatingRecord {
        who: change.who,
        game: batch.card.game.clone(),
        pool: *pool,
        rating: change.after,
        at: entry.at,
        table: batch.table,
    };
    // A person whose data was deleted during the game gets no rating.
    let known = changes.iter().filter(|change| !change.who.is_pseudonym());
    known.map(|change| (standing(change), batch.card.guild)).collect()
}

#[async_trait]
impl Ratings for MemoryJournal {
    async fn rating(
        &self,
        who: Account,
        game: &str,
        pool: RatingPool,
    ) -> Result<Option<RatingRecord>, StoreError> {
        let kept = self.kept();
        let mut own = kept.ratings.iter().rev().map(|(standing, _)| standing);
        Ok(own.find(|it| (it.who, it.game.as_str(), it.pool) == (who, game, pool)).cloned())
    }

    async fn history(&self, who: Account) -> Result<Vec<RatingRecord>, StoreError> {
        let kept = self.kept();
        let all = kept.ratings.iter().map(|(standing, _)| standing);
        Ok(all.filter(|standing| standing.who == who).cloned().collect())
    }

    async fn leaders(
        &self,
        game: &str,
        pool: RatingPool,
        guild: Option<GuildId>,
    ) -> Result<Vec<(RatingRecord, u64)>, StoreError> {
        let kept = self.kept();
        let same: Vec<_> = kept.ratings.iter().filter(|(it, _)| it.game == game && it.pool == pool).collect();
        let of = |who: Account| same.iter().filter(move |(it, _)| it.who == who);
        let latest = same.iter().enumerate().filter(|(i, (it, _))| {
            !same[i + 1..].iter().any(|(later, _)| later.who == it.who)
                && (guild.is_none() || of(it.who).any(|(_, on)| *on == guild))
        });
        let mut leaders: Vec<_> =
            latest.map(|(_, (it, _))| (it.clone(), of(it.who).count() as u64)).collect();
        leaders.sort_by_key(|(it, _)| std::cmp::Reverse(it.rating.mean_milli));
        Ok(leaders)
    }
}
