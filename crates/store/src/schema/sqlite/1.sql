-- The journal: the events in order. Rows are never changed, only added.
CREATE TABLE events (
    table_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    source INTEGER,
    event TEXT NOT NULL,
    PRIMARY KEY (table_id, sequence)
) STRICT, WITHOUT ROWID;

-- The summaries by which tables are found: one row each, rewritten with every batch, always derivable from
-- the events.
CREATE TABLE cards (
    table_id TEXT PRIMARY KEY NOT NULL,
    stage INTEGER NOT NULL,
    guild INTEGER,
    channel INTEGER,
    at_ms INTEGER NOT NULL,
    card TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX cards_by_time ON cards (stage, at_ms DESC);
CREATE INDEX cards_by_guild ON cards (guild, stage, at_ms DESC);
CREATE INDEX cards_by_channel ON cards (channel) WHERE channel IS NOT NULL;

CREATE TABLE people (
    person INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) STRICT, WITHOUT ROWID;

-- The outbox: messages to post on Discord. state: 0 due, 1 posted, 2 given up.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id TEXT NOT NULL,
    key TEXT NOT NULL,
    say TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    why TEXT,
    channel INTEGER,
    message INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (id) WHERE state = 0;
CREATE INDEX outbox_by_key ON outbox (table_id, key, id);
CREATE INDEX outbox_by_message ON outbox (message) WHERE message IS NOT NULL;

-- Turns that the bot owes: at most one per table.
CREATE TABLE jobs (
    table_id TEXT PRIMARY KEY NOT NULL,
    ply INTEGER NOT NULL,
    level TEXT NOT NULL,
    seed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    key TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
