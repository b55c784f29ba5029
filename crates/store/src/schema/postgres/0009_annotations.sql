-- What people wrote and drew on positions of finished games, and the links with which they show it.
CREATE TABLE annotations (
    person bigint NOT NULL,
    table_id text NOT NULL,
    ply bigint NOT NULL,
    line text NOT NULL,
    comment text NOT NULL,
    arrows text NOT NULL,
    marks text NOT NULL,
    at_ms bigint NOT NULL,
    PRIMARY KEY (person, table_id, ply, line)
);
CREATE INDEX annotations_by_table ON annotations (table_id);
CREATE TABLE annotation_links (
    digest text PRIMARY KEY,
    token text NOT NULL,
    person bigint NOT NULL,
    table_id text NOT NULL,
    made_ms bigint NOT NULL
);
CREATE UNIQUE INDEX annotation_links_of_person ON annotation_links (person, table_id);
CREATE INDEX annotation_links_by_table ON annotation_links (table_id);
