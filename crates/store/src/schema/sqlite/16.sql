-- Entries from before step 7 contain people's own ids. This table lists where, so that a deletion need not
-- scan all entries. Later entries contain no ids, so nothing is added here. A damaged entry is skipped.
CREATE TABLE named (
    person INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX named_by_table ON named (table_id);
INSERT OR IGNORE INTO named (person, table_id)
    SELECT CASE WHEN part.type = 'text' THEN CAST(substr(part.atom, 8) AS INTEGER) ELSE part.atom END, events.table_id
    FROM events, json_tree(CASE WHEN json_valid(events.event) THEN events.event ELSE 'null' END) AS part
    WHERE (instr(events.event, '"host":') OR instr(events.event, '"person":') OR instr(events.event, '"captain":')
           OR instr(events.event, '"people":') OR instr(events.event, '"who":"person:'))
      -- Stand-ins do not fit into an integer, and are left out by that.
      AND (typeof(part.atom) = 'integer'
           AND (part.key IN ('host', 'person', 'captain') OR part.path LIKE '%.people')
           OR part.type = 'text' AND part.key = 'who' AND part.atom LIKE 'person:%' AND length(part.atom) <= 26);

CREATE INDEX people_by_table ON people (table_id);
CREATE INDEX follows_of_person ON follows (person, table_id);
CREATE INDEX cards_latest ON cards (at_ms DESC);

-- Unfinished deletions of a person's data: each table that still names them, and an empty name for the data
-- that belongs to no table.
CREATE TABLE deletions (
    person INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    parting TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deletions_by_table ON deletions (table_id);

-- Messages of games that ended long ago, moved here from the outbox, with their table and, for a board, its
-- ply.
CREATE TABLE messages (
    message INTEGER PRIMARY KEY NOT NULL,
    table_id TEXT NOT NULL,
    ply INTEGER
) STRICT;
CREATE INDEX messages_by_table ON messages (table_id);

-- In the outbox, state 4 is an item that this version cannot read, or whose table it cannot read: retried at
-- each start.
CREATE INDEX outbox_unreadable ON outbox (id) WHERE state = 4;
