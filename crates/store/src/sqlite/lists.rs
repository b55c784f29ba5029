//! Queries for tables in the embedded file; each is served by an index made for it.

use jiff::Timestamp;
use sqlx::{QueryBuilder, Sqlite as Driver};

use crate::pages::page_limit;
use crate::rows::{stage_number, to_i64};
use rookery_table::TableId;
use rookery_table::ports::{Filter, PageRequest, Stage};

/// The SQL of a value in a card, NULL for a malformed card, which must not break a query or an index. The
/// indexes of schemas 17 and 18 use the same expression, which SQLite requires to match them.
macro_rules! in_card {
    ($key:literal) => {
        concat!("CASE WHEN json_valid(card) THEN card ->> '$.", $key, "' END")
    };
}

/// Servers with running games that are not frozen, read from a covering index.
pub(super) const PLAYING: &str = concat!(
    "SELECT DISTINCT guild FROM cards INDEXED BY cards_playing WHERE stage = 1 AND guild IS NOT NULL AND ",
    in_card!("frozen_ms"),
    " IS NULL AND guild >= ?1 ORDER BY guild LIMIT ?2"
);

/// Running tables with a timer up to a moment, read from a covering index.
pub(super) const DUE_TIMERS: &str = concat!(
    "SELECT table_id, ",
    in_card!("next_ms"),
    " FROM cards INDEXED BY cards_by_moment WHERE stage = 1 AND ",
    in_card!("next_ms"),
    " IS NOT NULL AND ",
    in_card!("next_ms"),
    " <= ?1 AND ",
    in_card!("next_ms"),
    " >= ?2 AND (",
    in_card!("next_ms"),
    " > ?2 OR table_id > ?3) ORDER BY ",
    in_card!("next_ms"),
    ", table_id LIMIT ?4"
);

/// Running tables that owe a proof of the settlement, with their plies.
pub(super) const OWING_PROOF: &str = concat!(
    "SELECT table_id, ",
    in_card!("ply"),
    " FROM cards INDEXED BY cards_owing_proof WHERE stage = 1 AND ",
    in_card!("proof_owed"),
    " = 1 AND table_id > ?1 ORDER BY table_id LIMIT ?2"
);

/// The turns that the bot owes.
pub(super) const JOBS: &str =
    "SELECT table_id, ply, level, seed FROM jobs WHERE table_id > ?1 ORDER BY table_id LIMIT ?2";

/// The time since which the oldest due outbox item has been due, read from one end of an index.
pub(super) const OLDEST_DUE: &str = "SELECT min(due_since_ms) FROM outbox INDEXED BY outbox_due_since \
     WHERE state = 0 AND due_since_ms IS NOT NULL";

/// The number of unfinished tables that a person has opened, up to a limit.
pub(super) const OPEN_BY_HOST: &str = concat!(
    "SELECT count(*) FROM (SELECT 1 FROM cards INDEXED BY cards_open_by_host WHERE stage < 2 AND ",
    in_card!("host"),
    " = ? LIMIT ?)"
);

/// The number of tables that a person has opened and that have not begun, up to a limit.
pub(super) const WAITING_BY_HOST: &str = concat!(
    "SELECT count(*) FROM (SELECT 1 FROM cards INDEXED BY cards_open_by_host WHERE stage < 2 AND ",
    in_card!("host"),
    " = ? AND stage = 0 LIMIT ?)"
);

/// The number of unfinished tables of a server, up to a limit.
pub(super) const OPEN_ON_SERVER: &str = "SELECT count(*) FROM (SELECT 1 FROM cards INDEXED BY cards_by_guild \
     WHERE guild = ? AND stage < 2 LIMIT ?)";

/// The number of unfinished tables, up to a limit.
pub(super) const OPEN: &str =
    "SELECT count(*) FROM (SELECT 1 FROM cards INDEXED BY cards_unfinished_by_stage WHERE stage < 2 LIMIT ?)";

/// Follows the number of a LIMIT; [`super::outbox::DUE`] tells why.
const PREPARED_ONCE: &str = " + 0";

/// Builds the query for a page of the cards that match a filter, those with the latest event first, each with its table and
/// the moment of that event. For a person it includes the tables that they have left. The SQL contains only the conditions
/// in use, so that SQLite picks the index made for them.
pub(super) fn listing(filter: &Filter, page: &PageRequest<(Timestamp, TableId)>) -> QueryBuilder<Driver> {
    let mut sql = QueryBuilder::new("SELECT card, cards.table_id, at_ms FROM cards WHERE TRUE");
    if let Some(person) = filter.person {
        sql.push(" AND table_id IN (SELECT table_id FROM people WHERE person = ").push_bind(to_i64(person.0));
        sql.push(")");
    }
    push_conditions(&mut sql, filter);
    if let Some(stage) = filter.stage {
        // As a number, because partial indexes are made for it.
        sql.push(" AND stage = ").push(stage_number(stage));
    }
    if filter.unfinished {
        // As an IN list, so that SQLite can use an index on the stage.
        sql.push(" AND stage IN (0, 1)");
    }
    if let Some((at, table)) = page.after {
        let at = at.as_millisecond();
        sql.push(" AND at_ms <= ").push_bind(at).push(" AND (at_ms < ").push_bind(at);
        sql.push(" OR table_id > ").push_bind(table.as_str().to_owned()).push(")");
    }
    sql.push(" ORDER BY at_ms DESC, table_id LIMIT ").push_bind(page_limit(page.limit)).push(PREPARED_ONCE);
    sql
}

/// Builds the query for a page of the cards that match a filter, by table, as [`listing`] does.
pub(super) fn scanning(filter: &Filter, page: &PageRequest<TableId>) -> QueryBuilder<Driver> {
    let after = page.after.map_or(String::new(), |table| table.as_str().to_owned());
    let mut sql = QueryBuilder::new("SELECT card, cards.table_id, at_ms FROM ");
    match filter.person {
        Some(person) => {
            // The cross join makes SQLite begin with the person's tables.
            sql.push("people CROSS JOIN cards ON cards.table_id = people.table_id WHERE person = ");
            sql.push_bind(to_i64(person.0)).push(" AND people.table_id > ").push_bind(after);
        }
        None => drop(sql.push("cards WHERE cards.table_id > ").push_bind(after)),
    }
    push_conditions(&mut sql, filter);
    if let Some(stage) = filter.stage {
        // With the sign SQLite prefers the index by server or of resting tables to those by stage.
        let by_other = stage != Stage::Over && (filter.guild.is_some() || filter.rests);
        sql.push(if by_other { " AND +stage = " } else { " AND stage = " }).push(stage_number(stage));
    }
    if filter.unfinished || matches!(filter.stage, Some(Stage::Waiting | Stage::Running)) {
        // Written as in the partial indexes, which SQLite requires.
        sql.push(" AND stage < 2");
    }
    sql.push(if filter.person.is_some() { " ORDER BY people.table_id" } else { " ORDER BY cards.table_id" });
    sql.push(" LIMIT ").push_bind(page_limit(page.limit)).push(PREPARED_ONCE);
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
    if let Some(game) = &filter.game {
        sql.push(concat!(" AND ", in_card!("game"), " = ")).push_bind(game.clone());
    }
    if filter.frozen {
        sql.push(concat!(" AND ", in_card!("frozen_ms"), " IS NOT NULL"));
    }
    if filter.rests {
        sql.push(concat!(" AND ", in_card!("rests"), " = 1"));
    }
    if filter.imported {
        sql.push(concat!(" AND ", in_card!("imported"), " = 1"));
    }
    if filter.rated {
        sql.push(" AND CASE WHEN json_valid(card) THEN coalesce(card ->> '$.rated', 1) = 1 END");
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use super::super::Sqlite;
    use super::*;
    use rookery_table::UserId;
    use rookery_table::{ChannelId, GuildId};

    /// Returns SQLite's query plan for a statement.
    async fn query_plan(journal: &Sqlite, sql: &str) -> String {
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let rows = sqlx::query(sqlx::AssertSqlSafe(explain)).fetch_all(&journal.readers).await.unwrap();
        rows.iter().map(|row| row.get::<String, _>(3)).collect::<Vec<_>>().join("; ")
    }

    /// Queries at startup or when a server becomes available read only the matching tables, whatever the
    /// total number.
    #[tokio::test]
    async fn an_index_finds_the_tables_of_a_server() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap();
        let playing = query_plan(&journal, PLAYING).await;
        assert!(playing.contains("INDEX cards_playing"), "{playing}");
        let moments = query_plan(
            &journal,
            &["?1", "?2", "?3", "?4"].iter().fold(DUE_TIMERS.to_owned(), |sql, it| sql.replace(it, "7")),
        )
        .await;
        assert!(moments.contains("SEARCH cards USING") && moments.contains("cards_by_moment"), "{moments}");
        let resting = query_plan(&journal, super::super::preferences::RESTING).await;
        assert!(resting.contains("preferences_resting"), "{resting}");
        let owing = query_plan(&journal, &OWING_PROOF.replace('?', "7")).await;
        assert!(owing.contains("INDEX cards_owing_proof"), "{owing}");
        let oldest = query_plan(&journal, OLDEST_DUE).await;
        assert!(oldest.contains("COVERING INDEX outbox_due_since"), "{oldest}");
        for sql in [OPEN_BY_HOST, WAITING_BY_HOST, OPEN_ON_SERVER] {
            let counted = query_plan(&journal, &sql.replace('?', "7")).await;
            assert!(counted.contains("SEARCH cards USING"), "{counted}");
            assert_eq!(counted.contains("COVERING INDEX cards_by_guild"), sql == OPEN_ON_SERVER, "{counted}");
        }
        let running = Some(Stage::Running);
        let filters = [
            (Filter { guild: Some(GuildId(7)), frozen: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { frozen: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { guild: Some(GuildId(7)), stage: running, ..Filter::default() }, "cards_by_guild"),
            (Filter { rests: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { channel: Some(ChannelId(7)), ..Filter::default() }, "cards_by_channel"),
            (Filter { person: Some(UserId(7)), ..Filter::default() }, "people USING PRIMARY KEY"),
        ];
        for (filter, index) in filters {
            let found = query_plan(&journal, listing(&filter, &PageRequest::default()).sql().as_str()).await;
            assert!(found.contains(index) && !found.contains("SCAN cards"), "{filter:?}: {found}");
        }
    }
}
