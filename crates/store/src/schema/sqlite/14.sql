-- The outbox is worked through table by table, server by server in turn.
CREATE INDEX outbox_due_by_table ON outbox (table_id, id) WHERE state = 0;
