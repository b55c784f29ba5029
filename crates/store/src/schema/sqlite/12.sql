-- Since when an outbox item has been due, in milliseconds since 1970, so that health can tell the age of the oldest.
-- Items from before this step have none.
ALTER TABLE outbox ADD COLUMN due_since_ms INTEGER;
CREATE INDEX outbox_due_since ON outbox (due_since_ms) WHERE state = 0 AND due_since_ms IS NOT NULL;
-- What a health check writes to find out whether anything can be written: one row.
CREATE TABLE probe (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    probes INTEGER NOT NULL,
    room BLOB
) STRICT;
