//! How tables are looked for in the embedded file: by the index that is made for what is asked.

use sqlx::{QueryBuilder, Sqlite as Driver};

use super::bits;
use rookery_table::ports::{Filter, Stage};

/// A value in a card, missing where the card is malformed: it must fail no question and no index. The indexes of schema
/// 17 are made with the same words.
macro_rules! in_card {
    ($key:literal) => {
        concat!("CASE WHEN json_valid(card) THEN card ->> '$.", $key, "' END")
    };
}

/// Servers with games that go on there: read off an index that holds nothing else.
pub(super) const PLAYING: &str = concat!(
    "SELECT DISTINCT guild FROM cards INDEXED BY cards_playing WHERE stage = 1 AND guild IS NOT NULL AND ",
    in_card!("frozen_ms"),
    " IS NULL"
);

/// Running tables at which time brings something up to a moment, read off an index that holds nothing else.
pub(super) const MOMENTS: &str = concat!(
    "SELECT table_id, ",
    in_card!("next_ms"),
    " FROM cards INDEXED BY cards_by_moment WHERE stage = 1 AND ",
    in_card!("next_ms"),
    " IS NOT NULL AND ",
    in_card!("next_ms"),
    " <= ?"
);

/// Running tables that owe a proof, with the turns taken there.
pub(super) const OWING_PROOF: &str = concat!(
    "SELECT table_id, ",
    in_card!("ply"),
    " FROM cards INDEXED BY cards_owing_proof WHERE stage = 1 AND ",
    in_card!("proof_owed"),
    " = 1"
);

/// Since when the oldest due outbox item has been due, read from one end of an index.
pub(super) const OLDEST_DUE: &str = "SELECT min(due_since_ms) FROM outbox INDEXED BY outbox_due_since \
     WHERE state = 0 AND due_since_ms IS NOT NULL";

/// Unfinished tables that somebody has opened, up to a number of them.
pub(super) const OPEN_BY_HOST: &str = concat!(
    "SELECT count(*) FROM (SELECT 1 FROM cards INDEXED BY cards_open_by_host WHERE stage < 2 AND ",
    in_card!("host"),
    " = ? LIMIT ?)"
);

/// Those of them that have not begun.
pub(super) const WAITING_BY_HOST: &str = concat!(
    "SELECT count(*) FROM (SELECT 1 FROM cards INDEXED BY cards_open_by_host WHERE stage < 2 AND ",
    in_card!("host"),
    " = ? AND stage = 0 LIMIT ?)"
);

/// Unfinished tables of a server, up to a number of them.
pub(super) const OPEN_ON_SERVER: &str = "SELECT count(*) FROM (SELECT 1 FROM cards INDEXED BY cards_by_guild \
     WHERE guild = ? AND stage < 2 LIMIT ?)";

/// The question for the cards that fit, each with its table; where a person is asked for, those they have left
/// among them, so that it is not the medium that says where to stop. Only what is asked for stands in it, so that the index is used that
/// is made for it.
pub(super) fn listing(filter: &Filter) -> QueryBuilder<Driver> {
    let mut sql = QueryBuilder::new("SELECT card, table_id FROM cards WHERE TRUE");
    if let Some(person) = filter.person {
        sql.push(" AND table_id IN (SELECT table_id FROM people WHERE person = ").push_bind(bits(person.0));
        sql.push(")");
    }
    if let Some(guild) = filter.guild {
        sql.push(" AND guild = ").push_bind(bits(guild));
    }
    if let Some(channel) = filter.channel {
        sql.push(" AND channel = ").push_bind(bits(channel));
    }
    if let Some(stage) = filter.stage {
        sql.push(" AND stage = ").push_bind(stage_number(stage));
    }
    if filter.unfinished {
        // As a list, so that an index by stage is of use.
        let (waiting, running) = (stage_number(Stage::Waiting), stage_number(Stage::Running));
        sql.push(" AND stage IN (").push_bind(waiting).push(", ").push_bind(running).push(")");
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
    sql.push(" ORDER BY at_ms DESC");
    if filter.person.is_none() {
        sql.push(" LIMIT ").push_bind(filter.limit() as i64);
    }
    sql
}

/// A stage as the medium keeps it.
pub(super) fn stage_number(stage: Stage) -> i64 {
    match stage {
        Stage::Waiting => 0,
        Stage::Running => 1,
        Stage::Over => 2,
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use super::super::Sqlite;
    use super::*;
    use rookery_table::Person;

    /// How the medium looks for something, in its own words.
    async fn way(journal: &Sqlite, sql: &str) -> String {
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let rows = sqlx::query(sqlx::AssertSqlSafe(explain)).fetch_all(&journal.readers).await.unwrap();
        rows.iter().map(|row| row.get::<String, _>(3)).collect::<Vec<_>>().join("; ")
    }

    /// However many tables there are, what is asked for at a start, or whenever a server comes back, looks at no
    /// others than those that are wanted.
    #[tokio::test]
    async fn an_index_finds_the_tables_of_a_server() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap();
        let playing = way(&journal, PLAYING).await;
        assert!(playing.contains("INDEX cards_playing"), "{playing}");
        let moments = way(&journal, &MOMENTS.replace('?', "7")).await;
        assert!(moments.contains("SEARCH cards USING") && moments.contains("cards_by_moment"), "{moments}");
        let resting = way(&journal, super::super::preferences::RESTING).await;
        assert!(resting.contains("preferences_resting"), "{resting}");
        let owing = way(&journal, OWING_PROOF).await;
        assert!(owing.contains("INDEX cards_owing_proof"), "{owing}");
        let oldest = way(&journal, OLDEST_DUE).await;
        assert!(oldest.contains("COVERING INDEX outbox_due_since"), "{oldest}");
        for sql in [OPEN_BY_HOST, WAITING_BY_HOST, OPEN_ON_SERVER] {
            let counted = way(&journal, &sql.replace('?', "7")).await;
            assert!(counted.contains("SEARCH cards USING"), "{counted}");
            assert_eq!(counted.contains("COVERING INDEX cards_by_guild"), sql == OPEN_ON_SERVER, "{counted}");
        }
        let running = Some(Stage::Running);
        let filters = [
            (Filter { guild: Some(7), frozen: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { frozen: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { guild: Some(7), stage: running, ..Filter::default() }, "cards_by_guild"),
            (Filter { rests: true, stage: running, ..Filter::default() }, "cards_"),
            (Filter { channel: Some(7), ..Filter::default() }, "cards_by_channel"),
            (Filter { person: Some(Person(7)), ..Filter::default() }, "people USING PRIMARY KEY"),
        ];
        for (filter, index) in filters {
            let found = way(&journal, listing(&filter).sql().as_str()).await;
            assert!(found.contains(index) && !found.contains("SCAN cards"), "{filter:?}: {found}");
        }
    }
}
