-- Entries name people by pseudonyms, which are random numbers for each table; only this table links them to
-- people. Deleting a person's data deletes their rows here, and no entry changes. Entries from before this
-- step contain the people's own ids.
CREATE TABLE stand_ins (
    table_id TEXT NOT NULL,
    stand_in INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (table_id, stand_in)
) STRICT, WITHOUT ROWID;
CREATE INDEX stand_ins_by_person ON stand_ins (person);
-- Names of tables that were deleted completely: buttons under old messages still contain them, so no other
-- table may get the same name.
CREATE TABLE erased (table_id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
