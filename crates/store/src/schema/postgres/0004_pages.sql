-- Lists are read in pages, each from the key of the last row on. Processes of the version before still use the indexes
-- that are there, so none is dropped.

-- The tables that are not over, by name: all of them, those of a stage, and those of a server.
CREATE INDEX cards_unfinished ON cards (table_id) WHERE stage < 2;
CREATE INDEX cards_unfinished_by_stage ON cards (stage, table_id) WHERE stage < 2;
CREATE INDEX cards_unfinished_by_guild ON cards (guild, table_id) WHERE stage < 2;
CREATE INDEX cards_resting_by_name ON cards (table_id) WHERE rests;
CREATE INDEX cards_imported_by_name ON cards (table_id) WHERE imported;

-- The ratings of an account in the order in which they were written, and the links that a person made.
CREATE INDEX ratings_history ON ratings (account, id);
CREATE INDEX share_links_of_maker ON share_links (maker, digest) WHERE maker IS NOT NULL;
