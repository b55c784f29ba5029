//! `rookery check`: verifies that a journal is whole and readable. In a file it checks the file itself, the seals and record
//! of every table, replayed by the rules of its game, and the rows beside the tables.

use crate::sqlite::errors::store_error;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use futures_util::StreamExt;
use sqlx::sqlite::SqliteRow;
use sqlx::{ConnectOptions, Connection, Executor, SqliteConnection};

use super::check_postgres;
use super::file_copy::{Partial, Progress, copy, of_file};
use super::sqlite::chain::chain_of;
use super::sqlite::migrations::SCHEMA;
use super::sqlite::open;
use super::store_address::StoreAddress;
use crate::rows::{
    ANNOTATION_COLUMNS, ANNOTATION_LINK_COLUMNS, StoredRow, name, read_annotation, read_annotation_link,
    read_card, read_due, read_job, table_id, unreadable, unsigned,
};
use rookery_table::audit::{self, Audit, Breach, SeedAudit};
use rookery_table::hash_chain::HashChain;
use rookery_table::ports::{Card, Stage, StoreError};
use rookery_table::preferences::{PersonalPreferences, ServerPreferences};
use rookery_table::{Table, TableId};

/// The most faults of the file itself that are listed: one cause often has many.
const FILE_FAULTS: usize = 20;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The schema version of the file.
    pub schema: usize,
    /// The number of tables.
    pub tables: usize,
    /// The number of tables that are not over.
    pub unfinished: usize,
    /// The number of entries of all tables.
    pub entries: usize,
    /// The number of outbox items still to be posted.
    pub outbox: usize,
    /// The number of people and servers with stored preferences.
    pub preferences: usize,
    /// The faults found; empty for a sound journal.
    pub faults: Vec<CheckFinding>,
}

/// A fault in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFinding {
    /// Where the fault is: `table` and the table's name, the file, or a kind of row.
    pub part: String,
    /// The reason, as text for the operator.
    pub why: String,
}

impl Report {
    /// Whether the check found no fault.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// Returns the number of tables with a fault.
    pub fn damaged_tables(&self) -> usize {
        let tables = self.faults.iter().filter(|fault| fault.part.starts_with(TABLE));
        tables.map(|fault| fault.part.as_str()).collect::<BTreeSet<_>>().len()
    }

    /// Verifies the entries of a table, replays its game, and compares the result with the card.
    pub(super) fn judge(
        &mut self,
        table: TableId,
        chain: &HashChain,
        card: Option<Card>,
    ) -> Result<(), String> {
        let card = card.ok_or("it has no card: no list shows it")?;
        let found = audit::audit(table, chain).ok_or("it has a card but no entries")?;
        let wrong = problems_of(&found);
        if !wrong.is_empty() {
            return Err(wrong.join("; "));
        }
        let replayed = replay(table, chain).ok_or("its record cannot be replayed")?;
        if card.stage != Stage::Over {
            self.unfinished += 1;
        }
        let derived = replayed.card();
        let same = (card.stage, card.ply) == (derived.stage, derived.ply);
        same.then_some(()).ok_or_else(|| {
            format!(
                "its card says {:?} after {} turns, its record {:?} after {}",
                card.stage, card.ply, derived.stage, derived.ply
            )
        })
    }

    pub(super) fn add(&mut self, part: impl Into<String>, why: impl fmt::Display) {
        self.faults.push(CheckFinding { part: part.into(), why: why.to_string() });
    }
}

/// The prefix of [`CheckFinding::part`] for a fault at a table.
pub(super) const TABLE: &str = "table ";

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { schema, tables, unfinished, entries, outbox, preferences, faults } = self;
        writeln!(f, "schema        {schema}")?;
        writeln!(f, "tables        {tables} ({unfinished} unfinished)")?;
        writeln!(f, "entries       {entries}")?;
        writeln!(f, "to be posted  {outbox}")?;
        writeln!(f, "preferences   {preferences}")?;
        faults.iter().try_for_each(|fault| writeln!(f, "DAMAGED {}: {}", fault.part, fault.why))
    }
}

/// Checks a journal as of one moment without changing it, also while a bot writes to it. A backup with an
/// older schema is upgraded in a copy first. Progress is in tables.
///
/// # Errors
/// If the file cannot be read at all, is not a journal, or was made by a newer version. Damage within it is
/// reported.
pub async fn check(path: &Path, progress: Progress<'_>) -> Result<Report, StoreError> {
    let schema = open::version(path).await.map_err(|error| of_file(path, &error))?;
    if schema == SCHEMA.len() {
        return checked(path, progress).await.map_err(|error| of_file(path, &error));
    }
    let Partial(upgraded) = &copy(path, path, &|_, _| ()).await?;
    open::upgrade(upgraded).await.map_err(|error| of_file(path, &error))?;
    let report = checked(upgraded, progress).await.map_err(|error| of_file(path, &error))?;
    Ok(Report { schema, ..report })
}

/// Checks a journal, wherever it is, as of one moment without changing it, also while a bot writes to it. Progress is in
/// tables.
///
/// # Errors
/// If the journal cannot be read at all, or is not of this version. Damage within it is reported.
pub async fn check_store(address: &StoreAddress, progress: Progress<'_>) -> Result<Report, StoreError> {
    match address {
        StoreAddress::Sqlite(path) => check(path, progress).await,
        StoreAddress::Postgres(url) => check_postgres::check(url, progress).await,
    }
}

async fn checked(path: &Path, progress: Progress<'_>) -> Result<Report, StoreError> {
    let mut checker = Checker {
        connection: open::read_only(path).connect().await.map_err(store_error)?,
        report: Report { schema: SCHEMA.len(), ..Report::default() },
    };
    // The transaction fixes the moment, so that later writes do not show.
    checker.connection.execute("BEGIN").await.map_err(store_error)?;
    checker.file().await;
    let tables = checker.names().await;
    for (done, table) in tables.iter().enumerate() {
        progress(done as u64, tables.len() as u64);
        checker.table(*table).await;
    }
    checker.rows().await;
    checker.connection.close().await.map_err(store_error)?;
    Ok(checker.report)
}

struct Checker {
    connection: SqliteConnection,
    report: Report,
}

impl Checker {
    /// Checks the pages, indexes and foreign keys of the file.
    async fn file(&mut self) {
        let sql = format!("PRAGMA integrity_check({FILE_FAULTS})");
        for row in self.read("the file", &sql).await {
            let found = name(&row, 0);
            if found != "ok" {
                found.lines().for_each(|line| self.report.add("the file", line));
            }
        }
        for row in self.read("foreign keys", "PRAGMA foreign_key_check").await {
            let (child, parent) = (name(&row, 0), name(&row, 2));
            self.report.add("foreign keys", format!("a row of {child} refers to none of {parent}"));
        }
    }

    /// Reads rows. An error is reported as a fault, and yields no rows.
    async fn read(&mut self, part: &str, sql: &str) -> Vec<SqliteRow> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).fetch_all(&mut self.connection).await;
        rows.unwrap_or_else(|error| {
            self.report.add(part, store_error(error));
            Vec::new()
        })
    }

    /// Returns the tables named by a card or an entry.
    async fn names(&mut self) -> BTreeSet<TableId> {
        let mut names = BTreeSet::new();
        for sql in ["SELECT table_id FROM cards", "SELECT DISTINCT table_id FROM events"] {
            for row in self.read("the list of tables", sql).await {
                match table_id(&row, 0) {
                    Ok(table) => drop(names.insert(table)),
                    Err(error) => self.report.add("the list of tables", error),
                }
            }
        }
        names
    }

    async fn table(&mut self, table: TableId) {
        self.report.tables += 1;
        if let Err(why) = self.sound_table(table).await {
            self.report.add(format!("{TABLE}{table}"), why);
        }
    }

    async fn sound_table(&mut self, table: TableId) -> Result<(), String> {
        let chain = chain_of(&mut self.connection, table).await.map_err(|error| error.to_string())?;
        self.report.entries += chain.links.len();
        let card = self.card(table).await?;
        self.report.judge(table, &chain, card)
    }

    async fn card(&mut self, table: TableId) -> Result<Option<Card>, String> {
        let sql = "SELECT card, table_id FROM cards WHERE table_id = ?";
        let row = sqlx::query(sql).bind(table.as_str().to_owned()).fetch_optional(&mut self.connection).await;
        let row = row.map_err(|error| store_error(error).to_string())?;
        row.map(|row| read_card(&row).map_err(|error| error.to_string())).transpose()
    }

    /// Checks the rows beside the tables.
    async fn rows(&mut self) {
        let sql = "SELECT id, table_id, say, tries, due_since_ms FROM outbox WHERE state IN (0, 3)";
        let outbox = self.read("the outbox", sql).await;
        self.report.outbox = outbox.len();
        self.report_all("the outbox", outbox.iter().filter_map(|row| read_due(row).err()));
        let jobs = self.read("owed turns", "SELECT table_id, ply, level, seed FROM jobs").await;
        self.report_all("owed turns", jobs.iter().filter_map(|row| read_job(row).err()));
        let chosen = self.read("preferences", "SELECT kind, id, chosen FROM preferences").await;
        self.report.preferences = chosen.len();
        self.report_all("preferences", chosen.iter().filter_map(wrong_preference));
        self.annotations().await;
    }

    /// Checks the annotations, one after another, and the links to them.
    async fn annotations(&mut self) {
        let sql = format!("SELECT {ANNOTATION_COLUMNS}, table_id FROM annotations");
        let mut wrong = Vec::new();
        let mut rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch(&mut self.connection);
        while let Some(row) = rows.next().await {
            let read = row.map_err(store_error).and_then(|row| {
                table_id(&row, 6)?;
                read_annotation(&row).map(drop)
            });
            wrong.extend(read.err());
        }
        drop(rows);
        self.report_all("annotations", wrong.into_iter());
        let sql = format!("SELECT {ANNOTATION_LINK_COLUMNS} FROM annotation_links");
        let links = self.read("links to annotations", &sql).await;
        self.report_all(
            "links to annotations",
            links.iter().filter_map(|row| read_annotation_link(row).err()),
        );
    }

    fn report_all(&mut self, part: &str, wrong: impl Iterator<Item = impl fmt::Display>) {
        wrong.for_each(|why| self.report.add(part, why));
    }
}

fn replay(table: TableId, chain: &HashChain) -> Option<Table> {
    let entries: Result<Vec<_>, _> = chain.links.iter().map(|link| link.entry()).collect();
    Table::replay(table, &entries.ok()?).ok().flatten()
}

/// Returns why preferences cannot be read: their kind, id and text.
pub(super) fn wrong_preference(row: &impl StoredRow) -> Option<String> {
    let wrong = read_preference(row).err()?;
    let whose = if matches!(row.integer(0), Ok(0)) { "a person" } else { "a server" };
    Some(format!("{whose}, {}: {wrong}", unsigned::<u64>(row, 1).unwrap_or_default()))
}

fn read_preference(row: &impl StoredRow) -> Result<(), StoreError> {
    let chosen = row.text(2)?;
    let read = match row.integer(0)? {
        0 => serde_json::from_str::<PersonalPreferences>(chosen).map(drop),
        _ => serde_json::from_str::<ServerPreferences>(chosen).map(drop),
    };
    read.map_err(|error| unreadable("what was chosen", error))
}

/// Lists the problems that an audit found.
fn problems_of(found: &Audit) -> Vec<String> {
    let mut wrong = Vec::new();
    wrong.extend(found.record.as_ref().err().map(ToString::to_string));
    wrong.extend(found.game.err().map(|entry| {
        format!("entry {entry} breaks the rules of the game, or is of a newer version of Rookery")
    }));
    wrong.extend(found.votes.err().map(|entry| format!("entry {entry} closes a vote as nobody voted")));
    wrong.extend(match &found.seed {
        SeedAudit::Broken(Breach::Digest) => Some("its seed is not the one it was sealed with".to_owned()),
        SeedAudit::Broken(Breach::Layout) => Some("its first position is not what its seed gives".to_owned()),
        SeedAudit::Broken(Breach::Seats) => Some("its seats are not as chance decided".to_owned()),
        _ => None,
    });
    let unsound = found.forgotten.iter().filter(|it| !it.sound);
    wrong.extend(
        unsound.map(|it| format!("it was damaged before entry {}, when a name was taken out", it.sequence)),
    );
    wrong
}
