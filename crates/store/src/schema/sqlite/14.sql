-- The outbox is processed table by table, and servers take turns.
CREATE INDEX outbox_due_by_table ON outbox (table_id, id) WHERE state = 0;
