//! `rookery check` for a journal in PostgreSQL. Everything is read in one transaction, so as of one moment, in pages, and
//! beside the processes that use the database. The server looks after its own files: `pg_amcheck` checks those.

use std::collections::BTreeSet;

use sqlx::query;

use super::check::{Report, TABLE, wrong_preference};
use super::file_copy::Progress;
use super::move_store::Fault;
use super::move_store::postgres_store::PostgresStore;
use super::move_store::tables::{Record, TABLES, Table, Value};
use super::postgres::chain::chain_of;
use super::postgres::open::newest;
use crate::pages::page_limit;
use crate::rows::{
    StoredRow, read_annotation, read_annotation_link, read_card, read_due, read_job, table_id, unreadable,
};
use rookery_table::TableId;
use rookery_table::ports::{PAGE_ROWS, StoreError};

/// The tables of the next cards.
const NAMES: &str = "SELECT table_id FROM cards WHERE table_id > $1 ORDER BY table_id LIMIT $2";
/// The tables with entries between two names, so that those without a card are found too.
const WITH_ENTRIES: &str = "SELECT DISTINCT table_id FROM events WHERE table_id > $1 AND table_id <= $2";
/// The tables with entries after all cards.
const WITH_ENTRIES_AFTER: &str = "SELECT DISTINCT table_id FROM events WHERE table_id > $1";

/// Checks the journal in a database.
///
/// # Errors
/// If the database cannot be reached or read, or has another schema than this version.
pub(super) async fn check(url: &str, progress: Progress<'_>) -> Result<Report, StoreError> {
    let store = PostgresStore::snapshot(url).await?;
    let schema = usize::try_from(newest()).unwrap_or_default();
    let mut checker = Checker { store, report: Report { schema, ..Report::default() } };
    let checked = checker.all(progress).await;
    checker.store.close().await;
    checked.map(|()| checker.report)
}

struct Checker {
    store: PostgresStore,
    report: Report,
}

impl Checker {
    async fn all(&mut self, progress: Progress<'_>) -> Result<(), StoreError> {
        let cards = TABLES.iter().find(|table| table.sqlite == "cards").expect("cards are copied");
        let total = self.store.count(cards).await?;
        let mut after = Some(String::new());
        while let Some(from) = after {
            let (names, next) = self.names(&from).await?;
            for name in names {
                progress(self.report.tables as u64, total);
                match name.parse() {
                    Ok(table) => self.table(table).await?,
                    Err(_) => self.report.add("the list of tables", format!("{name:?} is no table's name")),
                }
            }
            after = next;
        }
        for table in &TABLES {
            self.records(table).await?;
        }
        Ok(())
    }

    /// Returns the names of the next tables, and the last of them unless there are no more.
    async fn names(&mut self, after: &str) -> Result<(BTreeSet<String>, Option<String>), StoreError> {
        let from = self.store.transaction();
        let cards = query(NAMES).bind(after.to_owned()).bind(page_limit(PAGE_ROWS));
        let cards = from.rows(cards).await?;
        let next = if cards.len() < PAGE_ROWS { None } else { cards.last().map(|row| row.name(0)) };
        let entries = match &next {
            Some(last) => query(WITH_ENTRIES).bind(after.to_owned()).bind(last.clone()),
            None => query(WITH_ENTRIES_AFTER).bind(after.to_owned()),
        };
        let entries = from.rows(entries).await?;
        Ok((cards.iter().chain(&entries).map(|row| row.name(0)).collect(), next))
    }

    async fn table(&mut self, table: TableId) -> Result<(), StoreError> {
        self.report.tables += 1;
        let chain = match chain_of(self.store.transaction(), table).await {
            Err(error) if error.is_unreadable() => {
                self.report.add(format!("{TABLE}{table}"), error);
                return Ok(());
            }
            chain => chain?,
        };
        self.report.entries += chain.links.len();
        let card = query("SELECT card, table_id FROM cards WHERE table_id = $1");
        let card = self.store.transaction().row(card.bind(table.as_str().to_owned())).await?;
        let sound = match card.map(|row| read_card(&row)).transpose() {
            Ok(card) => self.report.judge(table, &chain, card),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = sound {
            self.report.add(format!("{TABLE}{table}"), why);
        }
        Ok(())
    }

    /// Reads all records of a table of the database.
    async fn records(&mut self, table: &'static Table) -> Result<(), StoreError> {
        self.store.open_cursor(table, true).await?;
        loop {
            let page = match self.store.page(table, true).await {
                Ok(page) => page,
                Err(Fault::Store(error)) => return Err(error),
                Err(Fault::Row { row, why, .. }) => return Err(unreadable(row, why)),
            };
            if page.is_empty() {
                return Ok(());
            }
            for record in page {
                self.record(table, &record);
            }
        }
    }

    fn record(&mut self, table: &Table, record: &Record) {
        let (own, derived) = record.split_at(table.columns.len());
        if (table.derive)(own) != derived {
            let columns: Vec<&str> = table.derived.iter().map(|column| column.postgres).collect();
            let why = format!("{} differ from the text that they come from", columns.join(", "));
            self.report.add(table.postgres, format!("the row with {}: {why}", table.key_of(own)));
        }
        match table.sqlite {
            "outbox" if matches!(own[4], Value::Integer(0 | 3)) => {
                self.report.outbox += 1;
                let row = [0, 1, 3, 5, 9].map(|at| own[at].clone());
                self.report_error("the outbox", read_due(&Row(&row)).err());
            }
            "jobs" => self.report_error("owed turns", read_job(&Row(own)).err()),
            "preferences" => {
                self.report.preferences += 1;
                self.report_error("preferences", wrong_preference(&Row(own)));
            }
            "annotations" => {
                let row = [2, 3, 4, 5, 6, 7].map(|at| own[at].clone());
                let read = table_id(&Row(own), 1).and_then(|_| read_annotation(&Row(&row)).map(drop));
                self.report_error("annotations", read.err());
            }
            "annotation_links" => {
                self.report_error("links to annotations", read_annotation_link(&Row(&own[1..])).err());
            }
            "deletions" if own[1] == Value::Text(String::new()) => {}
            _ => {
                let at = table.columns.iter().position(|column| column.sqlite == "table_id");
                let named = at.filter(|at| own[*at] != Value::Null);
                let wrong = named.and_then(|at| table_id(&Row(own), at).err());
                self.report_error(table.postgres, wrong);
            }
        }
    }

    fn report_error(&mut self, part: &str, wrong: Option<impl std::fmt::Display>) {
        if let Some(why) = wrong {
            self.report.add(part, why);
        }
    }
}

/// The values of a record as a row.
struct Row<'a>(&'a [Value]);

impl Row<'_> {
    fn other(&self, at: usize, wanted: &str) -> StoreError {
        unreadable(format!("value {at}"), format!("{:?} is not {wanted}", self.0.get(at)))
    }
}

impl StoredRow for Row<'_> {
    fn integer(&self, at: usize) -> Result<i64, StoreError> {
        self.optional_integer(at)?.ok_or_else(|| self.other(at, "a number"))
    }

    fn optional_integer(&self, at: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(at) {
            Some(Value::Integer(number)) => Ok(Some(*number)),
            Some(Value::Null) => Ok(None),
            _ => Err(self.other(at, "a number")),
        }
    }

    fn text(&self, at: usize) -> Result<&str, StoreError> {
        self.optional_text(at)?.ok_or_else(|| self.other(at, "a text"))
    }

    fn optional_text(&self, at: usize) -> Result<Option<&str>, StoreError> {
        match self.0.get(at) {
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(Value::Null) => Ok(None),
            _ => Err(self.other(at, "a text")),
        }
    }

    fn name(&self, at: usize) -> String {
        self.text(at).unwrap_or("?").to_owned()
    }
}
