-- In entries people are called by stand-ins, numbers that are drawn for each table; here alone it is kept
-- who they are. Whoever has their data deleted is taken out here, and no entry changes. Entries from before
-- this step name people themselves.
CREATE TABLE stand_ins (
    table_id TEXT NOT NULL,
    stand_in INTEGER NOT NULL,
    person INTEGER NOT NULL,
    PRIMARY KEY (table_id, stand_in)
) STRICT, WITHOUT ROWID;
CREATE INDEX stand_ins_by_person ON stand_ins (person);
-- Names of tables that were deleted whole: buttons under old messages still carry them, so that no other table
-- may ever be called so.
CREATE TABLE erased (table_id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;
