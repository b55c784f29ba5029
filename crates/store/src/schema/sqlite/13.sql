-- `json_valid`: a damaged row must not keep a file from being upgraded.
-- Whom people have blocked, and who is banned from using the bot on a server.
CREATE TABLE blocks (
    person INTEGER NOT NULL,
    blocked INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (person, blocked)
) STRICT, WITHOUT ROWID;
CREATE TABLE bans (
    guild INTEGER NOT NULL,
    person INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (guild, person)
) STRICT, WITHOUT ROWID;
-- The unfinished tables that somebody has opened: counted whenever they open another one.
CREATE INDEX cards_open_by_host ON cards (CASE WHEN json_valid(card) THEN card ->> '$.host' END, stage) WHERE stage < 2;
