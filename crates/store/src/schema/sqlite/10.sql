-- In the outbox state 3 is what waits until we may say it: looked through at every start.
CREATE INDEX outbox_barred ON outbox (id) WHERE state = 3;
