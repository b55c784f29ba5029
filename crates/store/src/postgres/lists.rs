//! Queries for tables in the database; each is served by an index made for it.

use jiff::Timestamp;
use sqlx::{Postgres as Driver, QueryBuilder};

use super::nul;
use crate::pages::page_limit;
use crate::rows::{stage_number, to_i64};
use rookery_table::TableId;
use rookery_table::ports::{Filter, PageRequest, Stage};

/// Servers with running games that are not frozen.
pub(super) const PLAYING: &str = "SELECT DISTINCT guild FROM cards WHERE stage = 1 AND guild IS NOT NULL AND NOT frozen \
     AND guild >= $1 ORDER BY guild LIMIT $2";

/// Running tables with a timer up to a moment.
pub(super) const DUE_TIMERS: &str = "SELECT table_id, next_ms FROM cards WHERE stage = 1 AND next_ms IS NOT NULL AND next_ms <= $1 \
     AND next_ms >= $2 AND (next_ms > $2 OR table_id > $3) ORDER BY next_ms, table_id LIMIT $4";

/// Running tables that owe a proof of the settlement, with their plies.
pub(super) const OWING_PROOF: &str = "SELECT table_id, ply FROM cards \
     WHERE stage = 1 AND proof_owed AND table_id > $1 ORDER BY table_id LIMIT $2";

/// The turns that the bot owes.
pub(super) const JOBS: &str =
    "SELECT table_id, ply, level, seed FROM jobs WHERE table_id > $1 ORDER BY table_id LIMIT $2";

/// The number of unfinished tables that a person has opened, up to a limit.
pub(super) const OPEN_BY_HOST: &str =
    "SELECT count(*) FROM (SELECT 1 FROM cards WHERE stage < 2 AND host = $1 LIMIT $2) AS counted";

/// The number of tables that a person has opened and that have not begun, up to a limit.
pub(super) const WAITING_BY_HOST: &str = "SELECT count(*) FROM (SELECT 1 FROM cards WHERE stage < 2 AND host = $1 AND stage = 0 LIMIT $2) AS counted";

/// The number of unfinished tables of a server, up to a limit.
pub(super) const OPEN_ON_SERVER: &str =
    "SELECT count(*) FROM (SELECT 1 FROM cards WHERE guild = $1 AND stage < 2 LIMIT $2) AS counted";

/// The number of unfinished tables, up to a limit.
pub(super) const OPEN: &str =
    "SELECT count(*) FROM (SELECT 1 FROM cards WHERE stage < 2 LIMIT $1) AS counted";

/// Builds the query for a page of the cards that match a filter, those with the latest event first, each with its table and
/// the moment of that event. For a person it includes the tables that they have left. The SQL contains only the conditions
/// in use, and stages as numbers: the server can then use the indexes that are made for a stage.
pub(super) fn listing(filter: &Filter, page: &PageRequest<(Timestamp, TableId)>) -> QueryBuilder<Driver> {
    let mut sql = QueryBuilder::new("SELECT card, cards.table_id, at_ms FROM cards WHERE TRUE");
    if let Some(person) = filter.person {
        sql.push(" AND table_id IN (SELECT table_id FROM people WHERE person = ").push_bind(to_i64(person.0));
        sql.push(")");
    }
    push_conditions(&mut sql, filter);
    if let Some(stage) = filter.stage {
        sql.push(" AND stage = ").push(stage_number(stage));
    }
    if let Some((at, table)) = page.after {
        let at = at.as_millisecond();
        sql.push(" AND at_ms <= ").push_bind(at).push(" AND (at_ms < ").push_bind(at);
        sql.push(" OR table_id > ").push_bind(table.as_str().to_owned()).push(")");
    }
    sql.push(" ORDER BY at_ms DESC, table_id LIMIT ").push(page_limit(page.limit));
    sql
}

/// Builds the query for a page of the cards that match a filter, by table, as [`listing`] does.
pub(super) fn scanning(filter: &Filter, page: &PageRequest<TableId>) -> QueryBuilder<Driver> {
    let after = page.after.map_or(String::new(), |table| table.as_str().to_owned());
    let mut sql = QueryBuilder::new("SELECT card, cards.table_id, at_ms FROM ");
    match filter.person {
        Some(person) => {
            sql.push("people JOIN cards ON cards.table_id = people.table_id WHERE person = ");
            sql.push_bind(to_i64(person.0)).push(" AND people.table_id > ").push_bind(after);
        }
        None => drop(sql.push("cards WHERE cards.table_id > ").push_bind(after)),
    }
    push_conditions(&mut sql, filter);
    if let Some(stage) = filter.stage {
        sql.push(" AND stage = ").push(stage_number(stage));
    }
    sql.push(if filter.person.is_some() { " ORDER BY people.table_id" } else { " ORDER BY cards.table_id" });
    sql.push(" LIMIT ").push(page_limit(page.limit));
    sql
}

/// Adds the conditions that both queries have.
fn push_conditions(sql: &mut QueryBuilder<Driver>, filter: &Filter) {
    if let Some(table) = filter.table {
        sql.push(" AND cards.table_id = ").push_bind(table.as_str().to_owned());
    }
    if let Some(guild) = filter.guild {
        sql.push(" AND guild = ").push_bind(to_i64(guild));
    }
    if let Some(channel) = filter.channel {
        sql.push(" AND channel = ").push_bind(to_i64(channel));
    }
    if filter.unfinished {
        sql.push(" AND stage < ").push(stage_number(Stage::Over));
    }
    if let Some(game) = &filter.game {
        sql.push(" AND game = ").push_bind(nul::encode(game));
    }
    for (wanted, condition) in [
        (filter.frozen, " AND frozen"),
        (filter.rests, " AND rests"),
        (filter.imported, " AND imported"),
        (filter.rated, " AND rated IS NOT FALSE"),
    ] {
        sql.push(if wanted { condition } else { "" });
    }
}
