//! Queries for tables in the database; each is served by an index made for it.

use sqlx::{Postgres as Driver, QueryBuilder};

use super::{limit, nul};
use crate::rows::{stage_number, to_i64};
use rookery_table::ports::{Filter, Stage};

/// Servers with running games that are not frozen.
pub(super) const PLAYING: &str =
    "SELECT DISTINCT guild FROM cards WHERE stage = 1 AND guild IS NOT NULL AND NOT frozen";

/// Running tables with a timer up to a moment.
pub(super) const DUE_TIMERS: &str = "SELECT table_id, next_ms FROM cards WHERE stage = 1 AND next_ms IS NOT NULL AND next_ms <= $1 \
     AND next_ms >= $2 AND (next_ms > $2 OR table_id > $3) ORDER BY next_ms, table_id LIMIT $4";

/// Running tables that owe a proof of the settlement, with their plies.
pub(super) const OWING_PROOF: &str = "SELECT table_id, ply FROM cards WHERE stage = 1 AND proof_owed";

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

/// Builds the query for the cards that match a filter, each with its table. For a person it includes the tables that
/// they have left, so the caller applies the limit. The SQL contains only the conditions in use, and stages as
/// numbers: the server can then use the indexes that are made for a stage.
pub(super) fn listing(filter: &Filter) -> QueryBuilder<Driver> {
    let mut sql = QueryBuilder::new("SELECT card, table_id FROM cards WHERE TRUE");
    if let Some(person) = filter.person {
        sql.push(" AND table_id IN (SELECT table_id FROM people WHERE person = ").push_bind(to_i64(person.0));
        sql.push(")");
    }
    if let Some(guild) = filter.guild {
        sql.push(" AND guild = ").push_bind(to_i64(guild));
    }
    if let Some(channel) = filter.channel {
        sql.push(" AND channel = ").push_bind(to_i64(channel));
    }
    if let Some(stage) = filter.stage {
        sql.push(" AND stage = ").push(stage_number(stage));
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
    sql.push(" ORDER BY at_ms DESC");
    if filter.person.is_none() {
        sql.push(" LIMIT ").push(limit(filter.limit()));
    }
    sql
}
