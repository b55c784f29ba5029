-- The time since which an outbox item has been due, in milliseconds since 1970, from which the health check
-- gets the age of the oldest. Items from before this step have none.
ALTER TABLE outbox ADD COLUMN due_since_ms INTEGER;
CREATE INDEX outbox_due_since ON outbox (due_since_ms) WHERE state = 0 AND due_since_ms IS NOT NULL;
-- The row that a health check writes to test whether writes work.
CREATE TABLE probe (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    probes INTEGER NOT NULL,
    room BLOB
) STRICT;
