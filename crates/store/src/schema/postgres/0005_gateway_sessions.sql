-- The latest session of a shard, which another process can resume. sequence: the number of an event up to which all were
-- handled.
ALTER TABLE shards
    ADD COLUMN session_id text,
    ADD COLUMN session_url text,
    ADD COLUMN sequence bigint;
