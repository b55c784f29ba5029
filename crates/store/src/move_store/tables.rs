//! The tables of a journal in both databases: which columns hold the same, and how their values are stored.

use serde_json::Value as Json;

/// How many records are in memory at a time.
pub(super) const PAGE: usize = 500;

/// A table of the journal.
pub(crate) struct Table {
    /// Its name in SQLite, which is also its name in reports.
    pub(crate) sqlite: &'static str,
    /// Its name in PostgreSQL.
    pub(crate) postgres: &'static str,
    /// The columns of its records, those of the primary key first.
    pub(crate) columns: &'static [Column],
    /// How many columns the primary key has.
    pub(crate) key: usize,
    /// Whether the database numbers its records; the key is then the number.
    pub(crate) numbered: bool,
    /// The columns that only PostgreSQL has, for queries that ask SQLite for a value within a JSON text.
    pub(crate) derived: &'static [Column],
    /// Returns the values of the derived columns from a record.
    pub(crate) derive: fn(&[Value]) -> Vec<Value>,
}

/// A column of a record.
pub(crate) struct Column {
    /// Its name in SQLite.
    pub(crate) sqlite: &'static str,
    /// Its name in PostgreSQL.
    pub(crate) postgres: &'static str,
    /// What it holds.
    pub(crate) kind: Kind,
    /// Whether it may be NULL.
    pub(crate) nullable: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A signed 64-bit number.
    Integer,
    /// A text without NUL characters.
    Text,
    /// A text that may contain NUL characters; PostgreSQL has it encoded.
    AnyText,
    /// Yes or no: a number in SQLite.
    Flag,
}

/// A value of a record, the same for both databases.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// No value.
    Null,
    /// A number.
    Integer(i64),
    /// A text, not encoded.
    Text(String),
    /// Yes or no.
    Flag(bool),
}

/// The values of a record, in the order of its table's columns.
pub(crate) type Record = Vec<Value>;

impl Column {
    const fn of(name: &'static str, kind: Kind) -> Column {
        Column { sqlite: name, postgres: name, kind, nullable: false }
    }

    const fn or_null(self) -> Column {
        Column { nullable: true, ..self }
    }

    const fn in_postgres(self, postgres: &'static str) -> Column {
        Column { postgres, ..self }
    }
}

impl Table {
    const fn of(name: &'static str, key: usize, columns: &'static [Column]) -> Table {
        Table {
            sqlite: name,
            postgres: name,
            columns,
            key,
            numbered: false,
            derived: &[],
            derive: |_| Vec::new(),
        }
    }

    /// Returns a record with the values of the derived columns.
    pub(crate) fn with_derived(&self, record: Record) -> Record {
        let derived = (self.derive)(&record);
        [record, derived].concat()
    }

    /// Returns the primary key of a record, to name it.
    pub(crate) fn key_of(&self, record: &[Value]) -> String {
        let part = |(column, value): (&Column, &Value)| match value {
            Value::Text(text) => format!("{} = {text:?}", column.sqlite),
            Value::Integer(number) => format!("{} = {number}", column.sqlite),
            Value::Flag(_) | Value::Null => format!("{} = {value:?}", column.sqlite),
        };
        self.columns.iter().zip(record).take(self.key).map(part).collect::<Vec<_>>().join(" and ")
    }
}

const fn integer(name: &'static str) -> Column {
    Column::of(name, Kind::Integer)
}

const fn text(name: &'static str) -> Column {
    Column::of(name, Kind::Text)
}

const fn any_text(name: &'static str) -> Column {
    Column::of(name, Kind::AnyText)
}

const fn flag(name: &'static str) -> Column {
    Column::of(name, Kind::Flag)
}

/// The tables that are not copied: the row that a health check writes, and each database's own list of migrations.
#[cfg(test)]
pub(crate) const NOT_COPIED: [&str; 2] = ["probe", "_sqlx_migrations"];

/// All tables that are copied.
pub(crate) static TABLES: [Table; 22] = [
    Table::of(
        "events",
        2,
        &[
            text("table_id"),
            integer("sequence"),
            integer("at_ms"),
            integer("source").or_null(),
            text("event"),
            text("seal").or_null(),
        ],
    ),
    Table {
        derived: &[
            any_text("game"),
            integer("host").or_null(),
            integer("ply"),
            integer("next_ms").or_null(),
            flag("frozen"),
            flag("rests"),
            flag("proof_owed"),
            flag("imported"),
            flag("rated").or_null(),
        ],
        derive: of_card,
        ..Table::of(
            "cards",
            1,
            &[
                text("table_id"),
                integer("stage"),
                integer("guild").or_null(),
                integer("channel").or_null(),
                integer("at_ms"),
                text("card"),
                text("head").or_null(),
            ],
        )
    },
    Table::of("people", 2, &[integer("person"), text("table_id")]),
    Table {
        postgres: "pseudonyms",
        ..Table::of(
            "stand_ins",
            2,
            &[text("table_id"), integer("stand_in").in_postgres("pseudonym"), integer("person")],
        )
    },
    Table::of("named", 2, &[integer("person"), text("table_id")]),
    Table::of("erased", 1, &[text("table_id")]),
    Table {
        numbered: true,
        ..Table::of(
            "outbox",
            1,
            &[
                integer("id"),
                text("table_id"),
                any_text("key"),
                text("say"),
                integer("state"),
                integer("tries"),
                any_text("why").or_null(),
                integer("channel").or_null(),
                integer("message").or_null(),
                integer("due_since_ms").or_null(),
            ],
        )
    },
    Table::of("messages", 1, &[integer("message"), text("table_id"), integer("ply").or_null()]),
    Table::of("jobs", 1, &[text("table_id"), integer("ply"), text("level"), integer("seed")]),
    Table::of("notes", 1, &[any_text("key"), any_text("value")]),
    Table {
        derived: &[flag("rests"), flag("lobby")],
        derive: of_preferences,
        ..Table::of("preferences", 2, &[integer("kind"), integer("id"), text("chosen")])
    },
    Table {
        numbered: true,
        ..Table::of(
            "ratings",
            1,
            &[
                integer("id"),
                text("account"),
                any_text("game"),
                text("pool"),
                integer("mean_milli"),
                integer("deviation_milli"),
                integer("volatility_micro"),
                integer("at_ms"),
                text("table_id"),
                integer("guild").or_null(),
            ],
        )
    },
    Table::of("follows", 2, &[text("table_id"), integer("person"), integer("how")]),
    Table::of("blocks", 2, &[integer("person"), integer("blocked"), integer("at_ms")]),
    Table::of("bans", 2, &[integer("guild"), integer("person"), integer("at_ms")]),
    Table::of(
        "share_links",
        1,
        &[
            text("digest"),
            text("token"),
            text("table_id").or_null(),
            integer("guild").or_null(),
            integer("maker").or_null(),
            flag("by_setting"),
            integer("made_ms"),
        ],
    ),
    Table::of("share_withdrawn", 1, &[text("table_id"), integer("at_ms")]),
    Table::of("sign_ins", 1, &[text("digest"), integer("person"), text("table_id"), integer("expires_ms")]),
    Table::of(
        "web_sessions",
        1,
        &[text("digest"), integer("person"), integer("made_ms"), integer("used_ms")],
    ),
    Table::of(
        "annotations",
        4,
        &[
            integer("person"),
            text("table_id"),
            integer("ply"),
            text("line"),
            text("comment"),
            text("arrows"),
            text("marks"),
            integer("at_ms"),
        ],
    ),
    Table::of(
        "annotation_links",
        1,
        &[text("digest"), text("token"), integer("person"), text("table_id"), integer("made_ms")],
    ),
    Table::of(
        "deletions",
        2,
        &[integer("person"), text("table_id"), text("parting").in_postgres("leave_policy")],
    ),
];

/// Returns the derived columns of a card. A card that cannot be read has those of none, as SQLite's queries see it: it
/// is copied as it is, and is reported when it is met.
fn of_card(record: &[Value]) -> Vec<Value> {
    let card = json(&record[5]);
    let flag = |key: &str| Value::Flag(card[key].as_bool().unwrap_or(false));
    let optional = |number: Option<i64>| number.map_or(Value::Null, Value::Integer);
    vec![
        Value::Text(card["game"].as_str().unwrap_or_default().to_owned()),
        optional(card["host"].as_u64().map(u64::cast_signed)),
        Value::Integer(card["ply"].as_i64().unwrap_or_default()),
        optional(card["next_ms"].as_i64()),
        Value::Flag(!card["frozen_ms"].is_null()),
        flag("rests"),
        flag("proof_owed"),
        flag("imported"),
        card["rated"].as_bool().map_or(Value::Null, Value::Flag),
    ]
}

/// Returns the derived columns of preferences.
fn of_preferences(record: &[Value]) -> Vec<Value> {
    let chosen = json(&record[2]);
    let is_person = record[0] == Value::Integer(crate::rows::PERSON);
    let rests = ["vacation", "weekly", "clock_week"].iter().any(|key| !chosen[*key].is_null());
    vec![Value::Flag(is_person && rests), Value::Flag(!is_person && !chosen["lobby"].is_null())]
}

/// Returns a JSON text, or `null` if it is malformed.
fn json(value: &Value) -> Json {
    match value {
        Value::Text(text) => serde_json::from_str(text).unwrap_or_default(),
        _ => Json::Null,
    }
}
