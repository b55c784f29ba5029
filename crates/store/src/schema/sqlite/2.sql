-- The preferences of people (kind 0, by user) and servers (kind 1, by guild), as JSON.
CREATE TABLE preferences (
    kind INTEGER NOT NULL,
    id INTEGER NOT NULL,
    chosen TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
