-- What people wrote and drew on positions of finished games, and the links with which they show it.
CREATE TABLE annotations (
    person INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    ply INTEGER NOT NULL,
    line TEXT NOT NULL,
    comment TEXT NOT NULL,
    arrows TEXT NOT NULL,
    marks TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (person, table_id, ply, line)
) STRICT;
CREATE INDEX annotations_by_table ON annotations (table_id);
CREATE TABLE annotation_links (
    digest TEXT NOT NULL PRIMARY KEY,
    token TEXT NOT NULL,
    person INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    made_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX annotation_links_of_person ON annotation_links (person, table_id);
CREATE INDEX annotation_links_by_table ON annotation_links (table_id);
