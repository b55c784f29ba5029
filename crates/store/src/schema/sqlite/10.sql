-- In the outbox, state 3 is an item that waits for a permission: these are read at every start.
CREATE INDEX outbox_barred ON outbox (id) WHERE state = 3;
