-- Who watches which table without playing there. how: 0 in its thread, 1 in a daily direct message.
CREATE TABLE follows (
    table_id TEXT NOT NULL,
    person INTEGER NOT NULL,
    how INTEGER NOT NULL,
    PRIMARY KEY (table_id, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX follows_by_person ON follows (how, person);
