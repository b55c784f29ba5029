-- Share links, with which a game or the list of a server's games is watched in a browser: those that are
-- valid. A request is looked up by the SHA-256 of its token, so that the response time reveals nothing about
-- tokens. by_setting: 0 made by a player, 1 by the server's setting.
CREATE TABLE share_links (
    digest TEXT NOT NULL PRIMARY KEY,
    token TEXT NOT NULL,
    table_id TEXT,
    guild INTEGER,
    maker INTEGER,
    by_setting INTEGER NOT NULL,
    made_ms INTEGER NOT NULL,
    CHECK (table_id IS NOT NULL OR guild IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX share_links_by_table ON share_links (table_id, by_setting) WHERE table_id IS NOT NULL;
CREATE UNIQUE INDEX share_links_by_server ON share_links (guild) WHERE table_id IS NULL;
CREATE INDEX share_links_by_setting ON share_links (guild) WHERE by_setting = 1;
CREATE INDEX share_links_by_maker ON share_links (maker) WHERE maker IS NOT NULL;
-- Games whose links were withdrawn: the server's setting makes none for them.
CREATE TABLE share_withdrawn (
    table_id TEXT NOT NULL PRIMARY KEY,
    at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
