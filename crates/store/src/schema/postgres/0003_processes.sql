-- What the processes share that use the database. Nothing here belongs to the record: all of it can be made anew.

-- The processes that use the database. session: the number of the advisory lock that the process's session has.
-- seen_at: its last heartbeat, by the server's clock.
CREATE TABLE processes (
    process bigint PRIMARY KEY,
    session bigint NOT NULL,
    name text NOT NULL,
    gateway boolean NOT NULL,
    seen_at timestamptz NOT NULL
);

-- The tables with due outbox rows. A process claims a table, posts its rows in order, and deletes the line, unless rows
-- were added meanwhile, which increases the version. guild: 0 for tables outside of servers. process: who has claimed
-- it. was_abandoned: a process claimed it and ended, so its rows may have been posted.
CREATE TABLE outbox_lanes (
    table_id text COLLATE "C" PRIMARY KEY,
    guild bigint NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    process bigint,
    was_abandoned boolean NOT NULL DEFAULT false,
    since bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX outbox_lanes_free ON outbox_lanes (guild, since) WHERE process IS NULL;
CREATE INDEX outbox_lanes_claimed ON outbox_lanes (process) WHERE process IS NOT NULL;
INSERT INTO outbox_lanes (table_id, guild)
    SELECT due.table_id, coalesce(cards.guild, 0)
    FROM (SELECT DISTINCT table_id FROM outbox WHERE state = 0) due LEFT JOIN cards USING (table_id);

-- The shards of the gateway. total: how many there were. alive_ms: when it was connected last.
CREATE TABLE shards (
    shard bigint PRIMARY KEY,
    total bigint NOT NULL,
    alive_ms bigint
);

-- The next moment at which a gateway session of a bucket may identify, by the server's clock.
CREATE TABLE identify_slots (
    bucket bigint PRIMARY KEY,
    free_at timestamptz NOT NULL
);
