//! A journal in memory: for tests, and for trying things that need not be kept.

mod share_links;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::moderation::ModerationStore;
use crate::ports::{
    Batch, Card, Deletion, Due, DueTable, Entry, Fate, Filter, Following, Follows, Job, Journal,
    JournalError, OpenTables, Posted, Preferences, Privacy, Ratings, ShareLinks, Stage,
};
use crate::preferences::{Personal, Server};
use crate::rated::{Account, Change, Standing};
use crate::rating::Pool;
use crate::seal::{self, Chain, Link};
use crate::share::ShareLink;
use crate::{Event, Person, Say, TableId};

use crate::stand_ins::StandIns;

mod privacy;
mod pruning;

/// A journal that is gone with the process.
#[derive(Default)]
pub struct Memory(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    links: BTreeMap<TableId, Vec<Link>>,
    stand_ins: BTreeMap<TableId, StandIns>,
    erased: BTreeSet<TableId>,
    cards: BTreeMap<TableId, Card>,
    outbox: Vec<Row>,
    /// Rows that there ever were in the outbox.
    rows: i64,
    /// Messages of games that ended long ago, with the turn of a board.
    messages: HashMap<u64, (TableId, Option<usize>)>,
    deletions: BTreeMap<Person, Deletion>,
    jobs: BTreeMap<TableId, Job>,
    notes: HashMap<String, String>,
    people: HashMap<Person, Personal>,
    servers: HashMap<u64, Server>,
    follows: BTreeMap<(TableId, Person), Following>,
    /// Who blocks whom.
    blocks: BTreeSet<(Person, Person)>,
    /// Who is banned from which server.
    bans: BTreeSet<(u64, Person)>,
    share_links: Vec<ShareLink>,
    /// Games for which the server's setting makes no links.
    share_withdrawn: BTreeSet<TableId>,
    /// In the order of writing, each with the server it was played on.
    ratings: Vec<(Standing, Option<u64>)>,
}

struct Row {
    due: Due,
    /// `None` once it was said.
    fate: Option<Fate>,
    posted: Option<Posted>,
}

impl Memory {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Journal for Memory {
    async fn append(&self, batch: &Batch) -> Result<(), JournalError> {
        let mut kept = self.kept();
        let next = kept.links.get(&batch.table).map_or(0, Vec::len) as u64 + 1;
        let taken = batch.entries.first().is_some_and(|entry| entry.sequence != next);
        if taken || kept.erased.contains(&batch.table) {
            return Err(JournalError::Conflict(batch.table));
        }
        let entries = kept.stand_ins.entry(batch.table).or_default().hide(&batch.entries)?;
        let links = kept.links.entry(batch.table).or_default();
        links.extend(seal::seal(batch.table, &entries, seal::last_seal(batch.table, links)));
        kept.cards.insert(batch.table, batch.card.clone());
        kept.ratings.extend(batch.entries.iter().flat_map(|entry| ratings(batch, entry)));
        for say in &batch.says {
            kept.rows += 1;
            let due = Due {
                id: kept.rows,
                table: batch.table,
                say: say.clone(),
                tries: 0,
                due_since_ms: Some(batch.at_ms()),
            };
            kept.outbox.push(Row { due, fate: Some(Fate::Later), posted: None });
        }
        match batch.job {
            Some(job) => kept.jobs.insert(batch.table, job),
            None => kept.jobs.remove(&batch.table),
        };
        Ok(())
    }

    async fn load(&self, table: TableId) -> Result<Vec<Entry>, JournalError> {
        let kept = self.kept();
        let links = kept.links.get(&table).map(Vec::as_slice).unwrap_or_default();
        let read = |link: &Link| {
            let sequence = link.sequence;
            link.entry().map_err(|error| JournalError::Unreadable { table, sequence, why: error.to_string() })
        };
        let mut entries = links.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        kept.stand_ins.get(&table).inspect(|known| known.reveal(&mut entries));
        Ok(entries)
    }

    async fn chain(&self, table: TableId) -> Result<Chain, JournalError> {
        let links = self.kept().links.get(&table).cloned().unwrap_or_default();
        let head = links.last().and_then(|link| link.seal.clone());
        Ok(Chain { links, head })
    }

    async fn list(&self, filter: &Filter) -> Result<Vec<Card>, JournalError> {
        let kept = self.kept();
        let mut cards: Vec<Card> = kept.cards.values().filter(|card| fits(filter, card)).cloned().collect();
        cards.sort_by_key(|card| std::cmp::Reverse(card.at_ms));
        cards.truncate(filter.limit());
        Ok(cards)
    }

    async fn count_open(&self, which: OpenTables, most: usize) -> Result<usize, JournalError> {
        let fits = |card: &&Card| match which {
            OpenTables::HostedBy(who) => card.stage != Stage::Over && card.host == Some(who),
            OpenTables::WaitingFor(who) => card.stage == Stage::Waiting && card.host == Some(who),
            OpenTables::OnServer(guild) => card.stage != Stage::Over && card.guild == Some(guild),
        };
        Ok(self.kept().cards.values().filter(fits).take(most).count())
    }

    async fn servers_playing(&self) -> Result<Vec<u64>, JournalError> {
        let kept = self.kept();
        let playing =
            kept.cards.values().filter(|card| card.stage == Stage::Running && card.frozen_ms.is_none());
        let guilds: BTreeSet<u64> = playing.filter_map(|card| card.guild).collect();
        Ok(guilds.into_iter().collect())
    }

    async fn moments(&self, until_ms: i64) -> Result<Vec<(TableId, i64)>, JournalError> {
        let kept = self.kept();
        let running = kept.cards.values().filter(|card| card.stage == Stage::Running);
        let moments = running.filter_map(|card| Some((card.id, card.next_ms?)));
        Ok(moments.filter(|(_, next_ms)| *next_ms <= until_ms).collect())
    }

    async fn owing_proof(&self) -> Result<Vec<(TableId, usize)>, JournalError> {
        let kept = self.kept();
        let owing = kept.cards.values().filter(|card| card.stage == Stage::Running && card.proof_owed);
        Ok(owing.map(|card| (card.id, card.ply)).collect())
    }

    async fn due(&self, after: i64, most: usize) -> Result<Vec<Due>, JournalError> {
        let kept = self.kept();
        let rows = kept.outbox.iter().filter(|row| row.fate == Some(Fate::Later) && row.due.id > after);
        Ok(rows.take(most).map(|row| row.due.clone()).collect())
    }

    async fn oldest_due_ms(&self) -> Result<Option<i64>, JournalError> {
        let kept = self.kept();
        let due = kept.outbox.iter().filter(|row| row.fate == Some(Fate::Later));
        Ok(due.filter_map(|row| row.due.due_since_ms).min())
    }

    async fn due_tables(&self, after: i64, most: usize) -> Result<Vec<DueTable>, JournalError> {
        let guild = |table| self.kept().cards.get(&table).and_then(|card| card.guild);
        let due = self.due(after, most).await?.into_iter();
        Ok(due.map(|Due { id, table, .. }| DueTable { id, table, guild: guild(table) }).collect())
    }

    async fn last_row(&self) -> Result<i64, JournalError> {
        Ok(self.kept().outbox.last().map_or(0, |row| row.due.id))
    }

    async fn due_at(&self, table: TableId, most: usize) -> Result<Vec<Due>, JournalError> {
        let kept = self.kept();
        let rows = kept.outbox.iter().map(|row| (&row.due, row.fate));
        let due = rows.filter(|(due, fate)| *fate == Some(Fate::Later) && due.table == table);
        Ok(due.take(most).map(|(due, _)| due.clone()).collect())
    }

    async fn said(&self, id: i64, posted: Option<Posted>) -> Result<(), JournalError> {
        self.with_row(id, |row| {
            row.fate = None;
            row.posted = posted;
        })
    }

    async fn unsaid(&self, id: i64, _why: &str, fate: Fate) -> Result<(), JournalError> {
        self.with_row(id, |row| {
            row.due.tries += 1;
            row.fate = Some(fate);
        })
    }

    async fn resay(&self, id: i64, now_ms: i64) -> Result<(), JournalError> {
        self.with_row(id, |row| {
            if row.fate == Some(Fate::Barred) {
                (row.fate, row.due.due_since_ms) = (Some(Fate::Later), Some(now_ms));
            }
        })
    }

    async fn barred(&self) -> Result<Vec<Due>, JournalError> {
        let kept = self.kept();
        let rows = kept.outbox.iter().filter(|row| row.fate == Some(Fate::Barred));
        Ok(rows.map(|row| row.due.clone()).collect())
    }

    async fn posted(&self, table: TableId, say: &Say) -> Result<Option<Posted>, JournalError> {
        let kept = self.kept();
        let same = |row: &&Row| row.due.table == table && row.due.say.key() == say.key();
        Ok(kept.outbox.iter().rev().filter(same).find_map(|row| row.posted))
    }

    async fn message_before(&self, table: TableId, row: i64) -> Result<Option<u64>, JournalError> {
        let kept = self.kept();
        let before = kept.outbox.iter().filter(|it| it.due.table == table && it.due.id < row);
        Ok(before.filter_map(|it| it.posted.map(|posted| posted.message)).max())
    }

    async fn latest(&self, table: TableId, say: &Say) -> Result<Option<(i64, bool)>, JournalError> {
        let kept = self.kept();
        let same = |row: &&Row| row.due.table == table && row.due.say.key() == say.key();
        Ok(kept.outbox.iter().rev().find(same).map(|row| (row.due.id, row.posted.is_some())))
    }

    async fn table_of(&self, message: u64) -> Result<Option<TableId>, JournalError> {
        let kept = self.kept();
        let is_it = |row: &&Row| row.posted.is_some_and(|posted| posted.message == message);
        let pruned = || kept.messages.get(&message).map(|(table, _)| *table);
        Ok(kept.outbox.iter().find(is_it).map(|row| row.due.table).or_else(pruned))
    }

    async fn said_as(&self, message: u64) -> Result<Option<(TableId, Option<Say>)>, JournalError> {
        let kept = self.kept();
        let is_it = |row: &&Row| row.posted.is_some_and(|posted| posted.message == message);
        let said = kept.outbox.iter().find(is_it).map(|row| (row.due.table, Some(row.due.say.clone())));
        let board = |ply: usize| Say::Board { ply };
        Ok(said.or_else(|| kept.messages.get(&message).map(|(table, ply)| (*table, ply.map(board)))))
    }

    async fn prune_outbox(&self, before_ms: i64, most: usize) -> Result<usize, JournalError> {
        Ok(pruning::prune_outbox(&mut self.kept(), before_ms, most))
    }

    async fn jobs(&self) -> Result<Vec<Job>, JournalError> {
        Ok(self.kept().jobs.values().copied().collect())
    }

    async fn note(&self, key: &str) -> Result<Option<String>, JournalError> {
        Ok(self.kept().notes.get(key).cloned())
    }

    async fn keep_note(&self, key: &str, value: &str) -> Result<(), JournalError> {
        let mut kept = self.kept();
        match value {
            "" => kept.notes.remove(key),
            _ => kept.notes.insert(key.to_owned(), value.to_owned()),
        };
        Ok(())
    }

    async fn probe(&self) -> Result<(), JournalError> {
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
}

#[async_trait]
impl Follows for Memory {
    async fn follow(&self, who: Person, table: TableId, how: Following) -> Result<(), JournalError> {
        self.kept().follows.insert((table, who), how);
        Ok(())
    }

    async fn unfollow(&self, who: Person, table: TableId) -> Result<bool, JournalError> {
        Ok(self.kept().follows.remove(&(table, who)).is_some())
    }

    async fn followers(&self, table: TableId) -> Result<Vec<(Person, Following)>, JournalError> {
        let kept = self.kept();
        let of_table = kept.follows.iter().filter(|((at, _), _)| *at == table);
        Ok(of_table.map(|((_, who), how)| (*who, *how)).collect())
    }

    async fn watched_by(&self, who: Person) -> Result<Vec<TableId>, JournalError> {
        let kept = self.kept();
        Ok(kept.follows.keys().filter(|(_, by)| *by == who).map(|(table, _)| *table).collect())
    }

    async fn digests(&self) -> Result<Vec<(Person, Vec<TableId>)>, JournalError> {
        let mut digests: BTreeMap<Person, Vec<TableId>> = BTreeMap::new();
        for ((table, who), _) in self.kept().follows.iter().filter(|(_, how)| **how == Following::Digest) {
            digests.entry(*who).or_default().push(*table);
        }
        Ok(digests.into_iter().collect())
    }
}

#[async_trait]
impl ModerationStore for Memory {
    async fn block(&self, who: Person, other: Person, _at_ms: i64) -> Result<bool, JournalError> {
        Ok(self.kept().blocks.insert((who, other)))
    }

    async fn unblock(&self, who: Person, other: Person) -> Result<bool, JournalError> {
        Ok(self.kept().blocks.remove(&(who, other)))
    }

    async fn blocked_by(&self, who: Person) -> Result<Vec<Person>, JournalError> {
        let kept = self.kept();
        Ok(kept.blocks.iter().filter(|(by, _)| *by == who).map(|(_, other)| *other).collect())
    }

    async fn ban(&self, guild: u64, who: Person, _at_ms: i64) -> Result<bool, JournalError> {
        Ok(self.kept().bans.insert((guild, who)))
    }

    async fn unban(&self, guild: u64, who: Person) -> Result<bool, JournalError> {
        Ok(self.kept().bans.remove(&(guild, who)))
    }

    async fn banned_from(&self, guild: u64) -> Result<Vec<Person>, JournalError> {
        let kept = self.kept();
        Ok(kept.bans.iter().filter(|(from, _)| *from == guild).map(|(_, who)| *who).collect())
    }
}

#[async_trait]
impl Preferences for Memory {
    async fn personal(&self, who: Person) -> Result<Option<Personal>, JournalError> {
        Ok(self.kept().people.get(&who).cloned())
    }

    async fn keep_personal(&self, who: Person, personal: &Personal) -> Result<(), JournalError> {
        self.kept().people.insert(who, personal.clone());
        Ok(())
    }

    async fn forget_personal(&self, who: Person) -> Result<(), JournalError> {
        self.kept().people.remove(&who);
        Ok(())
    }

    async fn server(&self, guild: u64) -> Result<Option<Server>, JournalError> {
        Ok(self.kept().servers.get(&guild).cloned())
    }

    async fn keep_server(&self, guild: u64, server: &Server) -> Result<(), JournalError> {
        self.kept().servers.insert(guild, server.clone());
        Ok(())
    }

    async fn resting(&self) -> Result<Vec<Person>, JournalError> {
        let kept = self.kept();
        let may_rest =
            |it: &Personal| it.vacation.is_some() || it.weekly.is_some() || it.clock_week.is_some();
        let resting: BTreeSet<Person> =
            kept.people.iter().filter(|(_, it)| may_rest(it)).map(|(who, _)| *who).collect();
        Ok(resting.into_iter().collect())
    }

    async fn servers_with_lobby(&self) -> Result<Vec<u64>, JournalError> {
        let kept = self.kept();
        let with_lobby: BTreeSet<u64> = kept
            .servers
            .iter()
            .filter(|(_, server)| server.lobby.is_some())
            .map(|(guild, _)| *guild)
            .collect();
        Ok(with_lobby.into_iter().collect())
    }
}

impl Memory {
    fn with_row(&self, id: i64, change: impl FnOnce(&mut Row)) -> Result<(), JournalError> {
        let mut kept = self.kept();
        let row = kept.outbox.iter_mut().find(|row| row.due.id == id);
        row.map(change).ok_or_else(|| JournalError::Medium(format!("the outbox has no row {id}")))
    }
}

fn fits(filter: &Filter, card: &Card) -> bool {
    filter.person.is_none_or(|person| card.has(person))
        && filter.guild.is_none_or(|guild| card.guild == Some(guild))
        && filter.channel.is_none_or(|channel| card.home.is_some_and(|home| home.channel == channel))
        && filter.stage.is_none_or(|stage| card.stage == stage)
        && (!filter.unfinished || card.stage != Stage::Over)
        && filter.game.as_ref().is_none_or(|game| card.game == *game)
        && (!filter.frozen || card.frozen_ms.is_some())
        && (!filter.rests || card.rests)
        && (!filter.imported || card.imported)
        && (!filter.rated || card.rated.unwrap_or(true))
}

fn ratings(batch: &Batch, entry: &Entry) -> Vec<(Standing, Option<u64>)> {
    let Event::Rated { pool, changes } = &entry.event else { return Vec::new() };
    let standing = |change: &Change| Standing {
        who: change.who,
        game: batch.card.game.clone(),
        pool: *pool,
        rating: change.after,
        at_ms: entry.at_ms,
        table: batch.table,
    };
    // Who had their data deleted while the game went on has no rating.
    let known = changes.iter().filter(|change| !change.who.is_stand_in());
    known.map(|change| (standing(change), batch.card.guild)).collect()
}

#[async_trait]
impl Ratings for Memory {
    async fn rating(&self, who: Account, game: &str, pool: Pool) -> Result<Option<Standing>, JournalError> {
        let kept = self.kept();
        let mut own = kept.ratings.iter().rev().map(|(standing, _)| standing);
        Ok(own.find(|it| (it.who, it.game.as_str(), it.pool) == (who, game, pool)).cloned())
    }

    async fn history(&self, who: Account) -> Result<Vec<Standing>, JournalError> {
        let kept = self.kept();
        let all = kept.ratings.iter().map(|(standing, _)| standing);
        Ok(all.filter(|standing| standing.who == who).cloned().collect())
    }

    async fn leaders(
        &self,
        game: &str,
        pool: Pool,
        guild: Option<u64>,
    ) -> Result<Vec<(Standing, u64)>, JournalError> {
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
